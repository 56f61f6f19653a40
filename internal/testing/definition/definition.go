// Package definition writes losses down once more, as their documentation has them, in numbers of any
// precision: for tests to hold losses, certificates and solvers against. It shares no mathematics with
// them but exp and log of bigmath.
package definition

import (
	"math"
	"math/big"

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
	}
	return nil
}

// Reach returns the bound of loss.Exact's ExactReach for a value phi.
func Reach(name string, parameter, phi, y float64) float64 {
	switch name {
	case "gamma":
		return phi + y + math.Abs(math.Log(y))
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
