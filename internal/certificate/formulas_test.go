package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// shape is a problem of certificatetest.Shapes with its facts.
type shape struct {
	name  string
	p     certificate.Problem
	facts *ct.Facts
	err   error
}

var shapes = sync.OnceValue(func() (all []shape) {
	for k, s := range ct.Shapes() {
		p, err := s.Problem(uint64(k))
		if err != nil {
			return []shape{{err: err}}
		}
		all = append(all, shape{name: s.String(), p: p, facts: ct.FactsOf(p)})
	}
	return all
})

// shaped calls f for every shape; any draws numbers of all scales.
func shaped(t *testing.T, f func(name string, p certificate.Problem, facts *ct.Facts, any func() float64)) {
	t.Helper()
	for k, s := range shapes() {
		if s.err != nil {
			t.Fatal(s.err)
		}
		r := rand.New(rand.NewPCG(uint64(k), 3))
		f(s.name, s.p, s.facts, func() float64 {
			if r.IntN(4) == 0 {
				return 0
			}
			return math.Pow(10, 24*r.Float64()-12)
		})
	}
}

// TestRoundingTerms compares the bounds of the gradient and the objective with their formulas,
// where every term is the largest once.
func TestRoundingTerms(t *testing.T) {
	t.Parallel()
	var gradient, value, columns ct.Pins
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		b := certificate.New(p)
		for round := range repeat.Size(12, 5) {
			slopes, weights, norm, objective, spread := any(), any(), any(), any(), any()
			if round == 0 {
				slopes, weights, norm, objective, spread = 0, 0, 0, 0, 0
			}
			of := fmt.Sprintf("%s; slopes %g, weights %g, norm %g, objective %g, spread %g", name, slopes, weights, norm, objective, spread)
			g, v := b.Rounding(slopes, weights, norm, objective)
			gradient.Check(t, of, g, facts.Gradient(slopes, weights, norm))
			value.Check(t, of, v, facts.Value(slopes, weights, objective, ct.R(0)))
			columns.Check(t, of+", by columns", b.ByColumns(slopes, spread, objective), facts.ValueByColumns(slopes, spread, objective, ct.R(0)))
		}
	})
	gradient.Done(t)
	value.Done(t)
	columns.Done(t)
}

// TestNegativeWeights: where losses of negative weights cancel others, what sums lose is
// bounded by the sizes of all, and more than the objective's own.
func TestNegativeWeights(t *testing.T) {
	t.Parallel()
	var gradient, value, columns ct.Pins
	for k, phi := range losses {
		p, err := ct.Shape{Loss: phi, Rows: 90, Cols: 3, Weights: "negative"}.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		facts, negative, b := ct.FactsOf(p), ct.Negative(p), certificate.New(p)
		for _, c := range [][4]float64{{1e3, 1e-6, 1e-6, 1e-3}, {1e-3, 0, 0, 1e4}, {1, 1, 1, 1}, {1e-9, 1e6, 1e6, 0}} {
			g, v := b.Rounding(c[0], c[1], 1, c[3])
			of := fmt.Sprint(phi, c)
			gradient.Check(t, of+" gradient", g, facts.Gradient(c[0], c[1], 1))
			value.Check(t, of, v, facts.Value(c[0], c[1], c[3], negative))
			columns.Check(t, of+" by columns", b.ByColumns(c[0], c[2], c[3]), facts.ValueByColumns(c[0], c[2], c[3], negative))
		}
	}
	if err := "negative losses"; !value.Counted(err) || !columns.Counted(err) {
		t.Errorf("%s never counted", err)
	}
	if err := "margins"; !gradient.Counted(err) {
		t.Errorf("%s never counted in the gradient", err)
	}
	// Two rows that cancel: the objective is nothing but rounding.
	p, err := ct.Shape{Loss: loss.Squared{}, Rows: 2, Cols: 1, Values: "ones"}.Problem(1)
	if err != nil {
		t.Fatal(err)
	}
	p.Y, p.SampleWeight, p.Penalty = []float64{1e8 + 1.0/3, 1e8 - 1.0/3}, []float64{1, -1}, penalty.Ridge{Lambda: 10}
	w := []float64{1e-3}
	objective, _, slopes := evaluate(t, p, w)
	_, rounding := certificate.New(p).Rounding(slopes, 1e-3, 0, objective)
	exact := ct.Exactly(p).Objective(w)
	if !(math.Abs(objective-exact) <= rounding) {
		t.Errorf("the objective is %v +- %v, exactly %v", objective, rounding, exact)
	}
}

