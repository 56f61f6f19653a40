package erm

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/run"
)

// A run from w = 0 with many rows a column begins on a sample of the rows. The sample's optimum
// differs from the optimum by the order of columns/rows, and its Hessian is a preconditioner for
// the rest of the run. The sample has one row in sampleEvery, and at least sampleEvery rows a
// column.
const sampleEvery = 8

// sampleStep returns the distance of the sample's rows, 1 for none.
func sampleStep(t *task) int {
	return startStep(t.p.X.Rows(), t.p.X.Cols(), t.p.Ridge(), t.settings.Initial)
}

func startStep(n, d int, lambda float64, initial []float64) int {
	if initial != nil || !(lambda > 0) || n/sampleEvery < sampleEvery*d {
		return 1
	}
	return sampleEvery
}

// sampleRows draws one row of every step at random: rows often have a period.
func sampleRows(n, step int) []uint32 {
	random := random.New(1)
	list := make([]uint32, n/step)
	for k := range list {
		list[k] = uint32(k*step) + uint32(random.Below(uint64(step)))
	}
	return list
}

// begin evaluates the starting point on the rows of o: where the sample's run or another method
// ended, or where the run begins. If the former is worse than 0, the run begins at
// Settings.Initial or at 0, whichever is better.
func (l *newtonLoop) begin(c *run.Control, o oracle) error {
	led, ceiling := l.handed || o != l.o, math.Inf(1)
	if led {
		ceiling = o.ceiling()
	}
	copy(l.next, l.w)
	e, err := o.visit(l.slope, l.next)
	poor := func() bool {
		sum := e.Objective + e.GradientNorm
		return led && err == nil && !(e.Objective <= ceiling && sum-sum == 0)
	}
	if start := l.settings.Initial; start != nil && poor() {
		copy(l.next, start)
		e, err = o.visit(l.slope, l.next)
	}
	if poor() {
		o.constant(l.next)
		e, err = o.visit(l.slope, l.next)
	}
	if err != nil {
		return err
	}
	if o != l.o {
		l.over(o)
	}
	l.points.arrive()
	l.started = true
	l.countRows(c)
	l.arrive(c, e)
	return nil
}

// over continues on the rows of o, with the factor of the rows before.
func (l *newtonLoop) over(o oracle) {
	l.o = o
	l.metric.over(o)
	l.prospects, l.steps, l.wide = prospects{}, 0, false
}

// settled tells whether a run on a sample has done its part: its last step promised less than one
// row adds to the objective, or it has taken mostTries steps.
func (l *newtonLoop) settled() bool {
	n, _ := l.o.size()
	return l.steps >= mostTries || l.steps > 0 && l.promised*float64(n) <= math.Abs(l.loss)
}

// gather continues with all rows in memory, for orthogonal steps. Every process then has all rows
// and does the same work, so the result does not depend on where the rows were.
func (l *newtonLoop) gather(c *run.Control) error {
	swept := l.o
	if err := l.toMemory(); err != nil {
		return err
	}
	e, err := l.o.visit(l.g, l.w)
	if err != nil {
		return err
	}
	c.Gradients(swept.used())
	l.countRows(c)
	l.arrive(c, e)
	return nil
}

// toMemory brings all rows to memory.
func (l *newtonLoop) toMemory() error {
	if !l.fitsOrthogonal() {
		return errors.New("a run that went on with its rows in memory, which this one does not")
	}
	rows, err := l.all.gather()
	if err != nil {
		return err
	}
	work := l.work
	l.all = rows
	l.over(rows)
	l.work = work
	return nil
}
