package elasticnet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// certified calls f for problems of all losses, with points: rows of weights from 0 to 1000,
// columns that differ by 1e12, 600 rows, with and without an intercept and lambda.
func certified(t *testing.T, f func(name string, o *objective, facts *ct.Facts, w []float64)) {
	t.Helper()
	for k := range 12 {
		s := ct.Shape{
			Loss: losses[k%4], Rows: []int{40, 25, 70}[k%3], Cols: []int{3, 12}[k/2%2],
			Weights: []string{"above", "", "some"}[k/3%3], Values: []string{"", "columns", "rows"}[k/4%3],
		}
		if k == 5 {
			s.Rows = 600
		}
		c, err := s.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		p := &erm.Problem{X: c.X, Y: c.Y, SampleWeight: c.SampleWeight, Loss: c.Loss}
		setIntercept(p, (k/2+k/4)%2 == 1)
		for i := range p.Y {
			if k%3 == 2 {
				p.Offset = append(p.Offset, 30*math.Sin(float64(i)))
			}
		}
		p.Penalty = penalty.ElasticNet{L1: []float64{0.02, 1e-3}[k%2], L2: []float64{0, 1e-6, 3}[k%3]}
		o := newObjective(p, nil)
		r := rand.New(rand.NewPCG(uint64(k), 2))
		for _, scale := range []float64{1, 1e4} {
			w := make([]float64, o.x.Cols())
			for j := range w {
				if r.IntN(3) > 0 {
					w[j] = scale * r.NormFloat64() / (1e-9 + o.lengths()[j]) * math.Sqrt(float64(s.Rows))
				}
			}
			facts := ct.FactsOf(certificate.Problem{Problem: risk.Problem{X: o.x.Matrix, SampleWeight: c.SampleWeight, Loss: c.Loss, Offset: p.Offset}})
			f(fmt.Sprintf("%s, l1 %g, lambda %g, intercept %t, weights of %g", s, penalty.WeightOf(p.Penalty), p.Ridge(), p.Intercept, scale), o, facts, w)
		}
	}
}

// all is a formula with all of its terms.
func all(formula func(on ct.On) ct.Real) ct.Real {
	return formula(func(_ string, v ct.Real) ct.Real { return v })
}

// inReals is P by its definition.
func inReals(o *objective, w []float64) ct.Real {
	sum := ct.R(0)
	q := certificate.Problem{Problem: risk.Problem{Y: o.p.Y, SampleWeight: o.p.SampleWeight, Loss: o.p.Loss}}
	for i, z := range ct.Margins(o.x.Matrix, ct.Rs(w)) {
		sum = sum.Plus(ct.LossAt(q, i, z.Plus(ct.R(direct.Offset(o.p.Offset, i)))))
	}
	sum = sum.Over(ct.R(float64(o.n)))
	for _, v := range ct.Rs(w[:o.d]) {
		sum = sum.Plus(v.Abs().Scale(penalty.WeightOf(o.p.Penalty)), v.Square().Scale(o.p.Ridge()/2))
	}
	return sum
}

