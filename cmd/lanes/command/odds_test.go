package command

import (
	"os"
	"strings"
	"testing"

	library "github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/table"
)

// TestProbabilities: a model of every kind has a log loss, a calibration and probabilities in all
// that is printed, or in nothing.
func TestProbabilities(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("a,b,k,y\n")
	for i := range 60 {
		text.WriteString([]string{"1,x,", "2,z,", "4.5,x,", "3,z,", "2.5,v,", "0.5,z,"}[i%6] + []string{"r,", "s,", "t,"}[i%5%3] + []string{"0\n", "1\n"}[i/2%2])
	}
	if err := os.WriteFile("t.csv", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for line, odds := range map[string]bool{
		"--target y":            true,
		"--target y --l1 0.001": true,
		"--target y --solver newton --class-weight balanced": true,
		"--target y --for logloss --cv 2":                    true,
		"--target y --loss squared-hinge":                    false,
		"--target y --loss squared":                          false,
		"--target y --solver adap":                           false,
		"--target y --solver mb-pauc --fpr 0,0.5":            false,
		"--target y --solver svm-pauc-tight":                 false,
		"--target y --solver sorr-agd":                       false,
		"--target y --solver adap --hidden 2":                false,
		"--target k --multiclass":                            true,
		"--target k --multiclass softmax":                    true,
		"--target k --multiclass --loss squared-hinge":       false,
	} {
		train := strings.Fields("train t.csv --quiet --model m --html train.html " + line)
		if o := inside(train...); o.status != exitDone && o.status != exitRun {
			t.Fatalf("%s: %s", line, o.stderr)
		}
		check := func(where string, has bool) {
			t.Helper()
			if tried++; has != odds {
				t.Errorf("%s: %s has probabilities: %v, want %v", line, where, has, odds)
			}
		}
		eval := done(t, "eval m t.csv --html eval.html --quiet").out
		check("the log loss of eval", strings.Contains(eval, "log loss"))
		check("the calibration of eval", strings.Contains(eval, "calibration") || strings.Contains(eval, "probability"))
		v := object(t, done(t, "eval m t.csv --json --quiet").out)
		check("log_loss in JSON", v["log_loss"] != nil)
		check("calibration_error in JSON", v["calibration_error"] != nil)
		for _, page := range []string{"train.html", "eval.html"} {
			html := strings.ToLower(read(t, page))
			check("the log loss of "+page, strings.Contains(html, ">log loss<"))
			check("the calibration of "+page, strings.Contains(html, "calibration error"))
		}
		first, _, _ := strings.Cut(done(t, "predict m t.csv --quiet").out, "\n")
		check("the head of predict", strings.Contains(first, "probability"))
		check("--probability", inside(strings.Fields("predict m t.csv --probability --quiet")...).status == exitDone)
		m, err := model.ReadFile("m")
		if err != nil {
			t.Fatal(err)
		}
		e, err := table.ReadEncoder(m.About().Meta.Table)
		if err != nil {
			t.Fatal(err)
		}
		cells := map[string]any{"a": 2.0, "b": "x", "k": "r", "y": "1"}
		if m.About().Classes == nil {
			_, err = e.Scorer(m).ProbabilityMap(cells)
			check("the scorer", err == nil)
		}
		check("Probabilities", m.Probabilities(make([]float64, m.About().Width())) == nil)
		source, err := table.Open("t.csv", table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for rows, err := range e.Blocks(t.Context(), source, table.BlockOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			r, err := library.Evaluate(t.Context(), m, rows.Data, library.EvaluateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			check("Evaluate", r.LogLoss == r.LogLoss)
			check("Evaluate's calibration", r.Calibration != nil)
		}
		source.Close()
	}
	if tried < 14*13 {
		t.Errorf("%d checks", tried)
	}
	for line, want := range map[string]string{
		"--solver adap --valid t.csv --metric logloss":         "adap give no probabilities",
		"--loss squared-hinge --cv 2 --metric logloss":         "squared-hinge loss give no probabilities",
		"--loss squared-hinge --path --cv 2 --metric log_loss": "squared-hinge loss give no probabilities",
	} {
		if o := inside(strings.Fields("train t.csv --target y " + line)...); o.status != exitUsage || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: exit status %d, %s", line, o.status, o.stderr)
		}
	}
	for line, want := range map[string]string{
		"--loss squared-hinge --cv 2": "cv_accuracy", "--cv 2": "cv_logloss", "--loss squared-hinge --valid t.csv": "valid_accuracy",
		"--solver sorr-agd --valid t.csv": "valid_accuracy", "--solver adap --valid t.csv": "valid_ap", "--loss squared --cv 2": "cv_accuracy",
	} {
		if metrics := object(t, done(t, "train t.csv --target y --json --quiet "+line).out)["metrics"].(map[string]any); metrics[want] == nil {
			t.Errorf("%s: %v, want %s", line, metrics, want)
		}
	}
}
