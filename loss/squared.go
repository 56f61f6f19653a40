package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Squared is (z-y)^2/2.
type Squared struct{}

// IsSquared tells whether a loss is (z-y)^2/2: products and sums of squares over rows then give its
// sum at any weights.
func IsSquared(l Loss) bool {
	_, is := l.(Squared)
	return is
}

func (Squared) String() string { return "squared" }

func (Squared) Labels() bool { return false }

func (l Squared) Check(y []float64) (bad int, err error) { return checkTargets(l, y, math.Inf(-1), "") }

func (Squared) Finite(_, _ bool) bool { return true }

func (Squared) Odds() bool { return false }

func (Squared) Parameter() float64 { return 0 }

func (Squared) Valid() error { return nil }

func (Squared) Gradient(c, z, y, s []float64) float64 {
	return direct.Value(kernels.LossGradient(kernels.Squared, c, z, y, s, 0))
}

func (Squared) Sum(z, y, s []float64) float64 {
	return direct.Value(kernels.LossSum(kernels.Squared, z, y, s, 0))
}

func (Squared) Curvature(h, third, z, y, s []float64) {
	direct.Must(kernels.LossCurvature(kernels.Squared, h, third, z, y, s, 0))
}

func (Squared) Quadratic() bool { return true }

func (Squared) Attained() bool { return true }

// Start is the best intercept.
func (Squared) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (Squared) Slope(z, y float64) float64 { return z - y }

func (Squared) Peak() float64 { return 1 }

func (Squared) Centre(y float64) float64 { return y }

func (Squared) Value(r, dr, _ float64) (value, err float64) {
	size := math.Abs(r)
	return quadratic(size, size+dr, dr)
}

// quadratic returns size^2/2 and the bound of its error, by Taylor: |dphi| <= |phi'| dr + dr^2/2.
// slope bounds |phi'| at the true residual.
func quadratic(size, slope, dr float64) (value, err float64) {
	value = float64(float64(0.5*size) * size)
	return value, float64(slope*dr) + float64(4*direct.Unit*value)
}

func (Squared) SlopeError(_, dz, _, size, c, _ float64) float64 {
	return slopeError(size, dz, size, c)
}

func (Squared) Reach(_, _, _, size, _ float64) (reach, least float64) { return math.Inf(1), size }

// Bend adds the weights to the first element.
func (Squared) Bend(t Bends, y, _, s []float64) Bends {
	if s == nil {
		t[0] += float64(len(y))
	} else {
		t[0] += kernels.Sum(s)
	}
	return t
}

func (Squared) Shift(_ Bends, rows Rows, slope float64) float64 { return slope / (rows.Mass / rows.N) }

func (l Squared) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (Squared) ExactWork() int { return residualWork }

// residualWork is the ExactWork of a loss without an exponential.
const residualWork = 64

func (Squared) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	return halfSquare(r.Sub(z, y))
}

// halfSquare returns r^2/2 in r.
func halfSquare(r *big.Float) *big.Float { return r.Mul(r.Mul(r, r), bigmath.Of(r.Prec(), 0.5)) }

func (Squared) ExactSlope(first, second, z, y *big.Float) {
	second.SetInt64(1)
	first.Sub(z, y)
}

func (Squared) ExactSlopeError(second, size, _ *big.Float) { second.Set(size) }

// ExactReach: |r| <= r^2/2 + 1/2.
func (Squared) ExactReach(_, _ *big.Float) {}

func (Squared) Part(alpha, z, y, s, _ float64) float64 {
	r := alpha/s + (z - y)
	return float64(float64(0.5*s)*r) * r
}

func (Squared) Ascend(d *DualRow, z, _ float64) (part float64) {
	kappa := d.A + (z - d.U)
	d.A -= kappa / (1 + d.Q)
	return float64(float64(0.5*kappa) * kappa)
}

func (l Squared) Warm(d *DualRow, z, y float64) (above float64) { return warm(d, -l.Slope(z, y), y) }

// warm sets the dual variable of a loss whose conjugate is a^2/2 - a y, and returns a
// bound of it.
func warm(d *DualRow, a, y float64) (above float64) {
	d.A = a
	return float64(math.Abs(a) * (float64(0.5*math.Abs(a)) + math.Abs(y)))
}

func (Squared) Logit() bool { return false }

func (Squared) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return halfSquares(a, y, s)
}

// halfSquares is Conjugates for a loss whose conjugate is a^2/2 - a y where a slope of the loss is
// -a.
func halfSquares(a, y, s []float64) (sum, absolute float64) {
	for i, v := range a {
		s := direct.Weight(s, i)
		term := float64(s * math.FMA(0.5*v, v, -float64(v*y[i])))
		sum += term
		absolute += float64(s*float64(0.5*v*v)) + math.Abs(s*v*y[i])
	}
	return sum, absolute
}

func (Squared) PassesPeak(_, _, _ float64) bool { return false }

func (Squared) Information(h, _, s []float64) {
	for i := range h {
		h[i] = direct.Weight(s, i)
	}
}

func (Squared) Dispersed() bool { return true }

// LogLikelihood is that of normal variables with variances v/s_i, where v is the mean of s_i (z_i -
// y_i)^2.
func (l Squared) LogLikelihood(z, y, s []float64, all Totals) float64 {
	n, logs := 0.0, 0.0
	for i := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			n++
			logs += kernels.LogOf(weight)
		}
	}
	variance := all.Deviance / all.Rows
	return float64(0.5*(logs-float64(n*kernels.LogOf(2*math.Pi*variance)))) - l.Sum(z, y, s)/variance
}
