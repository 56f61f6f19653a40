package sdca

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

var allLosses = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}

// every method that the tests of the whole family run over.
var allMethods = []Method{
	Prox{}, Prox{WithReplacement: true}, Hybrid{}, Adaptive{Margins: "full"}, Adaptive{Margins: "columns"}, AdaptivePlus{}, Minibatch{}, DualFree{}, ImportanceSampled{},
}

// randomProblem has rows of 0 to 2 perRow entries of about unit length, and a bias column. If
// weighted, it has sample weights, some of them 0.
func randomProblem(t testing.TB, phi loss.Loss, n, d, perRow int, lambda float64, weighted bool) *erm.Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	p := &erm.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: lambda}}
	planted := make([]float64, d)
	for j := range planted {
		planted[j] = r.NormFloat64()
	}
	for i := range n {
		want, margin := r.IntN(2*perRow+1), 0.3*r.NormFloat64()
		if i == 3 {
			want = 0
		}
		for j := range d {
			if r.IntN(d) < want {
				x := r.NormFloat64() / math.Sqrt(float64(perRow))
				columns, values = append(columns, uint32(j)), append(values, x)
				margin += float64(x * planted[j])
			}
		}
		ptr = append(ptr, int64(len(columns)))
		if phi.Labels() {
			margin = math.Copysign(1, margin)
		}
		p.Y = append(p.Y, margin)
		if weighted {
			p.SampleWeight = append(p.SampleWeight, max(0, r.Float64()*2-0.2))
		}
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(0.5)
	return p
}

func solve(t testing.TB, p *erm.Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	solvetest.Only(accepts(m), nil, &s)
	return solvetest.MustSolve(t, Solve, p, m, s)
}

func wantSame(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for j := range want {
		if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
			t.Fatalf("%s: element %d is %v, not %v", what, j, got[j], want[j])
		}
	}
}

// TestOptimum compares with the optimum that package erm finds by other means.
func TestOptimum(t *testing.T) {
	for _, phi := range allLosses {
		for _, weighted := range []bool{false, true} {
			p := randomProblem(t, phi, 150, 30, 6, 0.02, weighted)
			best, err := erm.Solve(context.Background(), p, erm.SVRG{}, solvers.Settings{MaxEpochs: 20000, GradientTolerance: 1e-11})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range allMethods {
				if m.checkProblem(p) != nil {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/weighted=%t", m.Name(), phi, weighted), func(t *testing.T) {
					r := solve(t, p, m, solvers.Settings{MaxEpochs: 4000, GapTolerance: 1e-13, Seed: 3})
					if r.Status != solvers.Converged || !(r.Gap <= 1e-13) {
						t.Errorf("%v after %.4g passes at a gap of %.3g", r.Status, r.Total.Epochs, r.Gap)
					}
					if d := math.Abs(r.Objective - best.Objective); d > 1e-9*best.Objective {
						t.Errorf("objective %v, erm found %v", r.Objective, best.Objective)
					}
					for j := range r.Weights {
						if d := math.Abs(r.Weights[j] - best.Weights[j]); d > 1e-5 {
							t.Fatalf("weight %d is off by %.3g", j, d)
						}
					}
				})
			}
		}
	}
}

// probe runs a loop and looks at it at every record.
type probe struct {
	*testing.T
	look func(solvers.Point)
}

func (p probe) Record(q solvers.Point) error { p.look(q); return nil }

