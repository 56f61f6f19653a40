package erm

import (
	"context"
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// shardedNewton is Newton's method where the rows are cut into shards. It keeps vectors
// of one element a column alone: margins and curvatures are computed anew in every sweep,
// so that rows may be anywhere and checkpoints fit any number of ranks. A trial point
// costs a pass, which brings its gradient too; the first of a step is mostly the last.
//
// Without a starting point it begins on a sample of the rows, as Newton says; the vectors
// are the same.
//
// Every iteration sweeps first and changes its state when all sweeps have succeeded.
type shardedNewton struct {
	newtonInner
	f *sharded

	w, g  []float64 // the iterate and its gradient
	trial []float64 // w + alpha s
	slope []float64 // the gradient there
	loss  float64   // P(w)
	prospects

	steps     int  // on the sample that the run began on
	evaluated bool // w has been
	prepared  bool // the step at w has begun
	work      int  // conjugate-gradient iterations of the run, up to their budget and one more

	pool  *matrix.Pool
	whole *newtonLoop // the run without shards that this one handed its point to, or nil
}

func (m Newton) beginSharded(f *sharded, pool *matrix.Pool, initial []float64) (*shardedNewton, Newton) {
	m = m.withDefaults()
	l := &shardedNewton{f: f, pool: pool}
	for _, v := range []*[]float64{&l.w, &l.g, &l.trial, &l.slope} {
		*v = make([]float64, f.d)
	}
	if copy(l.w, initial); initial == nil {
		l.constant(l.w)
	}
	f.w = l.w
	f.use(newShardedSample(f.n, f.d, f.p.Ridge(), initial))
	l.newtonInner = newNewtonInner(m, newPreconditioner(f, f.p, f.d, pool, nil), pool, nil)
	return l, m
}

// Next evaluates the starting point, begins a step, does one conjugate-gradient
// iteration, or takes the step.
func (l *shardedNewton) Next(c *run.Control) {
	var err error
	switch {
	case l.whole != nil:
		l.whole.Next(c)
	case l.f.part != nil && settledStart(l.steps, l.promised, l.loss, l.f.count()):
		err = l.goOn(c)
	case !l.evaluated:
		err = l.begin(c)
	case !l.prepared:
		err = l.prepare()
	case !l.Ready:
		err = l.conjugate(c)
	default:
		err = l.search(c)
	}
	if err != nil {
		l.f.kept = false // it may be of a point that was left
		c.Break(err)
	}
}

func (l *shardedNewton) begin(c *run.Control) error {
	e, err := l.f.gradient(l.g, l.w, true)
	if err != nil {
		return err
	}
	c.Gradients(l.f.count())
	l.evaluated = true
	l.f.widen(l.f.straight())
	l.arrive(c, e)
	return nil
}

// constant makes w the point that a run begins at: 0, but for an intercept.
func (l *shardedNewton) constant(w []float64) {
	clear(w)
	if l.f.p.Intercept {
		w[len(w)-1] = l.f.constant
	}
}

// goOn continues with all rows from the sample's point, or from 0 if that is better, with the
// factor found on the sample.
func (l *shardedNewton) goOn(c *run.Control) (err error) {
	part := l.f.part
	l.f.use(nil)
	defer func() {
		if err != nil {
			l.f.use(part)
		}
	}()
	l.f.wide = false
	copy(l.trial, l.w)
	e, err := l.f.gradient(l.slope, l.trial, true)
	if err != nil {
		return err
	}
	passes := 1
	if !(e.Objective <= l.f.zero) {
		l.constant(l.trial)
		if e, err = l.f.gradient(l.slope, l.trial, true); err != nil {
			return err
		}
		passes++
	}
	c.Gradients(passes * l.f.n)
	l.f.widen(l.f.straight())
	copy(l.w, l.trial)
	l.g, l.slope = l.slope, l.g
	l.prospects = prospects{}
	l.rest()
	l.arrive(c, e)
	return nil
}

// rest sets the preconditioner up for sums over all rows.
func (l *shardedNewton) rest() {
	m := l.metric
	m.cost, m.age = l.f.gramCost(), 0
}

// arrive reports the iterate.
func (l *shardedNewton) arrive(c *run.Control, e run.Evaluation) {
	l.loss, l.prepared = e.Objective, false
	if l.f.part == nil {
		c.Reached(l.w, e)
	}
}

func (l *shardedNewton) prepare() error {
	if err := l.metric.refresh(); err != nil {
		return err
	}
	l.Open(l.g)
	l.prepared = true
	return nil
}

func (l *shardedNewton) conjugate(c *run.Control) error {
	if err := l.f.hessian(l.Product, l.Direction); err != nil {
		return err
	}
	c.Gradients(l.f.count())
	l.work = min(l.work, truncated.Patience(l.f.d)) + 1
	l.metric.age++
	l.Advance()
	return nil
}

// search looks for a step length, and goes there. Where the full step is too long, a
// sweep tries many shorter ones.
func (l *shardedNewton) search(c *run.Control) error {
	f := l.f
	w, step := risk.Held(f.p, l.w), risk.Held(f.p, l.Step)
	slope, across := direct.Dot(l.g, l.Step), direct.Dot(w, step)
	here, there := kernels.SquaredNorm(w), kernels.SquaredNorm(step)
	passes, length := 1, 1.0
	e, err := l.try(1)
	if err != nil {
		return err
	}
	if !acceptable(e.Objective, 1, slope, l.loss) {
		alpha, value := 1.0, e.Objective
		found := false
		for tried := 0; !found && tried < truncated.Halvings; tried += alphas {
			var list [alphas]float64
			for k := range list {
				list[k] = math.Ldexp(1, -tried-k-1)
			}
			losses, err := f.along(&list, l.Step)
			if err != nil {
				return err
			}
			passes++
			for k := range list {
				alpha = list[k]
				norm := math.FMA(alpha, math.FMA(alpha, there, float64(2*across)), here)
				value = math.FMA(0.5*f.p.Ridge(), norm, losses[k])
				if found = acceptable(value, alpha, slope, l.loss); found {
					break
				}
			}
		}
		if worse(value, l.loss) {
			alpha = 0
		}
		if e, err = l.try(alpha); err != nil {
			return err
		}
		passes++
		length = alpha
	} else if worse(e.Objective, l.loss) {
		if e, err = l.try(0); err != nil {
			return err
		}
		passes++
		length = 0
	}
	seen := l.prospects
	seen.promised = l.Model
	if l.flat() {
		seen.promised = float64(-length * slope)
	}
	over := false
	if f.part == nil && seen.spent(&e, l.loss) && !run.Reaches(&f.settings, e) {
		// Where columns differ in scale, most of the gap is rounding that may have been.
		if f.settings.GapTolerance > 0 && (seen.futile == 1 || seen.futile == mostTries) {
			if err := f.sharpen(&e, l.trial); err != nil {
				return err
			}
		}
		over = seen.futile >= mostTries && !run.Reaches(&f.settings, e)
	}
	hands := l.hands(e, over || c.Stalling())
	if hands {
		if err := l.hand(l.trial); err != nil {
			return err
		}
		passes++
		c.Turn()
	}
	copy(l.w, l.trial)
	l.g, l.slope = l.slope, l.g
	l.prospects = seen
	f.widen(wide(f.p, l.flat(), length) || f.straight())
	c.Gradients(passes * f.count())
	if f.part != nil {
		l.steps++
		l.arrive(c, e)
		return nil
	}
	c.Iterations(1, 0, 0)
	l.arrive(c, e)
	if over && !hands {
		c.End(solvers.Stalled)
	}
	return nil
}

// try evaluates w + alpha s.
func (l *shardedNewton) try(alpha float64) (run.Evaluation, error) {
	direct.ScaleAdd(l.trial, alpha, l.Step, 1, l.w)
	return l.f.gradient(l.slope, l.trial, true)
}

// Current writes the iterate.
func (l *shardedNewton) Current(w []float64) {
	if l.whole != nil {
		l.whole.Current(w)
		return
	}
	copy(w, l.w)
}

// certify is run.Run.Certify.
func (l *shardedNewton) certify(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation {
	if l.whole != nil {
		return l.whole.full.bounds.Improve(w, e, target, spent)
	}
	return l.f.certify(w, e, target, spent)
}

// State visits the loop's state.
func (l *shardedNewton) State(c *checkpoint.Coder) {
	handed := l.whole != nil
	if c.Bool(&handed); handed {
		if l.whole == nil {
			l.restoreWhole(c)
		}
		if c.Err() == nil {
			l.whole.State(c)
		}
		return
	}
	sampled := l.f.part != nil
	c.Bool(&sampled)
	switch {
	case sampled && l.f.part == nil:
		c.Fail(errors.New("a run on a sample, which this one has not"))
		return
	case !sampled && l.f.part != nil:
		l.f.use(nil)
		l.metric.cost = l.f.gramCost()
	}
	for _, v := range [][]float64{l.w, l.g} {
		c.Floats(v)
	}
	for _, v := range []*float64{&l.loss, &l.least, &l.promised} {
		c.Float64(v)
	}
	l.Inner.State(c)
	c.Count(&l.futile, checkpoint.MostCount)
	c.Count(&l.steps, checkpoint.MostCount)
	c.Count(&l.work, checkpoint.MostCount)
	for _, v := range []*bool{&l.evaluated, &l.prepared} {
		c.Bool(v)
	}
	if straight(l.f.p) {
		c.Bool(&l.f.wide)
	}
	l.metric.state(c)
}

// solveRows is Solve by shards, over rows from wherever they come. Of p it looks at the
// loss and lambda alone.
func solveRows(ctx context.Context, rows shards.Rows, p *Problem, m Newton, settings solvers.Settings, o shards.Options) (*solvers.Result, error) {
	return run.Solve(ctx, settings, run.Plan{
		Family: "erm", Solver: m.Name(), Columns: rows.Cols(), NoGap: noGap(p.Ridge()), Shards: true,
		Begin: func(s *run.Session) (run.Run, error) {
			f, err := newSharded(rows, p, s, o)
			if err != nil {
				return run.Run{}, err
			}
			loop, parameters := m.beginSharded(f, s.Pool, s.Settings.Initial)
			return run.Run{
				Samples: f.n, Loop: loop, Smooth: true, Reports: true,
				Evaluate: f.evaluate, AtZero: f.atZero, Certify: loop.certify, Settle: f.settle,
				Parameters: parameters, Data: func(*matrix.Pool) (checkpoint.Identity, error) { return f.identity() },
			}, nil
		},
	})
}
