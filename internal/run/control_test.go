package run

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/solvers"
)

// halving is a loop whose one weight halves at every iteration, down to a floor.
type halving struct {
	w, floor float64
	reports  bool
}

func (h *halving) Next(c *Control) {
	h.w = max(h.w/2, h.floor)
	c.Iterations(1, 1, 2)
	if h.reports {
		c.Reached([]float64{h.w}, evaluateHalving([]float64{h.w}))
	}
}
func (h *halving) Current(w []float64)       { w[0] = h.w }
func (h *halving) State(c *checkpoint.Coder) { c.Float64(&h.w) }

func evaluateHalving(w []float64) Evaluation {
	return Evaluation{Objective: w[0] * w[0] / 2, GradientNorm: math.Abs(w[0]), Gap: w[0] * w[0]}
}

func drive(t *testing.T, h *halving, s solvers.Settings) *solvers.Result {
	t.Helper()
	s, err := Check(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Drive(context.Background(), Run{
		Solver: "halving", Samples: 4, Columns: 1, Loop: h, Reports: h.reports, Evaluate: evaluateHalving,
	}, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDrive(t *testing.T) {
	for _, c := range []struct {
		name       string
		h          *halving
		s          solvers.Settings
		want       solvers.Status
		iterations int64
	}{
		{"passes", &halving{w: 1}, solvers.Settings{MaxEpochs: 3}, solvers.BudgetReached, 12},
		{"iterations", &halving{w: 1}, solvers.Settings{MaxIterations: 5}, solvers.BudgetReached, 5},
		{"gap", &halving{w: 1}, solvers.Settings{GapTolerance: 1. / 256}, solvers.Converged, 4},
		{"gradient, when recorded", &halving{w: 1}, solvers.Settings{GradientTolerance: 1. / 32}, solvers.Converged, 8},
		{"gradient, recorded often", &halving{w: 1}, solvers.Settings{GradientTolerance: 1. / 32, RecordEvery: 0.25}, solvers.Converged, 5},
		{"gradient, reported", &halving{w: 1, reports: true}, solvers.Settings{GradientTolerance: 1. / 32}, solvers.Converged, 5},
		{"nothing to do", &halving{w: 0}, solvers.Settings{}, solvers.Converged, 0},
		{"stalled", &halving{w: 1, floor: 0.5, reports: true}, solvers.Settings{}, solvers.Stalled, 1},
	} {
		r := drive(t, c.h, c.s)
		if r.Status != c.want || r.Iterations != c.iterations && c.want != solvers.Stalled {
			t.Errorf("%s: %v after %d iterations, not %v after %d", c.name, r.Status, r.Iterations, c.want, c.iterations)
		}
		if r.Epochs != float64(r.Iterations)/4 || r.GradientEvaluations != 2*r.Iterations {
			t.Errorf("%s: %v passes and %d gradients of %d iterations", c.name, r.Epochs, r.GradientEvaluations, r.Iterations)
		}
	}
}

func TestDefaultBudget(t *testing.T) {
	if r := drive(t, &halving{w: 1, floor: 1e-3}, solvers.Settings{}); r.Total.Epochs != 100 && r.Status != solvers.Stalled {
		t.Errorf("%v after %v passes", r.Status, r.Total.Epochs)
	}
}

// TestRecordPoints: evaluations come at multiples of RecordEvery, and at the end.
func TestRecordPoints(t *testing.T) {
	var trace solvers.Trace
	drive(t, &halving{w: 1}, solvers.Settings{MaxEpochs: 2.25, RecordEvery: 0.5, Recorder: &trace})
	want := []float64{0, 0.5, 1, 1.5, 2, 2.25}
	if len(trace) != len(want) {
		t.Fatalf("%d points, not %d", len(trace), len(want))
	}
	for k, p := range trace {
		if p.Epochs != want[k] || !math.IsNaN(p.Metric) || p.Objective != math.Pow(0.25, 4*p.Epochs)/2 {
			t.Errorf("point %d: %+v", k, p)
		}
	}
}

// climbing is a loop of one weight that grows, with a certificate that is wrong.
type climbing struct{ w float64 }

func (c *climbing) Next(control *Control) {
	c.w++
	control.Iterations(1, 4, 4)
}
func (c *climbing) Current(w []float64)       { w[0] = c.w }
func (c *climbing) State(k *checkpoint.Coder) { k.Float64(&c.w) }

// TestConvergedNeedsProof: a tolerance counts if it is reached with all rounding errors, also at
// the last point of a budget. It does not count at a point worse than w = 0 or than another point
// of the run.
func TestConvergedNeedsProof(t *testing.T) {
	for _, c := range []struct {
		name string
		e    Evaluation
		s    solvers.Settings
		want bool
	}{
		{"gap", Evaluation{Gap: 1, GradientNorm: 1}, solvers.Settings{GapTolerance: 1}, true},
		{"no gap", Evaluation{Gap: math.NaN(), GradientNorm: 1}, solvers.Settings{GapTolerance: 1}, false},
		{"gradient", Evaluation{GradientNorm: 1, Gap: math.NaN()}, solvers.Settings{GradientTolerance: 1}, true},
		{"gradient in doubt", Evaluation{GradientNorm: 1, GradientError: 0.1, Gap: math.NaN()}, solvers.Settings{GradientTolerance: 1}, false},
		{"zero in doubt", Evaluation{GradientError: 0.1, Gap: 7}, solvers.Settings{GradientTolerance: 1e-3, GapTolerance: 1}, false},
		{"zero in doubt, no target", Evaluation{GradientError: 0.1}, solvers.Settings{}, false},
		{"zero, no target", Evaluation{GradientError: 1e-15}, solvers.Settings{}, true},
		{"unknown error", Evaluation{GradientError: math.NaN(), Gap: math.NaN()}, solvers.Settings{}, false},
	} {
		if got := Reaches(&c.s, c.e); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if r := drive(t, &halving{w: 1}, solvers.Settings{GapTolerance: 1. / 1000, MaxIterations: 5}); r.Status != solvers.Converged || r.Iterations != 5 {
		t.Errorf("%v after %d iterations", r.Status, r.Iterations)
	}
	for _, atZero := range []func() float64{nil, func() float64 { return 0.5 }} {
		s, err := Check(solvers.Settings{GapTolerance: 1e-3, MaxEpochs: 5}, 1)
		if err != nil {
			t.Fatal(err)
		}
		evaluate := func(w []float64) Evaluation {
			e := Evaluation{Objective: 1 + w[0], GradientNorm: 1, Gap: 1e-9}
			if w[0] == 0 && atZero == nil {
				e.Gap = 1 // the start is not certified, and better than all that follow
			}
			return e
		}
		r, err := Drive(context.Background(), Run{Solver: "climbing", Samples: 4, Columns: 1, Loop: &climbing{}, Evaluate: evaluate, AtZero: atZero}, s)
		if err != nil || r.Status != solvers.BudgetReached {
			t.Errorf("%v, %v", r.Status, err)
		}
	}
}

// TestConvergedPointIsTheResult: the point that met the tolerance is the result, even if an
// earlier point has a smaller objective. If there is a validation metric, it decides.
func TestConvergedPointIsTheResult(t *testing.T) {
	give := func(k int64) Evaluation {
		return Evaluation{Objective: 1 + 0.01*float64(k), GradientNorm: 1, Gap: 1 / float64(k*k)}
	}
	for _, m := range []solvers.Metric{nil, constantMetric{}} {
		s, err := Check(solvers.Settings{GapTolerance: 1. / 9, Validation: m}, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := int64(3)
		if m != nil {
			want = 1
		}
		r, err := Drive(t.Context(), Run{Solver: "scripted", Samples: 1, Columns: 1, Loop: &scripted{give: give}, Reports: true}, s)
		if err != nil || r.Status != solvers.Converged || r.Iterations != want || r.Total.Iterations != 3 {
			t.Errorf("validated %t: %v, %+v", m != nil, err, r)
		}
	}
}

type constantMetric struct{}

func (constantMetric) Name() string                       { return "constant" }
func (constantMetric) HigherIsBetter() bool               { return true }
func (constantMetric) Measure([]float64) (float64, error) { return 1, nil }

// TestRecordingTakesNoTime: what recorders, metrics and evaluations for the record
// take is not time spent solving.
func TestRecordingTakesNoTime(t *testing.T) {
	for _, reports := range []bool{false, true} {
		slept := time.Duration(0)
		begun := time.Now()
		r := drive(t, &halving{w: 1, reports: reports}, solvers.Settings{MaxIterations: 4, RecordEvery: 0.25, Recorder: recorderFunc(func(p solvers.Point) error {
			from := time.Now()
			time.Sleep(20 * time.Millisecond)
			slept += time.Since(from)
			return nil
		})})
		if most := (time.Since(begun) - slept).Seconds(); slept == 0 || r.Total.Seconds > most {
			t.Errorf("reports %t: %v s of at most %v", reports, r.Total.Seconds, most)
		}
	}
}

// TestFailuresAreToldApart: what the caller's recorder or metric does is not a
// cancelled run, and its error can be recognised.
func TestFailuresAreToldApart(t *testing.T) {
	broken := errors.New("broken")
	for name, s := range map[string]solvers.Settings{
		"recorder": {Recorder: recorderFunc(func(solvers.Point) error { return broken })},
		"metric":   {Validation: brokenMetric{broken}},
	} {
		s.MaxIterations = 9
		s, err := Check(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Drive(t.Context(), Run{Solver: "halving", Samples: 4, Columns: 1, Loop: &halving{w: 1}, Evaluate: evaluateHalving}, s)
		if !errors.Is(err, broken) || r != nil && r.Status != solvers.Failed {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if name == "recorder" && r == nil {
			t.Error("the best point before the recorder failed is lost")
		}
	}
}

type brokenMetric struct{ err error }

func (brokenMetric) Name() string                         { return "broken" }
func (brokenMetric) HigherIsBetter() bool                 { return true }
func (m brokenMetric) Measure([]float64) (float64, error) { return 0, m.err }

// opening begins at a point whose gradient is known to those who watch alone, and gets
// no better.
type opening struct {
	halving
	began, norms int
}

func (o *opening) Next(c *Control) {
	if o.began++; o.began > 1 {
		c.Iterations(1, 1, 1)
		c.Reached([]float64{2}, evaluateHalving([]float64{2}))
		return
	}
	e := Evaluation{Objective: 0.5, Gap: 1, GradientNorm: math.Inf(1)}
	if c.Settings().Recorder != nil {
		o.norms++
		e.GradientNorm = 1
	}
	e.Opening = true
	c.Reached([]float64{o.w}, e)
}

// fading is an opening whose gradient falls from then on, and nothing else.
type fading struct{ opening }

func (o *fading) Next(c *Control) {
	if o.began == 0 {
		o.opening.Next(c)
		return
	}
	c.Iterations(1, 1, 1)
	c.Reached([]float64{1}, Evaluation{Objective: 0.5, Gap: 1, GradientNorm: math.Pow(0.999, float64(c.iterations))})
}

// A gradient that is unknown where a run begins hides none that is smaller later.
func TestOpeningIsNoLeastGradient(t *testing.T) {
	s, err := Check(solvers.Settings{GapTolerance: 1e-3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Drive(context.Background(), Run{Solver: "fading", Samples: 1, Columns: 1, Loop: &fading{opening{halving: halving{w: 1}}}, Reports: true, Smooth: true, Evaluate: evaluateHalving}, s)
	if err != nil || r.Status != solvers.BudgetReached || r.Iterations != 100 {
		t.Errorf("%v after %d iterations, %v", r.Status, r.Iterations, err)
	}
}

// TestOpening: a run without an observer has the points of an observed run. Its result has a
// gradient norm wherever it ends.
func TestOpening(t *testing.T) {
	for _, c := range []struct {
		gap  float64
		most int64
		want solvers.Status
	}{{1e-3, 0, solvers.Stalled}, {1e-3, 5, solvers.BudgetReached}, {1, 0, solvers.Converged}} {
		for _, watched := range []bool{false, true} {
			var trace solvers.Trace
			s := solvers.Settings{GapTolerance: c.gap, MaxIterations: c.most}
			if watched {
				s.Recorder = &trace
			}
			s, err := Check(s, 1)
			if err != nil {
				t.Fatal(err)
			}
			loop := &opening{halving: halving{w: 1}}
			r, err := Drive(context.Background(), Run{Solver: "opening", Samples: 4, Columns: 1, Loop: loop, Reports: true, Smooth: true, Evaluate: evaluateHalving}, s)
			if err != nil {
				t.Fatal(err)
			}
			steps := int64(stallAfter + 1) // the first of them is new
			if c.want != solvers.Stalled {
				steps = c.most
			}
			if r.Status != c.want || r.Weights[0] != 1 || r.GradientNorm != 1 || r.Total.Iterations != steps {
				t.Errorf("gap %v, watched %t: %v after %d iterations at %v, gradient %v", c.gap, watched, r.Status, r.Total.Iterations, r.Weights, r.GradientNorm)
			}
			if watched && (loop.norms != 1 || trace[0].GradientNorm != 1) || !watched && loop.norms != 0 {
				t.Errorf("gap %v, watched %t: the gradient was asked for %d times", c.gap, watched, loop.norms)
			}
		}
	}
	for s, want := range map[*solvers.Settings]bool{
		{GapTolerance: 1}: true, {}: false, {GapTolerance: 1, GradientTolerance: 1}: false, {GradientTolerance: 1}: false,
		{GapTolerance: 1, Validation: constantMetric{}}: false,
	} {
		if GapAlone(s) != want {
			t.Errorf("%+v: the gap alone is the target: %t", *s, !want)
		}
	}
}

// moving arrives at a point and goes on from there, in the same vector, unless the run has
// converged.
type moving struct{ w []float64 }

func (m *moving) Next(c *Control) {
	c.Iterations(1, 1, 1)
	if !c.Reached(m.w, Evaluation{Objective: 0.5}) {
		m.w[0] = 7
	}
}

func (m *moving) Current(w []float64)     { copy(w, m.w) }
func (m *moving) State(*checkpoint.Coder) {}

// A point that reaches the target after the run has failed leaves its weights to the loop.
func TestReachedKeepsNoWeightsOfRunsThatFail(t *testing.T) {
	for _, fails := range []bool{false, true} {
		s, err := Check(solvers.Settings{GapTolerance: 1e-3, Recorder: recorderFunc(func(solvers.Point) error {
			if fails {
				return errors.New("disk full")
			}
			return nil
		})}, 1)
		if err != nil {
			t.Fatal(err)
		}
		run := Run{Columns: 1, Samples: 1, Loop: &moving{[]float64{3}}, Reports: true}
		r, err := Drive(t.Context(), run, s)
		if r == nil || (err != nil) != fails || r.Weights[0] != 3 {
			t.Errorf("fails %t: %+v, %v", fails, r, err)
		}
	}
}

// A run that is broken off between two points that it evaluates is neither converged nor
// diverged, whatever the point is that it stands at.
func TestBrokenOffIsNoEnd(t *testing.T) {
	for _, gap := range []float64{1. / 64, math.Inf(1)} {
		evaluate := func(w []float64) Evaluation {
			e := evaluateHalving(w)
			if w[0] == 1./8 && math.IsInf(gap, 1) {
				e.Objective = math.NaN()
			}
			return e
		}
		s, err := Check(solvers.Settings{GapTolerance: 1. / 64}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for asked, want := range map[int]solvers.Status{3: solvers.Cancelled, 100: solvers.Converged} {
			r, err := Drive(looks.Until(asked), Run{Solver: "halving", Samples: 4, Columns: 1, Loop: &halving{w: 1}, Evaluate: evaluate}, s)
			if err != nil || r.Status != want {
				t.Errorf("%d looks: %v (%v), not %v", asked, r.Status, err, want)
			}
		}
		s.MaxTime = time.Nanosecond
		r, err := Drive(context.Background(), Run{Solver: "halving", Samples: 4, Columns: 1, Loop: &halving{w: 1. / 8}, Reports: true, Evaluate: evaluate}, s)
		if gap < 1 && (err != nil || r.Status != solvers.TimeReached) {
			t.Errorf("out of time: %v (%v)", r.Status, err)
		}
	}
}