// TestJudgedTerms compares the bounds of the objective and of the gradient with their formulas,
// and the objective with its exact value; the gap has the objective's rounding in it.
func TestJudgedTerms(t *testing.T) {
	t.Parallel()
	values, gradient := ct.Pins{Slack: 0.05}, ct.Pins{Slack: 0.05}
	certified(t, func(name string, o *objective, facts *ct.Facts, w []float64) {
		e := o.evaluate(w)
		slopes, weights := ct.Norm(ct.Rs(o.coef)).Float(), ct.Norm(ct.Rs(w)).Float()
		spread, norms := ct.R(0), ct.R(0)
		for j, v := range ct.Rs(w) {
			spread = spread.Plus(facts.Columns[j].Root().Times(v.Abs()))
			if j == 0 {
				spread = spread.Plus(ct.Norm(ct.Rs(o.p.Offset)))
			}
			if j < o.d {
				norms = norms.Plus(v.Abs().Scale(penalty.WeightOf(o.p.Penalty)), v.Square().Scale(o.p.Ridge()/2))
			}
		}
		value := all(facts.Value(slopes, weights, o.mean, ct.R(0)))
		if value.Float() > 0x1p-40*e.Objective {
			value = value.Min(all(facts.ValueByColumns(slopes, spread.Float(), o.mean, ct.R(0))))
		}
		values.Check(t, name, e.ObjectiveError, func(on ct.On) ct.Real {
			return on("losses", value).Plus(on("penalty", ct.Unit.Scale(float64(2*(o.d+16))).Times(norms)))
		})
		if off := inReals(o, w).Minus(ct.R(e.Objective)).Abs(); off.Cmp(ct.R(e.ObjectiveError)) > 0 {
			t.Errorf("%s: the objective %v is off by %v, bound %v", name, e.Objective, off.Float(), e.ObjectiveError)
		}
		norm := ct.Norm(ct.Rs(o.g)).Plus(ct.R(e.GradientNorm)).Float()
		gradient.Check(t, name+", gradient", e.GradientError, facts.Gradient(slopes, weights, norm))
		if lower := o.dual(w, slopes); !math.IsNaN(lower) {
			if want := max(e.Objective+e.ObjectiveError-lower, 0); !(math.Abs(e.Gap-want) <= 1e-3*e.ObjectiveError) {
				t.Errorf("%s: the gap is %v, not %v + %v - %v", name, e.Gap, e.Objective, e.ObjectiveError, lower)
			}
		}
	})
	values.Done(t)
	if !gradient.Counted("norm") {
		t.Error("the gradient's norm never counted")
	}
}

// duals returns the exact dual value of a share of the slopes, and what bounds its rounding.
// Slopes of one sign are scaled down until the slopes sum to 0. The other results are the |u_j|,
// the sum of the absolute terms and the smaller sum of one sign. The last two are the norm of the
// remainder, and the largest share that a slope lost.
func duals(o *objective, share float64) (value ct.Real, u []ct.Real, absolute, least, kept ct.Real, lost float64) {
	positive, negative := ct.R(0), ct.R(0)
	for _, c := range ct.Rs(o.coef) {
		if c.Cmp(ct.R(0)) > 0 {
			positive = positive.Plus(c)
		} else {
			negative = negative.Minus(c)
		}
	}
	above, below := 1.0, 1.0
	if o.p.Intercept && positive.Cmp(negative) > 0 {
		above = negative.Over(positive).Float()
	} else if o.p.Intercept && negative.Cmp(ct.R(0)) > 0 {
		below = positive.Over(negative).Float()
	}
	value, absolute = ct.R(0), ct.R(0)
	sa := make([]ct.Real, o.n)
	for i, c := range o.coef {
		keep := above
		if c < 0 {
			keep = below
		}
		s := direct.Weight(o.p.SampleWeight, i)
		sa[i] = ct.R(-c).Scale(keep).Scale(share)
		if c == 0 {
			continue
		}
		a := sa[i].Over(ct.R(s))
		var part, size ct.Real
		if o.p.Loss == (loss.Logistic{}) {
			part = ct.R(0)
			for _, q := range []ct.Real{a.Abs(), ct.R(1).Minus(a.Abs())} {
				if q.Cmp(ct.R(0)) > 0 {
					part = part.Plus(q.Times(q.Log()))
				}
			}
			size = ct.R(1).Minus(part)
		} else {
			half, target := a.Square().Scale(0.5), a.Scale(o.p.Y[i])
			part, size = half.Minus(target), half.Plus(target.Abs())
		}
		value, absolute = value.Minus(part.Scale(s)), absolute.Plus(size.Scale(s))
		moved := sa[i].Scale(direct.Offset(o.p.Offset, i))
		value, absolute = value.Minus(moved), absolute.Plus(moved.Abs())
	}
	n := ct.R(float64(o.n))
	u = ct.Transposed(o.x.Matrix, sa)[:o.d]
	for j := range u {
		u[j] = u[j].Abs().Over(n)
	}
	return value.Over(n), u, absolute.Over(n), positive.Min(negative), ct.Norm(sa), max(1-above, 1-below)
}

