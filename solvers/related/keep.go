package related

import (
	"context"
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// keeper saves what is finished, and the states of the fits that run.
type keeper struct {
	mu      sync.Mutex
	file    *checkpoint.File
	running *checkpoint.Running // nil where nothing is saved
}

// newKeeper restores the state from the file of Settings.Resume, if any, or from the checkpoint
// of the run that the fits of ctx belong to. what names the kind of fits, with everything that
// they depend on except p and the solver. The caller closes the keeper's file. The context that
// it returns is for the fits.
func newKeeper(ctx context.Context, r *Run, what checkpoint.Identity, p *erm.Problem, state func(*checkpoint.Coder)) (_ *keeper, _ context.Context, err error) {
	k := &keeper{file: new(checkpoint.File)}
	s := r.Settings
	if s.CheckpointEvery == 0 {
		s.CheckpointEvery = solvers.UsualCheckpointEvery
	}
	part := checkpoint.NextSubrun(ctx)
	if !s.Saves() && part == nil {
		return k, ctx, nil
	}
	pool := matrix.NewPool(s.Workers)
	defer pool.Close()
	var data checkpoint.Identity
	if r.File != nil {
		data = r.fileIdentity(p)
	} else if data, err = risk.Identity(p, pool); err != nil {
		return nil, nil, err
	}
	start := "0"
	if s.Initial != nil {
		start = solvers.HashWeights(s.Initial)
	}
	what = what.With("solver", r.Name).With("batch", s.BatchSize).With("seed", s.Seed).With("passes", s.MaxEpochs).
		With("iterations", s.MaxIterations).With("gap", s.GapTolerance).With("gradient", s.GradientTolerance).With("starting point", start)
	if s.Shards > 0 {
		what = what.With("shards", s.Shards)
	}
	what = append(what, data...)
	if !s.Saves() {
		k.running = part
		return k, part.Context(ctx), part.Live(what, state)
	}
	k.running = checkpoint.NewRunning(s.CheckpointEvery, k.locked)
	if s.Ranks != nil && s.Ranks.Rank() > 0 {
		s.Checkpoint = "" // one file for all
	}
	k.file, err = checkpoint.Open(&s, what, func(c *checkpoint.Coder) {
		state(c)
		k.running.State(c)
	})
	return k, k.running.Context(ctx), shards.Agree(s.Ranks, err)
}

// finished makes a change of the state, and saves it where that is due.
func (k *keeper) finished(change func()) {
	if k.running == nil {
		k.locked(change)
		return
	}
	k.running.Change(change)
}

// locked is finished for the fits that have a file.
func (k *keeper) locked(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
	if k.file.Due() {
		k.file.Try()
	}
}

// ended forgets the state of a fit that came to its end, within a change.
func ended(ctx context.Context, fit int, r *solvers.Result) {
	if !unfinished(r) {
		checkpoint.DropSubrun(ctx, fit)
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
func results(c *checkpoint.Coder, fits []*solvers.Result, columns int) {
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
		checkpoint.VisitResult(fits[k], c)
	}
}
