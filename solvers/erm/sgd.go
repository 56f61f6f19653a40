package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// SGD is stochastic gradient descent with heavy-ball momentum:
// u = Momentum u + g, w = w - step u. The step decreases after every pass, and
// the rows that do not fill a last batch are left out of the pass (table 3).
type SGD struct {
	// Step is the first step size; 0 means 1-Momentum over the smoothness of a
	// batch.
	Step float64
	// Momentum is in [0, 1); 0 means 0.9 unless Plain.
	Momentum float64
	// Plain means no momentum.
	Plain bool
	// Decay is the share that the step loses after each pass, in [0, 1).
	Decay float64
}

// Name returns sgd.
func (SGD) Name() string { return "sgd" }

func (SGD) reports() bool { return false }

func (m SGD) begin(t *task) (run.Loop, any, error) {
	momentum := m.Momentum
	switch {
	case m.Plain:
		momentum = 0
	case momentum == 0:
		momentum = 0.9
	}
	step := t.stepOr(m.Step, 1-momentum)
	if err := checkContraction(step, t.p.Ridge()); err != nil {
		return nil, nil, err
	}
	batches := passes.NewBatches(t.p.X.Rows(), t.settings.BatchSize, passes.DropTail, t.random)
	l := &sgdLoop{
		p: t.p, batches: batches, batch: newBatch(t.p, batches.Largest()), lazy: t.lazy(),
		step: step, momentum: momentum, decay: m.Decay,
		maps: make([][4]float64, min(batches.PerPass(), sgdSpan)+1),
	}
	l.table()
	return l, m, nil
}

// sgdSpan bounds the steps between two sweeps over all features, and with them
// the table of maps.
const sgdSpan = 1 << 16

// sgdLoop is lazy. Without a gradient from the batch, a step maps a feature's weight and momentum
// linearly: (w, u) to M (w, u). So k such steps are M^k, from a table. The batch's gradient g
// adds (-step g, g) after that map. Before the map this is (0, g/momentum), or (-step g/(1 - step
// lambda), 0) without momentum.
type sgdLoop struct {
	p       *Problem
	batches *passes.Batches
	batch   *batch
	lazy    direct.Lazy

	step, momentum, decay float64
	decayed               bool
	maps                  [][4]float64 // M^0, M^1, ...
	span                  int          // steps since every feature was up to date
	done                  int          // steps of the pass
}

// table computes the powers of M = (1 - step lambda, -step momentum; lambda,
// momentum).
func (l *sgdLoop) table() {
	a, b := math.FMA(-l.step, l.p.Ridge(), 1), -float64(l.step*l.momentum)
	c, d := l.p.Ridge(), l.momentum
	l.maps[0] = [4]float64{1, 0, 0, 1}
	for k := 1; k < len(l.maps); k++ {
		m := &l.maps[k-1]
		l.maps[k] = [4]float64{
			math.FMA(a, m[0], float64(b*m[2])), math.FMA(a, m[1], float64(b*m[3])),
			math.FMA(c, m[0], float64(d*m[2])), math.FMA(c, m[1], float64(d*m[3])),
		}
	}
}

// Next does one step.
func (l *sgdLoop) Next(c *run.Control) {
	b := l.batch
	b.take(l.batches.Next())
	l.lazy.DotMap(b.z, b.rows, l.span, l.maps)
	loss := l.p.Loss.Gradient(b.c, b.z, b.y, b.s)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		c.End(solvers.Diverged)
	}
	share := 1 / float64(len(b.rows))
	if l.momentum > 0 {
		direct.Scale(b.c, share/l.momentum, b.c)
		l.lazy.AddU(b.rows, b.c, b.work)
	} else {
		direct.Scale(b.c, -float64(l.step*share)/math.FMA(-l.step, l.p.Ridge(), 1), b.c)
		l.lazy.AddW(b.rows, b.c)
	}
	c.Iterations(1, len(b.rows), len(b.rows))
	l.span++
	l.done++
	passed := l.done == l.batches.PerPass()
	if passed || l.span == len(l.maps)-1 {
		l.settle()
	}
	if passed {
		l.done = 0
		if l.decay > 0 {
			l.step, l.decayed = float64(l.step*(1-l.decay)), true
			l.table()
		}
	}
}

// settle brings every feature up to date.
func (l *sgdLoop) settle() {
	for j := range l.lazy.Rec {
		f := &l.lazy.Rec[j]
		f.Advance(float64(l.span), l.maps)
		f.Last = 0
	}
	l.span = 0
}

// Current writes the iterate.
func (l *sgdLoop) Current(w []float64) {
	for j := range l.lazy.Rec {
		f := l.lazy.Rec[j]
		f.Advance(float64(l.span), l.maps)
		w[j] = f.W
	}
}

// State visits the loop's state.
func (l *sgdLoop) State(c *checkpoint.Coder) {
	c.Records(l.lazy.Rec)
	// The first step comes from the preparations, which an interrupted run may not have finished.
	c.Bool(&l.decayed)
	step := l.step
	if c.Float64(&step); l.decayed {
		l.step = step
	}
	c.Count(&l.span, len(l.maps)-1)
	c.Count(&l.done, l.batches.PerPass())
	l.batches.State(c)
	if c.Restoring() {
		for j := range l.lazy.Rec {
			if last := l.lazy.Rec[j].Last; !(last >= 0 && last <= float64(l.span)) {
				c.Fail(fmt.Errorf("feature %d is ahead of the others", j))
				break
			}
		}
		l.table()
	}
}