// TestDualRelation: w = X'alpha/(lambda n) at every record, alpha feasible where a
// gap at alpha is reported, and residues of 0 at the optimum.
func TestDualRelation(t *testing.T) {
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 90, 20, 5, 0.03, true)
		for _, m := range allMethods {
			if _, hybrid := m.(Hybrid); hybrid || m.checkProblem(p) != nil {
				continue // newton has no alpha
			}
			loop, full := loopOf(t, p, m, solvers.Settings{Seed: 1})
			n, d := p.X.Rows(), p.X.Cols()
			alpha, w, want := make([]float64, n), make([]float64, d), make([]float64, d)
			checked := 0
			look := func(solvers.Point) {
				checked++
				loop.duals(alpha)
				loop.Current(w)
				clear(want)
				if err := p.X.AddTrans(nil, want, alpha); err != nil {
					t.Fatal(err)
				}
				scale := 0.0
				for j := range want {
					want[j] /= p.Ridge() * float64(n)
					scale = max(scale, math.Abs(want[j]))
				}
				for j := range want {
					if math.Abs(w[j]-want[j]) > 1e-13*scale {
						t.Fatalf("%s %v: w[%d] = %v, X'alpha/(lambda n) = %v", m.Name(), phi, j, w[j], want[j])
					}
				}
			}
			settings, _ := run.Check(solvers.Settings{Recorder: probe{t, look}, RecordEvery: 3, MaxEpochs: 500, GapTolerance: 1e-15}, d)
			r, err := run.Drive(context.Background(), run.Run{Solver: m.Name(), Samples: n, Columns: d, Loop: loop, Evaluate: full.evaluate}, settings)
			if err != nil {
				t.Fatal(err)
			}
			if checked < 2 {
				t.Errorf("%s: only %d points seen", m.Name(), checked)
			}
			if err := p.X.MulVec(nil, full.z, r.Weights); err != nil {
				t.Fatal(err)
			}
			for i := range alpha {
				_, slope := loss.At(p.Loss, full.z[i], p.Y[i])
				if kappa := alpha[i] + direct.Weight(p.SampleWeight, i)*slope; math.Abs(kappa) > 1e-4 {
					t.Fatalf("%s %v: kappa[%d] = %.3g at the optimum", m.Name(), phi, i, kappa)
				}
			}
		}
	}
}

func loopOf(t testing.TB, p *erm.Problem, m Method, s solvers.Settings) (dualLoop, *objective) {
	t.Helper()
	s, err := run.Check(s, p.X.Cols())
	if err != nil {
		t.Fatal(err)
	}
	full := newObjective(p, nil, nil)
	loop, _, err := m.begin(&task{p: p, settings: s, full: full, random: random.New(s.Seed)})
	if err != nil {
		t.Fatal(err)
	}
	full.loop = loop
	return loop, full
}

// TestGapIsABound: every recorded gap bounds the distance from the minimum.
func TestGapIsABound(t *testing.T) {
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 200, 30, 6, 0.01, true)
		best := solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 5000, GapTolerance: 1e-15})
		for _, m := range allMethods {
			if m.checkProblem(p) != nil {
				continue
			}
			var trace solvers.Trace
			solve(t, p, m, solvers.Settings{MaxEpochs: 20, Recorder: &trace, RecordEvery: 0.5, Seed: 9})
			if len(trace) < 40 {
				t.Errorf("%s: %d records of 20 passes by halves", m.Name(), len(trace))
			}
			for _, q := range trace {
				if above := q.Objective - best.Objective; !(q.Gap >= above-1e-14) {
					t.Fatalf("%s %v: %.3g above the minimum, gap %.3g", m.Name(), phi, above, q.Gap)
				}
			}
		}
	}
}

// TestSameBits: the same weights and trace on every CPU path, for any number of
// workers and however often the run is recorded.
func TestSameBits(t *testing.T) {
	passes := 12.0
	if testing.Short() {
		passes = 4
	}
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 300, 40, 6, 0.01, true)
		for _, m := range allMethods {
			if m.checkProblem(p) != nil {
				continue
			}
			run := func(settings solvers.Settings) []float64 {
				settings.Seed, settings.Recorder = 4, &solvers.Trace{}
				r := solve(t, p, m, settings)
				if r.Point.Epochs == 0 {
					t.Fatalf("%s: no progress", m.Name())
				}
				return append(r.Weights, r.Gap, r.Objective)
			}
			// Of frequent records the best point is the result: also within a pass.
			for _, settings := range []solvers.Settings{{MaxEpochs: passes}, {MaxEpochs: 2, RecordEvery: 0.13}} {
				settings.Workers = 1
				want := run(settings)
				settings.Workers = 3
				for path := range pathtest.Paths(t) {
					wantSame(t, fmt.Sprintf("%s %v on %s with 3 workers, recorded every %v", m.Name(), phi, path, settings.RecordEvery), run(settings), want)
				}
			}
		}
	}
}

