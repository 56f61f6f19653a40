package main

import (
	"math"

	"github.com/lanes-go/lanes/bench/sleef"
	"github.com/lanes-go/lanes/kernels"
)

func elementTasks() []task {
	positive := func(n int) []float64 {
		x := vector(n)
		for i, v := range x {
			x[i] = math.Exp(v)
		}
		return x
	}
	return []task{
		{"Exp", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return append([]way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Exp(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainExp(dst, x) }) }},
			}, vectorWay("SLEEF", sleef.Exp, dst, x)...)
		}},
		{"Log", 1 << 22, func(n int) []way {
			dst, x := vector(n), positive(n)
			return append([]way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Log(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainLog(dst, x) }) }},
			}, vectorWay("SLEEF", sleef.Log, dst, x)...)
		}},
		{"Log1p", 1 << 22, func(n int) []way {
			dst, x := vector(n), positive(n)
			return append([]way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Log1p(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainLog1p(dst, x) }) }},
			}, vectorWay("SLEEF", sleef.Log1p, dst, x)...)
		}},
		{"Sigmoid", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Sigmoid(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSigmoid(dst, x) }) }},
			}
		}},
		{"Softplus", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Softplus(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSoftplus(dst, x) }) }},
			}
		}},
		{"Tanh", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return append([]way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Tanh(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainTanh(dst, x) }) }},
			}, vectorWay("SLEEF", sleef.Tanh, dst, x)...)
		}},
		{"SigmoidOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.SigmoidOf(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = 1 / (1 + math.Exp(-x)) }) }},
			}
		}},
		{"ExpOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.ExpOf(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = math.Exp(x) }) }},
			}
		}},
		{"LogOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.LogOf(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = math.Log(x) }) }},
			}
		}},
		{"Log1pOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.Log1pOf(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = math.Log1p(x) }) }},
			}
		}},
	}
}

// vectorWay is a peer's map from x to dst, none where it is not in this build. SLEEF's take
// vectors of eight.
func vectorWay(name string, f func(dst, x []float64), dst, x []float64) []way {
	if f == nil || len(x)%8 != 0 {
		return nil
	}
	return []way{{name, once(func() { f(dst, x) })}}
}
