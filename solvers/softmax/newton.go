package softmax

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/precise"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/solvers"
)

// Newton is a truncated Newton method as erm.Newton: preconditioned conjugate gradients on the
// Hessian, whose products cost a pass, and a backtracking line search. Sources: Galli and Lin
// 2022, "A study on truncated Newton methods for linear classification"; Nash and Sofer 1990 for
// the inner stopping rule.
//
// The preconditioner is a diagonal: each element is the product of the column's and the class's
// share of the Hessian's trace. Up to 2048 columns it becomes, for every class, the Cholesky
// factor of X'hX + lambda, once the iterations have cost as much as forming it. h is the mean
// curvature of a row; for two classes this is the Hessian itself. It is formed again whenever the
// iterations have cost as much again.
//
// With many nearly full rows for their columns, products with the Hessian and factors take a sample
// of an eighth of the rows or more, drawn anew for every step: rows with much curvature, and others in
// turn with a larger weight. An inner loop goes further then. A step that falls short doubles the
// samples. Source: Xu, Yang, Roosta-Khorasani, Re and Mahoney 2016, "Sub-sampled Newton methods with
// non-uniform sampling".
//
// Beside intercepts a run begins at weights of 0 with the logarithms of the classes' shares as
// intercepts, or at Settings.Initial. Where that is cheap beside a pass, every step ends with the best
// intercepts for its other weights.
//
// With more columns than rows and no intercepts a run begins with dual coordinate ascent. Its
// passes take the rows in random order, on one goroutine. It makes at most 48 passes, and ends when
// 18 passes no longer halve the gap. Source: Yu, Huang and Lin 2011, "Dual coordinate descent
// methods for logistic regression and maximum entropy models". The ascent often ends a run. Points
// are recorded once it may have reached the tolerance, and when it ends.
//
// A small run that reaches the precision of float64, or takes many times the iterations of exact
// arithmetic, is finished in 512-bit arithmetic: up to 2^21 for (n+d) k (dk)^2, and 2^14 for nk.
//
// A Newton is a value that goroutines may share.
type Newton struct {
	// Forcing ends the inner loop once an iteration improves the quadratic model by less than
	// Forcing times the mean improvement so far. A residual below a fifth of Forcing times the
	// first residual ends it too. It lies in (0, 1); 0 means 0.5.
	Forcing float64
	// MaxInner bounds the inner iterations of a step; 0 means 250.
	MaxInner int
}

// Name returns softmax-newton.
func (Newton) Name() string { return "softmax-newton" }

func (m Newton) withDefaults() Newton {
	m.Forcing, m.MaxInner = truncated.Defaults(m.Forcing, m.MaxInner)
	return m
}

func (m Newton) check() error { return truncated.Check(m.Forcing, m.MaxInner) }

// Solve minimises p. The result holds the weights class after class, X.Cols() numbers each, as
// model.New takes them. The gap is ||grad P||^2/(2 lambda) plus a bound of the rounding error. The
// bound uses the norms of rows and weights; before a run ends as stalled, one more pass on one
// goroutine bounds the error entry by entry. Settings are as in erm.Solve; a pass is one over the
// rows for all classes.
//
// With Settings.Shards every gradient and product is a sum over shards, as for rows in a file, whose bits the
// result has; the ascent, samples, steps of the intercepts alone and numbers of more bits are left out then.
//
// Memory beside the data: 48 bytes a row and class, 72 a column and class, and 12 d^2 for the
// factor of up to 2048 columns d. Intercepts take 8 bytes a pair of classes, and 4 a row; up to 64
// classes also up to 4 bytes a row and class. A sample is a copy of its rows.
func Solve(ctx context.Context, p *Problem, m Newton, settings solvers.Settings) (*solvers.Result, error) {
	if err := (*risk.Classes)(p).Check(); err != nil {
		return nil, err
	}
	if p.Penalty != nil {
		return nil, fmt.Errorf("softmax: %s takes squares alone; SolveSparse takes the penalty %v", m.Name(), p.Penalty)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("softmax: %s: %w", m.Name(), err)
	}
	m = m.withDefaults()
	if settings.Shards > 0 {
		return solveMemory(ctx, p, m, settings)
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "softmax", Solver: m.Name(), Columns: p.X.Cols() * p.Count, Accepts: accepts,
		Begin: func(s *run.Session) (run.Run, error) {
			o := newObjective(p, s.Pool)
			l := newLoop(m, o, s.Settings, s.Random)
			return run.Run{
				Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true,
				Evaluate:   func(w []float64) run.Evaluation { return newObjective(p, s.Pool).evaluate(w) },
				AtZero:     o.atZero,
				Certify:    o.certify,
				Settle:     o.settle,
				Parameters: m,
				Data:       func(pool *matrix.Pool) (checkpoint.Identity, error) { return identity(p, pool) },
			}, nil
		},
	})
}

