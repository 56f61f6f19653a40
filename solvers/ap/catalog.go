package ap

import (
	"context"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/solvers"
)

var family = catalog.Family[Method]{Name: "ap", Own: own, PaperSetting: func(Method) solvers.PaperSetting { return paper }, Entries: []catalog.Entry[Method]{
	{About: "average precision: stochastic gradients with running ranks (SOAP)", Zero: SOAP{}, Fields: tracking("2", "0.3")},
	{About: "average precision: SOAP with the steps of Adam", Zero: SOAPAdam{}, Fields: tracking("0.04", "0.3", momentumField, secondField, deltaField)},
	{About: "average precision: SOAP, AMSGrad-style", Zero: SOAPAMSGrad{}, Fields: tracking("0.02", "0.3", momentumField, secondField, deltaField)},
	{About: "average precision: SOAP with momentum (MOAP, algorithm 1)", Zero: MOAPV1{}, Fields: tracking("2", "0.3", momentumField, boundField)},
	{About: "average precision: momentum, randomised coordinate updates of the ranks (MOAP, algorithm 2)", Zero: MOAPV2{}, Fields: tracking("2", ofAll, momentumField, boundField)},
	{About: "average precision: adaptive steps, Adam-style (ADAP, algorithm 3)", Zero: ADAP{}, Fields: tracking("0.04", ofAll, momentumField, boundField, secondField, deltaField)},
	{About: "average precision: ADAP, AdaGrad-style", Zero: ADAPAdaGrad{}, Fields: tracking("0.02", ofAll, momentumField, boundField, deltaField)},
	{About: "average precision: ADAP, AMSGrad-style", Zero: ADAPAMSGrad{}, Fields: tracking("0.02", ofAll, momentumField, boundField, secondField, deltaField)},
	{About: "average precision: ADAP, AdaBound-style", Zero: ADAPAdaBound{}, Fields: tracking("0.02", ofAll, momentumField, boundField, secondField, deltaField,
		field("low", "1", "least factor of a gradient"), field("high", "1000", "largest factor of a gradient"))},
	{About: "average precision of the batch, smoothed (SmoothAP)", Zero: SmoothAP{}, Fields: slices.Concat([]catalog.Field{paperField}, schedule, []catalog.Field{stepField("2")})},
}}

// own says what is wrong with parameters that are within their bounds.
func own(m Method) error {
	if m, is := m.(interface{ check() error }); is {
		return m.check()
	}
	return nil
}

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// accepts are the parts that all solvers take.
const accepts = solvers.NoRegulariser | solvers.Hidden

// Solvers lists the solvers of this package, with what they accept and what can be set.
func Solvers() []solvers.Solver {
	return family.Solvers(func(Method) (solvers.Objective, solvers.Parts) {
		return solvers.AveragePrecision, accepts
	}, func(ctx context.Context, t *solvers.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		return Solve(ctx, &Problem{X: t.X, Y: t.Y, Lambda: t.Ridge(), Model: t.Model}, m, settings)
	})
}

var field, upto = catalog.NewField, catalog.Upto

var (
	paperField    = field("paper", "false", "the setting of the paper's section 4.1")
	momentumField = upto(1, "momentum", "0.1", "share of a new gradient")
	boundField    = upto(math.Inf(1), "bound", "the largest loss", "bound on the estimates")
	secondField   = upto(1, "second", "0.001", "share of a new squared gradient")
	deltaField    = field("delta", "1e-8", "added to the root of the second moment")
)

func stepField(usual string) catalog.Field {
	return field("step", usual, "first step size")
}

// schedule has the fields of the logistic surrogate, the batches and the schedule.
var schedule = []catalog.Field{
	field("scale", "4", "first sharpness of the logistic surrogate"),
	field("final-scale", "scale", "last sharpness of the logistic surrogate"),
	upto(1<<20, "positives", "64", "positive rows in a batch"),
	upto(1<<20, "negatives", "256", "negative rows in a batch"),
	upto(100_000_000, "iterations", "400", "length of the schedule"),
	field("dense", "false", "update all columns even if a batch has entries in few"),
}

// tracking are the fields of Common, with what is usual of step and beta, and a solver's own.
func tracking(step, beta string, own ...catalog.Field) []catalog.Field {
	return slices.Concat([]catalog.Field{
		paperField,
		field("hinge", "false", "squared hinge in place of the logistic surrogate"),
		field("margin", "1", "margin of the squared hinge; setting it selects this surrogate"),
		field("uniform", "false", "draw batches from all rows, as the paper's text does, not in passes"),
		field("random", "false", "return an iterate drawn from all, as in the paper's theorems"),
	}, schedule, []catalog.Field{stepField(step), upto(0.9999, "beta", beta, "share of a new estimate of a rank")}, own)
}

// ofAll is what beta is where all rows decay.
const ofAll = "0.3 positives/m"
