package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
)

// mostTries bounds the steps that promise less than rounding, the orthogonal steps, and the steps
// on a sample: each may get a run nowhere.
const mostTries = 8

// prospects counts what the steps of a run took, and the steps that promised nothing.
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
