package erm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Method is a solver with its parameters: AISARAH, AISARAHImportance,
// AISARAHUniform, AISARAHInterval, SARAH, SARAHPlus, SVRG, Adam, SGD or Newton. The zero
// value of each is ready for use, with parameters that need no tuning.
type Method interface {
	// Name is the solver's name, as in ai-sarah.
	Name() string
	// check says which parameter is out of its range.
	check() error
	// begin returns the loop, and the text that tells its parameters apart.
	begin(t *task) (loop solvers.Loop, identity string, err error)
	// reports tells whether the loop evaluates its points itself.
	reports() bool
}

// task is what a loop is made of.
type task struct {
	p        *Problem
	settings solvers.Settings
	pool     *sparse.Pool
	full     *objective
	random   *solvers.Random
}

// initial writes the starting point.
func (t *task) initial(w []float64) { copy(w, t.settings.Initial) }

// Solve minimises p by a method. It returns the best point together with an error
// where a recorder, the validation metric or a checkpoint failed in the middle of
// the run, and no result where nothing was computed.
//
// Memory beside the data: about 72 bytes a column and 12 to 20 a row. The search
// for a default step counts as time spent, not as passes. From 262,144 columns on,
// the recursive and the stochastic methods work on a copy of the matrix whose
// columns are numbered by frequency (sparse.Matrix.Renumber); nothing outside
// shows it but the rounding.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	begun := time.Now()
	if method == nil {
		return nil, errors.New("erm: no method")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := method.check(); err != nil {
		return nil, fmt.Errorf("erm: %s: %w", method.Name(), err)
	}
	settings, err := settings.Check(p.X.Cols())
	if err != nil {
		return nil, err
	}
	if settings.GapTolerance > 0 && p.Lambda == 0 {
		return nil, errors.New("erm: with lambda = 0 there is no duality gap to reach; set a gradient tolerance")
	}
	pool := sparse.NewPool(settings.Workers)
	defer pool.Close()
	settings.Workers = pool.Workers()
	p, settings, numbering, err := renumber(p, method, settings, pool)
	if err != nil {
		return nil, err
	}
	t := &task{p: p, settings: settings, pool: pool, full: newObjective(p, pool), random: solvers.NewRandom(settings.Seed)}
	loop, identity, err := method.begin(t)
	if err != nil {
		return nil, fmt.Errorf("erm: %s: %w", method.Name(), err)
	}
	if settings.Checkpoint != "" || settings.Resume != "" {
		data, err := p.Fingerprint(pool)
		if err != nil {
			return nil, err
		}
		identity = fmt.Sprintf("%s %s batch=%d seed=%d: %s", method.Name(), identity, settings.BatchSize, settings.Seed, data)
	}
	result, err := solvers.Drive(ctx, solvers.Run{
		Solver: method.Name(), Identity: identity,
		Samples: p.X.Rows(), Columns: p.X.Cols(),
		Loop: loop, Reports: method.reports(), Evaluate: t.full.evaluate, Begun: begun,
	}, settings)
	return result, errors.Join(err, numbering.Restore(result))
}
