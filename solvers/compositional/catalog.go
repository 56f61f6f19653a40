package compositional

import (
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

var field = engine.NewField

func samples(inner, outer *int) []engine.Field {
	return []engine.Field{
		field("inner-sample", "5", "inner functions sampled in an iteration (a)", inner),
		field("outer-sample", "5", "outer functions sampled in an iteration (b)", outer),
	}
}

var family = engine.Family[Method]{Name: "compositional", Check: Method.check, Paper: paperOf, Entries: []engine.Entry[Method]{
	{About: "variance-reduced compositional gradients, epochs that double (algorithm 1)", Build: func(set engine.Setter) (Method, error) {
		var m SCVRG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "from samples", "last step size (eta)", &m.Step),
			field("first", "(m+n)/(a+b)", "iterations of the first epoch (k_0)", &m.FirstEpoch),
			field("epochs", "16", "epochs (S)", &m.Epochs),
			field("auto", "off", "accuracy from which theorem 3 gives all others", &m.Auto),
			field("paper", "false", "the setting of the paper's section V", &m.Paper))...)
		return m, err
	}},
	{About: "variance-reduced compositional gradients, constant step and epochs", Build: func(set engine.Setter) (Method, error) {
		var m VRSCPG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "from samples", "step size", &m.Step),
			field("inner", "cube root of n", "iterations between reference points", &m.Inner))...)
		return m, err
	}},
	{About: "stochastic compositional gradients, proximal", Build: func(set engine.Setter) (Method, error) {
		var m SCGD
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "1/L", "first step size", &m.Step))...)
		return m, err
	}},
	{About: "accelerated stochastic compositional gradients, proximal", Build: func(set engine.Setter) (Method, error) {
		var m ASCPG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "1/L", "first step size", &m.Step),
			field("ninths", "false", "powers 5/9 and 4/9 in place of 5/7 and 4/7", &m.Ninths))...)
		return m, err
	}},
	{About: "accelerated proximal gradients; a pass over the data an iteration", Build: func(set engine.Setter) (Method, error) {
		var m AGD
		err := set(field("step", "1/L", "step size", &m.Step),
			field("no-restart", "false", "keep the momentum where it points uphill", &m.NoRestart))
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

// Solvers lists this family for the registry. Its problems are no tasks of rows and
// labels: build one, and call Solve with ByName.
func Solvers() []engine.Solver {
	return family.Solvers(func(Method) (solvers.Objective, solvers.Accepts) {
		return solvers.Composition, solvers.Accepts{NoRegulariser: true, Gap: true}
	}, func(context.Context, *engine.Task, Method, solvers.Settings) (*solvers.Result, error) {
		return nil, errors.New("compositional: rows and labels pose no composition; build a Problem and call Solve")
	})
}
