package main

import (
	"fmt"
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

func values[V kernels.Value](n int) []V {
	val := make([]V, n)
	for e, v := range vector(n) {
		val[e] = V(v)
	}
	return val
}

func sparseTasks() []task {
	return append(append(append(layoutTasks[uint32, float64]("uint32, float64", longest), layoutTasks[uint16, float64]("uint16, float64", 1<<15)...),
		append(layoutTasks[uint32, float32]("uint32, float32", longest), layoutTasks[uint16, float32]("uint16, float32", 1<<15)...)...),
		append(onesTasks[uint32]("uint32", longest), onesTasks[uint16]("uint16", 1<<15)...)...)
}

func layoutTasks[I kernels.Index, V kernels.Value](layout string, longest int) []task {
	return []task{
		{fmt.Sprintf("SparseDot, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			val, w := values[V](n), vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = must(kernels.SparseDot(idx, val, w))
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainSparseDot(idx, val, w)
					}
				}},
			}
		}},
		{fmt.Sprintf("SparseDot2, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			val, w, w2 := values[V](n), vector(width), vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						v, _, err := kernels.SparseDot2(idx, val, w, w2)
						check(err)
						sink = v
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink, _ = plainSparseDot2(idx, val, w, w2)
					}
				}},
			}
		}},
		{fmt.Sprintf("SparseAdd, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			val, w := values[V](n), vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.SparseAdd(w, 1e-9, idx, val))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainSparseAdd(w, 1e-9, idx, val)
					}
				}},
			}
		}},
	}
}

func onesTasks[I kernels.Index](layout string, longest int) []task {
	return []task{
		{fmt.Sprintf("SparseDotOnes, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			w := vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = must(kernels.SparseDotOnes(idx, w))
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainSparseDotOnes(idx, w)
					}
				}},
			}
		}},
		{fmt.Sprintf("SparseDot2Ones, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			w, w2 := vector(width), vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						v, _, err := kernels.SparseDot2Ones(idx, w, w2)
						check(err)
						sink = v
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink, _ = plainSparseDot2Ones(idx, w, w2)
					}
				}},
			}
		}},
		{fmt.Sprintf("SparseAddOnes, %s", layout), longest, func(n int) []way {
			idx, width := columns[I](n)
			w := vector(width)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.SparseAddOnes(w, 1e-9, idx))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainSparseAddOnes(w, 1e-9, idx)
					}
				}},
			}
		}},
		{fmt.Sprintf("MaxIndex, %s", layout), longest, func(n int) []way {
			idx, _ := columns[I](n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						count = int(kernels.MaxIndex(idx))
					}
				}},
				{"plain", func(times int) {
					for range times {
						count = int(plainMaxIndex(idx))
					}
				}},
			}
		}},
	}
}

//go:noinline
func plainSparseDot[I kernels.Index, V kernels.Value](idx []I, val []V, w []float64) float64 {
	s := 0.0
	for e, j := range idx {
		s += float64(val[e]) * w[j]
	}
	return s
}

//go:noinline
func plainSparseDot2[I kernels.Index, V kernels.Value](idx []I, val []V, w1, w2 []float64) (s1, s2 float64) {
	for e, j := range idx {
		s1 += float64(val[e]) * w1[j]
		s2 += float64(val[e]) * w2[j]
	}
	return s1, s2
}

//go:noinline
func plainSparseAdd[I kernels.Index, V kernels.Value](w []float64, c float64, idx []I, val []V) {
	for e, j := range idx {
		w[j] += c * float64(val[e])
	}
}

//go:noinline
func plainSparseDotOnes[I kernels.Index](idx []I, w []float64) float64 {
	s := 0.0
	for _, j := range idx {
		s += w[j]
	}
	return s
}

//go:noinline
func plainSparseDot2Ones[I kernels.Index](idx []I, w1, w2 []float64) (s1, s2 float64) {
	for _, j := range idx {
		s1 += w1[j]
		s2 += w2[j]
	}
	return s1, s2
}

//go:noinline
func plainSparseAddOnes[I kernels.Index](w []float64, c float64, idx []I) {
	for _, j := range idx {
		w[j] += c
	}
}

//go:noinline
func plainMaxIndex[I kernels.Index](idx []I) I {
	var most I
	for _, j := range idx {
		most = max(most, j)
	}
	return most
}