// futile is the number of steps in a row without a decrease or half the gradient that end a run.
const futile = 3

// loop is at one of five stages: in the ascent that comes first; before its first point; within
// the conjugate gradients of a step; about to take the step; about to continue in numbers of more
// bits.
type loop struct {
	*objective
	Newton

	// start is the ascent of the dual, or nil.
	start *ascent
	// initial is where the run begins, nil for 0, and floor the objective there: the ascent
	// has to end at a better point.
	initial []float64
	floor   float64
	begun   bool // floor is known

	truncated.Inner
	w, g               []float64 // d by k
	balance            *balance  // nil without intercepts, or where they are dear
	stepMargin, margin []float64 // n by k: of the step and of the direction
	next, slope        []float64 // d by k: a point along the step and its gradient, of rows in shards
	metric             *metric
	out                []float64 // w, class after class
	loss               float64   // P(w)
	least              float64   // gradient norm of all steps' ends, or up to twice as much
	stuck              int
	started, opened    bool // at a point, in a step
	finishing          bool // in numbers of more bits
	work               int  // conjugate-gradient iterations, since that was tried
}

func newLoop(m Newton, o *objective, settings solvers.Settings, random *random.Source) *loop {
	l := &loop{objective: o, Newton: m, g: o.g, w: make([]float64, o.d*o.k), out: make([]float64, o.d*o.k)}
	l.floor = o.atZero()
	if settings.Initial != nil {
		l.initial = make([]float64, o.d*o.k)
		o.byColumn(l.initial, settings.Initial)
		for j := range o.held / o.k {
			centre(o.row(l.initial, j)) // as the best weights are
		}
		copy(l.w, l.initial)
	}
	if o.beside != nil {
		l.startIntercepts()
	}
	switch {
	case o.swept != nil:
		l.next, l.slope = make([]float64, o.d*o.k), make([]float64, o.d*o.k)
		return l
	case o.beside != nil:
		l.balance = newBalance(o)
		return l
	}
	if o.d > o.n {
		target := settings.GapTolerance
		if g := settings.GradientTolerance; g > 0 {
			target = max(target, float64(g*g)/(2*o.p.Lambda))
		}
		l.start = newAscent(o, l.w, target, random)
	}
	return l
}

// prepare makes what Newton's method needs, which a run that the ascent ends does without.
func (l *loop) prepare() {
	if l.metric != nil {
		return
	}
	o := l.objective
	if o.swept == nil {
		l.stepMargin, l.margin = make([]float64, o.n*o.k), make([]float64, o.n*o.k)
	}
	l.metric = newMetric(o, l.out)
	forcing := l.Forcing
	if l.metric.sample != nil {
		forcing *= 0.2 // an iteration costs little beside a step
	}
	l.Inner = truncated.New(o.d*o.k, l.metric, o.x.Pool, nil, forcing, l.MaxInner)
}

// Next takes rows of the ascent, evaluates the starting point, does one conjugate-gradient
// iteration, takes a step, or finishes the run.
func (l *loop) Next(c *run.Control) {
	switch {
	case l.swept != nil:
		if err := l.sweep(c); err != nil {
			c.Break(err)
		}
	case l.start != nil && !l.begun:
		l.begin(c)
	case l.start != nil:
		l.ascend(c)
	case !l.started:
		l.enter(c)
	case l.finishing:
		l.finish(c)
	case !l.Ready:
		if !l.opened {
			l.open()
		}
		l.conjugate(c)
	default:
		l.search(c)
	}
}

// beyond bounds the gap, in tolerances, at which the ascent continues after it expected at most
// one tolerance. That gap comes from the gradient, which Newton's method lowers faster.
const beyond = 16

// begin evaluates a point that the run was given. The ascent begins there if the dual is above 0,
// its value at W = 0.
func (l *loop) begin(c *run.Control) {
	l.begun = true
	if l.initial == nil {
		return
	}
	e := l.evaluateAnew(c)
	l.floor = min(l.floor, e.Objective)
	switch {
	case e.Gap < e.Objective:
		l.report(c, e)
		l.start.from(l.initial, l.g)
	default:
		if e.Objective-e.Objective == 0 {
			l.report(c, e)
		}
		clear(l.w)
	}
}

