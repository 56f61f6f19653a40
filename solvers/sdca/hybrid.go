package sdca

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Hybrid begins as Prox and goes on as erm.Newton from where the dual passes have
// become slow. The first passes over the rows bring most of what is to be gained,
// whatever the condition of the problem; conjugate gradients bring the rest where
// single rows cannot. It is for data of more columns than rows.
//
// Logistic rows take their steps in groups of up to 16, whose margins are computed together;
// groups are made smaller where their steps undo one another. Where lambda is so small that the
// mean of ||x||^2/(lambda n) is above 16, they have 8 rows at most, and where it is above 30,000,
// rows take their steps as in Prox. So they do where there are more than 131,072 columns, but for
// long rows, of 192 entries and more in the mean and 2^21 in all, whose groups two workers share, a
// range of columns each. A run without Settings.Initial begins at the best point with equal dual
// variables, where some rows tell that its gap is small.
//
// It looks at its progress after passes that take all rows, every third one where no rows
// are left out of the others, and changes over once more than slowShare of the gap was left
// since the last such pass, unless the target is near. It also changes over
// where dual steps stray, which rounding makes them do on very long rows, and takes none
// where ||x||^2/(lambda n) overflows. Newton's method then begins at 0, or at
// Settings.Initial, if the dual steps led to nothing better. Certificates are those of
// Prox before, and those of Newton after.
type Hybrid struct{}

// Name returns sdca-newton.
func (Hybrid) Name() string { return "sdca-newton" }

func (Hybrid) check() error { return nil }

func (Hybrid) checkProblem(p *erm.Problem) error { return convex(p) }

func (Hybrid) begin(t *task) (dualLoop, string, error) {
	l := &hybridLoop{task: t}
	opening, _, err := Prox{groups: true}.begin(t)
	switch {
	case errors.Is(err, solvers.ErrTooLarge):
		l.turn(t.start())
	case err != nil:
		return nil, "", err
	default:
		l.opening = opening.(*proxLoop)
		l.opening.opens = true
	}
	return l, fmt.Sprintf("%+v", Hybrid{}), nil
}

const (
	// slowShare is the share of the gap that may be left from one pass over all rows to the
	// next: with 0.65 a pass, a relative gap of 1e-6 takes some thirty passes, and Newton's
	// method about as long on the data sets at hand (news20, C = 0.1).
	slowShare = 0.65 * 0.65 * 0.65
	// turnCost is how many passes Newton's method takes at least where it begins near the
	// target.
	turnCost = 8
)

// hybridLoop has one of its two loops.
type hybridLoop struct {
	*task
	opening *proxLoop
	newton  engine.Loop
	// before is the gap that the last pass over all rows let expect, 0 for none, and taken how
	// many rows were taken since in passes that left some out.
	before float64
	taken  int
}

// Next is that of the loop in hand; between passes it chooses.
func (l *hybridLoop) Next(c *engine.Control) {
	if l.newton != nil {
		l.newton.Next(c)
		return
	}
	o := l.opening
	passes, whole, taken := o.passes, o.whole, o.taken
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
		l.taken = taken
		return
	}
	if l.slow() {
		l.turn(o.w)
	}
	l.before, l.taken = o.mean, 0
}

// slow tells whether dual steps are to end, after a pass over all rows.
func (l *hybridLoop) slow() bool {
	after := l.opening.mean
	if !(l.before > 0 && after > float64(slowShare*l.before)) {
		return false
	}
	target := l.settings.GapTolerance
	if !(target > 0 && after < l.before) {
		return true
	}
	spent := float64(fullEvery)
	if l.taken > 0 {
		spent = 1 + float64(l.taken)/float64(len(l.opening.dual))
	}
	return float64(spent*kernels.LogOf(after/target)) > float64(turnCost*kernels.LogOf(l.before/after))
}

// turn begins the Newton method at w.
func (l *hybridLoop) turn(w []float64) {
	l.newton = erm.NewtonFrom(l.p, l.workers, l.settings, w)
	l.opening = nil
	l.full.loop, l.primal = nil, true // no more dual variables: the gradient bounds the gap
}

// duals writes alpha. The Newton method has none.
func (l *hybridLoop) duals(alpha []float64) { l.opening.duals(alpha) }

func (l *hybridLoop) drift(b *certificate.Bounds) float64 { return l.opening.drift(b) }

// Current writes the iterate.
func (l *hybridLoop) Current(w []float64) {
	if l.newton != nil {
		l.newton.Current(w)
		return
	}
	l.opening.Current(w)
}

// State visits the loop's state.
func (l *hybridLoop) State(c *engine.Coder) {
	turned := l.newton != nil
	c.Bool(&turned)
	c.Float64(&l.before)
	c.Count(&l.taken, engine.MostCount)
	// Newton's method may begin there, and a resumed run need not be given it again.
	given := l.settings.Initial != nil
	if c.Bool(&given); given {
		if c.Restoring() {
			l.settings.Initial = make([]float64, l.p.X.Cols())
		}
		c.Floats(l.settings.Initial)
	}
	if c.Restoring() && turned && l.newton == nil {
		l.turn(make([]float64, l.p.X.Cols()))
	}
	if turned {
		l.newton.State(c)
	} else {
		l.opening.State(c)
	}
}
