package sdca

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// Hybrid begins as Prox and changes to erm.Newton once dual passes progress slowly. The first
// passes close most of the gap, whatever the condition of the problem; conjugate gradients close
// the rest on ill-conditioned problems. It is for data with more columns than rows.
//
// Logistic rows take their steps in groups of 8, whose margins are computed together. If the mean
// of ||x||^2/(lambda n) is above 30,000, they take them one by one. A run in groups without
// Settings.Initial begins at the best point with equal dual variables if that point's gap is
// small. A sample of 256 rows estimates this gap.
//
// Progress is judged after passes that take all rows; if no row is left out, after every third
// pass. Newton's method takes over if more than slowShare of the gap is left since the last such
// pass. It also takes over if dual steps diverge, as rounding makes them do on very long rows. It
// starts the run if ||x||^2/(lambda n) overflows. It begins at the dual steps' point, or at 0 or
// Settings.Initial if that point is worse. It takes no sample of rows and makes no copies. Until
// then the gap is bounded as in Prox, and afterwards as in Newton.
//
// With Settings.Shards, or rows in a file, it begins as Prox does there, and Newton's method goes on by sums
// over the shards. A loss with kinks then has dual steps alone.
//
// A loss with kinks, such as loss.Hinge, has no second derivatives. Newton's method then minimises a
// sequence of smooth losses, by the method of multipliers (Rockafellar 1976, "Augmented Lagrangians
// and applications of the proximal point algorithm"), and the gap stays that of dual variables, of
// the loss with its kinks. Such a run begins with Newton's method where columns do not outnumber rows.
// Elsewhere it changes only if dual steps beside an intercept stray.
type Hybrid struct{}

// Name returns sdca-newton.
func (Hybrid) Name() string { return "sdca-newton" }

func (Hybrid) checkProblem(p *erm.Problem) error { return risk.Check(p) }

func (Hybrid) begin(t *task) (dualLoop, any, error) {
	l := &hybridLoop{task: t}
	if kinked := loss.KinkedOf(t.p.Loss); kinked != nil && t.p.X.Cols() <= t.p.X.Rows() {
		l.turn(t.start())
		return l, Hybrid{}, nil
	}
	opening, _, err := Prox{groups: true}.begin(t)
	switch {
	case errors.Is(err, solvers.ErrTooLarge):
		l.turn(t.start())
	case err != nil:
		return nil, nil, err
	default:
		l.opening = opening.(*proxLoop)
		l.opening.opens = true
	}
	return l, Hybrid{}, nil
}

// slowShare is the share of the gap that may be left between passes over all rows. If no row is
// left out, these are passes.AllEvery passes apart: 0.65 for each.
const slowShare = 0.65 * 0.65 * 0.65

// hybridLoop has one of its two loops.
type hybridLoop struct {
	*task
	opening *proxLoop
	newton  run.Loop
	stages  *multipliers // of newton; nil for a smooth loss
	// before is the gap that the last pass over all rows let expect, 0 for none.
	before float64
}

// Next calls Next of the present loop; between passes it chooses the loop.
func (l *hybridLoop) Next(c *run.Control) {
	if l.newton != nil {
		l.newton.Next(c)
		return
	}
	o := l.opening
	passes, whole := o.passes, o.whole
	o.Next(c)
	if o.strayed {
		if !c.Ended() {
			l.turn(o.w)
		}
		return
	}
	if o.passes == passes || c.Ended() {
		return
	}
	// A pass has begun, without a step, and the one before it is judged.
	if !whole {
		return
	}
	if slow(l.before, o.mean) && loss.KinkedOf(l.p.Loss) == nil { // else no steps are quicker where columns outnumber rows
		l.turn(o.w)
	}
	l.before = o.mean
}

// slow tells whether dual steps are to end, after a pass over all rows, by the gap that it lets expect and that
// of the pass that was judged before, 0 for none.
func slow(before, mean float64) bool { return before > 0 && mean > float64(slowShare*before) }

// turn begins the Newton method at w.
func (l *hybridLoop) turn(w []float64) {
	if kinked := loss.KinkedOf(l.p.Loss); kinked != nil {
		l.stages = newMultipliers(l.task, kinked, l.opening)
		l.newton = handover.Staged(&l.stages.inner, l.workers, l.settings, w, l.stages.stage)
		l.opening = nil
		return
	}
	l.newton = handover.Newton(l.p, l.workers, l.settings, w)
	l.opening = nil
	l.full.loop, l.primal = nil, true // no more dual variables: the gradient bounds the gap
}

// duals writes alpha. The Newton method of a smooth loss has none.
func (l *hybridLoop) duals(alpha []float64) {
	if l.stages != nil {
		copy(alpha, l.stages.alpha)
		return
	}
	l.opening.duals(alpha)
}

func (l *hybridLoop) drift(b *certificate.Bounds) float64 {
	if l.stages != nil {
		return math.Inf(1)
	}
	return l.opening.drift(b)
}

// Current writes the iterate.
func (l *hybridLoop) Current(w []float64) {
	if l.newton != nil {
		l.newton.Current(w)
		return
	}
	l.opening.Current(w)
}

// State visits the loop's state.
func (l *hybridLoop) State(c *checkpoint.Coder) {
	turned := l.newton != nil
	c.Bool(&turned)
	c.Float64(&l.before)
	initialState(c, &l.settings, l.p.X.Cols())
	if c.Restoring() && turned && l.newton == nil {
		l.turn(make([]float64, l.p.X.Cols()))
	}
	if turned {
		if l.stages != nil {
			l.stages.state(c)
		}
		l.newton.State(c)
	} else {
		l.opening.State(c)
	}
}

// initialState visits the starting point: Newton's method may begin there, and a resumed run need not be given
// it again.
func initialState(c *checkpoint.Coder, settings *solvers.Settings, columns int) {
	given := settings.Initial != nil
	if c.Bool(&given); given {
		if c.Restoring() {
			settings.Initial = make([]float64, columns)
		}
		c.Floats(settings.Initial)
	}
}
