package command

import (
	"os"
	"strings"
	"testing"
)

// TestBinsByFolds: train says the number of bins of each column, the model has them, and a receipt repeats
// the run. A recipe may leave them open. What trains nothing asks for numbers.
func TestBinsByFolds(t *testing.T) {
	t.Parallel()
	adult := data(t, "tables/adult.csv.xz")
	dir := t.TempDir() + "/"
	run := func(line string) outcome { return inside(strings.Fields(strings.ReplaceAll(line, "@", dir))...) }
	const flags = " --target income-per-year --ignore capital*,fnlwgt,education-num --bins auto --spline hours-per-week=auto --monotone age=up --seed 3"
	first := run("train " + adult + flags + " --cv 3 --model @m --receipt @r --json")
	if first.status != 0 || !strings.Contains(first.stderr, "bins by the log loss of folds, each column alone: age 64, hours-per-week ") {
		t.Fatalf("%d: %s", first.status, first.stderr)
	}
	if info := run("info @m --json"); !strings.Contains(info.out, "64 bins by folds") || !strings.Contains(info.out, " pieces by folds") {
		t.Errorf("info says %s", info.out)
	}
	if again := run("verify @r " + adult); again.status != 0 || strings.Contains(again.stderr, "by the logloss") {
		t.Errorf("verify: %d, %s", again.status, again.stderr)
	}
	open := run("info " + adult + flags[:strings.Index(flags, " --seed")] + " --recipe")
	if open.status != 0 || strings.Count(open.out, `"bins": -1`)+strings.Count(open.out, `"spline": -1`) != 2 {
		t.Fatalf("the recipe is %s", open.out)
	}
	if err := os.WriteFile(dir+"recipe", []byte(open.out), 0o666); err != nil {
		t.Fatal(err)
	}
	second := run("train " + adult + " --recipe @recipe --cv 3 --seed 3 --json")
	if second.status != 0 || object(t, second.out)["weights_sha256"] != object(t, first.out)["weights_sha256"] {
		t.Errorf("by a recipe: %d, %s", second.status, second.stderr)
	}
	for line, want := range map[string]string{
		"convert " + adult + " @c --target income-per-year --bins auto":                     `column "age": its number of bins is open (auto), and the folds of a training choose it: give a number here`,
		"compare " + adult + " --target income-per-year --spline age=auto":                  `column "age": its number of pieces of a spline is open (auto)`,
		"info " + adult + " --target income-per-year --bins auto":                           "give a number here",
		"train " + adult + " --target income-per-year --bins auto --memory 50MB":            `the bins of "age" are chosen by folds of all rows in memory: give a number, or leave --memory out`,
		"train " + adult + " --target education --bins auto":                                "16 classes where two are needed",
		"train " + adult + " --target income-per-year --bins auto --cv 40000":               "fewer than the 40000 folds",
		"train " + adult + " --target income-per-year --bins some":                          "want a whole number, 2 or more, or auto",
		"train " + adult + " --target income-per-year --spline age=some":                    "there may be 1 to 1000, or auto",
		"train " + adult + " --target income-per-year --bins auto --scale std":              "bins are not scaled",
		"train " + adult + " --target income-per-year --bins auto --positive nobody --cv 3": "no row has the label nobody",
	} {
		if o := run(line); o.status == 0 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: status %d, %s", line, o.status, o.stderr)
		}
	}
}