// TestColumnTerms compares the gradient's bound by columns with its formula.
func TestColumnTerms(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	compared := func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		b := certificate.New(p)
		squares, weighted := make([]float64, facts.D), make([]float64, facts.D)
		for j := range squares {
			squares[j], weighted[j] = facts.Columns[j].Float(), facts.WeightedColumns[j].Float()
		}
		if p.Offset != nil {
			weighted = append(weighted, facts.WeightedOffsets.Float())
		}
		w := make([]float64, facts.D)
		for round := range 5 {
			for j := range w {
				if w[j] = any(); round < 2 {
					w[j] = 0
				}
			}
			slopes, norm := any(), any()
			if round == 0 {
				slopes, norm = 0, 0
			}
			of := fmt.Sprintf("%s; slopes %g, norm %g, round %d", name, slopes, norm, round)
			pins.Check(t, of, b.RoundingByColumns(w, squares, weighted, slopes, norm), facts.GradientByColumns(w, slopes, norm))
		}
	}
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		if p.X.Rows() > 1000 || p.X.Cols() > 100 || p.Ridge() > 1e100 {
			return // long, or squares overflow
		}
		compared(name, p, facts, any)
		if facts.Largest.Float() > 1e100 {
			return // squares overflow
		}
		for range p.X.Rows() {
			p.Offset = append(p.Offset, any())
		}
		compared(name+", offsets", p, ct.FactsOf(p), any)
	})
	pins.Done(t)
}

// TestGapTerms compares the gap that follows from a gradient's norm with its formula.
func TestGapTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 1e-9}
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		if p.Ridge() > 1e100 {
			return // the gap underflows
		}
		b := certificate.New(p)
		for k := range 8 {
			norm, rounding := any(), any()
			if k == 0 {
				norm, rounding = 1e-162, 0
			}
			pins.Grain = ct.Tiny.Scale(4).Plus(ct.Tiny.Over(facts.Lambda))
			pins.Check(t, fmt.Sprintf("%s; norm %g, rounding %g", name, norm, rounding), b.Gap(norm, rounding), facts.Gap(norm, rounding))
		}
	})
	pins.Done(t)
	for _, n := range []int{1, 7, 100000} {
		if got, want := certificate.Underflow(n), ct.LostSquares(n).Float(); got < want*(1-1e-15) || got > want*(1+1e-15) {
			t.Errorf("norms of %d numbers lose %v, not %v", n, got, want)
		}
	}
	if p, _ := (ct.Shape{Rows: 1, Cols: 1}).Problem(1); true {
		p.Penalty = penalty.Ridge{Lambda: 0}
		if gap := certificate.New(p).Gap(1, 0); !math.IsNaN(gap) {
			t.Errorf("a gap of %v without a regulariser", gap)
		}
	}
}

// TestMarginTerms compares the bounds of margins with their formula, row by row.
func TestMarginTerms(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	var pins ct.Pins
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		b := certificate.New(p)
		for k := range 20 {
			i := (k*k*977 + p.X.Rows() - 1) % p.X.Rows() // the last row first
			w := []float64{any(), 0, 1e-150}[k%3]
			pins.Check(t, fmt.Sprintf("%s; row %d, weights %g", name, i, w), b.Margin(i, w), facts.Margin(i, w))
		}
	})
	pins.Done(t)
}

