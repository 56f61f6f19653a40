package loss

import (
	"fmt"
	"math"
)

// Insensitive is max(0, |z-y| - Epsilon): residuals up to Epsilon cost nothing. It is the loss of
// LIBLINEAR's -s 13. Epsilon is in units of the targets; 0 means 0.1.
type Insensitive struct{ Epsilon float64 }

func (Insensitive) String() string { return "epsilon-insensitive" }

// Parameter returns Epsilon, 0.1 for 0.
func (l Insensitive) Parameter() float64 {
	if l.Epsilon == 0 {
		return 0.1
	}
	return l.Epsilon
}

// Valid refuses an Epsilon that is negative or not finite.
func (l Insensitive) Valid() error {
	if !(l.Epsilon >= 0) || math.IsInf(l.Epsilon, 0) {
		return fmt.Errorf("want a positive number for the epsilon of the epsilon-insensitive loss, not %v", l.Epsilon)
	}
	return nil
}

func (Insensitive) with(epsilon float64) Loss { return Insensitive{epsilon} }

func (Insensitive) Labels() bool { return false }

func (l Insensitive) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.Inf(-1), "")
}

func (Insensitive) Finite(_, _ bool) bool { return true }

func (Insensitive) Odds() bool { return false }

func (Insensitive) Quadratic() bool { return false }

func (Insensitive) Attained() bool { return true }

func (l Insensitive) lines(float64) lines { return lines{-1, 1, l.Parameter()} }

func (Insensitive) Jump() float64 { return 2 }

func (l Insensitive) Smooth(width float64) Loss { return smoothed{l, width} }

func (l Insensitive) Gradient(c, z, y, s []float64) float64 { return gradientOf(l, c, z, y, s) }

func (l Insensitive) Sum(z, y, s []float64) float64 { return sumOf(l, z, y, s) }

func (Insensitive) Curvature(h, third, z, y, s []float64) { noCurvature(h, third, z, y, s) }

// Start is the best intercept of the squared loss.
func (Insensitive) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l Insensitive) Slope(z, y float64) float64 {
	k := l.lines(y)
	return k.slope(beyond(z, y, k.dead))
}

func (Insensitive) Peak() float64 { return math.Inf(1) }

func (Insensitive) Centre(y float64) float64 { return y }

func (l Insensitive) Value(r, dr, y float64) (value, err float64) { return valueOf(l, r, dr, y) }

func (l Insensitive) SlopeError(z, dz, y, size, c, _ float64) float64 {
	return slopeErrorOf(l, z, dz, y, size, c)
}

// Reach knows nothing: there is no curvature.
func (Insensitive) Reach(_, _, _, _, _ float64) (reach, least float64) { return 0, 0 }

func (l Insensitive) Part(alpha, z, y, s, _ float64) float64 { return partOf(l, alpha, z, y, s) }

func (l Insensitive) Ascend(d *DualRow, z, _ float64) (part float64) {
	part = partOf(l, d.A, z, d.U, 1)
	l.lines(d.U).ascend(d, z-d.U)
	return part
}

func (l Insensitive) Warm(d *DualRow, z, y float64) (above float64) {
	return warm(d, -l.Slope(z, y), math.Abs(y)+l.Parameter())
}

func (Insensitive) Logit() bool { return false }

func (l Insensitive) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesOf(l, a, y, s)
}
