package erm

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// Newton is a truncated Newton method: conjugate gradients on the Hessian find a step, and a
// backtracking line search finds its length. Sources: Galli and Lin 2022, "A study on truncated
// Newton methods for linear classification"; for the end of the inner loop, Nash and Sofer 1990.
//
// Cost: an iteration of conjugate gradients costs a pass over the data. The last one of a step
// costs half a pass where it is foreseen. The line search costs O(rows) a trial point, as it has
// the products already, and a new gradient costs half a pass.
//
// Preconditioner: the diagonal of the Hessian. Up to 2048 columns, the Cholesky factor of the
// Hessian replaces it once the iterations have cost as much as the factor does (package cost).
// The factor is formed again after as much work, or after twice as much if the gap is within ten
// times the tolerance. It takes 12 d^2 bytes and counts as no pass.
//
// Intercept: its row of the Hessian is exact in the preconditioner, which costs half a pass a step
// unless all values are ones. After a step it takes one more by itself, which costs O(rows).
// It begins at the best constant. By shards, where a loss costs a pass, it takes no step by itself.
//
// Start: with lambda > 0 and without Settings.Initial, a run on at least 64 rows a column begins
// on a sample of one row in 8. It continues from the point and the factor found there; points are
// recorded from then on. By shards the sample has short runs of rows.
//
// Copies: nearly full rows of up to 64 columns are written out by columns. Short rows of varying
// length are sorted by length. Both make products quicker.
//
// End: a run has converged when the gap, rounding included, is within the tolerance. A small
// problem (package precise) that float64 cannot solve is finished in numbers of 512
// bits, in about a second.
type Newton struct {
	// Forcing ends the inner loop once an iteration improves the quadratic model by less than
	// Forcing times the mean improvement so far. A residual below a fifth of Forcing times the
	// first residual ends it too. It lies in (0, 1); 0 means 0.8.
	Forcing float64
	// MaxInner bounds the inner iterations of a step; 0 means 250.
	MaxInner int
}

// Name returns newton.
func (Newton) Name() string { return "newton" }

func (Newton) reports() bool { return true }

// usualForcing is the default of Forcing.
const usualForcing = 0.8

func (m Newton) withDefaults() Newton {
	if m.Forcing == 0 {
		m.Forcing = usualForcing
	}
	m.Forcing, m.MaxInner = truncated.Defaults(m.Forcing, m.MaxInner)
	return m
}

func (m Newton) begin(t *task) (run.Loop, any, error) {
	m = m.withDefaults()
	t.full.write()
	l := newNewtonLoop(m, t.p, t.full, t.settings)
	if step := sampleStep(t); step > 1 {
		list := sampleRows(t.p.X.Rows(), step)
		part := risk.Pick(t.p, t.pool, list)
		full := newObjective(part, t.pool, t.full.lent)
		full.write()
		l.start = newNewtonLoop(m, part, full, t.settings)
		l.start.sampled = true
		l.start.set(nil)
	}
	l.set(t.settings.Initial)
	return l, m, nil
}

func init() { handover.Newton = newtonFrom }

// newtonFrom is handover.Newton.
func newtonFrom(p *Problem, pool *matrix.Pool, settings solvers.Settings, w []float64) run.Loop {
	var numbering *run.Numbering
	if run.ProductsGain(p.X) {
		inner := *p
		inner.X, numbering = run.RenumberUsed(p.X, pool)
		p, settings.Initial, w = &inner, numbering.Inner(settings.Initial), numbering.Inner(w)
	}
	full := newObjective(p, pool, nil)
	full.settings = settings
	l := newNewtonLoop(Newton{}.withDefaults(), p, full, settings)
	copy(l.w, w)
	l.handed, l.numbering = true, numbering
	return l
}

func newNewtonLoop(m Newton, p *Problem, full *objective, settings solvers.Settings) *newtonLoop {
	n, d := p.X.Rows(), p.X.Cols()
	l := &newtonLoop{p: p, x: full.x, full: full, settings: settings}
	l.w = make([]float64, d) // which the result may keep
	l.g = full.lent.Zeros(d)
	for _, v := range []*[]float64{&l.z, &l.h, &l.stepMargin, &l.margin} {
		*v = full.lent.Zeros(n)
	}
	metric := newPreconditioner(&hessianRows{full.x, l.h}, p, d, full.x.Pool, full.lent)
	l.newtonInner = newNewtonInner(m, metric, full.x.Pool, full.lent)
	return l
}

