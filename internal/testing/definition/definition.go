// Package definition writes losses down once more, as their documentation has them, in numbers of any
// precision: for tests to hold losses, certificates and solvers against. It shares no mathematics with
// them but exp and log of bigmath.
package definition

import (
	"math"
	"math/big"
	"sync"

	"github.com/lanes-go/lanes/internal/bigmath"
)

// Loss returns phi(z, y) and its first two derivatives in z, to about the precision of z, and of the
// right side of a kink.
type Loss func(z *big.Float, y float64) (value, slope, curvature *big.Float)

// Of returns the definition of a loss by its name and its parameter; nil for those losses that
// internal/testing/certificatetest and internal/testing/reference define themselves.
func Of(name string, parameter float64) Loss {
	switch name {
	case "gamma":
		return gamma
	case "tweedie":
		return tweedie(parameter)
	case "negative-binomial":
		return negativeBinomial(parameter)
	case "expectile":
		return expectile(parameter)
	case "squared-epsilon-insensitive":
		return insensitive(parameter)
	case "hinge":
		return hinge
	case "epsilon-insensitive":
		return lines(1, 1, parameter)
	case "quantile":
		return lines(parameter, 1-parameter, 0)
	case "inverse-gaussian":
		return inverseGaussian
	case "probit":
		return probit
	case "cloglog":
		return cloglog
	}
	return nil
}

// Reach returns the bound of loss.Exact's ExactReach for a value phi.
func Reach(name string, parameter, phi, y float64) float64 {
	switch name {
	case "gamma":
		return phi + y + math.Abs(math.Log(y))
	case "tweedie":
		if y == 0 {
			return phi
		}
		return phi/math.Pow(y, 2-parameter) + y + math.Abs(math.Log(y))
	case "negative-binomial":
		if y == 0 {
			return float64(phi*parameter) + math.Abs(math.Log(parameter))
		}
		return phi*(1+float64(parameter*y))/y + y + math.Abs(math.Log(y))
	case "expectile":
		return phi / min(parameter, 1-parameter)
	case "squared-epsilon-insensitive":
		return phi + parameter
	}
	return math.NaN()
}

// numbers computes with numbers of one precision.
type numbers uint

func (n numbers) of(x float64) *big.Float { return bigmath.Of(uint(n), x) }

func (n numbers) new() *big.Float                  { return new(big.Float).SetPrec(uint(n)) }
func (n numbers) plus(a, b *big.Float) *big.Float  { return n.new().Add(a, b) }
func (n numbers) minus(a, b *big.Float) *big.Float { return n.new().Sub(a, b) }
func (n numbers) times(a, b *big.Float) *big.Float { return n.new().Mul(a, b) }
func (n numbers) over(a, b *big.Float) *big.Float  { return n.new().Quo(a, b) }
func (n numbers) log(a *big.Float) *big.Float      { return bigmath.Log(n.new().Set(a)) }

func (n numbers) log1p(a *big.Float) *big.Float { return bigmath.Log1p(n.new().Set(a)) }

// exp is exp(a), and exp(2^15) for larger ones: both are beyond float64 by far.
func (n numbers) exp(a *big.Float) *big.Float {
	if most := n.of(0x1p15); a.Cmp(most) > 0 {
		a = most
	}
	return bigmath.Exp(n.new().Set(a))
}

// gamma is y exp(-z) - 1 + z - log y.
func gamma(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	n := numbers(z.Prec() + 200)
	one, target := n.of(1), n.of(y)
	ratio := n.times(target, n.exp(n.minus(n.of(0), z)))
	return n.plus(n.minus(ratio, one), n.minus(z, n.log(target))), n.minus(one, ratio), ratio
}

