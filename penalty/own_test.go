package penalty

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// absolute is 0.4 |w|. bent is w^2/2 up to 1 and then straight. above is 0.3 w for weights of -0.5
// or more, plus 0.2.
type absolute struct{}

func (absolute) String() string          { return "absolute" }
func (absolute) Value(w float64) float64 { return 0.4 * math.Abs(w) }
func (absolute) Slopes(w float64) (least, most float64) {
	if w == 0 {
		return -0.4, 0.4
	}
	return math.Copysign(0.4, w), math.Copysign(0.4, w)
}
func (absolute) Prox(w, step float64) float64 {
	return math.Copysign(max(math.Abs(w)-0.4*step, 0), w)
}

type bent struct{}

func (bent) String() string { return "bent" }
func (bent) Value(w float64) float64 {
	if size := math.Abs(w); size > 1 {
		return size - 0.5
	}
	return w * w / 2
}
func (bent) Slopes(w float64) (least, most float64) {
	v := max(-1, min(1, w))
	return v, v
}
func (bent) Prox(w, step float64) float64 {
	if math.Abs(w) <= 1+step {
		return w / (1 + step)
	}
	return w - math.Copysign(step, w)
}

type above struct{}

func (above) String() string          { return "above" }
func (above) Value(w float64) float64 { return 0.3*w + 0.2 }
func (above) Slopes(w float64) (least, most float64) {
	if w <= -0.5 {
		return math.Inf(-1), 0.3
	}
	return 0.3, 0.3
}
func (above) Prox(w, step float64) float64 { return max(w-0.3*step, -0.5) }

// whole is a penalty that is infinite where above is.
type whole struct{ Penalty }

func (p whole) Value(w []float64) float64 {
	for _, v := range w {
		if v < -0.5 {
			return math.Inf(1)
		}
	}
	return p.Penalty.Value(w)
}

// TestOwn: penalties of a program's functions obey the rules that lanes' own penalties obey.
func TestOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, f := range []Function{absolute{}, bent{}, above{}} {
		for _, lambda := range []float64{0, 0.6} {
			p := Own(f, lambda).(Columns)
			value := p.Value
			if f == (above{}) {
				value = whole{p}.Value
			}
			if _, alone := Alone(p); alone || Lambda(p) != lambda || p.Bounded() != (lambda > 0) || p.Check(3) != nil {
				t.Errorf("%v: a squared norm of %v alone: %v, error %v", p, Lambda(p), alone, p.Check(3))
			}
			var lacks *LacksError
			if _, _, err := Norms(p); !errors.As(err, &lacks) {
				t.Errorf("%v: error %v", p, err)
			}
			for range 200 {
				w, step := random(r, 3, 1), math.Exp(r.NormFloat64())
				y := append([]float64(nil), w...)
				p.Prox(y, step)
				leastNear(t, r, p, y, func(y []float64) float64 {
					sum := 0.0
					for j, v := range y {
						sum += (v - w[j]) * (v - w[j])
					}
					return value(y) + sum/(2*step)
				})
				for j := range w {
					w[j] = max(w[j], -0.5)
				}
				g, h, slack := r.NormFloat64(), math.Exp(r.NormFloat64()), 0.1*r.Float64()
				to, violation, stays := p.Step(0, g, w[0], h, slack)
				if stays {
					for _, by := range []float64{-slack, slack} {
						if other, _, _ := p.Step(0, g+by, 0, h, 0); w[0] != 0 || math.Abs(other) > 1e-15 {
							t.Fatalf("%v: stays at %v, and moves to %v", p, w[0], other)
						}
					}
					to = 0
				} else if violation != math.Abs(p.Violation(0, g, w[0])) {
					t.Fatalf("%v: a violation of %v", p, violation)
				}
				rest := func(y float64) float64 { return value([]float64{y}) - lambda/2*y*y }
				leastNear(t, r, p, []float64{to}, func(y []float64) float64 {
					return g*(y[0]-w[0]) + h/2*(y[0]-w[0])*(y[0]-w[0]) + rest(y[0])
				})
				if got := p.Rise(0, w[0], to); math.Abs(got-(rest(to)-rest(w[0]))) > 1e-14 {
					t.Fatalf("%v: a rise of %v", p, got)
				}
				if w[0] > -0.5 && f != (above{}) {
					violates(t, r, p, random(r, 3, 1), w)
				}
			}
			for range 300 {
				u := random(r, 4, math.Exp(r.NormFloat64()))
				most := make([]float64, 4)
				for j, v := range u {
					most[j] = math.Abs(v) + 0.1*r.Float64()
				}
				bound, share := p.Support(u, most)
				if share != 0 || lambda == 0 != math.IsInf(bound, 1) {
					t.Fatalf("%v: %v and a share of %v", p, bound, share)
				}
				for range 50 {
					w, product := random(r, 4, math.Exp(2*r.NormFloat64())), 0.0
					for j := range w {
						product += w[j] * (u[j] + (most[j]-math.Abs(u[j]))*float64(1-2*r.IntN(2)))
					}
					if got := product - value(w); got > bound+1e-12*math.Abs(bound) {
						t.Fatalf("%v: %v at %v is above %v", p, got, w, bound)
					}
				}
			}
		}
	}
	for _, lambda := range []float64{-1, math.Inf(1), math.NaN()} {
		if Own(bent{}, lambda).Check(2) == nil {
			t.Errorf("no error for a ridge of %v", lambda)
		}
	}
	if Own(nil, 1).Check(2) == nil {
		t.Error("no error for no function")
	}
	if Own(named{}, 2).String() == (ElasticNet{0.4, 2}).String() {
		t.Error("a function with the name of a penalty passes for it in checkpoints")
	}
	if Own(negative{}, 1).Check(2) == nil {
		t.Error("no error for a function below 0")
	}
	// Two formulas of one penalty.
	u, most := []float64{1.5, -0.3}, []float64{1.5, 0.3}
	got, _ := Own(absolute{}, 2).(Rules).Support(u, most)
	if want, _ := (ElasticNet{0.4, 2}).Support(u, most); !(math.Abs(got-want) < 1e-14) || got < 1.1*1.1/4 {
		t.Errorf("%v, and by a formula %v", got, want)
	}
	// Where Prox is wrong, the bound still holds.
	if got, _ := Own(wrong{}, 2).(Rules).Support(u, most); got < 1.1*1.1/4 {
		t.Errorf("a wrong Prox gives %v", got)
	}
}

type named struct{ absolute }

func (named) String() string { return "l1 0.4" }

type negative struct{ bent }

func (negative) Value(float64) float64 { return -1 }

type wrong struct{ absolute }

func (wrong) Prox(w, step float64) float64 { return 0.9 * absolute{}.Prox(w, step) }
