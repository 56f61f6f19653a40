package loss

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
)

// Expectile is t (z-y)^2 where the target is above the prediction, and (1-t) (z-y)^2 where it is not, with
// t = Level: Newey and Powell 1987, "Asymmetric least squares estimation and testing". At 1/2 it is the
// squared loss. Level is between 0 and 1; 0 means 0.9.
type Expectile struct{ Level float64 }

func (Expectile) String() string { return "expectile" }

// Parameter returns Level, 0.9 for 0.
func (l Expectile) Parameter() float64 {
	if l.Level == 0 {
		return 0.9
	}
	return l.Level
}

// Valid refuses a Level that is not from 1e-6 to 1 - 1e-6.
func (l Expectile) Valid() error {
	if t := l.Parameter(); !(t >= 1e-6 && t <= 1-1e-6) {
		return fmt.Errorf("want a level from 1e-6 to 1 - 1e-6 for the expectile loss, not %v", t)
	}
	return nil
}

func (Expectile) with(level float64) Loss { return Expectile{level} }

// bends returns the second derivatives below and above y, and the smaller and the larger one.
func (l Expectile) bends() (below, above, least, most float64) {
	below, above = 2*l.Parameter(), 2*(1-l.Parameter())
	return below, above, min(below, above), max(below, above)
}

// bend is the second derivative at a residual.
func (l Expectile) bend(r float64) float64 {
	below, above, _, _ := l.bends()
	if r < 0 {
		return below
	}
	return above
}

func (Expectile) Labels() bool { return false }

func (l Expectile) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.Inf(-1), "")
}

func (Expectile) Finite(_, _ bool) bool { return true }

func (Expectile) Odds() bool { return false }

func (Expectile) Quadratic() bool { return false }

func (Expectile) Attained() bool { return true }

func (l Expectile) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		r, weight := v-y[i], direct.Weight(s, i)
		slope := float64(l.bend(r) * r)
		sum += float64(weight * float64(float64(0.5*slope)*r))
		c[i] = float64(weight * slope)
	}
	return sum
}

func (l Expectile) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		r := v - y[i]
		sum += float64(direct.Weight(s, i) * float64(float64(0.5*float64(l.bend(r)*r))*r))
	}
	return sum
}

func (l Expectile) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	clear(third)
	for i, v := range z {
		h[i] = direct.Weight(s, i) * l.bend(v-y[i])
	}
}

// Start is the best intercept of the squared loss.
func (Expectile) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l Expectile) Slope(z, y float64) float64 { return l.bend(z-y) * (z - y) }

func (l Expectile) Peak() float64 {
	_, _, _, most := l.bends()
	return most
}

func (Expectile) Centre(y float64) float64 { return y }

// Value changes by |phi'| dr + most dr^2/2 at most, with the second derivative of the side that the
// residual surely has.
func (l Expectile) Value(r, dr, _ float64) (value, err float64) {
	size, bend := math.Abs(r), l.bend(r)
	value = float64(float64(0.5*float64(bend*size)) * size)
	if size <= dr {
		bend = l.Peak()
	}
	return value, float64(float64(bend*(size+float64(0.5*dr)))*dr) + float64(4*direct.Unit*value)
}

func (l Expectile) SlopeError(z, dz, y, size, c, _ float64) float64 {
	bend := l.bend(z - y)
	if math.Abs(z-y) <= doubt(z, dz, y, 0) {
		bend = l.Peak()
	}
	return slopeError(float64(size*bend), dz, size, c)
}

func (l Expectile) Reach(_, _, _, size, _ float64) (reach, least float64) {
	_, _, bend, _ := l.bends()
	return math.Inf(1), float64(size*bend) * (1 - 4*direct.Unit)
}

// Bend adds the second derivatives to the first element, by the signs of the slopes.
func (l Expectile) Bend(t Bends, _, c, s []float64) Bends {
	for i, v := range c {
		t[0] += float64(direct.Weight(s, i) * l.bend(v))
	}
	return t
}

func (l Expectile) Shift(_ Bends, rows Rows, slope float64) float64 {
	_, _, least, _ := l.bends()
	return slope / float64(least*(rows.Mass/rows.N))
}

func (l Expectile) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (Expectile) ExactWork() int { return residualWork }

func (l Expectile) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	bend := bigmath.Of(z.Prec(), l.bend(float64(r.Sub(z, y).Sign())))
	return bend.Mul(bend, halfSquare(r))
}

func (l Expectile) ExactSlope(first, second, z, y *big.Float) {
	second.SetFloat64(l.bend(float64(first.Sub(z, y).Sign())))
	first.Mul(first, second)
}

func (l Expectile) ExactSlopeError(second, size, _ *big.Float) {
	second.Mul(size, bigmath.Of(second.Prec(), l.Peak()*(1+0x1p-20)))
}

// ExactReach: |r| <= r^2 + 1/4, and r^2 is at most 2 phi over the least second derivative.
func (l Expectile) ExactReach(v, _ *big.Float) {
	_, _, least, _ := l.bends()
	v.Quo(v, bigmath.Of(v.Prec(), least/2))
}

// Part: where r and beta have one sign, all terms are positive. Otherwise one square is left.
func (l Expectile) Part(alpha, z, y, s, _ float64) float64 {
	beta, r := alpha/s, z-y
	h, own := l.bend(r), l.bend(-beta)
	if beta > 0 == (r > 0) && r != 0 {
		return float64(s * (float64(float64(0.5*float64(h*r))*r) + float64(float64(0.5*beta)*beta)/own + float64(beta*r)))
	}
	kappa := r + beta/own
	if r == 0 {
		h = own
	}
	return float64(float64(0.5*float64(s*h))*kappa) * kappa
}

func (l Expectile) Ascend(d *DualRow, z, _ float64) (part float64) {
	part = l.Part(d.A, z, d.U, 1, 0)
	toward := float64(d.Q*d.A) - (z - d.U)
	d.A = toward / (d.Q + 1/l.bend(-toward))
	return part
}

func (l Expectile) Warm(d *DualRow, z, y float64) (above float64) {
	d.A = -l.Slope(z, y)
	size := math.Abs(d.A)
	return float64(size * (float64(0.5*size)/l.bend(-d.A) + math.Abs(y)))
}

func (Expectile) Logit() bool { return false }

// Conjugates: phi*(-a) is a^2/(2 h) - a y, with the second derivative h of the side of a.
func (l Expectile) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	for i, v := range a {
		s, half := direct.Weight(s, i), float64(float64(0.5*v)*v)/l.bend(-v)
		sum += float64(s * math.FMA(-v, y[i], half))
		absolute += float64(s*half) + math.Abs(float64(s*v)*y[i])
	}
	return sum, absolute
}

// PassesPeak: the larger second derivative is at an end.
func (Expectile) PassesPeak(_, _, _ float64) bool { return false }
