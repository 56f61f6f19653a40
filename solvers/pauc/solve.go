package pauc

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
// Result.Objective is 1 minus the normalised partial AUC of the training rows,
// Result.GradientNorm that of the mean loss of the pairs in the range, over a sample of
// them, with the regulariser; there is no duality gap. The result is the best point of
// the outer iterations (v_n of AGD-SBCD, as in theorem 5), by the validation metric
// where there is one and else by the objective. The starting point is one of them: a
// logistic fit with lambda = 1/n, with class weights where the middle of the range is
// 0.1 or more, unless Settings.Initial is given. A run ends there where it ranks the
// training rows perfectly and there is no validation metric.
//
// SVMTight is a convex problem of its own. Its Objective is J(w) = (Lambda/2) ||w||^2 +
// R(w), where R, the tight surrogate of Narasimhan and Agarwal, is at least 1 minus the
// normalised partial AUC and 1 at w = 0; Lambda 0 means 1e-4, and the paper's C is
// 1/Lambda. Result.Gap bounds how far J is from its minimum; the run ends at
// Settings.GapTolerance, 0 means 1e-4. It begins at w = 0, and takes its first planes
// there and at Settings.Initial. Where the first negatives score higher than the
// positives on average for every w, the minimum is at w = 0 and ranks nothing: a small
// range of noisy data wants another method. It keeps 8 bytes times the columns for each plane, or
// 16 bytes times the rows where that is less; there are seldom more than 150.
//
// The norm of the envelope's gradient, ||v_m - v_n||/mu, which AGD-SBCD has for
// nothing, would bound how far v_n is from critical if the inner loops were solved. Cut
// short they leave it mostly noise, and the starting point and the other methods have
// none: a sampled gradient of the loss itself serves all.
//
// Memory beside the data: 32 bytes a positive row, 40 a row, 80 a column. An inner
// iteration costs the non-zeros of its batch and its pairs.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if method.Algorithm.Range() {
		return nil, fmt.Errorf("pauc: %s is for a RangeProblem: SolveRange", method.Name())
	}
	return p.task().solve(ctx, method, settings, fmt.Sprintf("[%v, %v]", p.Low, p.High))
}

// SolveRange minimises a sum of ranked range. Result.Objective is its mean loss, over
// the N-M samples of the range, without the regulariser; Result.GradientNorm is that
// of the same function, exact. Everything else is as for Solve.
func SolveRange(ctx context.Context, p *RangeProblem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if method.Algorithm < algorithms && !method.Algorithm.Range() {
		return nil, fmt.Errorf("pauc: %s is for a Problem: Solve", method.Name())
	}
	return p.task().solve(ctx, method, settings, fmt.Sprintf("%d to %d", p.M, p.N))
}

func (t *task) solve(ctx context.Context, method Method, settings solvers.Settings, name string) (*solvers.Result, error) {
	begun := time.Now()
	if err := method.check(); err != nil {
		return nil, fmt.Errorf("pauc: %s: %w", method.Name(), err)
	}
	if settings.MaxPasses == 0 {
		settings.MaxPasses = math.Inf(1)
	}
	settings, err := settings.Check(t.model.Parameters())
	if err != nil {
		return nil, err
	}
	switch {
	case method.Algorithm.dual():
		solvers.FillIn(&settings.GapTolerance, usualGap)
	case settings.GapTolerance > 0:
		return nil, errors.New("pauc: there is no duality gap to reach; set a gradient tolerance")
	}
	starter, starts := t.model.(score.Starter)
	_, linear := t.model.(score.Linear)
	if !starts && !method.Algorithm.dual() && settings.Initial == nil && settings.Resume == "" {
		return nil, errors.New("pauc: this model cannot start by itself: give Settings.Initial")
	}
	pool := sparse.NewPool(settings.Workers)
	defer pool.Close()
	settings.Workers = pool.Workers()
	given := method.Inner > 0
	method = t.withDefaults(method)
	if !given && !linear && !method.Paper {
		method.Inner = float64(method.Inner * curved)
	}
	c := newCommon(t, pool, method, settings.Seed)
	c.validated = settings.Validation != nil
	l, err := newLoop(c)
	if err != nil {
		return nil, err
	}
	if settings.Resume == "" {
		if settings.Initial != nil {
			copy(c.w, settings.Initial)
		} else if !method.Algorithm.dual() && (!method.Paper || !linear) {
			weight, err := t.startWeights()
			if err != nil {
				return nil, err
			}
			if c.warmPasses, err = starter.Start(ctx, c.w, t.y, weight, settings); err != nil {
				return nil, fmt.Errorf("pauc: %w", err)
			}
		}
		if err := l.prepare(); err != nil {
			return nil, err
		}
	}
	identity := ""
	if settings.Checkpoint != "" || settings.Resume != "" {
		data, err := (&erm.Problem{X: t.x, Y: t.y, Lambda: t.regulariser}).Fingerprint(pool)
		if err != nil {
			return nil, err
		}
		identity = fmt.Sprintf("%s %+v %s %s seed=%d: %s", method.Name(), method, name, score.Identity(t.model), settings.Seed, data)
	}
	return solvers.Drive(ctx, solvers.Run{
		Solver: method.Name(), Identity: identity, Samples: len(t.y), Columns: t.model.Parameters(),
		Loop: l, Reports: true, Evaluate: l.evaluate, Begun: begun,
	}, settings)
}

// curved is the share that models that are not linear take of the default step.
const curved = 0.3

// weightedFrom is the middle of a range from which the starting fit has class weights.
const weightedFrom = 0.1

// startWeights returns the sample weights of the fit that a run starts from, nil for
// 1. A logistic fit ranks best where it puts its threshold: at about as many rows as
// there are positives, which is at low false-positive rates, or with classes of equal
// weight in the middle.
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
