package certificate

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Of is New for another loss.
func Of(p Problem, l loss.Loss) *Bounds {
	b := New(p)
	b.p.Loss = l
	return b
}

// Slopes returns margins, slopes and bounds of their errors at w.
func (b *Bounds) Slopes(w []float64) (z, dz, c, dc []float64) {
	b.learn()
	s := b.scratch()
	b.slopes(w)
	return s.z, s.dz, s.c, s.dc
}

// Transposed returns of X'c the sums, the sums of absolute terms and what errors dc bring.
func (b *Bounds) Transposed(c, dc []float64) (high, low, absolute, carry []float64) {
	s := b.scratch()
	b.transposed(c, dc)
	return s.high, s.low, s.absolute, s.carry
}

// SlopeOf is sums.slope of one sum.
func SlopeOf(high, low, absolute float64, n int, pull, carry float64) (slope, own float64) {
	s := sums{high: []float64{high}, low: []float64{low}, absolute: []float64{absolute}}
	return s.slope(0, n, pull, carry)
}

// NormOf is normOf.
func NormOf(g, errs []float64) (norm, rounding float64) { return normOf(g, errs) }

// AtMargins has Careful's numbers of the rows be these.
func (b *Bounds) AtMargins(z, dz, dc []float64) {
	b.learn()
	s := b.scratch()
	copy(s.z, z)
	copy(s.dz, dz)
	copy(s.dc, dc)
}

// Straight, Region, Spread and Errors are parts of the bound by curvature.
func (b *Bounds) Straight(i int, c float64) bool {
	s := b.work
	return b.p.Loss.SlopeError(s.z[i], s.dz[i], b.p.Y[i], direct.Weight(b.p.SampleWeight, i), c, 0) == 0
}
func (b *Bounds) Region(i int, h float64) (reach, least float64) { return b.marginReach(i, h) }
func (b *Bounds) Spread(i int, least float64) float64            { return b.spread(i, least) }
func (b *Bounds) Errors(least []float64) float64                 { return b.errors(least) }

// Bound is the upper bound of g'M^-1 g by a vector s, where rows have the curvatures least.
func (b *Bounds) Bound(g, s, least []float64) float64 {
	b.learn()
	b.scratch()
	t := newSystem(b, 0)
	copy(t.s, s)
	for i, l := range least {
		t.h[i] = l / float64(b.n)
	}
	return t.bound(g)
}

// RowOf returns the slopes of a row for all classes and bounds of their errors.
func RowOf(x *sparse.Matrix, i int, w []float64, k, own int) (p, dp []float64, known bool) {
	r := classesRow{high: make([]float64, k), low: make([]float64, k), absolute: make([]float64, k), p: make([]float64, k), dp: make([]float64, k)}
	known = r.slopes(x, i, w, own)
	return r.p, r.dp, known
}

// LeastOf returns lower bounds of the probabilities of a row for all classes.
func LeastOf(x *sparse.Matrix, i int, w []float64, k, own int) []float64 {
	r := classesRow{high: make([]float64, k), low: make([]float64, k), absolute: make([]float64, k), p: make([]float64, k), dp: make([]float64, k), least: make([]float64, k)}
	r.slopes(x, i, w, own)
	return r.least
}

// ByCurvature returns the gradient at w with the errors of its sums and of the slopes, and the
// bound by curvature.
func (b *Bounds) ByCurvature(w []float64) (g, own, dc []float64, gap float64) {
	b.Careful(w, 0)
	s := b.work
	return s.g, s.own, s.dc, b.curvature(0)
}

// LossOf returns the loss of row i by compensated sums, and a bound of its error.
func (p *Problem) LossOf(i int, w []float64) (phi, err float64) {
	return lossOf(p.Loss, p.X.Row(i), p.Y[i], direct.Offset(p.Offset, i), w)
}

// InterceptRounding, Shift and GapBeside are parts of the gap beside an intercept.
func (b *Bounds) InterceptRounding(slope, slopes, weights float64) (err, moved float64) {
	return b.interceptRounding(slope, slopes, weights)
}
func (b *Bounds) Shift(at *Intercept, slope, moved float64) float64 {
	b.learn()
	return b.shift(at, slope, moved)
}
func (b *Bounds) GapBeside(at *Intercept, norm, rounding, slope, moved float64) float64 {
	b.learn()
	return b.gapBeside(at, norm, rounding, slope, moved)
}

// Reach is loss.Within of a problem.
func Reach(p *risk.Problem, k int) float64 {
	if p.Loss.String() == "huber" {
		return loss.Within(p.Loss.Parameter(), k)
	}
	return loss.Within(1, k)
}

// Objective is Sums.objective.
func (t *Sums) Objective(n, levels int, w []float64, p penalty.Compensated) (value, err float64) {
	return t.objective(n, levels, w, p)
}

// RowLoss is the loss of a row of several classes, and a bound of its error.
func RowLoss(x *sparse.Matrix, i int, w []float64, k, own int) (phi, err float64) {
	r := classesRow{high: make([]float64, k), low: make([]float64, k), absolute: make([]float64, k), p: make([]float64, k), dp: make([]float64, k)}
	return r.loss(x, i, w, own)
}

// SumsBySign is sumsBySign.
func SumsBySign(v []float64) (positive, negative float64) { return sumsBySign(v) }
