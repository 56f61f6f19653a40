package pauc

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/opening"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
)

// Method is a solver with its parameters: AGDSBCD, DCA, ProxDCA, SVMTight, MiniBatch or
// AUCMargin for Solve, SoRRAGD, SoRRDCA or SoRRProxDCA for SolveRange. The zero value of
// each is ready for use and needs no tuning: it starts from a logistic fit. AGDSBCD and
// MiniBatch have a loss that is near to 0 and 1 for a right and a wrong pair.
// Solvers are values that goroutines may share.
type Method interface {
	// Name is the solver's name, as in agd-sbcd.
	Name() string
	// plan fills in what is 0.
	plan(t *task) plan
	// loop returns the loop of a run whose plan is filled in.
	loop(c *common) (loop, error)
}

// Solve trains a ranking. The methods have schedules that end the run, if the settings do not
// end it before. Settings.BatchSize is not read.
//
// Result.Objective is 1 minus the normalised partial AUC of the training rows (see
// metrics.PartialAUC). Result.GradientNorm is the norm of the gradient of the regulariser and of
// the mean loss of a sample of the pairs that count. No duality gap is known. The result is the
// best point of the outer iterations (v_n of AGD-SBCD, as in theorem 5): by the validation metric
// if Settings have one, otherwise by the objective. In the paper's setting, without a validation
// metric, the result is the last point.
//
// The starting point counts as such a point. It is Settings.Initial, or a logistic fit
// with lambda = 1/n, which has class weights if the middle of the range is 0.1 or more. A
// run without a validation metric ends at a start that ranks the training rows perfectly.
//
// SVMTight is a convex problem of its own. Its Objective is J(w) = (Lambda/2) ||w||^2 + R(w). R,
// the tight surrogate of Narasimhan and Agarwal, is at least 1 minus the normalised partial AUC,
// and 1 at w = 0. Lambda must be above 0, and the paper's C is 1/Lambda. Result.Gap bounds the
// distance of J from its minimum; the run ends at Settings.GapTolerance, or at 1e-4 if the
// tolerance is 0. It begins at w = 0, and takes its first planes at 0 and at Settings.Initial. If
// for every w the first negatives score higher on average than the positives, the minimum is at w
// = 0 and ranks nothing: use another method for a small range of noisy data. A plane takes 8
// bytes a column or 16 bytes a row, whichever is less. A run seldom has more than 150 planes.
//
// AGD-SBCD could report the norm of the envelope's gradient, ||v_m - v_n||/mu, at no
// cost. But inner loops that are cut short leave mostly noise in this norm, and the other
// methods have no envelope. So all methods report a sampled gradient of the loss.
//
// Memory beside the data: 32 bytes a positive row, 40 a row, 80 a column. An inner
// iteration costs the non-zeros of its batch and its pairs.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if method != nil && ranged(method) {
		return nil, fmt.Errorf("pauc: %s is for a RangeProblem: SolveRange", method.Name())
	}
	name := fmt.Sprintf("[%v, %v]", p.Low, p.High)
	if p.MinTPR > 0 {
		name += fmt.Sprintf(" above %v", p.MinTPR)
	}
	return p.task().solve(ctx, method, settings, name)
}

// SolveRange minimises a sum of ranked range. Result.Objective is the mean loss of the
// N-M ranks, without the regulariser; Result.GradientNorm is the exact norm of the
// gradient with the regulariser. Everything else is as in Solve.
func SolveRange(ctx context.Context, p *RangeProblem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if method != nil && !ranged(method) {
		return nil, fmt.Errorf("pauc: %s is for a Problem: Solve", method.Name())
	}
	return p.task().solve(ctx, method, settings, fmt.Sprintf("%d to %d", p.M, p.N))
}

func (t *task) solve(ctx context.Context, method Method, settings solvers.Settings, name string) (*solvers.Result, error) {
	if method == nil {
		return nil, errors.New("pauc: no method")
	}
	if err := family.Check(method); err != nil {
		return nil, err
	}
	objective, accepts := describe(method)
	// The structural SVM minimises an objective of its own, from w = 0.
	dual := objective == solvers.StructuralSVM
	if dual {
		settings.GapTolerance = cmp.Or(settings.GapTolerance, 1e-4)
	}
	posed := solvers.Task{Problem: solvers.Problem{Penalty: penalty.Ridge{Lambda: t.lambda}}, MinTPR: t.minTPR}
	if !t.linear() {
		posed.Model = t.model
	}
	starter, starts := opening.Of(t.model)
	if !starts && !dual && settings.Initial == nil && settings.Resume == "" {
		return nil, errors.New("pauc: this model cannot start by itself: give Settings.Initial")
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "pauc", Solver: method.Name(), Columns: t.model.Parameters(), Objective: objective, Scheduled: true,
		Accepts: accepts, Asked: posed.Asks(), Problem: &posed.Problem,
		Begin: func(s *run.Session) (run.Run, error) {
			c := newCommon(t, s.Pool, method.plan(t), s.Settings.Seed)
			c.validated = s.Settings.Validation != nil
			l, err := method.loop(c)
			if err != nil {
				return run.Run{}, err
			}
			copy(c.w, s.Settings.Initial)
			opened := &opening.Loop{
				Loop: l, Due: s.Settings.Initial == nil && !dual && (!c.Paper || !t.linear()),
				Fit: func() (int, error) {
					weight, err := t.startWeights()
					if err != nil {
						return 0, err
					}
					passes, err := starter.Start(s.Context, c.w, t.y, weight, s.TimeLeft())
					if err != nil {
						err = fmt.Errorf("pauc: %w", err)
					}
					return passes * len(t.y), err
				},
			}
			return run.Run{
				Samples: len(t.y), Loop: opened, Reports: true, Last: c.Paper, Evaluate: l.evaluate, Parameters: c.plan,
				Data: func(pool *matrix.Pool) (checkpoint.Identity, error) {
					data, err := checkpoint.IdentityOf(pool, t.x, t.y, nil)
					return append(checkpoint.Identity{}.With("range", name).With("model", ranking.Identity(t.model)).With("lambda", t.regulariser), data...), err
				},
			}, nil
		},
	})
}

// weightedFrom is the middle of a range from which the starting fit has class weights.
const weightedFrom = 0.1

// startWeights returns the sample weights of the fit that a run starts from; nil means 1.
// A logistic fit ranks best near its own threshold. A plain fit calls about P rows
// positive, which is at low false-positive rates; a fit of classes of equal weight has its
// threshold in the middle.
func (t *task) startWeights() ([]float64, error) {
	if len(t.positives) == 0 || t.low+t.high < 2*weightedFrom {
		return nil, nil
	}
	negative, positive, err := erm.BalancedWeights(t.y)
	if err != nil {
		return nil, fmt.Errorf("pauc: %w", err)
	}
	return erm.ClassWeight(t.y, nil, negative, positive)
}
