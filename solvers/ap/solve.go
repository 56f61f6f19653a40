package ap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Solve trains a ranking. The run ends with the method's schedule, or before, when
// settings say so: MaxPasses 0 means no bound here, and BatchSize is not read.
//
// Result.Objective is 1 minus the average precision on the training rows;
// Result.GradientNorm belongs to the surrogate on a fixed sample of rows; there is
// no duality gap. The result is the best point looked at, by the validation metric
// where there is one and else by the objective; the starting point, a logistic fit
// with lambda = 1/n unless Settings.Initial is given, is one of them. Where that fit
// ranks the training rows perfectly, one with balanced class weights is tried in its
// place, and where there is no validation metric, the run ends there.
//
// A linear model's columns are numbered by frequency where that pays
// (sparse.Matrix.Renumber); nothing outside sees that. Columns without entries keep
// the weights that they begin with then.
//
// Memory beside the data: 20 bytes a positive row, 4 a row, 56 a column, where
// steps are lazy 80 a column; renumbered matrices are kept twice.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	begun := time.Now()
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := method.check(); err != nil {
		return nil, fmt.Errorf("ap: %s: %w", method.Name(), err)
	}
	model := p.model()
	if settings.MaxPasses == 0 {
		settings.MaxPasses = math.Inf(1)
	}
	settings, err := settings.Check(model.Parameters())
	if err != nil {
		return nil, err
	}
	if settings.GapTolerance > 0 {
		return nil, errors.New("ap: a ranking has no duality gap to reach; set a gradient tolerance")
	}
	starter, starts := model.(score.Starter)
	if !starts && settings.Initial == nil && settings.Resume == "" {
		return nil, errors.New("ap: this model cannot start by itself: give Settings.Initial")
	}
	pool := sparse.NewPool(settings.Workers)
	defer pool.Close()
	settings.Workers = pool.Workers()
	used := model.Parameters()
	var numbering *solvers.Numbering
	if p.Model == nil && !method.Paper {
		inner := *p
		if inner.X, settings, numbering, err = solvers.Renumber(p.X, settings, pool); err != nil {
			return nil, err
		}
		if numbering != nil {
			p, used = &inner, numbering.Used()
			linear := score.Linear{X: p.X}
			model, starter = linear, linear
		}
	}
	if _, linear := model.(score.Linear); !linear && !method.Paper {
		solvers.FillIn(&method.Step, method.Algorithm.step()/8)
	}
	method = method.withDefaults()
	l, err := newLoop(p, model, used, pool, method, settings.Seed)
	if err != nil {
		return nil, fmt.Errorf("ap: %s: %w", method.Name(), err)
	}
	l.validated = settings.Validation != nil
	l.looks = 1
	if l.validated || settings.GradientTolerance > 0 {
		l.looks = evaluations
	}
	switch {
	case settings.Resume != "":
	case settings.Initial != nil:
		copy(l.w, settings.Initial)
	case !method.Paper || p.Model != nil:
		if err = l.start(ctx, starter, p.Y, settings); err != nil {
			return nil, fmt.Errorf("ap: %w", err)
		}
	}
	identity := ""
	if settings.Checkpoint != "" || settings.Resume != "" {
		data, err := (&erm.Problem{X: p.X, Y: p.Y, Lambda: p.Lambda}).Fingerprint(pool)
		if err != nil {
			return nil, err
		}
		identity = fmt.Sprintf("%s %+v %s seed=%d: %s", method.Name(), method, score.Identity(model), settings.Seed, data)
	}
	result, err := solvers.Drive(ctx, solvers.Run{
		Solver: method.Name(), Identity: identity, Samples: len(p.Y), Columns: model.Parameters(),
		Loop: l, Reports: true, Evaluate: l.objective.evaluate, Begun: begun,
	}, settings)
	return result, errors.Join(err, numbering.Restore(result))
}

// start writes the model's own starting point to l.w. A fit that ranks the training
// rows perfectly leaves to chance where between them it separates, and leans towards
// the negatives, which are many: one with balanced class weights takes its place
// where it is as perfect.
func (l *loop) start(ctx context.Context, model score.Starter, y []float64, settings solvers.Settings) error {
	var err error
	if l.warmPasses, err = model.Start(ctx, l.w, y, nil, settings); err != nil || ctx.Err() != nil || !l.objective.perfect(l.w) {
		return err
	}
	negative, positive, err := erm.BalancedWeights(y)
	if err != nil {
		return err
	}
	weight, err := erm.ClassWeight(y, nil, negative, positive)
	if err != nil {
		return err
	}
	passes, err := model.Start(ctx, l.average, y, weight, settings)
	l.warmPasses += passes
	if err == nil && l.objective.perfect(l.average) {
		copy(l.w, l.average)
	}
	return err
}

// newLoop returns a loop whose steps move the first parameters, the given number.
func newLoop(p *Problem, model score.Model, used int, pool *sparse.Pool, method Method, seed uint64) (*loop, error) {
	l := &loop{lambda: p.Lambda, power1: 1, power2: 1, constant: -1}
	if !method.Paper {
		l.constant = score.ConstantOf(model)
	}
	l.positives, l.negatives = score.Split(p.Y)
	m := len(l.positives)
	ps, ns := min(method.Positives, m), min(method.Negatives, len(l.negatives))
	gain := float64(m) / float64(ps)
	if method.Beta == 0 {
		method.Beta = 0.3
		if method.Algorithm.decaysAll() {
			method.Beta /= gain
		}
	}
	l.method = method
	for _, v := range []*[]float64{&l.w, &l.g, &l.average} {
		*v = make([]float64, model.Parameters())
	}
	l.used = used
	if linear, is := model.(score.Linear); is {
		l.lazy = newLazy(linear.X, used, &l.method, ps+ns)
	}
	if l.lazy == nil {
		l.m, l.v, l.sum = make([]float64, used), make([]float64, used), make([]float64, used)
		if method.Algorithm == ADAPAMSGrad {
			l.top = make([]float64, used)
		}
	}
	l.places = solvers.NewBatches(m, ps, solvers.DropTail, solvers.NewRandom(seed))
	l.others = solvers.NewBatches(len(l.negatives), ns, solvers.DropTail, solvers.NewRandom(^seed))
	var err error
	if l.batch, err = newBatch(model, method, ps, ns, m, len(p.Y)); err != nil {
		return nil, err
	}
	if l.objective, err = newObjective(p, model, pool, method, l.positives, l.negatives); err != nil {
		return nil, err
	}
	l.mine = newEstimates(m, method.Iterations, func(t int) float64 { return l.method.share(l.method.Beta, t) }, method.Algorithm.decaysAll())
	l.mine.project, l.mine.zero = method.Algorithm.projects(), method.Paper
	l.mine.most1, l.mine.most2 = float64(method.Bound*float64(m))/float64(len(p.Y)), method.Bound
	if method.Algorithm.decaysAll() {
		l.mine.gain = gain
	}
	if method.Algorithm == SmoothAP {
		l.mix = func(_ int, g1, g2, _ float64) (float64, float64) { return g1, g2 }
	} else {
		l.mix = func(k int, g1, g2, least float64) (float64, float64) {
			return l.mine.update(l.chosen[k], l.t, g1, g2, least)
		}
	}
	return l, nil
}