// newtonLoop is at one of five stages: on a sample of the rows; before its first point; within
// the conjugate gradients of a step; about to take the step; about to continue in numbers of more
// bits.
type newtonLoop struct {
	newtonInner
	p        *Problem
	x        direct.Matrix
	full     *objective
	settings solvers.Settings

	w, g []float64 // the iterate and its gradient
	z    []float64 // its margins Xw
	h    []float64 // curvature of each row at z, divided by n
	loss float64   // P(w)

	stepMargin, margin []float64     // Xs, Xd
	cached             cachedMargins // how z came about
	started            bool
	finishing          bool // in numbers of more bits

	start   *newtonLoop // the run on a sample of the rows that comes first, or nil
	sampled bool        // this is that run
	handed  bool        // another method led to the starting point
	// numbering maps the columns of p, if another method handed over with its own column numbers.
	numbering *run.Numbering
	steps     int  // done
	wide      bool // curvatures come from majorizerCurvature
	work      int  // conjugate-gradient iterations of the run; beyond l.budget(), orthogonal steps
	prospects
}

// Next evaluates the starting point, does one conjugate-gradient iteration, takes a
// step, or finishes the run.
func (l *newtonLoop) Next(c *run.Control) {
	switch {
	case l.start != nil && !l.start.settled():
		l.start.Next(c)
	case !l.started:
		l.begin(c)
	case l.finishing:
		l.finish(c)
	case !l.Ready:
		l.conjugate(c)
	default:
		l.search(c)
	}
}

// arrive reports the iterate and sets up the conjugate gradients there.
func (l *newtonLoop) arrive(c *run.Control, e run.Evaluation) {
	if !l.sampled {
		if l.reach(c, e) {
			return // no step follows
		}
	}
	l.loss = e.Objective
	l.x.Pool.Run(risk.Blocks(len(l.z)), (*newtonCurvature)(l))
	if l.p.Intercept && straight(l.p) && !l.wide && kernels.MaxAbs(l.h) == 0 {
		l.wide = true // nothing else bends along the intercept
		l.x.Pool.Run(risk.Blocks(len(l.z)), (*newtonCurvature)(l))
	}
	if l.orthogonal() {
		l.orthogonalStep(c)
		return
	}
	l.metric.near = !l.sampled && l.settings.GapTolerance > 0 && e.Gap <= nearTarget*l.settings.GapTolerance
	direct.Must(l.metric.refresh())
	l.Open(l.g)
}

func (l *newtonLoop) reach(c *run.Control, e run.Evaluation) (converged bool) {
	if l.numbering == nil {
		return c.Reached(l.w, e)
	}
	w, err := l.numbering.InUser(l.w)
	direct.Must(err)
	return c.Reached(w, e)
}

// newtonCurvature computes h over blocks of rows.
type newtonCurvature newtonLoop

func (l *newtonCurvature) Block(i int) {
	first, end := risk.Span(i, len(l.z))
	h := l.h[first:end]
	third := l.margin[first:end] // a by-product that nothing here needs
	z, y, weights := l.z[first:end], l.p.Y[first:end], direct.Weights(l.p.SampleWeight, first, end)
	if l.wide {
		majorizerCurvature(l.p, h, z, y, weights)
	} else {
		l.p.Loss.Curvature(h, third, z, y, weights)
	}
	direct.Scale(h, 1/float64(len(l.z)), h)
}

// conjugate does one iteration on H s = -g.
func (l *newtonLoop) conjugate(c *run.Control) {
	c.Gradients(l.p.X.Rows())
	l.metric.age++
	l.work = min(l.work, l.budget()) + 1
	length := l.lengthOf(l.Direction)
	if l.Foreseen {
		// The curvature along the direction is half of a product, and all that the last one
		// is needed for.
		l.x.MulVec(l.margin, l.Direction)
		l.Vectors.Mul(l.full.coef, l.h, l.margin)
		bend := math.FMA(l.p.Ridge(), l.Vectors.SquaredNorm(risk.Held(l.p, l.Direction)), l.Vectors.Dot(l.full.coef, l.margin))
		if alpha, done := l.Last(bend); done {
			l.follow(alpha, length, true)
			return
		}
		clear(l.Product)
		l.x.AddTrans(l.Product, l.full.coef)
	} else {
		clear(l.Product)
		l.x.AddHessian(l.Product, l.margin, l.full.coef, l.Direction, l.h)
	}
	l.Vectors.Axpy(l.p.Ridge(), risk.Held(l.p, l.Direction), risk.Held(l.p, l.Product))
	alpha, curved := l.Advance()
	l.follow(alpha, length, curved)
}

// follow adds what an iteration along a direction of that length added to the step to its
// margins.
func (l *newtonLoop) follow(alpha, length float64, curved bool) {
	first := l.Iterations == 1
	l.cached.along(alpha, length, curved, first)
	switch {
	case curved && first:
		l.Vectors.Scale(l.stepMargin, alpha, l.margin)
	case curved:
		l.Vectors.Axpy(alpha, l.margin, l.stepMargin)
	case first:
		l.Vectors.Copy(l.stepMargin, l.margin)
	}
}

