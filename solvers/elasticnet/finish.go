package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/precise"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// mostChecks is the number of checks of all columns after which a small problem is solved in more
// bits than float64. Problems that float64 can solve take a tenth of it.
const mostChecks = 100

// A gap below the share finest of the objective may have no float64 weights that reach it.
const finest = 0x1p-40

// small tells whether a problem can be finished in numbers of 512 bits.
func (l *loop) small(c *run.Control) bool {
	return l.level == 0 && c.Settings().GapTolerance > float64(finest*(l.mean+l.penalty(l.w))) && noGap(l.p) == "" && precise.Fits(l.p)
}

// exhausted tells whether a small problem took too many checks, or too many without improvement,
// and has to be finished.
func (l *loop) exhausted(c *run.Control) bool {
	if (c.Stalling() || l.checks >= mostChecks) && l.turn(c) {
		return true
	}
	if (c.Stalling() || l.checks >= mostChecks) && l.small(c) {
		l.stage = finishing
	}
	return l.stage == finishing
}

// end ends a run that improves no more; a small problem is finished first.
func (l *loop) end(c *run.Control) {
	if l.turn(c) {
		return
	}
	if l.small(c) {
		l.stage = finishing
		return
	}
	c.End(solvers.Stalled)
}

// finish computes the minimum in numbers of 512 bits. If the iterate is within the tolerance it
// stays; else the float64 point nearest to the minimum replaces it. Each step there counts as a
// pass.
func (l *loop) finish(c *run.Control) {
	p, w := l.offsets.given(l.p), slices.Clone(l.offsets.outward(l.w))
	gap, steps := precise.Minimise(p, w, c.Settings().GapTolerance, c.Over)
	if math.IsInf(gap, 0) && c.Over() {
		return // it is done anew when the run goes on
	}
	copy(l.w, l.offsets.inward(w))
	l.known = stale
	c.Gradients((steps + 1) * l.n)
	c.Iterations(1, 0, 0)
	e := l.evaluate(w)
	if gap < e.Gap {
		e.Gap = gap
		e = compensated(p, w, e, false)
	}
	if c.Reached(w, e); !c.Ended() {
		c.End(solvers.Stalled)
	}
}
