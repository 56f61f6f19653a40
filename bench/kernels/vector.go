package main

import (
	"github.com/viterin/vek/vek32"
	"gonum.org/v1/gonum/blas/blas32"

	vectors "github.com/lanes-go/lanes/kernels/vector"
)

// vectorTasks are of package kernels/vector, whose sums are in float32, as gonum and vek sum.
func vectorTasks() []task {
	blas := func(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }
	return []task{
		{"vector.Dot", longest, func(n int) []way {
			x, y := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(must(vectors.Dot(x, y))) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = float64(plainSingleDot(x, y)) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = float64(blas32.Dot(blas(x), blas(y))) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Dot(x, y)) }) }},
			}
		}},
		{"vector.Norm", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(vectors.Norm(x)) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = float64(blas32.Nrm2(blas(x))) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Norm(x)) }) }},
			}
		}},
		{"vector.Distance", longest, func(n int) []way {
			x, y := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(must(vectors.Distance(x, y))) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = float64(plainDistance(x, y)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Distance(x, y)) }) }},
			}
		}},
		{"vector.Cosine", longest, func(n int) []way {
			x, y := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(must(vectors.Cosine(x, y))) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.CosineSimilarity(x, y)) }) }},
			}
		}},
	}
}

//go:noinline
func plainSingleDot(x, y []float32) float32 {
	s := float32(0)
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

//go:noinline
func plainDistance(x, y []float32) float32 {
	s := float32(0)
	for i, v := range x {
		d := v - y[i]
		s += d * d
	}
	return s
}
