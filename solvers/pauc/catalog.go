package pauc

import (
	"context"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
)

var family = engine.Family[Method]{Name: "pauc", Check: Method.check, Paper: paperOf, Entries: []engine.Entry[Method]{
	engine.EntryOf[Method]("partial AUC: gradients of Moreau envelopes (AGD-SBCD, algorithms 1 and 2)", (*AGDSBCD).fields),
	engine.EntryOf[Method]("partial AUC: difference of convex functions (DCA, algorithm 4)", (*DCA).fields),
	engine.EntryOf[Method]("partial AUC: proximal DCA", (*ProxDCA).fields),
	engine.EntryOf[Method]("sum of ranked range: gradients of Moreau envelopes (AGD-SGD, algorithm 3)", (*SoRRAGD).fields),
	engine.EntryOf[Method]("sum of ranked range: DCA", (*SoRRDCA).fields),
	engine.EntryOf[Method]("sum of ranked range: proximal DCA", (*SoRRProxDCA).fields),
	engine.EntryOf[Method]("partial AUC: structural SVM by cutting planes (SVMpAUC-tight), linear scores", (*SVMTight).fields),
	engine.EntryOf[Method]("partial AUC of the batch: mini-batch gradients (MB)", (*MiniBatch).fields),
	engine.EntryOf[Method]("whole AUC: min-max margin loss (AUC-M, PESG)", (*AUCMargin).fields),
}}

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description { return family.Descriptions() }

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

func objectiveOf(m Method) solvers.Objective {
	if ranged(m) {
		return solvers.RankedRange
	}
	if _, dual := m.(SVMTight); dual {
		return solvers.StructuralSVM
	}
	return solvers.PartialAUC
}

// Solvers lists this family for the registry.
func Solvers() []engine.Solver {
	return family.Solvers(func(m Method) (solvers.Objective, solvers.Accepts) {
		objective := objectiveOf(m)
		accepts := solvers.Accepts{NoRegulariser: true, Rates: true, Hidden: true}
		switch objective {
		case solvers.RankedRange:
			accepts = solvers.Accepts{NoRegulariser: true, Ranks: true, Hidden: true}
		case solvers.StructuralSVM:
			accepts = solvers.Accepts{Gap: true, Rates: true}
		}
		return objective, accepts
	}, func(ctx context.Context, t *engine.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if ranged(m) {
			return SolveRange(ctx, &RangeProblem{X: t.X, Y: t.Y, M: t.M, N: t.N, Lambda: t.Lambda, Model: t.Model}, m, settings)
		}
		return Solve(ctx, &Problem{X: t.X, Y: t.Y, Low: t.Low, High: t.High, Lambda: t.Lambda, Model: t.Model}, m, settings)
	})
}

var field = engine.NewField

// fields are those that text can set, with what is usual.
func (m *Loops) fields(inner, threshold, outer, length string, own ...engine.Field) []engine.Field {
	return append([]engine.Field{
		field("paper", "false", "the setting of the paper's appendix E", &m.Paper),
		field("inner", inner, "step size c of the first inner loop", &m.Inner),
		field("threshold", threshold, "step size of the thresholds as a share of that", &m.Threshold),
		field("outer", outer, "outer iterations", &m.Outer),
		field("length", length, "inner iterations of the first outer one", &m.Length),
		field("constant", "false", "the same step and number of inner iterations in each outer one", &m.Constant),
	}, own...)
}

// ofLogistic is fields with the defaults of the logistic loss.
func (m *Loops) ofLogistic(own ...engine.Field) []engine.Field {
	return m.fields("10", "0.02", "5", "100", own...)
}

func negativesField(usual string, v *int) engine.Field {
	return field("negatives", usual, "negative rows in a batch", v)
}

func positivesField(v *int) engine.Field {
	return field("positives", "100", "positive rows in a batch", v)
}

func rowsField(v *int) engine.Field { return field("rows", "100", "rows in a batch", v) }

const proximalAbout = "1/mu is the weight of the proximal term"

// stageFields are those of methods with stages.
func stageFields(step, about string, value *float64, number, length *int) []engine.Field {
	return []engine.Field{
		field("step", step, about, value),
		field("stages", "2", "stages", number),
		field("length", "500", "iterations of a stage", length),
	}
}
