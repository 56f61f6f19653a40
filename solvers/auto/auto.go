// Package auto chooses a solver for a problem of risk minimisation.
package auto

import (
	"context"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// Choose returns the name of the solver that Solve takes for p: proximal-newton where a squared loss
// and a ridge make a linear system whose matrix pays (elasticnet.Direct); sdca-newton where
// lambda > 0, there are more columns than rows, and the loss has a conjugate, but for full rows and a
// squared loss; sdca-newton for a loss with kinks; newton elsewhere. It looks at the sizes alone and
// costs nothing.
//
// bench/RESULTS.md has the measurements behind the rule: statistics win where they pay, dual steps
// where columns outnumber rows, Newton's method elsewhere, stochastic primal solvers nowhere.
func Choose(p *erm.Problem) string {
	if p == nil || p.X == nil {
		return erm.Newton{}.Name()
	}
	switch {
	case loss.KinkedOf(p.Loss) != nil:
		return sdca.Hybrid{}.Name()
	case elasticnet.Direct(p):
		return elasticnet.ProximalNewton{}.Name()
	case !wide(p, p.X.Rows(), p.X.Cols()), p.Loss.Quadratic() && matrix.IsFull(p.X):
		return erm.Newton{}.Name()
	}
	return sdca.Hybrid{}.Name()
}

// ChooseFor is Choose for a task with its settings. Rows in shards, in memory or in a file, have
// sdca-newton where the loss has a conjugate, lambda > 0, and there are more columns than rows, and for a
// loss with kinks; newton elsewhere. Several processes have newton.
func ChooseFor(t *solvers.Task, settings solvers.Settings) string {
	if t == nil || settings.Ranks != nil {
		return erm.Newton{}.Name()
	}
	p := &t.Problem
	rows, columns := 0, 0
	switch {
	case t.Rows != nil && t.Rows.Stream != nil:
		rows, columns = t.Rows.Stream.Rows(), t.Rows.Stream.Cols()
	case settings.Shards > 0 && p.X != nil:
		rows, columns = p.X.Rows(), p.X.Cols()
	default:
		return Choose(p)
	}
	if loss.KinkedOf(p.Loss) != nil || wide(p, rows, columns) {
		return sdca.Hybrid{}.Name()
	}
	return erm.Newton{}.Name()
}

// wide tells whether dual steps can be taken, and columns outnumber rows.
func wide(p *erm.Problem, rows, columns int) bool {
	_, dual := p.Loss.(loss.Dual)
	return dual && p.Ridge() > 0 && columns > rows
}

// Solve minimises p by the solver that ChooseFor names; Result.Solver tells which.
// Everything else is as in erm.Solve.
func Solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	var t *solvers.Task
	if p != nil {
		t = &solvers.Task{Problem: *p}
	}
	switch ChooseFor(t, settings) {
	case sdca.Hybrid{}.Name():
		return sdca.Solve(ctx, p, sdca.Hybrid{}, settings)
	case elasticnet.ProximalNewton{}.Name():
		return elasticnet.Solve(ctx, p, nil, settings)
	}
	return erm.Solve(ctx, p, erm.Newton{}, settings)
}
