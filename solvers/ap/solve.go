package ap

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/engine"
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
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := method.check(); err != nil {
		return nil, fmt.Errorf("ap: %s: %w", method.Name(), err)
	}
	model := p.model()
	starter, starts := model.(score.Starter)
	if !starts && settings.Initial == nil && settings.Resume == "" {
		return nil, errors.New("ap: this model cannot start by itself: give Settings.Initial")
	}
	return engine.Solve(ctx, settings, engine.Plan{
		Family: "ap", Solver: method.Name(), Columns: model.Parameters(), Endless: true, NoGap: "a ranking has no duality gap to reach",
		Begin: func(s *engine.Session) (engine.Run, error) {
			p, model, used := p, model, model.Parameters()
			if p.Model == nil && !method.Paper {
				x, numbering, err := s.Renumber(p.X)
				if err != nil {
					return engine.Run{}, err
				}
				if numbering != nil {
					inner := *p
					inner.X = x
					p, used = &inner, numbering.Used()
					linear := score.Linear{X: x}
					model, starter = linear, linear
				}
			}
			if _, linear := model.(score.Linear); !linear && !method.Paper {
				engine.FillIn(&method.Step, method.Algorithm.step()/8)
			}
			method := method.withDefaults()
			l, err := newLoop(p, model, used, s.Pool, method, s.Settings.Seed)
			if err != nil {
				return engine.Run{}, err
			}
			l.validated = s.Settings.Validation != nil
			l.looks = 1
			if l.validated || s.Settings.GradientTolerance > 0 {
				l.looks = evaluations
			}
			copy(l.w, s.Settings.Initial)
			opening := &score.Opening{
				Loop: l, Due: s.Settings.Initial == nil && (!method.Paper || p.Model != nil),
				Begin: func(c *engine.Control, due bool) error {
					if !due {
						return nil
					}
					if err := l.start(c, starter, p.Y, s.Settings); err != nil {
						return fmt.Errorf("ap: %w", err)
					}
					return nil
				},
			}
			return engine.Run{
				Samples: len(p.Y), Loop: opening, Reports: true, Evaluate: l.objective.evaluate, Parameters: method,
				Data: func(pool *sparse.Pool) (engine.Identity, error) {
					data, err := engine.IdentityOf(pool, p.X, p.Y, nil)
					return append(engine.Identity{}.With("model", score.Identity(model)).With("lambda", p.Lambda), data...), err
				},
			}, nil
		},
	})
}

// start writes the model's own starting point to l.w. A fit that ranks the training
// rows perfectly leaves to chance where between them it separates, and leans towards
// the negatives, which are many: one with balanced class weights takes its place
// where it is as perfect.
func (l *loop) start(c *engine.Control, model score.Starter, y []float64, settings solvers.Settings) error {
	var err error
	settings.MaxTime = c.TimeLeft()
	if l.warmPasses, err = model.Start(c.Context(), l.w, y, nil, settings); err != nil || c.Over() || !l.objective.perfect(l.w) {
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
	settings.MaxTime = c.TimeLeft()
	passes, err := model.Start(c.Context(), l.average, y, weight, settings)
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
	l.places = engine.NewBatches(m, ps, engine.DropTail, engine.NewRandom(seed))
	l.others = engine.NewBatches(len(l.negatives), ns, engine.DropTail, engine.NewRandom(^seed))
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
