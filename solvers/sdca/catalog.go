package sdca

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/solvers"
)

const averageAbout = "allow negative row weights if the average loss is convex"

var family = catalog.Family[Method]{Name: "sdca", Own: own, PaperSetting: paperOf, Entries: []catalog.Entry[Method]{
	{About: "adaptive dual-free SDCA: new probabilities in every iteration, at a cost of O(n) (algorithm 1)", Zero: Adaptive{}, Fields: []catalog.Field{
		{Name: "columns", Usual: "cheaper", About: "update the margins by columns", In: "Margins"},
		{Name: "full", Usual: "cheaper", About: "compute the margins anew in every iteration", In: "Margins"},
		field("paper", "false", "the problem of the paper's section 7"),
		field("average-convex", "false", averageAbout),
	}},
	{About: "adaptive dual-free SDCA whose probabilities are computed once an epoch (algorithm 2, steps capped)", Zero: AdaptivePlus{}, Fields: []catalog.Field{
		field("shrink", "10", "divisor of a row's probability once it was drawn"),
		field("paper", "false", "the setting of the paper's section 7: its steps as they are"),
		field("average-convex", "false", averageAbout),
	}},
	{About: "adaptive dual-free SDCA that moves a batch of rows together (algorithm 4)", Zero: Minibatch{}, Fields: []catalog.Field{
		field("average-convex", "false", averageAbout),
	}},
	{About: "dual-free SDCA with uniform probabilities", Zero: DualFree{}, Fields: []catalog.Field{
		field("average-convex", "false", averageAbout),
	}},
	{About: "dual-free SDCA with the optimal fixed probabilities", Zero: ImportanceSampled{}, Fields: []catalog.Field{
		field("average-convex", "false", averageAbout),
	}},
	{About: "dual coordinate ascent, each step exact, in random order (as LIBLINEAR -s 7)", Zero: Prox{}, Fields: []catalog.Field{
		field("no-shrinking", "false", "take every row in every pass"),
		field("with-replacement", "false", "draw every row from all rows, as in the paper; no row is left out"),
	}},
	{About: "prox-sdca first, then newton once prox-sdca makes little progress", Zero: Hybrid{}},
}}

var field = catalog.NewField

// own says what is wrong with parameters that are within their bounds.
func own(m Method) error {
	switch m := m.(type) {
	case Adaptive:
		if !slices.Contains([]string{"", "auto", "full", "columns"}, m.Margins) {
			return fmt.Errorf("margins is %q; it may be auto, full or columns", m.Margins)
		}
	case AdaptivePlus:
		if m.Shrink > 0 && m.Shrink < 1 {
			return fmt.Errorf("shrink is %v; it must be 1 or more, or 0 for the default", m.Shrink)
		}
	}
	return nil
}

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// Solvers lists the solvers of this package, with what they accept and what can be set.
func Solvers() []solvers.Solver {
	return family.Solvers(func(m Method) (solvers.Objective, solvers.Parts) {
		return solvers.MeanLoss, accepts(m)
	}, func(ctx context.Context, t *solvers.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if t.Rows != nil {
			if err := mixes(m); err != nil {
				return nil, err
			}
			return solveTask(ctx, t, m, settings)
		}
		return Solve(ctx, &t.Problem, m, settings)
	})
}

// mixes refuses a method whose steps cannot take rows from buffers.
func mixes(m Method) error {
	if prox, is := m.(Prox); is && prox.WithReplacement {
		return errors.New("sdca: with-replacement draws each row from all rows in memory; leave it out beside shards or rows in a file")
	}
	return nil
}

// accepts says what a method takes. The papers of the dual-free methods have neither an intercept
// nor offsets.
func accepts(m Method) solvers.Parts {
	const all = solvers.Losses | solvers.Weights | solvers.Gap
	switch m.(type) {
	case Minibatch:
		return all | solvers.Batch
	case Prox, Hybrid:
		return all | solvers.Shards | solvers.Intercept | solvers.Offsets | solvers.KinkedLosses
	}
	return all
}
