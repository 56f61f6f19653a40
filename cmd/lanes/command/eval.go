package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

type evalFlags struct {
	data                    input.DataFlags
	model, scores, positive string
	fpr, plot               string
}

func evalCommand(a *console.App) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval [flags] {MODEL DATA | --scores FILE}",
		Short: "Measure a model, or the scores of any other tool",
		Long: `eval prints accuracy, log loss, average precision, the area under the ROC curve and,
with --fpr, the partial area between two false-positive rates (as it is, and divided by
the width of the range), and tables of the decisions at score 0 and of the calibration.
For a regression it prints the mean squared error, for a model of several classes
accuracy, log loss, F1, tables by class, and the calibration error of the probabilities
of the classes that it predicts; --positive V measures its class V against the rest.

--scores FILE takes lines of two numbers, label and score, parted by blanks or a comma,
from any tool; - is standard input. Log loss takes scores as log odds.`,
		Example: `  lanes eval a9a.model a9a.t.xz --plot curves.png
  paste labels.txt scores.txt | lanes eval --scores - --fpr 0,0.1`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return eval(a, cmd, args, &f) },
	}
	console.Declare(cmd, append(f.data.Flags(false),
		console.Flag{Name: "model", Value: &f.model, Group: console.DataGroup, Help: "`FILE` of the model, in place of MODEL"},
		console.Flag{Name: "scores", Value: &f.scores, Group: console.DataGroup, Help: "`FILE` of label and score pairs",
			Excludes: map[string]string{"model": "give --scores FILE, or MODEL and DATA, not both"}},
		console.Flag{Name: "positive", Value: &f.positive, Group: "Measures", Help: "`LABEL` of the positive class (default: the model's, or the larger)"},
		console.Flag{Name: "fpr", Value: &f.fpr, Group: "Measures", Help: "partial area between the false-positive rates `LO,HI`"},
		console.Flag{Name: "plot", Value: &f.plot, Group: console.OutputGroup, Help: "draw the precision-recall and ROC curves, or F1, to `FILE`, .png or .svg"})...)
	return cmd
}

func eval(a *console.App, cmd *cobra.Command, args []string, f *evalFlags) error {
	options := report.Evaluation{FPR: f.fpr, Plot: f.plot}
	if f.fpr != "" {
		var err error
		if options.Low, options.High, err = fitting.ParseRates("fpr", f.fpr); err != nil {
			return err
		}
	}
	if err := (console.Outputs{"plot": f.plot}).Check(a.In, append([]string{f.model, f.scores}, args...)...); err != nil {
		return err
	}
	switch {
	case f.scores != "" && len(args) > 0:
		return console.Usagef("give --scores FILE, or MODEL and DATA, not both")
	case f.scores != "":
		return evalScores(a, cmd, f, &options)
	}
	path, data, err := input.ModelAndData(cmd, f.model, args)
	if err != nil {
		return err
	}
	return evalModel(a, cmd, path, data, f, &options)
}

// evalScores measures the scores of a file.
func evalScores(a *console.App, cmd *cobra.Command, f *evalFlags, options *report.Evaluation) error {
	if err := console.RefuseIdle(cmd, "DATA", input.TextFlags...); err != nil {
		return err
	}
	positive, err := input.ParseLabel(f.positive)
	if err != nil {
		return err
	}
	name, labels, scores, err := input.ReadScores(a, f.scores)
	if err != nil {
		return err
	}
	y, _, err := sparse.BinaryLabels(labels, positive)
	if err != nil {
		return console.BadData(fmt.Errorf("%s: %w", name, err))
	}
	return report.EvaluateScores(a, name, y, scores, true, options)
}

// evalModel measures the scores of a model on data, by their paths.
func evalModel(a *console.App, cmd *cobra.Command, path, rows string, f *evalFlags, options *report.Evaluation) error {
	m, err := input.ReadModel(path)
	if err != nil {
		return err
	}
	data, scores, err := input.Score(a, m, rows, &f.data)
	if err != nil {
		return err
	}
	about := m.About()
	if about.Regression {
		if err := console.RefuseIdle(cmd, "models of classes; this one is of a regression", "positive", "fpr", "plot"); err != nil {
			return err
		}
		return report.EvaluateTargets(a, data, scores)
	}
	positive, err := positiveOf(about, f.positive)
	if err != nil {
		return err
	}
	if err := data.Relabel(about.Labels(), about.Words(), about.Rest); err != nil {
		return err
	}
	labels := sparse.LabelMap{Positive: about.Positive, Negative: about.Negative, Rest: about.Rest}
	if about.Classes != nil {
		if positive == nil {
			return report.EvaluateClasses(a, m, data, scores, options)
		}
		if scores, err = report.ClassScores(about, scores, *positive); err != nil {
			return err
		}
	}
	if positive != nil {
		labels = sparse.LabelMap{Positive: *positive, Rest: true}
	}
	y, err := input.SignsOf(data, labels, false)
	if err != nil {
		return err
	}
	return report.EvaluateScores(a, data.Name, y, scores, m.Logistic(), options)
}

// positiveOf reads --positive as a label of a model: a number, or a word where those are
// words.
func positiveOf(about *model.Card, text string) (*float64, error) {
	words := about.Words()
	if words == nil || text == "" {
		return input.ParseLabel(text)
	}
	k := slices.Index(words, text)
	if k < 0 {
		return nil, console.BadFlag("positive", text, "the model has no such class, only %s", strings.Join(words, ", "))
	}
	return &about.Labels()[k], nil
}
