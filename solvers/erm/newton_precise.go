package erm

import (
	"github.com/lanes-go/lanes/internal/precise"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// exhausted tells whether a small problem in memory is to be finished in numbers of more bits: the
// run is about to stall, or has gone astray.
func (l *newtonLoop) exhausted(c *run.Control) bool {
	return l.settings.GapTolerance > 0 && l.p.Ridge() > 0 && l.fitsPrecise() &&
		(c.Stalling() || l.futile == mostTries || l.work == l.budget()+mostTries)
}

// fitsPrecise tells whether the rows are in memory, and the problem is small enough for numbers of
// more bits.
func (l *newtonLoop) fitsPrecise() bool {
	rows := l.o.rows()
	return rows != nil && precise.Fits(rows.p)
}

// finish looks for the minimum in numbers of more bits. If the iterate turns out to be
// within the target it stays, else it becomes the float64 point nearest to the minimum.
// Each step there counts as a pass. Where the run is to end meanwhile, nothing has changed.
func (l *newtonLoop) finish(c *run.Control) {
	rows, ended := l.o.rows(), false
	gap, steps := precise.Minimise(rows.p, l.w, l.settings.GapTolerance, func() bool {
		ended = ended || c.Over()
		return ended
	})
	if ended {
		return
	}
	l.finishing = false
	n, _ := rows.size()
	c.Gradients((steps + 1) * n)
	e := rows.afresh(l.g, l.w)
	e.Gap = min(e.Gap, gap)
	l.arrive(c, e)
	if l.futile >= mostTries {
		c.End(solvers.Stalled)
	}
}
