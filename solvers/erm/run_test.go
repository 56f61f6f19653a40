package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/risk"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// methods has one of every solver, with untuned parameters.
func methods(t testing.TB) []Method { return solvetest.Methods(t, Solvers(), ByName) }

// enough is a number of iterations that takes a method through several loops.
func enough(m Method) int64 {
	switch m.(type) {
	case AISARAHImportance, AISARAHUniform:
		return 12
	case Newton:
		return 4
	}
	if testing.Short() {
		return 250
	}
	return 700
}

func mustSolve(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	solvetest.Only(accepts(m), nil, &s)
	return solvetest.MustSolve(t, Solve, p, m, s)
}

// bigProblem has several blocks of rows.
func bigProblem(t testing.TB, phi loss.Loss) *Problem {
	n := 9000
	if testing.Short() {
		n = risk.Block + 500
	}
	return randomProblem(t, phi, n, 150, 6, 1./9000, false)
}

// TestSameBits: neither the CPU path nor the number of workers changes a bit.
func TestSameBits(t *testing.T) {
	p := bigProblem(t, loss.Logistic{})
	for _, m := range methods(t) {
		s := solvers.Settings{MaxIterations: enough(m), Seed: 3, Workers: 1}
		want := mustSolve(t, p, m, s)
		for path := range pathtest.Paths(t) {
			for _, s.Workers = range repeat.Size([]int{1, 2, 3}, []int{1, 3}) {
				solvetest.SameBits(t, fmt.Sprintf("%s on %s, %d workers", m.Name(), path, s.Workers), mustSolve(t, p, m, s), want)
			}
		}
	}
}

// TestRecordingChangesNothing: evaluations for the record leave the run alone.
func TestRecordingChangesNothing(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, true)
	for _, m := range methods(t) {
		s := solvers.Settings{MaxIterations: min(60, enough(m)), Seed: 3, BatchSize: testBatch}
		want := mustSolve(t, p, m, s)
		var trace solvers.Trace
		s.Recorder, s.RecordEvery = &trace, 0.05
		got := mustSolve(t, p, m, s)
		last := trace[len(trace)-1]
		if last.Iterations != s.MaxIterations && got.Status != solvers.Converged {
			t.Errorf("%s: the last point recorded is after %d iterations", m.Name(), last.Iterations)
		}
		if got.Total.Epochs != want.Total.Epochs || got.Total.GradientEvaluations != want.Total.GradientEvaluations {
			t.Errorf("%s: recording cost passes", m.Name())
		}
		for k := 1; k < len(trace); k++ {
			if trace[k].Epochs < trace[k-1].Epochs {
				t.Errorf("%s: passes fall", m.Name())
			}
		}
	}
}

// stepTrace keeps steps as well as points.
type stepTrace struct {
	solvers.Trace
	steps []solvers.Step
}

func (s *stepTrace) RecordStep(step solvers.Step) { s.steps = append(s.steps, step) }

// TestSteps: AI-SARAH tells of every step that it takes, and by that step the weights move:
// while the inner loop is in its first iteration, along the full gradient.
func TestSteps(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, true)
	all := new(stepTrace)
	mustSolve(t, p, AISARAH{}, solvers.Settings{MaxIterations: 40, BatchSize: testBatch, Recorder: all})
	if len(all.steps) != 40 {
		t.Fatalf("%d steps were recorded of 40", len(all.steps))
	}
	for k, s := range all.steps {
		if !(s.Size > 0 && s.Size <= s.Bound && s.SquaredNorm > 0) || k > 0 && !(s.Epochs > all.steps[k-1].Epochs) {
			t.Fatalf("step %d is %+v", k, s)
		}
	}
	moved := mustSolve(t, p, AISARAH{}, solvers.Settings{MaxIterations: 1, BatchSize: testBatch, Recorder: new(solvers.Trace)})
	length := 0.0
	for _, w := range moved.Weights {
		length += w * w
	}
	if step := all.steps[0].Size * all.Trace[0].GradientNorm; math.Abs(math.Sqrt(length)-step) > 1e-12*step {
		t.Errorf("the first step moved the weights by %v, its size times the gradient's length is %v", math.Sqrt(length), step)
	}
}

type recorderFunc func(solvers.Point) error

func (f recorderFunc) Record(p solvers.Point) error { return f(p) }

