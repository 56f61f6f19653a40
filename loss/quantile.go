package loss

import (
	"fmt"
	"math"
)

// Quantile is t (y-z) where the target is above the prediction, and (1-t) (z-y) where it is not, with
// t = Level: the pinball loss of quantile regression (Koenker and Bassett 1978, "Regression
// quantiles"). Level is between 0 and 1; 0 means 0.5, the median.
type Quantile struct{ Level float64 }

func (Quantile) String() string { return "quantile" }

// Parameter returns Level, 0.5 for 0.
func (l Quantile) Parameter() float64 {
	if l.Level == 0 {
		return 0.5
	}
	return l.Level
}

// Valid refuses a Level that is not from 1e-6 to 1 - 1e-6.
func (l Quantile) Valid() error {
	if t := l.Parameter(); !(t >= 1e-6 && t <= 1-1e-6) {
		return fmt.Errorf("want a level from 1e-6 to 1 - 1e-6 for the quantile loss, not %v", t)
	}
	return nil
}

func (Quantile) with(level float64) Loss { return Quantile{level} }

func (Quantile) Labels() bool { return false }

func (l Quantile) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.Inf(-1), "")
}

func (Quantile) Finite(_, _ bool) bool { return true }

func (Quantile) Odds() bool { return false }

func (Quantile) Quadratic() bool { return false }

func (Quantile) Attained() bool { return true }

func (l Quantile) lines(float64) lines { return lines{low: -l.Parameter(), high: 1 - l.Parameter()} }

func (Quantile) Jump() float64 { return 1 }

func (l Quantile) Smooth(width float64) Loss { return smoothed{l, width} }

func (l Quantile) Gradient(c, z, y, s []float64) float64 { return gradientOf(l, c, z, y, s) }

func (l Quantile) Sum(z, y, s []float64) float64 { return sumOf(l, z, y, s) }

func (Quantile) Curvature(h, third, z, y, s []float64) { noCurvature(h, third, z, y, s) }

// Start is the best intercept of the squared loss.
func (Quantile) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l Quantile) Slope(z, y float64) float64 { return l.lines(y).slope(z - y) }

func (Quantile) Peak() float64 { return math.Inf(1) }

func (Quantile) Centre(y float64) float64 { return y }

func (l Quantile) Value(r, dr, y float64) (value, err float64) { return valueOf(l, r, dr, y) }

func (l Quantile) SlopeError(z, dz, y, size, c, _ float64) float64 {
	return slopeErrorOf(l, z, dz, y, size, c)
}

// Reach knows nothing: there is no curvature.
func (Quantile) Reach(_, _, _, _, _ float64) (reach, least float64) { return 0, 0 }

func (l Quantile) Part(alpha, z, y, s, _ float64) float64 { return partOf(l, alpha, z, y, s) }

func (l Quantile) Ascend(d *DualRow, z, _ float64) (part float64) {
	part = partOf(l, d.A, z, d.U, 1)
	l.lines(d.U).ascend(d, z-d.U)
	return part
}

func (l Quantile) Warm(d *DualRow, z, y float64) (above float64) { return warm(d, -l.Slope(z, y), y) }

func (Quantile) Logit() bool { return false }

func (l Quantile) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesOf(l, a, y, s)
}
