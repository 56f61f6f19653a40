//go:build !purego

package single

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &AVX2, &AVX512}

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:        "avx2",
	Dot:         singleDotAVX2,
	SquaredNorm: singleSquaredNormAVX2,
	Sum:         singleSumAVX2,
}

// AVX512 holds the kernels that need AVX-512 F, DQ, VL and BW, and the AVX2 kernels wherever
// AVX-512 was not measured to win.
var AVX512 = Kernels{
	Path:        "avx512",
	Dot:         singleDotAVX512,
	SquaredNorm: singleSquaredNormAVX512,
	Sum:         singleSumAVX512,
}

//go:noescape
func singleDotAVX2(x, y []float32) float64

//go:noescape
func singleSquaredNormAVX2(x []float32) float64

//go:noescape
func singleSumAVX2(x []float32) float64

//go:noescape
func singleDotAVX512(x, y []float32) float64

//go:noescape
func singleSquaredNormAVX512(x []float32) float64

//go:noescape
func singleSumAVX512(x []float32) float64
