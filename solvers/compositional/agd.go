package compositional

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// AGD is Nesterov's accelerated proximal gradient method, with full gradients: an
// iteration counts as m+n samples.
type AGD struct {
	// Step is the step size; 0 means 1/L of F.
	Step float64
	// NoRestart leaves the momentum as it is where it points uphill. Otherwise it starts
	// anew there (O'Donoghue and Candes 2015), which is much faster near the minimum.
	NoRestart bool
}

// Name returns agd.
func (AGD) Name() string { return "agd" }

func (AGD) reports() bool { return false }

func (m AGD) begin(t *task) (run.Loop, any, error) {
	step, spent, err := t.stepOr(m.Step, 1)
	if err != nil {
		return nil, nil, err
	}
	d := t.shape.Columns
	l := &agdLoop{
		stepper: t.stepper(), full: t.full, eta: step, spent: spent, restart: !m.NoRestart, theta: 1,
		x: make([]float64, d), y: make([]float64, d), next: make([]float64, d),
	}
	copy(l.x, t.start)
	copy(l.y, t.start)
	return l, m, nil
}

type agdLoop struct {
	stepper
	full    *objective
	eta     float64
	restart bool
	spent   int // full gradients that estimated the step, not yet counted

	x, y, next []float64
	theta      float64
}

// Next does one iteration.
func (l *agdLoop) Next(c *run.Control) {
	c.Gradients(l.spent * l.full.p.F.Shape().samples())
	l.spent = 0
	l.full.gradient(l.y)
	c.Gradients(l.full.p.F.Shape().samples())
	copy(l.next, l.y)
	if !l.step(l.next, l.full.v, l.eta) {
		c.End(solvers.Diverged)
	}
	theta := (1 + math.Sqrt(math.FMA(float64(4*l.theta), l.theta, 1))) / 2
	momentum := (l.theta - 1) / theta
	if l.restart {
		back, ahead := l.full.v, l.full.near
		direct.ScaleAdd(back, 1, l.y, -1, l.next)
		direct.ScaleAdd(ahead, 1, l.next, -1, l.x)
		if direct.Dot(back, ahead) > 0 {
			theta, momentum = 1, 0
		}
	}
	direct.ScaleAdd(l.y, 1+momentum, l.next, -momentum, l.x)
	l.x, l.next = l.next, l.x
	l.theta = theta
	c.Iterations(1, 0, 0)
}

// Current writes the iterate.
func (l *agdLoop) Current(x []float64) { copy(x, l.x) }

// State visits the loop's state.
func (l *agdLoop) State(c *checkpoint.Coder) {
	c.Float64(&l.eta)
	c.Floats(l.x)
	c.Floats(l.y)
	c.Float64(&l.theta)
	c.Count(&l.spent, checkpoint.MostPrepared)
	if c.Restoring() && !(l.theta >= 1) {
		c.Fail(fmt.Errorf("a momentum parameter of %v", l.theta))
	}
}
