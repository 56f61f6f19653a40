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
	_, dual := p.Loss.(loss.Dual)
	switch {
	case loss.KinkedOf(p.Loss) != nil:
		return sdca.Hybrid{}.Name()
	case elasticnet.Direct(p):
		return elasticnet.ProximalNewton{}.Name()
	case !dual || !(p.Ridge() > 0) || p.X.Cols() <= p.X.Rows(), p.Loss.Quadratic() && matrix.IsFull(p.X):
		return erm.Newton{}.Name()
	}
	return sdca.Hybrid{}.Name()
}

// Solve minimises p by the solver that Choose names, or, with Settings.Shards, by Newton's
// method; Result.Solver tells which.
// Everything else is as in erm.Solve.
func Solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	if settings.Shards == 0 {
		switch Choose(p) {
		case sdca.Hybrid{}.Name():
			return sdca.Solve(ctx, p, sdca.Hybrid{}, settings)
		case elasticnet.ProximalNewton{}.Name():
			return elasticnet.Solve(ctx, p, nil, settings)
		}
	}
	return erm.Solve(ctx, p, erm.Newton{}, settings)
}
