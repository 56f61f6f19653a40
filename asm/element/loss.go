package element

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// A lossFunc returns phi and dphi/dz; a curvatureFunc the second and the third
// derivative.
type (
	lossFunc      func(z, y, delta float64) (phi, slope float64)
	curvatureFunc func(z, y, delta float64) (h, t float64)
)

func gradOf(loss lossFunc) func(coef, z, y, weight []float64, delta float64) float64 {
	return func(coef, z, y, weight []float64, delta float64) float64 {
		var l [8]float64
		for i, zi := range z {
			phi, slope := loss(zi, y[i], delta)
			w := weightOf(weight, i)
			coef[i] = float64(w * slope)
			l[i&7] = math.FMA(w, phi, l[i&7])
		}
		return lanes.Sum8(&l)
	}
}

func sumOf(loss lossFunc) func(z, y, weight []float64, delta float64) float64 {
	return func(z, y, weight []float64, delta float64) float64 {
		var l [8]float64
		for i, zi := range z {
			phi, _ := loss(zi, y[i], delta)
			l[i&7] = math.FMA(weightOf(weight, i), phi, l[i&7])
		}
		return lanes.Sum8(&l)
	}
}

func curvatureOf(curvature curvatureFunc) func(h, t, z, y, weight []float64, delta float64) {
	return func(h, t, z, y, weight []float64, delta float64) {
		for i, zi := range z {
			hi, ti := curvature(zi, y[i], delta)
			w := weightOf(weight, i)
			h[i], t[i] = float64(w*hi), float64(w*ti)
		}
	}
}

func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// logistic is Softplus and Sigmoid at -y z, bit for bit.
func logistic(z, y, _ float64) (phi, slope float64) {
	x := -float64(y * z)
	e, tail := expNegative(math.Abs(x))
	return softplusFrom(x, e, tail), -float64(y * sigmoidFrom(x, e, tail))
}

// logisticCurvature: with s = 1/(1+exp(-z)), h = s(1-s) and t = h(1-2s), which
// is -h tanh(z/2). Both are the same for y = 1 and y = -1. With e = exp(-|z|),
// h = e/(1+e)^2 and |1-2s| = (1-e)/(1+e).
func logisticCurvature(z, _, _ float64) (h, t float64) {
	e, tail := expNegative(math.Abs(z))
	inv := 1 / (1 + e)
	h = float64(float64(e*inv) * inv)
	t = float64(h * float64(((1-e)-tail)*inv))
	if !math.Signbit(z) {
		t = -t
	}
	return h, t
}

func squared(z, y, _ float64) (phi, slope float64) {
	r := z - y
	return float64(float64(0.5*r) * r), r
}

func squaredCurvature(_, _, _ float64) (h, t float64) { return 1, 0 }

func squaredHinge(z, y, _ float64) (phi, slope float64) {
	m := max(0, math.FMA(-y, z, 1))
	return float64(float64(0.5*m) * m), -float64(y * m)
}

func squaredHingeCurvature(z, y, _ float64) (h, t float64) {
	if math.FMA(-y, z, 1) > 0 {
		h = float64(y * y)
	}
	return h, 0
}

// huber: with c the residual cut to [-delta, delta], phi = c (r - c/2) on both
// pieces.
func huber(z, y, delta float64) (phi, slope float64) {
	r := z - y
	c := max(-delta, min(delta, r))
	return float64(c * math.FMA(-0.5, c, r)), c
}

func huberCurvature(z, y, delta float64) (h, t float64) {
	if math.Abs(z-y) <= delta {
		h = 1
	}
	return h, 0
}

var lossScalar = [Losses]lossFunc{Logistic: logistic, Squared: squared, SquaredHinge: squaredHinge, Huber: huber}

// LossAt returns phi(z, y) and its derivative in z, as Grad computes them.
func LossAt(l Loss, z, y, delta float64) (phi, slope float64) { return lossScalar[l](z, y, delta) }
