package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// A run from w = 0 with many rows a column begins on a sample of the rows. The sample's optimum
// differs from the optimum by the order of columns/rows, and its Hessian is a preconditioner for
// the rest of the run. The sample has one row in sampleEvery, and at least sampleEvery rows a
// column.
const sampleEvery = 8

// sampleStep returns the distance of the sample's rows, 1 for none.
func sampleStep(t *task) int {
	return startStep(t.p.X.Rows(), t.p.X.Cols(), t.p.Ridge(), t.settings.Initial)
}

func startStep(n, d int, lambda float64, initial []float64) int {
	if initial != nil || !(lambda > 0) || n/sampleEvery < sampleEvery*d {
		return 1
	}
	return sampleEvery
}

// sampleRows draws one row of every step at random: rows often have a period.
func sampleRows(n, step int) []uint32 {
	random := random.New(1)
	list := make([]uint32, n/step)
	for k := range list {
		list[k] = uint32(k*step) + uint32(random.Below(uint64(step)))
	}
	return list
}

// set makes w the iterate, nil for weights of 0 beside the best constant.
func (l *newtonLoop) set(w []float64) {
	clear(l.w)
	if copy(l.w, w); w == nil && l.p.Intercept {
		l.w[len(l.w)-1] = risk.Constant(l.p)
	}
}

// begin evaluates the starting point: where the sample's run or another method ended. If that
// is worse than 0, the run begins at Settings.Initial or at 0, whichever is better.
func (l *newtonLoop) begin(c *run.Control) {
	zero := math.Inf(1)
	fromZero := l.start == nil && !l.handed && kernels.MaxAbs(l.w) == 0
	if l.start != nil || l.handed {
		zero = l.full.atConstant()
	}
	if l.start != nil {
		l.adopt(l.start)
		l.start = nil
	}
	e := l.afresh()
	if fromZero {
		l.full.zero = e.Objective // the same sums
	}
	c.Gradients(l.p.X.Rows())
	if sum := e.Objective + e.GradientNorm; e.Objective > zero || l.handed && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
		l.set(nil)
		if start := l.settings.Initial; start != nil {
			l.full.margins(l.z, start)
			if math.FMA(0.5*l.p.Ridge(), kernels.SquaredNorm(risk.Held(l.p, start)), l.full.losses.At(l.z)) <= zero {
				l.set(start)
			}
		}
		c.Gradients(l.p.X.Rows())
		e = l.afresh()
	}
	l.started = true
	l.arrive(c, e)
}

// adopt takes over the point and the preconditioner of a run on a sample.
func (l *newtonLoop) adopt(s *newtonLoop) {
	copy(l.w, s.w)
	if s.metric.dense {
		l.metric.factor, l.metric.dense = s.metric.factor, true
	}
}

// settled tells whether a run on a sample has done its part.
func (l *newtonLoop) settled() bool {
	return settledStart(l.steps, l.promised, l.loss, l.p.X.Rows())
}

// settledStart tells whether a run on a sample of n rows is settled: its last step promised less
// than one row adds to the objective, or it has taken mostTries steps.
func settledStart(steps int, promised, loss float64, n int) bool {
	return steps >= mostTries || steps > 0 && promised*float64(n) <= math.Abs(loss)
}
