package main

import (
	"math"

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
	list := []task{
		{"Exp", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Exp(dst, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainExp(dst, x)
					}
				}},
			}
		}},
		{"Log", 1 << 22, func(n int) []way {
			dst, x := vector(n), positive(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Log(dst, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainLog(dst, x)
					}
				}},
			}
		}},
		{"Log1p", 1 << 22, func(n int) []way {
			dst, x := vector(n), positive(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Log1p(dst, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainLog1p(dst, x)
					}
				}},
			}
		}},
		{"Sigmoid", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Sigmoid(dst, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainSigmoid(dst, x)
					}
				}},
			}
		}},
		{"Softplus", 1 << 22, func(n int) []way {
			dst, x := vector(n), vector(n)
			return []way{
				{"lanes", func(times int) {
					for range times {
						check(kernels.Softplus(dst, x))
					}
				}},
				{"plain", func(times int) {
					for range times {
						plainSoftplus(dst, x)
					}
				}},
			}
		}},
		{"SigmoidOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.SigmoidOf(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = 1 / (1 + math.Exp(-x))
					}
				}},
			}
		}},
		{"ExpOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.ExpOf(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = math.Exp(x)
					}
				}},
			}
		}},
		{"LogOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.LogOf(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = math.Log(x)
					}
				}},
			}
		}},
		{"Log1pOf", 1, func(int) []way {
			x := 0.7
			return []way{
				{"lanes", func(times int) {
					for range times {
						sink = kernels.Log1pOf(x)
					}
				}},
				{"plain", func(times int) {
					for range times {
						sink = math.Log1p(x)
					}
				}},
			}
		}},
	}
	return append(list, lossTasks()...)
}
