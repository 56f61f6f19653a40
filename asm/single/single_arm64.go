//go:build !purego

package single

// NEON holds the kernels of arm64.
var NEON = Kernels{
	Path:        "neon",
	Dot:         singleDotNEON,
	SquaredNorm: singleSquaredNormNEON,
	Sum:         singleSumNEON,
}

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &NEON}

//go:noescape
func singleDotNEON(x, y []float32) float64

//go:noescape
func singleSquaredNormNEON(x []float32) float64

//go:noescape
func singleSumNEON(x []float32) float64