// dualFormula is the dual's value less what rounding takes. It tells whether the slopes are so
// far from a sum of 0 that the gradient has to be computed anew.
func dualFormula(o *objective, facts *ct.Facts, w []float64, size ct.Real) (value func(on ct.On) ct.Real, anew bool) {
	full, u, absolute, least, kept, lost := duals(o, 1)
	anew = lost > 1e-9
	n, far := ct.R(float64(o.n)), 1.0
	for i, z := range o.z {
		if direct.Weight(o.p.SampleWeight, i) > 0 {
			far = max(far, 1+math.Abs(z))
		}
	}
	slopes := func(on ct.On) []ct.Real {
		out := make([]ct.Real, len(u))
		for j := range u {
			off := ct.Unit.Scale(float64(o.n+100)).Plus(ct.R(lost)).Times(size, facts.Columns[j].Root()).Over(n)
			off = off.Plus(ct.Unit.Scale(4 * o.p.Ridge() * math.Abs(w[j])))
			if anew {
				off = ct.Unit.Scale(float64(o.n+96)).Times(kept, facts.Columns[j].Root()).Over(n)
			}
			out[j] = u[j].Plus(on("slopes of columns", off))
		}
		return out
	}
	return func(on ct.On) ct.Real {
		most, excess, rest := ct.R(0), ct.R(0), ct.R(0)
		for _, v := range slopes(on) {
			if most = most.Max(v); v.Cmp(ct.R(penalty.WeightOf(o.p.Penalty))) > 0 {
				excess = excess.Plus(v.Minus(ct.R(penalty.WeightOf(o.p.Penalty))).Square())
			}
		}
		if o.p.Intercept {
			rest = on("sum of slopes", ct.Unit.Scale(8*1024).Times(least).Scale(far+math.Abs(w[o.d])).Over(n))
		}
		conjugates := func(absolute ct.Real) ct.Real {
			return on("conjugates", ct.Unit.Scale(float64(o.n+24)).Times(absolute))
		}
		best := ct.R(math.Inf(-1))
		none := excess.Cmp(ct.R(0)) == 0
		if o.p.Ridge() > 0 || none {
			best = full.Minus(conjugates(absolute))
			if !none {
				best = best.Minus(excess.Over(ct.R(2 * o.p.Ridge())))
			}
		}
		if !none {
			share := ct.R(penalty.WeightOf(o.p.Penalty)).Over(most).Times(ct.R(1).Minus(ct.Unit.Scale(8))).Float()
			smaller, _, absolute, _, _, _ := duals(o, share)
			best = best.Max(smaller.Minus(conjugates(absolute)))
		}
		return best.Minus(rest)
	}, anew
}

// TestDualTerms compares what rounding takes from the dual's value with its formula, for slopes
// as they are and made smaller: the sums of the conjugates, what the slopes of columns may be
// off by, and what is left of their sum beside an intercept.
func TestDualTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.2, Floor: 0.2} // the rounding that came about is in it, too
	farFrom := 0
	certified(t, func(name string, o *objective, facts *ct.Facts, w []float64) {
		o.place(w)
		if o.p.Intercept && w[o.d] < 0 { // near the best intercept
			w[o.d] = o.centre(w[o.d], 1e-15)
			o.place(w)
		}
		o.gradient(w)
		size := ct.Norm(ct.Rs(o.coef))
		lower := o.dual(w, size.Float())
		if math.IsNaN(lower) || math.IsInf(lower, 0) {
			return
		}
		value, anew := dualFormula(o, facts, w, size)
		if anew {
			farFrom++
		}
		off := func(string, ct.Real) ct.Real { return ct.R(0) }
		exact := value(off)
		if exact.Cmp(all(value)) < 0 {
			return // a dual point so far away that a smaller one is better
		}
		pins.Check(t, name, exact.Minus(ct.R(lower)).Float(), func(on ct.On) ct.Real { return exact.Minus(value(on)) })
	})
	pins.Done(t)
	if farFrom < 3 {
		t.Errorf("%d points far from the best intercept", farFrom)
	}
}

