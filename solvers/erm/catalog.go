package erm

import (
	"context"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

type setter = engine.Setter

var field = engine.NewField

const batchStep = "1/L of a batch"

var family = engine.Family[Method]{Name: "erm", Check: Method.check, Paper: paperOf, Entries: []engine.Entry[Method]{
	{About: "adaptive recursive gradients, nothing to tune (algorithm 2)", Build: func(set setter) (Method, error) {
		var m AISARAH
		err := set(field("gamma", "1/32", "an inner loop ends at this share of its first squared direction", &m.Gamma),
			field("beta", "0.999", "smoothing of the cap on the step", &m.Beta),
			field("unguarded", "false", "never take an inner loop back", &m.Unguarded),
			field("paper", "false", "the setting of the paper's chapter 5", &m.Paper))
		return m, err
	}},
	{About: "theoretical AI-SARAH, importance sampling (algorithm 3); a pass over the data an iteration", Build: func(set setter) (Method, error) {
		var m AISARAHImportance
		err := set(field("inner", "n", "iterations of an inner loop", &m.Inner))
		return m, err
	}},
	{About: "theoretical AI-SARAH, uniform sampling (algorithm 4); a pass over the data an iteration", Build: func(set setter) (Method, error) {
		var m AISARAHUniform
		err := set(field("inner", "n", "iterations of an inner loop", &m.Inner))
		return m, err
	}},
	{About: "AI-SARAH with steps in a fixed interval (algorithm 5)", Build: func(set setter) (Method, error) {
		var m AISARAHInterval
		err := set(field("min", "0.1/L of a batch", "smallest step", &m.Min),
			field("max", "2/L of a batch", "largest step", &m.Max),
			field("inner", "one pass", "iterations of an inner loop", &m.Inner))
		return m, err
	}},
	{About: "recursive gradients with a fixed step", Build: func(set setter) (Method, error) {
		var m SARAH
		err := set(field("step", batchStep, "step size", &m.Step),
			field("inner", "one pass", "iterations of an inner loop", &m.Inner),
			field("random", "false", "begin the next loop at a random iterate, not at the last", &m.Random))
		return m, err
	}},
	{About: "SARAH whose inner loops end by themselves", Build: func(set setter) (Method, error) {
		var m SARAHPlus
		err := set(field("step", batchStep, "step size", &m.Step),
			field("gamma", "1/32", "an inner loop ends at this share of its first squared direction", &m.Gamma),
			field("inner", "ten passes", "most iterations of an inner loop", &m.Inner))
		return m, err
	}},
	{About: "stochastic variance-reduced gradients", Build: func(set setter) (Method, error) {
		var m SVRG
		err := set(field("step", "0.5/L of a batch", "step size", &m.Step),
			field("inner", "two passes", "iterations of an inner loop", &m.Inner))
		return m, err
	}},
	{About: "Adam, with a step that decreases every pass", Build: func(set setter) (Method, error) {
		var m Adam
		err := set(field("step", "0.01", "first step size", &m.Step),
			field("beta1", "0.9", "decay of the first moment", &m.Beta1),
			field("beta2", "0.999", "decay of the second moment", &m.Beta2),
			field("epsilon", "1e-8", "added to the root of the second moment", &m.Epsilon),
			field("decay", "0", "share that the step loses after each pass", &m.Decay))
		return m, err
	}},
	{About: "stochastic gradients with momentum, and a step that decreases every pass", Build: func(set setter) (Method, error) {
		var m SGD
		err := set(field("step", "(1-momentum)/L of a batch", "first step size", &m.Step),
			field("momentum", "0.9", "share of the last direction that is kept", &m.Momentum),
			field("plain", "false", "no momentum", &m.Plain),
			field("decay", "0", "share that the step loses after each pass", &m.Decay))
		return m, err
	}},
	{About: "truncated Newton: conjugate gradients and a line search, for ill-conditioned problems", Build: func(set setter) (Method, error) {
		var m Newton
		err := set(field("forcing", "0.8, and 0.5 by shards or from 2049 columns on", "relative improvement that ends the inner loop", &m.Forcing),
			field("max-inner", "250", "most inner iterations of a step", &m.MaxInner))
		return m, err
	}},
}}

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
		accepts := solvers.Accepts{Losses: true, Weights: true, NoRegulariser: true, Gap: true, Batch: true}
		switch m.(type) {
		case Newton, AISARAHImportance, AISARAHUniform:
			accepts.Batch = false
		}
		_, accepts.Shards = m.(Newton)
		return solvers.MeanLoss, accepts
	}, func(ctx context.Context, t *engine.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if newton, is := m.(Newton); is && t.Rows != nil {
			return SolveStreamed(ctx, streamedOf(t), newton, settings)
		}
		return Solve(ctx, ProblemOf(t), m, settings)
	})
}

// streamedOf returns the problem that a task poses whose rows stay in a file.
func streamedOf(t *engine.Task) *Streamed {
	r := t.Rows
	return &Streamed{
		Rows: r.Stream, Memory: r.Memory, Labels: r.Labels, ClassWeights: r.ClassWeights, Progress: r.Progress,
		Loss: t.Loss, Delta: t.Delta, Lambda: t.Lambda,
	}
}

// ProblemOf returns the problem that a task poses to solvers of the mean loss, nil
// where there is no task.
func ProblemOf(t *engine.Task) *Problem {
	if t == nil {
		return nil
	}
	return &Problem{X: t.X, Y: t.Y, Loss: t.Loss, Delta: t.Delta, Lambda: t.Lambda, SampleWeight: t.SampleWeight}
}
