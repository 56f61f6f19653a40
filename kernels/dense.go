package kernels

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/asm/dense"
	_ "github.com/lanes-go/lanes/dispatch" // chooses the kernels
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// Dot returns the inner product sum_i x[i] y[i].
//
// Error: x and y differ in length. Cost: 2n flops, 16n bytes read.
func Dot(x, y []float64) (float64, error) {
	if len(x) != len(y) {
		return 0, unequal[ofDot]{len(x), len(y)}
	}
	return shortDot(x, y, longDot), nil
}

// SquaredNorm returns sum_i x[i]^2, which overflows to +Inf where |x[i]| is
// beyond 1e154. Cost: 2n flops, 8n bytes read.
func SquaredNorm(x []float64) float64 { return dense.SquaredNorm(x) }

// SquaredDistance returns sum_i (x[i]-y[i])^2.
//
// Error: x and y differ in length. Cost: 3n flops, 16n bytes read.
func SquaredDistance(x, y []float64) (float64, error) {
	if len(x) != len(y) {
		return 0, unequal[ofSquaredDistance]{len(x), len(y)}
	}
	return dense.SquaredDistance(x, unsafe.SliceData(y)), nil
}

// Sum returns sum_i x[i]. Cost: n flops, 8n bytes read.
func Sum(x []float64) float64 { return shortSum(x, longSum) }

// MaxAbs returns the infinity norm max_i |x[i]|: 0 for an empty x, NaN if any
// element is NaN. Cost: 8n bytes read.
func MaxAbs(x []float64) float64 { return dense.MaxAbs(x) }

// Axpy adds a multiple of x to y: y[i] += a x[i], rounded once. y may be x.
//
// Error: x and y differ in length, or overlap without being the same.
// Cost: 2n flops, 16n bytes read, 8n written.
func Axpy(a float64, x, y []float64) (err error) {
	err = func() error {
		if n := len(x); uint(n-1) < 2 && len(y) == n && (n == 1 || arguments.SameOrDisjoint(x, y)) {
			if n == 2 {
				y[1] = math.FMA(a, x[1], y[1])
			}
			y[0] = math.FMA(a, x[0], y[0])
			return nil
		}
		return dense.Axpy(a, unsafe.SliceData(x), unsafe.SliceData(y), len(x), len(y))
	}()
	return
}

// ScaleAdd computes dst[i] = a x[i] + b y[i], where b y[i] is rounded and the
// rest is a fused multiply-add. dst may be x or y.
//
// Error: the slices differ in length, or dst overlaps a source without being
// the same. Cost: 3n flops, 16n bytes read, 8n written.
func ScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64) (err error) {
	err = func() error {
		if n := len(dst); uint(n-1) < 2 && len(x) == n && len(y) == n && (n == 1 || arguments.SameOrDisjoint(dst, x) && arguments.SameOrDisjoint(dst, y)) {
			if n == 2 {
				dst[1] = math.FMA(a, x[1], float64(b*y[1]))
			}
			dst[0] = math.FMA(a, x[0], float64(b*y[0]))
			return nil
		}
		return dense.ScaleAdd(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), a, b, len(dst), len(x), len(y))
	}()
	return
}

// Scale computes dst[i] = a x[i]. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: n flops, 8n bytes read, 8n written.
func Scale(dst []float64, a float64, x []float64) error {
	return dense.Scale(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst), len(x))
}

// AddScalar computes dst[i] = x[i] + a. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: n flops, 8n bytes read, 8n written.
func AddScalar(dst []float64, a float64, x []float64) error {
	return dense.AddScalar(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst), len(x))
}

// Mul computes the element-wise product dst[i] = x[i] y[i]. dst may be x or y.
//
// Error: the slices differ in length, or dst overlaps a source without being
// the same. Cost: n flops, 16n bytes read, 8n written.
func Mul(dst, x, y []float64) (err error) {
	err = func() error {
		if n := len(dst); uint(n-1) < 4 && len(x) == n && len(y) == n && (n == 1 || arguments.SameOrDisjoint(dst, x) && arguments.SameOrDisjoint(dst, y)) {
			if n > 2 {
				if n == 4 {
					dst[3] = x[3] * y[3]
				}
				dst[2] = x[2] * y[2]
			}
			if n > 1 {
				dst[1] = x[1] * y[1]
			}
			dst[0] = x[0] * y[0]
			return nil
		}
		return dense.Mul(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst), len(x), len(y))
	}()
	return
}

// SoftThreshold computes dst[i] = sign(x[i]) max(|x[i]| - t, 0), the proximal
// operator of t ||x||_1. A coordinate that is shrunk away becomes +0; NaN stays
// NaN. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same; t is
// negative or NaN. Cost: n flops, 8n bytes read, 8n written.
func SoftThreshold(dst, x []float64, t float64) error {
	return dense.SoftThreshold(unsafe.SliceData(dst), unsafe.SliceData(x), t, len(dst), len(x))
}

