package pauc

import (
	"context"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

var abouts = [algorithms]string{
	"partial AUC: gradients of Moreau envelopes (AGD-SBCD, algorithms 1 and 2)",
	"partial AUC: difference of convex functions (DCA, algorithm 4)",
	"partial AUC: proximal DCA",
	"sum of ranked range: gradients of Moreau envelopes (AGD-SGD, algorithm 3)",
	"sum of ranked range: DCA",
	"sum of ranked range: proximal DCA",
	"partial AUC: structural SVM by cutting planes (SVMpAUC-tight), linear scores",
	"partial AUC of the batch: mini-batch gradients (MB)",
	"whole AUC: min-max margin loss (AUC-M, PESG)",
}

func build(a Algorithm, set engine.Setter) (Method, error) {
	m := Method{Algorithm: a}
	field := func(name, usual, about string, value any) engine.Field {
		return engine.Field{Name: name, Usual: usual, About: about, Value: value}
	}
	switch a {
	case SVMTight:
		return m, set()
	case MiniBatch, AUCMargin:
		return m, set(stagedFields(&m, field)...)
	}
	inner, threshold, outer, length, step := "10", "0.02", "5", "100", "1"
	switch a {
	case AGDSBCD:
		const logistic = " with the logistic loss"
		inner, threshold, outer, length = "5 over the largest rate; 10"+logistic, "0.001; 0.02"+logistic, "2; 5"+logistic, "50; 100"+logistic
	case SoRRAGD:
		step = "3"
	}
	fields := []engine.Field{
		field("paper", "false", "the paper's setting: logistic loss, from w = 0, larger steps of the thresholds", &m.Paper),
		field("inner", inner, "step size c of the first inner loop", &m.Inner),
		field("threshold", threshold, "step size of the thresholds as a share of that", &m.Threshold),
		field("outer", outer, "outer iterations", &m.Outer),
		field("length", length, "inner iterations of the first outer one", &m.Length),
		field("constant", "false", "the same step and number of inner iterations in each outer one", &m.Constant),
		field("negatives", "100", "negative rows in a batch", &m.Negatives),
	}
	if a.Range() {
		fields[len(fields)-1] = field("rows", "100", "rows in a batch", &m.Negatives)
	} else {
		fields = append(fields, field("positives", "100", "positive rows in a batch", &m.Positives))
	}
	switch {
	case a.proximal():
		fields = append(fields, field("mu", "1000", "1/mu is the weight of the proximal term", &m.Mu))
	case !a.linearises():
		fields = append(fields, field("mu", "1000", "parameter of the Moreau envelopes", &m.Mu),
			field("step", step, "outer step, gamma/mu", &m.Step))
	}
	if a == AGDSBCD {
		fields = append(fields, field("scale", "7", "sharpness of the sigmoid loss", &m.Scale),
			field("logistic", "false", "the logistic loss in place of the sigmoid", &m.Logistic))
	}
	err := set(fields...)
	return m, err
}

// stagedFields are those of MiniBatch and AUCMargin.
func stagedFields(m *Method, field func(name, usual, about string, value any) engine.Field) []engine.Field {
	inner, about, negatives := "10", "first step size", "500"
	if m.Algorithm == AUCMargin {
		inner, about, negatives = "3", "step size of the first stage", "100"
	}
	fields := []engine.Field{
		field("inner", inner, about, &m.Inner),
		field("outer", "2", "stages", &m.Outer),
		field("length", "500", "iterations of a stage", &m.Length),
		field("positives", "100", "positive rows in a batch", &m.Positives),
		field("negatives", negatives, "negative rows in a batch", &m.Negatives),
	}
	if m.Algorithm == AUCMargin {
		return append(fields, field("paper", "false", "begin at w = 0", &m.Paper), field("margin", "1", "margin", &m.Margin),
			field("mu", "1000", "1/mu is the weight of the proximal term", &m.Mu))
	}
	return append(fields, field("paper", "false", "logistic loss, from w = 0, 100 negatives", &m.Paper),
		field("scale", "5", "sharpness of the sigmoid loss", &m.Scale), field("logistic", "false", "the logistic loss in place of the sigmoid", &m.Logistic))
}

var family = engine.NewFamily("pauc", Method.check, abouts[:], build)

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
		switch {
		case m.Algorithm.Range():
			return solvers.RankedRange, solvers.Accepts{NoRegulariser: true, Ranks: true, Hidden: true}
		case m.Algorithm.Linear():
			return solvers.StructuralSVM, solvers.Accepts{Gap: true, Rates: true}
		}
		return solvers.PartialAUC, solvers.Accepts{NoRegulariser: true, Rates: true, Hidden: true}
	}, func(ctx context.Context, t *engine.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if m.Algorithm.Range() {
			return SolveRange(ctx, &RangeProblem{X: t.X, Y: t.Y, M: t.M, N: t.N, Lambda: t.Lambda, Model: t.Model}, m, settings)
		}
		return Solve(ctx, &Problem{X: t.X, Y: t.Y, Low: t.Low, High: t.High, Lambda: t.Lambda, Model: t.Model}, m, settings)
	})
}
