package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
)

// mostConfused is the largest number of classes whose confusion table is shown.
const mostConfused = 20

// ClassScores returns the scores of one class against the rest: of a softmax, whose scores of
// a row mean nothing but by their differences, the log odds of the class.
func ClassScores(about *model.Card, scores []float64, label float64) ([]float64, error) {
	k, known := input.ClassIndex(about.Classes)[label]
	if !known {
		return nil, console.BadFlag("positive", label, "the model has no such class; name one of its labels")
	}
	var own, rest []float64
	for row := range slices.Chunk(scores, len(about.Classes)) {
		own = append(own, row[k])
		if about.Meta != nil && about.Meta.Softmax {
			rest = append(append(rest[:0], row[:k]...), row[k+1:]...)
			own[len(own)-1] -= kernels.LogSumExp(rest)
		}
	}
	return own, nil
}

// EvaluateClasses measures a model of several classes.
func EvaluateClasses(a *console.App, m model.Model, data *input.Dataset, scores []float64, f *Evaluation) error {
	if f.FPR != "" {
		return console.Usagef("--fpr is for two classes: put one of the %d against the rest with --positive V", len(m.About().Classes))
	}
	c, err := measureClasses(m, data, scores)
	if err != nil {
		return err
	}
	if f.Plot != "" {
		shown := make([]plots.ClassScore, len(c.lines))
		for k, l := range c.lines {
			shown[k] = plots.ClassScore{Label: fmt.Sprint(l.Label), F1: l.F1, Precision: l.Precision, Recall: l.Recall}
		}
		if err := plots.DrawClasses(a, f.Plot, shown); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(c.object(data.Name))
	}
	return a.PrintText(c.text())
}

// classMeasures are what eval tells of several classes.
type classMeasures struct {
	about    *model.Card
	rows     int
	measures []measure
	lines    []classLine
	table    metrics.ClassTable
}

