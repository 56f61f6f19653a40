//go:build !amd64 || purego

package rows

import "unsafe"

func behindDoors() *VectorKernels { return &Paths[path.Load()].Vector }

func SparseDot(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error) {
	return sparseDot(layout, idx, val, w, n, nv)
}

func SparseDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, err error) {
	return sparseDotOnes(size, idx, w, n, nw)
}

func SparseDot2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error) {
	return sparseDot2(layout, idx, val, w1, w2, n, nv, n1, n2)
}

func SparseDot2Ones(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (sum1, sum2 float64, err error) {
	return sparseDot2Ones(size, idx, w1, w2, n, n1, n2)
}

func SparseAdd(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error) {
	return sparseAdd(layout, w, c, idx, val, n, nv)
}

func SparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error) {
	return sparseAddOnes(size, w, c, idx, n, nw)
}

func MaxIndex(size uintptr, idx unsafe.Pointer, n int) (most int) { return maxIndexOf(size, idx, n) }
