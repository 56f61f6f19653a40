package lanes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
)

func report(t *testing.T, m model.Model, rows *plainRows, o lanes.EvaluateOptions) *lanes.Report {
	t.Helper()
	r, err := lanes.Evaluate(context.Background(), m, rows.data(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fewRows are rows of one column.
func fewRows(labels string, values ...float64) *plainRows {
	r := &plainRows{labels: strings.Fields(labels)}
	for _, v := range values {
		r.values = append(r.values, []float64{v})
	}
	return r
}

// TestReportAsText compares texts with what a person would write, by rows whose score is their
// only value.
func TestReportAsText(t *testing.T) {
	t.Parallel()
	ln := math.Log
	two := &model.Linear{Card: model.Card{Features: 1, Positive: 1, Negative: -1}, SolverType: "L2R_LR", Weights: []float64{1}}
	several := &model.Linear{Card: model.Card{Features: 1, Classes: []float64{1, 2, 3}, Meta: &model.Meta{Softmax: true, Normalize: model.NormalizeNone, LabelNames: []string{"red", "blue", "green"}}}, SolverType: "L2R_LR", Weights: []float64{1, 0, -1}}
	targets := &model.Linear{Card: model.Card{Features: 1, Regression: true}, SolverType: "L2R_L2LOSS_SVR", Weights: []float64{1}}
	for _, c := range []struct {
		r    *lanes.Report
		text string
	}{
		{report(t, two, fewRows("1 1 -1 -1", ln(3), -ln(3), ln(3), -ln(9)), lanes.EvaluateOptions{Rates: [2]float64{0, 0.5}, RowWeights: []float64{1e6, 0.5e6, 1e6, 1}}), `
rows                4, 1500000 positive
accuracy            0.40000024
log loss            0.94684911
  of the base rate  0.67301176
average precision   0.53333333
AUC                 0.333334
Gini                -0.333332
KS                  9.99999e-07
partial AUC 0,0.5   0.083333417
  divided by width  0.16666683

  actual \ predicted  positive  negative
            positive   1000000    500000
            negative   1000000         1
precision 0.5, recall 0.666667, F1 0.571429

     top rows   positive   lift  captured
    0% to 10%  125000.05  0.833      8.3%
   10% to 20%  125000.05  0.833     16.7%
   20% to 30%  125000.05  0.833     25.0%
   30% to 40%  125000.05  0.833     33.3%
   40% to 50%  125000.05  0.833     41.7%
   50% to 60%  125000.05  0.833     50.0%
   60% to 70%  125000.05  0.833     58.3%
   70% to 80%  125000.45  0.833     66.7%
   80% to 90%   250000.1  1.667     83.3%
  90% to 100%   249999.1  1.667    100.0%

calibration error 0.35
  probability     rows  predicted  observed
   0.0 to 0.1        1     0.1000    0.0000
   0.2 to 0.3   500000     0.2500    1.0000
   0.7 to 0.8  2000000     0.7500    0.5000
`},
		{report(t, several, fewRows("red blue green red", 1, 2, -1, -3), lanes.EvaluateOptions{}), `
rows                4, 3 classes
accuracy            0.5
log loss            2.2522723
  of the base rate  1.0397208
calibration error   0.62166541
balanced accuracy   0.5
macro f1            0.38888889
micro f1            0.5

  class  rows  precision  recall      F1
    red     2     0.5000  0.5000  0.5000
   blue     1     0.0000  0.0000  0.0000
  green     1     0.5000  1.0000  0.6667

  actual \ predicted  red  blue  green
                 red    1     0      1
                blue    1     0      0
               green    0     0      1
`},
		{report(t, targets, fewRows("1 2 3", 1, 2, 4), lanes.EvaluateOptions{}), `
rows                     3
mean squared error       0.33333333
root mean squared error  0.57735027
mean absolute error      0.33333333
R2                       0.5
`},
	} {
		if got := "\n" + c.r.String(); got != c.text {
			t.Errorf("%s\nwant%s", got, c.text)
		}
	}
}

// TestReportAsJSON: what is infinite is null, and what is missing is absent.
func TestReportAsJSON(t *testing.T) {
	t.Parallel()
	keys := func(r *lanes.Report) (object map[string]any) {
		text, err := json.Marshal(r)
		if err == nil {
			err = json.Unmarshal(text, &object)
		}
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	r, err := lanes.EvaluateScores([]float64{0, 1, 1}, []float64{math.Inf(1), 1, 2}, lanes.EvaluateOptions{Rates: [2]float64{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	v := keys(r)
	if loss, is := v["log_loss"]; !is || loss != nil || v["n"] != 3.0 || v["positives"] != 2.0 || v["pauc"] != 0.0 || v["auroc"] != 0.0 || v["f1"] != 0.8 || len(v["calibration"].([]any)) != 10 || v["confusion"].(map[string]any)["false_positive"] != 1.0 || v["mse"] != nil {
		t.Errorf("%v", v)
	}
	classes := model.Card{Features: 9, Meta: &model.Meta{}}
	var labels []string
	for k := range 21 {
		classes.Classes = append(classes.Classes, float64(k))
		labels = append(labels, string(rune('a'+k)))
	}
	rows := makeRows(300, 9, "0", "3", "20")
	v = keys(report(t, linear(classes, "L2R_LR", 0), rows, lanes.EvaluateOptions{}))
	if line := v["per_class"].([]any)[3].(map[string]any); v["classes"] != 21.0 || v["confusion"] != nil || v["micro_f1"] != v["accuracy"] || line["label"] != 3.0 || line["rows"].(float64) < 1 || v["calibration_error"] == nil {
		t.Errorf("%v", v)
	}
	if text := report(t, linear(classes, "L2R_LR", 0), rows, lanes.EvaluateOptions{}).String(); strings.Contains(text, "predicted") {
		t.Errorf("a table of 21 classes:\n%s", text)
	}
	classes.Classes, classes.Meta.LabelNames = classes.Classes[:20], labels[:20]
	v = keys(report(t, linear(classes, "L2R_L2LOSS_SVC", 0), makeRows(300, 9, "a", "c"), lanes.EvaluateOptions{}))
	if _, odds := v["log_loss"]; odds || v["per_class"].([]any)[2].(map[string]any)["label"] != "c" || len(v["confusion"].([]any)) != 20 {
		t.Errorf("%v", v)
	}
	r, err = lanes.EvaluateScores([]float64{0, 1}, []float64{1, 2}, lanes.EvaluateOptions{Positive: "0"})
	if err != nil || keys(r)["positives"] != 1.0 {
		t.Errorf("%v, %v", r, err)
	}
	one := keys(report(t, linear(model.Card{Features: 9, Positive: 1, Negative: 2}, "L2R_LR", 0), makeRows(9, 9, "1"), lanes.EvaluateOptions{}))
	if _, is := one["auroc"]; is || one["average_precision"] != 1.0 {
		t.Errorf("%v", one)
	}
	targets := keys(report(t, linear(model.Card{Features: 9, Regression: true}, "L2R_L2LOSS_SVR", 0), makeRows(9, 9, "1", "2"), lanes.EvaluateOptions{}))
	if len(targets) != 5 || targets["mae"] == nil || targets["rmse"] != math.Sqrt(targets["mse"].(float64)) || targets["mse"] == nil || targets["r2"] == nil || targets["n"] != 9.0 {
		t.Errorf("%v", targets)
	}
}

// TestBriefReport: of many classes String shows the ones of lowest F1; Full and JSON show all.
func TestBriefReport(t *testing.T) {
	t.Parallel()
	var r lanes.Report
	for k := range 45 {
		r.Classes = append(r.Classes, lanes.ClassReport{Label: k, Rows: 1, F1: float64((k*7)%45) / 45})
	}
	lines := strings.Split(r.String(), "\n")
	head := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "recall") })
	for k := range 10 { // of F1 k/45: the class whose seventh multiple leaves the remainder k
		want := slices.IndexFunc(r.Classes, func(c lanes.ClassReport) bool { return c.F1 == float64(k)/45 })
		if cells := strings.Fields(lines[head+1+k]); len(cells) != 5 || cells[0] != fmt.Sprint(want) {
			t.Errorf("row %d is %q, not of the class %d", k, lines[head+1+k], want)
		}
	}
	if len(lines) > head+12 || r.Brief() != 35 {
		t.Errorf("%d lines below the head, %d classes left out: %s", len(lines)-head-1, r.Brief(), r)
	}
	for k := range 45 {
		if !slices.ContainsFunc(strings.Split(r.Full(), "\n"), func(line string) bool {
			cells := strings.Fields(line)
			return len(cells) == 5 && cells[0] == fmt.Sprint(k)
		}) {
			t.Errorf("Full lacks the class %d", k)
		}
	}
	r.Classes = r.Classes[:20]
	if r.Brief() != 0 || r.String() != r.Full() {
		t.Error("a table of 20 classes is not whole")
	}
}
