package command

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A path of several classes ends where a training at its last lambda does; folds choose a
// lambda at which all rows are trained then.
func TestClassesOnAPath(t *testing.T) {
	rows := fourClasses(t, 160, 3)
	valid := fourClasses(t, 80, 4)
	t.Chdir(t.TempDir())
	for _, way := range []string{"--multiclass", "--multiclass softmax", "--multiclass softmax --intercept", "--multiclass --l1 0.01 --lambda 1e-3 --intercept", "--multiclass --class-weight balanced --loss squared-hinge"} {
		flags := append([]string{"train", rows, "--json", "--quiet"}, strings.Fields(way)...)
		if strings.Contains(way, "--l1") {
			flags = append([]string{"train", rows, "--json", "--quiet"}, "--multiclass", "--intercept", "--sparse", "--lambda", "1e-3")
		}
		flags = append(flags, "--gap", "1e-7")
		path := object(t, succeed(t, append(flags, "--path", "--lambdas", "0.5:0.01:4", "--model", "m", "--plot", "p.svg", "--trace", "trace")...))
		points := path["path"].([]any)
		if len(points) != 4 || path["status"] != "converged" {
			t.Fatalf("%s: %v", way, path)
		}
		var alone map[string]any
		if strings.Contains(way, "--l1") {
			alone = object(t, succeed(t, "train", rows, "--json", "--multiclass", "--intercept", "--l1", "0.01", "--lambda", "1e-3", "--gap", "1e-7"))
			if points[3].(map[string]any)["nonzero_weights"] != alone["nonzero_weights"] {
				t.Errorf("%s: %v weights that are not 0, alone %v", way, points[3], alone["nonzero_weights"])
			}
		} else {
			alone = object(t, succeed(t, append(flags, "--lambda", "0.01")...))
		}
		if d := path["objective"].(float64) - alone["objective"].(float64); math.Abs(d) > 4e-7 {
			t.Errorf("%s: the path ends %v from a training alone", way, d)
		}
		a, b := path["metrics"].(map[string]any)["train_accuracy"], alone["metrics"].(map[string]any)["train_accuracy"]
		if a == nil || math.Abs(a.(float64)-b.(float64)) > 0.01 {
			t.Errorf("%s: accuracy %v, alone %v", way, a, b)
		}
		if eval := object(t, succeed(t, "eval", rows, "--json", "--model", "m")); eval["accuracy"] != a {
			t.Errorf("%s: the model has the accuracy %v, the path said %v", way, eval["accuracy"], a)
		}
		if lines := strings.Count(read(t, "trace"), "\n"); lines < 5 {
			t.Errorf("%s: a trace of %d lines", way, lines)
		}

		folds := object(t, succeed(t, append(flags, "--path", "--lambdas", "0.5:0.01:4", "--cv", "3", "--one-se", "--model", "m", "--plot", "p.svg", "--receipt", "r")...))
		cv := folds["cross_validation"].(map[string]any)
		metric := "logloss"
		if strings.Contains(way, "hinge") {
			metric = "accuracy"
		}
		if cv["metric"] != metric || len(cv["points"].([]any)) != 4 || folds["metrics"].(map[string]any)["cv_"+metric] == nil {
			t.Errorf("%s: %v", way, cv)
		}
		if strings.Contains(way, "--l1") {
			alone = object(t, succeed(t, "train", rows, "--json", "--multiclass", "--intercept", "--l1", number(cv["chosen_lambda"]), "--lambda", "1e-3", "--gap", "1e-7"))
		} else {
			alone = object(t, succeed(t, append(flags, "--lambda", number(cv["chosen_lambda"]))...))
		}
		if folds["weights_sha256"] != alone["weights_sha256"] {
			t.Errorf("%s: other weights at the lambda that folds chose than alone", way)
		}
		if o := inside("verify", "r", rows, "--quiet", "--workers", "1"); o.status != exitDone {
			t.Errorf("%s: %s%s", way, o.out, o.stderr)
		}
		if text := succeed(t, append(append([]string{}, flags[:2]...), append(flags[4:], "--path", "--lambdas", "0.5:0.01:3", "--cv", "3")...)...); !strings.Contains(text, "standard error") || !strings.Contains(text, "best") {
			t.Errorf("%s: %s", way, text)
		}

		own := object(t, succeed(t, append(flags, "--path", "--lambdas", "0.5:0.01:4", "--valid", valid, "--metric", "accuracy", "--model", "m")...))
		accuracy := own["metrics"].(map[string]any)["valid_accuracy"].(float64)
		best := 0.0
		for _, p := range own["path"].([]any) {
			best = max(best, p.(map[string]any)["metric"].(float64))
		}
		if eval := object(t, succeed(t, "eval", valid, "--json", "--model", "m"))["accuracy"]; accuracy != best || eval != accuracy {
			t.Errorf("%s: valid_accuracy %v, the best of the path %v, eval of the model %v", way, accuracy, best, eval)
		}
	}

	for _, way := range []string{"rest", "softmax"} {
		v := object(t, succeed(t, "train", rows, "--json", "--quiet", "--multiclass="+way, "--path", "--lambdas", "0.5:0.01:4", "--valid", valid, "--model", "m"))
		got := v["metrics"].(map[string]any)["valid_logloss"].(float64)
		if want := object(t, succeed(t, "eval", valid, "--json", "--model", "m"))["log_loss"].(float64); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: valid_logloss %v, the model has %v", way, got, want)
		}
	}

	// The usual path begins where all weights are small, and ends by the metric.
	for _, way := range []string{"--multiclass", "--multiclass softmax", "--multiclass --sparse --intercept", "--multiclass softmax --sparse --intercept"} {
		v := object(t, succeed(t, append([]string{"train", rows, "--json", "--quiet", "--path", "--cv", "3", "--metric", "f1_macro"}, strings.Fields(way)...)...))
		if n := len(v["cross_validation"].(map[string]any)["points"].([]any)); n < 20 {
			t.Errorf("%s: %d points", way, n)
		}
	}
	v := object(t, succeed(t, "train", rows, "--json", "--quiet", "--path", "--sparse", "--multiclass", "--intercept", "--class-weight", "balanced"))
	if first := v["path"].([]any)[0].(map[string]any); first["nonzero_weights"] != 0.0 || v["nonzero_weights"] == 0.0 {
		t.Errorf("a sparse path begins with %v and ends with %v weights that are not 0", first["nonzero_weights"], v["nonzero_weights"])
	}
	one := object(t, succeed(t, "train", rows, "--json", "--quiet", "--multiclass", "softmax", "--cv", "3", "--plot", "p.svg"))
	if one["cross_validation"] == nil || one["metrics"].(map[string]any)["cv_logloss"] == nil {
		t.Errorf("%v", one["cross_validation"])
	}

	for line, says := range map[string]string{
		"--multiclass --path --lambda 1":                              "--lambdas",
		"--multiclass --valid " + valid:                               "or --path",
		"--multiclass --path --cv 3 --metric auc":                     "macro_f1",
		"--multiclass --path --cv 3 --metric log_loss --loss squared": "no probabilities",
		"--multiclass softmax --path --class-weight 1:2":              "want balanced",
		"--multiclass --path --valid " + valid + " --patience 3":      "patience",
	} {
		if o := inside(append([]string{"train", rows}, strings.Fields(line)...)...); o.status != exitUsage || !strings.Contains(o.stderr, says) {
			t.Errorf("%s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
}

func number(v any) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) }

