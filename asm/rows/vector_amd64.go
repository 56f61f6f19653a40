//go:build !purego

//lint:file-ignore U1000 the assembly jumps to some of these functions

package rows

import "unsafe"

// assembled tells whether SparseDot calls assembly, and knows no table but the one of the
// portable path, which also says why the assembly refused.
const assembled = true

func behindDoors() *VectorKernels { return &vectorGeneric }

// Vectors of more than few entries go to the kernel of their layout, on every path with
// assembly.

//go:noescape
func longDot(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func longDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

// dotLong makes a kernel of longDot, and of the twin for few entries.
func dotLong[I index, V value](idx []I, val []V, w []float64) (float64, bool) {
	if len(idx) <= few {
		return vectorDot(idx, val, w)
	}
	return longDot(unsafe.Sizeof(LayoutOf[I, V]{}), pointer(idx), pointer(val), unsafe.SliceData(w), len(idx), len(w))
}

func dotLongOnes[I index](idx []I, val []struct{}, w []float64) (float64, bool) {
	if len(idx) <= few {
		return onesDot(idx, val, w)
	}
	return longDotOnes(unsafe.Sizeof(*new(I)), pointer(idx), unsafe.SliceData(w), len(idx), len(w))
}

func pointer[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

var vectorAVX2 = VectorKernels{
	Dot: VectorDots{
		I32F64: dotLong[uint32, float64], I32F32: dotLong[uint32, float32], I32Ones: dotLongOnes[uint32],
		I16F64: dotLong[uint16, float64], I16F32: dotLong[uint16, float32], I16Ones: dotLongOnes[uint16],
	},
}

//go:noescape
func vectorDotI32F64AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI32F32AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI32OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI16F64AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI16F32AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI16OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

// many is the number of entries that no longer stay in the caches between the check of their
// indices and their use. From there on the kernels check eight at a time. The assembly reads it.
const many = 1 << 16
