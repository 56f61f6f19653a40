package kernels

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/asm"
)

// ArgMax returns the index of the largest element of x, the first one of several that
// are equal; -0 and +0 are. Where elements are NaN it is the index of the first of
// them, as in NumPy, and -1 where x is empty. Cost: 8n bytes read.
func ArgMax(x []float64) int { return shortArgMax(x, longArgMax) }

func longArgMax(x []float64) int {
	e := &asm.Active().Element.Extreme
	best, at := math.Inf(-1), 0
	for first := 0; first < len(x); first += extremeBlock {
		v := e.Max(x[first:min(first+extremeBlock, len(x))])
		if v != v {
			return first + slices.IndexFunc(x[first:], math.IsNaN)
		}
		if v > best {
			best, at = v, first
		}
	}
	// The block with the largest element is looked at a second time.
	return at + e.First(x[at:min(at+extremeBlock, len(x))], best)
}

// extremeBlock is the number of elements between two updates of the largest one. They stay in the
// cache until its place is found.
const extremeBlock = 1024

// shortExtreme is up to where a loop is quicker than two calls of kernels.
const shortExtreme = 12
