package pauc

import (
	"errors"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// staged is stochastic descent in Outer stages of Length iterations. A stage begins at
// the mean of the iterates of the one before.
type staged struct {
	*common
	batcher      batcher
	v            iterate
	stage, inner int

	base     []float64 // the scores of all rows at w, where the stage began
	drift    []float64 // -lambda w, nil without a regulariser
	attached bool      // v knows these: a restored one does not
	s, c     []float64 // scores and coefficients of the batch
	point    []float64 // scratch
}

// batcher is what is particular to a method.
type batcher interface {
	// coefficients sets c to the derivatives of the loss of a batch by its scores s,
	// those of the first np rows positives, for a step of the size rate.
	coefficients(c, s []float64, np int, rate float64) error
	// rate is the step size of iteration t = 0, 1, ... of a run, in the given stage.
	rate(stage, t int) float64
	// pull is the weight of 1/2 ||v - w||^2.
	pull() float64
	// prepare is called once, with the starting point in common.w.
	prepare() error
	state(c *engine.Coder)
}

// stagedReports is how often a run looks at where it stands.
const stagedReports = 8

func newStaged(c *common, b batcher) *staged {
	l := &staged{common: c, batcher: b, v: newIterate(c), base: make([]float64, len(c.y)), point: make([]float64, len(c.w))}
	l.s, l.c = make([]float64, len(c.rows)), make([]float64, len(c.rows))
	if c.lambda > 0 {
		l.drift = make([]float64, len(c.w))
	}
	return l
}

func (l *staged) prepare() error { return l.batcher.prepare() }

// Next looks at the starting point, then does one iteration after another.
func (l *staged) Next(c *engine.Control) {
	if l.begin(c) {
		return
	}
	if l.stage >= l.method.Outer {
		c.Finish()
		return
	}
	if l.step() != nil {
		c.Diverge()
		return
	}
	c.Iteration(len(l.rows), len(l.rows))
	l.inner++
	t, every := l.stage*l.method.Length+l.inner, max(1, l.method.Outer*l.method.Length/stagedReports)
	if l.inner < l.method.Length {
		if t%every == 0 {
			l.Current(l.point)
			c.Reached(l.point, l.evaluate(l.point))
		}
		return
	}
	l.Current(l.point)
	copy(l.w, l.point)
	l.inner, l.attached = 0, false
	l.stage++
	c.Reached(l.w, l.evaluate(l.w))
}

func (l *staged) step() error {
	if err := l.attach(); err != nil {
		return err
	}
	l.batch()
	if err := l.v.scores(l.s, l.rows); err != nil {
		return err
	}
	rate := l.batcher.rate(l.stage, l.stage*l.method.Length+l.inner)
	if err := l.batcher.coefficients(l.c, l.s, len(l.rows)-l.others.Largest(), rate); err != nil {
		return err
	}
	return l.v.step(l.rows, l.c, 1/(1+float64(rate*(l.batcher.pull()+l.lambda))), rate)
}

// attach begins a stage at w, or goes on with one that was restored.
func (l *staged) attach() error {
	if l.attached {
		return nil
	}
	l.attached = true
	if err := l.model.All(l.pool, l.base, l.w); err != nil {
		return err
	}
	if l.drift != nil {
		if err := kernels.Scale(l.drift, -l.lambda, l.w); err != nil {
			return err
		}
	}
	if l.inner > 0 {
		return l.v.attach(l.w, l.base, l.drift, true)
	}
	return l.v.begin(l.w, l.base, l.drift, true)
}

// Current writes the mean of the iterates of the stage.
func (l *staged) Current(w []float64) {
	if l.inner == 0 || errors.Join(l.v.mean(w), kernels.Axpy(1, l.w, w)) != nil {
		copy(w, l.w)
	}
}

// State visits the loop's state.
func (l *staged) State(c *engine.Coder) {
	l.common.state(c)
	c.Count(&l.stage, l.method.Outer)
	c.Count(&l.inner, l.method.Length)
	l.v.state(c)
	l.batcher.state(c)
}
