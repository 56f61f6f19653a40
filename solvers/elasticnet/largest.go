package elasticnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// MaxL1 returns the least weight of the L1 norm, or of another norm in the penalty, for which w = 0
// is a minimum, or the weights next to 0 within their bounds. The minimum is at the best intercept if the problem has an intercept, and MaxL1
// returns that too. Columns that the penalty leaves out are fitted before. A path begins at this weight
// and goes down. For the L1 norm
//
//	l1_max = ||(1/n) sum_i s_i phi'(b, y_i) x_i||_inf
//
// It costs half a pass. The error of a penalty without a norm is a *penalty.LacksError.
func MaxL1(pool *sparse.Pool, p *Problem) (l1, intercept float64, err error) {
	if err := check(p); err != nil {
		return 0, 0, err
	}
	norm, err := normOf(p)
	if err != nil {
		return 0, 0, err
	}
	return newObjective(p, pool).maxL1(context.Background(), norm, nil)
}

// MaxL1InShards is MaxL1 for a task whose rows are in a file or in memory, by sums over Settings.Shards. Its bits
// depend on rows, problem and shards alone. Of the settings it takes Shards, which 0 chooses, and Workers. It takes two
// sweeps over the rows, and one more where columns have no penalty, or bounds that leave out 0: these are copied into memory.
// A limit that is too small is an *erm.MemoryError. Ranks are refused. Once ctx is done it returns the error of ctx.
func MaxL1InShards(ctx context.Context, t *solvers.Task, settings solvers.Settings) (l1, intercept float64, err error) {
	ctx = contexts.Given(ctx)
	if t == nil {
		return 0, 0, errors.New("elasticnet: no task")
	}
	rows, o, limit, err := inShards(t, &settings)
	if err == nil {
		err = risk.Refuse(family.Name, ProximalNewton{}.Name(), accepts, t.Problem.Asks(), &t.Problem)
	}
	if err != nil {
		return 0, 0, err
	}
	norm, err := normOf(&t.Problem)
	if err != nil {
		return 0, 0, err
	}
	pool := matrix.NewPool(settings.Workers)
	defer pool.Close()
	s := &run.Session{
		Context: ctx, Pool: pool, Settings: solvers.Settings{Shards: settings.Shards, Workers: pool.Workers()},
		Ending: func() bool { return ctx.Err() != nil },
	}
	l, err := newGatheredLoop(rows, &t.Problem, ProximalNewton{}, s, o, limit)
	if err == nil {
		l1, intercept, err = l.o.maxL1(ctx, norm, l.gatherFor)
		err = cmp.Or(l.distant.failed(), err, ctx.Err())
	}
	if errors.Is(err, shards.ErrStopped) {
		err = cmp.Or(ctx.Err(), err)
	}
	return l1, intercept, err
}

// gatherFor copies the columns with a weight, and listed columns.
func (l *gatheredLoop) gatherFor(w []float64, list []uint32) error {
	in := make([]bool, l.o.d)
	for j, v := range w[:l.o.d] {
		in[j] = v != 0
	}
	for _, j := range list {
		in[j] = true
	}
	l.list = nil
	for j, is := range in {
		if is {
			l.list = append(l.list, uint32(j))
		}
	}
	err := l.gather()
	if err == nil {
		l.distant.pose(l.o)
	}
	return err
}

// maxL1 is MaxL1 of an objective, of which gather brings the columns with a weight and listed columns into memory where
// they are not.
func (o *objective) maxL1(ctx context.Context, norm penalty.Weighted, gather func(w []float64, list []uint32) error) (l1, intercept float64, err error) {
	copy(o.base, o.p.Offset)
	copy(o.z, o.p.Offset)
	o.slopes(o.z)
	w := make([]float64, len(o.g))
	moved, list := o.inside(w), o.unpenalised()
	if gather != nil && (moved || len(list) > 0) {
		if err := gather(w, list); err != nil {
			return 0, 0, err
		}
	}
	if len(list) > 0 {
		if err := o.fit(ctx, list, w); err != nil {
			return 0, 0, err
		}
	}
	if moved || len(list) > 0 {
		if o.place(w); o.p.Intercept {
			intercept = w[o.d]
		}
	}
	if o.p.Intercept {
		intercept = o.centre(intercept, 1e-15)
	}
	o.gradient(w)
	return norm.Least(o.g[:o.d]), intercept, nil
}

// normOf returns the norm in the penalty of a problem.
func normOf(p *Problem) (penalty.Weighted, error) {
	norm, is := direct.Value(penalty.RulesOf(p.Penalty)).(penalty.Weighted)
	if !is {
		return nil, fmt.Errorf("elasticnet: %w", &penalty.LacksError{Penalty: p.Penalty, Part: "norm"})
	}
	return norm, nil
}
