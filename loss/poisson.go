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
type Poisson struct{}

func (Poisson) String() string { return "poisson" }

func (Poisson) Labels() bool { return false }

func (Poisson) Odds() bool { return false }

func (Poisson) Parameter() float64 { return 0 }

func (Poisson) Valid() error { return nil }

func (l Poisson) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, 0, "of 0 or more")
}

// Finite: the best constant is log(mean y).
func (Poisson) Finite(above, _ bool) bool { return above }

func (Poisson) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return halfDeviances(c, z, y, s)
}

func (Poisson) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return halfDeviances(nil, z, y, s)
}

// halfDeviances returns the sum of s_i phi(z_i) for phi = (exp(z) - y) - y (z - log y), not below 0.
// It sets c[i] to s_i phi'(z_i), if c is not nil. A row of weight 0 adds 0, even if exp(z) is +Inf.
func halfDeviances(c, z, y, s []float64) float64 {
	work := direct.Borrow(2 * len(z))
	defer direct.Return(work)
	means, logs := work[:len(z)], work[len(z):]
	direct.Exp(means, z)
	direct.Log(logs, y)
	sum := 0.0
	for i, v := range z {
		slope, value := means[i]-y[i], means[i]
		if y[i] > 0 {
			value = max(slope-float64(y[i]*(v-logs[i])), 0)
		}
		if s != nil {
			if s[i] == 0 {
				slope, value = 0, 0
			}
			slope *= s[i]
			value *= s[i]
		}
		if c != nil {
			c[i] = slope
		}
		sum += value
	}
	return sum
}

// Curvature: all derivatives from the second one on are exp(z).
func (Poisson) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	direct.Exp(h, z)
	for i, weight := range s {
		if weight == 0 {
			h[i] = 0
		}
		h[i] *= weight
	}
	copy(third, h)
}

func (Poisson) Quadratic() bool { return false }

// Attained: rows of y = 0 alone push their columns to minus infinity.
func (Poisson) Attained() bool { return false }

// Side is -1 for counts of 0.
func (Poisson) Side(y float64) int {
	if y == 0 {
		return -1
	}
	return 0
}

// Start is the best intercept. Where all y are 0, they count as half a row of 1. It is 0 where the
// mean of exp(o) is beyond float64.
func (Poisson) Start(mean, offset float64, n int) float64 {
	rate := max(mean, 0.5/float64(n)) / offset
	if !(rate > 0) || math.IsInf(rate, 1) {
		return 0
	}
	return kernels.LogOf(rate)
}

// Mean is the inverse of the link.
func (Poisson) Mean(z float64) float64 { return kernels.ExpOf(z) }

func (Poisson) Slope(z, y float64) float64 { return kernels.ExpOf(z) - y }

// Peak: the second derivative has no bound; see Level.
func (Poisson) Peak() float64 { return math.Inf(1) }

// Level: phi” = phi' + y.
func (Poisson) Level(y float64) (level, far float64) {
	if y > 0 {
		far = math.Abs(kernels.LogOf(y))
	}
	return y, far
}

func (Poisson) Centre(float64) float64 { return 0 }

// Value is y (exp(t) - 1 - t) with t = z - log y. It changes by (|phi'| + exp(z) dz) dz at most for
// dz up to 1, as exp(dz) - 1 - dz <= dz^2 there.
func (Poisson) Value(z, dz, y float64) (value, err float64) {
	mean := kernels.ExpOf(z)
	if !(dz <= 1) {
		return mean, math.Inf(1)
	}
	value, slope, size := mean, mean, mean
	if y > 0 {
		log := kernels.LogOf(y)
		t := z - log
		slope = mean - y
		value = float64(y * exponentialRest(t))
		dz += float64(4 * direct.Unit * (math.Abs(z) + math.Abs(log))) // errors of t
		size = value
	}
	return value, float64((math.Abs(slope)+float64(4*direct.Unit*mean)+float64(mean*dz))*dz) + float64(32*direct.Unit*size)
}

// exponentialRest returns exp(t) - 1 - t with a relative error below 2^-49: by its series near 0,
// where the difference would lose digits.
func exponentialRest(t float64) float64 {
	if math.Abs(t) > 0.5 {
		return (kernels.ExpOf(t) - 1) - t
	}
	sum := 1.0
	for k := 18; k > 2; k-- {
		sum = 1 + float64(t/float64(k)*sum)
	}
	return float64(float64(0.5*t)*t) * sum
}

