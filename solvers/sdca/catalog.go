package sdca

import (
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

const averageAbout = "bear negative sample weights, where the average loss is convex"

var family = engine.Family[Method]{Name: "sdca", Check: Method.check, Paper: paperOf, Entries: []engine.Entry[Method]{
	{About: "adaptive dual-free SDCA: the best row to move, found anew in every iteration, O(n) each (algorithm 1)", Build: func(set engine.Setter) (Method, error) {
		var m Adaptive
		columns, full := false, false
		err := set(field("columns", "cheaper", "update the margins by columns", &columns),
			field("full", "cheaper", "compute the margins anew in every iteration", &full),
			field("average-convex", "false", averageAbout, &m.AverageConvex))
		switch {
		case columns && full:
			return m, errors.New("columns and full exclude one another")
		case columns:
			m.Margins = "columns"
		case full:
			m.Margins = "full"
		}
		return m, err
	}},
	{About: "adaptive dual-free SDCA whose probabilities are computed once an epoch (algorithm 2)", Build: func(set engine.Setter) (Method, error) {
		var m AdaptivePlus
		err := set(field("shrink", "10", "divisor of a row's probability once it was drawn", &m.Shrink),
			field("paper", "false", "the setting of the paper's section 7: its steps as they are", &m.Paper),
			field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{About: "adaptive dual-free SDCA that moves a batch of rows together (algorithm 4)", Build: func(set engine.Setter) (Method, error) {
		var m Minibatch
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{About: "dual-free SDCA with uniform probabilities", Build: func(set engine.Setter) (Method, error) {
		var m DualFree
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{About: "dual-free SDCA with the best fixed probabilities", Build: func(set engine.Setter) (Method, error) {
		var m ImportanceSampled
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{About: "dual coordinate ascent, each step exact, in random order (as LIBLINEAR -s 7)", Build: func(set engine.Setter) (Method, error) {
		var m Prox
		err := set(field("no-shrinking", "false", "take every row in every pass", &m.NoShrinking))
		return m, err
	}},
	{About: "prox-sdca, and newton from where its passes become slow", Build: func(set engine.Setter) (Method, error) {
		return Hybrid{}, set()
	}},
}}

var field = engine.NewField

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description { return family.Descriptions() }

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// Solvers lists this family for the registry.
func Solvers() []engine.Solver {
	return family.Solvers(func(m Method) (solvers.Objective, solvers.Accepts) {
		_, batch := m.(Minibatch)
		return solvers.MeanLoss, solvers.Accepts{Losses: true, Weights: true, Gap: true, Batch: batch}
	}, func(ctx context.Context, t *engine.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		return Solve(ctx, erm.ProblemOf(t), m, settings)
	})
}
