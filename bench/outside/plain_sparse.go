package main

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// A plainSparse is plain Go for one layout. The generic loops are inlined in functions of
// their own: a generic function that is called has a dictionary to pass.
type plainSparse[I kernels.Index, V kernels.Value] struct {
	dot           func(idx []I, val []V, w []float64) float64
	add, addFused func(w []float64, c float64, idx []I, val []V)
}

type plainOnes[I kernels.Index] struct {
	dot  func(idx []I, w []float64) float64
	add  func(w []float64, c float64, idx []I)
	most func(idx []I) I
}

func plainSparseDot[I kernels.Index, V kernels.Value](idx []I, val []V, w []float64) (s float64) {
	for e, j := range idx {
		s += float64(val[e]) * w[j]
	}
	return s
}

func plainSparseAdd[I kernels.Index, V kernels.Value](w []float64, c float64, idx []I, val []V) {
	for e, j := range idx {
		w[j] += c * float64(val[e])
	}
}

func fusedSparseAdd[I kernels.Index, V kernels.Value](w []float64, c float64, idx []I, val []V) {
	for e, j := range idx {
		w[j] = math.FMA(c, float64(val[e]), w[j])
	}
}

func plainSparseDotOnes[I kernels.Index](idx []I, w []float64) (s float64) {
	for _, j := range idx {
		s += w[j]
	}
	return s
}

func plainSparseAddOnes[I kernels.Index](w []float64, c float64, idx []I) {
	for _, j := range idx {
		w[j] += c
	}
}

func plainMaxIndex[I kernels.Index](idx []I) (most I) {
	for _, j := range idx {
		most = max(most, j)
	}
	return most
}

//go:noinline
func plainDotI32F64(idx []uint32, val []float64, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
//go:noinline
func plainAddI32F64(w []float64, c float64, idx []uint32, val []float64) {
	plainSparseAdd(w, c, idx, val)
}

//go:noinline
func fusedAddI32F64(w []float64, c float64, idx []uint32, val []float64) {
	fusedSparseAdd(w, c, idx, val)
}

//go:noinline
func plainDotI32F32(idx []uint32, val []float32, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
//go:noinline
func plainAddI32F32(w []float64, c float64, idx []uint32, val []float32) {
	plainSparseAdd(w, c, idx, val)
}

//go:noinline
func fusedAddI32F32(w []float64, c float64, idx []uint32, val []float32) {
	fusedSparseAdd(w, c, idx, val)
}

//go:noinline
func plainDotI16F64(idx []uint16, val []float64, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
//go:noinline
func plainAddI16F64(w []float64, c float64, idx []uint16, val []float64) {
	plainSparseAdd(w, c, idx, val)
}

//go:noinline
func fusedAddI16F64(w []float64, c float64, idx []uint16, val []float64) {
	fusedSparseAdd(w, c, idx, val)
}

//go:noinline
func plainDotI16F32(idx []uint16, val []float32, w []float64) float64 {
	return plainSparseDot(idx, val, w)
}

//go:noinline
//go:noinline
func plainAddI16F32(w []float64, c float64, idx []uint16, val []float32) {
	plainSparseAdd(w, c, idx, val)
}

//go:noinline
func fusedAddI16F32(w []float64, c float64, idx []uint16, val []float32) {
	fusedSparseAdd(w, c, idx, val)
}

//go:noinline
func plainDotI32(idx []uint32, w []float64) float64 { return plainSparseDotOnes(idx, w) }

//go:noinline
//go:noinline
func plainAddI32(w []float64, c float64, idx []uint32) { plainSparseAddOnes(w, c, idx) }

//go:noinline
func plainMaxI32(idx []uint32) uint32 { return plainMaxIndex(idx) }

//go:noinline
func plainDotI16(idx []uint16, w []float64) float64 { return plainSparseDotOnes(idx, w) }

//go:noinline
//go:noinline
func plainAddI16(w []float64, c float64, idx []uint16) { plainSparseAddOnes(w, c, idx) }

//go:noinline
func plainMaxI16(idx []uint16) uint16 { return plainMaxIndex(idx) }
