package ap

import (
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// evaluations is how often a run looks at where it stands if it may end there. Other
// runs do so at both ends only: a look costs as much as dozens of iterations.
const evaluations = 8

// averageEvery is the number of iterations between two that enter the average.
const averageEvery = 4

type loop struct {
	method    Method // as filled in
	lambda    float64
	used      int // parameters that steps move: the first
	objective *objective
	batch     *batch
	mine      *estimates
	// constant is the place of a bias that changes no score difference, -1 for
	// none: moments would make steps of its gradient's rounding errors.
	constant int
	// places and others choose the positives and the negatives of a batch;
	// positives and negatives say which rows these are.
	places, others       *engine.Batches
	positives, negatives []uint32
	chosen               []uint32 // places of the positives in the batch

	validated bool // there is a validation metric
	looks     int  // the number of evaluations after the first

	// State.
	begun bool
	t     int
	vectors
	lazy           *lazy     // nil for dense steps: then m, v and sum are nil
	sum            []float64 // of the iterates that enter the average
	power1, power2 float64
	warmPasses     int

	average []float64 // scratch
	mix     func(k int, g1, g2, least float64) (u1, u2 float64)
}

// rate is what schedules multiply steps and shares with at iteration t.
func (m *Method) rate(t int) float64 {
	switch {
	case !m.Paper:
		return math.FMA(-0.9, float64(t-1)/float64(m.Iterations), 1)
	case m.Algorithm.projects():
		return 1 / math.Sqrt(float64(t))
	}
	return 1
}

// share is beta at iteration t: it decreases in the paper's setting only.
func (m *Method) share(beta float64, t int) float64 {
	if m.Paper {
		return float64(beta * m.rate(t))
	}
	return beta
}

// parameter is the margin, or the scale of iteration t.
func (m *Method) parameter(t int) float64 {
	if m.loss() == kernels.PairSquaredHinge {
		return m.Margin
	}
	return math.FMA(m.FinalScale-m.Scale, float64(t-1)/float64(max(1, m.Iterations-1)), m.Scale)
}

// Next looks at the starting point, then does one iteration after another.
func (l *loop) Next(c *engine.Control) {
	if !l.begun {
		l.begun = true
		for range l.warmPasses {
			c.Pass()
		}
		if l.report(c) == 0 && !l.method.Paper && !l.validated {
			c.Finish() // the training rows have nothing left to teach
		}
		return
	}
	m := &l.method
	if l.t >= m.Iterations {
		c.Finish()
		return
	}
	l.t++
	l.chosen = l.places.Next()
	b := l.batch
	for k, place := range l.chosen {
		b.rows[k] = l.positives[place]
	}
	for k, place := range l.others.Next() {
		b.rows[b.positives+k] = l.negatives[place]
	}
	if !l.move(float64(m.Step*m.rate(l.t)), m.share(m.Momentum, l.t)) {
		c.Diverge()
		return
	}
	c.Iteration(len(b.rows), len(b.rows))
	if l.t == m.Iterations || l.t%max(1, m.Iterations/l.looks) == 0 {
		l.report(c)
	}
}

// move takes the step along the gradient over the batch; false tells that a number is
// not finite.
func (l *loop) move(rate, momentum float64) bool {
	m, b := &l.method, l.batch
	if z := l.lazy; z != nil {
		z.catchUp(b.rows, l.w, l.lambda, l.constant, l.t)
		value := b.gradient(l.g, l.w, m.parameter(l.t), l.mix)
		if value-value != 0 || l.step(z.gather(l.g), rate, momentum) != nil {
			return false
		}
		z.scatter(l.w)
		return true
	}
	clear(l.g[:l.used])
	value := b.gradient(l.g, l.w, m.parameter(l.t), l.mix)
	var bias float64
	if l.constant >= 0 {
		bias = l.w[l.constant]
	}
	if value-value != 0 || l.step(vectors{l.w[:l.used], l.m, l.v, l.top, l.g[:l.used]}, rate, momentum) != nil {
		return false
	}
	if l.constant >= 0 {
		l.w[l.constant] = bias
	}
	if m.averaged(l.t) > m.averaged(l.t-1) {
		return kernels.Axpy(1, l.w[:l.used], l.sum) == nil
	}
	return true
}

// report evaluates the run where it stands and returns the objective.
func (l *loop) report(c *engine.Control) float64 {
	l.Current(l.average)
	e := l.objective.evaluate(l.average)
	c.Reached(l.average, e)
	return e.Objective
}

// Current writes the average of the iterates that entered it, before there is one
// the iterate.
func (l *loop) Current(w []float64) {
	if l.lazy != nil {
		l.lazy.current(w, l.w, l.t)
		return
	}
	copy(w, l.w)
	if count := l.method.averaged(l.t); count > 0 && kernels.Scale(w[:l.used], 1/float64(count), l.sum) != nil {
		copy(w, l.w)
	}
}

// State visits the loop's state.
func (l *loop) State(c *engine.Coder) {
	c.Bool(&l.begun)
	c.Count(&l.t, l.method.Iterations)
	for _, v := range [][]float64{l.w, l.m, l.v, l.top, l.sum} {
		c.Floats(v)
	}
	if l.lazy != nil {
		l.lazy.state(c, l.t)
	}
	c.Count(&l.warmPasses, engine.MostPrepared)
	c.Float64(&l.power1)
	c.Float64(&l.power2)
	l.places.State(c)
	l.others.State(c)
	l.mine.state(c, l.t)
}