// ascend takes rows of the ascent.
func (l *loop) ascend(c *run.Control) {
	l.start.next(c)
	if l.start.certify {
		l.start.certify = false
		if e := l.evaluateAnew(c); e.Objective <= l.floor {
			l.report(c, e)
			l.start.over = l.start.over || !(e.Gap <= beyond*l.start.target)
		}
	}
	if l.start.over {
		l.start = nil
	}
}

// enter evaluates the point that Newton's method begins at.
func (l *loop) enter(c *run.Control) {
	e := l.evaluateAnew(c)
	if l.begun && !(e.Objective <= l.floor) {
		clear(l.w)
		if l.initial != nil && l.floor < l.atZero() {
			copy(l.w, l.initial)
		}
		e = l.evaluateAnew(c)
	}
	l.arrive(c, e)
}

// evaluateAnew evaluates w by its margins as computed anew.
func (l *loop) evaluateAnew(c *run.Control) run.Evaluation {
	direct.Must(matrix.MulDense(l.x.Matrix, l.x.Pool, l.z, l.w, l.k))
	return l.evaluateHere(c)
}

// evaluateHere evaluates w by its margins in z, once its intercepts are the best ones for the other
// weights, where they are cheap.
func (l *loop) evaluateHere(c *run.Control) run.Evaluation {
	c.Gradients(l.n)
	l.slopes(l.z)
	if l.balance != nil {
		l.balance.run(l.w, l.z)
	}
	return l.gather(l.g, l.w)
}

// arrive reports the iterate, which a step begins at.
func (l *loop) arrive(c *run.Control, e run.Evaluation) {
	l.loss, l.started, l.opened, l.Ready = e.Objective, true, false, false
	l.report(c, e)
}

// open sets up the conjugate gradients of a step.
func (l *loop) open() {
	l.prepare()
	direct.Must(l.metric.refresh(nil))
	clear(l.stepMargin)
	l.Open(l.g)
	l.opened = true
}

func (l *loop) report(c *run.Control, e run.Evaluation) {
	l.byClass(l.out, l.w)
	c.Reached(l.out, e)
}

// conjugate does one iteration on H s = -g.
func (l *loop) conjugate(c *run.Control) {
	sample := l.metric.sample
	if sample != nil {
		sample.product(l.Product, l.Direction)
		c.Gradients(len(sample.list))
	} else {
		l.objective.product(l.Product, l.margin, l.Direction)
		c.Gradients(l.n)
	}
	l.metric.age++
	l.work = min(l.work+1, checkpoint.MostCount)
	alpha, curved := l.Advance()
	switch {
	case sample != nil: // the search multiplies
	case curved:
		l.Vectors.Axpy(alpha, l.margin, l.stepMargin)
	case l.Iterations == 1:
		copy(l.stepMargin, l.margin)
	}
}

// search backtracks from the full step until the objective falls by a share of what its
// slope promises, and goes there.
func (l *loop) search(c *run.Control) {
	w, step := l.w[:l.held], l.Step[:l.held]
	slope, across := l.Vectors.Dot(l.g, l.Step), l.Vectors.Dot(w, step)
	here, there := l.Vectors.SquaredNorm(w), l.Vectors.SquaredNorm(step)
	alpha, found, fell := 1.0, false, false
	sample, fresh := l.metric.sample, false
	if sample != nil {
		l.ahead()
		fresh = true
	}
	for range truncated.Halvings {
		if !fresh {
			l.Vectors.ScaleAdd(l.margin, alpha, l.stepMargin, 1, l.z)
		}
		norm := math.FMA(alpha, math.FMA(alpha, there, float64(2*across)), here)
		value := math.FMA(0.5*l.p.Lambda, norm, l.lossAt(l.margin))
		if l.falls(value, alpha, slope) {
			found, fell = true, value < l.loss
			break
		}
		if fresh {
			l.Vectors.ScaleAdd(l.stepMargin, 1, l.margin, -1, l.z)
			fresh = false
		}
		if alpha *= 0.5; float64(alpha*-slope) <= 0.01*truncated.Hidden*math.Abs(l.loss) {
			break
		}
	}
	if !found {
		alpha = 0
	}
	before := direct.Norm(l.g)
	l.Vectors.Axpy(alpha, l.Step, l.w)
	centre(l.w[l.held:])
	var e run.Evaluation
	if fresh {
		l.z, l.margin = l.margin, l.z
		e = l.evaluateHere(c)
	} else {
		e = l.evaluateAnew(c)
	}
	c.Iterations(1, 0, 0)
	if sample != nil && (!fresh || e.GradientNorm > float64(slow*before)) {
		l.metric.widen()
	}
	l.count(e, fell)
	if target := c.Settings().GapTolerance; (l.stuck == 1 || l.stuck == futile) && target > 0 && !(e.Gap <= target) {
		// Where columns differ in scale, most of the gap is rounding that may have been.
		l.sharpen(&e, l.w)
		c.Gradients(l.n)
	}
	if target := c.Settings().GapTolerance; target > 0 && !(e.Gap <= target) && l.exhausted(c) {
		l.finishing = true
		return
	}
	l.arrive(c, e)
	if l.stuck >= futile {
		c.End(solvers.Stalled)
	}
}

