package related

import (
	"fmt"
	"sync"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// keeper saves what is finished.
type keeper struct {
	mu       sync.Mutex
	path     string // "" saves nothing
	identity string
	every    time.Duration
	next     time.Time
	state    func(*solvers.Coder)
	saved    bool // the file holds all that is finished
}

// newKeeper restores the state from the file of Settings.Resume, if any. what names
// the kind of fits, with all that they depend on but p and the solver.
func newKeeper(r *Run, what string, p *erm.Problem, state func(*solvers.Coder)) (*keeper, error) {
	k := &keeper{path: r.Settings.Checkpoint, state: state, every: r.Settings.CheckpointEvery}
	if k.every == 0 {
		k.every = 30 * time.Second
	}
	k.next = time.Now().Add(k.every)
	if !r.saves() {
		return k, nil
	}
	pool := sparse.NewPool(r.Settings.Workers)
	defer pool.Close()
	data, err := p.Fingerprint(pool)
	if err != nil {
		return nil, err
	}
	s := &r.Settings
	k.identity = fmt.Sprintf("%s by %s batch=%d seed=%d passes=%v iterations=%d gap=%v gradient=%v: %s", what, r.Name,
		s.BatchSize, s.Seed, s.MaxPasses, s.MaxIterations, s.GapTolerance, s.GradientTolerance, data)
	if s.Initial != nil {
		k.identity += " from " + solvers.HashWeights(s.Initial)
	}
	if s.Resume != "" {
		err = solvers.LoadState(s.Resume, k.identity, state)
	}
	return k, err
}

// finished makes a change of the state, and saves it where that is due.
func (k *keeper) finished(change func()) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
	if k.path == "" || time.Now().Before(k.next) {
		k.saved = false
		return nil
	}
	k.next = time.Now().Add(k.every)
	return k.save()
}

func (k *keeper) save() error {
	k.saved = true
	return solvers.SaveState(k.path, k.identity, k.state)
}

// end saves what is finished of fits that are not all finished.
func (k *keeper) end(whole bool) error {
	if k.path == "" || whole || k.saved {
		return nil
	}
	return k.save()
}

// results visits the finished ones of fits with the given number of weights.
func results(c *solvers.Coder, fits []*solvers.Result, columns int) {
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
		fits[k].State(c)
	}
}