// search backtracks from the full step until the objective falls by a share of what its slope
// promises, and goes there. It leaves the slopes of the losses at the new margins for the
// gradient.
func (l *newtonLoop) search(c *run.Control) {
	w, step := risk.Held(l.p, l.w), risk.Held(l.p, l.Step)
	slope, across := l.Vectors.Dot(l.g, l.Step), l.Vectors.Dot(w, step)
	exact := l.orthogonal()
	if exact {
		slope = -2 * l.Model
	}
	here, there := l.Vectors.SquaredNorm(w), l.Vectors.SquaredNorm(step)
	alpha := 1.0
	for attempt := 0; ; attempt++ {
		l.Vectors.ScaleAdd(l.margin, alpha, l.stepMargin, 1, l.z)
		norm := math.FMA(alpha, math.FMA(alpha, there, float64(2*across)), here)
		value := math.FMA(0.5*l.p.Ridge(), norm, l.full.slopesAt(l.margin))
		if acceptable(value, alpha, slope, l.loss) || attempt == truncated.Halvings {
			if worse(value, l.loss) {
				alpha = l.useless()
				l.full.slopesAt(l.margin)
			}
			break
		}
		alpha *= 0.5
	}
	l.z, l.margin = l.margin, l.z
	l.Vectors.Axpy(alpha, l.Step, l.w)
	if l.p.Intercept {
		l.recentre()
	}
	l.promised = l.Model
	if l.flat() && !exact {
		l.promised = float64(-alpha * slope)
	}
	l.wide = wide(l.p, l.flat(), alpha)
	l.steps++
	l.cached.stepped(alpha, l.Iterations)
	var e run.Evaluation
	seems := false
	switch {
	case exact:
		e = l.afresh()
	default:
		e, seems = l.full.gradientNear(l.g, l.w, l.cached.norm())
	}
	if !l.sampled {
		c.Iterations(1, 0, 0)
	}
	if !l.sampled && seems && !run.Reaches(&l.settings, e) {
		e = l.afresh()
		c.Gradients(l.p.X.Rows())
	}
	if !l.sampled && l.spent(&e, l.loss) {
		// Where a column is very large, the gradient may be too at the best float64.
		if !run.Reaches(&l.settings, e) && l.settings.GapTolerance > 0 && (l.futile == 1 || l.futile == mostTries) {
			l.full.bounds.Sharpen(&e, l.w, l.settings.GapTolerance)
		}
		if !run.Reaches(&l.settings, e) && l.settings.GapTolerance > 0 && !exact {
			if l.goOrthogonal(); l.orthogonal() {
				l.futile = 0
			}
		}
	}
	if !l.sampled && l.exhausted(c) && !run.Reaches(&l.settings, e) {
		l.finishing = true
		return
	}
	l.arrive(c, e)
	if l.futile >= mostTries && !l.sampled && !run.Reaches(&l.settings, e) {
		c.End(solvers.Stalled)
	}
}

// recentre moves the intercept by one step of Newton's method in one dimension, if the objective
// falls there: the margins and slopes are at hand, so that a step costs O(rows).
func (l *newtonLoop) recentre() {
	var curvature certificate.Curvature
	curvature.Add(l.p.Loss, l.p.Y, l.full.coef, l.p.SampleWeight)
	here := l.full.losses.Mean()
	by := -kernels.Sum(l.full.coef) / curvature.Total()
	if by == 0 || by-by != 0 {
		return
	}
	direct.AddScalar(l.margin, by, l.z)
	if !(l.full.slopesAt(l.margin) <= here) {
		l.full.slopesAt(l.z)
		return
	}
	l.z, l.margin = l.margin, l.z
	l.w[len(l.w)-1] += by
	l.cached.length += math.Abs(by)
	l.cached.operations += 2
}

// afresh evaluates the iterate at margins that are computed from it.
func (l *newtonLoop) afresh() run.Evaluation {
	l.full.margins(l.z, l.w)
	l.cached = l.computed()
	return l.full.gradientAt(l.g, l.w, l.z)
}

// Current writes the iterate.
func (l *newtonLoop) Current(w []float64) {
	if l.start != nil {
		l.start.Current(w)
		return
	}
	l.numbering.Outer(w, l.w)
}

// State visits the loop's state.
func (l *newtonLoop) State(c *checkpoint.Coder) {
	starting := l.start != nil
	c.Bool(&starting)
	if starting {
		if l.start == nil {
			c.Fail(errors.New("a run on a sample, which this one has not"))
			return
		}
		l.start.State(c)
		return
	}
	l.start = nil
	for _, v := range [][]float64{l.w, l.g, l.z, l.h, l.stepMargin} {
		c.Floats(v)
	}
	c.Float64(&l.loss)
	l.Inner.State(c)
	c.Float64(&l.promised)
	c.Count(&l.steps, checkpoint.MostCount)
	c.Float64(&l.least)
	c.Count(&l.futile, checkpoint.MostCount)
	c.Count(&l.work, checkpoint.MostCount)
	c.Bool(&l.started)
	c.Bool(&l.finishing)
	l.cached.state(c)
	l.metric.state(c)
	if c.Restoring() && l.started && c.Err() == nil {
		l.checkMargins(c)
	}
}
