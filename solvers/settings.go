// Package solvers holds what a run of any solver is given and what it returns. The solvers
// themselves are in its sub-packages, one a family of problems: erm and sdca for a mean of
// losses, elasticnet with an L1 norm, softmax for several classes, ap and pauc for rankings,
// compositional for portfolios.
//
//   - Problem is a mean of losses to be minimised; the other families have a Problem of their own.
//   - Settings has budgets, tolerances, the starting point, checkpoints, and a Metric that can
//     end the run.
//   - Result has the weights, the Point where the run ended, and its Status: why it ended.
//   - Recorder is told of every Point; Trace keeps all points, Thinned a bounded number.
//   - Task, Solver and Ready serve programs that find a solver by its name, by package registry;
//     Description says what a solver accepts.
//   - Ranks are the processes of a run on several machines.
//
// The Solve of every family returns a result and no error if the run ended by itself;
// Result.Status says why it ended. It returns the best point so far and an error if something of
// the caller's failed in the middle of the run (Failed: the recorder, the metric, the checkpoint
// file). It returns an error and no result if nothing was computed. Causes are: a refused
// problem, parameter or setting; a checkpoint that does not serve (ErrResume,
// ErrCheckpointExists, ErrCheckpointInUse); numbers so large that not even the starting point can
// be evaluated.
package solvers

import "time"

// Settings control a run. The zero value is valid: the method's usual budget, from w = 0, on all
// cores, no target. Fields mean the same in all families. Goroutines may share a Settings:
// solvers read it only.
type Settings struct {
	// MaxEpochs is the budget in effective passes over the data, +Inf for none. 0 means the
	// method's own budget: the length of its schedule where it has one, as the methods of
	// packages ap and pauc have, and otherwise 100.
	MaxEpochs float64
	// MaxTime is the budget of wall-clock time, evaluations for the record
	// included; 0 means none. A resumed run counts from its own start.
	MaxTime time.Duration
	// MaxIterations is the budget of inner iterations, 0 for none.
	MaxIterations int64

	// GapTolerance ends the run at the first evaluated point whose duality gap is at most this.
	// GradientTolerance does so for the gradient norm. Both count a bound of the rounding errors.
	// Zero sets no tolerance; a run without any ends where the gradient is zero.
	GapTolerance, GradientTolerance float64

	// BatchSize is the number of rows a stochastic step looks at; 0 means UsualBatchSize. Solvers
	// without Batch in Accepts refuse it.
	BatchSize int
	// Seed determines every random choice of the run.
	Seed uint64
	// Workers is the number of goroutines, 0 for one a core. It never changes
	// the result.
	Workers int
	// Shards is the number of shards of consecutive rows, a power of two, or 0 for none. Sums
	// over rows are then taken over the shards in one fixed binary tree: the result is the same
	// in memory, streamed from a file, and on any number of Ranks. Another number gives other
	// bits. More shards than rows cost time and change nothing. Solvers without Shards in
	// Accepts refuse it.
	Shards int
	// Ranks are the processes that share the shards, nil for this one alone.
	Ranks Ranks
	// Initial is the starting point, nil for w = 0. It is not written to. Weights for it
	// come from a model by model.Start.
	Initial []float64

	// Recorder, where set, is given every evaluated point.
	Recorder Recorder
	// RecordEvery is the number of passes between evaluations made for the record
	// alone. Solvers that compute full gradients evaluate at those in any case,
	// and make no others where this is 0; for the others 0 means 1. What such an
	// evaluation costs is counted neither as passes nor in Point.Seconds, and it
	// never changes the run.
	RecordEvery float64

	// Checkpoint names the file that the run's state is saved to every CheckpointEvery (0 means
	// 30 s) and when it ends without having converged. The name always holds a whole checkpoint.
	// A failed save is tried again, and is an error only at the end of the run. While a run has
	// the file, another run is refused it (ErrCheckpointInUse). An existing file is replaced only
	// with Overwrite or if it is the file of Resume (ErrCheckpointExists).
	Checkpoint      string
	CheckpointEvery time.Duration
	Overwrite       bool
	// Resume names the file to continue from: same data, solver, parameters,
	// batch size and seed. Budgets and targets may differ. Initial need not be given
	// again for a single run; another one is refused.
	Resume string
	// Warn, where set, is called if something went wrong without ending the run: a checkpoint
	// that could not be written. The goroutine that saves calls it.
	Warn func(error)

	// Validation, where set, is measured at every evaluated point. The run ends
	// once Patience (0 means 5) successive measurements brought no improvement,
	// and its result is the point that measured best.
	Validation Metric
	Patience   int
}

// UsualBatchSize is the number of rows of a stochastic step where none is set.
const UsualBatchSize = 64

// UsualCheckpointEvery is the time between two checkpoints where none is set.
const UsualCheckpointEvery = 30 * time.Second

// Metric measures a point on data that the solver does not see. A run calls its methods from
// one goroutine at a time.
type Metric interface {
	Name() string
	// HigherIsBetter gives the metric's direction.
	HigherIsBetter() bool
	// Measure may not keep or change w.
	Measure(w []float64) (float64, error)
}

// Saves tells whether the run saves or resumes.
func (s *Settings) Saves() bool { return s.Checkpoint != "" || s.Resume != "" }
