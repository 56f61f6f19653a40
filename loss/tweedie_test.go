package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestBendSum holds the sums of second derivatives that follow from values and slopes against exact ones:
// the first element is below, and both together are above. Rows are near the minimum, far out, and of
// targets of 0; some have a weight of 0.
func TestBendSum(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	for _, power := range []float64{1 + 1e-12, 1.01, 1.3, 1.5, 1.8, 1.99, 2 - 1e-12} {
		l := Tweedie{Power: power}
		for trial := range repeat.Size(24, 6) {
			n := 1 + r.IntN(700)
			z, y, c, parts, s := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			spread := []float64{1e-9, 1, 40}[trial%3]
			for i := range z {
				z[i], s[i] = float64(spread*r.NormFloat64()), r.Float64()
				if r.IntN(3) > 0 {
					y[i] = math.Exp(z[i] + float64(spread*r.NormFloat64()))
				}
				if r.IntN(9) == 0 {
					s[i] = 0
				}
			}
			if trial%2 == 0 {
				s = nil
			}
			exact := bigmath.Of(300, 0)
			for i := range z {
				first, second := bigmath.Of(300, 0), bigmath.Of(300, 0)
				l.ExactSlope(first, second, bigmath.Of(300, z[i]), bigmath.Of(300, y[i]))
				if s != nil {
					second.Mul(second, bigmath.Of(300, s[i]))
				}
				exact.Add(exact, second)
			}
			want, _ := exact.Float64()
			l.Parts(parts, y)
			got := l.BendSum(Bends{}, l.Weigh(c, z, y, parts, s), parts, c, s)
			if what := fmt.Sprintf("%v, %d rows, spread %v: %v and %v for %v", power, n, spread, got[0], got[1], want); !(got[0] <= want*(1+1e-15)) || !(got[0]+got[1] >= want*(1-1e-15)) {
				t.Fatal(what)
			} else if spread < 40 && got[1] > 1e-8*want {
				t.Fatal("loose: " + what)
			}
		}
	}
}

// TestWeigh: a sum with parts at hand has the bits of one without, as have slopes, and values one by one are
// those of rows of their own.
func TestWeigh(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 6))
	for _, p := range promises {
		l, is := p.l.(Recurring)
		if !is {
			continue
		}
		for _, n := range []int{0, 1, 7, rowBlock, rowBlock + 1, 3*rowBlock + 5} {
			z, y, s := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				z[i], _, y[i] = p.rowOf(r)
				s[i] = float64(r.IntN(4)) // 0 too
			}
			for _, s := range [][]float64{nil, s} {
				a, b, parts := make([]float64, n), make([]float64, n), make([]float64, n)
				l.Parts(parts, y)
				want, got, sum := l.Gradient(a, z, y, s), l.Weigh(b, z, y, parts, s), l.Sum(z, y, s)
				if same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }; !same(want, got) || !same(want, sum) || !same(want, l.Weigh(nil, z, y, parts, s)) {
					t.Fatalf("%v, %d rows: %v, %v and %v", l, n, want, got, sum)
				}
				for i := range a {
					if a[i] != b[i] {
						t.Fatalf("%v, row %d of %d: slopes of %v and %v", l, i, n, a[i], b[i])
					}
				}
			}
			values, parts := make([]float64, n), make([]float64, n)
			l.Parts(parts, y)
			for _, parts := range [][]float64{nil, parts} {
				Values(l, values, z, y, parts)
				for i, v := range values {
					if want := l.Sum(z[i:i+1], y[i:i+1], nil); v != want {
						t.Fatalf("%v, row %d of %d: a value of %v, alone %v", l, i, n, v, want)
					}
				}
			}
		}
	}
}
