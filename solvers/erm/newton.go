package erm

import (
	"errors"
	"math"

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
// the products already, and a new gradient costs half a pass. By shards nothing of a row is kept:
// the last iteration costs a pass, and so does a trial point, which brings its gradient too. The
// first trial of a step is mostly the last; a further pass tries 16 shorter steps.
//
// Preconditioner: the diagonal of the Hessian. Up to 2048 columns, the Cholesky factor of the
// Hessian replaces it once the iterations have cost as much as the factor does (package cost).
// The factor is formed again after as much work, or after twice as much if the gap is within ten
// times the tolerance. It takes 12 d^2 bytes and counts as no pass.
//
// For a loss with the same curvature everywhere the model is the objective. Inner loops then go on
// to the tolerance of the gap, and each may take as many iterations as all loops before it. Where
// the Hessian costs at most 4 passes (package cost), it is formed at once, on all rows, and its
// factor serves every step. A gradient then improves the solution like iterative refinement.
//
// Intercept: its row of the Hessian is exact in the preconditioner, which costs half a pass a step
// unless all values are ones. After a step it takes one more by itself, which costs O(rows).
// It begins at the best constant. By shards, where a loss costs a pass, it takes no step by itself.
//
// Start: with lambda > 0 and without Settings.Initial, a run on at least 64 rows a column begins
// on a sample of one row in 8. It continues from the point and the factor found there; points are
// recorded from then on. By shards the sample has short runs of rows.
//
// Stalls: a run that conjugate gradients take nowhere finds its steps by an orthogonal
// factorisation, if (rows + columns) columns are at most 2^18. By shards every process collects all
// rows for that, in one pass.
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

// targetShare is the share of the tolerance of the gap that conjugate gradients go on to, where the
// loss has the same curvature everywhere.
const targetShare = 0.25

// leastInner iterations of such a loop, or as many as all loops before it took, end it too unless its
// end is near: a run that is cut short then has a point.
const leastInner = 16

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
	all := newInMemory(t.full)
	var first oracle = all
	if step := sampleStep(t); step > 1 && !(t.settings.GapTolerance > 0 && directly(t.p, all.gramCost())) {
		list := sampleRows(t.p.X.Rows(), step)
		part := newObjective(risk.Pick(t.p, t.pool, list), t.pool, t.full.lent)
		part.write()
		few := newInMemory(part)
		few.lasting = true
		first = few
	}
	l := newNewtonLoop(m, t.p, first, all, t.pool, t.full.lent, t.settings)
	return l, m, nil
}

func (m Newton) beginSharded(f *sharded, settings solvers.Settings) (*newtonLoop, Newton) {
	m = m.withDefaults()
	var first oracle = f
	if part := newShardedSample(f.n, f.d, f.p.Ridge(), settings.Initial); part != nil {
		first = f.only(part)
	}
	return newNewtonLoop(m, f.p, first, f, f.pool, nil, settings), m
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
	o := newInMemory(full)
	l := newNewtonLoop(Newton{}.withDefaults(), p, o, o, pool, nil, settings)
	copy(l.w, w)
	l.handed, l.numbering = true, numbering
	return l
}

// newNewtonLoop begins on the rows of first and goes on with the rows of all.
func newNewtonLoop(m Newton, p *Problem, first, all oracle, pool *matrix.Pool, lent *direct.Workspace, settings solvers.Settings) *newtonLoop {
	_, d := all.size()
	l := &newtonLoop{p: p, o: first, all: all, settings: settings}
	l.w, l.g = make([]float64, d), lent.Zeros(d) // the result may keep the weights
	l.next, l.slope = l.w, l.g
	if all.rows() == nil {
		l.next, l.slope = make([]float64, d), make([]float64, d)
	}
	if copy(l.w, settings.Initial); settings.Initial == nil {
		first.constant(l.w)
	}
	l.metric = newPreconditioner(first, p, d, pool, lent, settings.GapTolerance > 0)
	l.Inner = truncated.New(d, l.metric, pool, lent, m.Forcing, m.MaxInner)
	return l
}

