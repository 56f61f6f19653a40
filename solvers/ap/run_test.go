package ap

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/opening"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func sample(t testing.TB, n int) *Problem {
	t.Helper()
	g, err := synthetic.Shape{Name: "imbalanced", N: n, D: 40, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: g.X, Y: g.Y, Lambda: 1 / float64(n)}
}

func solve(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	return solvetest.MustSolve(t, Solve, p, m, s)
}

// named returns a solver with parameters, as in margin=2, or ?margin=2 where it has that.
func named(t testing.TB, name string, set ...string) Method {
	t.Helper()
	return solvetest.Named(t, Solvers(), ByName, name, set...)
}

// each visits every solver with parameters.
func each(t testing.TB, set []string, visit func(m Method)) {
	t.Helper()
	for _, d := range Solvers() {
		visit(named(t, d.Name, set...))
	}
}

// adaptive tells whether a solver divides by the root of a second moment.
func adaptive(m Method) bool {
	switch m.plan(true).rule.(type) {
	case plain, momentum:
		return false
	}
	return true
}

func TestEveryMethodEndsNoWorseThanItBegan(t *testing.T) {
	p := sample(t, 3000)
	for _, paper := range []bool{false, true} {
		each(t, []string{"iterations=300", fmt.Sprintf("paper=%t", paper)}, func(m Method) {
			if paper && !adaptive(m) {
				m = named(t, m.Name(), "iterations=300", "paper=true", "step=10")
			}
			var trace solvers.Trace
			r := solve(t, p, m, solvers.Settings{Seed: 1, Recorder: &trace})
			if r.Status != solvers.BudgetReached || r.Objective > trace[0].Objective {
				t.Errorf("%s, paper %v: %v, 1-AP %v after %v", m.Name(), paper, r.Status, r.Objective, trace[0].Objective)
			}
			if paper && r.Objective > trace[0].Objective-0.01 {
				t.Errorf("%s: from w = 0, 1-AP went from %v to %v only", m.Name(), trace[0].Objective, r.Objective)
			}
			scores := make([]float64, len(p.Y))
			p.X.MulVec(nil, scores, r.Weights)
			if v, _ := metrics.AveragePrecision(scores, p.Y, nil); 1-v != r.Objective {
				t.Errorf("%s: the objective is %v, 1-AP of the weights %v", m.Name(), r.Objective, 1-v)
			}
			if len(trace) != 2 {
				t.Errorf("%s: %d points", m.Name(), len(trace))
			}
		})
	}
}

func TestBitsDoNotDependOnPathOrWorkers(t *testing.T) {
	p := sample(t, 2000)
	const short = "iterations=60"
	for _, m := range []Method{named(t, "adap", short), named(t, "moap-v2", short, "hinge=true"), named(t, "adap-amsgrad", short, "paper=true"), named(t, "smoothap", short)} {
		want := ""
		for path := range pathtest.Paths(t) {
			for _, workers := range []int{1, 3} {
				hash := solvers.HashWeights(solve(t, p, m, solvers.Settings{Seed: 5, Workers: workers}).Weights)
				if want == "" {
					want = hash
				} else if hash != want {
					t.Errorf("%s: %s with %d workers has other bits", m.Name(), path, workers)
				}
			}
		}
		if other := solve(t, p, m, solvers.Settings{Seed: 6}); other.Objective == 0 {
			t.Errorf("%s: a perfect ranking makes the test void", m.Name())
		}
	}
}

func TestResumeGoesOnWithTheSameBits(t *testing.T) {
	p := sample(t, 2000)
	each(t, []string{"iterations=120"}, func(m Method) {
		whole := solve(t, p, m, solvers.Settings{Seed: 3})
		file := filepath.Join(t.TempDir(), "run")
		solve(t, p, m, solvers.Settings{Seed: 3, MaxIterations: 70, Checkpoint: file})
		rest := solve(t, p, m, solvers.Settings{Seed: 3, Resume: file})
		if solvers.HashWeights(whole.Weights) != solvers.HashWeights(rest.Weights) || whole.Total.Iterations != rest.Total.Iterations {
			t.Errorf("%s: resumed: 1-AP %v after %d iterations, in one go %v after %d", m.Name(), rest.Objective, rest.Total.Iterations, whole.Objective, whole.Total.Iterations)
		}
		m = named(t, m.Name(), "iterations=120", "step=0.3")
		if _, err := Solve(context.Background(), p, m, solvers.Settings{Seed: 3, Resume: file}); err == nil {
			t.Errorf("%s: resumed with another step", m.Name())
		}
	})
}

