//go:build !purego

package element

var extremeNEON = ExtremeKernels{Max: extremeMaxNEON, Min: extremeMinNEON, First: extremeFirstNEON}

//go:noescape
func extremeMaxNEON(x []float64) float64

//go:noescape
func extremeMinNEON(x []float64) float64

//go:noescape
func extremeFirstNEON(x []float64, v float64) int
