//go:build !purego

package rows

var commonAVX2 = CommonKernels{
	I32F64: commonDotI32F64AVX2, I32F32: commonDotI32F32AVX2,
	I16F64: commonDotI16F64AVX2, I16F32: commonDotI16F32AVX2,
	Count32: commonCountI32AVX2, Count16: commonCountI16AVX2,
	Rising32: risingI32AVX2, Rising16: risingI16AVX2,
}

//go:noescape
func commonDotI32F64AVX2(idx1 []uint32, val1 []float64, idx2 []uint32, val2 []float64) float64

//go:noescape
func commonDotI32F32AVX2(idx1 []uint32, val1 []float32, idx2 []uint32, val2 []float32) float64

//go:noescape
func commonDotI16F64AVX2(idx1 []uint16, val1 []float64, idx2 []uint16, val2 []float64) float64

//go:noescape
func commonDotI16F32AVX2(idx1 []uint16, val1 []float32, idx2 []uint16, val2 []float32) float64

//go:noescape
func commonCountI32AVX2(idx1, idx2 []uint32) int

//go:noescape
func commonCountI16AVX2(idx1, idx2 []uint16) int

//go:noescape
func risingI32AVX2(idx []uint32) bool

//go:noescape
func risingI16AVX2(idx []uint16) bool
