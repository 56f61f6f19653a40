package loss

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
)

// SquaredInsensitive is max(0, |z-y| - Epsilon)^2/2: residuals up to Epsilon cost nothing. It is
// half of the loss of LIBLINEAR's -s 11 and -s 12. Epsilon is in units of the targets; 0 means 0.1.
type SquaredInsensitive struct{ Epsilon float64 }

func (SquaredInsensitive) String() string { return "squared-epsilon-insensitive" }

// Parameter returns Epsilon, 0.1 for 0.
func (l SquaredInsensitive) Parameter() float64 {
	if l.Epsilon == 0 {
		return 0.1
	}
	return l.Epsilon
}

// Valid refuses an Epsilon that is negative or not finite.
func (l SquaredInsensitive) Valid() error {
	if !(l.Epsilon >= 0) || math.IsInf(l.Epsilon, 0) {
		return fmt.Errorf("want a positive number for the epsilon of the squared epsilon-insensitive loss, not %v", l.Epsilon)
	}
	return nil
}

func (SquaredInsensitive) with(epsilon float64) Loss { return SquaredInsensitive{epsilon} }

func (SquaredInsensitive) Labels() bool { return false }

func (l SquaredInsensitive) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.Inf(-1), "")
}

func (SquaredInsensitive) Finite(_, _ bool) bool { return true }

func (SquaredInsensitive) Odds() bool { return false }

func (SquaredInsensitive) Quadratic() bool { return false }

func (SquaredInsensitive) Attained() bool { return true }

func (l SquaredInsensitive) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		slope, weight := l.Slope(v, y[i]), direct.Weight(s, i)
		sum += float64(weight * float64(float64(0.5*slope)*slope))
		c[i] = float64(weight * slope)
	}
	return sum
}

func (l SquaredInsensitive) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		slope := l.Slope(v, y[i])
		sum += float64(direct.Weight(s, i) * float64(float64(0.5*slope)*slope))
	}
	return sum
}

func (l SquaredInsensitive) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	clear(third)
	for i, v := range z {
		if h[i] = 0; l.Slope(v, y[i]) != 0 {
			h[i] = direct.Weight(s, i)
		}
	}
}

// Start is the best intercept of the squared loss.
func (SquaredInsensitive) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l SquaredInsensitive) Slope(z, y float64) float64 { return beyond(z, y, l.Parameter()) }

func (SquaredInsensitive) Peak() float64 { return 1 }

func (SquaredInsensitive) Centre(y float64) float64 { return y }

func (l SquaredInsensitive) Value(r, dr, _ float64) (value, err float64) {
	m := math.Abs(r) - l.Parameter()
	return quadratic(max(m, 0), max(m+dr, 0), dr)
}

// SlopeError is 0 where the slope is surely 0.
func (l SquaredInsensitive) SlopeError(z, dz, y, size, c, _ float64) float64 {
	if l.Parameter()-math.Abs(z-y) > doubt(z, dz, y, l.Parameter()) {
		return 0
	}
	return slopeError(size, dz, size, c)
}

func (l SquaredInsensitive) Reach(z, dz, y, size, _ float64) (reach, least float64) {
	return inside(math.Abs(z-y)-l.Parameter(), doubt(z, dz, y, l.Parameter()), size)
}

// Bend adds weights by the distance of margins from the kink, |c_i|/s_i.
func (SquaredInsensitive) Bend(t Bends, _, c, s []float64) Bends { return bend(t, 1, 0, 1, c, s) }

func (SquaredInsensitive) Shift(t Bends, rows Rows, slope float64) float64 {
	return shift(t, 1, rows, slope)
}

func (l SquaredInsensitive) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (SquaredInsensitive) ExactWork() int { return residualWork }

// beyond sets r to the slope at a residual r.
func (l SquaredInsensitive) beyond(r *big.Float) *big.Float {
	e, sign := bigmath.Of(r.Prec(), l.Parameter()), r.Sign()
	if r.Sub(r.Abs(r), e); r.Sign() < 0 {
		r.SetInt64(0)
	}
	if sign < 0 {
		r.Neg(r)
	}
	return r
}

func (l SquaredInsensitive) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	return halfSquare(l.beyond(r.Sub(z, y)))
}

func (l SquaredInsensitive) ExactSlope(first, second, z, y *big.Float) {
	second.SetInt64(1)
	if l.beyond(first.Sub(z, y)); first.Sign() == 0 {
		second.SetInt64(0)
	}
}

// ExactSlopeError: Epsilon may be rounded too.
func (l SquaredInsensitive) ExactSlopeError(second, size, _ *big.Float) {
	second.Add(size, bigmath.Of(second.Prec(), l.Parameter()))
}

// ExactReach: |r| <= m + Epsilon with m <= m^2/2 + 1/2.
func (l SquaredInsensitive) ExactReach(v, _ *big.Float) {
	v.Add(v, bigmath.Of(v.Prec(), l.Parameter()))
}

// Part: with the slope m of the loss it is (beta + m)^2/2 where beta has the other sign, and a sum of
// positive terms elsewhere.
func (l SquaredInsensitive) Part(alpha, z, y, s, _ float64) float64 {
	beta, r, m := alpha/s, z-y, l.Slope(z, y)
	if m != 0 && beta > 0 != (m > 0) {
		return float64(float64(0.5*s)*(beta+m)) * (beta + m)
	}
	size := math.Abs(beta)
	if beta < 0 {
		r = -r
	}
	return float64(s * (float64(float64(0.5*m)*m) + float64(size*(float64(0.5*size)+(l.Parameter()+r)))))
}

func (l SquaredInsensitive) Ascend(d *DualRow, z, _ float64) (part float64) {
	part = l.Part(d.A, z, d.U, 1, 0)
	e, toward := l.Parameter(), float64(d.Q*d.A)-(z-d.U)
	d.A = (max(toward-e, 0) + min(toward+e, 0)) / (1 + d.Q)
	return part
}

func (l SquaredInsensitive) Warm(d *DualRow, z, y float64) (above float64) {
	return warm(d, -l.Slope(z, y), math.Abs(y)+l.Parameter())
}

func (SquaredInsensitive) Logit() bool { return false }

// Conjugates: phi*(-a) is a^2/2 + Epsilon |a| - a y.
func (l SquaredInsensitive) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	e := l.Parameter()
	for i, v := range a {
		s, size := direct.Weight(s, i), math.Abs(v)
		own := float64(size * (float64(0.5*size) + e))
		sum += float64(s * math.FMA(-v, y[i], own))
		absolute += float64(s*own) + math.Abs(float64(s*v)*y[i])
	}
	return sum, absolute
}

// PassesPeak: an end has the second derivative 1 if a point between has it.
func (SquaredInsensitive) PassesPeak(_, _, _ float64) bool { return false }
