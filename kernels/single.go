package kernels

import "github.com/lanes-go/lanes/asm"

// Dot32 returns the inner product sum_i x[i] y[i] of float32 vectors, accumulated in float64: every
// product is exact, and the sum is as accurate as Dot of float64 vectors.
//
// Error: x and y differ in length. Cost: 2n flops, 8n bytes read.
func Dot32(x, y []float32) (float64, error) {
	if len(x) != len(y) {
		return 0, unequal[ofDot32]{len(x), len(y)}
	}
	return shortDot(x, y, longDot32), nil
}

// SquaredNorm32 returns sum_i x[i]^2 of a float32 vector, accumulated in float64, which
// no finite elements make overflow; its root is the Euclidean norm. Cost: 2n flops, 4n
// bytes read.
func SquaredNorm32(x []float32) float64 { return shortDot(x, x, longNorm32) }

// Sum32 returns sum_i x[i] of a float32 vector, accumulated in float64. Cost: n flops,
// 4n bytes read.
func Sum32(x []float32) float64 { return shortSum(x, longSum32) }

func longDot32(x, y []float32) float64  { return long32(x, y, dot32) }
func longNorm32(x, _ []float32) float64 { return long32(x, x, norm32) }
func longSum32(x []float32) float64     { return long32(x, ones32[:], sum32) }

// The sums of float32 vectors.
const (
	dot32 = iota
	norm32
	sum32
)

// few32 is how many elements long32 adds itself, for less than a call of a kernel costs.
const few32 = 8

var ones32 = [few32]float32{1, 1, 1, 1, 1, 1, 1, 1}

// long32 gives the bits of the kernels: each of few products is a lane. Adding the first to 0 makes
// a sum of zeros +0. y is read for few elements, and for dot32.
func long32(x, y []float32, sum int) float64 {
	n := len(x)
	if n > few32 {
		switch k := &asm.Active().Single; sum {
		case dot32:
			return k.Dot(x, y)
		case norm32:
			return k.SquaredNorm(x)
		default:
			return k.Sum(x)
		}
	}
	if n == 0 {
		return 0
	}
	term := func(i int) float64 { return float64(float64(x[i]) * float64(y[i])) } // exact
	a0 := 0 + term(0)
	if n == 1 {
		return a0
	}
	a1 := term(1)
	if n == 2 {
		return a0 + a1
	}
	a2 := term(2)
	if n == 3 {
		return a0 + a2 + a1
	}
	a3 := term(3)
	if n == 4 {
		return (a0 + a2) + (a1 + a3)
	}
	a0 += term(4)
	if n > 5 {
		a1 += term(5)
	}
	if n > 6 {
		a2 += term(6)
	}
	if n > 7 {
		a3 += term(7)
	}
	return (a0 + a2) + (a1 + a3)
}
