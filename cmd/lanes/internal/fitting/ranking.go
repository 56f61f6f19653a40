package fitting

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Special tells whether a solver is not one of the mean loss.
func Special(name string) bool {
	what := Description(name).Objective
	return what != solvers.MeanLoss && what != solvers.SparseLoss
}

// RankingBudget leaves the end of a run to the method where nothing was asked.
func (f *RunFlags) RankingBudget(s *solvers.Settings) {
	s.GapTolerance, s.GradientTolerance = f.Gap, f.Gradient
	if f.passes == 0 {
		s.MaxPasses = math.Inf(1)
	}
}

// Setting says what a run trained, as the report's line on the solver.
func (f *ProblemFlags) Setting(r *Trained, batch int) string {
	d := Description(r.Solver)
	switch d.Objective {
	case solvers.AveragePrecision:
		return fmt.Sprintf("lambda %.6g, seed %d", r.Problem.Lambda, r.Seed)
	case solvers.PartialAUC, solvers.StructuralSVM:
		return fmt.Sprintf("false-positive rates %v to %v, lambda %.6g, seed %d", f.rates[0], f.rates[1], r.Problem.Lambda, r.Seed)
	case solvers.RankedRange:
		m, n := f.ranks(len(r.Problem.Y))
		return fmt.Sprintf("logistic losses of ranks %d to %d, lambda %.6g, seed %d", m+1, n, r.Problem.Lambda, r.Seed)
	case solvers.SparseLoss:
		intercept := ""
		if r.Problem.Intercept {
			intercept = ", a free intercept"
		}
		return fmt.Sprintf("%s loss, l1 %.6g, lambda %.6g%s", f.Loss, r.Problem.L1, r.Problem.Lambda, intercept)
	}
	steps := ""
	if d.Accepts.Batch {
		steps = fmt.Sprintf(", batch %d", batch)
	}
	return fmt.Sprintf("%s loss, lambda %.6g%s, seed %d", f.Loss, r.Problem.Lambda, steps, r.Seed)
}

// over returns the perceptron over rows, nil for a linear model.
func (f *ProblemFlags) over(x *sparse.Matrix) (score.Model, error) {
	if f.hidden == "" {
		return nil, nil
	}
	f.Network.Features = x.WithBias(0).Cols()
	m, err := score.NewPerceptron(x, f.Network)
	if err != nil {
		return nil, console.BadFlag("hidden", f.hidden, "%v", console.Plain(err))
	}
	return m, nil
}

// scorer returns the model that scores the training rows.
func (p *Prepared) scorer() score.Model {
	if p.Model != nil {
		return p.Model
	}
	return score.Linear{X: p.X}
}
