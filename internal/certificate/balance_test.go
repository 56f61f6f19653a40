package certificate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
)

// TestSumsBySign: sums of each sign are within two units of their exact values, where terms
// differ by 1e16 and there are many.
func TestSumsBySign(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	v := []float64{1e16, -1e16}
	for range 20000 {
		v = append(v, r.NormFloat64())
	}
	exact := [2]ct.Real{ct.R(0), ct.R(0)}
	for _, x := range v {
		k := 0
		if x < 0 {
			k = 1
		}
		exact[k] = exact[k].Plus(ct.R(math.Abs(x)))
	}
	positive, negative := certificate.SumsBySign(v)
	for k, got := range []float64{positive, negative} {
		if off := exact[k].Minus(ct.R(got)).Abs(); off.Cmp(exact[k].Times(ct.Unit).Scale(2)) > 0 {
			t.Errorf("sum %d is %v, exactly %v", k, got, exact[k].Float())
		}
	}
}

// TestBalance: shares keep one sign as it is, and leave no more of the exact sum than rest is made
// of: 8 units of the smaller sum of one sign, times 1024.
func TestBalance(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		v := make([]float64, 1+r.IntN(3000))
		positive, negative := ct.R(0), ct.R(0)
		for i := range v {
			v[i] = (r.Float64() - float64(seed%5)/5) * math.Exp(5*r.NormFloat64())
			if v[i] > 0 {
				positive = positive.Plus(ct.R(v[i]))
			} else {
				negative = negative.Plus(ct.R(-v[i]))
			}
		}
		above, below, rest := certificate.Balance(v)
		if max(above, below) != 1 || min(above, below) < 0 || above == 1 && below == 1 && len(v) > 1 {
			t.Fatalf("seed %d: shares %v and %v", seed, above, below)
		}
		sum := ct.R(0)
		for _, x := range v {
			if x > 0 {
				x *= above
			} else {
				x *= below
			}
			sum = sum.Plus(ct.R(x))
		}
		most := positive.Min(negative).Times(ct.Unit).Scale(8)
		if sum.Abs().Cmp(most) > 0 {
			t.Errorf("seed %d: the sum is %v, bound %v", seed, sum.Float(), most.Float())
		}
		if want := most.Scale(1024).Float(); math.Abs(rest-want) > 1e-12*want {
			t.Errorf("seed %d: rest is %v, not %v", seed, rest, want)
		}
	}
}
