package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/sparse"
)

// newtonInner is the inner loop of a step, with what it is preconditioned by.
type newtonInner struct {
	truncated.Inner
	metric *preconditioner
}

func newNewtonInner(m Newton, metric *preconditioner, pool *sparse.Pool, room *direct.Room) newtonInner {
	return newtonInner{truncated.New(len(metric.inverse), metric, pool, room, m.Forcing, m.MaxInner), metric}
}

// advance is Advance, which ages the preconditioner.
func (l *newtonInner) advance() (alpha float64, curved bool) {
	l.metric.age++
	return l.Advance()
}

// last is Last, which ages the preconditioner.
func (l *newtonInner) last(bend float64) (alpha float64, done bool) {
	if alpha, done = l.Last(bend, l.metric.solves()); done {
		l.metric.age++
	}
	return alpha, done
}

// flat tells whether the model had no curvature at all, and the step is the first direction.
func (l *newtonInner) flat() bool { return l.Iterations == 1 && l.Model == 0 }

// The line search backtracks from the full step until the objective falls by a share of
// what its slope promises. Slopes of 1e12 that lambda alone bends promise steps 1e24 times
// too long.
const lineShrink, lineAttempts = 0.5, 400

// acceptable tells whether the search may end at alpha, where the objective is value: it has
// fallen enough, or nothing there can be told from rounding.
func acceptable(value, alpha, slope, loss float64) bool {
	const share = 0.01
	return value <= math.FMA(share*alpha, slope, loss) || math.Abs(float64(alpha*slope)) <= 1e-14*math.Abs(loss)
}

// worse tells whether the point that the search ended at is no better than where it began.
func worse(value, loss float64) bool { return !(value <= loss+float64(1e-9*math.Abs(loss))) }

const (
	// lastPromise is the share of the objective below which a step's decrease cannot be
	// told from rounding errors, and mostFutile how many such steps in a row, without one
	// that halved the gradient, end a run.
	lastPromise = 1e-14
	mostFutile  = 8
)

// prospects counts the steps of a run that promised nothing.
type prospects struct {
	promised float64 // decrease by the last step, by its model
	least    float64 // gradient norm of all points so far
	futile   int     // steps that promised nothing float64 can tell, since least fell by much
}

// spent tells whether the last step, from an objective of loss, promised nothing more.
func (p *prospects) spent(e *engine.Evaluation, loss float64) bool {
	if p.least == 0 || e.GradientNorm <= 0.5*p.least {
		p.least, p.futile = e.GradientNorm, 0
	}
	if !(p.promised <= lastPromise*math.Abs(loss)) {
		p.futile = 0
		return false
	}
	p.futile++
	return true
}
