package main

import "github.com/lanes-go/lanes/kernels"

// A lanesSparse calls lanes for one layout, again and again: as plain Go, in functions
// without type parameters, as a program with one layout does.
type lanesSparse[I kernels.Index, V kernels.Value] struct {
	dot func(times int, idx []I, val []V, w []float64)
}

type lanesOnes[I kernels.Index] struct {
	dot  func(times int, idx []I, w []float64)
	most func(times int, idx []I)
}

func lanesDotI32F64(times int, idx []uint32, val []float64, w []float64) {
	for range times {
		sink = must(kernels.SparseDot(idx, val, w))
	}
}

func lanesDotI32F32(times int, idx []uint32, val []float32, w []float64) {
	for range times {
		sink = must(kernels.SparseDot(idx, val, w))
	}
}

func lanesDotI32(times int, idx []uint32, w []float64) {
	for range times {
		sink = must(kernels.SparseDotOnes(idx, w))
	}
}

func lanesMaxI32(times int, idx []uint32) {
	for range times {
		count = int(kernels.MaxIndex(idx))
	}
}

func lanesDotI16F64(times int, idx []uint16, val []float64, w []float64) {
	for range times {
		sink = must(kernels.SparseDot(idx, val, w))
	}
}

func lanesDotI16F32(times int, idx []uint16, val []float32, w []float64) {
	for range times {
		sink = must(kernels.SparseDot(idx, val, w))
	}
}

func lanesDotI16(times int, idx []uint16, w []float64) {
	for range times {
		sink = must(kernels.SparseDotOnes(idx, w))
	}
}

func lanesMaxI16(times int, idx []uint16) {
	for range times {
		count = int(kernels.MaxIndex(idx))
	}
}
