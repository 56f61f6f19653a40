// Package element holds the kernels that map vectors element by element: elementary
// functions, losses with their derivatives, comparisons of the scores of pairs of rows,
// and thresholds.
//
// Package asm says what callers promise.
package element

import "github.com/lanes-go/lanes/asm/internal/lanes"

// Loss names a loss function phi(z, y) of a margin or prediction z and a label
// or target y.
type Loss uint8

// The losses, with r = z-y:
//
//	Logistic      log(1 + exp(-y z))             y in {-1, +1};
//	Squared       r^2/2;
//	SquaredHinge  max(0, 1 - y z)^2/2            y in {-1, +1};
//	Huber         r^2/2             |r| <= delta
//	              delta (|r| - delta/2)  beyond
const (
	Logistic Loss = iota
	Squared
	SquaredHinge
	Huber
	Losses = iota
)

// Kernels are the kernels of one CPU path. No entry is nil. All slices of a call have the
// same length; a destination may be one of the sources, but may not overlap one
// in any other way. A nil weight stands for a weight of 1 everywhere. Only
// Huber reads delta, which is positive and finite.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path string

	// Exp, Log, Log1p, Sigmoid (1/(1+exp(-x))), Softplus (log(1+exp(x))) and Tanh
	// have an error of less than 1 ulp for every x.
	Exp, Log, Log1p, Sigmoid, Softplus, Tanh func(dst, x []float64)

	// ExpSum: dst[i] = exp(x[i]-shift). It returns the sum of dst. Element i goes to lane i mod 8
	// by acc = acc + dst[i] in increasing i from +0. The lanes are summed as rows.Kernels.Dot
	// sums them. A nil dst keeps only the sum.
	ExpSum func(dst, x []float64, shift float64) float64

	// Grad: coef[i] = weight[i] dphi/dz(z[i], y[i]). It returns the sum of weight[i] phi(z[i],
	// y[i]). Element i goes to lane i mod 8 by acc = fma(weight, phi, acc) in increasing i from
	// +0. The lanes are summed as rows.Kernels.Dot sums them.
	Grad [Losses]func(coef, z, y, weight []float64, delta float64) float64
	// Sum returns what Grad returns.
	Sum [Losses]func(z, y, weight []float64, delta float64) float64
	// Curvature: h[i] and t[i] are weight[i] times the second and the third derivative of phi in z.
	// At a kink they are the one-sided derivatives: of the curved side for Huber, of the flat side
	// for SquaredHinge.
	Curvature [Losses]func(h, t, z, y, weight []float64, delta float64)

	PairBlock PairBlockKernels
	Threshold ThresholdKernels
	Extreme   ExtremeKernels
}

// Generic holds the portable kernels, which define the results of all others.
var Generic = Kernels{
	Path:     "generic",
	Exp:      mapElements(exp),
	Log:      mapElements(log),
	Log1p:    mapElements(log1p),
	Sigmoid:  mapElements(sigmoid),
	Softplus: mapElements(softplus),
	Tanh:     mapElements(tanh),
	ExpSum:   expSum,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     gradOf(logistic),
		Squared:      gradOf(squared),
		SquaredHinge: gradOf(squaredHinge),
		Huber:        gradOf(huber),
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumOf(logistic),
		Squared:      sumOf(squared),
		SquaredHinge: sumOf(squaredHinge),
		Huber:        sumOf(huber),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     curvatureOf(logisticCurvature),
		Squared:      curvatureOf(squaredCurvature),
		SquaredHinge: curvatureOf(squaredHingeCurvature),
		Huber:        curvatureOf(huberCurvature),
	},
	PairBlock: pairBlockGeneric,
	Threshold: thresholdGeneric,
	Extreme:   extremeGeneric,
}

func expSum(dst, x []float64, shift float64) float64 {
	var l [8]float64
	for i, v := range x {
		e := exp(v - shift)
		if dst != nil {
			dst[i] = e
		}
		l[i&7] += e
	}
	return lanes.Sum8(&l)
}

func mapElements(f func(float64) float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}
