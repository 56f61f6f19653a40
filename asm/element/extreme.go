package element

import "math"

// ExtremeKernels find the largest element of a vector. -0 and +0 are
// equal.
type ExtremeKernels struct {
	// Max returns the largest element: +0 where that is a zero, NaN if any element is
	// NaN, -Inf for no elements.
	Max func(x []float64) float64
	// First returns the smallest i with x[i] == v, or len(x) if no element equals v.
	First func(x []float64, v float64) int
}

var extremeGeneric = ExtremeKernels{
	Max: func(x []float64) float64 {
		most := math.Inf(-1)
		for _, v := range x {
			if v != v {
				return v
			}
			if v > most {
				most = v
			}
		}
		return most + 0
	},
	First: func(x []float64, v float64) int {
		for i, u := range x {
			if u == v {
				return i
			}
		}
		return len(x)
	},
}
