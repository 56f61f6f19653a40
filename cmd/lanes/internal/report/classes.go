package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
)

// mostConfused is the largest number of classes whose confusion table is shown.
const mostConfused = 20

// ClassScores returns the scores of one class.
func ClassScores(about *model.Card, scores []float64, label float64) ([]float64, error) {
	k, known := input.ClassIndex(about.Classes)[label]
	if !known {
		return nil, console.BadFlag("positive", label, "the model has no such class; name one of its labels")
	}
	var own []float64
	for at := int(k); at < len(scores); at += len(about.Classes) {
		own = append(own, scores[at])
	}
	return own, nil
}

// EvaluateClasses measures a model of several classes.
func EvaluateClasses(a *console.App, m model.Model, data *input.Dataset, scores []float64, f *Evaluation) error {
	about := m.About()
	if f.FPR != "" {
		return console.Usagef("--fpr is for two classes: put one of the %d against the rest with --positive V", len(about.Classes))
	}
	actual, err := input.ClassesOf(data, about.Classes)
	if err != nil {
		return err
	}
	count := len(about.Classes)
	index := input.ClassIndex(about.Classes)
	predicted := make([]uint32, len(actual))
	for i := range predicted {
		predicted[i] = index[m.Label(scores[i*count:(i+1)*count]...)]
	}
	table, err := metrics.Classify(actual, predicted, nil, count)
	if err != nil {
		return err
	}
	measures := [][2]any{{"accuracy", table.Accuracy()}}
	if m.Logistic() {
		if err := m.Probabilities(scores); err != nil {
			return err
		}
		loss, err := metrics.ClassLogLoss(scores, actual, nil, count)
		if err != nil {
			return err
		}
		measures = append(measures, [2]any{"log_loss", loss})
	}
	measures = append(measures, [][2]any{
		{"balanced_accuracy", table.BalancedAccuracy()}, {"macro_f1", table.MacroF1()}, {"micro_f1", table.Accuracy()},
	}...)
	type line struct {
		Label     any     `json:"label"`
		Rows      float64 `json:"rows"`
		Precision float64 `json:"precision"`
		Recall    float64 `json:"recall"`
		F1        float64 `json:"f1"`
	}
	lines := make([]line, count)
	for k, label := range about.Classes {
		c := table.Of(k)
		shown := any(label)
		if about.Words() != nil {
			shown = about.Word(label)
		}
		lines[k] = line{shown, c.TruePositive + c.FalseNegative, c.Precision(), c.Recall(), c.F1()}
	}
	if f.Plot != "" {
		shown := make([]plots.ClassScore, count)
		for k, l := range lines {
			shown[k] = plots.ClassScore{Label: fmt.Sprint(l.Label), F1: l.F1, Precision: l.Precision, Recall: l.Recall}
		}
		if err := plots.DrawClasses(a, f.Plot, shown); err != nil {
			return err
		}
	}
	if a.JSON {
		object := map[string]any{"data": data.Name, "n": len(actual), "classes": count, "per_class": lines}
		for _, v := range measures {
			object[v[0].(string)] = console.Finite(v[1].(float64))
		}
		if count <= mostConfused {
			object["confusion"] = table
		}
		return a.PrintJSON(object)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d, %d classes\n", len(actual), count)
	for _, v := range measures {
		fmt.Fprintf(w, "%s\t%.8g\n", strings.ReplaceAll(v[0].(string), "_", " "), v[1])
	}
	w.Flush()
	w = tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nclass\trows\tprecision\trecall\tF1\t\n")
	for _, l := range lines {
		fmt.Fprintf(w, "%v\t%v\t%.4f\t%.4f\t%.4f\t\n", l.Label, l.Rows, l.Precision, l.Recall, l.F1)
	}
	if count <= mostConfused {
		fmt.Fprint(w, "\nactual \\ predicted\t")
		for _, label := range about.Classes {
			fmt.Fprintf(w, "%v\t", about.Word(label))
		}
		fmt.Fprintln(w)
		for k, row := range table {
			fmt.Fprintf(w, "%v\t", about.Word(about.Classes[k]))
			for _, v := range row {
				fmt.Fprintf(w, "%v\t", v)
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
	return a.Print("%s", text.String())
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

func (d *decisions) print(text *strings.Builder) {
	c := d.confusion
	w := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nactual \\ predicted\tpositive\tnegative\t\n")
	fmt.Fprintf(w, "positive\t%v\t%v\t\n", c.TruePositive, c.FalseNegative)
	fmt.Fprintf(w, "negative\t%v\t%v\t\n", c.FalsePositive, c.TrueNegative)
	w.Flush()
	fmt.Fprintf(text, "precision %.6g, recall %.6g, F1 %.6g\n", c.Precision(), c.Recall(), c.F1())
	if d.calibration == nil {
		return
	}
	fmt.Fprintf(text, "\ncalibration error %.6g\n", metrics.CalibrationError(d.calibration))
	w = tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "probability\trows\tpredicted\tobserved\t\n")
	for _, b := range d.calibration {
		if b.Weight > 0 {
			fmt.Fprintf(w, "%.1f to %.1f\t%v\t%.4f\t%.4f\t\n", b.Low, b.High, b.Weight, b.Predicted, b.Observed)
		}
	}
	w.Flush()
}