// classLine is what there is to tell of one class.
type classLine struct {
	Label     any     `json:"label"`
	Rows      float64 `json:"rows"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// measureClasses leaves probabilities in scores where those are log odds.
func measureClasses(m model.Model, data *input.Dataset, scores []float64) (*classMeasures, error) {
	about := m.About()
	actual, err := input.ClassesOf(data, about.Classes)
	if err != nil {
		return nil, err
	}
	count := len(about.Classes)
	index := input.ClassIndex(about.Classes)
	predicted := make([]uint32, len(actual))
	for i := range predicted {
		predicted[i] = index[m.Label(scores[i*count:(i+1)*count]...)]
	}
	table, err := metrics.Classify(actual, predicted, nil, count)
	if err != nil {
		return nil, err
	}
	c := &classMeasures{about: about, rows: len(actual), table: table}
	c.add("accuracy", table.Accuracy())
	if m.Logistic() {
		if err := m.Probabilities(scores); err != nil {
			return nil, err
		}
		loss, err := metrics.ClassLogLoss(scores, actual, nil, count)
		if err != nil {
			return nil, err
		}
		c.add("log_loss", loss)
		bins, err := confidence(scores, actual, predicted, count)
		if err != nil {
			return nil, err
		}
		c.add("calibration_error", metrics.CalibrationError(bins))
	}
	c.add("balanced_accuracy", table.BalancedAccuracy())
	c.add("macro_f1", table.MacroF1())
	c.add("micro_f1", table.Accuracy())
	for k, label := range about.Classes {
		of := table.Of(k)
		shown := any(label)
		if about.Words() != nil {
			shown = about.Word(label)
		}
		c.lines = append(c.lines, classLine{shown, of.TruePositive + of.FalseNegative, of.Precision(), of.Recall(), of.F1()})
	}
	return c, nil
}

// confidence compares the probabilities of the predicted classes with how often they are
// right (Guo and others 2017, "On calibration of modern neural networks").
func confidence(shares []float64, actual, predicted []uint32, count int) ([]metrics.CalibrationBin, error) {
	sure, right := make([]float64, len(actual)), make([]float64, len(actual))
	for i, k := range predicted {
		sure[i], right[i] = shares[i*count+int(k)], -1
		if k == actual[i] {
			right[i] = 1
		}
	}
	return metrics.Calibration(sure, right, nil, 10)
}

func (c *classMeasures) add(key string, value float64) {
	c.measures = append(c.measures, measure{key, strings.ReplaceAll(key, "_", " "), value})
}

func (c *classMeasures) object(name string) map[string]any {
	object := map[string]any{"data": name, "n": c.rows, "classes": len(c.lines), "per_class": c.lines}
	for _, v := range c.measures {
		object[v.key] = console.Finite(v.value)
	}
	if len(c.lines) <= mostConfused {
		object["confusion"] = c.table
	}
	return object
}

func (c *classMeasures) text() *console.Text {
	text := console.NewText()
	text.Row("rows", "%d, %d classes", c.rows, len(c.lines))
	for _, v := range c.measures {
		text.Row(v.text, "%.8g", v.value)
	}
	text.Right()
	fmt.Fprint(text, "\nclass\trows\tprecision\trecall\tF1\t\n")
	for _, l := range c.lines {
		fmt.Fprintf(text, "%v\t%v\t%.4f\t%.4f\t%.4f\t\n", l.Label, l.Rows, l.Precision, l.Recall, l.F1)
	}
	if len(c.lines) > mostConfused {
		return text
	}
	fmt.Fprint(text, "\nactual \\ predicted\t")
	for _, label := range c.about.Classes {
		fmt.Fprintf(text, "%v\t", c.about.Word(label))
	}
	fmt.Fprintln(text)
	for k, row := range c.table {
		fmt.Fprintf(text, "%v\t", c.about.Word(c.about.Classes[k]))
		for _, v := range row {
			fmt.Fprintf(text, "%v\t", v)
		}
		fmt.Fprintln(text)
	}
	return text
}

// decisions are the binary tables of eval: the confusion at threshold 0 and, where
// scores are log odds, the calibration of their probabilities.
type decisions struct {
	confusion   metrics.Confusion
	calibration []metrics.CalibrationBin
}

func decide(y, scores []float64, odds bool) (d decisions, err error) {
	// A row is called positive where its score is above 0, not at 0.
	const aboveZero = 0x1p-1074
	if d.confusion, err = metrics.ConfusionAt(scores, y, nil, aboveZero); err != nil || !odds {
		return d, err
	}
	probability := make([]float64, len(scores))
	if err := kernels.Sigmoid(probability, scores); err != nil {
		return d, err
	}
	d.calibration, err = metrics.Calibration(probability, y, nil, 10)
	return d, err
}

// addTo puts the tables into a JSON object.
func (d *decisions) addTo(object map[string]any) {
	c := d.confusion
	object["confusion"] = map[string]float64{
		"true_positive": c.TruePositive, "false_positive": c.FalsePositive, "true_negative": c.TrueNegative, "false_negative": c.FalseNegative,
	}
	object["precision"], object["recall"], object["f1"] = c.Precision(), c.Recall(), c.F1()
	if d.calibration == nil {
		return
	}
	bins := []map[string]float64{}
	for _, b := range d.calibration {
		bins = append(bins, map[string]float64{"low": b.Low, "high": b.High, "rows": b.Weight, "predicted": b.Predicted, "observed": b.Observed})
	}
	object["calibration"], object["calibration_error"] = bins, metrics.CalibrationError(d.calibration)
}

func (d *decisions) print(text *console.Text) {
	c := d.confusion
	text.Right()
	fmt.Fprint(text, "\nactual \\ predicted\tpositive\tnegative\t\n")
	fmt.Fprintf(text, "positive\t%v\t%v\t\n", c.TruePositive, c.FalseNegative)
	fmt.Fprintf(text, "negative\t%v\t%v\t\n", c.FalsePositive, c.TrueNegative)
	fmt.Fprintf(text, "precision %.6g, recall %.6g, F1 %.6g\n", c.Precision(), c.Recall(), c.F1())
	if d.calibration == nil {
		return
	}
	fmt.Fprintf(text, "\ncalibration error %.6g\n", metrics.CalibrationError(d.calibration))
	text.Right()
	fmt.Fprint(text, "probability\trows\tpredicted\tobserved\t\n")
	for _, b := range d.calibration {
		if b.Weight > 0 {
			fmt.Fprintf(text, "%.1f to %.1f\t%v\t%.4f\t%.4f\t\n", b.Low, b.High, b.Weight, b.Predicted, b.Observed)
		}
	}
}
