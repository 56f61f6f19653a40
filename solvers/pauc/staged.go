package pauc

import (
	"cmp"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
)

// staged is stochastic descent in stages. Each stage begins at the mean of the iterates of
// the stage before.
type staged struct {
	*nested
	batcher batcher

	drift []float64 // -lambda w
	s, c  []float64 // scores and coefficients of the batch
}

// stages is the plan of a method with stages; usual is its step on linear models.
func (t *task) stages(paper bool, step, usual float64, number, length int) plan {
	if !paper {
		usual = t.curved(usual)
	}
	m := Loops{Paper: paper, Inner: cmp.Or(step, usual), Outer: cmp.Or(number, 2), Length: cmp.Or(length, 500), Constant: true}
	return plan{Loops: m, heads: 100, tails: 100}
}

// batcher holds the parts that differ between methods.
type batcher interface {
	// begin is called once, with the scores at the starting point in all.
	begin() error
	// coefficients sets c to the derivatives of the loss of a batch by its scores s, for a
	// step of the size rate. The first np rows are positives.
	coefficients(c, s []float64, np int, rate float64) error
	// rate is the step size of iteration t = 0, 1, ... of a run, in the given stage.
	rate(stage, t int) float64
	// pull is the weight of 1/2 ||v - w||^2.
	pull() float64
	state(c *checkpoint.Coder)
}

func newStaged(c *common, b batcher) *nested {
	l := &staged{nested: newNested(c), batcher: b, drift: make([]float64, len(c.w))}
	l.s, l.c = make([]float64, len(c.rows)), make([]float64, len(c.rows))
	l.scheme, l.every = l, max(1, c.Outer*c.Length/run.Evaluations)
	return l.nested
}

func (l *staged) open(*run.Control) (drift []float64, over average, err error) {
	if l.outer == 0 && l.inner == 0 {
		l.rank()
		err = l.batcher.begin()
	}
	return l.shrunk(l.drift, l.lambda), overAfter, err
}

func (l *staged) step() error {
	l.batch()
	if err := l.v.scores(l.s, l.rows); err != nil {
		return err
	}
	rate := l.batcher.rate(l.outer, l.outer*l.Length+l.inner)
	if err := l.batcher.coefficients(l.c, l.s, len(l.rows)-l.others.Largest(), rate); err != nil {
		return err
	}
	return l.v.step(l.rows, l.c, 1/(1+float64(rate*(l.batcher.pull()+l.lambda))), rate)
}

func (l *staged) close() []float64 {
	l.v.mean(l.point)
	direct.Axpy(1, l.w, l.point)
	copy(l.w, l.point)
	return l.w
}

// current writes the mean of the iterates of the stage.
func (l *staged) current(w []float64) {
	if l.inner == 0 {
		copy(w, l.w)
		return
	}
	l.v.mean(w)
	direct.Axpy(1, l.w, w)
}

func (l *staged) state(c *checkpoint.Coder) {
	l.batcher.state(c)
	if c.Restoring() && c.Err() == nil && l.inner > 0 {
		// The run may ask where it stands before the next iteration.
		l.v.attach(l.w, l.base, l.shrunk(l.drift, l.lambda), overAfter)
	}
}
