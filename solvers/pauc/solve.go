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
// Result.GradientNorm that of F over a sample; there is no duality gap. The result is
// the best outer iterate, by the validation metric where there is one and else by the
// objective; the starting point, a logistic fit with lambda = 1/n unless
// Settings.Initial is given, is one of them.
//
// Memory beside the data: 16 bytes a positive row, 16 a row, 48 a column. An inner
// iteration costs the non-zeros of its batch and its pairs.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	begun := time.Now()
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := method.check(); err != nil {
		return nil, fmt.Errorf("pauc: %s: %w", method.Name(), err)
	}
	if settings.MaxPasses == 0 {
		settings.MaxPasses = math.Inf(1)
	}
	settings, err := settings.Check(p.X.Cols())
	if err != nil {
		return nil, err
	}
	if settings.GapTolerance > 0 {
		return nil, errors.New("pauc: a ranking has no duality gap to reach; set a gradient tolerance")
	}
	pool := sparse.NewPool(settings.Workers)
	defer pool.Close()
	settings.Workers = pool.Workers()
	method = method.withDefaults()
	l := newLoop(p, pool, method, settings.Seed)
	if settings.Resume == "" {
		if settings.Initial != nil {
			copy(l.w, settings.Initial)
		} else if l.warmPasses, err = warmStart(ctx, p, l.w, settings); err != nil {
			return nil, err
		}
		if err := l.thresholds(); err != nil {
			return nil, err
		}
	}
	identity := ""
	if settings.Checkpoint != "" || settings.Resume != "" {
		data, err := (&erm.Problem{X: p.X, Y: p.Y}).Fingerprint(pool)
		if err != nil {
			return nil, err
		}
		identity = fmt.Sprintf("%s %+v [%v, %v] seed=%d: %s", method.Name(), method, p.Low, p.High, settings.Seed, data)
	}
	return solvers.Drive(ctx, solvers.Run{
		Solver: method.Name(), Identity: identity, Samples: len(p.Y), Columns: p.X.Cols(),
		Loop: l, Reports: true, Evaluate: l.evaluate, Begun: begun,
	}, settings)
}

func newLoop(p *Problem, pool *sparse.Pool, method Method, seed uint64) *loop {
	l := &loop{p: p, pool: pool, method: method, a: 1}
	for i, y := range p.Y {
		if y > 0 {
			l.positives = append(l.positives, uint32(i))
		} else {
			l.negatives = append(l.negatives, uint32(i))
		}
	}
	m, n := ranks(p.Low, p.High, len(l.negatives))
	l.share = [2]float64{float64(m) / float64(len(l.negatives)), float64(n) / float64(len(l.negatives))}
	for _, v := range []*[]float64{&l.w, &l.u, &l.total, &l.late, &l.first, &l.sum} {
		*v = make([]float64, p.X.Cols())
	}
	for k := range l.lambda {
		l.lambda[k] = make([]float64, len(l.positives))
	}
	ps, ns := min(method.Positives, len(l.positives)), min(method.Negatives, len(l.negatives))
	l.places = solvers.NewBatches(len(l.positives), ps, solvers.DropTail, solvers.NewRandom(seed))
	l.others = solvers.NewBatches(len(l.negatives), ns, solvers.DropTail, solvers.NewRandom(^seed))
	l.rows = make([]uint32, ps+ns)
	for _, v := range []*[]float64{&l.sw, &l.su, &l.c} {
		*v = make([]float64, ps+ns)
	}
	l.bound, l.z, l.all = make([]float64, ps), make([]float64, ns), make([]float64, len(p.Y))
	return l
}

// thresholds starts each lambda_i at the loss of the negative at rank m and n.
func (l *loop) thresholds() error {
	if err := l.p.X.MulVec(l.pool, l.all, l.w); err != nil {
		return err
	}
	order := l.rankedNegatives()
	m, n := ranks(l.p.Low, l.p.High, len(order))
	for k, rank := range [2]int{m, n} {
		score := l.all[order[max(rank, 1)-1]]
		for i, row := range l.positives {
			l.lambda[k][i] = score - l.all[row]
		}
		if err := kernels.Softplus(l.lambda[k], l.lambda[k]); err != nil {
			return err
		}
	}
	return nil
}

// warmStart writes a logistic fit to w and returns the passes that it took.
func warmStart(ctx context.Context, p *Problem, w []float64, settings solvers.Settings) (int, error) {
	x := p.X
	if x.Bias() == 0 {
		x = x.WithBias(1)
	}
	fit := &erm.Problem{X: x, Y: p.Y, Loss: kernels.Logistic, Lambda: 1 / float64(x.Rows())}
	r, err := erm.Solve(ctx, fit, erm.Newton{}, solvers.Settings{
		MaxPasses: 200, MaxTime: settings.MaxTime, GapTolerance: 1e-4, Seed: settings.Seed, Workers: settings.Workers,
	})
	if err != nil {
		return 0, fmt.Errorf("pauc: warm start: %w", err)
	}
	copy(w, r.Weights)
	return int(math.Ceil(r.Total.Passes)), nil
}