// TestRecordingChangesNothing: the end of a run does not depend on the records.
func TestRecordingChangesNothing(t *testing.T) {
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 200, 40, 6, 0.01, false)
		for _, m := range allMethods {
			if m.checkProblem(p) != nil {
				continue
			}
			var ends [][]float64
			for _, every := range []float64{0, 0.13, 2} {
				loop, full := loopOf(t, p, m, solvers.Settings{Seed: 8})
				s, _ := run.Check(solvers.Settings{MaxEpochs: 7, RecordEvery: every, Recorder: &solvers.Trace{}}, p.X.Cols())
				if _, err := run.Drive(context.Background(), run.Run{Samples: p.X.Rows(), Columns: p.X.Cols(), Loop: loop, Evaluate: full.evaluate}, s); err != nil {
					t.Fatal(err)
				}
				w := make([]float64, p.X.Cols())
				loop.Current(w)
				ends = append(ends, w)
				wantSame(t, m.Name(), w, ends[0])
			}
		}
	}
}

// TestResume: a run cut at any pass ends with the bits of an uncut one.
func TestResume(t *testing.T) {
	t.Parallel()
	passes, cuts := repeat.Size(20.0, 9), repeat.Size([]float64{0.4, 1, 17.3}, []float64{5.3})
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 200, 30, 5, 0.01, true)
		for _, m := range allMethods {
			if m.checkProblem(p) != nil {
				continue
			}
			file := filepath.Join(t.TempDir(), "run")
			s := solvers.Settings{MaxEpochs: passes, Seed: 11, Checkpoint: file, Overwrite: true}
			want := solve(t, p, m, s)
			for _, cut := range cuts {
				s.MaxEpochs, s.Resume = cut, ""
				solve(t, p, m, s)
				s.MaxEpochs, s.Resume = passes, file
				got := solve(t, p, m, s)
				wantSame(t, fmt.Sprintf("%s %v cut at %v", m.Name(), phi, cut), got.Weights, want.Weights)
				if got.Total.Iterations != want.Total.Iterations {
					t.Errorf("%s: %d iterations, not %d", m.Name(), got.Total.Iterations, want.Total.Iterations)
				}
			}
			s.Seed++
			if _, err := Solve(context.Background(), p, m, s); err == nil {
				t.Error("a checkpoint of another seed was accepted")
			}
		}
	}
}

func TestWarmStart(t *testing.T) {
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 200, 30, 6, 0.01, true)
		best := solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 2000, GapTolerance: 1e-13})
		for _, m := range allMethods {
			if m.checkProblem(p) != nil {
				continue
			}
			r := solve(t, p, m, solvers.Settings{Initial: best.Weights, GapTolerance: 1e-9})
			if r.Status != solvers.Converged || r.Total.Epochs > 1 {
				t.Errorf("%s %v: %v after %v passes from the optimum", m.Name(), phi, r.Status, r.Total.Epochs)
			}
		}
	}
}