type measured struct {
	p     *Problem
	calls int
}

func (*measured) Name() string         { return "ap" }
func (*measured) HigherIsBetter() bool { return true }
func (v *measured) Measure(w []float64) (float64, error) {
	v.calls++
	scores := make([]float64, len(v.p.Y))
	if err := v.p.X.MulVec(nil, scores, w); err != nil {
		return 0, err
	}
	return metrics.AveragePrecision(scores, v.p.Y, nil)
}

func TestValidationKeepsTheBestPoint(t *testing.T) {
	p := sample(t, 2000)
	valid := &measured{p: sample(t, 1500)}
	var trace solvers.Trace
	r := solve(t, p, ADAP{Common: Common{Step: 1, Iterations: 200}}, solvers.Settings{Seed: 1, Validation: valid, Patience: 3, Recorder: &trace})
	best := math.Inf(-1)
	for _, point := range trace {
		best = max(best, point.Metric)
	}
	if valid.calls != len(trace) || r.Metric != best {
		t.Errorf("metric %v of the result, %v the best of %d points", r.Metric, best, len(trace))
	}
}

// Where the data separate, the start is the fit with balanced class weights.
func TestPerfectStartsWeighTheClasses(t *testing.T) {
	p := sample(t, 60)
	p.X = p.X.WithBias(1)
	r := solve(t, p, ADAP{}, solvers.Settings{})
	if r.Objective != 0 || r.Total.Iterations != 0 {
		t.Fatalf("1-AP %v after %d iterations; the test needs data that separate", r.Objective, r.Total.Iterations)
	}
	negative, positive, err := erm.BalancedWeights(p.Y)
	if err != nil {
		t.Fatal(err)
	}
	weight, err := erm.ClassWeight(p.Y, nil, negative, positive)
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, p.X.Cols())
	starter, _ := opening.Of(score.Linear{X: p.X})
	if _, err := starter.Start(context.Background(), w, p.Y, weight, solvers.Settings{}); err != nil {
		t.Fatal(err)
	}
	if solvers.HashWeights(r.Weights) != solvers.HashWeights(w) {
		t.Error("the start is another fit")
	}
}

func TestIterationsDoNotAllocate(t *testing.T) {
	p := sample(t, 2000)
	for _, hinge := range []bool{false, true} {
		each(t, []string{fmt.Sprintf("?hinge=%t", hinge), "iterations=1048576"}, func(m Method) {
			l, err := newLoop(p, score.Linear{X: p.X}, p.X.Cols(), nil, m.plan(true), 1)
			if err != nil {
				t.Fatal(err)
			}
			l.begun, l.looks = true, 1
			var c run.Control
			if n := allocations.Count(50, func() { l.Next(&c) }); n != 0 {
				t.Errorf("%s, hinge %v: %v allocations an iteration", m.Name(), hinge, n)
			}
		})
	}
}

func BenchmarkIterations(b *testing.B) {
	g, err := synthetic.Shape{Name: "imbalanced", N: 50000, D: 300, Seed: 7}.Generate(nil)
	if err != nil {
		b.Fatal(err)
	}
	p := &Problem{X: g.X, Y: g.Y, Lambda: 1e-4}
	for _, size := range []int{10, 100} {
		for _, hinge := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d+%d,hinge=%v", size, size, hinge), func(b *testing.B) {
				m := ADAP{Common: Common{Hinge: hinge, Positives: size, Negatives: size, Iterations: 1 << 24}}.plan(true)
				l, err := newLoop(p, score.Linear{X: p.X}, p.X.Cols(), nil, m, 1)
				if err != nil {
					b.Fatal(err)
				}
				l.begun, l.looks = true, 1
				var c run.Control
				b.ReportAllocs()
				for b.Loop() {
					l.Next(&c)
				}
			})
		}
	}
}

