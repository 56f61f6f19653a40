package related

import (
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// keeper saves what is finished.
type keeper struct {
	mu   sync.Mutex
	file *engine.Checkpoint
}

// newKeeper restores the state from the file of Settings.Resume, if any. what names
// the kind of fits, with all that they depend on but p and the solver. Who has the
// keeper closes its file.
func newKeeper(r *Run, what engine.Identity, p *erm.Problem, state func(*engine.Coder)) (*keeper, error) {
	s := r.Settings
	if s.CheckpointEvery == 0 {
		s.CheckpointEvery = solvers.UsualCheckpointEvery
	}
	if s.Saves() {
		pool := sparse.NewPool(s.Workers)
		defer pool.Close()
		data, err := p.Identity(pool)
		if err != nil {
			return nil, err
		}
		start := "0"
		if s.Initial != nil {
			start = solvers.HashWeights(s.Initial)
		}
		what = what.With("solver", r.Name).With("batch", s.BatchSize).With("seed", s.Seed).With("passes", s.MaxPasses).
			With("iterations", s.MaxIterations).With("gap", s.GapTolerance).With("gradient", s.GradientTolerance).With("starting point", start)
		what = append(what, data...)
	}
	file, err := engine.OpenCheckpoint(&s, what, state)
	return &keeper{file: file}, err
}

// finished makes a change of the state, and saves it where that is due.
func (k *keeper) finished(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
	if k.file.Due() {
		k.file.Try()
	}
}

// end saves what is finished of fits that are not all finished.
func (k *keeper) end(whole bool) error {
	if whole {
		return nil
	}
	return k.file.Save()
}

// results visits the finished ones of fits with the given number of weights.
func results(c *engine.Coder, fits []*solvers.Result, columns int) {
	count := len(fits)
	c.Int(&count)
	if c.Err() == nil && count != len(fits) {
		c.Fail(fmt.Errorf("%d fits where there should be %d", count, len(fits)))
	}
	for k := range fits {
		done := !unfinished(fits[k])
		c.Bool(&done)
		if c.Err() != nil || !done {
			continue
		}
		if c.Restoring() {
			fits[k] = &solvers.Result{Weights: make([]float64, columns)}
		}
		engine.VisitResult(fits[k], c)
	}
}
