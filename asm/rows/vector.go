package rows

import (
	"math"
	"slices"
)

// VectorKernels work on one sparse vector given as raw slices of one length,
// one entry a layout. Indices come in any order and may repeat. Unlike the
// other kernels these check the indices, because a check of its own would cost
// another call: where an index is not below len(w), they touch nothing and
// report false.
type VectorKernels struct {
	I32F64  VectorOf[uint32, float64]
	I32F32  VectorOf[uint32, float32]
	I32Ones VectorOf[uint32, struct{}]
	I16F64  VectorOf[uint16, float64]
	I16F32  VectorOf[uint16, float32]
	I16Ones VectorOf[uint16, struct{}]

	// MaxU32 and MaxU16 return the greatest element, 0 where there is none.
	MaxU32 func(x []uint32) uint32
	MaxU16 func(x []uint16) uint16
}

// VectorOf are the kernels of one layout. Values of type struct{} stand for 1,
// and their slice is nil.
type VectorOf[I index, V any] struct {
	// Dot: sum of val[e] w[idx[e]], in the lanes of Kernels.Dot.
	Dot func(idx []I, val []V, w []float64) (sum float64, ok bool)
	// Add: w[idx[e]] = fma(c, val[e], w[idx[e]]), one entry after the other;
	// without values, w[idx[e]] += c.
	Add func(w []float64, c float64, idx []I, val []V) (ok bool)
}

var vectorGeneric = VectorKernels{
	I32F64:  VectorOf[uint32, float64]{vectorDot[uint32, float64], vectorAdd[uint32, float64]},
	I32F32:  VectorOf[uint32, float32]{vectorDot[uint32, float32], vectorAdd[uint32, float32]},
	I32Ones: VectorOf[uint32, struct{}]{onesDot[uint32], onesAdd[uint32]},
	I16F64:  VectorOf[uint16, float64]{vectorDot[uint16, float64], vectorAdd[uint16, float64]},
	I16F32:  VectorOf[uint16, float32]{vectorDot[uint16, float32], vectorAdd[uint16, float32]},
	I16Ones: VectorOf[uint16, struct{}]{onesDot[uint16], onesAdd[uint16]},
	MaxU32:  maxIndex[uint32],
	MaxU16:  maxIndex[uint16],
}

func maxIndex[I index](x []I) I {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}

func indicesBelow[I index](idx []I, n int) bool {
	return len(idx) == 0 || uint64(slices.Max(idx)) < uint64(n)
}

func vectorDot[I index, V value](idx []I, val []V, w []float64) (sum float64, ok bool) {
	if !indicesBelow(idx, len(w)) {
		return 0, false
	}
	return dotRow(idx, val, w), true
}

func vectorAdd[I index, V value](w []float64, c float64, idx []I, val []V) (ok bool) {
	if !indicesBelow(idx, len(w)) {
		return false
	}
	for e, j := range idx {
		w[j] = math.FMA(c, float64(val[e]), w[j])
	}
	return true
}

func onesDot[I index](idx []I, _ []struct{}, w []float64) (sum float64, ok bool) {
	if !indicesBelow(idx, len(w)) {
		return 0, false
	}
	return sumRow(idx, w), true
}

func onesAdd[I index](w []float64, c float64, idx []I, _ []struct{}) (ok bool) {
	if !indicesBelow(idx, len(w)) {
		return false
	}
	for _, j := range idx {
		w[j] += c
	}
	return true
}
