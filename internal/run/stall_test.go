package run

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/solvers"
)

// scripted is a loop whose evaluations are given, one for each iteration.
type scripted struct {
	at   int64
	give func(k int64) Evaluation
}

func (s *scripted) Next(c *Control) {
	s.at++
	c.Iterations(1, 1, 1)
	c.Reached([]float64{0}, s.give(s.at))
}
func (s *scripted) Current(w []float64)       { w[0] = 0 }
func (s *scripted) State(c *checkpoint.Coder) { c.Int64(&s.at) }

// TestStall: a run ends where only rounding is left, and no other run does.
func TestStall(t *testing.T) {
	random := random.New(1)
	rounding := func() float64 { return 1 + float64(random.Below(64))*0x1p-52 }
	for _, c := range []struct {
		name   string
		smooth bool
		give   func(k int64) Evaluation
		want   solvers.Status
	}{
		{"noise of rounding", true, func(k int64) Evaluation {
			return Evaluation{Objective: rounding(), GradientNorm: 1e-16 * (1 + random.Float64()), Gap: 1e-33 * (1 + random.Float64())}
		}, solvers.Stalled},
		{"noise of rounding, no gap", true, func(k int64) Evaluation {
			return Evaluation{Objective: rounding(), GradientNorm: 1e-16 * (1 + random.Float64()), Gap: math.NaN()}
		}, solvers.Stalled},
		{"the same point", true, func(k int64) Evaluation { return Evaluation{Objective: 2, GradientNorm: 1, Gap: 1} }, solvers.Stalled},
		{"the same point of a ranking", false, func(k int64) Evaluation { return Evaluation{Objective: 2, GradientNorm: 1, Gap: math.NaN()} }, solvers.Stalled},
		{"a ranking on a step", false, func(k int64) Evaluation {
			return Evaluation{Objective: 0.5, GradientNorm: 1 + random.Float64(), Gap: math.NaN()}
		}, solvers.BudgetReached},
		{"slow gradient", true, func(k int64) Evaluation {
			return Evaluation{Objective: rounding(), GradientNorm: math.Pow(0.9999, float64(k)), Gap: math.NaN()}
		}, solvers.BudgetReached},
		{"slow gap", true, func(k int64) Evaluation {
			return Evaluation{Objective: rounding(), GradientNorm: 1, Gap: math.Pow(0.9999, float64(k))}
		}, solvers.BudgetReached},
		{"slow objective", true, func(k int64) Evaluation {
			return Evaluation{Objective: 1 - 1e-13*float64(k), GradientNorm: 1 + random.Float64(), Gap: math.NaN()}
		}, solvers.BudgetReached},
		{"noise of steps", true, func(k int64) Evaluation {
			return Evaluation{Objective: 1 + 1e-9*random.Float64(), GradientNorm: 1 + random.Float64(), Gap: math.NaN()}
		}, solvers.BudgetReached},
	} {
		s, err := Check(solvers.Settings{MaxEpochs: 500}, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Drive(t.Context(), Run{Solver: "scripted", Samples: 1, Columns: 1, Loop: &scripted{give: c.give}, Reports: true, Smooth: c.smooth}, s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != c.want || r.Status == solvers.Stalled && r.Total.Epochs < stallAfter {
			t.Errorf("%s: %v after %v passes, not %v", c.name, r.Status, r.Total.Epochs, c.want)
		}
	}
}

// resting is a loop of one row that stays where it is for 15 passes of 8 iterations, and then halves.
type resting struct{ halving }

func (r *resting) Next(c *Control) {
	if c.iterations >= 120 {
		r.w /= 2
	}
	c.Iterations(1, 1, 1)
}

// TestCloserRecordsEndNothing: a run ends where it would with a record a pass.
func TestCloserRecordsEndNothing(t *testing.T) {
	for _, every := range []float64{1, 0.5, 0.125} {
		s, err := Check(solvers.Settings{MaxEpochs: 30, RecordEvery: every}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var trace solvers.Trace
		s.Recorder = &trace
		r, err := Drive(t.Context(), Run{Solver: "resting", Samples: 8, Columns: 1, Loop: &resting{halving{w: 1}}, Evaluate: evaluateHalving}, s)
		if err != nil || r.Status != solvers.BudgetReached || r.Total.Iterations != 240 || len(trace) < int(30/every) {
			t.Errorf("every %v passes: %v after %d iterations, %d points, %v", every, r.Status, r.Total.Iterations, len(trace), err)
		}
	}
}
