package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/sparse"
)

type evalFlags struct {
	data                    dataFlags
	model, scores, positive string
	fpr, plot               string
}

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval {--model FILE DATA | --scores FILE} [flags]",
		Short: "Measure a model, or the scores of any other tool",
		Long: `eval prints accuracy, log loss, average precision, the area under the ROC curve and,
with --fpr, the partial area between two false-positive rates (as it is, and divided by
the width of the range), and tables of the decisions at score 0 and of the calibration.
For a regression it prints the mean squared error, for a model of several classes
accuracy, log loss, F1 and tables by class; --positive V measures its class V against
the rest.

--scores FILE takes lines of two numbers, label and score, parted by blanks or a comma,
from any tool; - is standard input. Log loss takes scores as log odds.`,
		Example: `  lanes eval --model a9a.model a9a.t.xz --plot curves.png
  paste labels.txt scores.txt | lanes eval --scores - --fpr 0,0.1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.eval(cmd, args, &f) },
	}
	f.data.register(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "model to measure")
	flags.StringVar(&f.scores, "scores", "", "file of label and score pairs")
	flags.StringVar(&f.positive, "positive", "", "label of the positive class (default that of the model, or the larger)")
	flags.StringVar(&f.fpr, "fpr", "", "LO,HI: partial area between these false-positive rates")
	flags.StringVar(&f.plot, "plot", "", "draw the precision-recall and the ROC curve, or the F1 of several classes, to FILE.png or FILE.svg")
	return cmd
}

func (a *app) eval(cmd *cobra.Command, args []string, f *evalFlags) error {
	low, high, err := parseRange(f.fpr)
	if err != nil {
		return err
	}
	var positive *float64
	if err := (outputs{"plot": f.plot}).check(a.in, append([]string{f.model, f.scores}, args...)...); err != nil {
		return err
	}
	var y, scores []float64
	var name string
	regression, odds := false, true
	switch {
	case f.scores != "" && (f.model != "" || len(args) > 0):
		return usagef("give --scores FILE, or --model FILE and DATA, not both")
	case f.scores != "":
		if err := refuseIdle(cmd, use{"merge", false, "DATA"}, use{"float32", false, "DATA"}, use{"zero-based", false, "DATA"}); err != nil {
			return err
		}
		if positive, err = parseLabel(f.positive); err != nil {
			return err
		}
		var labels []float64
		if name, labels, scores, err = a.readScores(f.scores); err != nil {
			return err
		}
		if y, _, err = sparse.BinaryLabels(labels, positive); err != nil {
			return dataError{fmt.Errorf("%s: %w", name, err)}
		}
	case len(args) == 0:
		return usagef("name the DATA to measure the model on")
	default:
		m, err := readModel(f.model)
		if err != nil {
			return err
		}
		var data *dataset
		if data, scores, err = a.score(m, args[0], &f.data); err != nil {
			return err
		}
		about := m.About()
		name, regression = data.name, about.Regression
		const classes = "models of classes; this one is of a regression"
		if err := refuseIdle(cmd, use{"positive", !regression, classes}, use{"fpr", !regression, classes}, use{"plot", !regression, classes}); err != nil {
			return err
		}
		odds = m.Logistic()
		if words := about.Words(); words == nil {
			positive, err = parseLabel(f.positive)
		} else if f.positive != "" {
			k := slices.Index(words, f.positive)
			if k < 0 {
				return usagef("--positive %s: the model has no such class, only %s", f.positive, strings.Join(words, ", "))
			}
			positive = &about.Labels()[k]
		}
		if err != nil {
			return err
		}
		if !regression {
			if err := data.relabel(about.Labels(), about.Words(), about.Rest); err != nil {
				return err
			}
		}
		labels := sparse.LabelMap{Positive: about.Positive, Negative: about.Negative, Rest: about.Rest}
		if about.Classes != nil {
			if positive == nil {
				return a.evalClasses(m, data, scores, f)
			}
			if scores, err = classScores(about, scores, *positive); err != nil {
				return err
			}
		}
		if positive != nil {
			labels = sparse.LabelMap{Positive: *positive, Rest: true}
		}
		if y, err = signsOf(data, labels, regression); err != nil {
			return err
		}
	}
	if regression {
		mse, err := meanSquare(scores, y, nil)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(map[string]any{"data": name, "n": len(y), "mse": finite(mse)})
		}
		return a.print("rows                 %d\nmean squared error   %.8g\n", len(y), mse)
	}
	return a.report(name, y, scores, odds, f, low, high)
}

func parseLabel(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v-v != 0 {
		return nil, usagef("--positive %s: a label is a number", text)
	}
	return &v, nil
}

func parseRange(text string) (low, high float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	left, right, found := strings.Cut(text, ",")
	low, err1 := strconv.ParseFloat(left, 64)
	high, err2 := strconv.ParseFloat(right, 64)
	if !found || err1 != nil || err2 != nil || !(low >= 0 && low < high && high <= 1) {
		return 0, 0, usagef("--fpr %s: give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.1", text)
	}
	return low, high, nil
}

func (a *app) report(name string, y, scores []float64, odds bool, f *evalFlags, low, high float64) error {
	positives := 0
	for _, v := range y {
		if v > 0 {
			positives++
		}
	}
	type measure struct {
		key, text string
		value     float64
	}
	var measures []measure
	add := func(key, text string, value float64, err error) {
		if err != nil {
			a.note("%s cannot be computed: %s", text, strings.TrimPrefix(err.Error(), "metrics: "))
			return
		}
		measures = append(measures, measure{key, text, value})
	}
	accuracy, err := metrics.Accuracy(scores, y, nil)
	add("accuracy", "accuracy", accuracy, err)
	loss, err := metrics.LogLoss(scores, y, nil)
	add("log_loss", "log loss", loss, err)
	ranking, err := metrics.Rank(scores, y, nil)
	if err != nil {
		return dataError{fmt.Errorf("%s: %w", name, err)}
	}
	ap, err := ranking.AveragePrecision()
	add("average_precision", "average precision", ap, err)
	auc, err := ranking.AUROC()
	add("auroc", "AUROC", auc, err)
	if f.fpr != "" {
		raw, normalised, err := ranking.PartialAUC(low, high)
		add("pauc", "partial AUC "+f.fpr, raw, err)
		add("pauc_normalised", "  divided by width", normalised, err)
	}
	if f.plot != "" {
		if err := a.plotCurves(f.plot, &curves{ranking, ap, auc, float64(positives) / float64(len(y)), low, high}); err != nil {
			return err
		}
	}
	tables, err := decide(y, scores, odds)
	if err != nil {
		return dataError{fmt.Errorf("%s: %w", name, err)}
	}
	if a.json {
		object := map[string]any{"data": name, "n": len(y), "positives": positives}
		tables.addTo(object)
		for _, m := range measures {
			object[m.key] = finite(m.value)
		}
		return a.printJSON(object)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d, %d positive\n", len(y), positives)
	for _, m := range measures {
		fmt.Fprintf(w, "%s\t%.8g\n", m.text, m.value)
	}
	w.Flush()
	tables.print(&text)
	return a.print("%s", text.String())
}

// readScores reads lines of label and score.
func (a *app) readScores(path string) (name string, labels, scores []float64, err error) {
	name = path
	in := a.in
	if path == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(path)
		if err != nil {
			return "", nil, nil, dataError{fileTrouble(err, path)}
		}
		defer file.Close()
		in = file
	}
	lines := bufio.NewScanner(in)
	for number := int64(1); lines.Scan(); number++ {
		fields := strings.FieldsFunc(lines.Text(), func(c rune) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' })
		if len(fields) == 0 {
			continue
		}
		trouble := func(message string) error {
			return dataError{&sparse.FormatError{Name: name, Line: number, Message: message}}
		}
		if len(fields) != 2 {
			return "", nil, nil, trouble(fmt.Sprintf("%d numbers where a label and a score should stand", len(fields)))
		}
		label, err1 := strconv.ParseFloat(fields[0], 64)
		score, err2 := strconv.ParseFloat(fields[1], 64)
		if err1 != nil || label-label != 0 {
			return "", nil, nil, trouble(fmt.Sprintf("label %.40q is not a finite number", fields[0]))
		}
		if err2 != nil || score != score {
			return "", nil, nil, trouble(fmt.Sprintf("score %.40q is not a number", fields[1]))
		}
		labels, scores = append(labels, label), append(scores, score)
	}
	if err := lines.Err(); err != nil && err != io.EOF {
		return "", nil, nil, dataError{fmt.Errorf("%s: %w", name, bare(err))}
	}
	if len(scores) == 0 {
		return "", nil, nil, dataError{fmt.Errorf("%s holds no scores", name)}
	}
	return name, labels, scores, nil
}
