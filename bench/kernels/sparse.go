package main

import (
	"math/rand/v2"

	"github.com/lanes-go/lanes/kernels"
)

// columns returns n increasing indices below the second result, which is twice as many
// or, for few indices, 4096.
func columns[I kernels.Index](n int) ([]I, int) {
	width := max(4096, 2*n)
	r := rand.New(rand.NewPCG(5, uint64(n)))
	idx := make([]I, n)
	for e := range idx {
		low, high := e*width/n, (e+1)*width/n
		idx[e] = I(low + r.IntN(high-low))
	}
	return idx, width
}

func converted[V float32 | float64](x []float64) []V {
	val := make([]V, len(x))
	for e, v := range x {
		val[e] = V(v)
	}
	return val
}

// small is a factor of what is added again and again.
const small = 1e-9

func sparseTasks() []task {
	const narrow = 1 << 15
	return []task{
		sparseTask("SparseDot, uint32, float64", longest, dotI32F64), sparseTask("SparseDot, uint16, float64", narrow, dotI16F64),
		sparseTask("SparseDot, uint32, float32", longest, dotI32F32), sparseTask("SparseDot, uint16, float32", narrow, dotI16F32),
		sparseTask("SparseAxpy, uint32, float64", longest, axpyI32F64), sparseTask("SparseAxpyOnes, uint32", longest, axpyI32),
		sparseTask("SparseAxpy, uint16, float32", narrow, axpyI16F32), sparseTask("SparseAxpy32, uint32", longest, axpy32I32), sparseTask("SparseAxpyOnes32, uint32", longest, axpyOnes32I32),
		sparseTask("SparseDotOnes, uint32", longest, dotI32), sparseTask("SparseDotOnes, uint16", narrow, dotI16),
	}
}

func sparseTask[I kernels.Index, V kernels.Value](name string, longest int, of func(idx []I, val []V, w []float64) []way) task {
	return task{name, longest, func(n int) []way {
		idx, width := columns[I](n)
		return of(idx, converted[V](vector(n)), vector(width))
	}}
}

// Every layout has calls of its own, as a program with one layout has: a generic function
// that is called has a dictionary to pass.
func dotI32F64(idx []uint32, val []float64, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDot(idx, val, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI32F64(idx, val, w) }) }},
	}
}

func dotI16F64(idx []uint16, val []float64, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDot(idx, val, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI16F64(idx, val, w) }) }},
	}
}

func dotI32F32(idx []uint32, val []float32, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDot(idx, val, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI32F32(idx, val, w) }) }},
	}
}

func dotI16F32(idx []uint16, val []float32, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDot(idx, val, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI16F32(idx, val, w) }) }},
	}
}

func dotI32(idx []uint32, _ []float64, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDotOnes(idx, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI32(idx, w) }) }},
	}
}

func dotI16(idx []uint16, _ []float64, w []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SparseDotOnes(idx, w)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { sink = plainDotI16(idx, w) }) }},
	}
}

func axpyI32F64(idx []uint32, val []float64, y []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SparseAxpy(small, idx, val, y)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { plainSparseAxpy(small, idx, val, y) }) }},
	}
}

func axpyI32(idx []uint32, _ []float64, y []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SparseAxpyOnes(small, idx, y)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { plainSparseAxpyOnes(small, idx, y) }) }},
	}
}

func axpyI16F32(idx []uint16, val []float32, y []float64) []way {
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SparseAxpy(small, idx, val, y)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { plainSparseAxpyI16F32(small, idx, val, y) }) }},
	}
}

func axpy32I32(idx []uint32, val []float32, w []float64) []way {
	y := converted[float32](w)
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SparseAxpy32(small, idx, val, y)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { plainSparseAxpy32(small, idx, val, y) }) }},
	}
}

func axpyOnes32I32(idx []uint32, _ []float32, w []float64) []way {
	y := converted[float32](w)
	return []way{
		{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SparseAxpyOnes32(small, idx, y)) }) }},
		{"plain", func(times int) { repeat(times, func(int) { plainSparseAxpyOnes32(small, idx, y) }) }},
	}
}
