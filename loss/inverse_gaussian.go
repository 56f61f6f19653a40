package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// InverseGaussian is the loss of targets above 0 with a logarithmic link: (a - 1)^2/(2 y) with a = y exp(-z).
// It is half the deviance of an inverse Gaussian variable y whose mean is exp(z), and 0 at z = log y. It is
// not convex: far above log y it approaches 1/(2 y) from below.
type InverseGaussian struct{ logLink }

func (InverseGaussian) String() string { return "inverse-gaussian" }

// Convex: phi” is a (2a - 1)/y, below 0 where a < 1/2.
func (InverseGaussian) Convex() bool { return false }

func (l InverseGaussian) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.SmallestNonzeroFloat64, "above 0")
}

// Finite: the best constant is log(mean y), and all y are above 0.
func (InverseGaussian) Finite(_, _ bool) bool { return true }

// Attained: far out on a way of weights, margins that fall make the loss grow for ever, and margins that rise
// make it grow to its limit. So no limit is below what is nearer.
func (InverseGaussian) Attained() bool { return true }

func (l InverseGaussian) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return deviances(l, c, z, y, nil, s)
}

func (l InverseGaussian) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return deviances(l, nil, z, y, nil, s)
}

// Parts: 1/y.
func (InverseGaussian) Parts(parts, y []float64) {
	for i, v := range y {
		parts[i] = 1 / v
	}
}

func (l InverseGaussian) Weigh(c, z, y, parts, s []float64) float64 {
	sameLengths(len(parts), len(z), len(y), s)
	return deviances(l, c, z, y, parts, s)
}

func (l InverseGaussian) values(values, z, y, parts []float64) { valuesOf(l, values, z, y, parts) }

// rows: the slope is a (1 - a)/y.
func (InverseGaussian) rows(values, slopes, z, y, parts []float64) {
	ratios(slopes, z, y)
	for i, a := range slopes {
		off := 1 - a
		values[i] = float64(float64(0.5*off)*off) * parts[i]
		slopes[i] = float64(a*off) * parts[i]
	}
}

// Curvature has the expected second derivatives, exp(-z), and their derivatives.
func (l InverseGaussian) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	l.Information(h, z, nil)
	for i, v := range h {
		third[i] = -v
	}
	weighCurvature(h, third, s)
}

func (InverseGaussian) Slope(z, y float64) float64 {
	a := float64(y * kernels.ExpOf(-z))
	return float64(a*(1-a)) * (1 / y)
}

// Rate: (2 a^2 + a)/y is at most 4 (a |1 - a| + 1)/y, and grows by exp(2 x) at most.
func (InverseGaussian) Rate() float64 { return 4 }

// Levels: 1/y.
func (InverseGaussian) Levels(levels, y, _ []float64) (far float64) {
	for i, v := range y {
		levels[i] = 1 / v * (1 + 1e-12)
	}
	return 0
}

// Even: the logarithm of phi” has no bound where phi” is 0.
func (InverseGaussian) Even() bool { return false }

// most returns a bound of |phi”| within dz of z.
func (InverseGaussian) most(z, dz, y float64) float64 {
	a := float64(float64(y*kernels.ExpOf(-z)) * kernels.ExpOf(dz))
	return float64(a*(float64(2*a)+1)) / y
}

// Value: by Taylor, where what rounding takes of a is as good as an error of the margin of 4 units.
func (l InverseGaussian) Value(z, dz, y float64) (value, err float64) {
	off := 1 - float64(y*kernels.ExpOf(-z))
	value = float64(float64(0.5*off)*off) / y
	dz += 4 * direct.Unit
	return value, float64((math.Abs(l.Slope(z, y))+float64(float64(1.5*l.most(z, dz, y))*dz))*dz) + float64(8*direct.Unit*value)
}

func (l InverseGaussian) SlopeError(z, dz, y, size, c, _ float64) float64 {
	dz += 4 * direct.Unit
	return slopeError(float64(size*l.most(z, dz, y)), dz, size, c)
}

// Reach: nothing is known of least second derivatives.
func (InverseGaussian) Reach(_, _, _, _, _ float64) (reach, least float64) { return 0, 0 }

// Information: the mean of a is 1.
func (InverseGaussian) Information(h, z, s []float64) {
	for i, v := range z {
		h[i] = -v
	}
	direct.Exp(h, h)
	weighAll(h, s)
}

func (InverseGaussian) Dispersed() bool { return true }

// LogLikelihood takes the deviance by the weight of all rows for the dispersion, as R's glm does.
func (l InverseGaussian) LogLikelihood(z, y, s []float64, all Totals) float64 {
	mass, logs := 0.0, 0.0
	for i, y := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			mass += weight
			logs += float64(weight * kernels.LogOf(y))
		}
	}
	dispersion := all.Deviance / all.Weight
	return float64(-0.5*(float64(mass*kernels.LogOf(2*math.Pi*dispersion))+float64(3*logs))) - l.Sum(z, y, s)/dispersion
}
