package main

import (
	"fmt"

	"github.com/lanes-go/lanes/kernels"
)

const delta = 0.8

// A plainLoss is one loss in plain Go.
type plainLoss struct {
	gradient  func(coef, z, y []float64) float64
	sum       func(z, y []float64) float64
	curvature func(h, t, z, y []float64)
}

var plainLosses = [...]plainLoss{
	kernels.Logistic:     {plainLogisticGradient, plainLogisticSum, func(h, t, z, _ []float64) { plainLogisticCurvature(h, t, z) }},
	kernels.Squared:      {plainSquaredGradient, plainSquaredSum, func(h, t, _, _ []float64) { plainSquaredCurvature(h, t) }},
	kernels.SquaredHinge: {plainHingeGradient, plainHingeSum, plainHingeCurvature},
	kernels.Huber: {
		func(coef, z, y []float64) float64 { return plainHuberGradient(coef, z, y, delta) },
		func(z, y []float64) float64 { return plainHuberSum(z, y, delta) },
		func(h, t, z, y []float64) { plainHuberCurvature(h, t, z, y, delta) },
	},
}

func lossTasks() []task {
	var list []task
	for number, plain := range plainLosses {
		loss := kernels.Loss(number)
		const longest = 1 << 22
		list = append(list,
			task{fmt.Sprintf("LossGradient, %v", loss), longest, func(n int) []way {
				coef, z, y := vector(n), vector(n), signs(n)
				return []way{
					{"lanes", func(times int) {
						repeat(times, func(int) { sink = must(kernels.LossGradient(loss, coef, z, y, nil, delta)) })
					}},
					{"plain", func(times int) { repeat(times, func(int) { sink = plain.gradient(coef, z, y) }) }},
				}
			}},
			task{fmt.Sprintf("LossSum, %v", loss), longest, func(n int) []way {
				z, y := vector(n), signs(n)
				return []way{
					{"lanes", func(times int) { repeat(times, func(int) { sink = must(kernels.LossSum(loss, z, y, nil, delta)) }) }},
					{"plain", func(times int) { repeat(times, func(int) { sink = plain.sum(z, y) }) }},
				}
			}},
			task{fmt.Sprintf("LossCurvature, %v", loss), longest, func(n int) []way {
				h, t, z, y := vector(n), vector(n), vector(n), signs(n)
				return []way{
					{"lanes", func(times int) {
						repeat(times, func(int) { check(kernels.LossCurvature(loss, h, t, z, y, nil, delta)) })
					}},
					{"plain", func(times int) { repeat(times, func(int) { plain.curvature(h, t, z, y) }) }},
				}
			}})
	}
	return append(list, task{"LossAt, logistic", 1, func(int) []way {
		z, y := vector(1), signs(1)
		return []way{
			{"lanes", func(times int) {
				repeat(times, func(int) { sink, _ = kernels.LossAt(kernels.Logistic, z[0], y[0], delta) })
			}},
			{"plain", func(times int) { repeat(times, func(int) { sink = plainLogisticGradient(z, z, y) }) }},
		}
	}})
}

func signs(n int) []float64 {
	y := vector(n)
	for i, v := range y {
		y[i] = 1
		if v < 0 {
			y[i] = -1
		}
	}
	return y
}