// TestDualOfManyRows repeats TestDualTerms far from the best intercept. With many rows most of
// the rounding is in the columns' slopes.
func TestDualOfManyRows(t *testing.T) {
	t.Parallel()
	c, err := ct.Shape{Loss: loss.Squared{}, Rows: 6000, Cols: 1}.Problem(1)
	if err != nil {
		t.Fatal(err)
	}
	p := &erm.Problem{X: c.X, Y: c.Y, Loss: c.Loss, Penalty: penalty.ElasticNet{L1: 1e-12, L2: 0.5}}
	setIntercept(p, true)
	o := newObjective(p, nil)
	for i := range p.Y {
		for _, x := range features(p).Row(i) {
			p.Y[i] = 3 * x
		}
	}
	w := []float64{2, 1e-4} // 3/(1 + lambda) for columns of variance 1
	o.x.MulVec(o.z, w)
	o.slopes(o.z)
	o.gradient(w)
	size := ct.Norm(ct.Rs(o.coef))
	value, anew := dualFormula(o, ct.FactsOf(certificate.Problem{Problem: risk.Problem{X: o.x.Matrix, Loss: c.Loss}}), w, size)
	exact, lower := value(func(string, ct.Real) ct.Real { return ct.R(0) }), o.dual(w, size.Float())
	pins := ct.Pins{Slack: 0.2, Floor: 0.2}
	pins.Check(t, "many rows", exact.Minus(ct.R(lower)).Float(), func(on ct.On) ct.Real { return exact.Minus(value(on)) })
	if !anew || !pins.Counted("slopes of columns") {
		t.Error("the slopes of columns never counted")
	}
}

// TestDualBesideTheCentre: scaling down the slopes of one sign by next to nothing keeps the
// dual's value at or below the exact value of the scaled point.
func TestDualBesideTheCentre(t *testing.T) {
	t.Parallel()
	c, err := ct.Shape{Loss: loss.Squared{}, Rows: 2, Cols: 1}.Problem(1)
	if err != nil {
		t.Fatal(err)
	}
	if c.X, err = sparse.NewCSR(1, []int64{0, 1, 2}, []uint32{0, 0}, []float64{-1, -3}); err != nil {
		t.Fatal(err)
	}
	p := &erm.Problem{X: c.X, Y: []float64{-1 - 1e-10, 1}, Loss: c.Loss, Penalty: penalty.ElasticNet{L1: 0.5, L2: 1}}
	setIntercept(p, true)
	o, w := newObjective(p, nil), []float64{0, 0}
	o.x.MulVec(o.z, w)
	o.slopes(o.z)
	o.gradient(w)
	size := ct.Norm(ct.Rs(o.coef))
	value, anew := dualFormula(o, ct.FactsOf(c), w, size)
	exact, lower := value(func(string, ct.Real) ct.Real { return ct.R(0) }), ct.R(o.dual(w, size.Float()))
	if lost := exact.Minus(lower).Float(); anew || !(lost >= 0) || !(lost <= 1.2*exact.Minus(all(value)).Float()) {
		t.Errorf("the dual is %v below its value, anew %t", lost, anew)
	}
}

// TestLengthsFromAbove: lengths of columns count the rows with a weight, and are never too small.
func TestLengthsFromAbove(t *testing.T) {
	t.Parallel()
	certified(t, func(name string, o *objective, facts *ct.Facts, _ []float64) {
		for j, got := range o.lengths() {
			if want := facts.Columns[j].Root().Float(); !(got >= want) || !(got <= want*(1+1e-9)+1e-149) {
				t.Fatalf("%s: column %d is %v long, not %v", name, j, got, want)
			}
		}
	})
}

