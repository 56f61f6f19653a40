package ap

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/opening"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
)

// Method is a solver with its parameters: SOAP, SOAPAdam, SOAPAMSGrad, MOAPV1, MOAPV2, ADAP,
// ADAPAdaGrad, ADAPAMSGrad, ADAPAdaBound or SmoothAP. The zero value of each is ready for use and
// needs no tuning. It has a warm start from a logistic fit, raw scores and a sharp logistic
// surrogate. Its steps decrease linearly to a tenth, and it averages the second half of the
// iterates. Solvers are values that goroutines may share.
type Method interface {
	// Name is the solver's name, as in adap.
	Name() string
	// plan fills in what is 0; linear says that scores are.
	plan(linear bool) plan
}

// Solve trains a ranking. The methods have schedules that end the run, if the settings do not
// end it before. Settings.BatchSize is not read.
//
// Result.Objective is 1 minus the average precision on the training rows. Result.GradientNorm
// belongs to the surrogate on a fixed sample of rows. No duality gap is known. The result is the
// best evaluated point, by the validation metric if Settings have one, otherwise by the
// objective. In the paper's setting, without a validation metric, it is the last point. The
// starting point is one of the points: a logistic fit with lambda = 1/n unless Settings.Initial
// is given. If that fit ranks the training rows perfectly, a fit with balanced class weights is
// tried instead. The run then ends there if there is no validation metric.
//
// A linear model's columns are numbered by frequency where that pays
// (matrix.Renumber); nothing outside sees that. Columns without entries keep
// the weights that they begin with then.
//
// Memory beside the data: 20 bytes a positive row, 4 a row, 56 a column, where
// steps are lazy 80 a column; renumbered matrices are kept twice.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if method == nil {
		return nil, errors.New("ap: no method")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := family.Check(method); err != nil {
		return nil, err
	}
	model, paper := p.model(), method.plan(true).Paper
	starter, starts := opening.Of(model)
	if !starts && settings.Initial == nil && settings.Resume == "" {
		return nil, errors.New("ap: this model cannot start by itself: give Settings.Initial")
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "ap", Solver: method.Name(), Columns: model.Parameters(), Accepts: accepts, Objective: solvers.AveragePrecision, Scheduled: true,
		Begin: func(s *run.Session) (run.Run, error) {
			p, model, used := p, model, model.Parameters()
			if p.Model == nil && !paper {
				if x, numbering := s.Renumber(p.X, matrix.RenumberingPays); numbering != nil {
					inner := *p
					inner.X = x
					p, used = &inner, numbering.Used()
					model = score.Linear{X: x}
					starter, _ = opening.Of(model)
				}
			}
			_, linear := model.(score.Linear)
			l, err := newLoop(p, model, used, s.Pool, method.plan(linear), s.Settings.Seed)
			if err != nil {
				return run.Run{}, err
			}
			l.validated = s.Settings.Validation != nil
			l.looks = 1
			if l.validated || s.Settings.GradientTolerance > 0 {
				l.looks = run.Evaluations
			}
			copy(l.w, s.Settings.Initial)
			opened := &opening.Loop{
				Loop: l, Due: s.Settings.Initial == nil && (!paper || p.Model != nil),
				Fit: func() (int, error) {
					passes, err := l.start(s, starter, p.Y)
					if err != nil {
						err = fmt.Errorf("ap: %w", err)
					}
					return passes * len(p.Y), err
				},
			}
			return run.Run{
				Samples: len(p.Y), Loop: opened, Reports: true, Last: paper || l.Random, Evaluate: l.objective.evaluate, Parameters: l.plan,
				Data: func(pool *matrix.Pool) (checkpoint.Identity, error) {
					data, err := checkpoint.IdentityOf(pool, p.X, p.Y, nil)
					return append(checkpoint.Identity{}.With("model", ranking.Identity(model)).With("lambda", p.Lambda), data...), err
				},
			}, nil
		},
	})
}

// start writes the model's own starting point to l.w, and returns the passes it took. If a fit
// ranks the training rows perfectly, chance decides where it separates them, and it leans towards
// the many negatives. A fit with balanced class weights replaces it if that fit is as perfect.
func (l *loop) start(s *run.Session, model score.Starter, y []float64) (passes int, err error) {
	if passes, err = model.Start(s.Context, l.w, y, nil, s.TimeLeft()); err != nil || s.Ending() || !l.objective.perfect(l.w) {
		return passes, err
	}
	negative, positive, err := erm.BalancedWeights(y)
	if err != nil {
		return passes, err
	}
	weight, err := erm.ClassWeight(y, nil, negative, positive)
	if err != nil {
		return passes, err
	}
	more, err := model.Start(s.Context, l.average, y, weight, s.TimeLeft())
	if err == nil && l.objective.perfect(l.average) {
		copy(l.w, l.average)
	}
	return passes + more, err
}
