package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
)

// scratch is what Careful needs.
type scratch struct {
	z, dz       []float64 // margins and bounds of their errors
	c, h, third []float64 // s phi', s phi''
	dc          []float64 // bounds of the errors of c
	g, own, all []float64 // the gradient; bounds of its errors without the errors of c, and of all errors
	sums                  // X'c
}

// sums are compensated sums over rows, of products of entries and factors.
type sums struct {
	high, low       []float64 // a sum and what it lost
	absolute, carry []float64 // the sum of absolute terms, what the errors of the factors bring
}

// add adds x c to sum j, where dc bounds the error of c.
func (s *sums) add(j int, x, c, dc float64) {
	product := float64(x * c)
	s.high[j], s.low[j] = direct.Plus(s.high[j], s.low[j], product, math.FMA(x, c, -product))
	s.absolute[j] += math.Abs(product)
	s.carry[j] = math.FMA(math.Abs(x), dc, s.carry[j])
}

// slope is the mean of sum j over n rows, plus the pull of a squared norm. own bounds its error
// where factors have brought the sum one of carry.
func (s *sums) slope(j, n int, pull, carry float64) (slope, own float64) {
	sum := s.high[j] + s.low[j]
	mean := sum / float64(n)
	slope = mean + pull
	err := float64(2*direct.Unit*math.Abs(sum)) + direct.Lost(n, s.absolute[j]) + carry
	return slope, float64(slack * (err/float64(n) + float64(direct.Unit*(math.Abs(mean)+math.Abs(pull)+math.Abs(slope))) + 4*direct.Tiny))
}

// normOf returns the norm of a gradient and, from bounds of its entries' errors, a bound of the
// error: +Inf if a number is not finite.
func normOf(g, errs []float64) (norm, rounding float64) {
	norm = direct.Norm(g)
	rounding = float64(slack*(direct.Norm(errs)+Underflow(4*len(g)))) + float64(float64(float64(len(g)+8)*direct.Unit)*norm)
	if norm-norm != 0 || rounding-rounding != 0 {
		rounding = math.Inf(1)
	}
	return norm, rounding
}

func (b *Bounds) scratch() *scratch {
	if b.work == nil {
		s := &scratch{}
		for _, v := range []*[]float64{&s.z, &s.dz, &s.c, &s.h, &s.third, &s.dc} {
			*v = make([]float64, b.n)
		}
		for _, v := range []*[]float64{&s.g, &s.own, &s.all, &s.high, &s.low, &s.absolute, &s.carry} {
			*v = make([]float64, b.d)
		}
		b.work = s
	}
	return b.work
}

// Careful returns the norm of the gradient at w, a bound of its error, and the least upper bound
// of P(w) - P* that it finds. It stops once this gap is at most target. The gap is +Inf if
// nothing is known, NaN without a regulariser. It takes two sweeps of portable code on one
// goroutine. If target is positive, the bound by curvature takes conjugate gradients, each a
// pass. Use it for points that Rounding cannot decide. Memory: 6 numbers a row, 7 a column.
func (b *Bounds) Careful(w []float64, target float64) (norm, rounding, gap float64) {
	b.learn()
	s := b.scratch()
	b.slopes(w)
	b.transposed(s.c, s.dc)
	held := b.d - b.p.Free()
	for j := range s.g {
		pull := 0.0
		if j < held {
			pull = float64(b.p.Ridge() * w[j])
		}
		s.g[j], s.own[j] = s.slope(j, b.n, pull, 0)
		s.all[j] = float64(slack * (s.own[j] + s.carry[j]/float64(b.n)))
	}
	if norm, rounding = normOf(s.g, s.all); math.IsInf(rounding, 1) {
		return norm, rounding, rounding
	}
	if b.p.Intercept {
		return norm, rounding, b.carefully(norm, rounding)
	}
	gap = b.Gap(norm, rounding)
	if gap > target && target > 0 {
		if v := b.curvature(target); v < gap {
			gap = v
		}
	}
	return norm, rounding, gap
}

// carefully is Careful's gap beside an intercept: the bound by curvature is for penalised weights
// alone.
func (b *Bounds) carefully(norm, rounding float64) float64 {
	s, last := b.work, b.d-1
	at, moved, largest := Intercept{Slope: s.g[last]}, 0.0, 0.0
	at.Add(b.p.Loss, b.p.Y, s.c, b.p.SampleWeight)
	for i, dz := range s.dz {
		weight := direct.Weight(b.p.SampleWeight, i)
		if moved += float64(weight * dz); b.steep != nil && weight > 0 {
			largest = max(largest, dz)
		}
	}
	moved = float64(slack*moved) / float64(b.n)
	if b.steep != nil {
		moved = slack * largest
	}
	return b.gapBeside(&at, norm, rounding, math.Abs(at.Slope)+s.all[last], moved)
}

// Sharpen puts the bounds of Careful into an evaluation of w where they are better.
func (b *Bounds) Sharpen(e *run.Evaluation, w []float64, target float64) {
	norm, rounding, gap := b.Careful(w, target)
	if norm+rounding < e.GradientNorm+e.GradientError || math.IsNaN(e.GradientError) {
		e.GradientNorm, e.GradientError = norm, rounding
	}
	if gap < e.Gap || math.IsNaN(e.Gap) {
		e.Gap = gap
	}
}

// Improve is run.Run.Certify. If possible rounding makes up most of the gap, it sharpens the gap.
// If the run is spent, it sharpens the gap by curvature too.
func (b *Bounds) Improve(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation {
	if !b.hasGap() || !(e.Gap > target) || !spent && !(e.Gap > 2*b.Gap(e.GradientNorm, 0)) {
		return e
	}
	goal := 0.0
	if spent {
		goal = max(target, 1e-9*math.Abs(e.Objective))
	}
	b.Sharpen(&e, w, goal)
	return e
}

// slopes computes margins, slopes and second derivatives at w with their errors.
func (b *Bounds) slopes(w []float64) {
	s, p := b.work, &b.p
	b.margins(s.z, s.dz, w, b.p.Offset)
	p.Loss.Gradient(s.c, s.z, p.Y, p.SampleWeight)
	p.Loss.Curvature(s.h, s.third, s.z, p.Y, p.SampleWeight)
	for i, dz := range s.dz {
		s.dc[i] = b.p.Loss.SlopeError(s.z[i], dz, p.Y[i], math.Abs(direct.Weight(p.SampleWeight, i)), s.c[i], s.h[i])
	}
}

// margins computes z = Xw + o by compensated sums; dz bounds the errors.
func (b *Bounds) margins(z, dz, w, offset []float64) {
	for i := range z {
		z[i], dz[i] = margin(b.p.X.Row(i), w, direct.Offset(offset, i))
	}
}

// transposed computes X'c as high + low, the sums of the absolute terms, and carry, what
// errors dc of c can bring.
func (b *Bounds) transposed(c, dc []float64) {
	s := b.work
	for _, v := range [][]float64{s.high, s.low, s.absolute, s.carry} {
		clear(v)
	}
	for i, ci := range c {
		for j, x := range b.p.X.Row(i) {
			s.add(j, x, ci, dc[i])
		}
	}
	for j := range s.carry {
		s.carry[j] = float64(s.carry[j] * slack)
	}
}
