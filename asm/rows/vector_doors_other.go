//go:build !amd64 || purego

package rows

import "unsafe"

const assembled = false

func behindDoors() *VectorKernels { return &Paths[path.Load()].Vector }

// Nobody calls these where nothing is assembled.

func longDot(uintptr, unsafe.Pointer, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}

func longDotOnes(uintptr, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}

func AddI32F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addI32F64(w, c, idx, val, n, nw)
}

func AddI16F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addI16F64(w, c, idx, val, n, nw)
}

func AddI32F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addI32F32(w, c, idx, val, n, nw)
}

func AddI16F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addI16F32(w, c, idx, val, n, nw)
}

func SparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) error {
	return sparseAddOnes(size, w, c, idx, n, nw)
}

func MaxIndex(size uintptr, idx unsafe.Pointer, n int) (most int) { return maxIndexOf(size, idx, n) }
