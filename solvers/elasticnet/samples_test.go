package elasticnet

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse/gonum"
)

// large is a problem with enough rows for a run to begin on a sample of them, its labels in
// order. The seed is one whose sample leads near enough to spare passes.
func large(t *testing.T, d int) *Problem {
	p := randomProblem(t, loss.Logistic{}, 8400, d, 4)
	rows := make([]uint32, len(p.Y))
	for i := range rows {
		rows[i] = uint32(i)
	}
	slices.SortStableFunc(rows, func(a, b uint32) int { return int(p.Y[a] - p.Y[b]) })
	slices.Sort(p.Y)
	x, err := p.X.PickRows(nil, rows)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Intercept, p.Penalty = x.WithBias(1), true, penalty.ElasticNet{L1: 0.003, L2: 0.001}
	return p
}

// TestSample: a sample is a share of the rows with their labels and weights. The run begins on
// it, and has the result of a run without a sample.
func TestSample(t *testing.T) {
	p := large(t, 6)
	p.SampleWeight = make([]float64, len(p.Y))
	for i := range p.SampleWeight {
		p.SampleWeight[i] = float64(1 + i%3)
	}
	if levels(len(p.Y)) != 1 {
		t.Fatalf("%d samples", levels(len(p.Y)))
	}
	s := sample(p, 1, nil)
	if n := len(s.Y); n < 950 || n > 1150 || s.X.Rows() != n || len(s.SampleWeight) != n || check(s) != nil {
		t.Fatalf("a sample of %d rows, %d labels and %d weights: %v", s.X.Rows(), len(s.Y), len(s.SampleWeight), check(s))
	}
	at := 0
	for i := range s.Y { // the rows in their order
		for same := false; !same; at++ {
			if at == len(p.Y) {
				t.Fatalf("row %d of the sample is none of the matrix", i)
			}
			same = s.Y[i] == p.Y[at] && s.SampleWeight[i] == p.SampleWeight[at]
			for j, v := range p.X.Row(at) {
				same = same && gonum.View(s.X).At(i, j) == v
			}
		}
	}
	warm := solve(t, p, solvers.Settings{GapTolerance: 1e-10})
	whole := solve(t, p, solvers.Settings{GapTolerance: 1e-10, Initial: make([]float64, 7)})
	if warm.Status != solvers.Converged || whole.Status != solvers.Converged || warm.Total.Epochs >= whole.Total.Epochs {
		t.Errorf("%v in %v passes, %v in %v without a sample", warm.Status, warm.Total.Epochs, whole.Status, whole.Total.Epochs)
	}
	for j, w := range whole.Weights {
		if d := warm.Weights[j] - w; !(d*d < 1e-7) {
			t.Errorf("weight %d is %v, not %v", j, warm.Weights[j], w)
		}
	}
	// A sample of one class poses no problem: the run begins with all rows.
	clear(p.SampleWeight)
	p.SampleWeight[len(p.Y)-1] = 1
	p.SampleWeight[0] = 1
	if r := solve(t, p, solvers.Settings{GapTolerance: 1e-8}); r.Status != solvers.Converged {
		t.Errorf("two rows that count: %v", r.Status)
	}
}

// TestCutSamples cuts runs while they are on a sample and after, and goes on to the same bits
// on every path. With other weights in the sample than elsewhere, steps by its matrix are worse
// from one to the next, and it is given up.
func TestCutSamples(t *testing.T) {
	for _, d := range []int{6, -6, 200} {
		if d > 6 && testing.Short() {
			break
		}
		p := large(t, max(d, -d))
		if d < 0 {
			values := make([]float64, 0, 6*len(p.Y)) // rows of equal lengths, which keep their order
			source := rand.New(rand.NewPCG(4, 4))
			for i := range p.Y {
				weight := 1.0
				if random.HashRow(i) <= math.MaxUint64/sampleFactor {
					weight = 0.6
				}
				p.SampleWeight = append(p.SampleWeight, weight)
				for range 6 {
					values = append(values, source.NormFloat64()+0.3*p.Y[i])
				}
			}
			p.X = full(t, 6, values).WithBias(1)
		}
		want := ""
		for range pathtest.Paths(t) {
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-10, Workers: 2})
			if r.Status != solvers.Converged {
				t.Errorf("%d columns: %v", d, r.Status)
			}
			if hash := solvers.HashWeights(r.Weights); want != "" && hash != want {
				t.Errorf("%d columns: other bits", d)
			} else {
				want = hash
			}
		}
		saved := filepath.Join(t.TempDir(), "run")
		settings := solvers.Settings{GapTolerance: 1e-10, Checkpoint: saved, Overwrite: true, Workers: 1}
		const cuts = 9 // the last iterations are left: a run that ends there is evaluated, and may have converged
		for settings.MaxIterations = 1; settings.MaxIterations <= cuts; settings.MaxIterations++ {
			if r := solve(t, p, settings); r.Status != solvers.BudgetReached {
				t.Fatalf("%d columns: %v after %d iterations", d, r.Status, r.Total.Iterations)
			}
			settings.Resume = saved
		}
		settings.MaxIterations = 0
		if r := solve(t, p, settings); r.Status != solvers.Converged || solvers.HashWeights(r.Weights) != want {
			t.Errorf("%d columns: %v, with other bits than without cuts", d, r.Status)
		}
	}
}

