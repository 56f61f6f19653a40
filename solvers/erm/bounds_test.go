package erm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// pointOf is a problem of a shape with weights.
func pointOf(t *testing.T, s ct.Shape, seed uint64) (p *Problem, c certificate.Problem, w []float64) {
	t.Helper()
	c, err := s.Problem(seed)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 4))
	w = make([]float64, c.X.Cols())
	for j := range w {
		w[j] = r.NormFloat64()
	}
	return &c.Problem, c, w
}

// checked compares an evaluation's bounds with their formulas.
func checked(t *testing.T, pins *ct.Pins, what string, e run.Evaluation, facts *ct.Facts, slopes, weights float64) {
	t.Helper()
	pins.Check(t, what+": gradient", e.GradientError, facts.Gradient(slopes, weights, e.GradientNorm))
	pins.Check(t, what+": objective", e.ObjectiveError, facts.Value(slopes, weights, e.Objective, ct.R(0)))
	pins.Check(t, what+": gap", e.Gap, facts.Gap(e.GradientNorm, e.GradientError))
}

// TestEvaluationTerms compares the bounds of an evaluation with their formulas. It takes rows in
// lanes, and rows that are written out, whose margins are sums over columns. Some margins have a
// larger error than margins computed from the weights. The actual errors are within the bounds.
func TestEvaluationTerms(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	var pins ct.Pins
	full := 0
	for k, s := range ct.Shapes() {
		if s.Rows > 1000 || s.Cols > 50 || s.Times != 0 || s.Scale != 0 {
			continue
		}
		p, c, w := pointOf(t, s, uint64(k))
		o := newObjective(p, nil, nil)
		c.Sequential = false
		e := o.evaluate(w)
		slopes, weights := ct.Norm(ct.Rs(o.coef)).Float(), ct.Norm(ct.Rs(w)).Float()
		checked(t, &pins, s.String(), e, ct.FactsOf(c), slopes, weights)
		value, gradient := ct.At(c, w)
		if off := value.Minus(ct.R(e.Objective)).Abs(); off.Cmp(ct.R(e.ObjectiveError)) > 0 {
			t.Errorf("%s: the objective %v is off by %v, bound %v", s, e.Objective, off.Float(), e.ObjectiveError)
		}
		if off := ct.Norm(gradient).Minus(ct.R(e.GradientNorm)).Abs(); off.Cmp(ct.R(e.GradientError)) > 0 {
			t.Errorf("%s: the gradient %v is off by %v, bound %v", s, e.GradientNorm, off.Float(), e.GradientError)
		}
		for _, norm := range []float64{weights / 2, 100 * weights} {
			near, _ := o.gradientNear(o.spare(), w, norm)
			checked(t, &pins, fmt.Sprintf("%s, margins of %g", s, norm), near, ct.FactsOf(c), slopes, max(weights, norm))
		}
		if o.write(); o.x.Full() {
			full++
			c.Sequential = true
			checked(t, &pins, s.String()+", written out", o.evaluate(w), ct.FactsOf(c), slopes, weights)
		}
	}
	if full < 3 {
		t.Errorf("%d problems were written out", full)
	}
}

