package related

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/checkpoint"
)

// chain is consecutive points of a path, from begin to before end: each is fitted from the
// solution before, the first from Settings.Initial.
type chain struct{ begin, end int }

// pointsToCut is the number of points from which on a path is of three chains.
const pointsToCut = 16

// chainsOf cuts a path into chains, which run at the same time. Fits cost more towards the end of
// the path; the middle chain costs about as much as the other two together, so two workers share
// evenly. Warm starts hardly help in the first two thirds of a path, but help at its end: the last
// chain is its last fifth. The cut does not depend on the workers.
func chainsOf(points int) []chain {
	if points < pointsToCut {
		return []chain{{0, points}}
	}
	second, third := points*8/25, points*4/5
	return []chain{{0, second}, {second, third}, {third, points}}
}

// chains returns the chains of a path of a run: a single chain if a series takes the points in
// their order.
func (r *Run) chains(points int) []chain {
	if r.Begin != nil {
		return []chain{{0, points}}
	}
	return chainsOf(points)
}

// ofChains tells paths that are cut from others.
func ofChains(chains []chain, what checkpoint.Identity) checkpoint.Identity {
	if len(chains) == 1 {
		return what
	}
	return what.With("chains", fmt.Sprint(chains))
}

// crew divides workers among jobs of several fits. A job that ends gives its workers to the others.
type crew struct {
	workers int
	left    atomic.Int64 // jobs
}

func newCrew(workers, jobs int) *crew {
	c := &crew{workers: workersOf(workers)}
	c.left.Store(int64(jobs))
	return c
}

// share is the number of workers for the next fit of a job that was promised some.
func (c *crew) share(promised int) int { return max(promised, c.workers/int(c.left.Load())) }

func (c *crew) end() { c.left.Add(-1) }

// once makes something on the first call for it, and forgets it after the last one's end.
type once[T any] struct {
	mu    sync.Mutex
	users int // that have not ended
	made  bool
	value T
	err   error
}

func (o *once[T]) get(make func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.made {
		o.value, o.err = make()
		o.made = true
	}
	return o.value, o.err
}

func (o *once[T]) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.users--; o.users == 0 {
		var none T
		o.value = none
	}
}