// TestLostRows: rows that the start has far on the wrong side have no curvature left, and
// slopes all the same.
func TestLostRows(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 60, 12, 4)
	start := make([]float64, 12)
	for j := range start {
		start[j] = 300 * float64(1-j%3)
	}
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-10, Initial: start})
	if want := solve(t, p, solvers.Settings{GapTolerance: 1e-10}); r.Status != solvers.Converged || !(r.Objective-want.Objective <= 1e-10) {
		t.Errorf("%v with objective %v and gap %v, not %v", r.Status, r.Objective, r.Gap, want.Objective)
	}
}

// TestWatched: whoever looks at a run sees points that others' runs do not evaluate, with
// gaps that are bounds, and the same result.
func TestWatched(t *testing.T) {
	for _, target := range repeat.Size([]float64{1e-2, 1e-4, 1e-7}, []float64{1e-4}) {
		for _, intercept := range []bool{true, false} {
			p := large(t, 12)
			p.Penalty = penalty.ElasticNet{L1: 1e-5, L2: p.Ridge()}
			setIntercept(p, intercept)
			end := solve(t, p, solvers.Settings{GapTolerance: 1e-12, Workers: 1})
			quiet := solve(t, p, solvers.Settings{GapTolerance: target, Workers: 1})
			var w solvers.Trace
			seen := solve(t, p, solvers.Settings{GapTolerance: target, Workers: 1, Recorder: &w})
			if !slices.Equal(quiet.Weights, seen.Weights) || quiet.Gap != seen.Gap || quiet.Status != solvers.Converged {
				t.Errorf("gap %v, intercept %t: %v, other weights for those who look, or another gap than %v: %v", target, intercept, quiet.Status, quiet.Gap, seen.Gap)
			}
			if len(w) < 2 && target < 1e-3 {
				t.Errorf("gap %v, intercept %t: %d points", target, intercept, len(w))
			}
			for _, point := range w {
				if !(point.Objective-end.Objective <= point.Gap+1e-12) {
					t.Errorf("a gap of %v, %v above the minimum", point.Gap, point.Objective-end.Objective)
				}
			}
		}
	}
}

// TestWatchedToABudget: nor do they end otherwise, or with less known of where they end, when
// their budget is spent.
func TestWatchedToABudget(t *testing.T) {
	variants(t, func(t *testing.T, p *Problem) {
		for _, target := range []float64{1e-6, 1e-11, 1e-16} {
			for most := int64(1); most <= 16; most++ {
				s := solvers.Settings{GapTolerance: target, MaxIterations: most, Workers: 1}
				quiet := solve(t, p, s)
				s.Recorder = new(solvers.Trace)
				seen := solve(t, p, s)
				if !slices.Equal(quiet.Weights, seen.Weights) || quiet.Gap != seen.Gap || quiet.Status != seen.Status {
					t.Errorf("gap %v, %d iterations: %v with a gap of %v, and %v with %v for those who look", target, most, quiet.Status, quiet.Gap, seen.Status, seen.Gap)
				}
			}
		}
	})
}

// TestRowsByLength: rows of many lengths are the problem that they are in the order of their
// lengths, with their labels and weights.
func TestRowsByLength(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 2100, 20, 3)
	p.Penalty, p.SampleWeight = penalty.ElasticNet{L1: 0.01, L2: p.Ridge()}, make([]float64, len(p.Y))
	for i := range p.SampleWeight {
		p.SampleWeight[i] = float64(1 + i%3)
	}
	list := matrix.RowsByLength(p.X, nil)
	if slices.IsSorted(list) {
		t.Fatal("the rows are in order")
	}
	x, err := p.X.PickRows(nil, list)
	if err != nil {
		t.Fatal(err)
	}
	sorted := *p
	sorted.X, sorted.Y, sorted.SampleWeight = x, nil, nil
	for _, i := range list {
		sorted.Y, sorted.SampleWeight = append(sorted.Y, p.Y[i]), append(sorted.SampleWeight, p.SampleWeight[i])
	}
	settings := solvers.Settings{GapTolerance: 1e-9, Workers: 2}
	r := solve(t, p, settings)
	if other := solve(t, &sorted, settings); !slices.Equal(r.Weights, other.Weights) {
		t.Error("the bits depend on the order of rows of other lengths")
	}
	if e := newObjective(p, nil).evaluate(r.Weights); r.Status != solvers.Converged || !(e.Gap < 1.01e-9) {
		t.Errorf("%v with a gap of %v, which the rows as they are have as %v", r.Status, r.Gap, e.Gap)
	}
}
