package solvers

import (
	"context"
	"math"
	"testing"
)

// halving is a loop whose one weight halves at every iteration, down to a floor.
type halving struct {
	w, floor float64
	reports  bool
}

func (h *halving) Next(c *Control) {
	h.w = max(h.w/2, h.floor)
	c.Iteration(1, 2)
	if h.reports {
		c.Reached([]float64{h.w}, evaluateHalving([]float64{h.w}))
	}
}
func (h *halving) Current(w []float64) { w[0] = h.w }
func (h *halving) State(c *Coder)      { c.Float64(&h.w) }

func evaluateHalving(w []float64) Evaluation {
	return Evaluation{Objective: w[0] * w[0] / 2, GradientNorm: math.Abs(w[0]), Gap: w[0] * w[0]}
}

func drive(t *testing.T, h *halving, s Settings) *Result {
	t.Helper()
	s, err := s.Check(1)
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
		s          Settings
		want       Status
		iterations int64
	}{
		{"passes", &halving{w: 1}, Settings{MaxPasses: 3}, BudgetReached, 12},
		{"iterations", &halving{w: 1}, Settings{MaxIterations: 5}, BudgetReached, 5},
		{"gap", &halving{w: 1}, Settings{GapTolerance: 1. / 256}, Converged, 4},
		{"gradient, when recorded", &halving{w: 1}, Settings{GradientTolerance: 1. / 32}, Converged, 8},
		{"gradient, recorded often", &halving{w: 1}, Settings{GradientTolerance: 1. / 32, RecordEvery: 0.25}, Converged, 5},
		{"gradient, reported", &halving{w: 1, reports: true}, Settings{GradientTolerance: 1. / 32}, Converged, 5},
		{"nothing to do", &halving{w: 0}, Settings{}, Converged, 0},
		{"stalled", &halving{w: 1, floor: 0.5, reports: true}, Settings{}, Stalled, 1},
	} {
		r := drive(t, c.h, c.s)
		if r.Status != c.want || r.Iterations != c.iterations && c.want != Stalled {
			t.Errorf("%s: %v after %d iterations, not %v after %d", c.name, r.Status, r.Iterations, c.want, c.iterations)
		}
		if r.Passes != float64(r.Iterations)/4 || r.GradientEvaluations != 2*r.Iterations {
			t.Errorf("%s: %v passes and %d gradients of %d iterations", c.name, r.Passes, r.GradientEvaluations, r.Iterations)
		}
	}
}

func TestDefaultBudget(t *testing.T) {
	if r := drive(t, &halving{w: 1, floor: 1e-3}, Settings{}); r.Total.Passes != 100 && r.Status != Stalled {
		t.Errorf("%v after %v passes", r.Status, r.Total.Passes)
	}
}

// TestRecordPoints: evaluations come at multiples of RecordEvery, and at the end.
func TestRecordPoints(t *testing.T) {
	var trace Trace
	drive(t, &halving{w: 1}, Settings{MaxPasses: 2.25, RecordEvery: 0.5, Recorder: &trace})
	want := []float64{0, 0.5, 1, 1.5, 2, 2.25}
	if len(trace) != len(want) {
		t.Fatalf("%d points, not %d", len(trace), len(want))
	}
	for k, p := range trace {
		if p.Passes != want[k] || !math.IsNaN(p.Metric) || p.Objective != math.Pow(0.25, 4*p.Passes)/2 {
			t.Errorf("point %d: %+v", k, p)
		}
	}
}
