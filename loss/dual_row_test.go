package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/kernels"
)

// rowPrecision holds numbers from 1e-300 to 1e300 beside one another.
const rowPrecision = 2200

func exactly(x float64) *big.Float { return bigmath.Of(rowPrecision, x) }

func plus(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(rowPrecision).Add(a, b) }
func times(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(rowPrecision).Mul(a, b) }

// clipped keeps x within where the elementary functions still change.
func clipped(x *big.Float) *big.Float {
	for _, limit := range []float64{-1e5, 1e5} {
		if l := exactly(limit); x.Cmp(l) == x.Sign() && x.Sign() == l.Sign() {
			return bigmath.Of(400, limit)
		}
	}
	return new(big.Float).SetPrec(400).Set(x)
}

func exactSigmoid(x float64) *big.Float { return bigmath.Sigmoid(clipped(exactly(x))) }

func exactSoftplus(x float64) *big.Float {
	if x > 1e5 {
		return exactly(x)
	}
	return bigmath.Softplus(clipped(exactly(x)))
}

// anyNumber draws from all magnitudes, mostly those where sigma changes.
func anyNumber(random *rand.Rand, signed bool) float64 {
	x := math.Pow(10, 4*random.NormFloat64())
	if random.IntN(4) == 0 {
		x = math.Pow(10, 600*random.Float64()-300)
	}
	if signed && random.IntN(2) == 0 {
		return -x
	}
	return x
}

// For rows of any length, at any margin and logit, the part of the gap is the Kullback-Leibler
// divergence up to a factor of e. A step never lowers the dual. Both are computed here by their
// definitions, with thousands of bits.
func TestRowsOfAnyLength(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	count := 400
	if testing.Short() {
		count = 100
	}
	for range count {
		m, u := anyNumber(random, true), anyNumber(random, true)
		if random.IntN(2) == 0 {
			m = -u + anyNumber(random, true)
		}
		row := DualRow{Q: anyNumber(random, false), U: u, A: kernels.SigmoidOf(u)}
		if random.IntN(4) == 0 {
			row.A, row.U = 0, 0 // not begun
		}
		before := row
		if row.A > 0 { // others count as not begun
			// The smaller one of a and 1-a keeps its digits.
			sign := math.Copysign(1, u)
			a, g := exactSigmoid(-sign*u), plus(exactly(-sign*u), exactly(-sign*m))
			want := plus(times(a, g), plus(exactSoftplus(sign*m), new(big.Float).Neg(exactSoftplus(-sign*u))))
			got := row.Divergence(m)
			low, _ := times(want, exactly(1/math.E)).Float64()
			high, _ := times(want, exactly(math.E)).Float64()
			share, _ := a.Float64()
			if slack := 1e-2*high + 1e-100*share; !(got >= low-slack && got <= high+slack) && !(low < 1e-200 && got < 1e-200) {
				t.Fatalf("u = %v, m = %v: divergence %v, not within %v to %v", u, m, got, low, high)
			}
		}
		share := StepShare
		if row.Q < longRow { // with this share left, a step may lower the dual
			share = 0
		}
		row.Solve(m, share)
		if math.IsNaN(row.U) || math.IsInf(row.U, 0) || row.A != kernels.SigmoidOf(row.U) {
			t.Fatalf("q = %v, u = %v, m = %v: a step to u = %v, a = %v", before.Q, before.U, m, row.U, row.A)
		}
		was, is := negatedDual(&before, &before, m), negatedDual(&row, &before, m)
		rise := plus(is, new(big.Float).Neg(was))
		// a is rounded, and so is where its derivative vanishes.
		noise := 1e-12 * math.Min(before.A, 1)
		size, _ := new(big.Float).Abs(rise).Float64()
		if rise.Sign() > 0 && size > noise*(1+math.Abs(m)+math.Abs(u))+1e-15*before.Q*before.A*before.A {
			t.Fatalf("q = %v, u = %v (a = %v), m = %v: a step to u = %v lowers the dual by %v",
				before.Q, before.U, before.A, m, row.U, size)
		}
	}
}

// negatedDual is what a step minimises over a: a log a + (1-a) log(1-a) + m a
// + (q/2) (a - old)^2.
func negatedDual(at, old *DualRow, m float64) *big.Float {
	a, was := new(big.Float), new(big.Float)
	entropy := exactly(0)
	if at.A > 0 {
		// a log a + (1-a) log(1-a) = a u - softplus(u)
		a = exactSigmoid(at.U)
		entropy = plus(times(a, exactly(at.U)), new(big.Float).Neg(exactSoftplus(at.U)))
	}
	if old.A > 0 {
		was = exactSigmoid(old.U)
	}
	d := plus(a, new(big.Float).Neg(was))
	square := times(exactly(0.5*old.Q), times(d, d))
	return plus(entropy, plus(times(exactly(m), a), square))
}