func TestStatuses(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, false)
	s := solvers.Settings{BatchSize: testBatch, Seed: 1}
	for _, c := range []struct {
		want   solvers.Status
		m      Method
		change func(*solvers.Settings)
	}{
		{solvers.Converged, AISARAH{}, func(s *solvers.Settings) { s.GapTolerance = 1e-9 }},
		{solvers.Converged, SVRG{}, func(s *solvers.Settings) { s.GradientTolerance = 1e-5; s.MaxEpochs = 1e4 }},
		{solvers.BudgetReached, AISARAH{}, func(s *solvers.Settings) { s.MaxEpochs = 3 }},
		{solvers.BudgetReached, Adam{}, func(s *solvers.Settings) { s.MaxIterations = 10 }},
		{solvers.TimeReached, SGD{}, func(s *solvers.Settings) { s.MaxTime = time.Millisecond; s.MaxEpochs = math.Inf(1) }},
	} {
		settings := s
		c.change(&settings)
		if r := mustSolve(t, p, c.m, settings); r.Status != c.want {
			t.Errorf("%s: %v, not %v", c.m.Name(), r.Status, c.want)
		} else if r.Status == solvers.BudgetReached && settings.MaxEpochs == 3 && (r.Total.Epochs < 3 || r.Total.Epochs > 4) {
			t.Errorf("%s: %v passes of 3", c.m.Name(), r.Total.Epochs)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	s.MaxEpochs = math.Inf(1)
	s.Recorder = recorderFunc(func(p solvers.Point) error {
		if p.Epochs > 5 {
			cancel()
		}
		return nil
	})
	r, err := Solve(ctx, p, SARAH{}, s)
	if err != nil || r.Status != solvers.Cancelled || r.Objective >= math.Ln2 {
		t.Errorf("cancelled: %v, %v", r, err)
	}
	full := errors.New("the disk is full")
	s.Recorder = recorderFunc(func(p solvers.Point) error { return full })
	if r, err := Solve(context.Background(), p, SARAH{}, s); !errors.Is(err, full) || r == nil {
		t.Errorf("failing recorder: %v", err)
	}
	cancel()
	s.Recorder, s.BatchSize = nil, 0
	for _, m := range methods(t) {
		if r, err := Solve(ctx, p, m, s); err != nil || r.Status != solvers.Cancelled {
			t.Errorf("%s: cancelled before the start: %v, %v", m.Name(), r, err)
		}
	}
}

// TestDiverged: steps that are far too large end the run with the best finite
// point, which is no worse than the first.
func TestDiverged(t *testing.T) {
	p := randomProblem(t, loss.Squared{}, 300, 40, 5, 0, false)
	first := newObjective(p, nil, nil).evaluate(make([]float64, p.X.Cols()))
	for _, m := range []Method{SARAH{Step: 1e100}, SARAHPlus{Step: 1e30}, SVRG{Step: 1e30}, SGD{Step: 1e20}, AISARAHInterval{Min: 1e50, Max: 1e60}} {
		r := mustSolve(t, p, m, solvers.Settings{BatchSize: testBatch, MaxEpochs: 50})
		if r.Status != solvers.Diverged {
			t.Errorf("%s: %v", m.Name(), r.Status)
		}
		if !(r.Objective <= first.Objective) {
			t.Errorf("%s: objective %v, %v at the start", m.Name(), r.Objective, first.Objective)
		}
		for _, w := range r.Weights {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				t.Fatalf("%s: a weight of %v", m.Name(), w)
			}
		}
	}
	p.Penalty = penalty.Ridge{Lambda: 0.5}
	if _, err := Solve(context.Background(), p, SVRG{Step: 10}, solvers.Settings{}); err == nil {
		t.Error("SVRG took a step beyond 1/lambda")
	}
}

type testMetric struct {
	values []float64
	higher bool
	calls  int
	err    error
}

func (m *testMetric) Name() string         { return "test" }
func (m *testMetric) HigherIsBetter() bool { return m.higher }
func (m *testMetric) Measure([]float64) (float64, error) {
	m.calls++
	return m.values[min(m.calls, len(m.values))-1], m.err
}

