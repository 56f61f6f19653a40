package softmax

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
)

// TestRoundingTerms compares the bounds of the gradient and the objective with their formulas,
// computed from the rows one by one: rows of weights from 0 to 1000 and of all lengths, 600
// rows, and 20 classes.
func TestRoundingTerms(t *testing.T) {
	t.Parallel()
	var gradient, value ct.Pins
	for k, s := range ct.Shapes() {
		if s.Rows > 1000 || s.Cols > 50 || s.Times != 0 {
			continue
		}
		c, err := s.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		p := &Problem{X: c.X, SampleWeight: c.SampleWeight, Count: []int{2, 20, 3}[k%3], Lambda: c.Ridge(), Class: make([]uint32, c.X.Rows())}
		o := newObjective(p, nil)
		c.Sequential = true // margins of several classes are
		facts, all := ct.FactsOf(c), ct.R(0)
		for i := range p.Class {
			all = all.Plus(ct.R(direct.Weight(p.SampleWeight, i)))
		}
		r := rand.New(rand.NewPCG(uint64(k), 1))
		any := func() float64 { return math.Pow(10, 24*r.Float64()-16) * float64(min(r.IntN(4), 1)) }
		n, classes, size := ct.R(float64(facts.N)), float64(p.Count), facts.D*p.Count
		for round := range 8 {
			weights, norm, objective := any(), any(), any()
			if round == 0 {
				weights, norm, objective = 0, 0, 0
			}
			of := fmt.Sprintf("%s, %v classes; weights %g, norm %g, objective %g", s, classes, weights, norm, objective)
			g, v := o.rounding(weights, run.Evaluation{GradientNorm: norm, Objective: objective})
			w := ct.R(weights).Plus(ct.LostSquares(size))
			gradient.Check(t, of, g, func(on ct.On) ct.Real {
				mean := facts.Roots.Over(n)
				return on("margins", facts.Gamma.Times(w, facts.Weighted).Over(n)).Plus(
					on("probabilities", ct.Unit.Scale(10*math.Sqrt(classes)).Times(mean)),
					on("sums over rows", ct.Unit.Scale(1.5*float64(facts.N+96)).Times(mean)),
					on("regulariser", ct.Unit.Scale(4*p.Lambda).Times(w)),
					on("norm", ct.Unit.Scale(float64(size+8)*norm)),
					on("underflow", ct.LostSquares(size)))
			})
			value.Check(t, of, v, func(on ct.On) ct.Real {
				return on("margins", facts.Gamma.Scale(2).Times(w, facts.Roots).Over(n)).Plus(
					on("sums over rows", ct.Unit.Scale(float64(facts.N+size+64)*objective)),
					on("logarithms", ct.Unit.Scale(classes+16).Times(all).Over(n)),
					on("underflow", ct.Tiny.Scale(float64(size)).Times(ct.R(1).Plus(ct.R(p.Lambda)))))
			})
		}
	}
	gradient.Done(t)
	for _, term := range []string{"margins", "sums over rows", "logarithms"} {
		if !value.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}

// TestRoundingOfHeavyRows: with weights of rows up to 1e12 the objective is within its bound of
// its exact value. P(0) is the mean of the weights times log(number of classes).
func TestRoundingOfHeavyRows(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		p := randomProblem(t, 30, 4, 3, seed)
		r := rand.New(rand.NewPCG(seed, 2))
		p.SampleWeight = make([]float64, 30)
		total := ct.R(0)
		for i := range p.SampleWeight {
			p.SampleWeight[i] = math.Pow(10, 12*r.Float64())
			total = total.Plus(ct.R(p.SampleWeight[i]))
		}
		d := p.X.Cols()
		w := make([]float64, 3*d)
		for j := range w {
			w[j] = 3 * normal(r)
		}
		o := newObjective(p, nil)
		e := o.evaluate(w)
		exact := ct.R(0)
		for i := range p.Class {
			sum, own := ct.R(0), ct.R(0)
			for c := range 3 {
				z := ct.R(0)
				for j, x := range p.X.Row(i) {
					z = z.Plus(ct.R(x).Scale(w[c*d+j]))
				}
				if sum = sum.Plus(z.Exp()); uint32(c) == p.Class[i] {
					own = z
				}
			}
			exact = exact.Plus(sum.Log().Minus(own).Scale(p.SampleWeight[i]))
		}
		exact = exact.Over(ct.R(30)).Plus(ct.Dot(ct.Rs(w), ct.Rs(w)).Scale(p.Lambda / 2))
		if off := exact.Minus(ct.R(e.Objective)).Abs(); off.Cmp(ct.R(e.ObjectiveError)) > 0 {
			t.Errorf("seed %d: objective %v +- %v, exactly %v", seed, e.Objective, e.ObjectiveError, exact.Float())
		}
		zero := total.Times(ct.R(3).Log()).Over(ct.R(30)).Float()
		if got := o.atZero(); math.Abs(got-zero) > 1e-14*zero {
			t.Errorf("seed %d: P(0) is %v, not %v", seed, got, zero)
		}
	}
}

// TestGapOfRounding: the gap of an evaluation has the bound of the gradient in it, and what
// squares lost.
func TestGapOfRounding(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 1e-9}
	for _, scale := range []float64{1e-170, 1e-14, 1} {
		p := randomProblem(t, 20, 3, 3, 3)
		p.Lambda = 1e-30
		o := newObjective(p, nil)
		w := make([]float64, 3*p.X.Cols())
		for j := range w {
			w[j] = scale * float64(j)
		}
		e := o.evaluate(w)
		pins.Check(t, fmt.Sprint(scale), e.Gap, func(on ct.On) ct.Real {
			return ct.R(e.GradientNorm).Plus(ct.R(e.GradientError), ct.LostSquares(len(w))).Square().Over(ct.R(2 * p.Lambda))
		})
		if want := certificate.FromNorm(e.GradientNorm+e.GradientError, p.Lambda, len(w)); e.Gap != want {
			t.Errorf("gap %v, not %v", e.Gap, want)
		}
		// With care.
		columns := make([]float64, len(w))
		o.byColumn(columns, w)
		norm, rounding, _ := (*certificate.Classes)(p).Careful(columns)
		e.Gap = math.Inf(1)
		if o.sharpen(&e, columns); e.Gap != certificate.FromNorm(norm+rounding, p.Lambda, len(w)) || e.GradientNorm != norm || e.GradientError != rounding {
			t.Errorf("%+v with care, not %v +- %v", e, norm, rounding)
		}
	}
}