// tweedie is exp((2-p) z)/(2-p) + y exp((1-p) z)/(p-1) - y^(2-p)/((2-p)(p-1)), over one denominator.
func tweedie(p float64) Loss {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		n := numbers(z.Prec() + 200)
		q, r, target := n.of(p-1), n.of(2-p), n.of(y)
		a := n.times(target, n.exp(n.times(n.of(1-p), z)))
		b := n.exp(n.times(r, z))
		value = n.plus(n.times(q, b), n.times(r, a))
		if y > 0 {
			value = n.minus(value, n.exp(n.times(r, n.log(target))))
		}
		return n.over(value, n.times(q, r)), n.minus(b, a), n.plus(n.times(q, a), n.times(r, b))
	}
}

// negativeBinomial is (y + 1/t) log((1 + t exp(z))/(1 + t y)) - y (z - log y).
func negativeBinomial(t float64) Loss {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		n := numbers(z.Prec() + 200)
		one, theta, target, mean := n.of(1), n.of(t), n.of(y), n.exp(z)
		sum, own := n.plus(one, n.times(theta, mean)), n.plus(one, n.times(theta, target))
		value = n.minus(n.log1p(n.times(theta, mean)), n.log1p(n.times(theta, target)))
		value = n.times(n.plus(target, n.over(one, theta)), value)
		if y > 0 {
			value = n.minus(value, n.times(target, n.minus(z, n.log(target))))
		}
		return value, n.over(n.minus(mean, target), sum), n.over(n.times(own, mean), n.times(sum, sum))
	}
}

// expectile is t (z-y)^2 below y, and (1-t) (z-y)^2 from y on.
func expectile(t float64) Loss {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		n := numbers(z.Prec() + 200)
		r, weight := n.minus(z, n.of(y)), n.of(1-t)
		if r.Sign() < 0 {
			weight = n.of(t)
		}
		bend := n.times(n.of(2), weight)
		return n.times(weight, n.times(r, r)), n.times(bend, r), bend
	}
}

// insensitive is max(0, |z-y| - e)^2/2.
func insensitive(e float64) Loss {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		n := numbers(z.Prec() + 200)
		r, zero := n.minus(z, n.of(y)), n.of(0)
		switch {
		case r.Cmp(n.of(e)) >= 0:
			r = n.minus(r, n.of(e))
		case r.Cmp(n.of(-e)) < 0:
			r = n.plus(r, n.of(e))
		default:
			return zero, zero, zero
		}
		return n.times(n.of(0.5), n.times(r, r)), r, n.of(1)
	}
}

// hinge is max(0, 1 - y z).
func hinge(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	n := numbers(z.Prec() + 200)
	m, zero := n.minus(n.of(1), n.times(n.of(y), z)), n.of(0)
	if m.Sign() < 0 || m.Sign() == 0 && y > 0 {
		return zero, zero, zero
	}
	return m, n.of(-y), zero
}

// lines is below max(0, y - z - e) + above max(0, z - y - e).
func lines(below, above, e float64) Loss {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		n := numbers(z.Prec() + 200)
		r, zero := n.minus(z, n.of(y)), n.of(0)
		switch {
		case r.Cmp(n.of(e)) >= 0:
			return n.times(n.of(above), n.minus(r, n.of(e))), n.of(above), zero
		case r.Cmp(n.of(-e)) < 0:
			return n.times(n.of(-below), n.plus(r, n.of(e))), n.of(-below), zero
		}
		return zero, zero, zero
	}
}

// inverseGaussian is (y exp(-z) - 1)^2/(2 y).
func inverseGaussian(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	n := numbers(z.Prec() + 200)
	a := n.times(n.of(y), n.exp(n.minus(n.of(0), z)))
	off := n.minus(a, n.of(1))
	value = n.over(n.times(off, off), n.of(2*y))
	slope = n.over(n.times(a, n.minus(n.of(0), off)), n.of(y))
	return value, slope, n.over(n.times(a, n.plus(off, a)), n.of(y))
}

