package element

import "math"

// ExtremeKernels find the largest and the smallest element of a vector. -0 and +0 are
// equal.
type ExtremeKernels struct {
	// Max and Min return the largest and the smallest element: +0 where that is a
	// zero, NaN if any element is NaN, -Inf and +Inf for no elements.
	Max, Min func(x []float64) float64
	// First returns the first i with x[i] == v, or len(x) where there is none.
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
	Min: func(x []float64) float64 {
		least := math.Inf(1)
		for _, v := range x {
			if v != v {
				return v
			}
			if v < least {
				least = v
			}
		}
		return least + 0
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
