package kernels

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
)

// ArgMax returns the index of the largest element of x, the first one of several that
// are equal; -0 and +0 are. Where elements are NaN it is the index of the first of
// them, as in NumPy, and -1 where x is empty. Cost: 8n bytes read.
func ArgMax(x []float64) int { return shortArgMax(x, longArgMax) }

// ArgMin returns the index of the smallest element of x, with the rules of ArgMax.
// Cost: 8n bytes read.
func ArgMin(x []float64) int { return shortArgMin(x, longArgMin) }

func longArgMax(x []float64) int {
	e := &asm.Active().Element.Extreme
	if len(x) <= extremeBlock {
		if v := e.Max(x); v == v {
			return e.First(x, v)
		}
	}
	return argExtreme(x, e.Max, e, math.Inf(-1), func(a, b float64) bool { return a > b })
}

func longArgMin(x []float64) int {
	e := &asm.Active().Element.Extreme
	if len(x) <= extremeBlock {
		if v := e.Min(x); v == v {
			return e.First(x, v)
		}
	}
	return argExtreme(x, e.Min, e, math.Inf(1), func(a, b float64) bool { return a < b })
}

// extremeBlock is how many elements are looked at before the extreme one so far is
// told: they stay in the cache until its place is found.
const extremeBlock = 1024

// argExtreme looks at the block with the first extreme element a second time.
func argExtreme(x []float64, extreme func([]float64) float64, e *element.ExtremeKernels, worst float64, beyond func(a, b float64) bool) int {
	best, at := worst, 0
	for first := 0; first < len(x); first += extremeBlock {
		v := extreme(x[first:min(first+extremeBlock, len(x))])
		if v != v {
			return first + firstNaN(x[first:])
		}
		if beyond(v, best) {
			best, at = v, first
		}
	}
	return at + e.First(x[at:min(at+extremeBlock, len(x))], best)
}

func firstNaN(x []float64) int {
	for i, v := range x {
		if v != v {
			return i
		}
	}
	return -1
}

// shortExtreme is up to where a loop is quicker than two calls of kernels.
const shortExtreme = 12
