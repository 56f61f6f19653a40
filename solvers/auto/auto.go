// Package auto chooses a solver for a problem of risk minimisation.
package auto

import (
	"context"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// Choose returns the name of the solver that Solve takes for p: sdca-newton where
// lambda > 0, there are more columns than rows, and the loss has a conjugate; newton elsewhere. It
// looks at the sizes alone and costs nothing.
//
// bench/RESULTS.md has the measurements behind the rule: dual steps win where columns
// outnumber rows, Newton's method elsewhere, stochastic primal solvers nowhere.
func Choose(p *erm.Problem) string {
	if p == nil || p.X == nil {
		return erm.Newton{}.Name()
	}
	if _, dual := p.Loss.(loss.Dual); dual && p.Ridge() > 0 && p.X.Cols() > p.X.Rows() {
		return sdca.Hybrid{}.Name()
	}
	return erm.Newton{}.Name()
}

// Solve minimises p by the solver that Choose names, or, with Settings.Shards, by Newton's
// method; Result.Solver tells which.
// Everything else is as in erm.Solve.
func Solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	if settings.Shards == 0 && Choose(p) == (sdca.Hybrid{}).Name() {
		return sdca.Solve(ctx, p, sdca.Hybrid{}, settings)
	}
	return erm.Solve(ctx, p, erm.Newton{}, settings)
}