// newtonLoop is Newton's method over any rows. A run begins on a sample of them, or on all. At each
// point it prepares a step, finds the step by conjugate gradients, and searches along it. An
// iteration changes its state when all its sweeps have succeeded.
type newtonLoop struct {
	truncated.Inner
	metric *preconditioner
	points
	p        *Problem // but for its rows
	o        oracle   // of the rows that the run is on
	all      oracle   // of all rows
	settings solvers.Settings

	loss      float64 // P(w)
	started   bool    // w has been evaluated
	prepared  bool    // the step at w has begun
	finishing bool    // in numbers of more bits

	handed bool // another method led to the starting point
	// numbering maps the columns of p, if another method handed over with its own column numbers.
	numbering *run.Numbering
	stage     handover.Stage // nil for a problem that stays
	steps     int            // done
	wide      bool           // curvatures come from majorizerCurvature
	prospects
}

// sampled tells whether the run is on a sample of the rows.
func (l *newtonLoop) sampled() bool { return l.o != l.all }

// Next evaluates the starting point, prepares a step, does one conjugate-gradient iteration, takes
// a step, or finishes the run.
func (l *newtonLoop) Next(c *run.Control) {
	var err error
	switch {
	case l.sampled() && l.settled():
		err = l.begin(c, l.all)
	case !l.started:
		err = l.begin(c, l.o)
	case l.finishing:
		l.finish(c)
	case !l.prepared:
		err = l.prepare(c)
	case !l.Ready:
		err = l.conjugate(c)
	default:
		err = l.search(c)
	}
	if err != nil {
		c.Break(err)
	}
}

// arrive reports the iterate.
func (l *newtonLoop) arrive(c *run.Control, e run.Evaluation) {
	l.Iterations, l.Ready, l.prepared = 0, false, false
	if l.stage != nil {
		var ended bool
		if e, ended = l.pass(c, e); ended {
			return
		}
	} else if !l.sampled() && l.reach(c, e) {
		return // no step follows
	}
	l.loss = e.Objective
	l.metric.near = !l.sampled() && l.settings.GapTolerance > 0 && e.Gap <= nearTarget*l.settings.GapTolerance
	l.o.curve(l.w, l.wide)
	if l.p.Intercept && straight(l.p) && !l.wide && !l.o.bends() {
		l.wide = true // nothing else bends along the intercept
		l.o.curve(l.w, true)
	}
}

func (l *newtonLoop) reach(c *run.Control, e run.Evaluation) (converged bool) {
	if l.numbering == nil {
		return c.Reached(l.w, e)
	}
	w, err := l.numbering.InUser(l.w)
	direct.Must(err)
	return c.Reached(w, e)
}

// prepare begins the step at the iterate, or finds all of it.
func (l *newtonLoop) prepare(c *run.Control) error {
	if l.orthogonal() {
		rows := l.o.rows()
		if rows == nil {
			return l.gather(c)
		}
		l.work++
		square := rows.orthogonalStep(l.w, l.Step)
		l.Model, l.Ready = 0.5*square, true
	} else {
		if err := l.metric.refresh(); err != nil {
			return err
		}
		l.Exact, l.Target = l.metric.exact(), 0
		if l.p.Loss.Quadratic() && !l.sampled() && l.settings.GapTolerance > 0 {
			l.Target = float64(targetShare * float64(2*l.p.Ridge()*l.settings.GapTolerance))
		}
		l.Open(l.g)
	}
	l.prepared = true
	l.countRows(c)
	return nil
}

// countRows tells c how many rows the iteration used.
func (l *newtonLoop) countRows(c *run.Control) { c.Gradients(l.o.used()) }

// conjugate does one iteration on H s = -g.
func (l *newtonLoop) conjugate(c *run.Control) error {
	done, curved, alpha := false, true, 0.0
	if l.Foreseen {
		// The curvature along the direction is all that the last product is needed for.
		if bend, cheaper := l.o.bend(l.Direction); cheaper {
			alpha, done = l.Last(bend)
		}
	}
	if !done {
		if err := l.o.product(l.Product, l.Direction); err != nil {
			return err
		}
		alpha, curved = l.Advance()
	}
	l.o.follow(alpha, curved, l.Iterations == 1)
	l.countRows(c)
	l.metric.age++
	l.work = min(l.work, l.budget()) + 1
	if l.Target > 0 && !l.Exact {
		left := l.Left()
		l.Ready = l.Ready || l.metric.due() && left > l.metric.cost || l.Iterations >= max(leastInner, l.work-l.Iterations) && left > leastInner/2
	}
	return nil
}

