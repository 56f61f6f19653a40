package loss

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// NegativeBinomial is the loss of counts with a logarithmic link whose variance m + Theta m^2 is above
// their mean m: half the deviance of a negative binomial variable y whose mean is exp(z),
//
//	(y + 1/Theta) log((1 + Theta exp(z))/(1 + Theta y)) - y (z - log y)
//
// It is 0 at z = log y. Theta is above 0; 0 means 1. R's glm.nb calls 1/Theta theta.
type NegativeBinomial struct {
	logLink
	Theta float64
}

func (NegativeBinomial) String() string { return "negative-binomial" }

// Parameter returns Theta, 1 for 0.
func (l NegativeBinomial) Parameter() float64 {
	if l.Theta == 0 {
		return 1
	}
	return l.Theta
}

// Valid refuses a Theta that is not from 1e-6 to 1e6.
func (l NegativeBinomial) Valid() error {
	if t := l.Parameter(); !(t >= 1e-6 && t <= 1e6) {
		return fmt.Errorf("want a theta from 1e-6 to 1e6 for the negative binomial loss, not %v; next to 0 it is the poisson loss", t)
	}
	return nil
}

func (NegativeBinomial) with(theta float64) Loss { return NegativeBinomial{Theta: theta} }

func (l NegativeBinomial) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, 0, "of 0 or more")
}

// Finite: the best constant is log(mean y).
func (NegativeBinomial) Finite(above, _ bool) bool { return above }

// Attained: rows of y = 0 alone push their columns to minus infinity.
func (NegativeBinomial) Attained() bool { return false }

// Side is -1 for counts of 0.
func (NegativeBinomial) Side(y float64) int { return sideOfZero(y) }

func (l NegativeBinomial) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return deviances(l, c, z, y, nil, s)
}

func (l NegativeBinomial) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return deviances(l, nil, z, y, nil, s)
}

// Parts: log y, 0 for y of 0.
func (NegativeBinomial) Parts(parts, y []float64) { logsOf(parts, y) }

func (l NegativeBinomial) Weigh(c, z, y, parts, s []float64) float64 {
	sameLengths(len(parts), len(z), len(y), s)
	return deviances(l, c, z, y, parts, s)
}

func (l NegativeBinomial) values(values, z, y, parts []float64) { valuesOf(l, values, z, y, parts) }

// rows: phi is not below 0, and its slope is (m - y)/(1 + theta m) with m = exp(z).
func (l NegativeBinomial) rows(values, slopes, z, y, parts []float64) {
	theta := l.Parameter()
	rest := direct.Borrow(len(z))
	defer direct.Return(rest)
	shift := kernels.LogOf(theta)
	for i, v := range z {
		values[i] = v + shift
		rest[i] = float64(theta * y[i])
	}
	direct.Softplus(values, values)
	direct.Log1p(rest, rest)
	l.means(slopes, z)
	for i, mean := range slopes {
		y := y[i]
		slopes[i] = (mean - y) / (1 + float64(theta*mean))
		v := float64((y + 1/theta) * (values[i] - rest[i]))
		values[i] = max(v-where(aboveZero(y), float64(y*(z[i]-parts[i]))), 0)
	}
}

// mostMean is an exponent above which the slope no longer changes.
const mostMean = 690

// means sets m[i] to exp(z_i), at most exp(mostMean).
func (NegativeBinomial) means(m, z []float64) {
	for i, v := range z {
		m[i] = min(v, mostMean)
	}
	direct.Exp(m, m)
}

// Curvature: with p = theta m/(1 + theta m), phi” is (1 + theta y) m/(1 + theta m)^2, and phi”' is
// (1 - 2p) phi”.
func (l NegativeBinomial) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	theta := l.Parameter()
	l.means(h, z)
	for i, mean := range h {
		sum := 1 + float64(theta*mean)
		h[i] = float64((1+float64(theta*y[i]))/sum) * (mean / sum)
		third[i] = h[i] * ((1 - float64(theta*mean)) / sum)
	}
	weighCurvature(h, third, s)
}

// at returns exp(z), its slope and its curvature.
func (l NegativeBinomial) at(z, y float64) (slope, bend float64) {
	theta, mean := l.Parameter(), kernels.ExpOf(min(z, mostMean))
	sum := 1 + float64(theta*mean)
	return (mean - y) / sum, float64((1+float64(theta*y))/sum) * (mean / sum)
}

func (l NegativeBinomial) Slope(z, y float64) float64 {
	slope, _ := l.at(z, y)
	return slope
}

// Levels: phi” = (phi' + y) (1 - p).
func (l NegativeBinomial) Levels(levels, y, s []float64) (far float64) {
	far = farthestLog(y, s)
	copy(levels, y)
	return 2 + math.Abs(kernels.LogOf(l.Parameter())) + far
}

// Value: of y above 0 it is (y + 1/theta) K(p, t), where t = z - log y, p = theta y/(1 + theta y) and
// K(p, t) = log(1 + p (exp(t) - 1)) - p t.
func (l NegativeBinomial) Value(z, dz, y float64) (value, err float64) {
	theta := l.Parameter()
	slope, bend := l.at(z, y)
	slope = float64(math.Abs(slope) * (1 + 8*direct.Unit))
	if !(dz <= 1) {
		return slope, math.Inf(1)
	}
	if y == 0 {
		shift := kernels.LogOf(theta)
		value = softplus(z+shift) / theta
		value, err = taylor(value, slope, bend, dz+float64(4*direct.Unit*(math.Abs(z)+math.Abs(shift))))
		return value, err
	}
	t, _, dz := distance(z, dz, y)
	product := float64(theta * y)
	p := product / (1 + product)
	if p > 0.5 {
		p, t = 1/(1+product), -t
	}
	value, err = taylor(float64((y+1/theta)*entropy(p, t)), slope, bend, dz)
	return value, err + float64(128*direct.Unit*value)
}

