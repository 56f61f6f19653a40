// Package auto chooses a solver for a problem of risk minimisation.
package auto

import (
	"context"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// Choose returns the name of the solver that Solve takes for p: prox-sdca where
// lambda > 0 and
//
//	h (sum_i (s_i ||x_i||^2)^2 / sum_i s_i ||x_i||^2) / (lambda n) <= 16 (d/n)^4
//
// and newton elsewhere. h is the largest second derivative of the loss (1/4 for the
// logistic one), so the left side is the curvature of one row, in the mean over
// the rows weighted by their lengths, as a multiple of the regulariser's: what a
// dual step has to work against. The more columns there are for the rows, the less
// rows have to do with one another, and the harder the problems that steps on
// single rows solve in a few passes.
//
// The rule is measured, with the logistic loss, C = 1/(lambda n), and relative
// suboptimalities of 1e-3 and 1e-6 as targets. Prox-SDCA took 0.15 to 0.75 of
// Newton's time on sector, rcv1_vw_small, dorothea and generated wide data at all C
// up to 1000 (dorothea: 0.1), on generated text of 20,000 rows and 47,236 columns
// up to C = 1000, and on raw counts of news20 up to C = 0.1. Newton's method took
// 0.35 of Prox-SDCA's time on news20 at C = 1, 0.27 to 0.75 on text of 100,000 rows
// from C = 10, and 0.1 or less on w8a and ijcnn1 (C = 10); at the border both take
// about the same. The target moves the border little: stochastic steps gain on
// coarse ones. The stochastic primal solvers won nowhere.
//
// It costs one sweep over the rows, and depends on the problem alone.
func Choose(p *erm.Problem) string {
	if !(p.Lambda > 0) {
		return erm.Newton{}.Name()
	}
	sum, squares := 0.0, 0.0
	for i, v := range p.X.SquaredNorms() {
		if p.SampleWeight != nil {
			v *= p.SampleWeight[i]
		}
		sum += v
		squares = math.FMA(v, v, squares)
	}
	n, d := float64(p.X.Rows()), float64(p.X.Cols())
	peak := 1.0
	if p.Loss == kernels.Logistic {
		peak = 0.25
	}
	ratio := d / n
	if squares < math.Inf(1) && peak*squares <= float64(16*float64(ratio*ratio))*float64(ratio*ratio)*float64(p.Lambda*n)*sum {
		return sdca.Prox{}.Name()
	}
	return erm.Newton{}.Name()
}

// Solve minimises p by the solver that Choose names; Result.Solver tells which.
// Everything else is as in erm.Solve.
func Solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if Choose(p) == (sdca.Prox{}).Name() {
		return sdca.Solve(ctx, p, sdca.Prox{}, settings)
	}
	return erm.Solve(ctx, p, erm.Newton{}, settings)
}
