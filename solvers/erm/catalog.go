package erm

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/solvers"
)

var field, below = catalog.NewField, catalog.Below

const batchStep = "1/L of a batch"

var family = catalog.Family[Method]{Name: "erm", Own: own, PaperSetting: paperOf, Entries: []catalog.Entry[Method]{
	{About: "adaptive recursive gradients, nothing to tune (algorithm 2, steps guarded)", Zero: AISARAH{}, Fields: []catalog.Field{
		below(1, "gamma", "1/32", "an inner loop ends at this share of its first squared direction"),
		below(1, "beta", "0.999", "smoothing of the cap on the step"),
		field("unguarded", "false", "never undo an inner loop"),
		field("paper", "false", "the setting of the paper's chapter 5"),
	}},
	{About: "theoretical AI-SARAH, importance sampling (algorithm 3); each iteration is a pass over the data", Zero: AISARAHImportance{}, Fields: []catalog.Field{
		field("inner", "n", "iterations of an inner loop"),
	}},
	{About: "theoretical AI-SARAH, uniform sampling (algorithm 4); each iteration is a pass over the data", Zero: AISARAHUniform{}, Fields: []catalog.Field{
		field("inner", "n", "iterations of an inner loop"),
	}},
	{About: "AI-SARAH with steps in a fixed interval (algorithm 5)", Zero: AISARAHInterval{}, Fields: []catalog.Field{
		field("min", "0.1/L of a batch", "smallest step"),
		field("max", "2/L of a batch", "largest step"),
		field("inner", "one pass", "iterations of an inner loop"),
	}},
	{About: "recursive gradients with a fixed step", Zero: SARAH{}, Fields: []catalog.Field{
		field("step", batchStep, "step size"),
		field("inner", "one pass", "iterations of an inner loop"),
		field("random", "false", "begin the next loop at a random iterate, not at the last"),
		field("paper", "false", "the problem and the start of AI-SARAH's chapter 5"),
	}},
	{About: "SARAH whose inner loops end by themselves", Zero: SARAHPlus{}, Fields: []catalog.Field{
		field("step", batchStep, "step size"),
		below(1, "gamma", "1/32", "an inner loop ends at this share of its first squared direction"),
		field("inner", "ten passes", "most iterations of an inner loop"),
	}},
	{About: "stochastic variance-reduced gradients", Zero: SVRG{}, Fields: []catalog.Field{
		field("step", "0.5/L of a batch", "step size"),
		field("inner", "two passes", "iterations of an inner loop"),
	}},
	{About: "Adam, with a step that decreases every pass", Zero: Adam{}, Fields: []catalog.Field{
		field("step", "0.01", "first step size"),
		below(1, "beta1", "0.9", "decay of the first moment"),
		below(1, "beta2", "0.999", "decay of the second moment"),
		field("epsilon", "1e-8", "added to the root of the second moment"),
		below(1, "decay", "0", "share that the step loses after each pass"),
	}},
	{About: "stochastic gradients with momentum, and a step that decreases every pass", Zero: SGD{}, Fields: []catalog.Field{
		field("step", "(1-momentum)/L of a batch", "first step size"),
		below(1, "momentum", "0.9", "share of the last direction that is kept"),
		field("plain", "false", "no momentum"),
		below(1, "decay", "0", "share that the step loses after each pass"),
	}},
	{About: "truncated Newton: conjugate gradients and a line search, for ill-conditioned problems", Zero: Newton{}, Fields: []catalog.Field{
		below(1, "forcing", "0.8", "relative improvement that ends the inner loop"),
		field("max-inner", "250", "most inner iterations of a step"),
	}},
}}

// own says what is wrong with parameters that are within their bounds.
func own(m Method) error {
	if m, is := m.(AISARAHInterval); is && m.Min > 0 && m.Max > 0 && m.Min > m.Max {
		return fmt.Errorf("min is %v and max is %v; min may not be larger", m.Min, m.Max)
	}
	return nil
}

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// accepts is Description.Accepts of a method.
func accepts(m Method) solvers.Parts {
	const all = solvers.Losses | solvers.PlainLosses | solvers.PrimalLosses | solvers.NoRegulariser | solvers.Weights | solvers.Gap
	switch m.(type) {
	case ownMethod:
		return all | solvers.Intercept | solvers.Offsets | solvers.SteepLosses
	case Newton:
		return all | solvers.Shards | solvers.Processes | solvers.Intercept | solvers.Offsets | solvers.SteepLosses | solvers.NonconvexLosses
	case AISARAHImportance, AISARAHUniform:
		return all | solvers.Intercept
	case Adam:
		return all | solvers.Intercept | solvers.Batch
	}
	return all | solvers.Batch
}

// Solvers lists the solvers of this package, with what they accept and what can be set.
func Solvers() []solvers.Solver {
	return family.Solvers(func(m Method) (solvers.Objective, solvers.Parts) {
		return solvers.MeanLoss, accepts(m)
	}, func(ctx context.Context, t *solvers.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if newton, is := m.(Newton); is && t.Rows != nil {
			return SolveStreamed(ctx, streamedOf(t), newton, settings)
		}
		return Solve(ctx, &t.Problem, m, settings)
	})
}
