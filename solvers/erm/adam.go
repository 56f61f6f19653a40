package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// Adam is the method of Kingma and Ba 2015, with the regulariser as part of the
// gradient. Its moments make every step dense: it costs O(columns) whatever the
// rows. The step decreases after every pass, and the rows that do not fill a
// last batch are left out of the pass (table 3).
type Adam struct {
	// Step is the first step size; 0 means 0.01.
	Step float64
	// Beta1 and Beta2 are the decays of the moments, in (0, 1); 0 means 0.9 and
	// 0.999.
	Beta1, Beta2 float64
	// Epsilon is added to the root of the second moment; 0 means 1e-8.
	Epsilon float64
	// Decay is the share that the step loses after each pass, in [0, 1).
	Decay float64
}

// Name returns adam.
func (Adam) Name() string { return "adam" }

func (Adam) reports() bool { return false }

func (m Adam) withDefaults() Adam {
	for _, v := range []struct {
		value *float64
		usual float64
	}{{&m.Step, 0.01}, {&m.Beta1, 0.9}, {&m.Beta2, 0.999}, {&m.Epsilon, 1e-8}} {
		if *v.value == 0 {
			*v.value = v.usual
		}
	}
	return m
}

func (m Adam) begin(t *task) (run.Loop, any, error) {
	m = m.withDefaults()
	batches := passes.NewBatches(t.p.X.Rows(), t.settings.BatchSize, passes.DropTail, t.random)
	l := &adamLoop{
		p: t.p, x: t.matrix(), batches: batches, batch: newBatch(t.p, batches.Largest()), decay: m.Decay,
		settings: kernels.AdamSettings{Rate: m.Step, Beta1: m.Beta1, Beta2: m.Beta2, Epsilon: m.Epsilon, Lambda: t.p.Ridge()},
		power1:   1, power2: 1,
	}
	for _, v := range []*[]float64{&l.w, &l.m, &l.v, &l.g} {
		*v = make([]float64, t.p.X.Cols())
	}
	t.initial(l.w)
	return l, m, nil
}

type adamLoop struct {
	p              *Problem
	x              direct.Matrix
	batches        *passes.Batches
	batch          *batch
	settings       kernels.AdamSettings
	decay          float64
	w, m, v, g     []float64
	power1, power2 float64 // Beta1^t, Beta2^t
	done           int
}

// Next does one step.
func (l *adamLoop) Next(c *run.Control) {
	b := l.batch
	b.take(l.batches.Next())
	l.x.MulRows(b.z, b.rows, l.w)
	loss := l.p.Loss.Gradient(b.c, b.z, b.y, b.s)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		c.End(solvers.Diverged)
	}
	direct.Scale(b.c, 1/float64(len(b.rows)), b.c)
	clear(l.g)
	l.x.AddRows(l.g, b.rows, b.c)
	if held := len(risk.Held(l.p, l.w)); held < len(l.w) { // what the step adds is taken from the intercept
		direct.Axpy(-l.settings.Lambda, l.w[held:], l.g[held:])
	}
	l.power1 *= l.settings.Beta1
	l.power2 *= l.settings.Beta2
	direct.Adam(l.w, l.m, l.v, l.g, l.settings, l.power1, l.power2)
	c.Iterations(1, len(b.rows), len(b.rows))
	if l.done++; l.done == l.batches.PerPass() {
		l.done = 0
		l.settings.Rate = float64(l.settings.Rate * (1 - l.decay))
	}
}

// Current writes the iterate.
func (l *adamLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *adamLoop) State(c *checkpoint.Coder) {
	c.Floats(l.w)
	c.Floats(l.m)
	c.Floats(l.v)
	c.Float64(&l.power1)
	c.Float64(&l.power2)
	if !(l.power1 >= 0 && l.power1 <= 1 && l.power2 >= 0 && l.power2 <= 1) {
		c.Fail(fmt.Errorf("powers %v and %v of the decays, which are below 1", l.power1, l.power2))
	}
	c.Float64(&l.settings.Rate)
	c.Count(&l.done, l.batches.PerPass())
	l.batches.State(c)
}
