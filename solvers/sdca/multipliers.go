package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// multipliers minimises a loss with kinks in stages. A stage minimises by Newton's method a loss with
// parabolas in place of the kinks,
//
//	P(w) with max_u (u z - phi*(u) - (width/2) (u - c_i)^2) in place of phi(z)
//
// around centres c_i, the slopes at which the stage before ended. These slopes are slopes of the loss
// with kinks: their dual variables are feasible, and give its gap. At the optimum a stage changes
// nothing, whatever the width; a smaller width makes fewer stages do.
type multipliers struct {
	given  *erm.Problem
	kinked loss.Kinked
	full   *objective
	inner  erm.Problem // the stage's, with targets of its own
	width  float64
	scale  float64   // the width to begin with
	alpha  []float64 // of the last evaluation, or where the run began
}

const (
	// stageShare: a stage ends where the gradient is this share of the gap that the width leaves.
	stageShare = 0.1
	// narrower is the width of a stage beside that of the stage before, until the width leaves less than
	// enoughShare of the target: slopes of a narrow stage have few digits.
	narrower, enoughShare = 0.25, 0.25
)

// newMultipliers begins at the dual variables of opening, nil for 0.
func newMultipliers(t *task, kinked loss.Kinked, opening *proxLoop) *multipliers {
	m := &multipliers{given: t.p, kinked: kinked, full: t.full, inner: *t.p, width: risk.Width(t.p)}
	m.scale = m.width
	m.alpha, m.inner.Y = make([]float64, len(t.p.Y)), make([]float64, len(t.p.Y))
	if opening != nil {
		opening.duals(m.alpha)
	}
	m.pose()
	return m
}

// pose makes the problem of a stage around the slopes -alpha/s.
func (m *multipliers) pose() {
	m.inner.Loss = m.kinked.Smooth(m.width)
	for i, y := range m.given.Y {
		m.inner.Y[i] = y
		if s := direct.Weight(m.given.SampleWeight, i); s > 0 {
			m.inner.Y[i] = y + float64(m.width*(m.alpha[i]/s))
		}
	}
}

// stage ends a stage where its point is good enough for its width, or for the target. What the intercept's
// slope costs is of first order: dual variables change for their sum to be 0.
func (m *multipliers) stage(c *run.Control, at handover.Point) (changed bool) {
	parts, n := 0.0, float64(len(at.Slopes))
	for i, slope := range at.Slopes {
		parts += fenchelYoung(m.kinked, -slope, at.Margins[i], m.given.Y[i], direct.Weight(m.given.SampleWeight, i), slope)
	}
	parts /= n
	rest := float64(at.Norm*at.Norm)/(2*m.given.Ridge()) + float64(math.Abs(at.Slope)*m.scale)
	target := c.Settings().GapTolerance
	if !at.Spent && !(rest <= float64(stageShare*parts)) && !(parts+rest <= target) {
		return false
	}
	for i, slope := range at.Slopes {
		m.alpha[i] = -slope
	}
	e := m.full.evaluate(at.W)
	if c.Reached(at.W, e) || c.Ended() {
		return false
	}
	if parts > max(float64(enoughShare*target), float64(truncated.Hidden*math.Abs(e.Objective))) {
		m.width *= narrower
	}
	m.pose()
	return true
}

// state visits what is kept between stages.
func (m *multipliers) state(c *checkpoint.Coder) {
	c.Float64(&m.width)
	c.Floats(m.alpha)
	if c.Restoring() && c.Err() == nil {
		m.pose()
	}
}
