package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
)

// newtonInner is the inner loop of a step, with what it is preconditioned by.
type newtonInner struct {
	truncated.Inner
	metric *preconditioner
}

func newNewtonInner(m Newton, metric *preconditioner, pool *matrix.Pool, lent *direct.Workspace) newtonInner {
	return newtonInner{truncated.New(len(metric.inverse), metric, pool, lent, m.Forcing, m.MaxInner), metric}
}

// flat tells whether the model had no curvature at all, and the step is the first direction.
func (l *newtonInner) flat() bool { return l.Iterations == 1 && l.Model == 0 }

// acceptable tells whether the search may end at alpha, where the objective is value: it has
// fallen enough, or nothing there can be told from rounding.
func acceptable(value, alpha, slope, loss float64) bool {
	return value <= math.FMA(truncated.Decrease*alpha, slope, loss) || math.Abs(float64(alpha*slope)) <= truncated.Hidden*math.Abs(loss)
}

// worse tells whether the point that the search ended at is no better than where it began.
func worse(value, loss float64) bool { return !(value <= loss+float64(1e-9*math.Abs(loss))) }

// mostTries bounds the steps that promise less than rounding, the orthogonal steps, and the steps
// on a sample: each may get a run nowhere.
const mostTries = 8

// prospects counts what the steps of a run took, and those that promised nothing.
type prospects struct {
	promised float64 // decrease by the last step, by its model
	least    float64 // gradient norm of all points so far
	futile   int     // steps that promised nothing float64 can tell, since least fell by much
	work     int     // conjugate-gradient iterations; beyond the loop's budget, orthogonal steps
}

// spent tells whether the last step, from an objective of loss, promised nothing more.
func (p *prospects) spent(e *run.Evaluation, loss float64) bool {
	if p.least == 0 || e.GradientNorm <= 0.5*p.least {
		p.least, p.futile = e.GradientNorm, 0
	}
	if !(p.promised <= truncated.Hidden*math.Abs(loss)) {
		p.futile = 0
		return false
	}
	p.futile++
	return true
}
