// Package auto chooses a solver for a problem of risk minimisation.
package auto

import (
	"context"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// Choose returns the name of the solver that Solve takes for p: sdca-newton where
// lambda > 0 and there are more columns than rows, and newton elsewhere. It looks at
// the sizes alone and costs nothing.
//
// The rule is measured, with the logistic loss, C = 1/(lambda n) from 0.1 to 10, and
// relative suboptimalities of 1e-3 and 1e-6 as targets. sdca-newton took 0.1 to 0.65 of
// Newton's time on sector, news20 (raw counts), rcv1_vw_small, dorothea and generated
// wide data; Newton's method took 0.02 to 0.5 of its time on a9a, w8a and ijcnn1. On
// generated text of 47,236 columns both take about the same with 50,000 rows, and
// Newton's method 0.4 to 0.9 with 300,000. The stochastic primal solvers won nowhere.
func Choose(p *erm.Problem) string {
	if p != nil && p.X != nil && p.Lambda > 0 && p.X.Cols() > p.X.Rows() {
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
