package command

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestHoldoutCommand: rows that are held out are in the report, in JSON, on the page and in the
// receipt. The model has the bits of a model of the table without these rows.
func TestHoldoutCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	var all, early, late strings.Builder
	head := "day,a,k,y\n"
	all.WriteString(head)
	early.WriteString(head)
	late.WriteString(head)
	for i := range 200 {
		day := i * 37 % 200 / 2 // two rows a day
		row := fmt.Sprintf("%02d.%02d.2024,%.3g,%c,%s\n", day%28+1, day/28+1, math.Sin(float64(i*i)), 'p'+rune(i%3), map[bool]string{true: "yes", false: "no"}[math.Sin(float64(i*i))+math.Cos(float64(3*i)) > 0])
		all.WriteString(row)
		if day < 80 {
			early.WriteString(row)
		} else {
			late.WriteString(row)
		}
	}
	for name, text := range map[string]string{"all.csv": all.String(), "early.csv": early.String(), "late.csv": late.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Scales are learned from all rows; a recipe without them gives the same columns for fewer rows.
	const columns = " --target y --scale none --ignore day"
	v := object(t, done(t, "train all.csv --holdout-by day --model m --receipt r --html p.html --json"+columns).out)
	want := object(t, done(t, "train early.csv --model w --json --quiet"+columns).out)
	held, _ := v["holdout"].(map[string]any)
	if v["weights_sha256"] != want["weights_sha256"] || v["n"] != 160.0 || held["n"] != 40.0 || held["by"] != "day" {
		t.Fatalf("%v, want the weights %v", v, want["weights_sha256"])
	}
	measured, eval := held["report"].(map[string]any), object(t, done(t, "eval m late.csv --json --quiet").out)
	compared := 0
	for _, name := range []string{"n", "accuracy", "log_loss", "auroc", "average_precision", "calibration_error"} {
		if compared++; measured[name] == nil || measured[name] != eval[name] {
			t.Errorf("%s is %v, eval has %v", name, measured[name], eval[name])
		}
	}
	if metrics := v["metrics"].(map[string]any); compared != 6 || metrics["holdout_logloss"] != eval["log_loss"] || metrics["holdout_auc"] != eval["auroc"] {
		t.Errorf("%v", metrics)
	}
	if list := fmt.Sprint(v["notes"]); !strings.Contains(list, "40 of 200 rows are held out") {
		t.Errorf("notes: %s", list)
	}
	page := read(t, "p.html")
	if !strings.Contains(page, "How good it is on held-out rows") || !strings.Contains(page, "40 rows of all.csv") || strings.Contains(page, "on training rows") {
		t.Error("the page does not show the rows that were held out")
	}
	receipt := object(t, read(t, "r"))
	if got := receipt["result"].(map[string]any)["holdout"].(map[string]any); got["logloss"] != eval["log_loss"] {
		t.Errorf("receipt: %v", got)
	}
	if same := object(t, done(t, "verify r all.csv --json --quiet").out); same["same_bits"] != true {
		t.Errorf("%v", same)
	}
	o := done(t, "train all.csv --holdout-by day"+columns)
	for _, line := range []string{"held out", "40 more rows, by day", "holdout log loss", "holdout AUC"} {
		if !strings.Contains(o.out, line) {
			t.Errorf("%q is missing in\n%s", line, o.out)
		}
	}
	if got := object(t, done(t, "train all.csv --holdout 0.5 --holdout-by day --json --quiet --target y").out)["holdout"].(map[string]any); got["n"] != 100.0 {
		t.Errorf("a half is %v", got["n"])
	}
	// Random rows, by every way to train.
	hash := map[any]bool{}
	for _, way := range []string{"", "--seed 2", "--path --valid late.csv", "--cv 3", "--cv 3 --path --one-se", "--for auc --cv 3", "--target k --multiclass", "--target k --multiclass softmax --cv 3", "--loss squared", "--solver adap"} {
		line := "train all.csv --holdout 0.2 --json --quiet --html p.html " + way
		if !strings.Contains(way, "--target") {
			line += " --target y"
		}
		v := object(t, done(t, line).out)
		held, _ := v["holdout"].(map[string]any)
		if held["n"] != 40.0 && !strings.Contains(way, "--target k") || held["by"] != nil || v["n"].(float64)+held["n"].(float64) != 200 || held["report"].(map[string]any)["accuracy"] == nil {
			t.Errorf("%s: %v of %v rows are held out: %v", way, held["n"], v["n"], held)
		}
		if page := read(t, "p.html"); !strings.Contains(page, "How good it is on held-out rows") {
			t.Errorf("%s: the page shows other rows", way)
		}
		hash[v["weights_sha256"]] = true
	}
	if len(hash) < 9 {
		t.Errorf("%d different models", len(hash))
	}
	// Pages of folds.
	for way, want := range map[string]string{"--cv 3": "rows of the folds", "--for logloss --cv 3": "rows of the folds", "--valid late.csv": "validation rows", "": "training rows"} {
		done(t, "train all.csv --quiet --html p.html --target y "+way)
		page := read(t, "p.html")
		if !strings.Contains(page, "How good it is on "+want) || !strings.Contains(page, "on "+want+"</") {
			t.Errorf("%q: the page does not show %s", way, want)
		}
	}
	for line, want := range map[string]string{
		"train all.csv --target y --holdout-by nosuch":        "nosuch",
		"train all.csv --target y --holdout-by k":             "holds out 0",
		"train all.csv --target y --holdout 0.2 --memory 1GB": "--holdout",
		"train --generate onehot:n=50 --holdout-by a":         "a table",
		"train all.csv --target y --holdout 0.999":            "",
	} {
		o := inside(strings.Fields(line)...)
		if want == "" {
			if o.status != exitDone {
				t.Errorf("lanes %s: exit status %d, %s", line, o.status, o.stderr)
			}
			continue
		}
		if (o.status != exitUsage && o.status != exitData) || !strings.Contains(o.stderr, want) {
			t.Errorf("lanes %s: exit status %d, %s", line, o.status, o.stderr)
		}
	}
}

// TestFoldsOfPages: the curves of a page with --cv are of scores by fits of the other folds: rows
// whose column tells each row apart are no better than chance.
func TestFoldsOfPages(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("id,y\n")
	state := uint64(3)
	for i := range 300 {
		state = state*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&text, "r%d,%d\n", i/2*7919%300, state>>63)
	}
	if err := os.WriteFile("t.csv", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "train t.csv --target y --category id --cv 3 --html p.html --quiet")
	v := object(t, done(t, "train t.csv --target y --category id --json --quiet").out)
	page := read(t, "p.html")
	_, tile, _ := strings.Cut(page, "accuracy</span><b>")
	var accuracy float64
	if _, err := fmt.Sscanf(tile, "%g", &accuracy); err != nil {
		t.Fatal(err)
	}
	if trained := v["metrics"].(map[string]any)["train_accuracy"].(float64); trained < 0.7 || accuracy > 0.6 {
		t.Errorf("accuracy %v on the page, %v on the training rows", accuracy, trained)
	}
}
