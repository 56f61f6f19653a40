package compositional

import (
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/solvers"
)

var field, upto = catalog.NewField, catalog.Upto

var samples = []catalog.Field{
	upto(maxSize, "inner-sample", "5", "inner functions sampled in an iteration (a)"),
	upto(maxSize, "outer-sample", "5", "outer functions sampled in an iteration (b)"),
}

var family = catalog.Family[Method]{Name: "compositional", Own: own, PaperSetting: paperOf, Entries: []catalog.Entry[Method]{
	{About: "variance-reduced compositional gradients, epochs that double (algorithm 1)", Zero: SCVRG{}, Fields: append(samples,
		field("step", "from samples", "last step size (eta)"),
		catalog.Field{Name: "first", Usual: "(m+n)/(a+b)", About: "iterations of the first epoch (k_0)", In: "FirstEpoch", Most: maxSize},
		upto(40, "epochs", "16", "epochs (S)"),
		field("auto", "off", "accuracy from which theorem 3 gives all others"),
		field("paper", "false", "the setting of the paper's section V"),
	)},
	{About: "variance-reduced compositional gradients, constant step and epochs", Zero: VRSCPG{}, Fields: append(samples,
		field("step", "from samples", "step size"),
		upto(maxSize, "inner", "cube root of n", "iterations between reference points"),
	)},
	{About: "stochastic compositional gradients, proximal", Zero: SCGD{}, Fields: append(samples,
		field("step", "1/L", "first step size"),
	)},
	{About: "accelerated stochastic compositional gradients, proximal", Zero: ASCPG{}, Fields: append(samples,
		field("step", "1/L", "first step size"),
		field("ninths", "false", "powers 5/9 and 4/9 in place of 5/7 and 4/7"),
	)},
	{About: "accelerated proximal gradients; each iteration is a pass over the data", Zero: AGD{}, Fields: []catalog.Field{
		field("step", "1/L", "step size"),
		field("no-restart", "false", "keep the momentum where it points uphill"),
	}},
}}

// own says what is wrong with parameters that are within their bounds.
func own(m Method) error {
	if m, is := m.(SCVRG); is && m.Auto > 0 && m != (SCVRG{Auto: m.Auto}) {
		return errors.New("auto sets all other parameters; they cannot be given as well")
	}
	return nil
}

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// accepts are the parts that all solvers take.
const accepts = solvers.NoRegulariser | solvers.Gap

// Solvers lists the solvers of this package, with what they accept and their parameters. Its
// problems have no rows and labels: build one, and call Solve with ByName.
func Solvers() []solvers.Solver {
	return family.Solvers(func(Method) (solvers.Objective, solvers.Parts) {
		return solvers.Composition, accepts
	}, func(context.Context, *solvers.Task, Method, solvers.Settings) (*solvers.Result, error) {
		return nil, errors.New("compositional: rows and labels pose no composition; build a Problem and call Solve")
	})
}
