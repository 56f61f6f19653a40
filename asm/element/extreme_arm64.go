//go:build !purego

package element

var extremeNEON = ExtremeKernels{Max: extremeMaxNEON, First: extremeFirstNEON}

//go:noescape
func extremeMaxNEON(x []float64) float64

//go:noescape
func extremeFirstNEON(x []float64, v float64) int
