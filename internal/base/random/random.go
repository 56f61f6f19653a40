// Package random has random numbers that stay the same for a seed, whatever becomes of the
// standard library's derived generators.
package random

import (
	"math/bits"
	"math/rand/v2"
)

// Source is a source of random numbers.
type Source struct{ PCG rand.PCG }

// stream keeps the generators of different purposes apart for one seed.
const stream = 0x9e3779b97f4a7c15

// New returns a source for a seed.
func New(seed uint64) *Source {
	r := new(Source)
	r.PCG.Seed(seed, stream)
	return r
}

// Below returns a uniform number in [0, n); n is positive.
func (r *Source) Below(n uint64) uint64 {
	high, low := bits.Mul64(r.PCG.Uint64(), n)
	if low < n {
		// Lemire's rejection: the first 2^64 mod n low words occur once too often.
		for excess := -n % n; low < excess; {
			high, low = bits.Mul64(r.PCG.Uint64(), n)
		}
	}
	return high
}

// Shuffle puts a list into a random order: each of its orders is equally likely (Fisher and Yates).
func Shuffle[T any](r *Source, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		k := r.Below(uint64(i + 1))
		list[i], list[k] = list[k], list[i]
	}
}

// Float64 returns a uniform number in [0, 1), a multiple of 2^-53.
func (r *Source) Float64() float64 {
	return float64(r.PCG.Uint64()>>11) * 0x1p-53
}

// Sign returns -1 or +1.
func (r *Source) Sign() float64 {
	return float64(int64(r.PCG.Uint64()>>63))*2 - 1
}

// HashRow returns 64 bits that look random, equal bits for a row wherever it is.
func HashRow(row int) uint64 { return Mix(uint64(row+1) * stream) }

// Spread returns a number in [0, 1) that looks random, one for each k, as for each row.
func Spread(k int) float64 { return float64(HashRow(k)>>11) * 0x1p-53 }

// Mix returns 64 bits that look random, different ones for every x (the finaliser of Steele,
// Lea and Flood 2014, "Fast splittable pseudorandom number generators").
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