// Box computes dst[i] = min(max(x[i], lo), hi), the projection onto the box
// [lo, hi]^n. lo may be -Inf and hi may be +Inf; NaN stays NaN. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same; lo is
// above hi, or one of them is NaN. Cost: 8n bytes read, 8n written.
func Box(dst, x []float64, lo, hi float64) error {
	return dense.Box(unsafe.SliceData(dst), unsafe.SliceData(x), lo, hi, len(dst), len(x))
}

// AdamSettings are the constants of Adam (Kingma and Ba 2015, algorithm 1).
type AdamSettings struct {
	Rate    float64 // step size
	Beta1   float64 // decay of the first moment, in [0, 1)
	Beta2   float64 // decay of the second moment, in [0, 1)
	Epsilon float64 // added to the root of the second moment; 0 or more
	Lambda  float64 // the gradient is g + Lambda w
}

// Adam takes step number t (from 1) of Adam in one pass over its four vectors.
// decay1 and decay2 are Beta1^t and Beta2^t, which the caller keeps as running
// products. With s = g + Lambda w:
//
//	m = Beta1 m + (1-Beta1) s
//	v = Beta2 v + (1-Beta2) s^2
//	w = w - Rate (m / (1-decay1)) / (sqrt(v / (1-decay2)) + Epsilon)
//
// The corrections are folded into the rate and epsilon, as section 2 of the paper proposes. g
// does not change.
//
// Error: the slices differ in length or overlap; a constant is out of its
// range. Cost: one division and one square root an element, which is what
// bounds it while the vectors are in cache; 32n bytes read, 24n written.
func Adam(w, m, v, g []float64, settings AdamSettings, decay1, decay2 float64) error {
	n := len(w)
	if n != len(m) || n != len(v) || n != len(g) || !arguments.Disjoint(w, m) || !arguments.Disjoint(w, v) ||
		!arguments.Disjoint(w, g) || !arguments.Disjoint(m, v) || !arguments.Disjoint(m, g) || !arguments.Disjoint(v, g) {
		if err := adamApart(w, m, v, g); err != nil {
			return err
		}
	}
	if !(settings.Beta1 >= 0 && settings.Beta1 < 1 && settings.Beta2 >= 0 && settings.Beta2 < 1 &&
		decay1 >= 0 && decay1 < 1 && decay2 >= 0 && decay2 < 1 && settings.Epsilon >= 0) {
		return adamError(settings, decay1, decay2)
	}
	root := math.Sqrt(1 - decay2)
	dense.AdamStep(unsafe.SliceData(w), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(g), n,
		settings.Beta1, 1-settings.Beta1, settings.Beta2, 1-settings.Beta2,
		settings.Rate*root/(1-decay1), settings.Epsilon*root, settings.Lambda)
	return nil
}

// adamApart is a separate function so that Adam has no stack slots to clear for its slices.
//
//go:noinline
func adamApart(w, m, v, g []float64) error {
	return apart("Adam", []string{"w", "m", "v", "g"}, w, m, v, g)
}

// adamError names the constant that is out of its range.
func adamError(settings AdamSettings, decay1, decay2 float64) error {
	for _, c := range []struct {
		name  string
		value float64
	}{{"Beta1", settings.Beta1}, {"Beta2", settings.Beta2}, {"decay1", decay1}, {"decay2", decay2}} {
		if !(c.value >= 0 && c.value < 1) {
			return fmt.Errorf("kernels.Adam: %s is %v; it must be in [0, 1)", c.name, c.value)
		}
	}
	return fmt.Errorf("kernels.Adam: Epsilon is %v; it must be 0 or more", settings.Epsilon)
}

// Momentum takes one step of gradient descent with heavy-ball momentum, in one pass: v = mu v +
// (g + lambda w), then w = w - rate v. g does not change.
//
// Error: the slices differ in length or overlap. Cost: 6n flops, 24n bytes
// read, 16n written.
func Momentum(w, v, g []float64, rate, mu, lambda float64) error {
	if n := len(w); n != len(v) || n != len(g) || !arguments.Disjoint(w, v) || !arguments.Disjoint(w, g) || !arguments.Disjoint(v, g) {
		return apart("Momentum", []string{"w", "v", "g"}, w, v, g)
	}
	if len(w) <= 4 {
		for i, wi := range w {
			vi := math.FMA(mu, v[i], math.FMA(lambda, wi, g[i]))
			v[i], w[i] = vi, math.FMA(-rate, vi, wi)
		}
		return nil
	}
	dense.MomentumStep(unsafe.SliceData(w), unsafe.SliceData(v), unsafe.SliceData(g), len(w), rate, mu, lambda)
	return nil
}

// An unequal are the lengths of two vectors that differ, for the kernel K. It is a type
// and not a call, because a function with two calls is not inlined.
type unequal[K interface{ name() string }] [2]int

func (u unequal[K]) Error() string {
	return lengths((*new(K)).name(), "x", u[0], "y", u[1]).Error()
}

type (
	ofDot             struct{}
	ofDot32           struct{}
	ofSquaredDistance struct{}
)

func (ofDot) name() string             { return "Dot" }
func (ofDot32) name() string           { return "Dot32" }
func (ofSquaredDistance) name() string { return "SquaredDistance" }
