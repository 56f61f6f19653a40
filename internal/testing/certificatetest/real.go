package certificatetest

import (
	"math"
	"math/big"
)

// Real is a number of 400 bits, to write formulas with.
type Real struct{ v *big.Float }

// R returns x as a Real.
func R(x float64) Real { return Real{number(x)} }

// Rs returns the numbers of x as Reals.
func Rs(x []float64) []Real {
	out := make([]Real, len(x))
	for k, v := range x {
		out[k] = R(v)
	}
	return out
}

// Plus returns a + b + ...
func (a Real) Plus(b ...Real) Real {
	for _, x := range b {
		a = Real{plus(a.v, x.v)}
	}
	return a
}

// Minus returns a - b.
func (a Real) Minus(b Real) Real { return Real{minus(a.v, b.v)} }

// Times returns a b ...
func (a Real) Times(b ...Real) Real {
	for _, x := range b {
		a = Real{times(a.v, x.v)}
	}
	return a
}

// Over returns a/b.
func (a Real) Over(b Real) Real { return Real{over(a.v, b.v)} }

// Scale returns x a.
func (a Real) Scale(x float64) Real { return a.Times(R(x)) }

// Root returns the square root of a.
func (a Real) Root() Real {
	if a.v.Sign() == 0 {
		return a
	}
	return Real{zero().Sqrt(a.v)}
}

// Square returns a^2.
func (a Real) Square() Real { return a.Times(a) }

// Abs returns |a|.
func (a Real) Abs() Real { return Real{zero().Abs(a.v)} }

// Exp returns e^a.
func (a Real) Exp() Real {
	if a.v.Sign() == 0 {
		return R(1)
	}
	return Real{exp(a.v)}
}

// Log returns the logarithm of a > 0.
func (a Real) Log() Real { return Real{log(a.v)} }

// Cmp compares a with b: -1, 0 or 1.
func (a Real) Cmp(b Real) int { return a.v.Cmp(b.v) }

// Max returns the larger one of a and b.
func (a Real) Max(b Real) Real {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// Min returns the smaller one of a and b.
func (a Real) Min(b Real) Real {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}

// Float returns a, rounded once.
func (a Real) Float() float64 {
	v, _ := a.v.Float64()
	return v
}

// Dot returns the sum of a_k b_k.
func Dot(a, b []Real) Real {
	sum := R(0)
	for k, x := range a {
		sum = sum.Plus(x.Times(b[k]))
	}
	return sum
}

// Norm returns the Euclidean norm of a.
func Norm(a []Real) Real { return Dot(a, a).Root() }

// Of float64: Unit is the largest relative rounding error of one operation, Tiny its least
// number above 0. LostSquares is the most that the norms of two vectors of n numbers may be
// below themselves because squares underflow, each by Tiny at most.
var (
	Unit = R(0x1p-53)
	Tiny = R(math.SmallestNonzeroFloat64)
)

// LostSquares is what Unit's comment says.
func LostSquares(n int) Real { return R(float64(n)).Times(Tiny).Root().Scale(2) }
