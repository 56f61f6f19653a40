//go:build !purego

package asm

var vectorAVX2 = VectorKernels{
	I32F64:  VectorOf[uint32, float64]{vectorDotI32F64AVX2, vectorDot2I32F64AVX2, vectorAddI32F64AVX2},
	I32F32:  VectorOf[uint32, float32]{vectorDotI32F32AVX2, vectorDot2I32F32AVX2, vectorAddI32F32AVX2},
	I32Ones: VectorOf[uint32, struct{}]{vectorDotI32OnesAVX2, vectorDot2I32OnesAVX2, vectorAddI32OnesAVX2},
	I16F64:  VectorOf[uint16, float64]{vectorDotI16F64AVX2, vectorDot2I16F64AVX2, vectorAddI16F64AVX2},
	I16F32:  VectorOf[uint16, float32]{vectorDotI16F32AVX2, vectorDot2I16F32AVX2, vectorAddI16F32AVX2},
	I16Ones: VectorOf[uint16, struct{}]{vectorDotI16OnesAVX2, vectorDot2I16OnesAVX2, vectorAddI16OnesAVX2},
	MaxU32:  maxU32AVX2,
	MaxU16:  maxU16AVX2,
}

//go:noescape
func vectorDotI32F64AVX2(idx []uint32, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32F64AVX2(idx []uint32, val []float64, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32F64AVX2(w []float64, c float64, idx []uint32, val []float64) (ok bool)

//go:noescape
func vectorDotI32F32AVX2(idx []uint32, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32F32AVX2(idx []uint32, val []float32, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32F32AVX2(w []float64, c float64, idx []uint32, val []float32) (ok bool)

//go:noescape
func vectorDotI32OnesAVX2(idx []uint32, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32OnesAVX2(idx []uint32, val []struct{}, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32OnesAVX2(w []float64, c float64, idx []uint32, val []struct{}) (ok bool)

//go:noescape
func vectorDotI16F64AVX2(idx []uint16, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16F64AVX2(idx []uint16, val []float64, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16F64AVX2(w []float64, c float64, idx []uint16, val []float64) (ok bool)

//go:noescape
func vectorDotI16F32AVX2(idx []uint16, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16F32AVX2(idx []uint16, val []float32, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16F32AVX2(w []float64, c float64, idx []uint16, val []float32) (ok bool)

//go:noescape
func vectorDotI16OnesAVX2(idx []uint16, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16OnesAVX2(idx []uint16, val []struct{}, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16OnesAVX2(w []float64, c float64, idx []uint16, val []struct{}) (ok bool)

//go:noescape
func maxU32AVX2(x []uint32) uint32

//go:noescape
func maxU16AVX2(x []uint16) uint16
