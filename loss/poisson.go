package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Poisson is the loss of counts with a logarithmic link: exp(z) - y - y (z - log y), for y of 0 or
// more. It is half the deviance of a Poisson variable y whose mean is exp(z), and 0 at z = log y.
type Poisson struct{ logLink }

func (Poisson) String() string { return "poisson" }

func (l Poisson) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, 0, "of 0 or more")
}

// Finite: the best constant is log(mean y).
func (Poisson) Finite(above, _ bool) bool { return above }

func (l Poisson) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return deviances(l, c, z, y, nil, s)
}

func (l Poisson) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return deviances(l, nil, z, y, nil, s)
}

// Parts: log y, 0 for y of 0.
func (Poisson) Parts(parts, y []float64) { logsOf(parts, y) }

func (l Poisson) Weigh(c, z, y, parts, s []float64) float64 {
	sameLengths(len(parts), len(z), len(y), s)
	return deviances(l, c, z, y, parts, s)
}

func (l Poisson) values(values, z, y, parts []float64) { valuesOf(l, values, z, y, parts) }

// rows: phi is (exp(z) - y) - y (z - log y), not below 0.
func (Poisson) rows(values, slopes, z, y, parts []float64) {
	direct.Exp(values, z)
	slopes, z, y, parts = slopes[:len(values)], z[:len(values)], y[:len(values)], parts[:len(values)]
	for i, mean := range values {
		y, log := y[i], parts[i]
		slope := mean - y
		slopes[i] = slope
		values[i] = max(slope-where(aboveZero(y), float64(y*(z[i]-log))), 0)
	}
}

// Curvature: all derivatives from the second one on are exp(z).
func (Poisson) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	direct.Exp(h, z)
	copy(third, h)
	weighCurvature(h, third, s)
}

// Attained: rows of y = 0 alone push their columns to minus infinity.
func (Poisson) Attained() bool { return false }

// Side is -1 for counts of 0.
func (Poisson) Side(y float64) int { return sideOfZero(y) }

// sideOfZero is Side where a mean of exp(z) falls to a target of 0.
func sideOfZero(y float64) int {
	if y == 0 {
		return -1
	}
	return 0
}

func (Poisson) Slope(z, y float64) float64 { return kernels.ExpOf(z) - y }

// Levels: phi” = phi' + y.
func (Poisson) Levels(levels, y, s []float64) (far float64) {
	far = farthestLog(y, s)
	copy(levels, y)
	return far
}

// Value is y (exp(t) - 1 - t) with t = z - log y.
func (Poisson) Value(z, dz, y float64) (value, err float64) {
	mean := kernels.ExpOf(z)
	if !(dz <= 1) {
		return mean, math.Inf(1)
	}
	if y == 0 {
		return taylor(mean, mean, mean, dz)
	}
	t, _, dz := distance(z, dz, y)
	return taylor(float64(y*exponentialRest(t)), math.Abs(mean-y), mean, dz)
}

// Bend adds the sum of c_i + s_i y_i to the first element.
func (Poisson) Bend(t Bends, y, c, s []float64) Bends {
	if s == nil {
		t[0] += kernels.Sum(c) + kernels.Sum(y)
	} else {
		t[0] += kernels.Sum(c) + direct.Dot(s, y)
	}
	return t
}

// ExactValue is y (exp(t) - 1 - t) with t = z - log y.
func (Poisson) ExactValue(z, y *big.Float) *big.Float {
	if y.Sign() == 0 {
		return bigmath.Exp(clamped(z))
	}
	return new(big.Float).SetPrec(z.Prec()).Mul(exactRest(exactDistance(z, y)), y)
}

func (Poisson) ExactSlope(first, second, z, y *big.Float) {
	second.Set(bigmath.Exp(clamped(z)))
	first.Sub(second, y)
}

// ExactReach: for t = z - log y, phi/y is at least t^2/2 above t = 0 and -1-t below, so that |t| <=
// phi/y + 1. Where y is 0, z <= log phi <= phi.
func (Poisson) ExactReach(v, y *big.Float) {
	if y.Sign() == 0 {
		return
	}
	v.Quo(v, y)
	reachOfLog(v, y)
}

func (Poisson) Information(h, z, s []float64) {
	direct.Exp(h, z)
	weighAll(h, s)
}

func (Poisson) Dispersed() bool { return false }

func (Poisson) LogLikelihood(z, y, s []float64, _ Totals) float64 {
	sum := 0.0
	for i, y := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			factorial, _ := math.Lgamma(y + 1)
			sum += float64(weight * (float64(y*z[i]) - kernels.ExpOf(z[i]) - factorial))
		}
	}
	return sum
}
