package element

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// PairKernels compare the score of one positive row with the scores s of a
// sample, and add up what follows for the gradient. c, l and s have the same
// length and do not overlap. Element i of a sum goes to lane i mod 8, in
// increasing i from +0, and the lanes are summed as rows.Kernels.Dot sums them.
type PairKernels struct {
	// Hinge: l[i] = t = s[i]+shift, or +0 where t < 0. It returns the sum of
	// l[i]^2 by acc = fma(l[i], l[i], acc).
	Hinge func(l, s []float64, shift float64) float64
	// HingeAdd: c[i] = fma(a, l[i], c[i]). It returns the sum of l[i].
	HingeAdd func(c, l []float64, a float64) float64
	// Logistic: l[i] = sigmoid(scale*(s[i]-center)). It returns the sum of l[i].
	Logistic func(l, s []float64, center, scale float64) float64
	// LogisticAdd: v = l[i]*(1-l[i]); c[i] = fma(a, v, c[i]). It returns the sum
	// of v.
	LogisticAdd func(c, l []float64, a float64) float64
}

var pairsGeneric = PairKernels{
	Hinge: func(l, s []float64, shift float64) float64 {
		var sum [8]float64
		for i, v := range s {
			t := v + shift
			if t < 0 {
				t = 0
			}
			l[i] = t
			sum[i&7] = math.FMA(t, t, sum[i&7])
		}
		return lanes.Sum8(&sum)
	},
	HingeAdd: func(c, l []float64, a float64) float64 {
		var sum [8]float64
		for i, v := range l {
			c[i] = math.FMA(a, v, c[i])
			sum[i&7] += v
		}
		return lanes.Sum8(&sum)
	},
	Logistic: pairLogisticFrom(mapElements(sigmoid)),
	LogisticAdd: func(c, l []float64, a float64) float64 {
		var sum [8]float64
		for i, p := range l {
			v := float64(p * (1 - p))
			c[i] = math.FMA(a, v, c[i])
			sum[i&7] += v
		}
		return lanes.Sum8(&sum)
	},
}

// pairLogisticFrom makes the logistic kernel of a path that has none of its own
// from the path's sigmoid, which is where the time goes.
func pairLogisticFrom(sigmoid func(dst, x []float64)) func(l, s []float64, center, scale float64) float64 {
	return func(l, s []float64, center, scale float64) float64 {
		for i, v := range s {
			l[i] = float64(scale * (v - center))
		}
		sigmoid(l, l)
		var sum [8]float64
		for i, v := range l {
			sum[i&7] += v
		}
		return lanes.Sum8(&sum)
	}
}
