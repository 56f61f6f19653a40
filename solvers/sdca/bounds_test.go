package sdca

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// conjugate is f*(-alpha) of f = s phi(., y) for alpha = s beta, in many bits. No caller asks for
// +Inf.
func conjugate(p *erm.Problem, beta, y, s float64) ct.Real {
	b := ct.R(beta)
	if p.Loss != (loss.Logistic{}) {
		return b.Square().Scale(0.5).Minus(b.Scale(y)).Scale(s)
	}
	q, sum := b.Scale(y), ct.R(0)
	for _, v := range []ct.Real{q, ct.R(1).Minus(q)} {
		if v.Cmp(ct.R(0)) > 0 {
			sum = sum.Plus(v.Times(v.Log()))
		}
	}
	return sum.Scale(s)
}

// partOf is f(z) + f*(-alpha) + alpha z in many bits, where the dual variable is s times the
// quotient alpha/s as it is computed.
func partOf(p *erm.Problem, alpha, z, y, s float64) ct.Real {
	q := certificate.Problem{Problem: risk.Problem{Y: []float64{y}, SampleWeight: []float64{s}, Loss: p.Loss}}
	return ct.LossAt(q, 0, ct.R(z)).Plus(conjugate(p, alpha/s, y, s), ct.R(alpha/s).Scale(s).Scale(z))
}

// partTerms is the formula of fenchelYoungBound.
func partTerms(p *erm.Problem, alpha, z, y, s, slope float64, rounding ct.Real) func(on ct.On) ct.Real {
	value := partOf(p, alpha, z, y, s)
	return func(on ct.On) ct.Real {
		size := ct.R(1 + math.Abs(z))
		if p.Loss == (loss.Squared{}) || p.Loss.String() == "huber" {
			size = ct.R(math.Abs(z)).Plus(ct.R(math.Abs(y)))
		}
		size = size.Plus(ct.R(alpha / s).Abs())
		off := on("margin", rounding).Plus(on("own rounding", ct.Unit.Scale(16).Times(size)))
		return on("value", value).Plus(
			on("slope", off.Times(ct.R(alpha).Plus(ct.R(slope)).Abs())),
			on("curvature", off.Square().Scale(s)),
			on("dual variable", off.Times(ct.Unit.Scale(8*math.Abs(alpha)))))
	}
}

// TestPartTerms compares the bound of a row's part of the gap with its formula, for weights from
// 1e-4 to 1e6. It also compares it with the exact parts at both ends of the margin's interval.
func TestPartTerms(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	for _, phi := range allLosses {
		p := &erm.Problem{Loss: phi}
		dual := dualLoss(p)
		for _, s := range []float64{1, 1e6, 1e-4} {
			for _, y := range []float64{-1, 1} {
				for _, z := range []float64{-30, -1.2, 0, 1.5, 20} {
					_, slope := loss.At(phi, z, y)
					slope *= s
					for _, share := range []float64{1, 1 - 1.4e-5, 0.9, 0} {
						for _, rounding := range []float64{0, 1e-5} {
							alpha := -slope * share
							if phi.String() == "huber" {
								alpha = math.Copysign(min(math.Abs(alpha), s*p.Loss.Parameter()*(1-1e-15)), alpha)
							}
							if phi == (loss.Logistic{}) {
								alpha = math.Copysign(min(math.Abs(alpha), s*(1-1e-15)), alpha)
							}
							bound := fenchelYoungBound(dual, alpha, z, y, s, slope, rounding)
							of := fmt.Sprintf("%v, weight %g, label %g, margin %g +- %g, alpha %g", phi, s, y, z, rounding, alpha)
							pins.Check(t, of, bound, partTerms(p, alpha, z, y, s, slope, ct.R(rounding)))
							for _, at := range []float64{z - rounding, z + rounding} {
								if part := partOf(p, alpha, at, y, s); part.Cmp(ct.R(bound)) > 0 {
									t.Errorf("%s: %v at %v, bound %v", of, part.Float(), at, bound)
								}
							}
						}
					}
				}
			}
		}
	}
	pins.Done(t)
}

