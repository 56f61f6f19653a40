//go:build !purego

package asm

var vectorNEON = VectorKernels{
	I32F64:  VectorOf[uint32, float64]{vectorDotI32F64NEON, vectorDot2I32F64NEON, vectorAddI32F64NEON},
	I32F32:  VectorOf[uint32, float32]{vectorDotI32F32NEON, vectorDot2I32F32NEON, vectorAddI32F32NEON},
	I32Ones: VectorOf[uint32, struct{}]{vectorDotI32OnesNEON, vectorDot2I32OnesNEON, vectorAddI32OnesNEON},
	I16F64:  VectorOf[uint16, float64]{vectorDotI16F64NEON, vectorDot2I16F64NEON, vectorAddI16F64NEON},
	I16F32:  VectorOf[uint16, float32]{vectorDotI16F32NEON, vectorDot2I16F32NEON, vectorAddI16F32NEON},
	I16Ones: VectorOf[uint16, struct{}]{vectorDotI16OnesNEON, vectorDot2I16OnesNEON, vectorAddI16OnesNEON},
	MaxU32:  maxU32NEON,
	MaxU16:  maxU16NEON,
}

//go:noescape
func vectorDotI32F64NEON(idx []uint32, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32F64NEON(idx []uint32, val []float64, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32F64NEON(w []float64, c float64, idx []uint32, val []float64) (ok bool)

//go:noescape
func vectorDotI32F32NEON(idx []uint32, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32F32NEON(idx []uint32, val []float32, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32F32NEON(w []float64, c float64, idx []uint32, val []float32) (ok bool)

//go:noescape
func vectorDotI32OnesNEON(idx []uint32, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I32OnesNEON(idx []uint32, val []struct{}, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI32OnesNEON(w []float64, c float64, idx []uint32, val []struct{}) (ok bool)

//go:noescape
func vectorDotI16F64NEON(idx []uint16, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16F64NEON(idx []uint16, val []float64, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16F64NEON(w []float64, c float64, idx []uint16, val []float64) (ok bool)

//go:noescape
func vectorDotI16F32NEON(idx []uint16, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16F32NEON(idx []uint16, val []float32, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16F32NEON(w []float64, c float64, idx []uint16, val []float32) (ok bool)

//go:noescape
func vectorDotI16OnesNEON(idx []uint16, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDot2I16OnesNEON(idx []uint16, val []struct{}, w1, w2 []float64) (sum1, sum2 float64, ok bool)

//go:noescape
func vectorAddI16OnesNEON(w []float64, c float64, idx []uint16, val []struct{}) (ok bool)

//go:noescape
func maxU32NEON(x []uint32) uint32

//go:noescape
func maxU16NEON(x []uint16) uint16