// TestShardedTerms compares the bounds of an evaluation by shards, and those by columns, with
// their formulas: sums have the longest shard's rows one after the other.
func TestShardedTerms(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	for k, s := range []ct.Shape{
		{Loss: loss.Logistic{}, Rows: 600, Cols: 5, Weights: "some", Values: "columns", Bias: 1},
		{Loss: loss.Squared{}, Rows: 2000, Cols: 2, Weights: "above"}, {Loss: loss.Huber{Delta: 0.7}, Rows: 300, Cols: 3, Values: "rows", Lambda: 1e-6},
		{Loss: loss.SquaredHinge{}, Rows: 500, Cols: 4, Weights: "below", Values: "constant"},
	} {
		p, c, w := pointOf(t, s, uint64(k))
		if k%2 == 1 {
			for i := range p.Y {
				p.Offset = append(p.Offset, 10*math.Sin(float64(i)))
			}
			c.Offset = p.Offset
		}
		for _, count := range []int{1, 8} {
			f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: count}, p,
				&run.Session{Settings: solvers.Settings{Shards: count}, Ending: func() bool { return false }}, shards.Options{})
			if err != nil {
				t.Fatal(err)
			}
			facts := ct.FactsOf(c)
			longest := (s.Rows + count - 1) / count // of these rows
			facts.Column = ct.Unit.Scale(float64(longest + 32 + 80))
			// What is kept of another point is not of w.
			if _, err := f.gradient(make([]float64, len(w)), make([]float64, len(w)), true); err != nil {
				t.Fatal(err)
			}
			e := f.evaluate(w)
			of := fmt.Sprintf("%s, %d shards", s, count)
			checked(t, &pins, of, e, facts, f.slopes, ct.Norm(ct.Rs(w)).Float())
			z := make([]float64, s.Rows)
			if err := p.X.MulVec(nil, z, w); err != nil {
				t.Fatal(err)
			}
			if p.Offset != nil {
				direct.Axpy(1, p.Offset, z)
			}
			coef := make([]float64, s.Rows)
			p.Loss.Gradient(coef, z, p.Y, p.SampleWeight)
			if want := ct.Norm(ct.Rs(coef)).Float(); math.Abs(f.slopes-want) > 1e-12*want {
				t.Errorf("%s: slopes %v, not %v", of, f.slopes, want)
			}
			e.Gap = math.Inf(1)
			if e, err = f.sharpen(e, w); err != nil {
				t.Fatal(err)
			}
			pins.Check(t, of+": by columns", e.GradientError, facts.GradientByColumns(w, f.slopes, e.GradientNorm))
			pins.Check(t, of+": gap by columns", e.Gap, facts.Gap(e.GradientNorm, e.GradientError))
		}
	}
}

// TestCachedMarginsTerms: margins summed along steps have at most the error of margins computed
// from weights of the norm that cachedMargins returns. That norm is not much larger than needed.
func TestCachedMarginsTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 1e-5}
	for _, columns := range []int{1, 40, 3000} {
		x, err := sparse.NewCSR(columns, []int64{0, 1}, []uint32{0}, []float64{1})
		if err != nil {
			t.Fatal(err)
		}
		gamma := ct.FactsOf(certificate.Problem{Problem: risk.Problem{Loss: loss.Logistic{}, X: x, Penalty: penalty.Ridge{Lambda: 1}}}).Gamma
		for _, operations := range []int{0, 5, 400} {
			r := cachedMargins{length: 3, operations: operations}
			// (gamma + 2 (operations + 4) u) length <= gamma norm, and equal for the least gamma.
			need := gamma.Plus(ct.Unit.Scale(2 * float64(operations+4))).Scale(r.length).Over(gamma)
			if need.Cmp(ct.R(r.norm())) > 0 {
				t.Errorf("%d columns, %d operations: a norm of %v, and %v is needed", columns, operations, r.norm(), need.Float())
			}
			if columns == 1 {
				pins.Check(t, fmt.Sprintf("%d operations", operations), r.norm(), func(on ct.On) ct.Real {
					return on("length", ct.R(3)).Plus(on("operations", ct.R(3*float64(operations+4)/8)))
				})
			}
		}
	}
	pins.Done(t)
	r := cachedMargins{length: 5, operations: 10}
	r.along(-0.5, 4, true, true) // conjugate-gradient iterations that make a step
	r.along(0.25, 8, true, false)
	r.stepped(0.5, 3)
	if r.length != 5+0.5*(0.5*4+0.25*8) || r.operations != 10+3+2 {
		t.Errorf("%+v after a step", r)
	}
}

// spreading are rows in memory of which every worker loads one shard at first: all wait for one
// another.
type spreading struct {
	shards.Memory
	once    []sync.Once // of the shards
	waiting sync.WaitGroup
}

func (a *spreading) Load(b *shards.Block, shard, block int) error {
	a.once[shard].Do(func() {
		a.waiting.Done()
		a.waiting.Wait()
	})
	return a.Memory.Load(b, shard, block)
}

// heavier is a process beside one whose rows have other maxima.
type heavier struct {
	shards.Alone
	most [4]float64
}

func (h heavier) Max(v []float64) error {
	for k := range v {
		v[k] = max(v[k], h.most[k])
	}
	return nil
}