// entropy returns log(1 + v) - p t for v = p (exp(t) - 1), 0 < p <= 1/2: the divergence of a probability
// p from p exp(t)/(1 + v). Up to v = 1 it is p (exp(t) - 1 - t) less v - log(1 + v), of which the latter
// is less than 0.7 of the former.
func entropy(p, t float64) float64 {
	if t > 40 { // exp(t) may overflow
		return (t + kernels.LogOf(p+float64((1-p)*kernels.ExpOf(-t)))) - float64(p*t)
	}
	rest := exponentialRest(t)
	v := float64(p * (t + rest))
	if v > 1 {
		return kernels.Log1pOf(v) - float64(p*t)
	}
	return float64(p*rest) - logRest(v)
}

// logRest returns v - log(1 + v) for v from -1/2 to 1, with a relative error of a few units: by
// log(1 + v) = 2 (s + s^3/3 + ...) with s = v/(2 + v), and v - 2s = s v.
func logRest(v float64) float64 {
	s := v / (2 + v)
	square := float64(s * s)
	sum := 1. / 41
	for k := 39; k > 2; k -= 2 {
		sum = 1/float64(k) + float64(square*sum)
	}
	return float64(s*v) - float64(float64(2*s*square)*sum)
}

// Bend adds to the first element a lower bound of the sum of phi” = (c_i + s_i y_i)(1 - p_i) with 1 - p_i =
// (1 - theta c_i/s_i)/(1 + theta y_i), and to the second one what it may be too low.
func (l NegativeBinomial) Bend(t Bends, y, c, s []float64) Bends {
	theta := l.Parameter()
	for i, v := range c {
		weight := direct.Weight(s, i)
		if weight == 0 {
			continue
		}
		slope := v / weight
		mean := (slope + y[i]) / (1 + float64(theta*y[i]))
		const doubt = 32 * direct.Unit
		low, high := max(1-float64(theta*slope)-doubt, 0), max(1-float64(theta*slope)+doubt, 0)
		t[0] += float64(float64(weight*mean) * low)
		t[1] += float64(float64(weight*mean) * (high - low))
	}
	return t
}

func (l NegativeBinomial) ExactValue(z, y *big.Float) *big.Float {
	precision := 3*z.Prec() + 64
	of := func(x float64) *big.Float { return bigmath.Of(precision, x) }
	theta := of(l.Parameter())
	shifted := wide(z.Prec(), z)
	value := bigmath.Softplus(shifted.Add(shifted, bigmath.Log(theta)))
	product := new(big.Float).Mul(theta, wide(z.Prec(), y))
	value.Sub(value, bigmath.Log1p(product))
	value.Mul(value, new(big.Float).Quo(new(big.Float).Add(product, of(1)), theta))
	if y.Sign() > 0 {
		t := exactDistance(z, y)
		value.Sub(value, t.Mul(t, wide(z.Prec(), y)))
	}
	return new(big.Float).SetPrec(z.Prec()).Set(value)
}

func (l NegativeBinomial) ExactSlope(first, second, z, y *big.Float) {
	precision := z.Prec()
	theta, one := bigmath.Of(precision, l.Parameter()), bigmath.Of(precision, 1)
	mean := bigmath.Exp(clamped(z))
	sum := new(big.Float).Mul(theta, mean)
	sum.Add(sum, one)
	first.Quo(first.Sub(mean, y), sum)
	second.Add(second.Mul(theta, y), one)
	second.Mul(second.Quo(second, sum), mean.Quo(mean, sum))
}

// ExactReach: |phi'| is at least y/(1 + theta y) (1 - exp(-|t|)) for t = z - log y. Where y is 0, z <=
// theta phi - log theta.
func (l NegativeBinomial) ExactReach(v, y *big.Float) {
	theta := bigmath.Of(v.Prec(), l.Parameter())
	if y.Sign() == 0 {
		v.Mul(v, theta)
		v.Add(v, theta.Abs(bigmath.Log(theta)))
		return
	}
	product := new(big.Float).Mul(theta, y)
	v.Mul(v, product.Add(product, bigmath.Of(v.Prec(), 1)))
	v.Quo(v, y)
	reachOfLog(v, y)
}

// Information is m/(1 + Theta m) for the mean m = exp(z).
func (l NegativeBinomial) Information(h, z, s []float64) {
	t := l.Parameter()
	direct.Exp(h, z)
	for i, m := range h {
		if h[i] = m / (1 + float64(t*m)); math.IsInf(m, 1) {
			h[i] = 1 / t
		}
	}
	weighAll(h, s)
}

func (NegativeBinomial) Dispersed() bool { return false }

func (l NegativeBinomial) LogLikelihood(z, y, s []float64, _ Totals) float64 {
	t, sum := l.Parameter(), 0.0
	constant, _ := math.Lgamma(1 / t)
	shift := kernels.LogOf(t)
	for i, y := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			above, _ := math.Lgamma(y + 1/t)
			factorial, _ := math.Lgamma(y + 1)
			log := softplus(z[i] + shift)
			sum += float64(weight * (above - constant - factorial + float64(y*(z[i]+shift-log)) - log/t))
		}
	}
	return sum
}
