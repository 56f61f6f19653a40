package erm

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// Method is a solver with its parameters: AISARAH, AISARAHImportance,
// AISARAHUniform, AISARAHInterval, SARAH, SARAHPlus, SVRG, Adam, SGD or Newton. The zero
// value of each is ready for use, with parameters that need no tuning. Own makes one of a program's
// own solver. Solvers are values that goroutines may share.
type Method interface {
	// Name is the solver's name, as in ai-sarah.
	Name() string
	// begin returns the loop, and its parameters as a checkpoint tells them apart.
	begin(t *task) (loop run.Loop, parameters any, err error)
	// reports tells whether the loop evaluates its points itself.
	reports() bool
}

// task is what a loop is made of.
type task struct {
	p        *Problem
	settings solvers.Settings
	pool     *matrix.Pool
	full     *objective
	random   *random.Source
	// ending tells whether the run is to end before it begins; nil for no.
	ending func() bool
}

// matrix is the rows with the run's workers.
func (t *task) matrix() direct.Matrix { return direct.Matrix{Matrix: t.p.X, Pool: t.pool} }

// initial writes the starting point.
func (t *task) initial(w []float64) { copy(w, t.settings.Initial) }

// lazy is the starting point as records of the features, with directions of 0.
func (t *task) lazy() direct.Lazy {
	l := direct.NewLazy(t.p.X)
	for j, w := range t.settings.Initial {
		l.Rec[j].W = w
	}
	return l
}

// Solve minimises p by a method. If a recorder, the validation metric or a checkpoint fails in
// the middle of the run, it returns the best point together with the error. If nothing was
// computed, it returns no result.
//
// Memory beside the data: about 72 bytes a column and 12 to 20 a row; for Newton 48 a row. The
// search for a default step counts as time spent, not as passes. From 262,144 columns on, the
// recursive and the stochastic methods work on a copy of the matrix with columns numbered by
// frequency (matrix.Renumber). Newton does so from 524,288 columns on. The copy changes
// the rounding and the memory, nothing else.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if method == nil {
		return nil, errors.New("erm: no method")
	}
	if err := risk.Check(p); err != nil {
		return nil, err
	}
	if err := family.Check(method); err != nil {
		return nil, err
	}
	if newton, is := method.(Newton); is && settings.Shards > 0 {
		rows := &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: settings.Shards, Kept: make([]float64, p.X.Rows())}
		return solveRows(ctx, rows, p, newton, settings, shards.Options{})
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "erm", Solver: method.Name(), Columns: p.X.Cols(), Batch: true, Accepts: accepts(method), Asked: p.Asks(), Problem: p, NoGap: noGap(p),
		Begin: func(s *run.Session) (run.Run, error) {
			p := ordered(renumber(p, method, s), method, s.Pool)
			t := &task{p: p, settings: s.Settings, pool: s.Pool, full: newObjective(p, s.Pool, s.Workspace), random: s.Random, ending: s.Ending}
			t.full.settings = s.Settings
			loop, parameters, err := method.begin(t)
			return run.Run{
				Samples: p.X.Rows(), Loop: loop, Smooth: true, Reports: method.reports(),
				Evaluate: t.full.evaluate, AtZero: t.full.atZero, Certify: t.full.bounds.Improve, Settle: t.full.bounds.Settle,
				Parameters: parameters, Data: func(pool *matrix.Pool) (checkpoint.Identity, error) { return risk.Identity(p, pool) },
			}, err
		},
	})
}

// solveRows is Solve by shards, over rows from wherever they come. Of p it looks at everything but
// the rows.
func solveRows(ctx context.Context, rows shards.Rows, p *Problem, m Newton, settings solvers.Settings, o shards.Options) (*solvers.Result, error) {
	return run.Solve(ctx, settings, run.Plan{
		Family: "erm", Solver: m.Name(), Columns: rows.Cols(), NoGap: noGap(p), Accepts: accepts(m), Asked: p.Asks(), Problem: p,
		Begin: func(s *run.Session) (run.Run, error) {
			f, err := newSharded(rows, p, s, o)
			if err != nil {
				return run.Run{}, err
			}
			loop, parameters := m.beginSharded(f, s.Settings)
			return run.Run{
				Samples: f.n, Loop: loop, Smooth: true, Reports: true,
				Evaluate: func(w []float64) run.Evaluation { return loop.all.evaluate(w) }, AtZero: f.ceiling,
				Certify: func(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation {
					return loop.all.certify(w, e, target, spent)
				},
				Settle:     func(w []float64, e run.Evaluation) run.Evaluation { return loop.all.settle(w, e) },
				Parameters: parameters, Data: func(*matrix.Pool) (checkpoint.Identity, error) { return f.identity() },
			}, nil
		},
	})
}

// noGap is run.Plan.NoGap.
func noGap(p *Problem) string {
	switch {
	case !loss.IsConvex(p.Loss):
		return fmt.Sprintf("the %v loss is not convex, and there is no duality gap to reach", p.Loss)
	case p.Ridge() == 0:
		return "with lambda = 0 there is no duality gap to reach"
	}
	return ""
}
