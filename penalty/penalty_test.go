package penalty

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// plain is a penalty without any optional part.
type plain struct{ Penalty }

// TestLacks: RidgeOf returns lambda of squared norms alone, and names what other penalties lack.
func TestLacks(t *testing.T) {
	for p, want := range map[Penalty]float64{nil: 0, Ridge{}: 0, Ridge{3}: 3} {
		if lambda, err := RidgeOf(p); err != nil || lambda != want || Lambda(p) != want {
			t.Errorf("%v: lambda %v and %v, error %v; want %v", p, lambda, Lambda(p), err, want)
		}
	}
	for _, p := range []Penalty{plain{Ridge{3}}} {
		lambda, err := RidgeOf(p)
		var lacks *LacksError
		if !errors.As(err, &lacks) || lacks.Penalty != p || lambda != 0 {
			t.Errorf("%v: lambda %v, error %v", p, lambda, err)
		}
	}
	if Lambda(plain{Ridge{3}}) != 0 {
		t.Error("a plain penalty has a squared norm")
	}
}

// TestCheck: a penalty refuses weights of norms that are negative, infinite or no number.
func TestCheck(t *testing.T) {
	for _, v := range []float64{-1, -1e-300, math.Inf(1), math.NaN()} {
		if Ridge.Check(Ridge{v}, 3) == nil {
			t.Errorf("ridge: no error for %v", v)
		}
	}
	for _, v := range []float64{0, 1e-300, 1, 1e300} {
		if err := (Ridge{v}).Check(3); err != nil {
			t.Error(err)
		}
	}
}

// TestProx: no point near what Prox returns has a smaller penalty plus distance, and none at random.
func TestProx(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []Penalty{Ridge{0}, Ridge{0.7}} {
		for range 200 {
			w := make([]float64, 6)
			for j := range w {
				w[j] = r.NormFloat64()
			}
			step := math.Exp(2 * r.NormFloat64())
			least := func(y []float64) float64 {
				sum := 0.0
				for j, v := range y {
					sum += (v - w[j]) * (v - w[j])
				}
				return p.Value(y) + sum/(2*step)
			}
			y := append([]float64(nil), w...)
			p.Prox(y, step)
			best := least(y)
			for k := range 60 {
				other := append([]float64(nil), y...)
				size := math.Pow(10, -float64(k%6))
				for j := range other {
					if k%2 == 0 || j == k/2%len(other) {
						other[j] += size * r.NormFloat64()
					}
				}
				if v := least(other); v < best-1e-13*math.Abs(best) {
					t.Fatalf("%v, step %v, w %v: %v at %v, and %v at %v", p, step, w, best, y, v, other)
				}
			}
		}
	}
}

// TestValue: a penalty has the value of its definition.
func TestValue(t *testing.T) {
	w := []float64{3, -4, 0, 0.5}
	for p, want := range map[Penalty]float64{Ridge{}: 0, Ridge{2}: 25.25} {
		if got := p.Value(w); got != want {
			t.Errorf("%v: %v, not %v", p, got, want)
		}
	}
	if v := (Ridge{0}).Value([]float64{1e200}); v != 0 {
		t.Errorf("no penalty is %v where the squared norm overflows", v)
	}
}
