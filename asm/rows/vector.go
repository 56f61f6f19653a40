package rows

import (
	"fmt"
	"slices"
	"unsafe"
)

// VectorKernels work on one sparse vector given as raw slices. Indices come in any order and
// may repeat.
type VectorKernels struct {
	Dot VectorDots
}

// VectorDots has an entry a layout.
type VectorDots struct {
	I32F64  VectorDot[uint32, float64]
	I32F32  VectorDot[uint32, float32]
	I32Ones VectorDot[uint32, struct{}]
	I16F64  VectorDot[uint16, float64]
	I16F32  VectorDot[uint16, float32]
	I16Ones VectorDot[uint16, struct{}]
}

// VectorDot is the kernel of one layout: the sum of val[e] w[idx[e]], in the lanes of
// Kernels.Dot. Both slices have one length; values of type struct{} stand for 1, and their
// slice is nil. Unlike other kernels it checks the indices, because a check of its own would
// cost another call: it reports false where an index is not below len(w).
type VectorDot[I index, V any] func(idx []I, val []V, w []float64) (sum float64, ok bool)

var vectorGeneric = VectorKernels{
	Dot: VectorDots{
		I32F64: vectorDot[uint32, float64], I32F32: vectorDot[uint32, float32], I32Ones: onesDot[uint32],
		I16F64: vectorDot[uint16, float64], I16F32: vectorDot[uint16, float32], I16Ones: onesDot[uint16],
	},
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

func onesDot[I index](idx []I, _ []struct{}, w []float64) (sum float64, ok bool) {
	if !indicesBelow(idx, len(w)) {
		return 0, false
	}
	return sumRow(idx, w), true
}

// LayoutOf has a size that tells the layout of indices I and values V, for which the
// compiler takes one constant.
type LayoutOf[I, V any] struct {
	_ V
	_ [7]I
}

const (
	sizeI32F64  = unsafe.Sizeof(LayoutOf[uint32, float64]{})
	sizeI16F64  = unsafe.Sizeof(LayoutOf[uint16, float64]{})
	sizeI32F32  = unsafe.Sizeof(LayoutOf[uint32, float32]{})
	sizeI32Ones = unsafe.Sizeof(LayoutOf[uint32, struct{}]{})
	sizeI16F32  = unsafe.Sizeof(LayoutOf[uint16, float32]{})
	sizeI32     = unsafe.Sizeof(uint32(0)) // of indices without values
)

// of returns the kernel of a layout.
func (k *VectorDots) of(layout uintptr) unsafe.Pointer {
	switch layout {
	case sizeI32F64:
		return unsafe.Pointer(&k.I32F64)
	case sizeI32F32:
		return unsafe.Pointer(&k.I32F32)
	case sizeI32Ones:
		return unsafe.Pointer(&k.I32Ones)
	case sizeI16F64:
		return unsafe.Pointer(&k.I16F64)
	case sizeI16F32:
		return unsafe.Pointer(&k.I16F32)
	}
	return unsafe.Pointer(&k.I16Ones)
}

// IndexError reports an index beyond the vector that it points into.
type IndexError struct {
	Kernel   string // the function that found it
	Position int    // where in the indices the first such index stands
	Index    int    // the index
	Len      int    // the length of the vector, which the index must be below
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("kernels.%s: index %d at position %d is beyond the vector, which has %d elements",
		e.Kernel, e.Index, e.Position, e.Len)
}