// problemOf is a problem of a shape for dual methods.
func problemOf(t *testing.T, s ct.Shape, seed uint64) (*erm.Problem, *ct.Facts) {
	t.Helper()
	c, err := s.Problem(seed)
	if err != nil {
		t.Fatal(err)
	}
	return &c.Problem, ct.FactsOf(c)
}

// TestPartsOfRows: the sum of the parts includes every row's own rounding. Rows and weights
// differ by factors of 1e6 and more, in more than one block of rows.
func TestPartsOfRows(t *testing.T) {
	t.Parallel()
	for k, s := range []ct.Shape{
		{Loss: loss.Squared{}, Rows: 600, Cols: 5, Weights: "some", Values: "rows"},
		{Loss: loss.SquaredHinge{}, Rows: risk.Block + 60, Cols: 2, Weights: "above", Values: "rows"},
		{Loss: loss.Huber{Delta: 0.7}, Rows: 90, Cols: 40, Values: "rows", Bias: 1},
	} {
		p, facts := problemOf(t, s, uint64(k))
		r := rand.New(rand.NewPCG(uint64(k), 2))
		w := make([]float64, p.X.Cols())
		for j := range w {
			w[j] = r.NormFloat64()
		}
		o := newObjective(p, nil, nil)
		o.evaluate(w)
		alpha := make([]float64, len(o.coef))
		for i, slope := range o.coef {
			alpha[i] = -slope
		}
		o.loop = still{alpha}
		square := kernels.SquaredNorm(w)
		o.sweep(w, square)
		pins := ct.Pins{Slack: 0.06}
		for b, gap := range o.gaps {
			first, end := risk.Span(b, len(alpha))
			pins.Check(t, fmt.Sprintf("%s, block %d", s, b), gap, func(ct.On) ct.Real {
				sum := ct.R(0)
				for i := first; i < end; i++ {
					if s := direct.Weight(p.SampleWeight, i); s > 0 {
						margin := facts.Margin(i, math.Sqrt(square))(func(_ string, v ct.Real) ct.Real { return v })
						sum = sum.Plus(partTerms(p, alpha[i], o.z[i], p.Y[i], s, o.coef[i], margin)(func(_ string, v ct.Real) ct.Real { return v }))
					}
				}
				return sum
			})
		}
	}
}

// TestApartTerms compares (lambda/2) ||w - X'alpha/(lambda n)||^2 with its formula, at the w
// that is the sum but for rounding, and far from it.
func TestApartTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.05, Floor: 0.02} // the distance itself is rounded
	for k, s := range []ct.Shape{
		{Loss: loss.Logistic{}, Rows: 600, Cols: 5, Weights: "some", Values: "rows"}, {Loss: loss.Logistic{}, Rows: 37, Cols: 40, Values: "columns", Lambda: 1e-6},
		{Loss: loss.Logistic{}, Rows: 300, Cols: 3, Weights: "above", Bias: 1, Lambda: 10},
	} {
		p, facts := problemOf(t, s, uint64(k))
		n, r := ct.R(float64(facts.N)), rand.New(rand.NewPCG(uint64(k), 2))
		alpha := make([]float64, facts.N)
		for i := range alpha {
			alpha[i] = r.Float64() * direct.Weight(p.SampleWeight, i) * p.Y[i]
		}
		o := newObjective(p, nil, nil)
		o.loop = still{alpha}
		sum := ct.Transposed(p.X, ct.Rs(alpha))
		for j := range sum {
			sum[j] = sum[j].Over(n.Scale(p.Ridge()))
		}
		for _, off := range []float64{0, 1e-3} {
			w, apart := make([]float64, facts.D), make([]ct.Real, facts.D)
			for j := range w {
				w[j] = sum[j].Float() * (1 + off*float64(j+1))
				apart[j] = ct.R(w[j]).Minus(sum[j])
			}
			o.sweep(w, kernels.SquaredNorm(w))
			if off > 0 { // residues stand in the place of the dual variables where somebody looks at them
				o.observe = func([]float64) {}
				direct.Axpy(1, o.coef, o.alpha)
			}
			pins.Check(t, fmt.Sprintf("%s, off by %g", s, off), o.apart(w), func(on ct.On) ct.Real {
				distance := ct.Norm(apart)
				return on("distance", distance).Plus(on("rounding",
					facts.Combination(ct.Norm(ct.Rs(alpha)), ct.Norm(ct.Rs(w)), distance)(func(_ string, v ct.Real) ct.Real { return v }))).Square().Scale(p.Ridge() / 2)
			})
		}
	}
	if !pins.Counted("distance") || !pins.Counted("rounding") {
		t.Error("a term never counted")
	}
}

