// Package direct gives solvers the kernels and products of packages kernels and sparse without
// errors. A loop allocates its vectors when it begins, with the lengths of a checked problem.
// Lengths are checked once per run; a later mismatch is a mistake in the solver and panics, like an
// index out of range.
//
// Users' data never come here unchecked: problems, settings and methods are checked by the
// Solve of their family.
package direct

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// Must panics on an error, for errors that the checks of a run exclude.
func Must(err error) {
	if err != nil {
		misfit(err)
	}
}

//go:noinline
func misfit(err error) { panic(fmt.Sprintf("a solver's vectors do not fit: %v", err)) }

// Value returns v, and panics on an error like Must.
func Value[T any](v T, err error) T {
	Must(err)
	return v
}

// Dot is kernels.Dot.
func Dot(x, y []float64) float64 { return Value(kernels.Dot(x, y)) }

// Norm returns the Euclidean norm, the root of kernels.SquaredNorm.
func Norm(x []float64) float64 { return math.Sqrt(kernels.SquaredNorm(x)) }

// SquaredDistance is kernels.SquaredDistance.
func SquaredDistance(x, y []float64) float64 { return Value(kernels.SquaredDistance(x, y)) }

// Axpy is kernels.Axpy: y += a x.
func Axpy(a float64, x, y []float64) { Must(kernels.Axpy(a, x, y)) }

// ScaleAdd is kernels.ScaleAdd: dst = a x + b y.
func ScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64) {
	Must(kernels.ScaleAdd(dst, a, x, b, y))
}

// Scale is kernels.Scale: dst = a x.
func Scale(dst []float64, a float64, x []float64) { Must(kernels.Scale(dst, a, x)) }

// AddScalar is kernels.AddScalar: dst = x + a.
func AddScalar(dst []float64, a float64, x []float64) { Must(kernels.AddScalar(dst, a, x)) }

// Mul is kernels.Mul: dst = x y, element by element.
func Mul(dst, x, y []float64) { Must(kernels.Mul(dst, x, y)) }

// SoftThreshold is kernels.SoftThreshold, for a threshold that is 0 or more.
func SoftThreshold(dst, x []float64, t float64) { Must(kernels.SoftThreshold(dst, x, t)) }

// Box is kernels.Box: dst = min(max(x, lo), hi), for lo up to hi.
func Box(dst, x []float64, lo, hi float64) { Must(kernels.Box(dst, x, lo, hi)) }

// Momentum is kernels.Momentum.
func Momentum(w, v, g []float64, rate, mu, lambda float64) {
	Must(kernels.Momentum(w, v, g, rate, mu, lambda))
}

// Adam is kernels.Adam, whose constants the method has checked.
func Adam(w, m, v, g []float64, settings kernels.AdamSettings, decay1, decay2 float64) {
	Must(kernels.Adam(w, m, v, g, settings, decay1, decay2))
}

// AddMatMul is kernels.AddMatMul.
func AddMatMul(dst, a, w []float64, inner, width int) {
	Must(kernels.AddMatMul(dst, a, w, inner, width))
}

// AddMatTransMul is kernels.AddMatTransMul.
func AddMatTransMul(w, a, c []float64, inner, width int) {
	Must(kernels.AddMatTransMul(w, a, c, inner, width))
}

// Exp is kernels.Exp.
func Exp(dst, x []float64) { Must(kernels.Exp(dst, x)) }

// Log is kernels.Log.
func Log(dst, x []float64) { Must(kernels.Log(dst, x)) }

// Log1p is kernels.Log1p.
func Log1p(dst, x []float64) { Must(kernels.Log1p(dst, x)) }

// Sigmoid is kernels.Sigmoid.
func Sigmoid(dst, x []float64) { Must(kernels.Sigmoid(dst, x)) }

// Softplus is kernels.Softplus.
func Softplus(dst, x []float64) { Must(kernels.Softplus(dst, x)) }

// Weights returns the weights of rows first to end-1, nil where all are 1.
func Weights(weight []float64, first, end int) []float64 {
	if weight == nil {
		return nil
	}
	return weight[first:end]
}

// Weight returns the weight of row i, 1 if weight is nil.
func Weight(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// Offset returns the offset of row i, 0 if offset is nil.
func Offset(offset []float64, i int) float64 {
	if offset == nil {
		return 0
	}
	return offset[i]
}

// Ahead is the number of rows or columns that steps fetch together, that many ahead.
const Ahead = 8