// TestPathMargins: along a path without the matrix of the model, margins are sums over columns,
// and bounded as such.
func TestPathMargins(t *testing.T) {
	t.Parallel()
	c, err := ct.Shape{Loss: loss.Squared{}, Rows: 30, Cols: 90}.Problem(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 1000} {
		path, err := NewPath(&erm.Problem{X: c.X.WithBias(1), Y: c.Y, Loss: c.Loss, Intercept: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		path.mostColumns = room
		if _, err := path.Solve(t.Context(), penalty.L1{Lambda: 0.1}, solvers.Settings{GapTolerance: 1e-3, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		facts := ct.FactsOf(certificate.Problem{Problem: risk.Problem{X: path.o.x.Matrix, Loss: c.Loss}, Sequential: !path.model.whole})
		if path.model.whole != (room > 0) {
			t.Errorf("room for %d columns: a whole matrix is %t", room, path.model.whole)
		}
		var pins ct.Pins
		pins.Check(t, "a margin", path.o.bounds.Margin(3, 2), facts.Margin(3, 2))
	}
}

// TestOffsetTerms compares what an intercept that is rounded for users adds to the objective's
// error with its formula: heavy rows, a column far from 0, near the best intercept and not.
func TestOffsetTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.05}
	r := rand.New(rand.NewPCG(3, 3))
	for _, phi := range losses {
		for _, offset := range []float64{0x1p30, 0x1p50} {
			p, _ := shifted(t, phi, 60, offset, true)
			o := newObjective(p, nil)
			if o.offsets == nil {
				t.Fatal("no offset")
			}
			facts := ct.FactsOf(certificate.Problem{Problem: risk.Problem{X: o.x.Matrix, SampleWeight: p.SampleWeight, Loss: phi}})
			inner := []float64{r.NormFloat64(), r.NormFloat64(), 0, 1, r.NormFloat64()}
			o.x.MulVec(o.z, inner)
			o.slopes(o.z)
			e := o.here(inner)
			slopes, weights := ct.Norm(ct.Rs(o.coef)).Float(), ct.Norm(ct.Rs(inner)).Float()
			b := ct.R(inner[4])
			for k, j := range o.offsets.columns {
				b = b.Minus(ct.R(o.offsets.means[k]).Scale(inner[j]))
			}
			sum, size, norms, heavy := ct.R(0), ct.R(0), ct.R(0), ct.R(0)
			for i, c := range ct.Rs(o.coef) {
				sum, size, heavy = sum.Plus(c), size.Plus(c.Abs()), heavy.Plus(ct.R(direct.Weight(p.SampleWeight, i)))
			}
			for _, v := range ct.Rs(inner[:4]) {
				norms = norms.Plus(v.Abs().Scale(penalty.WeightOf(p.Penalty)), v.Square().Scale(p.Ridge()/2))
			}
			n := ct.R(float64(o.n))
			pins.Check(t, fmt.Sprintf("%v, offset %g", phi, offset), e.ObjectiveError, func(on ct.On) ct.Real {
				by := ct.Unit.Scale(2).Times(ct.R(inner[4]).Abs().Plus(b.Abs()))
				return on("losses", all(facts.Value(slopes, weights, o.mean, ct.R(0)))).Plus(
					on("penalty", ct.Unit.Scale(float64(2*(o.d+16))).Times(norms)),
					on("slope", by.Times(sum.Abs().Plus(ct.Unit.Times(n, size))).Over(n)),
					on("curvature", by.Square().Times(heavy).Over(n)))
			})
		}
	}
	if !pins.Counted("slope") || !pins.Counted("curvature") {
		t.Error("a term never counted")
	}
}
