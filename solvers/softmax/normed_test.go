package softmax

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
)

// normedCase is a problem with norms l1 of single weights or of columns.
type normedCase struct {
	*Problem
	l1, lambda float64
	grouped    bool
}

func (c normedCase) String() string {
	return fmt.Sprintf("l1 %v, lambda %v, intercepts %t, weights %t, columns %t", c.l1, c.lambda, c.Intercept, c.SampleWeight != nil, c.grouped)
}

func newNormedCase(p *Problem, l1, lambda float64, grouped bool) normedCase {
	q := *p
	q.Lambda = 0
	if q.Penalty = (penalty.ElasticNet{L1: l1, L2: lambda}); grouped {
		q.Penalty = &penalty.GroupLasso{Weight: l1, Groups: q.ByColumn(), Lambda: lambda}
	}
	return normedCase{&q, l1, lambda, grouped}
}

// normedCases have both norms, with and without squares, intercepts and weights of rows.
func normedCases(t *testing.T) (cases []normedCase) {
	for k, l1 := range []float64{0.2, 0.02, 0.002, 1e-4} {
		for _, lambda := range []float64{0, 1e-3} {
			for what := range 8 {
				p := randomProblem(t, 150, 8, 4, uint64(3+k))
				p.Intercept = what&1 != 0
				if what&2 != 0 {
					for i := range p.Class {
						p.SampleWeight = append(p.SampleWeight, float64(i%4)/2)
					}
				}
				cases = append(cases, newNormedCase(p, l1, lambda, what&4 != 0))
			}
		}
	}
	return cases
}

// at returns P and the element of least norm of its subgradient, class after class, in plain Go.
func (c normedCase) at(w []float64) (value float64, least []float64) {
	smooth := *c.Problem
	smooth.Lambda = 0
	value, least = byDefinition(&smooth, w)
	d, held := c.X.Cols(), c.X.Cols()
	if c.Intercept {
		held--
	}
	for j := range held {
		norm, size := 0.0, 0.0
		for k := range c.Count {
			v := w[k*d+j]
			least[k*d+j] += c.lambda * v
			value += c.lambda / 2 * v * v
			norm += v * v
		}
		norm = math.Sqrt(norm)
		weight := c.l1 * math.Sqrt(float64(c.Count))
		for k := range c.Count {
			v, g := w[k*d+j], &least[k*d+j]
			switch {
			case c.grouped && norm > 0:
				*g += weight * v / norm
			case c.grouped:
				size += *g * *g
			case v != 0:
				value += c.l1 * math.Abs(v)
				*g += math.Copysign(c.l1, v)
			default:
				*g = math.Copysign(max(0, math.Abs(*g)-c.l1), *g)
			}
		}
		if c.grouped {
			value += weight * norm
			for k := range c.Count {
				if norm == 0 {
					least[k*d+j] *= max(0, 1-weight/max(math.Sqrt(size), math.SmallestNonzeroFloat64))
				}
			}
		}
	}
	return value, least
}

func solveNormed(t *testing.T, c normedCase, gap float64, epochs float64) *solvers.Result {
	t.Helper()
	r, err := SolveSparse(context.Background(), c.Problem, ProximalNewton{}, solvers.Settings{GapTolerance: gap, MaxEpochs: epochs, Workers: 1})
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	return r
}

// TestNorms: by the definition of P, results have the value that is reported, no slope down, and are within
// their gap of the minimum.
func TestNorms(t *testing.T) {
	for _, c := range normedCases(t) {
		r := solveNormed(t, c, 1e-9, 2000)
		value, least := c.at(r.Weights)
		slope := direct.Norm(least)
		if r.Status != solvers.Converged || !(math.Abs(value-r.Objective) < 1e-12*(1+value)) || !(slope < 1e-4) || !(r.Gap <= 1e-9) {
			t.Errorf("%v: %v, gap %v, objective %v, not %v; slope %v", c, r.Status, r.Gap, r.Objective, value, slope)
		}
		if math.Abs(slope-r.GradientNorm) > 1e-12 {
			t.Errorf("%v: the gradient norm is %v, not %v", c, r.GradientNorm, slope)
		}
		zeros := len(r.Weights) - nonZeros(r.Weights)
		if c.l1 == 0.02 && !c.grouped && zeros < 4 {
			t.Errorf("%v: %d weights are 0", c, zeros)
		}
		for epochs := range 4 {
			early := solveNormed(t, c, 1e-14, float64(1+3*epochs))
			if value, _ := c.at(early.Weights); !(early.Gap >= value-r.Objective-1e-12) {
				t.Errorf("%v: after %d epochs the gap is %v, the distance %v", c, 1+3*epochs, early.Gap, value-r.Objective)
			}
		}
	}
}