// probit is -log P(y z), where P is the distribution of a normal variable.
func probit(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	n := numbers(z.Prec() + 200) // with what 1/2 less a distance cancels
	m := n.times(z, n.of(y))
	half := n.exp(n.times(n.of(0.5), n.times(m, m)))
	var mills *big.Float // P/P'
	switch near := n.new().Abs(m).Cmp(n.of(10)) < 0; {
	case near:
		mills = n.plus(n.away(m), n.times(n.of(0.5), n.times(n.sqrtTwoPi(), half)))
	case m.Sign() < 0:
		mills = n.tail(m)
	default:
		mills = n.minus(n.times(n.sqrtTwoPi(), half), n.tail(m))
	}
	r := n.over(n.of(1), mills)
	if m.Cmp(n.of(10)) < 0 {
		value = n.plus(n.log(n.times(n.sqrtTwoPi(), r)), n.times(n.of(0.5), n.times(m, m)))
	} else {
		other := n.over(n.tail(m), n.times(n.sqrtTwoPi(), half))
		value = n.minus(n.of(0), n.log1p(other.Neg(other)))
	}
	return value, n.times(n.of(-y), r), n.times(r, n.plus(r, m))
}

// away returns (P(m) - 1/2)/P'(m), by a series (Abramowitz, Stegun 1964, 26.2.11).
func (n numbers) away(m *big.Float) *big.Float {
	sum, term, square := n.new().Set(m), n.new().Set(m), n.times(m, m)
	for k := 3.0; term.Sign() != 0 && sum.MantExp(nil)-term.MantExp(nil) < int(n)+8; k += 2 {
		term = n.over(n.times(term, square), n.of(k))
		sum = n.plus(sum, term)
	}
	return sum
}

// tail returns P(-|m|)/P'(m), by Laplace's continued fraction (26.2.14), for |m| of 10 or more.
func (n numbers) tail(m *big.Float) *big.Float {
	a, rest := n.new().Abs(m), n.of(0)
	for k := 40 + int(n)*int(n)/1500; k > 0; k-- {
		rest = n.over(n.of(float64(k)), n.plus(a, rest))
	}
	return n.over(n.of(1), n.plus(a, rest))
}

// roots has the root of 2 pi by its precision.
var roots sync.Map

// sqrtTwoPi is the root of 2 pi, by Machin's formula. Nobody may change it.
func (n numbers) sqrtTwoPi() *big.Float {
	if root, known := roots.Load(n); known {
		return root.(*big.Float)
	}
	arctan := func(k float64) *big.Float { // of 1/k
		square, power := n.of(k*k), n.over(n.of(1), n.of(k))
		sum := n.new().Set(power)
		for j := 3; power.MantExp(nil) > -int(n)-8; j += 2 {
			power = n.over(power, square)
			power.Neg(power)
			sum = n.plus(sum, n.over(power, n.of(float64(j))))
		}
		return sum
	}
	pi := n.minus(n.times(n.of(16), arctan(5)), n.times(n.of(4), arctan(239)))
	root := n.new().Sqrt(n.times(n.of(2), pi))
	roots.Store(n, root)
	return root
}

// cloglog is v for the label -1, and -log(1 - exp(-v)) for the label +1, of v = exp(z).
func cloglog(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	n := numbers(z.Prec() + 200)
	v := n.exp(z)
	if y < 0 {
		return v, v, v
	}
	if z.Cmp(n.of(-400)) < 0 { // the next terms are less by exp(-400)
		half := n.times(n.of(0.5), v)
		return n.minus(half, z), n.minus(half, n.of(1)), half
	}
	n += numbers(max(0, -2*v.MantExp(nil))) // what 1 - exp(-v) cancels
	one, small := n.of(1), n.exp(n.minus(n.of(0), v))
	share := n.minus(one, small)
	g := n.over(n.times(v, small), share)
	return n.minus(n.of(0), n.log1p(n.minus(n.of(0), small))), n.minus(n.of(0), g), n.times(g, n.minus(n.plus(g, v), one))
}
