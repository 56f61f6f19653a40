package ap

import (
	"context"
	"slices"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

var family = engine.Family[Method]{Name: "ap", Check: Method.check, Paper: func(Method) solvers.Paper { return paper }, Entries: []engine.Entry[Method]{
	engine.EntryOf[Method]("average precision: stochastic gradients with running ranks (SOAP)", (*SOAP).fields),
	engine.EntryOf[Method]("average precision: SOAP with the steps of Adam", (*SOAPAdam).fields),
	engine.EntryOf[Method]("average precision: SOAP with momentum (MOAP, algorithm 1)", (*MOAPV1).fields),
	engine.EntryOf[Method]("average precision: momentum, randomised coordinate updates of the ranks (MOAP, algorithm 2)", (*MOAPV2).fields),
	engine.EntryOf[Method]("average precision: adaptive steps, Adam-style (ADAP, algorithm 3)", (*ADAP).fields),
	engine.EntryOf[Method]("average precision: ADAP, AdaGrad-style", (*ADAPAdaGrad).fields),
	engine.EntryOf[Method]("average precision: ADAP, AMSGrad-style", (*ADAPAMSGrad).fields),
	engine.EntryOf[Method]("average precision: ADAP, AdaBound-style", (*ADAPAdaBound).fields),
	engine.EntryOf[Method]("average precision of the batch, smoothed (SmoothAP)", (*SmoothAP).fields),
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
	return family.Solvers(func(Method) (solvers.Objective, solvers.Accepts) {
		return solvers.AveragePrecision, solvers.Accepts{NoRegulariser: true, Hidden: true}
	}, func(ctx context.Context, t *engine.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		return Solve(ctx, &Problem{X: t.X, Y: t.Y, Lambda: t.Lambda, Model: t.Model}, m, settings)
	})
}

var field = engine.NewField

// fields are those that text can set, with what is usual where that is the solver's own.
func (m *Common) fields(step, beta string) []engine.Field {
	hinge := []engine.Field{
		field("paper", "false", paperAbout, &m.Paper),
		field("hinge", "false", "squared hinge in place of the logistic surrogate", &m.Hinge),
		field("margin", "1", "margin of the squared hinge, which it selects", &m.Margin),
	}
	return slices.Concat(hinge, schedule(&m.Scale, &m.FinalScale, &m.Positives, &m.Negatives, &m.Iterations, &m.Dense), []engine.Field{
		field("step", step, "first step size", &m.Step),
		field("beta", beta, "share of a new estimate of a rank", &m.Beta),
	})
}

const paperAbout = "the setting of the paper's section 4.1"

// schedule has the fields of the logistic surrogate, the batches and the schedule.
func schedule(scale, final *float64, positives, negatives, iterations *int, dense *bool) []engine.Field {
	return []engine.Field{
		field("scale", "4", "first sharpness of the logistic surrogate", scale),
		field("final-scale", "scale", "last sharpness of the logistic surrogate", final),
		field("positives", "64", "positive rows in a batch", positives),
		field("negatives", "256", "negative rows in a batch", negatives),
		field("iterations", "400", "length of the schedule", iterations),
		field("dense", "false", "steps on all columns also where batches touch few", dense),
	}
}

// ofAll is what beta is where all rows decay.
const ofAll = "0.3 positives/m"

func momentumField(v *float64) engine.Field {
	return field("momentum", "0.1", "share of a new gradient", v)
}

func boundField(v *float64) engine.Field {
	return field("bound", "the largest loss", "bound on the estimates", v)
}

func secondField(v *float64) engine.Field {
	return field("second", "0.001", "share of a new squared gradient", v)
}

func deltaField(v *float64) engine.Field {
	return field("delta", "1e-8", "added to the root of the second moment", v)
}