// TestHighestRow: bounds of a steep loss by shards know the heights of the rows of all processes.
// Bounds by columns belong to the point that they are asked for.
func TestHighestRow(t *testing.T) {
	t.Parallel()
	const n = 22
	p, c, w := pointOf(t, ct.Shape{Loss: loss.Poisson{}, Rows: n, Cols: 3}, 3)
	p.Y = make([]float64, n)
	for i := range p.Y {
		p.Y[i] = float64(i)
	}
	c.Y = p.Y
	oracle := func(most [4]float64) *sharded {
		f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Shards: 2}, p,
			&run.Session{Settings: solvers.Settings{Shards: 2, Ranks: heavier{most: most}}, Ending: func() bool { return false }}, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, other := range []certificate.Heights{{}, {Square: 1e12}, {Far: 1e5}} {
		totals := certificate.Totals{Rows: n, Columns: 3, NonZeros: p.X.NNZ(), Mass: n, Largest: 1, Longest: n/2 + 32, Heights: other}
		squares := certificate.New(c).Squares()
		for _, square := range squares {
			totals.Squares += square
		}
		totals.Heights.Add(loss.Poisson{}, make([]float64, n), squares, nil, p.Y)
		totals.Weighted = totals.Squares
		g, v := oracle([4]float64{0, 0, other.Square, other.Far}).bounds.Rounding(1, 1, 0, 0)
		gradient, value := certificate.Known(c, totals).Rounding(1, 1, 0, 0)
		if math.Abs(g-gradient) > 1e-9*gradient || math.Abs(v-value) > 1e-9*value {
			t.Errorf("%+v in another process: bounds of %v and %v, not %v and %v", other, g, v, gradient, value)
		}
	}
	sharpened := func(f *sharded, w []float64) float64 {
		e := f.evaluate(w)
		e.Gap = math.Inf(1)
		e, err := f.sharpen(e, w)
		if err != nil {
			t.Fatal(err)
		}
		return e.GradientError
	}
	moved := oracle([4]float64{})
	sharpened(moved, make([]float64, len(w)))
	if got, want := sharpened(moved, w), sharpened(oracle([4]float64{}), w); got != want {
		t.Errorf("a bound by columns of %v after another point, not %v", got, want)
	}
}

// TestHeaviestRow: bounds by shards know the heaviest row of all workers and of all processes,
// wherever it is in a shard, and the longest shard.
func TestHeaviestRow(t *testing.T) {
	t.Parallel()
	const count, n = 4, 22 // shards of 5 and 6 rows
	pool := matrix.NewPool(count)
	defer pool.Close()
	for shard := range count {
		for _, other := range []float64{0, 500} {
			p, c, _ := pointOf(t, ct.Shape{Loss: loss.Squared{}, Rows: n, Cols: 3}, 3)
			p.SampleWeight = make([]float64, n)
			for i := range p.SampleWeight {
				p.SampleWeight[i] = 0.5
			}
			p.SampleWeight[shards.Cut(n, count, shard)+1] = 100
			rows := &spreading{Memory: shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: count}, once: make([]sync.Once, count)}
			rows.waiting.Add(count)
			f, err := newSharded(rows, p, &run.Session{
				Settings: solvers.Settings{Shards: count, Ranks: heavier{most: [4]float64{other}}}, Pool: pool, Ending: func() bool { return false },
			}, shards.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c.SampleWeight = p.SampleWeight
			totals := certificate.Totals{Rows: n, Columns: 3, NonZeros: p.X.NNZ(), Largest: max(100, other), Longest: 6 + 32}
			for i, square := range certificate.New(c).Squares() {
				totals.Squares += square
				totals.Weighted += p.SampleWeight[i] * square
			}
			known := certificate.Known(c, totals)
			// The largest weight is most of the first one, the longest shard all of the second.
			for _, at := range [][2]float64{{1e20, 0}, {0, 1}} {
				got, want := f.bounds.ByColumns(0, at[0], at[1]), known.ByColumns(0, at[0], at[1])
				if math.Abs(got-want) > 1e-9*want {
					t.Errorf("the heaviest row in shard %d, %g in another process: a bound of %v, not %v", shard, other, got, want)
				}
			}
		}
	}
}
