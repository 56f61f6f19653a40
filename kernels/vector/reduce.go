package vector

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm/vector"
)

// Sum returns the sum of all elements, and 0 for none. Cost: n flops, 4n bytes read.
func Sum(x []float32) float32 { return vector.Sum(x) }

// Min returns the least element: NaN if an element is NaN, and 0 for no elements. -0 is less than +0.
// Cost: n comparisons, 4n bytes read.
func Min(x []float32) float32 { return vector.Min(x) }

// Max returns the largest element: NaN if an element is NaN, and 0 for no elements. -0 is less than
// +0. Cost: n comparisons, 4n bytes read.
func Max(x []float32) float32 { return vector.Max(x) }

// ArgMin returns the smallest i for which no element is less than x[i]. It is the first NaN if an
// element is NaN, and -1 for no elements. -0 equals +0. Cost: n comparisons, and some thousands at
// most to find the element; 4n bytes read.
func ArgMin(x []float32) int {
	start := 0
	if len(x) > block {
		x, start = extreme(x, false)
	}
	return start + vector.ArgMin(x)
}

// ArgMax returns the smallest i for which no element is more than x[i]. All else is as in ArgMin.
func ArgMax(x []float32) int {
	start := 0
	if len(x) > block {
		x, start = extreme(x, true)
	}
	return start + vector.ArgMax(x)
}

// block is the elements of a part of a vector that is read twice, the second time from a cache.
const block = 4096

// extreme returns the first block that has the extreme element or NaN, and its place.
func extreme(x []float32, most bool) (part []float32, start int) {
	best := float32(0)
	for i := 0; i < len(x); i += block {
		of := x[i:min(i+block, len(x))]
		m := float32(0)
		if most {
			m = vector.Max(of)
		} else {
			m = vector.Min(of)
		}
		if m != m {
			return of, i
		}
		if i == 0 || most && m > best || !most && m < best {
			part, start, best = of, i, m
		}
	}
	return part, start
}

// Softmax writes exp(x[i]) over the sum of all exp(x[i]) to dst[i]. It subtracts the largest element
// m first, so that nothing overflows; an x[i] of -Inf gives 0. The relative error is at most about
// |x[i]-m| + 8 units of 2^-24, and more where the result is subnormal. dst may be x; otherwise the
// two may not overlap. Nothing is written for no elements.
//
// Error: dst and x differ in length, or overlap without being the same slice, or the largest element
// is infinite or NaN; dst is as before then. Cost: 31n flops and n divisions; four passes over the
// vector.
func Softmax(dst, x []float32) error {
	if !fits(dst, x) {
		return misfit("Softmax", dst, "x", x)
	}
	most := vector.Max(x)
	if !(math.Abs(float64(most)) <= math.MaxFloat32) {
		return fmt.Errorf("vector.Softmax: the largest element is %v; it must be finite", most)
	}
	vector.ExpMinus(dst, x, most)
	vector.Divide(dst, dst, vector.Sum(dst))
	return nil
}
