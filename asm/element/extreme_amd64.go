//go:build !purego

package element

var extremeAVX2 = ExtremeKernels{Max: extremeMaxAVX2, First: extremeFirstAVX2}

//go:noescape
func extremeMaxAVX2(x []float64) float64

//go:noescape
func extremeFirstAVX2(x []float64, v float64) int