// TestLowerBound: at any weights, with intercepts far from the best ones too, dual is below the minimum, and
// near it at the minimum.
func TestLowerBound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	finite := 0
	for _, c := range normedCases(t) {
		best := solveNormed(t, c, 1e-11, 2000)
		o := newNormed(c.Problem, nil)
		w := make([]float64, len(best.Weights))
		for try := range 24 {
			scale := []float64{0, 1e-12, 1e-6, 1e-3, 0.1, 3}[try%6]
			for a, v := range best.Weights {
				w[a] = v*float64(1-try/6%2) + scale*normal(r)
			}
			e := o.evaluate(w)
			lower := e.Objective + e.ObjectiveError - e.Gap
			if e.Gap-e.Gap == 0 {
				finite++
			}
			if lower > best.Objective {
				t.Errorf("%v, by %v: the bound %v is above the minimum %v", c, scale, lower, best.Objective)
			}
			if try < 3 && !(e.Gap < 1e-4) {
				t.Errorf("%v, by %v: the gap is %v", c, scale, e.Gap)
			}
		}
	}
	if finite < 24*len(normedCases(t)) {
		t.Errorf("%d bounds are finite", finite)
	}
}

// TestNormsOfTwoClasses: an L1 norm of two classes is that of one logistic fit, with half of its weight for
// each of the two.
func TestNormsOfTwoClasses(t *testing.T) {
	for _, l1 := range []float64{0.05, 0.005} {
		p := randomProblem(t, 200, 12, 2, 9)
		p.Intercept = true
		c := newNormedCase(p, l1, 0, false)
		r := solveNormed(t, c, 1e-10, 2000)
		y := make([]float64, len(p.Class))
		for i, k := range p.Class {
			y[i] = 1 - 2*float64(k)
		}
		q := &elasticnet.Problem{X: p.X, Y: y, Loss: loss.Logistic{}, Penalty: penalty.ElasticNet{L1: l1}, Intercept: true}
		one, err := elasticnet.Solve(context.Background(), q, nil, solvers.Settings{GapTolerance: 1e-10, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(one.Objective-r.Objective) > 2e-10 {
			t.Errorf("l1 %v: %v, not %v", l1, r.Objective, one.Objective)
		}
	}
}

// TestMiddle: no other shift of a column has a smaller penalty.
func TestMiddle(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	p := randomProblem(t, 10, 2, 5, 1)
	for try := range 2000 {
		lambda := []float64{0, 0.1, 2}[try%3]
		o := newNormed(newNormedCase(p, 0.5, lambda, false).Problem, nil)
		w := make([]float64, 5)
		for k := range w {
			if w[k] = math.Round(4*normal(r)) / 2; r.IntN(3) == 0 {
				w[k] = 0
			}
		}
		value := func(t float64) (sum float64) {
			for _, v := range w {
				sum += 0.5*math.Abs(v-t) + lambda/2*(v-t)*(v-t)
			}
			return sum
		}
		at := o.middle(w)
		for by := -4.0; by <= 4; by += 0.125 {
			if other := value(by); other < value(at)-1e-12 || other < value(at)+1e-12 && math.Abs(by) < math.Abs(at)-1e-12 {
				t.Fatalf("lambda %v, %v: %v at %v, %v at %v", lambda, w, value(at), at, other, by)
			}
		}
	}
}

// TestNormsAnywhere: paths, workers and resumed runs have the same bits.
func TestNormsAnywhere(t *testing.T) {
	few := randomProblem(t, 400, 30, 5, 11)
	few.Intercept = true
	table := tableProblem(t, 4000)
	for _, c := range []normedCase{newNormedCase(few, 0.003, 1e-4, false), newNormedCase(few, 0.003, 1e-4, true), newNormedCase(table, 1e-5, 0, false), newNormedCase(table, 1e-4, 0, true)} {
		want := solveNormed(t, c, 1e-9, 0).Weights
		for path := range pathtest.Paths(t) {
			r, err := SolveSparse(context.Background(), c.Problem, ProximalNewton{}, solvers.Settings{GapTolerance: 1e-9, Workers: 3})
			if err != nil || !slices.Equal(r.Weights, want) {
				t.Errorf("%s, %v: other weights with three workers, %v", path, c, err)
			}
		}
		file := filepath.Join(t.TempDir(), "state")
		settings := solvers.Settings{GapTolerance: 1e-9, Workers: 1, Checkpoint: file, Overwrite: true}
		var r *solvers.Result
		for settings.MaxEpochs = 1; settings.MaxEpochs < 100; settings.MaxEpochs += 1.5 {
			var err error
			if r, err = SolveSparse(context.Background(), c.Problem, ProximalNewton{}, settings); err != nil {
				t.Fatal(err)
			}
			settings.Resume = file
			if r.Status == solvers.Converged {
				break
			}
		}
		if !slices.Equal(r.Weights, want) {
			t.Errorf("%v: %v, other weights after it was resumed", c, r.Status)
		}
	}
}

// TestLargestNorm: from the largest weight on, all weights but the intercepts are 0.
func TestLargestNorm(t *testing.T) {
	for _, c := range normedCases(t) {
		most, err := LargestNorm(c.Problem)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0.999, 1.001} {
			r := solveNormed(t, newNormedCase(c.Problem, share*most, c.lambda, c.grouped), 1e-12, 0)
			d, held := c.X.Cols(), c.X.Cols()
			if c.Intercept {
				held--
			}
			count := 0
			for k := range c.Count {
				count += nonZeros(r.Weights[k*d : k*d+held])
			}
			if (count == 0) != (share > 1) {
				t.Errorf("%v: %d weights at %v of %v", c, count, share, most)
			}
		}
	}
}

// TestNormsRefused: problems that a solver does not take are errors.
func TestNormsRefused(t *testing.T) {
	p := randomProblem(t, 20, 3, 3, 1)
	with := func(l penalty.Penalty, lambda float64) *Problem {
		q := *p
		q.Penalty, q.Lambda = l, lambda
		return &q
	}
	net := penalty.ElasticNet{L1: 1}
	for name, q := range map[string]*Problem{
		"nil": nil, "no penalty": p, "lambda beside": with(net, 1), "none": with(penalty.ElasticNet{}, 0), "negative": with(penalty.ElasticNet{L1: -1}, 0),
		"box": with(penalty.Box{Low: 0, High: 1}, 0), "factors": with(&penalty.Factored{L1: 1, Factors: make([]float64, 12)}, 0),
		"groups with factors": with(&penalty.UnevenGroups{Weight: 1, Groups: p.ByColumn()}, 0),
		"other groups":        with(&penalty.GroupLasso{Weight: 1, Groups: [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}}, 0),
	} {
		if _, err := SolveSparse(context.Background(), q, ProximalNewton{}, solvers.Settings{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := LargestNorm(q); err == nil {
			t.Errorf("%s: LargestNorm has no error", name)
		}
	}
	if _, err := Solve(context.Background(), with(net, 0), Newton{}, solvers.Settings{}); err == nil {
		t.Error("Newton takes a norm")
	}
	if _, err := SolveSparse(context.Background(), with(net, 0), ProximalNewton{MaxSweeps: -1}, solvers.Settings{}); err == nil {
		t.Error("sweeps below 0")
	}
	var lacks *penalty.LacksError
	if _, err := SolveSparse(context.Background(), with(penalty.Box{Low: 0, High: 1}, 0), ProximalNewton{}, solvers.Settings{}); !errors.As(err, &lacks) {
		t.Errorf("a box: %v", err)
	}
}

// TestNormTerms: the bound of the objective has the norms in it, slopes of the own classes are exact, and the
// lower bound lacks what the sums of the slopes cost beside intercepts.
func TestNormTerms(t *testing.T) {
	p := randomProblem(t, 12, 30, 5, 4)
	for i := range p.Class {
		p.Class[i] = uint32(i % 5)
	}
	p.Intercept = true
	c := newNormedCase(p, 3, 0, false)
	o := newNormed(c.Problem, nil)
	w := make([]float64, o.d*o.k)
	r := rand.New(rand.NewPCG(3, 4))
	for a := range w {
		w[a] = normal(r)
	}
	e := o.evaluate(w)
	columns := make([]float64, len(w))
	o.byColumn(columns, w)
	added := o.rules.Value(columns[:o.held])
	if least := float64(o.n+o.d*o.k+64+2*(o.d*o.k+16)) * direct.Unit * added; !(e.ObjectiveError >= 0.99*least) {
		t.Errorf("the error of the objective is %v, below %v", e.ObjectiveError, least)
	}
	for i, class := range p.Class {
		others := 0.0
		for k, v := range o.row(o.work, i) {
			if k != int(class) {
				others += v
			}
		}
		if got := o.row(o.work, i)[class]; math.Abs(got+others) > 2*direct.Unit*others {
			t.Errorf("row %d: the own slope is %v, the others have %v", i, got, others)
		}
	}
	for _, lambda := range []float64{0, 1e-3} {
		c := newNormedCase(p, 0.02, lambda, false)
		best := solveNormed(t, c, 1e-9, 0)
		o := newNormed(c.Problem, nil)
		e := o.evaluate(best.Weights)
		left, reach := 0.0, 1+2*maxAbs(o.z)
		intercepts := 0.0
		for k := range o.k {
			left += math.Abs(o.sum(sumHigh, k)+o.sum(sumLow, k)) + float64(o.k+32)*direct.Unit*o.sum(sumAbsolute, k)
			intercepts = max(intercepts, math.Abs(best.Weights[k*o.d+o.d-1]))
		}
		rest := certificate.Farthest * (reach + intercepts) * left / float64(o.n)
		value, share := o.rules.Support(nil, o.most[:o.held])
		want := o.conjugates(o.point, share)
		if !math.IsInf(value, 1) {
			want = max(want, o.conjugates(o.point, 1)-value)
		}
		if got := e.Objective + e.ObjectiveError - e.Gap; !(math.Abs(want-rest-got) < 0.1*rest) || !(rest > 1e-13) {
			t.Errorf("lambda %v: the lower bound is %v, not %v; %v is for intercepts", lambda, got, want-rest, rest)
		}
	}
}

func maxAbs(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}
