package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestLabelConjugates: over the whole range of slopes, and next to its ends, the conjugates of losses with a link
// of their own are the conjugates of the definition, or above by next to nothing.
func TestLabelConjugates(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		if !ofBinomial(p.l) {
			continue
		}
		r := rand.New(rand.NewPCG(27, 18))
		for _, y := range []float64{-1, 1} {
			most := 1e4
			if p.l.Slope(-60, 1) > -1.5 && y > 0 {
				most = 1 - 0x1p-53
			}
			for k := range repeat.Size(150, 30) {
				size := most * math.Pow(10, -[]float64{1, 12, 300}[k%3]*r.Float64())
				if k%5 == 4 && most < 1 {
					size = 1 - math.Pow(10, -15.5*r.Float64())
				}
				if k == 0 {
					size = most
				}
				near := 1e-15 * min(size, 1)
				if most < 1 && size > 1-1e-12 {
					near = 4e-14 // where rounding hides the rate
				}
				want := float(p.supremum(exactly(y*size), y))
				got, absolute := p.l.(Conjugate).Conjugates([]float64{y * size}, nil, []float64{-y * size}, []float64{y}, nil)
				if off := got - want; !(off >= -24*direct.Unit*absolute && off <= 24*direct.Unit*absolute+near) {
					t.Fatalf("%v of %v: %v for the slope %v, not %v; off by %v of %v", p.l, y, got, size, want, off, absolute)
				}
				if most := 3*math.Abs(want) + 40*size*(1+math.Abs(math.Log(size))); !(absolute <= most) {
					t.Fatalf("%v of %v: terms of %v for the slope %v, more than %v", p.l, y, absolute, size, most)
				}
			}
		}
		// Beyond the ends, by underflow and by rounding.
		for _, size := range []float64{5e-324, 1e-310, 1e200, 1, 1 + 0x1p-52} {
			got, _ := p.l.(Conjugate).Conjugates([]float64{size}, nil, nil, []float64{1}, nil)
			if want := 0.0; size <= 1e-310 && !(got <= want) || size > 1 && p.l.Slope(-60, 1) > -1.5 && got != want {
				t.Errorf("%v: %v for the slope %v", p.l, got, size)
			}
			if math.IsNaN(got) {
				t.Errorf("%v: NaN for the slope %v", p.l, size)
			}
		}
	}
}

// TestTooLow: what a margin next to the best one lacks of the conjugate is within the bound, which is not
// far above, and the bound is +Inf before it would be wrong.
func TestTooLow(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		l, is := p.l.(curve)
		if !is {
			continue
		}
		finite := 0
		for best := -8.0; best < 8; best += 0.37 {
			_, want, _, _ := l.at(best, 1)
			bestValue, _, _, _ := l.at(best, 1)
			for _, by := range []float64{-1, -0.3, -0.1, -0.03, 0.03, 0.1, 0.3, 1} {
				z := best + by
				value, slope, bend, _ := l.at(z, 1)
				turn := 2 * (1 + max(z, 0))
				if p.l.Parameter() == 0 && math.IsInf(p.l.Peak(), 1) {
					turn = 2 * (1 + math.Exp(z))
				}
				low := tooLow(math.Abs(slope-want), bend, turn)
				lacks := (want*best - bestValue) - (want*z - value)
				if !(low >= lacks-1e-14) {
					t.Fatalf("%v at %v by %v: %v is too low, and the bound is %v", p.l, best, by, lacks, low)
				}
				if !math.IsInf(low, 1) {
					if finite++; !(low <= 12*lacks+1e-14) {
						t.Fatalf("%v at %v by %v: %v is too low, and the bound is %v", p.l, best, by, lacks, low)
					}
				}
			}
		}
		if finite < 60 {
			t.Errorf("%v: only %d bounds are finite", p.l, finite)
		}
	}
}
