package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/solvers/erm"
)

// dualFree is what the dual-free methods share: alpha moves by
// -(theta/p_i) kappa_i, (6), and w with it, (7).
type dualFree struct {
	p     *erm.Problem
	x     direct.Matrix
	full  *objective
	steps *matrix.Steps
	unit  float64 // 1/(lambda n)

	random *random.Source
	alpha  []float64
	w      []float64
	done   int64 // steps on single rows

	v []float64 // (12)
	// cost[i] = n lambda^2 + v_i gamma, over n lambda^2: what (15) weighs kappa_i by.
	cost []float64
}

// newDualFree sets alpha to 0, or to what fits the starting point. With average, gamma comes from
// (24): only the average of the losses is convex. perRow takes every row's own smoothness, as fixed
// probabilities allow, instead of the largest.
func newDualFree(t *task, average, perRow bool) (*dualFree, error) {
	n := t.p.X.Rows()
	l := &dualFree{
		p: t.p, x: t.matrix(), full: t.full, random: t.random, unit: 1 / (t.p.Ridge() * float64(n)),
		alpha: make([]float64, n), w: make([]float64, t.p.X.Cols()), v: matrix.SquaredNorms(t.p.X), cost: make([]float64, n),
	}
	t.full.concave = average
	// over is gamma/lambda.
	over := 0.0
	peak := t.p.Loss.Peak()
	for i, v := range l.v {
		smooth := peak * math.Abs(direct.Weight(t.p.SampleWeight, i))
		if average {
			over += float64(float64(smooth*v) * float64(smooth*v)) // L_i^2
		} else {
			over = max(over, smooth)
		}
	}
	if average {
		over /= float64(n) * t.p.Ridge()
	}
	for i, v := range l.v {
		if perRow && !average {
			over = peak * direct.Weight(t.p.SampleWeight, i)
		}
		l.cost[i] = math.FMA(float64(v*over), l.unit, 1)
		if math.IsInf(l.cost[i], 0) || math.IsNaN(l.cost[i]) {
			return nil, tooLong(i)
		}
	}
	var err error
	if l.steps, err = matrix.NewSteps(t.p.X, l.w); err != nil {
		return nil, err
	}
	if t.settings.Initial != nil {
		l.slopes(t.settings.Initial)
		for i, slope := range t.full.coef {
			l.alpha[i] = -slope
		}
		l.refresh()
	}
	return l, nil
}

// slopes writes z = Xw and f_i'(z_i) to full.z and full.coef.
func (l *dualFree) slopes(w []float64) {
	l.x.MulVec(l.full.z, w)
	l.p.Loss.Gradient(l.full.coef, l.full.z, l.p.Y, l.p.SampleWeight)
}

// upkeep refreshes w once the last moved rows have made refreshEvery passes full. moved is their
// number.
func (l *dualFree) upkeep(moved int) {
	every := refreshEvery * int64(len(l.alpha))
	if l.done >= every && l.done%every < int64(moved) {
		l.refresh()
	}
}

// untilUpkeep is the number of steps that may be done before the next upkeep.
func (l *dualFree) untilUpkeep() int64 {
	every := refreshEvery * int64(len(l.alpha))
	return every - l.done%every
}

// refresh computes w = X'alpha/(lambda n).
func (l *dualFree) refresh() {
	clear(l.w)
	l.x.AddTrans(l.w, l.alpha)
	direct.Scale(l.w, l.unit, l.w)
}

// slope returns f_i'(z).
func (l *dualFree) slope(i uint32, z float64) float64 {
	return float64(direct.Weight(l.p.SampleWeight, int(i)) * l.full.dual.Slope(z, l.p.Y[i]))
}

// move takes alpha_i down by step, and w with it. It returns the change of w in
// units of x_i.
func (l *dualFree) move(i uint32, step float64) float64 {
	if step == 0 {
		return 0
	}
	old := l.alpha[i]
	l.alpha[i] -= step
	change := float64((l.alpha[i] - old) * l.unit)
	l.steps.Add(i, change)
	return change
}

func (l *dualFree) duals(alpha []float64) { copy(alpha, l.alpha) }

// Current writes the iterate.
func (l *dualFree) Current(w []float64) { copy(w, l.w) }

func (l *dualFree) state(c *checkpoint.Coder) {
	c.Floats(l.alpha)
	c.Floats(l.w)
	c.Random(l.random)
	c.Count64(&l.done)
}

// averageConvex is the check of methods that bear negative sample weights, so
// long as the average of the losses is convex.
func averageConvex(p *erm.Problem, allowed bool) error {
	if !allowed || p == nil || p.SampleWeight == nil {
		return risk.Check(p)
	}
	size := *p
	size.SampleWeight = make([]float64, len(p.SampleWeight))
	for i, s := range p.SampleWeight {
		size.SampleWeight[i] = math.Abs(s)
	}
	return risk.Check(&size)
}
