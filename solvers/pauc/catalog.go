package pauc

import (
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/solvers"
)

var family = catalog.Family[Method]{Name: "pauc", Own: own, PaperSetting: paperOf, Entries: []catalog.Entry[Method]{
	{About: "partial AUC: gradients of Moreau envelopes (AGD-SBCD, algorithms 1 and 2)", Zero: AGDSBCD{}, Fields: loops(
		"5 over the largest rate; 10"+ofLogistic, "0.001; 0.02"+ofLogistic, "2; 5"+ofLogistic, "50; 100"+ofLogistic,
		negatives("100"), positives, mu(envelopeAbout), upto(1000, "step", "1", outerAbout), sharpness("7"), logistic)},
	{About: "partial AUC: difference of convex functions (DCA, algorithm 4)", Zero: DCA{}, Fields: logisticLoops(negatives("100"), positives)},
	{About: "partial AUC: proximal DCA", Zero: ProxDCA{}, Fields: logisticLoops(negatives("100"), positives, mu(proximalAbout))},
	{About: "sum of ranked range: gradients of Moreau envelopes (AGD-SGD, algorithm 3)", Zero: SoRRAGD{}, Fields: logisticLoops(
		rows, mu(envelopeAbout), upto(1000, "step", "3", outerAbout))},
	{About: "sum of ranked range: DCA", Zero: SoRRDCA{}, Fields: logisticLoops(rows)},
	{About: "sum of ranked range: proximal DCA", Zero: SoRRProxDCA{}, Fields: logisticLoops(rows, mu(proximalAbout))},
	{About: "partial AUC: structural SVM by cutting planes (SVMpAUC-tight), linear scores", Zero: SVMTight{}},
	{About: "partial AUC of the batch: mini-batch gradients (MB)", Zero: MiniBatch{}, Fields: stages("10", "first step size",
		positives, negatives("500"), field("paper", "false", "logistic loss, from w = 0, 100 negatives, the last point"), sharpness("5"), logistic)},
	{About: "whole AUC: min-max margin loss (AUC-M, PESG)", Zero: AUCMargin{}, Fields: stages("3", "step size of the first stage",
		positives, negatives("100"), field("paper", "false", "from w = 0, the last point"), upto(1e9, "margin", "1", "margin"), mu(proximalAbout))},
}}

// own refuses the sharpness of the sigmoid loss if the loss is the logistic one.
func own(m Method) error {
	idle := false
	switch m := m.(type) {
	case AGDSBCD:
		idle = m.Scale > 0 && (m.Logistic || m.Paper)
	case MiniBatch:
		idle = m.Scale > 0 && (m.Logistic || m.Paper)
	}
	if idle {
		return errors.New("scale is of the sigmoid loss; with paper or logistic the loss is the logistic one")
	}
	return nil
}

// ByName returns a solver with the parameters given as text; other parameters keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// describe returns what a method makes small, and the parts that it takes.
func describe(m Method) (solvers.Objective, solvers.Parts) {
	const all = solvers.NoRegulariser | solvers.Rates | solvers.MinTPR | solvers.Hidden
	switch m.(type) {
	case SoRRAGD, SoRRDCA, SoRRProxDCA:
		return solvers.RankedRange, solvers.NoRegulariser | solvers.RankRange | solvers.Hidden
	case SVMTight:
		return solvers.StructuralSVM, solvers.Gap | solvers.Rates
	case AUCMargin:
		return solvers.PartialAUC, all &^ solvers.MinTPR
	}
	return solvers.PartialAUC, all
}

// ranged tells whether a method is for the sum of ranked range.
func ranged(m Method) bool {
	objective, _ := describe(m)
	return objective == solvers.RankedRange
}

// Solvers lists the solvers of this package, with what they accept and what can be set.
func Solvers() []solvers.Solver {
	return family.Solvers(describe, func(ctx context.Context, t *solvers.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if ranged(m) {
			return SolveRange(ctx, &RangeProblem{X: t.X, Y: t.Y, M: t.M, N: t.N, Lambda: t.Ridge(), Model: t.Model}, m, settings)
		}
		return Solve(ctx, &Problem{X: t.X, Y: t.Y, Low: t.Low, High: t.High, MinTPR: t.MinTPR, Lambda: t.Ridge(), Model: t.Model}, m, settings)
	})
}

var field, upto = catalog.NewField, catalog.Upto

// loops returns the fields of Loops, with their defaults, and a solver's own fields.
func loops(inner, threshold, outer, length string, own ...catalog.Field) []catalog.Field {
	return append([]catalog.Field{
		field("paper", "false", "the setting of the paper's appendix E"),
		upto(1e9, "inner", inner, "step size c of the first inner loop"),
		upto(1e9, "threshold", threshold, "step size of the thresholds, divided by inner"),
		upto(10000, "outer", outer, "outer iterations"),
		upto(1e6, "length", length, "inner iterations of the first outer iteration"),
		field("constant", "false", "keep the step size and inner iterations constant over outer iterations"),
	}, own...)
}

// logisticLoops is loops with the defaults of the logistic loss.
func logisticLoops(own ...catalog.Field) []catalog.Field {
	return loops("10", "0.02", "5", "100", own...)
}

// stages returns the fields of methods with stages, and a solver's own fields.
func stages(step, about string, own ...catalog.Field) []catalog.Field {
	return append([]catalog.Field{
		upto(1e9, "step", step, about),
		upto(10000, "stages", "2", "stages"),
		upto(1e6, "length", "500", "iterations of a stage"),
	}, own...)
}

func negatives(usual string) catalog.Field {
	return upto(1<<20, "negatives", usual, "negative rows in a batch")
}

func mu(about string) catalog.Field { return upto(1e12, "mu", "1000", about) }

func sharpness(usual string) catalog.Field {
	return upto(1e9, "scale", usual, "sharpness of the sigmoid loss")
}

const (
	ofLogistic    = " with the logistic loss"
	proximalAbout = "1/mu is the weight of the proximal term"
	envelopeAbout = "parameter of the Moreau envelopes"
	outerAbout    = "outer step, gamma/mu"
)

var (
	positives = upto(1<<20, "positives", "100", "positive rows in a batch")
	rows      = upto(1<<20, "rows", "100", "rows in a batch")
	logistic  = field("logistic", "false", "the logistic loss in place of the sigmoid")
)