func TestEarlyStopping(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, false)
	for _, higher := range []bool{true, false} {
		values := []float64{1, 2, 5, 4, 3, 4, 4, 6}
		if !higher {
			for k := range values {
				values[k] = -values[k]
			}
		}
		m := &testMetric{values: values, higher: higher}
		var trace solvers.Trace
		r := mustSolve(t, p, SVRG{}, solvers.Settings{Validation: m, Patience: 3, Recorder: &trace})
		if r.Status != solvers.StoppedEarly || len(trace) != 6 || r.Metric != values[2] || r.Objective != trace[2].Objective {
			t.Errorf("higher=%v: %v after %d points with a metric of %v", higher, r.Status, len(trace), r.Metric)
		}
	}
	for _, m := range []*testMetric{{values: []float64{math.NaN()}}, {values: []float64{1}, err: errors.New("no")}} {
		if _, err := Solve(context.Background(), p, SVRG{}, solvers.Settings{Validation: m}); err == nil {
			t.Error("a metric that fails went unnoticed")
		}
	}
}

func TestBadInput(t *testing.T) {
	good := func() *Problem { return randomProblem(t, loss.Logistic{}, 30, 10, 3, 0.01, true) }
	for what, p := range map[string]func(p *Problem){
		"no matrix":       func(p *Problem) { p.X = nil },
		"labels":          func(p *Problem) { p.Y = p.Y[1:] },
		"label 0":         func(p *Problem) { p.Y[4] = 0 },
		"target NaN":      func(p *Problem) { p.Loss = loss.Squared{}; p.Y[4] = math.NaN() },
		"sample weights":  func(p *Problem) { p.SampleWeight = p.SampleWeight[1:] },
		"negative weight": func(p *Problem) { p.SampleWeight[2] = -1 },
		"lambda":          func(p *Problem) { p.Penalty = penalty.Ridge{Lambda: -1} },
		"lambda NaN":      func(p *Problem) { p.Penalty = penalty.Ridge{Lambda: math.NaN()} },
		"loss":            func(p *Problem) { p.Loss = nil },
		"delta":           func(p *Problem) { p.Loss = loss.Huber{Delta: -2} },
		"no column":       func(p *Problem) { p.X, p.Intercept = p.X.WithBias(0), true },
		"a column of 2":   func(p *Problem) { p.X, p.Intercept = p.X.WithBias(2), true },
		"one class":       func(p *Problem) { p.X, p.Intercept, p.Y = p.X.WithBias(1), true, slices.Repeat([]float64{1}, 30) },
		"offsets":         func(p *Problem) { p.Offset = make([]float64, 29) },
		"offset NaN":      func(p *Problem) { p.Offset = make([]float64, 30); p.Offset[3] = math.NaN() },
	} {
		bad := good()
		p(bad)
		if _, err := Solve(context.Background(), bad, AISARAH{}, solvers.Settings{}); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	for what, change := range map[string]func(*solvers.Settings){
		"passes":     func(s *solvers.Settings) { s.MaxEpochs = math.NaN() },
		"batch":      func(s *solvers.Settings) { s.BatchSize = -1 },
		"initial":    func(s *solvers.Settings) { s.Initial = []float64{1} },
		"initial ∞":  func(s *solvers.Settings) { s.Initial = make([]float64, 11); s.Initial[3] = math.Inf(1) },
		"gap":        func(s *solvers.Settings) { s.GapTolerance = -1 },
		"resume gap": func(s *solvers.Settings) { s.Resume = "absent" },
	} {
		var s solvers.Settings
		change(&s)
		if _, err := Solve(context.Background(), good(), AISARAH{}, s); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	plain := good()
	plain.Penalty = penalty.Ridge{Lambda: 0}
	if _, err := Solve(context.Background(), plain, AISARAH{}, solvers.Settings{GapTolerance: 1}); err == nil {
		t.Error("a gap target without a regulariser: accepted")
	}
	for _, c := range []struct {
		name       string
		parameters map[string]string
	}{
		{"nonsense", nil}, {"ai-sarah", map[string]string{"gamma": "x"}}, {"ai-sarah", map[string]string{"gamma": "2"}},
		{"ai-sarah", map[string]string{"step": "1"}}, {"sarah", map[string]string{"step": "-1"}}, {"sarah", map[string]string{"inner": "1.5"}},
		{"svrg", map[string]string{"inner": "-2"}}, {"adam", map[string]string{"beta1": "1"}}, {"sgd", map[string]string{"momentum": "1"}},
		{"sgd", map[string]string{"decay": "NaN"}}, {"ai-sarah-interval", map[string]string{"min": "2", "max": "1"}},
		{"sarah+", map[string]string{"gamma": "1"}}, {"ai-sarah-uniform", map[string]string{"inner": "-1"}}, {"sarah", map[string]string{"random": "maybe"}},
	} {
		if _, err := ByName(c.name, c.parameters); err == nil {
			t.Errorf("%s %v: accepted", c.name, c.parameters)
		}
	}
	if m, err := ByName("ai-sarah", map[string]string{"gamma": "1/16"}); err != nil || m.(AISARAH).Gamma != 1./16 {
		t.Errorf("gamma=1/16: %v, %v", m, err)
	}
}

// TestDegenerate: odd shapes end, with finite weights.
func TestDegenerate(t *testing.T) {
	build := func(d int, ptr []int64, columns []uint32, values []float64) *sparse.Matrix {
		m, err := sparse.NewCSR(d, ptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, x := range map[string]*sparse.Matrix{
		"one row":      build(3, []int64{0, 2}, []uint32{0, 2}, []float64{1, -2}),
		"empty rows":   build(3, []int64{0, 0, 0, 0}, nil, nil),
		"one column":   build(1, []int64{0, 1, 2, 3}, []uint32{0, 0, 0}, []float64{1, 2, 3}),
		"only a bias":  build(0, []int64{0, 0, 0}, nil, nil).WithBias(1),
		"far apart":    build(2, []int64{0, 1, 2, 4}, []uint32{0, 1, 0, 1}, []float64{1e8, 1e-8, 1e4, 1}),
		"stored zeros": build(2, []int64{0, 1, 2}, []uint32{0, 1}, []float64{0, 0}),
	} {
		for _, phi := range allLosses {
			for _, lambda := range []float64{0, 0.3} {
				p := &Problem{X: x, Loss: phi, Penalty: penalty.Ridge{Lambda: lambda}, Y: make([]float64, x.Rows())}
				for i := range p.Y {
					p.Y[i] = float64(2*(i%2) - 1)
					if phi.String() == "huber" || phi == (loss.Squared{}) {
						p.Y[i] *= 100 // beyond Huber's kink
					}
				}
				for _, m := range methods(t) {
					r, err := Solve(context.Background(), p, m, solvers.Settings{MaxEpochs: 10, MaxTime: 5 * time.Second, Seed: 1})
					what := fmt.Sprintf("%s, %v, lambda=%v, %s", name, phi, lambda, m.Name())
					if err != nil {
						t.Errorf("%s: %v", what, err)
						continue
					}
					if r.Status == solvers.TimeReached {
						t.Errorf("%s: hangs", what)
					}
					for _, w := range append(r.Weights, r.Objective, r.GradientNorm) {
						if math.IsNaN(w) || math.IsInf(w, 0) {
							t.Fatalf("%s: %v", what, r.Weights)
						}
					}
				}
			}
		}
	}
}

// TestConverges: every solver comes near the minimum of an easy problem.
func TestConverges(t *testing.T) {
	repeat.Skip(t)
	losses := allLosses
	if testing.Short() {
		losses = losses[:1]
	}
	for _, phi := range losses {
		p := randomProblem(t, phi, 400, 30, 5, 0.05, false)
		p.X = p.X.NormalizeUnit()
		for _, m := range methods(t) {
			s := solvers.Settings{MaxEpochs: 150, Seed: 2}
			limit := 1e-6
			switch m.(type) {
			case Adam, SGD:
				limit = 0.05
			case AISARAHImportance, AISARAHUniform:
				s.MaxIterations, limit = 800, 0.1
			}
			if r := mustSolve(t, p, m, s); !(r.Gap < limit) {
				t.Errorf("%v, %s: gap %v after %.1f passes", phi, m.Name(), r.Gap, r.Total.Epochs)
			}
		}
	}
}

// TestStepSearchEnds: the search for a default step, which takes many products, ends
// with the run's time or context, and the run with it, without a step.
func TestStepSearchEnds(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, false)
	asked := 0
	for _, ends := range []bool{true, false} {
		asked = 0
		if smoothness(p, nil, 1e-10, func() bool { asked++; return ends }); (asked == 1) != ends {
			t.Errorf("ending %t: asked %d times", ends, asked)
		}
	}
	for _, m := range []Method{SVRG{}, SARAH{}, SARAHPlus{}, SGD{}} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := Solve(ctx, p, m, solvers.Settings{})
		if err != nil || r.Status != solvers.Cancelled || r.Total.Epochs != 0 {
			t.Errorf("%s, cancelled: %v, %+v", m.Name(), err, r)
		}
		r, err = Solve(context.Background(), p, m, solvers.Settings{MaxTime: 1})
		if err != nil || r.Status != solvers.TimeReached || r.Total.Epochs != 0 {
			t.Errorf("%s, without time: %v, %+v", m.Name(), err, r)
		}
	}
}
