package ap

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// wide returns a problem whose batches touch few columns.
func wide(t testing.TB, n, d int) *Problem {
	t.Helper()
	if testing.Short() {
		t.Skip("100,000 columns are many under emulation")
	}
	g, err := synthetic.Shape{Name: "wide", N: n, D: d, Seed: 5}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: g.X, Y: g.Y, Lambda: 1e-3}
}

// small has batches that touch few columns.
var small = []string{"positives=2", "negatives=3", "iterations=150"}

// Catching up must be what its definition says, iteration by iteration: moments that
// shrink, and a last move that goes on, shrinking by the momentum.
func TestCatchUpIsTheEagerOne(t *testing.T) {
	p := wide(t, 20, 80000)
	random := rand.New(rand.NewPCG(1, 1))
	d := p.X.Cols()
	for _, name := range []string{"soap", "moap-v2", "adap", "adap-adagrad", "adap-amsgrad"} {
		plan := named(t, name, "iterations=2000", "?momentum=0.1", "?second=0.01").plan(true)
		z := newLazy(p.X, d, &plan, 2)
		if z == nil {
			t.Fatal("the steps are dense")
		}
		w, m, v, move, eager := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
		for step := 1; step <= 120; step++ {
			var rows []uint32
			if random.IntN(8) == 0 {
				rows = []uint32{uint32(random.IntN(3)), uint32(random.IntN(3))}
			}
			z.open(rows, w, nil, step)
			touched := make(map[uint32]bool)
			for k, j := range z.touched {
				if touched[j] {
					t.Fatalf("column %d twice", j)
				}
				touched[j] = true
				if !near(w[j], eager[j]) || !near(z.compact.m[k], m[j]) || !near(z.compact.v[k], v[j]) {
					t.Fatalf("%v, iteration %d, column %d: w = %v, m = %v, v = %v; eagerly %v, %v, %v",
						name, step, j, w[j], z.compact.m[k], z.compact.v[k], eager[j], m[j], v[j])
				}
				x := random.NormFloat64()
				z.compact.w[k], z.compact.m[k], z.compact.v[k] = w[j]+x, 2*x, x*x
				eager[j], m[j], v[j], move[j] = w[j]+x, 2*x, x*x, x
			}
			z.close(w, step)
			for j := range eager {
				if touched[uint32(j)] {
					continue
				}
				m[j] *= 0.9
				move[j] *= 0.9
				switch name {
				case "soap":
					move[j] = 0
				case "moap-v2": // has no second moment
				case "adap-adagrad":
					v[j] *= float64(step) / float64(step+1)
				default:
					v[j] *= 0.99
				}
				eager[j] += move[j]
			}
			if step%50 == 0 && step <= 100 { // before the average begins
				now := make([]float64, d)
				z.current(now, w, step)
				for j := range now {
					if !near(now[j], eager[j]) {
						t.Fatalf("%v, after iteration %d: column %d is at %v, eagerly %v", name, step, j, now[j], eager[j])
					}
				}
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// End to end, without a regulariser, lazy steps must lead where the dense ones do: they
// differ by the rate and the denominator of a momentum that dies away, and in what the
// average counts.
func TestLazyRunsEndNearTheDenseOnes(t *testing.T) {
	p := wide(t, 300, 120000)
	p.Lambda = 0
	each(t, small, func(m Method) {
		dense := named(t, m.Name(), append([]string{"dense=true"}, small...)...)
		run := func(m Method) *solvers.Result {
			return solve(t, p, m, solvers.Settings{Seed: 2, Initial: make([]float64, p.X.Cols())})
		}
		lazily, densely := run(m), run(dense)
		distance, err := kernels.SquaredDistance(lazily.Weights, densely.Weights)
		if err != nil {
			t.Fatal(err)
		}
		relative := math.Sqrt(distance / kernels.SquaredNorm(densely.Weights))
		t.Logf("%s: weights differ by %.3g, 1-AP %.4f and %.4f", m.Name(), relative, lazily.Objective, densely.Objective)
		bound := 0.08
		switch {
		case m.plan(true).rule == plain{}:
			bound = 1e-12 // no momentum: the same step
		case adaptive(m):
			bound = 0.25
		}
		if relative > bound || relative == 0 {
			t.Errorf("%s: lazy and dense weights differ by %v", m.Name(), relative)
		}
	})
}

func TestLazyRunsKeepTheirBits(t *testing.T) {
	p := wide(t, 300, 120000)
	m := named(t, "adap", small...)
	initial := make([]float64, p.X.Cols())
	want := ""
	for path := range pathtest.Paths(t) {
		for _, workers := range []int{1, 3} {
			hash := solvers.HashWeights(solve(t, p, m, solvers.Settings{Seed: 5, Workers: workers, Initial: initial}).Weights)
			if want == "" {
				want = hash
			} else if hash != want {
				t.Errorf("%s with %d workers has other bits", path, workers)
			}
		}
	}
	for _, m := range []Method{named(t, "moap-v2", small...), named(t, "adap-amsgrad", small...), named(t, "smoothap", small...)} {
		whole := solve(t, p, m, solvers.Settings{Seed: 3, Initial: initial, Workers: 1})
		file := filepath.Join(t.TempDir(), "run")
		solve(t, p, m, solvers.Settings{Seed: 3, Initial: initial, MaxIterations: 90, Checkpoint: file})
		rest := solve(t, p, m, solvers.Settings{Seed: 3, Resume: file})
		if solvers.HashWeights(whole.Weights) != solvers.HashWeights(rest.Weights) {
			t.Errorf("%s: resumed: 1-AP %v, in one go %v", m.Name(), rest.Objective, whole.Objective)
		}
	}
}

func TestLazyIterationsDoNotAllocate(t *testing.T) {
	p := wide(t, 300, 120000)
	each(t, small, func(m Method) {
		l, err := newLoop(p, score.Linear{X: p.X.WithBias(1)}, p.X.Cols(), nil, m.plan(true), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, is := l.columns.(*lazy); !is {
			t.Fatal("the steps are dense")
		}
		l.begun, l.looks, l.Iterations = true, 1, 140
		var c run.Control
		if n := allocations.Count(100, func() { l.Next(&c) }); n != 0 {
			t.Errorf("%s: %v allocations an iteration", m.Name(), n)
		}
	})
}

// The caller of a run on a renumbered matrix must not see that: initial point,
// validation and result are in his numbers.
func TestRenumberedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("262,144 columns are many under emulation")
	}
	g, err := synthetic.Shape{Name: "wide", N: 700, D: 1 << 18, Seed: 6}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: g.X.WithBias(1), Y: g.Y, Lambda: 1e-3}
	if !matrix.RenumberingPays(p.X) {
		t.Fatal("the matrix is not renumbered")
	}
	initial := make([]float64, p.X.Cols())
	for j := range initial {
		initial[j] = g.Weights[min(j, len(g.Weights)-1)] * float64(j%3)
	}
	for _, method := range []Method{named(t, "adap", small...), ADAP{Common: Common{Iterations: 40}}} {
		valid := &measured{p: p}
		var trace solvers.Trace
		r := solve(t, p, method, solvers.Settings{Initial: initial, Validation: valid, Patience: 100, Recorder: &trace})
		if got, err := valid.Measure(r.Weights); err != nil || math.Abs(got-r.Metric) > 1e-12 || math.Abs(1-r.Objective-got) > 1e-12 {
			t.Errorf("%+v: average precision %v, measured by the run %v, 1 - objective %v, %v", method, got, r.Metric, 1-r.Objective, err)
		}
		if begin, _ := valid.Measure(initial); math.Abs(trace[0].Metric-begin) > 1e-12 || r.Metric < begin {
			t.Errorf("%+v: the average precision went from %v to %v", method, begin, r.Metric)
		}
		file := filepath.Join(t.TempDir(), "run")
		solve(t, p, method, solvers.Settings{Initial: initial, MaxIterations: 25, Checkpoint: file})
		rest, whole := solve(t, p, method, solvers.Settings{Resume: file}), solve(t, p, method, solvers.Settings{Initial: initial})
		if solvers.HashWeights(whole.Weights) != solvers.HashWeights(rest.Weights) {
			t.Errorf("%+v: resumed: 1-AP %v, in one go %v", method, rest.Objective, whole.Objective)
		}
	}
}
