package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

func init() { handover.Staged = newtonStaged }

// newtonStaged is handover.Staged.
func newtonStaged(p *Problem, pool *matrix.Pool, settings solvers.Settings, w []float64, stage handover.Stage) run.Loop {
	settings.GapTolerance, settings.GradientTolerance, settings.Initial = 0, 0, nil
	full := newObjective(p, pool, nil)
	full.settings = settings
	full.write()
	o := newInMemory(full)
	l := newNewtonLoop(Newton{}.withDefaults(), p, o, o, pool, nil, settings)
	copy(l.w, w)
	l.stage = stage
	return l
}

// pass shows the point to the stage. If the stage wants another one, it begins there, which counts as an
// iteration: budgets and stalls are looked at before the first step. It tells whether the run has ended.
func (l *newtonLoop) pass(c *run.Control, e run.Evaluation) (there run.Evaluation, ended bool) {
	rows := l.o.rows()
	at := handover.Point{W: l.w, Margins: rows.z, Slopes: rows.coef, Norm: e.GradientNorm, Spent: l.futile >= mostTries/2}
	if l.p.Intercept {
		at.Slope = l.g[len(l.g)-1]
	}
	if !l.stage(c, at) {
		return e, c.Ended()
	}
	c.Iterations(1, 0, 0)
	rows.bounds = certificate.New(certificate.Problem{Problem: *l.p, Pool: rows.x.Pool, Workspace: rows.lent, Sequential: rows.x.Full()})
	rows.zero = math.NaN()
	rows.slopesAt(rows.z)
	e, _ = rows.gradientNear(l.g, l.w, rows.cached.norm())
	rows.rowsUsed += len(rows.z)
	l.prospects, l.wide = prospects{}, false
	l.metric.next()
	return e, c.Ended()
}

// next goes on with the Hessian of another loss. A factor remains until it is due.
func (m *preconditioner) next() { m.own = false }
