package main

import "github.com/lanes-go/lanes/kernels"

// The generic loops are inlined in functions of their own: a generic function that is called
// has a dictionary to pass.

func plainSparseDot[I kernels.Index, V kernels.Value](idx []I, val []V, w []float64) (s float64) {
	for e, j := range idx {
		s += float64(val[e]) * w[j]
	}
	return s
}

func plainSparseDotOnes[I kernels.Index](idx []I, w []float64) (s float64) {
	for _, j := range idx {
		s += w[j]
	}
	return s
}

//go:noinline
func plainDotI32F64(idx []uint32, val []float64, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
func plainDotI32F32(idx []uint32, val []float32, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
func plainDotI16F64(idx []uint16, val []float64, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
func plainDotI16F32(idx []uint16, val []float32, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
func plainDotI32(idx []uint32, w []float64) float64 { return plainSparseDotOnes(idx, w) }

//go:noinline
func plainDotI16(idx []uint16, w []float64) float64 { return plainSparseDotOnes(idx, w) }

func plainAdd[I kernels.Index, V, Y kernels.Value](a Y, idx []I, val []V, y []Y) {
	for e, j := range idx {
		y[j] += a * Y(val[e])
	}
}

func plainAddOnes[I kernels.Index, Y kernels.Value](a Y, idx []I, y []Y) {
	for _, j := range idx {
		y[j] += a
	}
}

//go:noinline
func plainSparseAxpy(a float64, idx []uint32, val, y []float64) { plainAdd(a, idx, val, y) }

//go:noinline
func plainSparseAxpyOnes(a float64, idx []uint32, y []float64) { plainAddOnes(a, idx, y) }

//go:noinline
func plainSparseAxpyI16F32(a float64, idx []uint16, val []float32, y []float64) {
	plainAdd(a, idx, val, y)
}

//go:noinline
func plainSparseAxpy32(a float32, idx []uint32, val, y []float32) { plainAdd(a, idx, val, y) }

//go:noinline
func plainSparseAxpyOnes32(a float32, idx []uint32, y []float32) { plainAddOnes(a, idx, y) }
