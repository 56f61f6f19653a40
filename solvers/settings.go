// Package solvers holds what every solver shares: settings and results, the
// control of a run (budgets, targets, recording, early stopping, cancellation),
// checkpoints, and the sampling of batches. One sub-package a family of problems
// holds the solvers themselves.
package solvers

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Settings control a run. The zero value is valid: 100 passes from w = 0 on all
// cores, no target.
type Settings struct {
	// MaxPasses is the budget in effective passes over the data: 0 means 100,
	// +Inf none.
	MaxPasses float64
	// MaxTime is the budget of wall-clock time, evaluations for the record
	// included; 0 means none. A resumed run counts from its own start.
	MaxTime time.Duration
	// MaxIterations is the budget of inner iterations, 0 for none.
	MaxIterations int64

	// GapTolerance ends the run at the first evaluated point whose duality gap is
	// at most this, GradientTolerance at the first whose gradient norm is. Zero
	// sets no target, but a gradient of exactly zero always ends a run.
	GapTolerance, GradientTolerance float64

	// BatchSize is the number of rows a stochastic step looks at; 0 means 64.
	BatchSize int
	// Seed determines every random choice of the run.
	Seed uint64
	// Workers is the number of goroutines, 0 for one a core. It never changes
	// the result.
	Workers int
	// Initial is the starting point, nil for w = 0. It is not written to.
	Initial []float64

	// Recorder, where set, is given every evaluated point.
	Recorder Recorder
	// RecordEvery is the number of passes between evaluations made for the record
	// alone. Solvers that compute full gradients evaluate at those in any case,
	// and make no others where this is 0; for the others 0 means 1. What such an
	// evaluation costs is counted neither as passes nor in Point.Seconds, and it
	// never changes the run.
	RecordEvery float64

	// Checkpoint names the file that the run's state is saved to every
	// CheckpointEvery (0 means 30 s) and when it ends without having converged.
	Checkpoint      string
	CheckpointEvery time.Duration
	// Resume names the file to continue from: same data, solver, parameters,
	// batch size and seed. Budgets and targets may differ.
	Resume string

	// Validation, where set, is measured at every evaluated point. The run ends
	// once Patience (0 means 5) successive measurements brought no improvement,
	// and its result is the point that measured best.
	Validation Metric
	Patience   int
}

// Metric measures a point on data that the solver does not see.
type Metric interface {
	Name() string
	// HigherIsBetter gives the metric's direction.
	HigherIsBetter() bool
	// Measure may not keep or change w.
	Measure(w []float64) (float64, error)
}

func (s Settings) withDefaults() Settings {
	if s.MaxPasses == 0 {
		s.MaxPasses = 100
	}
	if s.BatchSize == 0 {
		s.BatchSize = 64
	}
	if s.CheckpointEvery == 0 {
		s.CheckpointEvery = 30 * time.Second
	}
	if s.Patience == 0 {
		s.Patience = 5
	}
	return s
}

// Check returns the settings with defaults filled in, or says what is wrong
// with them. columns is the number of weights.
func (s Settings) Check(columns int) (Settings, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"MaxPasses", s.MaxPasses}, {"MaxTime", float64(s.MaxTime)}, {"MaxIterations", float64(s.MaxIterations)},
		{"GapTolerance", s.GapTolerance}, {"GradientTolerance", s.GradientTolerance},
		{"BatchSize", float64(s.BatchSize)}, {"Workers", float64(s.Workers)}, {"RecordEvery", s.RecordEvery},
		{"CheckpointEvery", float64(s.CheckpointEvery)}, {"Patience", float64(s.Patience)},
	} {
		if math.IsNaN(v.value) || v.value < 0 {
			return s, fmt.Errorf("solvers: %s is %v; it may not be negative", v.name, v.value)
		}
	}
	if s.Initial != nil && len(s.Initial) != columns {
		return s, fmt.Errorf("solvers: the initial point has %d weights, the data have %d columns", len(s.Initial), columns)
	}
	for j, v := range s.Initial {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return s, fmt.Errorf("solvers: weight %d of the initial point is %v", j, v)
		}
	}
	if s.Resume != "" && s.Initial != nil {
		return s, errors.New("solvers: a resumed run continues from its checkpoint; an initial point cannot be given as well")
	}
	return s.withDefaults(), nil
}

// Reaches tells whether an evaluation meets one of the targets.
func (s *Settings) Reaches(e Evaluation) bool {
	return e.GradientNorm == 0 || e.GradientNorm <= s.GradientTolerance ||
		s.GapTolerance > 0 && e.Gap <= s.GapTolerance
}