// TestDriftOfPasses: what a loop says of its drift has the steps of all passes since weights were
// last computed from the dual variables.
func TestDriftOfPasses(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.05}
	for k, s := range []ct.Shape{{Rows: 300, Cols: 5, Weights: "above", Values: "rows"}, {Rows: 40, Cols: 3, Lambda: 1e-7}, {Rows: 300, Cols: 5, Lambda: 1}} {
		p, facts := problemOf(t, s, uint64(k))
		grouped := s.Lambda == 1 // rows so short that they are taken in groups, after a start of their own
		loop, full := loopOf(t, p, Hybrid{}, solvers.Settings{})
		prox, passes := loop.(*hybridLoop).opening, refreshEvery+1
		if grouped {
			passes += 2
		}
		if (prox.group != nil) != grouped {
			t.Fatalf("%s: groups %t", s, !grouped)
		}
		pins.Check(t, s.String(), prox.drift(full.bounds), facts.Drift(float64(passes*facts.N), 8))
	}
}

// TestTogetherTerms compares what is known of a class with the formulas: margins are sums of one
// entry after the other, over many columns, and each row has the bound of its own margin.
func TestTogetherTerms(t *testing.T) {
	t.Parallel()
	const k = 3
	for seed, shape := range []ct.Shape{
		{Loss: loss.Logistic{}, Rows: 300, Cols: 16, Values: "rows"}, {Loss: loss.Logistic{}, Rows: 10, Cols: 300, Bias: 1, Lambda: 1e-4},
	} {
		shape.Sequential = true
		p, facts := problemOf(t, shape, uint64(seed))
		n, d := facts.N, facts.D
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		s := &together{Together: Together{X: p.X, Count: k, Lambda: p.Ridge()}, a: make([]float64, n*k), q: make([]float64, n), w: make([]float64, d*k), features: p.X}
		for range n {
			s.Class = append(s.Class, uint32(r.IntN(k)))
		}
		for c := range s.w {
			s.w[c] = r.NormFloat64() / (1 + math.Sqrt(facts.Columns[c/k].Float()))
		}
		for i := range n { // the dual variables of these weights: the parts of the gap are rounding alone
			for j := range k {
				z := 0.0
				for e, x := range p.X.Row(i) {
					z += x * s.w[e*k+j]
				}
				_, slope := kernels.LossAt(kernels.Logistic, z, s.label(i, j), 0)
				s.a[i*k+j] = math.Abs(slope)
			}
		}
		bounds := s.shared()
		classes, sums := make([]certified, k), make([]float64, d*k)
		for j := range classes {
			classes[j].w = s.column(s.w, j)
			classes[j].size = math.Sqrt(kernels.SquaredNorm(classes[j].w))
		}
		s.sweep(bounds, classes, sums)
		for j := range classes {
			s.evaluate(bounds, &classes[j], s.column(sums, j))
		}
		for j := range classes {
			c, pins := &classes[j], ct.Pins{Slack: 0.06}
			of := fmt.Sprintf("%s, class %d", shape, j)
			one := &erm.Problem{X: p.X, Loss: loss.Logistic{}, Penalty: p.Penalty}
			duals, parts, slopes := ct.R(0), ct.R(0), ct.R(0)
			for i := range n {
				y := s.label(i, j)
				one.Y = append(one.Y, y)
				alpha, z := y*s.a[i*k+j], 0.0
				for e, x := range p.X.Row(i) {
					z += x * c.w[e]
				}
				_, slope := kernels.LossAt(kernels.Logistic, z, y, 0)
				margin := facts.Margin(i, c.size)(func(_ string, v ct.Real) ct.Real { return v })
				parts = parts.Plus(partTerms(one, alpha, z, y, 1, slope, margin)(func(_ string, v ct.Real) ct.Real { return v }))
				duals, slopes = duals.Plus(ct.R(alpha).Square()), slopes.Plus(ct.R(slope).Square())
			}
			pins.Check(t, of+": gradient", c.GradientError, facts.Gradient(slopes.Root().Float(), c.size, c.GradientNorm))
			pins.Check(t, of+": objective", c.ObjectiveError, facts.Value(slopes.Root().Float(), c.size, c.Objective, ct.R(0)))
			pins.Check(t, of+": parts of the gap", c.young, func(ct.On) ct.Real { return parts.Over(ct.R(float64(n))) })
			if want := duals.Float(); math.Abs(c.duals-want) > 1e-12*want {
				t.Errorf("%s: squares of the dual variables add up to %v, not %v", of, c.duals, want)
			}
			// The distance is rounding alone at the weights that the dual variables make.
			sum := ct.Rs(make([]float64, d))
			for i := range n {
				for e, x := range p.X.Row(i) {
					sum[e] = sum[e].Plus(ct.R(x).Scale(s.label(i, j) * s.a[i*k+j]))
				}
			}
			for e := range sum {
				c.w[e] = sum[e].Over(ct.R(p.Ridge() * float64(n))).Float()
			}
			c.size, c.young, c.Gap, c.duals = math.Sqrt(kernels.SquaredNorm(c.w)), 0, math.Inf(1), duals.Float()
		}
		s.distances(bounds, classes, sums)
		for j, c := range classes {
			pins := ct.Pins{Slack: 0.2, Floor: 0.01} // the distance that came about is in it, too
			pins.Check(t, fmt.Sprintf("%s, class %d: distance", shape, j), c.Gap, func(ct.On) ct.Real {
				rounding := facts.Combination(ct.R(c.duals).Root(), ct.R(c.size), ct.R(0))
				return rounding(func(_ string, v ct.Real) ct.Real { return v }).Square().Scale(p.Ridge() / 2)
			})
		}
	}
}

// TestOpeningTerms: the gap at 0 is P(0) and the share of it that its sums may lose.
func TestOpeningTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 1e-9, Floor: 1e-9}
	for k, phi := range allLosses {
		s := ct.Shape{Loss: phi, Rows: 90, Cols: 2, Weights: "some"}
		c, err := s.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		p := &c.Problem
		zero, _ := ct.At(c, make([]float64, c.X.Cols()))
		_, full := loopOf(t, p, Prox{}, solvers.Settings{})
		e := full.opening(false)
		pins.Check(t, s.String(), e.Gap, func(ct.On) ct.Real { return zero.Scale(1 + 1e-6) })
		slopes := ct.R(0)
		for i := range p.Y {
			slopes = slopes.Plus(ct.SlopeOf(c, i, 0).Square())
		}
		value := ct.Pins{}
		value.Check(t, s.String(), e.ObjectiveError, ct.FactsOf(c).Value(slopes.Root().Float(), 0, e.Objective, ct.R(0)))
	}
}
