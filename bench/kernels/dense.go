package main

import (
	"math"
	"math/rand/v2"

	"github.com/viterin/vek"
	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/kernels"
)

const longest = 1 << 30

// sink and count take results, so that the compiler does not leave out what gives them.
var (
	sink  float64
	count int
)

func vector(n int) []float64 {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func denseTasks() []task {
	settings := kernels.AdamSettings{Rate: 1e-6, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Lambda: 1e-6}
	return []task{
		{"Dot", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.Dot(x, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainDot(x, y) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.Dot(x, y) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = vek.Dot(x, y) }) }},
			}
		}},
		{"SquaredNorm", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.SquaredNorm(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainSquaredNorm(x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.Dot(x, x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = vek.Dot(x, x) }) }},
			}
		}},
		{"SquaredDistance", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			y[0]++
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.SquaredDistance(x, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainSquaredDistance(x, y) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.Distance(x, y, 2) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = vek.Distance(x, y) }) }},
			}
		}},
		{"Sum", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.Sum(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainSum(x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.Sum(x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = vek.Sum(x) }) }},
			}
		}},
		{"MaxAbs", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = kernels.MaxAbs(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = plainMaxAbs(x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { sink = floats.Norm(x, math.Inf(1)) }) }},
			}
		}},
		{"Axpy", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Axpy(small, x, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAxpy(small, x, y) }) }},
				{fused, func(times int) { repeat(times, func(int) { plainAxpyFused(small, x, y) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { floats.AddScaled(y, small, x) }) }},
			}
		}},
		{"Axpy, 16 vectors in turn", 64, func(n int) []way {
			x, ys := vector(n), [16][]float64{}
			for k := range ys {
				ys[k] = vector(n)
			}
			return []way{
				{"lanes", func(times int) { repeat(times, func(k int) { check(kernels.Axpy(small, x, ys[k%16])) }) }},
				{"plain", func(times int) { repeat(times, func(k int) { plainAxpy(small, x, ys[k%16]) }) }},
				{fused, func(times int) { repeat(times, func(k int) { plainAxpyFused(small, x, ys[k%16]) }) }},
				{"gonum", func(times int) { repeat(times, func(k int) { floats.AddScaled(ys[k%16], small, x) }) }},
			}
		}},
		{"ScaleAdd", longest, func(n int) []way {
			dst, x, y := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.ScaleAdd(dst, 0.5, x, 2, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainScaleAdd(dst, 0.5, x, 2, y) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { floats.AddScaledTo(dst, y, 0.5, x) }) }}, // without a factor of y
			}
		}},
		{"Scale", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Scale(dst, 0.5, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainScale(dst, 0.5, x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { floats.ScaleTo(dst, 0.5, x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek.MulNumber_Into(dst, x, 0.5) }) }},
			}
		}},
		{"AddScalar in place", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.AddScalar(x, small, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAddScalar(x, small, x) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { floats.AddConst(small, x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek.AddNumber_Inplace(x, small) }) }},
			}
		}},
		{"Mul", longest, func(n int) []way {
			dst, x, y := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Mul(dst, x, y)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainMul(dst, x, y) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { gonumMul(dst, x, y) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek.Mul_Into(dst, x, y) }) }},
			}
		}},
		{"SoftThreshold", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.SoftThreshold(dst, x, 0.5)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSoftThreshold(dst, x, 0.5) }) }},
			}
		}},
		{"Box", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Box(dst, x, -0.5, 0.5)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainBox(dst, x, -0.5, 0.5) }) }},
			}
		}},
		{"Adam", longest, func(n int) []way {
			w, m, v, g := vector(n), vector(n), make([]float64, n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Adam(w, m, v, g, settings, 0.9, 0.999)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAdam(w, m, v, g, &settings, 0.9, 0.999) }) }},
			}
		}},
		{"Momentum", longest, func(n int) []way {
			w, v, g := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.Momentum(w, v, g, small, 0.9, 1e-6)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainMomentum(w, v, g, small, 0.9, 1e-6) }) }},
			}
		}},
	}
}