// TestCombinationTerms compares the bounds of dual points' weights with their formulas.
func TestCombinationTerms(t *testing.T) {
	t.Parallel()
	pins, drift := ct.Pins{}, ct.Pins{Slack: 0.05}
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		b := certificate.New(p)
		for k := range 8 {
			size, weights, distance := any(), any(), any()
			if k < 2 {
				size, weights, distance = 0, 0, 0
			}
			of := fmt.Sprintf("%s; size %g, weights %g, distance %g", name, size, weights, distance)
			pins.Check(t, of, b.Combination(size, weights, distance), facts.Combination(ct.R(size), ct.R(weights), ct.R(distance)))
		}
		for _, steps := range []float64{0, 1, 1e4, 1e9} {
			if facts.Largest.Float() > 1e300 {
				break // n times it overflows
			}
			for _, units := range []float64{0, 8} {
				drift.Check(t, fmt.Sprintf("%s; %g steps of %g units", name, steps, units), b.Drift(steps, units), facts.Drift(steps, units))
			}
		}
	})
	pins.Done(t)
	drift.Done(t)
}

// TestKnownTotals: bounds for rows that are not at hand know what bounds of the rows know,
// with the longest sum that they are told of.
func TestKnownTotals(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	shaped(t, func(name string, p certificate.Problem, facts *ct.Facts, any func() float64) {
		if p.X.NNZ() > 4000 {
			return
		}
		for _, longest := range []int{3, 5000} {
			facts := *facts
			facts.Column = ct.Unit.Scale(float64(longest + 80))
			b := certificate.Known(certificate.Problem{Problem: risk.Problem{Loss: p.Loss, Penalty: p.Penalty}, Sequential: p.Sequential}, certificate.Totals{
				Rows: p.X.Rows(), Columns: p.X.Cols(), NonZeros: p.X.NNZ(), Longest: longest,
				Squares: facts.Squares.Float(), Weighted: facts.Weighted.Float(), Largest: facts.Largest.Float(),
			})
			slopes, weights, norm, objective := any(), any(), any(), any()
			g, v := b.Rounding(slopes, weights, norm, objective)
			of := fmt.Sprintf("%s; longest %d, slopes %g, weights %g, norm %g, objective %g", name, longest, slopes, weights, norm, objective)
			pins.Check(t, of, g, facts.Gradient(slopes, weights, norm))
			pins.Check(t, of, v, facts.Value(slopes, weights, objective, ct.R(0)))
		}
	})
}

// TestShortRows: rows so short that their squares are below all numbers count where weights or
// slopes are so large that their products are not.
func TestShortRows(t *testing.T) {
	t.Parallel()
	for k, s := range []ct.Shape{{Rows: 20, Cols: 3, Scale: 1e-165}, {Rows: 20, Cols: 3, Scale: 1e-165, Weights: "above", Times: 1e-3}} {
		s.Loss = loss.Squared{}
		p, err := s.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		b, facts, none := certificate.New(p), ct.FactsOf(p), ct.R(0)
		everything := func(_ string, v ct.Real) ct.Real { return v }
		for _, c := range [][2]float64{{0, 1e300}, {1e300, 0}, {1e200, 1e200}} {
			g, v := b.Rounding(c[0], c[1], 0, 0)
			if want := facts.Gradient(c[0], c[1], 0)(everything).Float(); !(g >= want) {
				t.Errorf("%s, slopes %g, weights %g: the gradient's bound is %v, by its formula %v", s, c[0], c[1], g, want)
			}
			if want := facts.Value(c[0], c[1], 0, none)(everything).Float(); !(v >= want) {
				t.Errorf("%s, slopes %g, weights %g: the objective's bound is %v, by its formula %v", s, c[0], c[1], v, want)
			}
			if got, want := b.Combination(c[0], 0, 0), facts.Combination(ct.R(c[0]), none, none)(everything).Float(); !(got >= want) {
				t.Errorf("%s, size %g: a combination's bound is %v, by its formula %v", s, c[0], got, want)
			}
		}
	}
}
