package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

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
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("model", "%s, %s", path, kind)
	if solverType != "" {
		row("LIBLINEAR's type", "%s", solverType)
	}
	switch {
	case about.Regression:
		row("predicts", "the target of a regression")
	case about.Classes != nil:
		row("predicts", "%d classes: %s", len(labels), strings.Join(labels, ", "))
	case about.Rest:
		row("predicts", "%s against the rest", labels[0])
	default:
		row("predicts", "%s (above 0) against %s", labels[0], labels[1])
	}
	row("columns", "%d, bias %g", about.Features, bias)
	row("weights", "%d, %d of them not 0", len(weights), used)
	row("SHA-256 of weights", "%s", solvers.HashWeights(weights))
	if t := about.Meta; t == nil {
		row("origin", "no metadata: not written by lanes, which would say more")
	} else {
		loss := t.Loss
		if t.LossDelta != 0 {
			loss += fmt.Sprintf(" (delta %g)", t.LossDelta)
		}
		row("written by", "%s", t.Program)
		row("solver", "%s, seed %d: %s after %.4g passes", t.Solver, t.Seed, t.Status, t.Passes)
		row("loss", "%s, lambda %.6g", loss, t.Lambda)
		row("trained on", "%d rows", t.Rows)
		row("objective", "%.9g, gradient norm %.3g", t.Objective, t.GradientNorm)
		if t.Gap != nil {
			row("duality gap", "%.3g", *t.Gap)
		}
		row("rows are scaled", "%s", t.Normalize)
		row("indices begin at", "%d", input.FirstIndex(t.ZeroBased))
		checked := "all that predictions depend on, found right"
		if t.Checksum == "" {
			checked = "weights only (written by an earlier program), found right"
		}
		row("checksum", "of %s", checked)
	}
	w.Flush()
	fmt.Fprintf(&text, "\nlanes predict --model %s DATA    scores of rows; --labels, --probability\nlanes eval --model %[1]s DATA       how good they are\n", path)
	if t := about.Meta; solverType != "" && (t == nil || t.Normalize == model.NormalizeNone && !t.ZeroBased && t.LabelNames == nil) {
		fmt.Fprintf(&text, "liblinear-predict DATA %s OUT\n", path)
	}
	return a.Print("%s", text.String())
}