// SlopeError: the logarithm of phi” is Lipschitz with 1.
func (Poisson) SlopeError(_, dz, _, size, c, h float64) float64 {
	if !(dz < 1) {
		return math.Inf(1)
	}
	steepest := float64(float64(math.Abs(h)*(1+float64(2*dz)))*Slack) + direct.Tiny
	return slopeError(steepest, dz, size, c) + float64(4*direct.Unit*math.Abs(h))
}

// Reach is the logistic loss's: second derivatives fall by exp(-reach) at most.
func (Poisson) Reach(z, dz, y, size, h float64) (reach, least float64) {
	return Logistic{}.Reach(z, dz, y, size, h)
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

// Shift: the logarithm of phi” is Lipschitz with 1, for the true margins too.
func (Poisson) Shift(t Bends, rows Rows, slope float64) float64 {
	if !(rows.Moved < 1) {
		return math.Inf(1)
	}
	return lipschitzShift(slope, float64((t[0]/(Slack*rows.N)-rows.Lost)*(1-rows.Moved)))
}

// Most: exp(x) <= 1+2x for x up to 1.
func (Poisson) Most(t Bends, rows Rows, far float64) float64 {
	if far += rows.Moved; !(far <= 1) {
		return math.Inf(1)
	}
	return float64((float64(Slack*t[0]/rows.N) + rows.Lost) * (1 + float64(2*far)))
}

func (Poisson) ExactWork() int { return 512 }

// farthest is where exp(z) stands for larger ones: both are beyond float64 by far.
const farthest = 0x1p15

func clamped(z *big.Float) *big.Float {
	if most := bigmath.Of(z.Prec(), farthest); z.Cmp(most) > 0 {
		return most
	}
	return z
}

// ExactValue is y (exp(t) - 1 - t) with t = z - log y, in three times the precision: near t = 0 the
// difference loses as many digits as t^2 has zeros.
func (Poisson) ExactValue(z, y *big.Float) *big.Float {
	precision := z.Prec()
	if y.Sign() == 0 {
		return bigmath.Exp(clamped(z))
	}
	wide := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(3*precision + 64).Set(x) }
	t := wide(z)
	t = clamped(t.Sub(t, bigmath.Log(wide(y))))
	rest := wide(t)
	if t.MantExp(nil) < -int(precision) {
		rest.Mul(rest, t)
		rest.Mul(rest, wide(big.NewFloat(0.5)))
	} else {
		rest.Sub(bigmath.Exp(t), wide(big.NewFloat(1)))
		rest.Sub(rest, t)
	}
	return new(big.Float).SetPrec(precision).Mul(rest, y)
}

func (Poisson) ExactSlope(first, second, z, y *big.Float) {
	second.Set(bigmath.Exp(clamped(z)))
	first.Sub(second, y)
}

// ExactSlopeError: exp(z) errs by a unit of itself, and exp(d) <= 1+2d for d up to 1.
func (Poisson) ExactSlopeError(second, size, unit *big.Float) {
	moved := new(big.Float).Mul(size, unit)
	if moved.Cmp(big.NewFloat(1)) > 0 {
		second.SetInf(false)
		return
	}
	second.Mul(second, new(big.Float).Add(size, big.NewFloat(1)))
	moved.Mul(moved, big.NewFloat(2))
	second.Mul(second, moved.Add(moved, big.NewFloat(1+0x1p-20)))
}

// ExactReach: for t = z - log y, phi/y is at least t^2/2 above t = 0 and -1-t below, so that |t| <=
// phi/y + 1. Where y is 0, z <= log phi <= phi.
func (Poisson) ExactReach(v, y *big.Float) {
	if y.Sign() == 0 {
		return
	}
	v.Quo(v, y)
	v.Add(v, y)
	v.Add(v, new(big.Float).Abs(bigmath.Log(y)))
}

func (Poisson) Information(h, z, s []float64) {
	direct.Exp(h, z)
	for i, weight := range s {
		if weight == 0 {
			h[i] = 0
		}
		h[i] *= weight
	}
}

func (Poisson) Dispersed() bool { return false }

func (Poisson) LogLikelihood(z, y, s []float64) float64 {
	sum := 0.0
	for i, y := range y {
		if weight := direct.Weight(s, i); weight > 0 {
			factorial, _ := math.Lgamma(y + 1)
			sum += float64(weight * (float64(y*z[i]) - kernels.ExpOf(z[i]) - factorial))
		}
	}
	return sum
}
