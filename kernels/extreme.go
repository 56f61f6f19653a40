package kernels

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
)

// ArgMax returns the index of the largest element of x, the first one of several that
// are equal; -0 and +0 are. Where elements are NaN it is the index of the first of
// them, as in NumPy, and -1 where x is empty. Cost: 8n bytes read.
func ArgMax(x []float64) int {
	if len(x) <= shortExtreme {
		return argMaxShort(x)
	}
	e := &asm.Active().Element.Extreme
	return argExtreme(x, e.Max, e, math.Inf(-1), func(a, b float64) bool { return a > b })
}

// ArgMin returns the index of the smallest element of x, with the rules of ArgMax.
// Cost: 8n bytes read.
func ArgMin(x []float64) int {
	if len(x) <= shortExtreme {
		return argMinShort(x)
	}
	e := &asm.Active().Element.Extreme
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

func argMaxShort(x []float64) int {
	if len(x) == 0 {
		return -1
	}
	best, at := x[0], 0
	for i, v := range x {
		// Also where v is NaN and the best one is not.
		if !(v <= best) && best == best {
			best, at = v, i
		}
	}
	return at
}

func argMinShort(x []float64) int {
	if len(x) == 0 {
		return -1
	}
	best, at := x[0], 0
	for i, v := range x {
		if !(v >= best) && best == best {
			best, at = v, i
		}
	}
	return at
}
