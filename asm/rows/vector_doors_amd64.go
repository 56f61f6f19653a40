//go:build !purego

package rows

import "unsafe"

// The doors in Go are for the portable path, and say why the assembly refused.
func behindDoors() *VectorKernels { return &vectorGeneric }

//go:noescape
func SparseDot(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)

//go:noescape
func SparseDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, err error)

//go:noescape
func SparseDot2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func SparseDot2Ones(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func SparseAdd(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)

//go:noescape
func SparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)

//go:noescape
func MaxIndex(size uintptr, idx unsafe.Pointer, n int) (most int)

// vectorOf makes kernels of a table of those that the doors jump to.
func vectorOf[I index, V value](
	dot func(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (float64, error),
	dot2 func(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (float64, float64, error),
	add func(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) error,
) VectorOf[I, V] {
	layout := unsafe.Sizeof(LayoutOf[I, V]{})
	at, of := pointer[I], pointer[V]
	return VectorOf[I, V]{
		Dot: func(idx []I, val []V, w []float64) (float64, bool) {
			sum, err := dot(layout, at(idx), of(val), w, len(idx), len(val))
			return sum, err == nil
		},
		Dot2: func(idx []I, val []V, w1, w2 []float64) (float64, float64, bool) {
			sum1, sum2, err := dot2(layout, at(idx), of(val), unsafe.SliceData(w1), unsafe.SliceData(w2), len(idx), len(val), len(w1), len(w2))
			return sum1, sum2, err == nil
		},
		Add: func(w []float64, c float64, idx []I, val []V) bool {
			return add(layout, w, c, at(idx), of(val), len(idx), len(val)) == nil
		},
	}
}

// onesOf is vectorOf without values.
func onesOf[I index](
	dot func(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (float64, error),
	dot2 func(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (float64, float64, error),
	add func(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) error,
) VectorOf[I, struct{}] {
	size, at := unsafe.Sizeof(*new(I)), pointer[I]
	return VectorOf[I, struct{}]{
		Dot: func(idx []I, _ []struct{}, w []float64) (float64, bool) {
			sum, err := dot(size, at(idx), unsafe.SliceData(w), len(idx), len(w))
			return sum, err == nil
		},
		Dot2: func(idx []I, _ []struct{}, w1, w2 []float64) (float64, float64, bool) {
			sum1, sum2, err := dot2(size, at(idx), unsafe.SliceData(w1), unsafe.SliceData(w2), len(idx), len(w1), len(w2))
			return sum1, sum2, err == nil
		},
		Add: func(w []float64, c float64, idx []I, _ []struct{}) bool {
			return add(size, unsafe.SliceData(w), c, at(idx), len(idx), len(w)) == nil
		},
	}
}

func pointer[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

var vectorAVX2 = VectorKernels{
	I32F64:  vectorOf[uint32, float64](vectorDotI32F64AVX2, vectorDot2I32F64AVX2, vectorAddI32F64AVX2),
	I32F32:  vectorOf[uint32, float32](vectorDotI32F32AVX2, vectorDot2I32F32AVX2, vectorAddI32F32AVX2),
	I32Ones: onesOf[uint32](vectorDotI32OnesAVX2, vectorDot2I32OnesAVX2, vectorAddI32OnesAVX2),
	I16F64:  vectorOf[uint16, float64](vectorDotI16F64AVX2, vectorDot2I16F64AVX2, vectorAddI16F64AVX2),
	I16F32:  vectorOf[uint16, float32](vectorDotI16F32AVX2, vectorDot2I16F32AVX2, vectorAddI16F32AVX2),
	I16Ones: onesOf[uint16](vectorDotI16OnesAVX2, vectorDot2I16OnesAVX2, vectorAddI16OnesAVX2),
	MaxU32:  func(x []uint32) uint32 { return uint32(maxU32AVX2(4, pointer(x), len(x))) },
	MaxU16:  func(x []uint16) uint16 { return uint16(maxU16AVX2(2, pointer(x), len(x))) },
}

//go:noescape
func vectorDotI32F64AVX2(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)

//go:noescape
func vectorDot2I32F64AVX2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI32F64AVX2(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)

//go:noescape
func vectorDotI32F32AVX2(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)

//go:noescape
func vectorDot2I32F32AVX2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI32F32AVX2(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)

//go:noescape
func vectorDotI32OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, err error)

//go:noescape
func vectorDot2I32OnesAVX2(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI32OnesAVX2(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)

//go:noescape
func vectorDotI16F64AVX2(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)

//go:noescape
func vectorDot2I16F64AVX2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI16F64AVX2(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)

//go:noescape
func vectorDotI16F32AVX2(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)

//go:noescape
func vectorDot2I16F32AVX2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI16F32AVX2(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)

//go:noescape
func vectorDotI16OnesAVX2(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, err error)

//go:noescape
func vectorDot2I16OnesAVX2(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (sum1, sum2 float64, err error)

//go:noescape
func vectorAddI16OnesAVX2(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error)

//go:noescape
func maxU32AVX2(size uintptr, idx unsafe.Pointer, n int) (most int)

//go:noescape
func maxU16AVX2(size uintptr, idx unsafe.Pointer, n int) (most int)
