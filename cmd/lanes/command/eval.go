package command

import (
	"slices"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
)

type evalFlags struct {
	report.Evaluation
	data          input.DataFlags
	model, scores string
}

func evalCommand(a *console.App) *cli.Command {
	var f evalFlags
	cmd := &cli.Command{
		Use:   "eval [flags] {MODEL DATA | --scores FILE}",
		Short: "Measure a model, or the scores of any other tool",
		Long: `eval prints accuracy, log loss beside that of the base rate, average precision, AUC, Gini and
KS, and tables of the decisions at score 0, of the lift and of the calibration. --fpr adds the
partial AUC between two false-positive rates, as it is and divided by its maximum, above a
true-positive rate with --tpr. --cost fp=1,fn=5 calls rows positive where their odds are above
1/5, and adds the mean cost of a row, of calling all rows the same, and of the best threshold.

For a regression eval prints the mean squared and absolute errors, R2, and the mean loss of the
model. For losses of means exp(score) it prints deviance, D2, and Gini and calibration of the
rates: predictions and targets a unit of exposure. For several classes it prints accuracy, log
loss, F1, tables by class and the calibration error; --positive V measures V against the rest.

--scores FILE takes lines of two numbers, label and score, separated by blanks or a comma, from
any tool, plain or compressed; - is standard input. The log loss takes scores as log odds.`,
		Example: `  lanes eval a9a.model a9a.t.xz --plot curves.png
  paste labels.txt scores.txt | lanes eval --scores - --fpr 0,0.1`,
		Args: cli.Between(0, 2),
		Run:  func(cmd *cli.Command, args []string) error { return eval(a, cmd, args, &f) },
	}
	console.Declare(cmd, append(f.data.Flags(false),
		console.Flag{Name: "model", Value: &f.model, Group: console.DataGroup, Help: "model in `FILE`, in place of MODEL"},
		console.Flag{Name: "scores", Value: &f.scores, Group: console.DataGroup, Help: "pairs of label and score in `FILE`, in place of MODEL and DATA",
			Excludes: map[string]string{"model": "give --scores FILE, or MODEL and DATA, not both"}},
		console.Flag{Name: "positive", Value: &f.Positive, Group: "Evaluation", Help: "`LABEL` of the positive class (default: the model's, or the larger)"},
		console.Flag{Name: "fpr", Value: &f.FPR, Group: "Evaluation", Help: "partial AUC between the false-positive rates `LO,HI`"},
		console.Flag{Name: "tpr", Value: &f.MinTPR, Group: "Evaluation", Range: fitting.Rate, Needs: console.Need{Flags: "fpr"}, Help: "partial AUC above the true-positive rate `A` only"},
		console.Flag{Name: "cost", Value: &f.Cost, Group: "Evaluation", Help: "decide by `COSTS` of wrong decisions, as fp=1,fn=5, and measure them"},
		console.Flag{Name: "plot", Value: &f.Plot, Group: console.OutputGroup, Help: "draw the precision-recall and ROC curves, or F1, to `FILE`, .png or .svg"},
		console.Flag{Name: "full", Value: &f.Full, Group: console.OutputGroup, Help: "print the table of all classes, of models of more than 20"},
		console.Flag{Name: "html", Value: &f.Page, Group: console.OutputGroup, Help: "write a page to `FILE`: weights, curves, calibration, decisions"})...)
	return cmd
}

func eval(a *console.App, cmd *cli.Command, args []string, f *evalFlags) error {
	if err := f.Check(); err != nil {
		return err
	}
	if err := (console.Outputs{"plot": f.Plot, "html": f.Page}).Check(a.In, append([]string{f.model, f.scores}, args...)...); err != nil {
		return err
	}
	switch {
	case f.scores != "" && len(args) > 0:
		return console.Usagef("give --scores FILE, or MODEL and DATA, not both")
	case f.scores != "":
		if err := console.RefuseIdle(cmd, "DATA", slices.Concat(input.ReadFlags, input.TextFlags)...); err != nil {
			return err
		}
		name, labels, scores, err := input.ReadScores(a, f.scores)
		if err != nil {
			return err
		}
		return f.OfScores(a, name, labels, scores)
	}
	path, data, err := input.ModelAndData(cmd, f.model, args)
	if err != nil {
		return err
	}
	m, err := input.ReadModel(path)
	if err != nil {
		return err
	}
	if m.About().Regression {
		if err := console.RefuseIdle(cmd, "models of classes; this one is of a regression", "positive", "fpr", "tpr", "cost", "plot"); err != nil {
			return err
		}
	}
	e, err := input.EncoderFor(a, cmd, path, data, m)
	if err == nil && e != nil {
		err = console.RefuseIdle(cmd, "rows, not with a table", input.TextFlags...)
	}
	if err != nil {
		return err
	}
	return f.OfModel(a, input.NameOf(data), path, m, input.ScoreRows(a, m, data, &f.data, input.Scoring{Encoder: e, Labelled: true, Counted: f.Counted}))
}
