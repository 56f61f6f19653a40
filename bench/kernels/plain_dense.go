package main

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/kernels"
)

//go:noinline
func plainDot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

//go:noinline
func plainSquaredNorm(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return s
}

//go:noinline
func plainSquaredDistance(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		d := v - y[i]
		s += d * d
	}
	return s
}

//go:noinline
func plainSum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

//go:noinline
func plainMaxAbs(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s = max(s, math.Abs(v))
	}
	return s
}

//go:noinline
func plainAxpy(a float64, x, y []float64) {
	for i, v := range x {
		y[i] += a * v
	}
}

//go:noinline
func plainAxpyFused(a float64, x, y []float64) {
	for i, v := range x {
		y[i] = math.FMA(a, v, y[i])
	}
}

//go:noinline
func plainScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64) {
	for i, v := range x {
		dst[i] = a*v + b*y[i]
	}
}

//go:noinline
func plainScale(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] = a * v
	}
}

//go:noinline
func plainAddScalar(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] = v + a
	}
}

//go:noinline
func plainMul(dst, x, y []float64) {
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

//go:noinline
func plainSoftThreshold(dst, x []float64, t float64) {
	for i, v := range x {
		switch {
		case v > t:
			dst[i] = v - t
		case v < -t:
			dst[i] = v + t
		default:
			dst[i] = 0
		}
	}
}

//go:noinline
func plainBox(dst, x []float64, lo, hi float64) {
	for i, v := range x {
		if v < lo {
			v = lo
		}
		if v > hi {
			v = hi
		}
		dst[i] = v
	}
}

//go:noinline
func plainAdam(w, m, v, g []float64, p *kernels.AdamSettings, decay1, decay2 float64) {
	for i := range w {
		s := g[i] + p.Lambda*w[i]
		m[i] = p.Beta1*m[i] + (1-p.Beta1)*s
		v[i] = p.Beta2*v[i] + (1-p.Beta2)*s*s
		w[i] -= p.Rate * (m[i] / (1 - decay1)) / (math.Sqrt(v[i]/(1-decay2)) + p.Epsilon)
	}
}

//go:noinline
func plainMomentum(w, v, g []float64, rate, mu, lambda float64) {
	for i := range w {
		v[i] = mu*v[i] + g[i] + lambda*w[i]
		w[i] -= rate * v[i]
	}
}

// gonumMul keeps the only one of gonum's loops that is short enough for it from being inlined
// here, as plain Go is not either.
//
//go:noinline
func gonumMul(dst, x, y []float64) { floats.MulTo(dst, x, y) }
