package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/table"
)

// PrintModel describes a model, with its top largest weights.
func PrintModel(a *console.App, path string, top int) error {
	m, liblinear, err := input.ReadModelOf(path)
	if err != nil {
		return err
	}
	about := m.About()
	var weights []float64
	var kind, solverType string
	bias := 0.0
	switch m := m.(type) {
	case *model.Linear:
		weights, kind, solverType, bias = m.Weights, "linear model", m.SolverType, m.Bias
	case *model.Perceptron:
		weights, kind = m.Weights, m.Network.String()
	}
	linear, _ := m.(*model.Linear)
	if top > 0 && linear == nil {
		return console.BadFlag("top", top, "%s is a perceptron: its weights are not of columns alone", path)
	}
	used, free := 0, ""
	for _, w := range weights {
		if w != 0 {
			used++
		}
	}
	if linear != nil && about.Meta != nil && about.Meta.Intercept { // which is no weight that a norm could hold at 0
		free = " beside the intercept"
		for k := range about.Width() {
			if linear.Constant(k) != 0 {
				used--
			}
		}
	}
	var labels []string
	if !about.Regression {
		for _, label := range about.Labels() {
			labels = append(labels, about.Word(label))
		}
	}
	object := map[string]any{
		"model": path, "kind": kind, "solver_type": solverType, "regression": about.Regression, "d": about.Features, "bias": bias,
		"labels": labels, "rest": about.Rest, "weights": len(weights), "nonzero_weights": used, "weights_sha256": solvers.HashWeights(weights),
		"meta": withoutNames(about.Meta), "named": about.FeatureNames() != nil,
	}
	e, err := input.EncoderOf(path, m)
	if err != nil {
		return err
	}
	var of *TableReport
	if e != nil {
		of = NewTableReport("", "", e)
		object["table"], object["named"] = of.Columns, true
	}
	if top > 0 {
		object["top"] = largestWeights(linear, top, about.Width())
	}
	if a.JSON {
		return a.PrintJSON(object)
	}
	text := console.NewText()
	text.Row("model", "%s, %s", path, kind)
	if solverType != "" {
		text.Row("LIBLINEAR's type", "%s", solverType)
	}
	switch {
	case about.Logged():
		text.Row("predicts", "the target of a regression, learned as its logarithm: exp(score) times %.6g", about.Meta.Smear)
	case about.Regression:
		text.Row("predicts", "the target of a regression")
	case about.Classes != nil:
		text.Row("predicts", "%d classes: %s", len(labels), strings.Join(labels, ", "))
	case about.Rest:
		text.Row("predicts", "%s against the rest", labels[0])
	default:
		text.Row("predicts", "%s (above 0) against %s", labels[0], labels[1])
	}
	named := ""
	if about.FeatureNames() != nil || e != nil {
		named = ", with names"
	}
	text.Row("columns", "%d, bias %g%s", about.Features, bias, named)
	text.Row("weights", "%d, %d of them non-zero%s", len(weights), used, free)
	text.Row("SHA-256 of weights", "%s", solvers.HashWeights(weights))
	addOrigin(text, about.Meta)
	addHeld(text, about, e)
	if of != nil {
		of.addPairs(text)
		fmt.Fprintf(text, "\nthe table that it was trained on\n")
		addColumns(text, of.Columns)
	}
	if top > 0 {
		addLargest(text, linear, largestWeights(linear, top, about.Width()))
	}
	data := "DATA "
	if of != nil {
		data = "TABLE"
	}
	fmt.Fprintf(text, "\nlanes predict %s %s   scores of rows; --labels, --probability\nlanes eval %[1]s %[2]s      how good they are\n", path, data)
	if t := about.Meta; liblinear && (t == nil || t.Normalize == model.NormalizeNone && !t.ZeroBased && t.LabelNames == nil) {
		fmt.Fprintf(text, "liblinear-predict DATA %s OUT\n", path)
	}
	return a.PrintText(text)
}

// addHeld tells which weights a bound holds: by name, or of several classes how many.
func addHeld(text *console.Text, about *model.Card, e *table.Encoder) {
	const most = 8 // names
	if about.Meta == nil || len(about.Meta.AtBound) == 0 {
		return
	}
	var names []string
	list := about.Meta.AtBound
	for _, j := range list[:min(most, len(list))] {
		switch given := about.FeatureNames(); {
		case j < 0 || j >= about.Features:
		case e != nil:
			names = append(names, e.Name(j))
		case given != nil && given[j] != "":
			names = append(names, given[j])
		default:
			names = append(names, strconv.Itoa(j+input.FirstIndex(about.Meta.ZeroBased)))
		}
	}
	which := ""
	if about.Width() == 1 && len(names) > 0 {
		if which = ": " + strings.Join(names, ", "); len(list) > most {
			which += ", ..."
		}
	}
	text.Row("weights at a bound", "%d%s", len(list), which)
}

// addOrigin tells where a model comes from, as its metadata say.
func addOrigin(text *console.Text, t *model.Meta) {
	if t == nil {
		text.Row("origin", "no metadata: not written by lanes, which would say more")
		return
	}
	loss := t.Loss
	if t.LossDelta != 0 {
		loss += fmt.Sprintf(":%g", t.LossDelta)
	}
	text.Row("written by", "%s", t.Program)
	text.Row("solver", "%s, seed %d: %s after %.4g epochs", t.Solver, t.Seed, t.Status, t.Epochs)
	norm := ""
	if t.L1 != 0 {
		norm = fmt.Sprintf(", l1 %.6g%s", t.L1, fitting.OfGroups(t.Groups))
	}
	text.Row("loss", "%s%s, lambda %.6g", loss, norm, t.Lambda)
	text.Row("trained on", "%d rows", t.Rows)
	text.Row("objective", "%.9g, gradient norm %.3g", t.Objective, t.GradientNorm)
	if t.Gap != nil {
		text.Row("duality gap", "%.3g", *t.Gap)
	}
	text.Row("rows are scaled", "%s", t.Normalize)
	text.Row("indices begin at", "%d", input.FirstIndex(t.ZeroBased))
	text.Row("checksum", "of all that predictions depend on, found right")
}
