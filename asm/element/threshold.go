package element

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// ThresholdKernels look at the elements of a vector that are above a threshold,
// s[i] > t, or below it. NaN is neither, and nothing is above or below NaN; -0 and
// +0 are equal.
type ThresholdKernels struct {
	// Count returns how many s[i] > t.
	Count func(s []float64, t float64) int
	// Sum returns the sum of the s[i] > t, and how many they are. Element i goes to
	// lane i mod 8 by acc = acc + s[i] in increasing i from +0, and the lanes are
	// summed as rows.Kernels.Dot sums them.
	Sum func(s []float64, t float64) (sum float64, count int)
	// Above and Below write the s[i] > t, or < t, to dst in increasing i and return
	// their number. dst is as long as s; it may be s, but may not overlap it in any
	// other way. What dst holds behind those elements is left undefined.
	Above, Below func(dst, s []float64, t float64) int
	// Positions writes the i with s[i] > t to dst in increasing order and returns
	// their number, as Above does. len(s) is at most 2^32.
	Positions func(dst []uint32, s []float64, t float64) int
	// Kth returns the k-th largest element of s, for k from 1 to len(s): NaN where s
	// holds one, and a zero of either sign. It takes time that grows as len(s)^2.
	Kth func(s []float64, k int) float64
}

// kth counts for each element how many are above it: the k-th largest is the least of
// those with fewer than k.
func kth(s []float64, k int) float64 {
	least := math.Inf(1)
	for _, v := range s {
		if v != v {
			return v
		}
		above := 0
		for _, u := range s {
			if u > v {
				above++
			}
		}
		if above < k && v < least {
			least = v
		}
	}
	return least
}

// kthOfThree is kth for up to three elements, without a jump that data decide.
func kthOfThree(s []float64, k int) float64 {
	a, b, c := s[0], s[len(s)/2], s[len(s)-1]
	switch {
	case k == 1:
		return max(a, b, c)
	case k == len(s):
		return min(a, b, c)
	}
	return max(min(a, b), min(max(a, b), c))
}

var thresholdGeneric = ThresholdKernels{
	Kth: kth,
	Count: func(s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v > t {
				n++
			}
		}
		return n
	},
	Sum: func(s []float64, t float64) (float64, int) {
		var l [8]float64
		n := 0
		for i, v := range s {
			if v > t {
				l[i&7] += v
				n++
			}
		}
		return lanes.Sum8(&l), n
	},
	Above: func(dst, s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v > t {
				dst[n] = v
				n++
			}
		}
		return n
	},
	Below: func(dst, s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v < t {
				dst[n] = v
				n++
			}
		}
		return n
	},
	Positions: func(dst []uint32, s []float64, t float64) int {
		n := 0
		for i, v := range s {
			if v > t {
				dst[n] = uint32(i)
				n++
			}
		}
		return n
	},
}
