package main

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/kernels"
)

func softmaxTasks() []task {
	return []task{
		{"LogSumExp", 1 << 22, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.LogSumExp(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainLogSumExp(x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.LogSumExp(x) }) }},
			}
		}},
		{"Softmax", 1 << 22, func(n int) []way {
			x, dst := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Softmax(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSoftmax(dst, x) }) }},
			}
		}},
		{"ArgMax", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { count = kernels.ArgMax(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { count = plainArgMax(x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { count = floats.MaxIdx(x) }) }},
			}
		}},
	}
}

//go:noinline
func plainLogSumExp(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}

//go:noinline
func plainSoftmax(dst, x []float64) {
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, v)
	}
	sum := 0.0
	for i, v := range x {
		dst[i] = math.Exp(v - most)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

//go:noinline
func plainArgMax(x []float64) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}
