package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

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

func values[V kernels.Value](n int) []V {
	val := make([]V, n)
	for e, v := range vector(n) {
		val[e] = V(v)
	}
	return val
}

func sparseTasks() []task {
	return slices.Concat(
		layoutTasks("uint32, float64", longest, lanesSparse[uint32, float64]{lanesDotI32F64}, plainSparse[uint32, float64]{plainDotI32F64}),
		layoutTasks("uint16, float64", 1<<15, lanesSparse[uint16, float64]{lanesDotI16F64}, plainSparse[uint16, float64]{plainDotI16F64}),
		layoutTasks("uint32, float32", longest, lanesSparse[uint32, float32]{lanesDotI32F32}, plainSparse[uint32, float32]{plainDotI32F32}),
		layoutTasks("uint16, float32", 1<<15, lanesSparse[uint16, float32]{lanesDotI16F32}, plainSparse[uint16, float32]{plainDotI16F32}),
		onesTasks("uint32", longest, lanesOnes[uint32]{lanesDotI32, lanesMaxI32}, plainOnes[uint32]{plainDotI32, plainMaxI32}),
		onesTasks("uint16", 1<<15, lanesOnes[uint16]{lanesDotI16, lanesMaxI16}, plainOnes[uint16]{plainDotI16, plainMaxI16}),
	)
}

func layoutTasks[I kernels.Index, V kernels.Value](layout string, longest int, lanes lanesSparse[I, V], plain plainSparse[I, V]) []task {
	return []task{
		{fmt.Sprintf("SparseDot, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			val, w := values[V](n), vector(width)
			return []way{
				{"lanes", func(times int) { lanes.dot(times, idx, val, w) }},
				{"plain", func(times int) {
					for range times {
						sink = plain.dot(idx, val, w)
					}
				}},
			}
		}},
	}
}

func onesTasks[I kernels.Index](layout string, longest int, lanes lanesOnes[I], plain plainOnes[I]) []task {
	return []task{
		{fmt.Sprintf("SparseDotOnes, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			w := vector(width)
			return []way{
				{"lanes", func(times int) { lanes.dot(times, idx, w) }},
				{"plain", func(times int) {
					for range times {
						sink = plain.dot(idx, w)
					}
				}},
			}
		}},
		{fmt.Sprintf("MaxIndex, %s", layout), longest, func(n int) []way {
			idx, _ := columns[I](n)
			return []way{
				{"lanes", func(times int) { lanes.most(times, idx) }},
				{"plain", func(times int) {
					for range times {
						count = int(plain.most(idx))
					}
				}},
			}
		}},
	}
}
