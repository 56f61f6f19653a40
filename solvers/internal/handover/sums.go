package handover

import (
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Sums is what the oracle of Newton's method knows of rows in shards, and what it computes by sums over them.
type Sums struct {
	Group  *shards.Group
	Bounds *certificate.Bounds
	Zero   float64 // P(0)
	Best   float64 // the best constant score, for an intercept to begin with
	// Patiently makes a sweep that goes on although the run is to end: one that is needed, or is over soon.
	Patiently func(needed bool, sweep func() error) error
	// Evaluate, Certify and Settle are those of a run.Run, by gradients.
	Evaluate func(w []float64) run.Evaluation
	Certify  func(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation
	Settle   func(w []float64, e run.Evaluation) run.Evaluation
	// Newton returns the loop of Newton's method from w, as Newton.
	Newton   func(settings solvers.Settings, w []float64) run.Loop
	Identity func() (checkpoint.Identity, error)
}

// Learned is how many elements ShardSums sums over the rows.
const Learned = 11

// Beside is what the sweep of ShardSums sums beside: Add is as the one of shards.Group.Sum, for Size elements.
type Beside struct {
	Size int
	Add  func(worker int, b *shards.Block, node []float64) error
	Sums []float64 // what ShardSums has summed
}

// ShardSums takes a sweep over the rows, and returns their sums. beside may be nil. Package erm sets it.
var ShardSums func(rows shards.Rows, p *solvers.Problem, s *run.Session, o shards.Options, beside *Beside) (*Sums, error)

// Open opens the rows of a task in a file, and plans the memory of the run. Beside its rows it takes the given
// elements of 8 bytes, and the elements of a sum over rows; with newton also what Newton's method takes, and with mixes
// a buffer of mixed rows. Package erm sets it.
var Open func(t *solvers.Task, settings *solvers.Settings, elements, size int64, newton, mixes bool) (*shards.File, shards.Options, error)
