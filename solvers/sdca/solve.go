// Package sdca solves regularised empirical risk minimisation over sparse rows
// by steps on one dual variable at a time:
//
//	minimise P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2,  lambda > 0
//
// Prox and Hybrid take offsets of rows and an unpenalised intercept: x_i'w + b + o_i.
//
// Every row i has a dual variable alpha_i, and w = (1/(lambda n)) sum alpha_i x_i
// at all times. A step on row i costs one product with x_i and one addition of x_i
// to w, whatever the number of columns.
//
// Numbers of equations, algorithms and figures in this package refer to "Dual Free Adaptive
// Minibatch SDCA for Empirical Risk Minimization" (He, Tappenden and Takac). With f_i = s_i phi,
// the dual residue of a row is kappa_i = alpha_i + f_i'(x_i'w), (5); all of them are 0 at the
// optimum only.
package sdca

import (
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Method is a solver with its parameters, such as Prox. The zero value of each is
// ready for use and needs no tuning. Solvers are values
// that goroutines may share.
type Method interface {
	// Name is the solver's name, as in prox-sdca.
	Name() string
	// checkProblem says why the problem does not suit the method.
	checkProblem(p *erm.Problem) error
	// begin returns the loop, and its parameters as a checkpoint tells them apart.
	begin(t *task) (loop dualLoop, parameters any, err error)
}

// dualLoop is a loop that keeps w = X'alpha/(lambda n).
type dualLoop interface {
	run.Loop
	// duals writes alpha.
	duals(alpha []float64)
}

// task is what a loop is made of.
type task struct {
	p        *erm.Problem
	settings solvers.Settings
	pool     *matrix.Pool // nil where a dual run is too short to share
	workers  *matrix.Pool // of the run
	full     *objective
	random   *random.Source
	// reports asks the loop to evaluate its points where it sees fit.
	reports bool
	// primal says that the loop has no dual variables.
	primal bool
	// inner tells that the run's result has other weights than the loop.
	inner bool
}

// weights returns weights of 0 for the loop to keep.
func (t *task) weights() []float64 {
	if t.inner {
		return t.full.lent.Zeros(t.p.X.Cols())
	}
	return make([]float64, t.p.X.Cols())
}

// matrix is the rows with the run's workers.
func (t *task) matrix() direct.Matrix { return direct.Matrix{Matrix: t.p.X, Pool: t.pool} }

// start returns the starting point.
func (t *task) start() []float64 {
	w := make([]float64, t.p.X.Cols())
	copy(w, t.settings.Initial)
	return w
}

// refreshEvery is the number of passes after which w is computed afresh from alpha, so that
// rounding errors do not accumulate between the two. A pass adds a few units in the last place to a
// weight that many rows touch.
const refreshEvery = 16

// Solve minimises p by a method. Result, tolerances, records, checkpoints and errors are as in
// erm.Solve. Settings.BatchSize serves Minibatch only.
//
// A starting point w0 other than 0 gives the dual variables alpha_i = -f_i'(x_i'w0). The run
// begins at their weights X'alpha/(lambda n), which are w0 itself if w0 is optimal.
//
// The gap of a record is the smaller of two bounds: ||grad P||^2/(2 lambda), and,
// where alpha is feasible, P(w) - D(alpha).
//
// Memory beside the data: 16 bytes a column, 60 to 100 a row, and Newton's vectors if Hybrid
// hands over. If at least half of 262,144 columns or more are empty, Prox and Hybrid without a
// starting point copy the matrix without them.
func Solve(ctx context.Context, p *erm.Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	return SolveObserved(ctx, p, method, settings, nil)
}

// SolveObserved is Solve; it also calls observe with the residues kappa of all rows, (5), at every
// evaluated point, before the point is recorded. observe may be nil, and may not keep or change its
// argument. Settings.Shards beside it is an error.
func SolveObserved(ctx context.Context, p *erm.Problem, method Method, settings solvers.Settings, observe func(kappa []float64)) (*solvers.Result, error) {
	if method == nil {
		return nil, errors.New("sdca: no method")
	}
	if err := method.checkProblem(p); err != nil {
		return nil, err
	}
	if err := family.Check(method); err != nil {
		return nil, err
	}
	if settings.Shards > 0 && accepts(method).Has(solvers.Shards) {
		if err := mixes(method); err != nil {
			return nil, err
		}
		if observe != nil {
			return nil, errors.New("sdca: the residues of rows in shards are not observed; leave Shards out")
		}
		rows := &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: settings.Shards}
		return solveShards(ctx, rows, p, method, settings, shards.Options{})
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "sdca", Solver: method.Name(), Columns: p.X.Cols(), Batch: true, Accepts: accepts(method), Asked: p.Asks(), Problem: p,
		Begin: func(s *run.Session) (run.Run, error) {
			exact := false
			switch method.(type) {
			case Prox, Hybrid:
				exact = true
			}
			given := p
			p, pool := p, s.Pool
			if exact {
				inner := *p
				inner.X = s.Compact(p.X)
				p, pool = &inner, stepsPool(p.X, pool)
			}
			full := newObjective(p, pool, s.Workspace)
			t := &task{
				p: p, settings: s.Settings, pool: pool, workers: s.Pool, full: full,
				random: s.Random, inner: p.X != given.X, reports: exact && s.Settings.RecordEvery == 0,
			}
			loop, parameters, err := method.begin(t)
			t.full.observe, t.full.settings = observe, s.Settings
			if !t.primal {
				t.full.loop = loop
			}
			return run.Run{
				Samples: p.X.Rows(), Loop: loop, Smooth: true, Reports: t.reports,
				Evaluate: t.full.evaluate, AtZero: t.full.atZero, Certify: t.full.bounds.Improve, Settle: t.full.bounds.Settle,
				Parameters: parameters, Data: func(pool *matrix.Pool) (checkpoint.Identity, error) { return risk.Identity(given, pool) },
			}, err
		},
	})
}

// leastShared is the least number of entries whose products two workers share. Tests lower it.
var leastShared int64 = 1 << 21

// stepsPool is the pool of a run whose time goes into dual steps, one after the other: none
// where the rows are few. What a second worker gains in products is lost there by rows and
// weights that lie in the other's caches.
func stepsPool(x *sparse.Matrix, pool *matrix.Pool) *matrix.Pool {
	if x.NNZ() < leastShared {
		return nil
	}
	return pool
}