// falls tells whether the objective falls from the iterate to a value by a share of what the slope promises.
func (l *loop) falls(value, alpha, slope float64) bool {
	lost := 1e-15
	if float64(alpha*-slope) <= truncated.Hidden*math.Abs(l.loss) {
		lost = truncated.Hidden
	}
	return value <= l.loss+float64(truncated.Decrease*alpha*slope)+float64(lost*math.Abs(l.loss))
}

// count counts the steps in a row that gained nothing.
func (l *loop) count(e run.Evaluation, fell bool) {
	if l.least == 0 || e.GradientNorm <= 0.5*l.least {
		l.least, fell = e.GradientNorm, true
	}
	if l.stuck++; fell {
		l.stuck = 0
	}
}

// slow is the share of the gradient that a step may leave, or a sample is too small.
const slow = 0.7

// ahead computes the margins at the end of the full step.
func (l *loop) ahead() {
	w := l.out
	l.Vectors.ScaleAdd(w, 1, l.w, 1, l.Step)
	centre(w[l.held:])
	direct.Must(matrix.MulDense(l.x.Matrix, l.x.Pool, l.margin, w, l.k))
}

// exhausted tells whether a small problem is to be finished in numbers of more bits: the run is
// about to stall, or its steps have taken many times the iterations of exact arithmetic.
func (l *loop) exhausted(c *run.Control) bool {
	return (l.stuck >= futile || c.Stalling() || l.work > truncated.Patience(len(l.w))) && precise.FitsClasses(l.n, l.d, l.k)
}

// finish looks for the minimum in numbers of 512 bits, as erm.Newton does. Where the run is to
// end meanwhile, nothing has changed.
func (l *loop) finish(c *run.Control) {
	p, ended := l.p, false
	gap, steps := (*precise.Classes)(p).Minimise(l.w, c.Settings().GapTolerance, func() bool {
		ended = ended || c.Over()
		return ended
	})
	if ended {
		return
	}
	l.finishing, l.work = false, 0
	c.Gradients(steps * l.n)
	e := l.evaluateAnew(c)
	e.Gap = min(e.Gap, gap)
	l.arrive(c, e)
	if l.stuck >= futile {
		c.End(solvers.Stalled)
	}
}

// Current writes the iterate, class after class.
func (l *loop) Current(w []float64) { l.byClass(w, l.w) }

// State visits the loop's state.
func (l *loop) State(c *checkpoint.Coder) {
	starting := l.start != nil
	c.Bool(&starting)
	c.Float64(&l.floor)
	c.Bool(&l.begun)
	switch {
	case starting && l.start == nil:
		c.Fail(errors.New("an ascent of the dual, which this run has not"))
		return
	case starting:
		l.start.state(c)
		return
	}
	l.start = nil
	l.prepare()
	for _, v := range [][]float64{l.w, l.g, l.z, l.stepMargin} {
		c.Floats(v)
	}
	c.Float64(&l.loss)
	c.Float64(&l.least)
	l.Inner.State(c)
	c.Count(&l.stuck, checkpoint.MostCount)
	c.Bool(&l.started)
	c.Bool(&l.opened)
	c.Bool(&l.finishing)
	c.Count(&l.work, checkpoint.MostCount)
	l.metric.state(c)
	if c.Restoring() && c.Err() == nil && l.started && l.swept == nil {
		l.slopes(l.z)
		l.metric.restore()
	}
}
