package ap

import (
	"cmp"
	"errors"
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// Common is what all solvers take that keep estimates of the ranks: all but SmoothAP. It is
// safe for concurrent reading.
type Common struct {
	// Paper selects the setting of the paper's section 4.1 in place of these defaults, for the
	// problem that the function Paper poses. It has sigmoid scores, the squared hinge, a batch of
	// 20 rows, and 500 iterations. A linear model has no warm start, and iterates are not
	// averaged. Estimates and moments begin at 0, and the result is the last iterate. Step, Beta
	// and Momentum then decrease as 1/sqrt(t) for MOAP and ADAP and are constant otherwise.
	Paper bool
	// Hinge selects the squared hinge max(0, s_j-s_i+Margin)^2 in place of the logistic
	// surrogate. A Margin selects it too; 0 means 1.
	Hinge  bool
	Margin float64
	// Surrogate is a pair loss of a program's own; nil stands for the losses of this package.
	Surrogate Surrogate
	// Uniform draws the rows of every batch from all rows of their class, as the paper's text has it,
	// in place of shuffled passes.
	Uniform bool
	// Random makes the result an iterate that is drawn from all of the schedule, as in the paper's
	// theorems: the run ends there. Iterates are not averaged.
	Random bool
	// Scale is the first scale of the logistic surrogate and FinalScale the last; in
	// between it changes linearly. 0 means 4 and what Scale is.
	Scale, FinalScale float64
	// Positives and Negatives make up a batch; 0 means 64 and 256, in the paper's setting
	// 10 and 10. Sets with fewer rows give all they have.
	Positives, Negatives int
	// Iterations is the length of the schedule, after which the run ends; 0 means 400.
	Iterations int
	// Step is the first step size; what 0 means is said with each solver. For models that
	// are not linear it means an eighth of that.
	Step float64
	// Beta is the share of a new estimate of a rank, in (0, 1); 0 means 0.3, for solvers
	// that decay all rows 0.3 times Positives over the number of positive rows, and in
	// the paper's setting 0.5.
	Beta float64
	// Dense takes the steps on all columns in every iteration. Otherwise a linear model's columns
	// take their steps when a batch has an entry in them, and missed steps in closed form. This
	// applies to matrices with more than 50 columns for every entry of a batch. In the paper's
	// setting steps are always dense.
	Dense bool
}

// plan is a solver whose parameters are filled in, but for Beta, which depends on the
// data: what the loop is made of. It tells runs of a solver apart.
type plan struct {
	Common
	momentum float64 // the share of a new gradient
	second   float64 // the share of a new squared gradient
	delta    float64
	// tracks says that ranks are estimated over many batches. all says that the estimates of
	// rows not sampled decay. projects says that estimates are kept in Omega, whose losses
	// are at most bound.
	tracks, all, projects bool
	bound                 float64
	rule                  rule
}

// plan has plain steps and the ranks of the batch alone. step is the usual one.
func (m Common) plan(step float64, linear bool) plan {
	positives, negatives, iterations := 64, 256, 400
	if m.Paper {
		positives, negatives, iterations = 10, 10, 500
	} else if !linear {
		step /= 8
	}
	m.Step = cmp.Or(m.Step, step)
	m.Scale = cmp.Or(m.Scale, 4)
	m.FinalScale = cmp.Or(m.FinalScale, m.Scale)
	m.Positives = cmp.Or(m.Positives, positives)
	m.Negatives = cmp.Or(m.Negatives, negatives)
	m.Iterations = cmp.Or(m.Iterations, iterations)
	return plan{Common: m, momentum: 0.1, rule: plain{}}
}

// tracking is plan for solvers that estimate the ranks.
func (m Common) tracking(step float64, linear bool) plan {
	if m.Hinge || m.Paper {
		m.Margin = cmp.Or(m.Margin, 1)
	}
	if m.Paper {
		m.Beta = cmp.Or(m.Beta, 0.5)
	}
	p := m.plan(step, linear)
	p.tracks = true
	return p
}

// projecting sets what MOAP and ADAP have beyond SOAP: momentum, and M.
func (p plan) projecting(momentum, bound float64) plan {
	usual := p.momentum
	if p.Paper {
		usual = p.Beta
	}
	most := 1.0
	switch {
	case p.Paper:
		most = float64((1 + p.Margin) * (1 + p.Margin))
	case p.Surrogate != nil, p.loss() == kernels.PairSquaredHinge:
		most = math.Inf(1)
	}
	p.projects, p.momentum, p.bound = true, cmp.Or(momentum, usual), cmp.Or(bound, most)
	return p
}

// adaptive sets what steps have that divide by the root of a second moment.
func (p plan) adaptive(momentum, second, delta float64) plan {
	p.momentum, p.second, p.delta = momentum, cmp.Or(second, 0.001), cmp.Or(delta, 1e-8)
	return p
}

func (p *plan) loss() kernels.PairLoss {
	if p.Margin > 0 {
		return kernels.PairSquaredHinge
	}
	return kernels.PairLogistic
}

// parameter is the margin, or the scale of iteration t.
func (p *plan) parameter(t int) float64 {
	if p.Margin > 0 {
		return p.Margin
	}
	return math.FMA(p.FinalScale-p.Scale, float64(t-1)/float64(max(1, p.Iterations-1)), p.Scale)
}

// rate is what schedules multiply steps and shares with at iteration t.
func (p *plan) rate(t int) float64 {
	switch {
	case !p.Paper:
		return math.FMA(-0.9, float64(t-1)/float64(p.Iterations), 1)
	case p.projects:
		return 1 / math.Sqrt(float64(t))
	}
	return 1
}

// share is beta at iteration t: it decreases in the paper's setting only.
func (p *plan) share(beta float64, t int) float64 {
	if p.Paper {
		return float64(beta * p.rate(t))
	}
	return beta
}

// averageEvery is the number of iterations between two that enter the average.
const averageEvery = 4

// averaged returns the number of iterates up to iteration t that enter the average.
func (p *plan) averaged(t int) int {
	if p.Paper || p.Random {
		return 0
	}
	return max(0, t/averageEvery-p.Iterations/2/averageEvery)
}

func (m Common) check() error {
	if m.Surrogate != nil && (m.Margin > 0 || m.Hinge || m.Paper || m.Scale > 0 || m.FinalScale > 0) {
		return errors.New("a surrogate of your own takes the place of paper, hinge, margin, scale and final-scale: leave them out")
	}
	if (m.Margin > 0 || m.Hinge || m.Paper) && (m.Scale > 0 || m.FinalScale > 0) {
		return errors.New("scale and final-scale are of the logistic surrogate; with paper, hinge or margin the loss is the squared hinge")
	}
	return nil
}
