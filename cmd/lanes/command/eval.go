package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
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
		Use:   "eval {--model FILE DATA | --scores FILE} [flags]",
		Short: "Measure a model, or the scores of any other tool",
		Long: `eval prints accuracy, log loss, average precision, the area under the ROC curve and,
with --fpr, the partial area between two false-positive rates (as it is, and divided by
the width of the range), and tables of the decisions at score 0 and of the calibration.
For a regression it prints the mean squared error, for a model of several classes
accuracy, log loss, F1, tables by class, and the calibration error of the probabilities
of the classes that it predicts; --positive V measures its class V against the rest.

--scores FILE takes lines of two numbers, label and score, parted by blanks or a comma,
from any tool; - is standard input. Log loss takes scores as log odds.`,
		Example: `  lanes eval --model a9a.model a9a.t.xz --plot curves.png
  paste labels.txt scores.txt | lanes eval --scores - --fpr 0,0.1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return eval(a, cmd, args, &f) },
	}
	f.data.Register(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "model to measure")
	flags.StringVar(&f.scores, "scores", "", "file of label and score pairs")
	flags.StringVar(&f.positive, "positive", "", "label of the positive class (default that of the model, or the larger)")
	flags.StringVar(&f.fpr, "fpr", "", "LO,HI: partial area between these false-positive rates")
	flags.StringVar(&f.plot, "plot", "", "draw the precision-recall and the ROC curve, or the F1 of several classes, to FILE.png or FILE.svg")
	return cmd
}

func eval(a *console.App, cmd *cobra.Command, args []string, f *evalFlags) error {
	low, high, err := parseRange(f.fpr)
	if err != nil {
		return err
	}
	options := report.Evaluation{FPR: f.fpr, Low: low, High: high, Plot: f.plot}
	if err := (console.Outputs{"plot": f.plot}).Check(a.In, append([]string{f.model, f.scores}, args...)...); err != nil {
		return err
	}
	switch {
	case f.scores != "" && (f.model != "" || len(args) > 0):
		return console.Usagef("give --scores FILE, or --model FILE and DATA, not both")
	case f.scores != "":
		return evalScores(a, cmd, f, &options)
	case len(args) == 0:
		return console.Usagef("name the DATA to measure the model on")
	}
	return evalModel(a, cmd, args[0], f, &options)
}

// evalScores measures the scores of a file.
func evalScores(a *console.App, cmd *cobra.Command, f *evalFlags, options *report.Evaluation) error {
	if err := console.RefuseIdle(cmd, console.Goes("merge", false, "DATA"), console.Goes("float32", false, "DATA"), console.Goes("zero-based", false, "DATA")); err != nil {
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

// evalModel measures the scores of a model.
func evalModel(a *console.App, cmd *cobra.Command, path string, f *evalFlags, options *report.Evaluation) error {
	m, err := input.ReadModel(f.model)
	if err != nil {
		return err
	}
	data, scores, err := input.Score(a, m, path, &f.data)
	if err != nil {
		return err
	}
	about := m.About()
	const classes = "models of classes; this one is of a regression"
	if err := console.RefuseIdle(cmd, console.Goes("positive", !about.Regression, classes), console.Goes("fpr", !about.Regression, classes), console.Goes("plot", !about.Regression, classes)); err != nil {
		return err
	}
	if about.Regression {
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

func parseRange(text string) (low, high float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	left, right, found := strings.Cut(text, ",")
	low, err1 := strconv.ParseFloat(left, 64)
	high, err2 := strconv.ParseFloat(right, 64)
	if !found || err1 != nil || err2 != nil || !(low >= 0 && low < high && high <= 1) {
		return 0, 0, console.BadFlag("fpr", text, "give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.1")
	}
	return low, high, nil
}
