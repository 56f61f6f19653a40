package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// SARAH takes recursive gradient steps of one fixed size (Nguyen et al. 2017).
// An iteration costs one dot and one scatter over its rows.
type SARAH struct {
	// Step is the step size; 0 means 1 over the smoothness of a batch.
	Step float64
	// Inner is the number of iterations of an inner loop; 0 means one pass.
	Inner int
	// Random begins the next outer loop at an iterate drawn uniformly from w_1 to w_m of the
	// inner loop, instead of the last one. This is close to the theory (see AISARAHInterval).
	Random bool
	// Paper starts where AISARAH starts with Paper, for the problem that the function PaperProblem
	// poses. The paper tunes Step for each set.
	Paper bool
}

// Name returns sarah.
func (SARAH) Name() string { return "sarah" }

func (SARAH) reports() bool { return true }

func (m SARAH) begin(t *task) (run.Loop, any, error) {
	t.startAsPaper(m.Paper)
	step := t.stepOr(m.Step, 1)
	l := newIntervalLoop(t, step, step, m.Inner)
	l.random = m.Random
	return l, m, nil
}

// SARAHPlus is SARAH whose inner loops end by themselves (SARAH+, Nguyen et al.
// 2017, algorithm 2).
type SARAHPlus struct {
	// Step is the step size; 0 means 1 over the smoothness of a batch.
	Step float64
	// Gamma ends an inner loop once ||v_t||^2 < Gamma ||v_0||^2; in (0, 1), 0
	// means 1/32.
	Gamma float64
	// Inner is the largest number of iterations of an inner loop; 0 means ten
	// passes.
	Inner int
}

// Name returns sarah+.
func (SARAHPlus) Name() string { return "sarah+" }

func (SARAHPlus) reports() bool { return true }

func (m SARAHPlus) begin(t *task) (run.Loop, any, error) {
	step := t.stepOr(m.Step, 1)
	l := newIntervalLoop(t, step, step, m.Inner)
	if l.gamma = m.Gamma; m.Gamma == 0 {
		l.gamma = 1. / 32
	}
	if m.Inner == 0 {
		l.length = 10 * l.batches.PerPass()
	}
	return l, m, nil
}

// AISARAHInterval is algorithm 5: the step of every iteration solves the
// sub-problem on a fixed interval, by the Newton step (7) cut to it. With
// Min = Max it is SARAH (remark C.2); with batches of all rows it is gradient
// descent with an implicit step (remark C.3).
//
// Line 13 draws the next outer iterate from w_0 to w_m; here it is drawn from w_1 to w_m.
// To draw w_0 is to go through the same outer loop again, full gradient and all, until
// another is drawn. Both ways visit the same outer iterates with the same probabilities,
// and theorem C.10 holds of this one as well: it leaves out loops that lead nowhere.
type AISARAHInterval struct {
	// Min and Max bound the step, 0 < Min <= Max; 0 means 1/10 and 2 over the
	// smoothness of a batch.
	Min, Max float64
	// Inner is the number m of iterations of an inner loop; 0 means one pass.
	Inner int
}

// Name returns ai-sarah-interval.
func (AISARAHInterval) Name() string { return "ai-sarah-interval" }

func (AISARAHInterval) reports() bool { return true }

func (m AISARAHInterval) begin(t *task) (run.Loop, any, error) {
	least, most := t.stepOr(m.Min, 0.1), t.stepOr(m.Max, 2)
	if least > most {
		return nil, nil, fmt.Errorf("the default of one end of the interval crosses the other: %v to %v; set both", least, most)
	}
	l := newIntervalLoop(t, least, most, m.Inner)
	l.random = true
	return l, m, nil
}

// intervalLoop is the loop of algorithm 5. SARAH and SARAH+ are cases of it.
type intervalLoop struct {
	*recursive
	least, most float64 // the interval of the step
	gamma       float64 // of SARAH+, or 0
	length      int     // m
	random      bool

	full    *objective
	source  *random.Source
	batches *passes.Batches
	batch   *batch
	w       []float64

	left  int // iterations left of the inner loop
	first float64
}

func newIntervalLoop(t *task, least, most float64, inner int) *intervalLoop {
	batches := passes.NewBatches(t.p.X.Rows(), t.settings.BatchSize, passes.FoldTail, t.random)
	if inner == 0 {
		inner = batches.PerPass()
	}
	return &intervalLoop{
		recursive: newRecursive(t), least: least, most: most, length: inner,
		full: t.full, source: t.random, batches: batches, batch: newBatch(t.p, batches.Largest()),
		w: make([]float64, t.p.X.Cols()),
	}
}

// Next begins an outer loop (lines 4 and 5) or does lines 8 to 11.
func (l *intervalLoop) Next(c *run.Control) {
	if l.left == 0 {
		l.Current(l.w)
		v := l.full.spare()
		e := l.full.gradient(v, l.w) // line 5
		c.Gradients(l.p.X.Rows())
		c.Reached(l.w, e)
		l.first = float64(e.GradientNorm * e.GradientNorm)
		l.start(l.w, v, l.first)
		l.left = l.length
		if l.random {
			// Line 13, but for t = 0: t is drawn beforehand, because what follows w_t
			// in the loop has no effect.
			l.left = 1 + int(l.source.Below(uint64(l.length)))
		}
		return
	}
	b := l.batch
	b.take(l.batches.Next()) // line 8
	l.margins(b)
	alpha := l.least
	if l.least < l.most { // line 9
		if alpha = l.subproblem(b).newton(); math.IsNaN(alpha) {
			alpha = l.least // flat: every step solves it
		}
		alpha = min(max(alpha, l.least), l.most)
	}
	l.step(b, alpha) // lines 10 and 11
	c.Iterations(1, len(b.rows), 2*len(b.rows))
	square := l.squaredNorm()
	if math.IsNaN(square) || math.IsInf(square, 0) {
		c.End(solvers.Diverged)
	}
	if l.left--; l.gamma > 0 && square < l.gamma*l.first {
		l.left = 0
	}
}

// State visits the loop's state.
func (l *intervalLoop) State(c *checkpoint.Coder) {
	l.state(c)
	l.batches.State(c)
	c.Count(&l.left, l.length)
	c.Float64(&l.first)
}