func TestCancelledRunsKeepTheirBestPoint(t *testing.T) {
	p := sample(t, 2000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Solve(ctx, p, ADAP{}, solvers.Settings{})
	if err != nil || r.Status != solvers.Cancelled {
		t.Fatalf("%v, %v", r, err)
	}
}

// shifted is a model of its own: a linear one with every score moved by a constant.
type shifted struct{ score.Model }

func (m shifted) Scores(dst []float64, rows []uint32, w []float64) error {
	err := m.Model.Scores(dst, rows, w)
	for k := range dst {
		dst[k]++
	}
	return err
}

func TestModelsOfTheirOwn(t *testing.T) {
	p := sample(t, 2000)
	p.Model = shifted{score.Linear{X: p.X}}
	if _, err := Solve(context.Background(), p, ADAP{}, solvers.Settings{}); err == nil {
		t.Error("no error without an initial point")
	}
	var trace solvers.Trace
	r := solve(t, p, ADAP{Common: Common{Iterations: 200}}, solvers.Settings{Initial: make([]float64, p.X.Cols()), Recorder: &trace})
	if r.Objective > trace[0].Objective-0.01 {
		t.Errorf("1-AP went from %v to %v only", trace[0].Objective, r.Objective)
	}
}

func TestSmallAndBadProblems(t *testing.T) {
	x, err := sparse.NewCSR(2, []int64{0, 1, 2}, []uint32{0, 1}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	each(t, []string{"iterations=30"}, func(m Method) { // one positive and one negative
		solve(t, &Problem{X: x, Y: []float64{1, -1}}, m, solvers.Settings{})
	})
	for name, p := range map[string]*Problem{
		"no problem": nil, "one class": {X: x, Y: []float64{1, 1}}, "labels": {X: x, Y: []float64{1, 0}},
		"length": {X: x, Y: []float64{1}}, "lambda": {X: x, Y: []float64{1, -1}, Lambda: math.NaN()},
	} {
		if _, err := Solve(context.Background(), p, SOAP{}, solvers.Settings{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	good := &Problem{X: x, Y: []float64{1, -1}}
	for _, m := range []Method{
		nil, SOAP{Common{Beta: 1}}, SOAP{Common{Step: math.Inf(1)}}, SOAP{Common{Positives: -1}}, SOAP{Common{Margin: -1}},
		SOAP{Common{Margin: 1, Scale: 2}}, SOAP{Common{Hinge: true, FinalScale: 2}}, SOAP{Common{Paper: true, Scale: 2}},
		SOAPAdam{Momentum: 2}, SOAPAdam{Second: 2}, SOAPAdam{Delta: -1}, SOAPAMSGrad{Second: -1}, MOAPV1{Bound: -1}, MOAPV2{Momentum: 2}, ADAP{Bound: math.NaN()},
		ADAPAdaGrad{Delta: -1}, ADAPAMSGrad{Second: -1}, ADAPAdaBound{Low: 5, High: 2}, ADAPAdaBound{Low: 2000}, ADAPAdaBound{High: -1},
		SmoothAP{Scale: -1}, SmoothAP{Iterations: -1},
	} {
		if _, err := Solve(context.Background(), good, m, solvers.Settings{}); err == nil {
			t.Errorf("%+v: no error", m)
		}
	}
	if _, err := Solve(context.Background(), good, SOAP{}, solvers.Settings{GapTolerance: 1}); err == nil {
		t.Error("a gap: no error")
	}
}

func TestCatalog(t *testing.T) {
	for _, d := range Solvers() {
		m, err := ByName(d.Name, map[string]string{"step": "1/2"})
		if err != nil || m.Name() != d.Name || m.plan(true).Step != 0.5 {
			t.Errorf("%s: %+v, %v", d.Name, m, err)
		}
	}
	// What a solver does not take, or not so, is refused.
	for name, parameters := range map[string]map[string]string{
		"adap": {"beta": "2"}, "adap-adagrad": {"second": "0.1"}, "smoothap": {"margin": "1"}, "soap": {"momentum": "0.1"}, "moap-v1": {"delta": "1"},
		"adap-amsgrad": {"low": "1"}, "soap-adam": {"bound": "1"}, "soap-amsgrad": {"bound": "1"}, "moap-v2": {"hinge": "true", "scale": "3"},
	} {
		if _, err := ByName(name, parameters); err == nil {
			t.Errorf("%s with %v: no error", name, parameters)
		}
	}
}
