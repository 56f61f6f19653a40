package report

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// PrintModel describes a model.
func PrintModel(a *console.App, path string) error {
	m, err := input.ReadModel(path)
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
	used := 0
	for _, w := range weights {
		if w != 0 {
			used++
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
		"labels": labels, "rest": about.Rest, "weights": len(weights), "nonzero_weights": used, "weights_sha256": solvers.HashWeights(weights), "meta": about.Meta,
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
	case about.Regression:
		text.Row("predicts", "the target of a regression")
	case about.Classes != nil:
		text.Row("predicts", "%d classes: %s", len(labels), strings.Join(labels, ", "))
	case about.Rest:
		text.Row("predicts", "%s against the rest", labels[0])
	default:
		text.Row("predicts", "%s (above 0) against %s", labels[0], labels[1])
	}
	text.Row("columns", "%d, bias %g", about.Features, bias)
	text.Row("weights", "%d, %d of them not 0", len(weights), used)
	text.Row("SHA-256 of weights", "%s", solvers.HashWeights(weights))
	addOrigin(text, about.Meta)
	fmt.Fprintf(text, "\nlanes predict --model %s DATA    scores of rows; --labels, --probability\nlanes eval --model %[1]s DATA       how good they are\n", path)
	if t := about.Meta; solverType != "" && (t == nil || t.Normalize == model.NormalizeNone && !t.ZeroBased && t.LabelNames == nil) {
		fmt.Fprintf(text, "liblinear-predict DATA %s OUT\n", path)
	}
	return a.PrintText(text)
}

// addOrigin tells where a model comes from, as its metadata say.
func addOrigin(text *console.Text, t *model.Meta) {
	if t == nil {
		text.Row("origin", "no metadata: not written by lanes, which would say more")
		return
	}
	loss := t.Loss
	if t.LossDelta != 0 {
		loss += fmt.Sprintf(" (delta %g)", t.LossDelta)
	}
	text.Row("written by", "%s", t.Program)
	text.Row("solver", "%s, seed %d: %s after %.4g passes", t.Solver, t.Seed, t.Status, t.Passes)
	text.Row("loss", "%s, lambda %.6g", loss, t.Lambda)
	text.Row("trained on", "%d rows", t.Rows)
	text.Row("objective", "%.9g, gradient norm %.3g", t.Objective, t.GradientNorm)
	if t.Gap != nil {
		text.Row("duality gap", "%.3g", *t.Gap)
	}
	text.Row("rows are scaled", "%s", t.Normalize)
	text.Row("indices begin at", "%d", input.FirstIndex(t.ZeroBased))
	checked := "all that predictions depend on, found right"
	if t.Checksum == "" {
		checked = "weights only (written by an earlier program), found right"
	}
	text.Row("checksum", "of %s", checked)
}
