package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Gamma is the loss of targets above 0 with a logarithmic link: y exp(-z) - 1 + z - log y. It is half
// the deviance of a gamma variable y whose mean is exp(z), and 0 at z = log y.
type Gamma struct{ logLink }

func (Gamma) String() string { return "gamma" }

func (l Gamma) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.SmallestNonzeroFloat64, "above 0")
}

// Finite: the best constant is log(mean y), and all y are above 0.
func (Gamma) Finite(_, _ bool) bool { return true }

// Attained: each loss grows on both sides.
func (Gamma) Attained() bool { return true }

func (l Gamma) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return deviances(l, c, z, y, nil, s)
}

func (l Gamma) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return deviances(l, nil, z, y, nil, s)
}

// Parts: log y.
func (Gamma) Parts(parts, y []float64) { direct.Log(parts, y) }

func (l Gamma) Weigh(c, z, y, parts, s []float64) float64 {
	sameLengths(len(parts), len(z), len(y), s)
	return deviances(l, c, z, y, parts, s)
}

func (l Gamma) values(values, z, y, parts []float64) { valuesOf(l, values, z, y, parts) }

// rows: phi is (a - 1) + (z - log y), not below 0, with a = y exp(-z).
func (Gamma) rows(values, slopes, z, y, parts []float64) {
	ratios(slopes, z, y)
	for i, log := range parts {
		values[i] = max((slopes[i]-1)+(z[i]-log), 0)
		slopes[i] = 1 - slopes[i]
	}
}

// ratios sets a[i] to y_i exp(-z_i).
func ratios(a, z, y []float64) {
	for i, v := range z {
		a[i] = -v
	}
	direct.Exp(a, a)
	for i, v := range y {
		a[i] *= v
	}
}

// Curvature: phi” is y exp(-z), and each further derivative changes the sign.
func (Gamma) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	ratios(h, z, y)
	for i, v := range h {
		third[i] = -v
	}
	weighCurvature(h, third, s)
}

func (Gamma) Slope(z, y float64) float64 { return 1 - float64(y*kernels.ExpOf(-z)) }

// Levels: phi” = 1 - phi'.
func (Gamma) Levels(levels, y, s []float64) (far float64) {
	far = farthestLog(y, s)
	for i := range levels {
		levels[i] = 1
	}
	return far
}

// Value is exp(-t) - 1 + t with t = z - log y.
func (Gamma) Value(z, dz, y float64) (value, err float64) {
	ratio := float64(y * kernels.ExpOf(-z))
	if !(dz <= 1) {
		return ratio, math.Inf(1)
	}
	t, _, dz := distance(z, dz, y)
	return taylor(exponentialRest(-t), math.Abs(1-ratio), ratio, dz)
}

// Bend adds the sum of s_i - c_i to the first element.
func (Gamma) Bend(t Bends, _, c, s []float64) Bends {
	mass := float64(len(c))
	if s != nil {
		mass = kernels.Sum(s)
	}
	t[0] += mass - kernels.Sum(c)
	return t
}

func (Gamma) ExactValue(z, y *big.Float) *big.Float {
	t := exactDistance(z, y)
	return new(big.Float).SetPrec(z.Prec()).Set(exactRest(t.Neg(t)))
}

func (Gamma) ExactSlope(first, second, z, y *big.Float) {
	second.Mul(bigmath.Exp(clamped(new(big.Float).Neg(z))), y)
	first.Sub(bigmath.Of(z.Prec(), 1), second)
}

// ExactReach: phi is at least |t| - 1 for t = z - log y, on both sides.
func (Gamma) ExactReach(v, y *big.Float) { reachOfLog(v, y) }

// Information: the mean of y exp(-z) is 1.
func (Gamma) Information(h, _, s []float64) { Squared{}.Information(h, nil, s) }

func (Gamma) Dispersed() bool { return true }

// LogLikelihood takes the deviance by the weight of all rows for the dispersion, as R's glm does.
func (Gamma) LogLikelihood(z, y, s []float64, all Totals) float64 {
	shape := all.Weight / all.Deviance
	constant, _ := math.Lgamma(shape)
	sum := 0.0
	for i, y := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			log := kernels.LogOf(shape*y) - z[i]
			sum += float64(weight * (float64(shape*(log-float64(y*kernels.ExpOf(-z[i])))) - kernels.LogOf(y) - constant))
		}
	}
	return sum
}
