package ap

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

var abouts = [algorithms]string{
	"average precision: stochastic gradients with running ranks (SOAP)",
	"average precision: SOAP with the steps of Adam",
	"average precision: SOAP with momentum (MOAP, algorithm 1)",
	"average precision: momentum, randomised coordinate updates of the ranks (MOAP, algorithm 2)",
	"average precision: adaptive steps, Adam-style (ADAP, algorithm 3)",
	"average precision: ADAP, AdaGrad-style",
	"average precision: ADAP, AMSGrad-style",
	"average precision: ADAP, AdaBound-style",
	"average precision of the batch, smoothed (SmoothAP)",
}

func build(a Algorithm, set engine.Setter) (Method, error) {
	m := Method{Algorithm: a}
	field := func(name, usual, about string, value any) engine.Field {
		return engine.Field{Name: name, Usual: usual, About: about, Value: value}
	}
	fields := []engine.Field{
		field("paper", "false", "the setting of the paper's section 4.1", &m.Paper),
		field("hinge", "false", "squared hinge in place of the logistic surrogate", &m.Hinge),
		field("margin", "1", "margin of the squared hinge", &m.Margin),
		field("scale", "4", "first sharpness of the logistic surrogate", &m.Scale),
		field("final-scale", "scale", "last sharpness of the logistic surrogate", &m.FinalScale),
		field("positives", "64", "positive rows in a batch", &m.Positives),
		field("negatives", "256", "negative rows in a batch", &m.Negatives),
		field("iterations", "400", "length of the schedule", &m.Iterations),
		field("dense", "false", "steps on all columns also where batches touch few", &m.Dense),
		field("step", fmt.Sprint(a.step()), "first step size", &m.Step),
	}
	if a != SmoothAP {
		usual := "0.3"
		if a.decaysAll() {
			usual = "0.3 positives/m"
		}
		fields = append(fields, field("beta", usual, "share of a new estimate of a rank", &m.Beta))
	}
	if a != SOAP && a != SmoothAP {
		fields = append(fields, field("momentum", "0.1", "share of a new gradient", &m.Momentum))
	}
	if a.projects() {
		fields = append(fields, field("bound", "the largest loss", "bound on the estimates", &m.Bound))
	}
	if a.adaptive() {
		fields = append(fields, field("second", "0.001", "share of a new squared gradient", &m.Second),
			field("delta", "1e-8", "added to the root of the second moment", &m.Delta))
	}
	if a == ADAPAdaBound {
		fields = append(fields, field("low", "1", "least factor of a gradient", &m.Low),
			field("high", "1000", "largest factor of a gradient", &m.High))
	}
	err := set(fields...)
	return m, err
}

var family = engine.NewFamily("ap", Method.check, abouts[:], build)

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
