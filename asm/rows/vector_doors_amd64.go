//go:build !purego

//lint:file-ignore U1000 the assembly of the doors jumps to some of these functions

package rows

import "unsafe"

// assembled tells whether the doors call assembly, and know no other table than that of the
// portable path, which also says why the assembly refused.
const assembled = true

func behindDoors() *VectorKernels { return &vectorGeneric }

// many entries do not stay in the caches from when their indices are checked until they are
// needed: kernels that only read check eight at a time, and nothing has been written when
// they refuse one.
const many = 1 << 16

// Where w has more than far elements, as many as do not stay in the caches from one call to
// the next, an addition of many entries asks for one of four elements so many entries ahead.
const (
	far   = 1 << 21
	ahead = 512
)

// Vectors of more than few entries go to the kernel of their layout, on every path with
// assembly.

//go:noescape
func longDot(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func longDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

// The doors to Add and to MaxU32 and MaxU16.

//go:noescape
func AddI32F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) (err error)

//go:noescape
func AddI16F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) (err error)

//go:noescape
func AddI32F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) (err error)

//go:noescape
func AddI16F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) (err error)

//go:noescape
func SparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)

//go:noescape
func MaxIndex(size uintptr, idx unsafe.Pointer, n int) (most int)

// vectorOf makes kernels of these and of the twins, of few entries.
func vectorOf[I index, V value](add func(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error) VectorOf[I, V] {
	layout := unsafe.Sizeof(LayoutOf[I, V]{})
	return VectorOf[I, V]{
		Dot: func(idx []I, val []V, w []float64) (float64, bool) {
			if len(idx) <= few {
				return vectorDot(idx, val, w)
			}
			return longDot(layout, pointer(idx), pointer(val), unsafe.SliceData(w), len(idx), len(w))
		},
		Add: func(w []float64, c float64, idx []I, val []V) bool {
			return add(unsafe.SliceData(w), c, pointer(idx), pointer(val), len(idx), len(w)) == nil
		},
	}
}

// onesOf is vectorOf without values.
func onesOf[I index](add func(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) error) VectorOf[I, struct{}] {
	size := unsafe.Sizeof(*new(I))
	return VectorOf[I, struct{}]{
		Dot: func(idx []I, val []struct{}, w []float64) (float64, bool) {
			if len(idx) <= few {
				return onesDot(idx, val, w)
			}
			return longDotOnes(size, pointer(idx), unsafe.SliceData(w), len(idx), len(w))
		},
		Add: func(w []float64, c float64, idx []I, _ []struct{}) bool {
			return add(size, unsafe.SliceData(w), c, pointer(idx), len(idx), len(w)) == nil
		},
	}
}

func pointer[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

var vectorAVX2 = VectorKernels{
	I32F64: vectorOf[uint32, float64](AddI32F64), I32F32: vectorOf[uint32, float32](AddI32F32), I32Ones: onesOf[uint32](vectorAddI32OnesAVX2),
	I16F64: vectorOf[uint16, float64](AddI16F64), I16F32: vectorOf[uint16, float32](AddI16F32), I16Ones: onesOf[uint16](vectorAddI16OnesAVX2),
	MaxU32: func(x []uint32) uint32 { return uint32(maxU32AVX2(4, pointer(x), len(x))) },
	MaxU16: func(x []uint16) uint16 { return uint16(maxU16AVX2(2, pointer(x), len(x))) },
}

//go:noescape
func maxU32AVX2(size uintptr, idx unsafe.Pointer, n int) (most int)

//go:noescape
func maxU16AVX2(size uintptr, idx unsafe.Pointer, n int) (most int)

//go:noescape
func vectorDotI32F64AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI32F32AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI32OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorAddI32OnesAVX2(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)

//go:noescape
func vectorDotI16F64AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI16F32AVX2(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorDotI16OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)

//go:noescape
func vectorAddI16OnesAVX2(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)