// Paths and folds of several classes that were cut go on to the same weights.
func TestClassesOnAPathResume(t *testing.T) {
	rows := fourClasses(t, 160, 3)
	t.Chdir(t.TempDir())
	for _, way := range []string{"--multiclass --path", "--multiclass softmax --path", "--multiclass --path --cv 3", "--multiclass softmax --path --cv 3", "--multiclass softmax --path --sparse --cv 3"} {
		saved := filepath.Join(t.TempDir(), "run")
		args := append([]string{"train", rows, "--json", "--quiet", "--lambdas", "0.5:1e-4:8", "--workers", "1"}, strings.Fields(way)...)
		want := object(t, succeed(t, args...))["weights_sha256"]
		cmd := invocation{args: append(args, "--checkpoint", saved, "--checkpoint-every", "1ns")}.command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		appears(t, saved)
		cmd.Process.Kill()
		cmd.Wait()
		if got := object(t, succeed(t, append(args, "--resume", saved)...))["weights_sha256"]; got != want {
			t.Errorf("%s: resumed to other weights", way)
		}
		others := []string{"--class-weight balanced", "--bias", "--seed 2"}
		if !strings.Contains(way, "softmax") {
			others = append(others, "--class-weight 5:1", "--solver svrg")
		}
		for _, other := range others {
			if o := inside(append(append(args, "--resume", saved), strings.Fields(other)...)...); o.status != exitData || !strings.Contains(o.stderr, "another run") {
				t.Errorf("%s, %s: exit status %d: %s", way, other, o.status, o.stderr)
			}
		}
		if err := os.Remove(saved); err != nil {
			t.Fatal(err)
		}
	}
}
