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

// chainsOf cuts a path of so many points into chains, which run at the same time. The fits
// grow dearer along the path, and the chain in the middle costs about what the other two do:
// two workers have as much to do. The first two thirds of a path gain next to nothing by the
// solutions before them (news20.multi, w8a, generated text and one-hot rows); the last
// points do, so that the last chain begins no later than its fifth. It does not depend on
// the workers.
func chainsOf(points int) []chain {
	if points < pointsToCut {
		return []chain{{0, points}}
	}
	second, third := points*8/25, points*4/5
	return []chain{{0, second}, {second, third}, {third, points}}
}

// chains are those of so many points of a run's path: one where a series takes them in
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

// crew divides workers among jobs of several fits, of which those that end leave theirs to
// the others.
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
