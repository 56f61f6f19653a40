package pauc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Solve trains a ranking. The run ends with the method's schedule, or before, when
// settings say so: MaxPasses 0 means no bound here, and BatchSize is not read.
//
// Result.Objective is 1 minus the normalised partial AUC of the training rows,
// Result.GradientNorm that of the mean loss of the pairs in the range, over a sample
// of them; there is no duality gap. The result is
// the best outer iterate, by the validation metric where there is one and else by the
// objective; the starting point, a logistic fit with lambda = 1/n unless
// Settings.Initial is given, is one of them.
//
// A GradientNorm belongs to the point it is reported with. The norm of the envelope's
// gradient, ||v_m - v_n||/mu, which AGD-SBCD has for nothing, belongs to the point
// before, and no other method has it.
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
	settings, err := settings.Check(t.x.Cols())
	if err != nil {
		return nil, err
	}
	if settings.GapTolerance > 0 {
		return nil, errors.New("pauc: there is no duality gap to reach; set a gradient tolerance")
	}
	pool := sparse.NewPool(settings.Workers)
	defer pool.Close()
	settings.Workers = pool.Workers()
	method = method.withDefaults()
	c := newCommon(t, pool, method, settings.Seed)
	l := newLoop(c)
	if settings.Resume == "" {
		if settings.Initial != nil {
			copy(c.w, settings.Initial)
		} else if c.warmPasses, err = t.warmStart(ctx, c.w, settings); err != nil {
			return nil, err
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
		identity = fmt.Sprintf("%s %+v %s seed=%d: %s", method.Name(), method, name, settings.Seed, data)
	}
	return solvers.Drive(ctx, solvers.Run{
		Solver: method.Name(), Identity: identity, Samples: len(t.y), Columns: t.x.Cols(),
		Loop: l, Reports: true, Evaluate: l.evaluate, Begun: begun,
	}, settings)
}

// warmStart writes a logistic fit to w and returns the passes that it took. A bias,
// which the fit has for a ranking, is dropped where X has none: it changes no ranking.
func (t *task) warmStart(ctx context.Context, w []float64, settings solvers.Settings) (int, error) {
	x := t.x
	if x.Bias() == 0 && len(t.positives) > 0 {
		x = x.WithBias(1)
	}
	fit := &erm.Problem{X: x, Y: t.y, Loss: kernels.Logistic, Lambda: 1 / float64(x.Rows())}
	r, err := erm.Solve(ctx, fit, erm.Newton{}, solvers.Settings{
		MaxPasses: 200, MaxTime: settings.MaxTime, GapTolerance: 1e-4, Seed: settings.Seed, Workers: settings.Workers,
	})
	if err != nil {
		return 0, fmt.Errorf("pauc: warm start: %w", err)
	}
	copy(w, r.Weights)
	return int(math.Ceil(r.Total.Passes)), nil
}
