package bigmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The functions agree with float64 functions up to float64 rounding, and invert each other up to
// their own precision.
func TestAgainstFloat64AndEachOther(t *testing.T) {
	const precision = 200
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x := (random.Float64() - 0.5) * math.Exp2(float64(random.IntN(60)-50))
		b := Of(precision, x)
		for _, f := range []struct {
			name      string
			got       *big.Float
			reference float64
		}{
			{"exp", Exp(b), math.Exp(x)},
			{"log", Log(Of(precision, math.Abs(x))), math.Log(math.Abs(x))},
			{"log1p", Log1p(Of(precision, max(x, -0.9))), math.Log1p(max(x, -0.9))},
			{"softplus", Softplus(b), max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))},
			{"sigmoid", Sigmoid(b), 1 / (1 + math.Exp(-x))},
		} {
			got, _ := f.got.Float64()
			if math.Abs(got-f.reference) > 1e-12*math.Abs(f.reference) {
				t.Errorf("%s near %v: %v, not %v", f.name, x, got, f.reference)
			}
		}
		for name, back := range map[string]*big.Float{
			"log of exp":     Log(Exp(b)),
			"exp of log":     Exp(Log(Of(precision, math.Abs(x)))),
			"log of 1+x":     Log1p(Of(precision, math.Abs(x))),
			"sigmoids' sum":  new(big.Float).Add(Sigmoid(b), Sigmoid(Of(precision, -x))),
			"softplus' step": new(big.Float).Sub(Softplus(b), Softplus(Of(precision, -x))),
		} {
			want := Of(precision, x)
			switch name {
			case "exp of log":
				want.Abs(want)
			case "log of 1+x":
				want = Log(new(big.Float).SetPrec(2*precision).Add(Of(precision, 1), Of(precision, math.Abs(x))))
			case "sigmoids' sum":
				want = Of(precision, 1)
			}
			off := new(big.Float).Sub(back, want)
			size := math.Max(1, math.Abs(x))
			if off.Abs(off).Cmp(new(big.Float).SetMantExp(Of(precision, size), -(precision-12))) > 0 {
				t.Errorf("%s at %v is off by %v", name, x, off)
			}
		}
	}
	if e := Exp(Of(100, 1e300)); !e.IsInf() {
		t.Error("exp of 1e300 is", e)
	}
	if s := Sigmoid(Of(100, -1e300)); s.Sign() != 0 {
		t.Error("the sigmoid of -1e300 is", s)
	}
}
