package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// SVRG corrects stochastic gradients by a full one (Johnson and Zhang 2013,
// option I: the next outer loop begins at the last iterate). An iteration costs
// one dot and one scatter over its rows.
type SVRG struct {
	// Step is the step size; 0 means 1/2 over the smoothness of a batch.
	Step float64
	// Inner is the number of iterations of an inner loop; 0 means two passes.
	Inner int
}

// Name returns svrg.
func (SVRG) Name() string { return "svrg" }

func (SVRG) reports() bool { return true }

func (m SVRG) begin(t *task) (run.Loop, any, error) {
	step := t.stepOr(m.Step, 0.5)
	if err := checkContraction(step, t.p.Ridge()); err != nil {
		return nil, nil, err
	}
	batches := passes.NewBatches(t.p.X.Rows(), t.settings.BatchSize, passes.FoldTail, t.random)
	l := &svrgLoop{
		p: t.p, full: t.full, batches: batches, batch: newBatch(t.p, batches.Largest()),
		lazy: t.lazy(), w: make([]float64, t.p.X.Cols()), anchor: make([]float64, t.p.X.Rows()),
		step: step, rho: math.FMA(-step, t.p.Ridge(), 1), length: m.Inner, power: 1,
	}
	if m.Inner == 0 {
		l.length = 2 * batches.PerPass()
	}
	return l, m, nil
}

// svrgLoop holds the iterate in a form that costs O(non-zeros of the batch) to
// step. With r = grad P(w~) - lambda w~ and rho = 1 - step lambda, a step is
//
//	w_{t+1} = rho w_t - step r - (step/b) sum over the batch of (c_i(w_t) - c_i(w~)) x_i
//
// With w_t = rho^t y_t, every feature's y moves by -r for each unit of clock = sum of step
// rho^-(s+1). Touched features also move by their sparse part.
type svrgLoop struct {
	p         *Problem
	full      *objective
	batches   *passes.Batches
	batch     *batch
	lazy      direct.Lazy // W is y, U is r
	w         []float64
	step, rho float64
	length    int

	anchor       []float64 // c_i(w~) = s_i phi'(x_i'w~)
	power, clock float64   // rho^t
	left         int
}

// Next begins an outer loop or does one inner iteration.
func (l *svrgLoop) Next(c *run.Control) {
	if l.left == 0 {
		l.Current(l.w)
		g := l.full.spare()
		e := l.full.gradient(g, l.w)
		c.Gradients(l.p.X.Rows())
		c.Reached(l.w, e)
		copy(l.anchor, l.full.coef)
		for j, w := range l.w {
			l.lazy.Rec[j] = matrix.Record{W: w, U: math.FMA(-l.p.Ridge(), w, g[j])}
		}
		l.power, l.clock, l.left = 1, 0, l.length
		return
	}
	b := l.batch
	b.take(l.batches.Next())
	l.lazy.Dot(b.z, b.q, b.rows, l.clock)
	for k := range b.z {
		b.z[k] *= l.power
	}
	loss := l.p.Loss.Gradient(b.c, b.z, b.y, b.s)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		c.End(solvers.Diverged)
	}
	l.power *= l.rho
	if l.power < 1e-100 {
		l.rescale()
	}
	unit := l.step / l.power
	l.clock += unit
	share := -unit / float64(len(b.rows))
	for k, i := range b.rows {
		b.c[k] = float64((b.c[k] - l.anchor[i]) * share)
	}
	l.lazy.AddW(b.rows, b.c)
	c.Iterations(1, len(b.rows), len(b.rows))
	l.left--
}

// rescale makes y the present iterate.
func (l *svrgLoop) rescale() {
	l.lazy.CatchUp(l.clock)
	for j := range l.lazy.Rec {
		l.lazy.Rec[j].W *= l.power
	}
	l.power, l.clock = 1, 0
}

// Current writes the iterate.
func (l *svrgLoop) Current(w []float64) {
	l.lazy.Weights(w, l.clock)
	direct.Scale(w, l.power, w)
}

// State visits the loop's state.
func (l *svrgLoop) State(c *checkpoint.Coder) {
	c.Records(l.lazy.Rec)
	c.Floats(l.anchor)
	c.Float64(&l.power)
	c.Float64(&l.clock)
	l.batches.State(c)
	c.Count(&l.left, l.length)
}