func TestStatuses(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 200, 30, 6, 1e-3, false)
	for _, m := range allMethods {
		for _, c := range []struct {
			want solvers.Status
			s    solvers.Settings
		}{
			{solvers.BudgetReached, solvers.Settings{MaxEpochs: 2}},
			{solvers.BudgetReached, solvers.Settings{MaxIterations: 250}},
			{solvers.TimeReached, solvers.Settings{MaxEpochs: math.Inf(1), MaxTime: 2e5}},
			{solvers.Converged, solvers.Settings{GapTolerance: 0.5}},
			{solvers.Converged, solvers.Settings{GradientTolerance: 0.5}},
		} {
			if r := solve(t, p, m, c.s); r.Status != c.want {
				t.Errorf("%s: %v, not %v, after %v passes", m.Name(), r.Status, c.want, r.Total.Epochs)
			} else if c.s.MaxIterations > 0 && r.Total.Iterations != c.s.MaxIterations {
				t.Errorf("%s: %d iterations", m.Name(), r.Total.Iterations)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if r, err := Solve(ctx, p, m, solvers.Settings{}); err != nil || r.Status != solvers.Cancelled {
			t.Errorf("%s: %v with a cancelled context", m.Name(), err)
		}
		failing := errors.New("full disk")
		if r, err := Solve(context.Background(), p, m, solvers.Settings{Recorder: failingRecorder{failing}}); !errors.Is(err, failing) || r == nil {
			t.Errorf("%s: %v, %v from a recorder that fails", m.Name(), r, err)
		}
	}
}

type failingRecorder struct{ err error }

func (f failingRecorder) Record(solvers.Point) error { return f.err }

func TestRefuses(t *testing.T) {
	good := *randomProblem(t, loss.Logistic{}, 20, 5, 2, 0.1, false)
	for _, c := range []struct {
		what   string
		change func(p *erm.Problem)
	}{
		{"no matrix", func(p *erm.Problem) { p.X = nil }},
		{"labels", func(p *erm.Problem) { p.Y = append([]float64{3}, p.Y[1:]...) }},
		{"too few labels", func(p *erm.Problem) { p.Y = p.Y[1:] }},
		{"no lambda", func(p *erm.Problem) { p.Penalty = penalty.Ridge{Lambda: 0} }},
		{"negative lambda", func(p *erm.Problem) { p.Penalty = penalty.Ridge{Lambda: -1} }},
		{"lambda that is not a number", func(p *erm.Problem) { p.Penalty = penalty.Ridge{Lambda: math.NaN()} }},
		{"weights", func(p *erm.Problem) { p.SampleWeight = []float64{1} }},
	} {
		for _, m := range allMethods {
			p := good
			c.change(&p)
			if _, err := Solve(context.Background(), &p, m, solvers.Settings{}); err == nil {
				t.Errorf("%s: %s accepted", m.Name(), c.what)
			}
		}
	}
	if _, err := Solve(context.Background(), &good, nil, solvers.Settings{}); err == nil {
		t.Error("no method accepted")
	}
	if _, err := ByName("sdca", nil); err == nil {
		t.Error("unknown solver accepted")
	}
	if _, err := ByName("prox-sdca", map[string]string{"step": "1"}); err == nil {
		t.Error("unknown parameter accepted")
	}
	for _, d := range Solvers() {
		if m, err := ByName(d.Name, nil); err != nil || m.Name() != d.Name {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestExtremeRows: rows far too long or short end in a status, not in a panic.
func TestExtremeRows(t *testing.T) {
	for _, phi := range allLosses {
		for _, size := range []float64{1e-200, 1e-20, 1e20, 1e140} {
			p := &erm.Problem{Y: []float64{1, -1, 1}, Loss: phi, Penalty: penalty.Ridge{Lambda: 0.1}}
			var err error
			if p.X, err = sparse.NewCSR(2, []int64{0, 2, 3, 4}, []uint32{0, 1, 0, 1}, []float64{size, 1, -1, size}); err != nil {
				t.Fatal(err)
			}
			for _, m := range allMethods {
				if m.checkProblem(p) != nil {
					continue
				}
				r, err := Solve(context.Background(), p, m, solvers.Settings{MaxEpochs: 50})
				if err == nil && math.IsNaN(r.Objective) {
					t.Errorf("%s %v %g: objective %v", m.Name(), phi, size, r.Objective)
				}
			}
		}
	}
}
