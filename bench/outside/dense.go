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

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func denseTasks() []task {
	settings := kernels.AdamSettings{Rate: 1e-6, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Lambda: 1e-6}
	return []task{
		{"Dot", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = must(kernels.Dot(x, y))
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainDot(x, y)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						sink = floats.Dot(x, y)
					}
				}},
				{"vek", func(times int) {
					for range times {
						sink = vek.Dot(x, y)
					}
				}},
			}
		}},
		{"SquaredNorm", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.SquaredNorm(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainSquaredNorm(x)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						sink = floats.Dot(x, x)
					}
				}},
				{"vek", func(times int) {
					for range times {
						sink = vek.Dot(x, x)
					}
				}},
			}
		}},
		{"SquaredDistance", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			y[0]++
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = must(kernels.SquaredDistance(x, y))
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainSquaredDistance(x, y)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						sink = floats.Distance(x, y, 2)
					}
				}},
				{"vek", func(times int) {
					for range times {
						sink = vek.Distance(x, y)
					}
				}},
			}
		}},
		{"Sum", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.Sum(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainSum(x)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						sink = floats.Sum(x)
					}
				}},
				{"vek", func(times int) {
					for range times {
						sink = vek.Sum(x)
					}
				}},
			}
		}},
		{"MaxAbs", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.MaxAbs(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = plainMaxAbs(x)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						sink = floats.Norm(x, math.Inf(1))
					}
				}},
			}
		}},
		{"Axpy", longest, func(n int) []way {
			x, y := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Axpy(1e-9, x, y))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainAxpy(1e-9, x, y)
					}
				}},
				{fused, func(times int) {
					for range times {
						plainAxpyFused(1e-9, x, y)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						floats.AddScaled(y, 1e-9, x)
					}
				}},
			}
		}},
		{"Axpy, 16 vectors in turn", 64, func(n int) []way {
			x, ys := vector(n), [16][]float64{}
			for k := range ys {
				ys[k] = vector(n)
			}
			return []way{
				{"lanes", func(times int) {
					for k := range times {
						check(kernels.Axpy(1e-9, x, ys[k%16]))
					}
				}},
				{"plain", func(times int) {
					for k := range times {
						plainAxpy(1e-9, x, ys[k%16])
					}
				}},
				{fused, func(times int) {
					for k := range times {
						plainAxpyFused(1e-9, x, ys[k%16])
					}
				}},
				{"gonum", func(times int) {
					for k := range times {
						floats.AddScaled(ys[k%16], 1e-9, x)
					}
				}},
			}
		}},
		{"ScaleAdd", longest, func(n int) []way {
			dst, x, y := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.ScaleAdd(dst, 0.5, x, 2, y))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainScaleAdd(dst, 0.5, x, 2, y)
					}
				}},
				{"gonum", func(times int) { // without a factor of y
					for range times {
						floats.AddScaledTo(dst, y, 0.5, x)
					}
				}},
			}
		}},
		{"Scale", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Scale(dst, 0.5, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainScale(dst, 0.5, x)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						floats.ScaleTo(dst, 0.5, x)
					}
				}},
				{"vek", func(times int) {
					for range times {
						vek.MulNumber_Into(dst, x, 0.5)
					}
				}},
			}
		}},
		{"AddScalar in place", longest, func(n int) []way {
			x := vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.AddScalar(x, 1e-9, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainAddScalar(x, 1e-9, x)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						floats.AddConst(1e-9, x)
					}
				}},
				{"vek", func(times int) {
					for range times {
						vek.AddNumber_Inplace(x, 1e-9)
					}
				}},
			}
		}},
		{"Mul", longest, func(n int) []way {
			dst, x, y := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Mul(dst, x, y))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainMul(dst, x, y)
					}
				}},
				{"gonum", func(times int) {
					for range times {
						gonumMul(dst, x, y)
					}
				}},
				{"vek", func(times int) {
					for range times {
						vek.Mul_Into(dst, x, y)
					}
				}},
			}
		}},
		{"SoftThreshold", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.SoftThreshold(dst, x, 0.5))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainSoftThreshold(dst, x, 0.5)
					}
				}},
			}
		}},
		{"Box", longest, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Box(dst, x, -0.5, 0.5))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainBox(dst, x, -0.5, 0.5)
					}
				}},
			}
		}},
		{"Adam", longest, func(n int) []way {
			w, m, v, g := vector(n), vector(n), make([]float64, n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Adam(w, m, v, g, settings, 0.9, 0.999))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainAdam(w, m, v, g, &settings, 0.9, 0.999)
					}
				}},
			}
		}},
		{"Momentum", longest, func(n int) []way {
			w, v, g := vector(n), vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Momentum(w, v, g, 1e-9, 0.9, 1e-6))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainMomentum(w, v, g, 1e-9, 0.9, 1e-6)
					}
				}},
			}
		}},
	}
}
