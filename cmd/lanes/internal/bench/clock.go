package bench

import (
	"slices"
	"time"
)

// A clock tells the time, in nanoseconds. Tests have one of their own.
type clock interface {
	now() int64
	// busy is how long this thread has been running, where the system tells.
	busy() (int64, bool)
}

type systemClock struct{ start time.Time }

func (c systemClock) now() int64 { return int64(time.Since(c.start)) }

func (systemClock) busy() (int64, bool) { return threadTime() }

// A sampler times functions that repeat something.
type sampler struct {
	clock clock
	slice int64 // that a sample takes at least

	taken, interrupted int
}

// mostRepeats bounds what calibrate returns where the clock stands still.
const mostRepeats = 1 << 30

// calibrate returns how often a sample has to repeat, and warms up on the way: caches,
// branch predictors, and the clock of the core.
func (s *sampler) calibrate(repeat func(n int)) int {
	n := 1
	for {
		t, _ := s.time(repeat, n)
		if t >= s.slice || n >= mostRepeats {
			return n
		}
		// A little more than enough, and not more than a hundred times as much on the
		// word of so short a time.
		next := 100 * n
		if t > 0 {
			next = min(next, int(1.1*float64(n)*float64(s.slice)/float64(t)))
		}
		n = min(max(next, n+1), mostRepeats)
	}
}

// retried are samples that another program interrupted, up to this many nanoseconds. Of
// longer ones the time that the thread ran counts: a program that waits for the core will
// interrupt the next as well.
const retried = 1e6

// sample returns the nanoseconds of one repetition.
func (s *sampler) sample(repeat func(n int), n int) float64 {
	for try := 0; ; try++ {
		t, calm := s.time(repeat, n)
		s.taken++
		if !calm {
			s.interrupted++
		}
		if calm || try == 2 || t > retried {
			return float64(t) / float64(n)
		}
	}
}

// time times n repetitions and tells whether the thread ran all the time; else the time
// is that in which it did.
func (s *sampler) time(repeat func(n int), n int) (t int64, calm bool) {
	before, told := s.clock.busy()
	start := s.clock.now()
	repeat(n)
	t = s.clock.now() - start
	after, _ := s.clock.busy()
	// Reading both clocks takes a microsecond or so.
	if ran := after - before; told && t-ran > 5000+t/50 {
		return ran, false
	}
	return t, true
}

// fastest returns the least time of a repetition in several samples: of what measures
// the machine, the best counts.
func (s *sampler) fastest(repeat func(n int), samples int) float64 {
	n := s.calibrate(repeat)
	least := s.sample(repeat, n)
	for range samples - 1 {
		least = min(least, s.sample(repeat, n))
	}
	return least
}

// quantile returns a quantile of numbers in ascending order. It interpolates between two of them.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	k := int(at)
	if k+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[k] + (at-float64(k))*(sorted[k+1]-sorted[k])
}

func median(x []float64) float64 { return quantile(slices.Sorted(slices.Values(x)), 0.5) }

// cycles does steps dependent additions and exclusive ors. Each takes one cycle on every CPU, so
// the time shows the clock of the core.
//
//go:noinline
func cycles(steps int, x, y, z uint64) uint64 {
	for range steps / 16 {
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
		x += y
		x ^= z
	}
	return x
}

var sinkBits uint64

// gigahertz is the clock of the core now.
func (s *sampler) gigahertz() float64 {
	const steps = 1 << 14
	best := 0.0
	for range 3 {
		t, _ := s.time(func(n int) { sinkBits = cycles(n, sinkBits, 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9) }, steps)
		if t > 0 {
			best = max(best, float64(steps)/float64(t))
		}
	}
	return best
}
