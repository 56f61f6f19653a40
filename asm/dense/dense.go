// Package dense holds the kernels on dense vectors.
//
// Package asm says what callers promise.
package dense

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// Kernels are the kernels of one CPU path. No entry is nil. All slices of a call have the same
// length. Where a kernel has a dst, it may be one of the sources, but may not
// overlap one in any other way.
//
// A sum has 32 lanes. Element i goes to lane i mod 32, in increasing i from +0. Then lane l adds
// lane l+16. The remaining lanes add lane l+8, then l+4, l+2, l+1.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path string

	// Dot: acc = fma(x[i], y[i], acc).
	Dot func(x, y []float64) float64
	// SquaredNorm: acc = fma(x[i], x[i], acc).
	SquaredNorm func(x []float64) float64
	// SquaredDistance: d = x[i]-y[i]; acc = fma(d, d, acc).
	SquaredDistance func(x, y []float64) float64
	// Sum: acc = acc + x[i].
	Sum func(x []float64) float64
	// MaxAbs: the largest |x[i]|; 0 for no elements, NaN if any x[i] is NaN.
	MaxAbs func(x []float64) float64

	// Axpy: y[i] = fma(a, x[i], y[i]). y may be x.
	Axpy func(a float64, x, y []float64)
	// ScaleAdd: dst[i] = fma(a, x[i], b*y[i]).
	ScaleAdd func(dst []float64, a float64, x []float64, b float64, y []float64)
	// Scale: dst[i] = a*x[i].
	Scale func(dst []float64, a float64, x []float64)
	// AddScalar: dst[i] = x[i]+a.
	AddScalar func(dst []float64, a float64, x []float64)
	// Mul: dst[i] = x[i]*y[i].
	Mul func(dst, x, y []float64)

	// SoftThreshold: dst[i] = +0 if |x[i]| <= t, else |x[i]|-t with the sign of x[i].
	SoftThreshold func(dst []float64, x []float64, t float64)
	// Box: v = x[i]; if v < lo, v = lo; if v > hi, v = hi; dst[i] = v.
	Box func(dst []float64, x []float64, lo, hi float64)

	// Adam, with every product not in an fma rounded:
	//	s = fma(p.Lambda, w[i], g[i])
	//	m[i] = fma(p.Beta1, m[i], p.Rest1*s)
	//	v[i] = fma(p.Beta2, v[i], (p.Rest2*s)*s)
	//	w[i] = w[i] - (p.Rate*m[i]) / (sqrt(v[i]) + p.Epsilon)
	// The four slices do not overlap.
	Adam func(w, m, v, g []float64, p Adam)
	// Momentum: v[i] = fma(mu, v[i], fma(lambda, w[i], g[i]));
	// w[i] = fma(-rate, v[i], w[i]). The three slices do not overlap.
	Momentum func(w, v, g []float64, rate, mu, lambda float64)
}

// Adam holds the scalars of one Adam step. Assembly reads the fields by their
// position.
type Adam struct {
	Beta1, Rest1 float64 // decay of the first moment, and 1 minus it
	Beta2, Rest2 float64 // decay of the second moment, and 1 minus it
	Rate         float64 // step size times sqrt(1-Beta2^t) / (1-Beta1^t)
	Epsilon      float64 // epsilon times sqrt(1-Beta2^t)
	Lambda       float64 // weight of the regulariser's gradient, Lambda w
}

// Generic holds the portable kernels, which define the results of all others.
var Generic = Kernels{
	Path: "generic",
	Dot: func(x, y []float64) float64 {
		var l [32]float64
		for len(x) >= 32 && len(y) >= 32 {
			a, b := (*[32]float64)(x), (*[32]float64)(y)
			for i := range l {
				l[i] = math.FMA(a[i], b[i], l[i])
			}
			x, y = x[32:], y[32:]
		}
		for i, v := range x {
			l[i] = math.FMA(v, y[i], l[i])
		}
		return lanes.Sum32(&l)
	},
	SquaredNorm: func(x []float64) float64 {
		var l [32]float64
		for len(x) >= 32 {
			a := (*[32]float64)(x)
			for i := range l {
				l[i] = math.FMA(a[i], a[i], l[i])
			}
			x = x[32:]
		}
		for i, v := range x {
			l[i] = math.FMA(v, v, l[i])
		}
		return lanes.Sum32(&l)
	},
	SquaredDistance: func(x, y []float64) float64 {
		var l [32]float64
		for i, v := range x {
			d := v - y[i]
			l[i%32] = math.FMA(d, d, l[i%32])
		}
		return lanes.Sum32(&l)
	},
	Sum: func(x []float64) float64 {
		var l [32]float64
		for len(x) >= 32 {
			a := (*[32]float64)(x)
			for i := range l {
				l[i] += a[i]
			}
			x = x[32:]
		}
		for i, v := range x {
			l[i] += v
		}
		return lanes.Sum32(&l)
	},
	MaxAbs: func(x []float64) float64 {
		largest := 0.0
		for _, v := range x {
			if v != v {
				return v
			}
			if v = math.Abs(v); v > largest {
				largest = v
			}
		}
		return largest
	},
	Axpy: func(a float64, x, y []float64) {
		for i, v := range x {
			y[i] = math.FMA(a, v, y[i])
		}
	},
	ScaleAdd: func(dst []float64, a float64, x []float64, b float64, y []float64) {
		for i, v := range x {
			dst[i] = math.FMA(a, v, float64(b*y[i]))
		}
	},
	Scale: func(dst []float64, a float64, x []float64) {
		for i, v := range x {
			dst[i] = float64(a * v)
		}
	},
	AddScalar: func(dst []float64, a float64, x []float64) {
		for i, v := range x {
			dst[i] = v + a
		}
	},
	Mul: func(dst, x, y []float64) {
		for i, v := range x {
			dst[i] = float64(v * y[i])
		}
	},
	SoftThreshold: func(dst []float64, x []float64, t float64) {
		for i, v := range x {
			if size := math.Abs(v); size <= t {
				dst[i] = 0
			} else {
				dst[i] = math.Copysign(size-t, v)
			}
		}
	},
	Box: func(dst []float64, x []float64, lo, hi float64) {
		for i, v := range x {
			if v < lo {
				v = lo
			}
			if v > hi {
				v = hi
			}
			dst[i] = v
		}
	},
	Adam: func(w, m, v, g []float64, p Adam) {
		for i, wi := range w {
			s := math.FMA(p.Lambda, wi, g[i])
			mi := math.FMA(p.Beta1, m[i], float64(p.Rest1*s))
			vi := math.FMA(p.Beta2, v[i], float64(float64(p.Rest2*s)*s))
			m[i], v[i] = mi, vi
			w[i] = wi - float64(p.Rate*mi)/(math.Sqrt(vi)+p.Epsilon)
		}
	},
	Momentum: func(w, v, g []float64, rate, mu, lambda float64) {
		for i, wi := range w {
			vi := math.FMA(mu, v[i], math.FMA(lambda, wi, g[i]))
			v[i], w[i] = vi, math.FMA(-rate, vi, wi)
		}
	},
}