// search backtracks from the full step until the objective falls by a share of what its slope
// promises, and goes there.
func (l *newtonLoop) search(c *run.Control) error {
	if size := kernels.MaxAbs(l.Step); size-size != 0 {
		clear(l.Step) // next to no curvature: no length of this step is of use
	}
	w, step := risk.Held(l.p, l.w), risk.Held(l.p, l.Step)
	slope, across := l.Vectors.Dot(l.g, l.Step), l.Vectors.Dot(w, step)
	exact := l.Iterations == 0
	if exact {
		slope = -2 * l.Model
	}
	here, there := l.Vectors.SquaredNorm(w), l.Vectors.SquaredNorm(step)
	seen, alpha := l.prospects, 1.0
	for attempt := 0; ; attempt++ {
		mean, err := l.o.along(&l.points, l.Step, alpha)
		if err != nil {
			return err
		}
		norm := math.FMA(alpha, math.FMA(alpha, there, float64(2*across)), here)
		value := math.FMA(0.5*l.p.Ridge(), norm, mean)
		fell := value <= math.FMA(truncated.Decrease*alpha, slope, l.loss)
		hidden := math.Abs(float64(alpha*slope)) <= truncated.Hidden*math.Abs(l.loss) // by rounding
		if fell || hidden || attempt == truncated.Halvings {
			if !(value <= l.loss+float64(1e-9*math.Abs(l.loss))) {
				alpha = 0 // no part of the step is of use
				seen.work = max(seen.work, l.budget()+1)
			}
			break
		}
		alpha *= 0.5
	}
	e, err := l.o.move(&l.points, l.Step, alpha, l.Iterations)
	if err != nil {
		return err
	}
	flat := l.Iterations == 1 && l.Model == 0 // without curvature: the step is the first direction
	if seen.promised = l.Model; flat {
		seen.promised = float64(-alpha * slope)
	}
	if !l.sampled() {
		spent := seen.spent(&e, l.loss)
		// Where a column is very large, the gradient may be too at the best float64.
		if spent && !run.Reaches(&l.settings, e) && l.settings.GapTolerance > 0 && (seen.futile == 1 || seen.futile == mostTries) {
			if e, err = l.o.sharpen(e, l.next); err != nil {
				return err
			}
		}
		if (spent || c.Stalling()) && !run.Reaches(&l.settings, e) && l.settings.GapTolerance > 0 && !exact {
			if seen.work = max(seen.work, l.budget()+1); l.fitsOrthogonal() {
				seen.futile = 0
				c.Turn()
			}
		}
	}
	l.points.arrive()
	l.prospects = seen
	l.wide = straight(l.p) && (flat || alpha < 1) // that step was too long
	l.steps++
	l.countRows(c)
	if !l.sampled() {
		c.Iterations(1, 0, 0)
		if l.exhausted(c) && !run.Reaches(&l.settings, e) {
			l.Iterations, l.Ready, l.finishing = 0, false, true
			return nil
		}
	}
	l.arrive(c, e)
	if l.futile >= mostTries && !l.sampled() && !run.Reaches(&l.settings, e) {
		c.End(solvers.Stalled)
	}
	return nil
}

// Current writes the iterate.
func (l *newtonLoop) Current(w []float64) { l.numbering.Outer(w, l.w) }

// State visits the loop's state.
func (l *newtonLoop) State(c *checkpoint.Coder) {
	sampled, inMemory := l.sampled(), l.o.rows() != nil
	c.Bool(&sampled)
	c.Bool(&inMemory)
	switch {
	case sampled && !l.sampled():
		c.Fail(errors.New("a run on a sample, which this one has not"))
		return
	case !sampled && l.sampled():
		l.over(l.all)
	}
	if inMemory && l.o.rows() == nil {
		if err := l.toMemory(); err != nil {
			c.Fail(err)
			return
		}
	}
	for _, v := range [][]float64{l.w, l.g} {
		c.Floats(v)
	}
	c.Float64(&l.loss)
	l.Inner.State(c)
	for _, v := range []*float64{&l.promised, &l.least} {
		c.Float64(v)
	}
	for _, v := range []*int{&l.steps, &l.futile, &l.work} {
		c.Count(v, checkpoint.MostCount)
	}
	for _, v := range []*bool{&l.started, &l.prepared, &l.finishing, &l.wide} {
		c.Bool(v)
	}
	if l.finishing && (l.sampled() || !l.fitsPrecise()) {
		c.Fail(errors.New("a run in numbers of more bits, which this one does not fit"))
		return
	}
	l.metric.state(c)
	if l.started && c.Err() == nil {
		l.o.state(c, l.w, l.Step, l.Iterations)
	}
	if c.Restoring() && l.started && c.Err() == nil {
		l.o.curve(l.w, l.wide)
	}
}
