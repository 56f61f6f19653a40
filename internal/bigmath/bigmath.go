// Package bigmath holds the elementary functions in the precision of their
// arguments: slow, and without float64's range.
package bigmath

import (
	"math"
	"math/big"
)

// guard is the number of bits that intermediate results have more.
const guard = 64

// Of returns x with the given number of bits.
func Of(precision uint, x float64) *big.Float {
	return new(big.Float).SetPrec(precision).SetFloat64(x)
}

func rounded(x *big.Float, precision uint) *big.Float {
	return new(big.Float).SetPrec(precision).Set(x)
}

// Exp returns exp(x), with a relative error of a few units of its last bit, for |x|
// below 2^16; beyond that 0 or infinity, as sums with far smaller numbers take forever.
func Exp(x *big.Float) *big.Float {
	precision := x.Prec()
	if exponent := x.MantExp(nil); x.Sign() != 0 && exponent > 16 {
		if x.Sign() > 0 {
			return new(big.Float).SetPrec(precision).SetInf(false)
		}
		return Of(precision, 0)
	}
	// The series of x / 2^halvings, squared so often.
	halvings := 24
	if x.Sign() != 0 {
		halvings = max(0, x.MantExp(nil)+24)
	}
	p := precision + guard + uint(halvings)
	r := new(big.Float).SetPrec(p).SetMantExp(x, -halvings)
	sum, term := Of(p, 1), Of(p, 1)
	for n := 1; ; n++ {
		term.Mul(term, r)
		term.Quo(term, Of(p, float64(n)))
		sum.Add(sum, term)
		if term.Sign() == 0 || term.MantExp(nil) < -int(p) {
			break
		}
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return rounded(sum, precision)
}

// Log returns the logarithm of u > 0. Its absolute error is a few units of the last bit of 1 +
// |log u|. Near u = 1 its relative error is that small.
func Log(u *big.Float) *big.Float {
	precision := u.Prec()
	p := precision + guard
	less := new(big.Float).SetPrec(p).Sub(u, Of(p, 1))
	if less.Sign() == 0 || less.MantExp(nil) < -1 {
		return rounded(log1p(less), precision)
	}
	return rounded(logOf(rounded(u, p)), precision)
}

// logOf improves on a float64 by Halley's steps. Each step triples the number of correct bits.
func logOf(u *big.Float) *big.Float {
	p := u.Prec()
	mantissa := new(big.Float)
	exponent := u.MantExp(mantissa)
	m, _ := mantissa.Float64()
	at := Of(p, math.Log(m)+float64(float64(exponent)*math.Ln2))
	for bits := uint(40); bits < p; bits *= 3 {
		e := Exp(at)
		difference := new(big.Float).SetPrec(p).Sub(u, e)
		step := difference.Quo(difference, new(big.Float).SetPrec(p).Add(u, e))
		at.Add(at, step.Add(step, step))
	}
	return at
}

// Log1p returns log(1+x) for x > -1, with a relative error of a few units of its last
// bit.
func Log1p(x *big.Float) *big.Float {
	return rounded(log1p(rounded(x, x.Prec()+guard)), x.Prec())
}

func log1p(x *big.Float) *big.Float {
	p := x.Prec()
	if x.Sign() == 0 {
		return x
	}
	small := -20
	if x.MantExp(nil) > small {
		return logOf(new(big.Float).SetPrec(p+uint(-small)).Add(x, Of(p, 1)))
	}
	sum, power := Of(p, 0), Of(p, -1)
	for n := 1; n <= int(p)/-small+2; n++ {
		power.Mul(power, x).Neg(power)
		sum.Add(sum, new(big.Float).SetPrec(p).Quo(power, Of(p, float64(n))))
	}
	return sum
}

// Softplus returns log(1+exp(x)), with a relative error of a few units of its last bit.
func Softplus(x *big.Float) *big.Float {
	if x.Sign() > 0 {
		back := Log1p(Exp(new(big.Float).Neg(x)))
		return back.Add(back, x)
	}
	return Log1p(Exp(x))
}

// Sigmoid returns 1/(1+exp(-x)), with a relative error of a few units of its last bit.
func Sigmoid(x *big.Float) *big.Float {
	p := x.Prec()
	d := Exp(new(big.Float).Neg(x))
	if d.IsInf() {
		return Exp(x)
	}
	d.Add(d, Of(p, 1))
	return d.Quo(Of(p, 1), d)
}
