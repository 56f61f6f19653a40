package main

import (
	"github.com/viterin/vek/vek32"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/lanes-go/lanes/kernels"
)

func vector32(n int) []float32 { return converted[float32](vector(n)) }

// singleTasks: gonum and vek accumulate in float32, twice as many lanes to a register.
func singleTasks() []task {
	blas := func(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }
	return []task{
		{"Dot32", longest, func(n int) []way {
			x, y := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.Dot32(x, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainDot32(x, y) }) }},
				{"gonum (float32)", func(times int) { repeat(times, func(int) { sink = float64(blas32.Dot(blas(x), blas(y))) }) }},
				{"vek (float32)", func(times int) { repeat(times, func(int) { sink = float64(vek32.Dot(x, y)) }) }},
			}
		}},
		{"SquaredNorm32", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.SquaredNorm32(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainDot32(x, x) }) }},
				{"gonum (float32)", func(times int) { repeat(times, func(int) { sink = float64(blas32.Dot(blas(x), blas(x))) }) }},
				{"vek (float32)", func(times int) { repeat(times, func(int) { sink = float64(vek32.Dot(x, x)) }) }},
			}
		}},
		{"Sum32", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.Sum32(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainSum32(x) }) }},
				{"vek (float32)", func(times int) { repeat(times, func(int) { sink = float64(vek32.Sum(x)) }) }},
			}
		}},
	}
}

//go:noinline
func plainDot32(x, y []float32) float64 {
	s := 0.0
	for i, v := range x {
		s += float64(v) * float64(y[i])
	}
	return s
}

//go:noinline
func plainSum32(x []float32) float64 {
	s := 0.0
	for _, v := range x {
		s += float64(v)
	}
	return s
}
