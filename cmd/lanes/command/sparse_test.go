package command

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/model"
)

// An L1 norm leaves weights at 0, which the report counts; the model has the intercept as a
// bias, and LIBLINEAR reads it.
func TestTrainSparse(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	rowsOf(t, "rows", "text:n=400,d=60,seed=5", relabel("1", "-1"))
	before := 61.0
	for _, l1 := range []string{"0", "1e-4", "3e-3", "10"} {
		v := object(t, succeed(t, "train", "--json", "rows", "--l1", l1, "--lambda", "1e-3", "--intercept", "--gap", "1e-8", "--model", "model", "--trace", "trace", "--receipt", "receipt"))
		if v["solver"] != "proximal-newton" || v["status"] != "converged" || !(v["duality_gap"].(float64) <= 1e-8) {
			t.Fatalf("l1 %s: %v", l1, v)
		}
		lines := strings.Fields(read(t, "trace"))
		if last := strings.Split(lines[len(lines)-1], ","); !strings.HasSuffix(lines[0], ",nonzero_weights") || last[len(last)-1] != fmt.Sprint(v["nonzero_weights"]) {
			t.Errorf("l1 %s: the trace ends with %s", l1, lines[len(lines)-1])
		}
		m, err := model.ReadFile("model")
		if err != nil {
			t.Fatal(err)
		}
		linear := m.(*model.Linear)
		count := 0.0
		for _, w := range linear.Weights[:len(linear.Weights)-1] {
			if w != 0 {
				count++
			}
		}
		if v["nonzero_weights"] != count || count > before || linear.Bias != 1 || linear.SolverType != "L1R_LR" || linear.Weights[len(linear.Weights)-1] == 0 {
			t.Errorf("l1 %s: %v non-zeros reported, %v in the model, %v before; bias %v", l1, v["nonzero_weights"], count, before, linear.Bias)
		}
		before = count
		eval := object(t, succeed(t, "eval", "rows", "--json", "--model", "model"))
		if eval["accuracy"] != v["metrics"].(map[string]any)["train_accuracy"] {
			t.Errorf("l1 %s: accuracy %v in training, later %v", l1, v["metrics"], eval["accuracy"])
		}
		succeed(t, "verify", "receipt", "rows")
	}
	if before != 0 {
		t.Errorf("%v weights are left beside an L1 norm of weight 10", before)
	}
	if predict, err := exec.LookPath("liblinear-predict"); err == nil {
		succeed(t, "train", "--quiet", "rows", "--l1", "1e-3", "--intercept", "--model", "few")
		if out, err := exec.Command(predict, "rows", "few", "predicted").CombinedOutput(); err != nil || !strings.Contains(string(out), "Accuracy") {
			t.Errorf("liblinear-predict: %v: %s", err, out)
		}
	}
}

// A path over the L1 norm begins where all weights are 0; what folds choose is a weight of
// that norm, and lambda stays.
func TestSparsePath(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=200,d=40,seed=5", relabel("1", "-1"))
	v := object(t, succeed(t, "train", "--json", "rows", "--path", "--sparse", "--intercept", "--plot", "plot.svg", "--trace", "trace"))
	path := v["path"].([]any)
	first, last := path[0].(map[string]any), path[len(path)-1].(map[string]any)
	if len(path) != 100 || first["nonzero_weights"] != 0.0 || last["nonzero_weights"] != v["nonzero_weights"] || v["l1"] != last["lambda"] || v["lambda"] != 0.0 {
		t.Errorf("%d points, from %v to %v; chosen %v", len(path), first, last, v["l1"])
	}
	if ratio := last["lambda"].(float64) / first["lambda"].(float64); math.Abs(ratio-1e-4) > 1e-10 {
		t.Errorf("the path goes down to %v of its beginning", ratio)
	}
	for k, v := range path {
		if v := v.(map[string]any); v["status"] != "converged" {
			t.Errorf("point %d: %v", k, v)
		}
	}
	v = object(t, succeed(t, "train", "--json", "rows", "--path", "--sparse", "--lambda", "1e-3", "--lambdas", "0.05:1e-4:6", "--cv", "3", "--one-se"))
	folds := v["cross_validation"].(map[string]any)
	if v["l1"] != folds["one_standard_error_lambda"] || folds["one_standard_error_lambda"].(float64) < folds["best_lambda"].(float64) || v["lambda"] != 1e-3 {
		t.Errorf("l1 %v, lambda %v, folds %v", v["l1"], v["lambda"], folds)
	}
	v = object(t, succeed(t, "train", "--json", "rows", "--path", "--sparse", "--intercept", "--lambdas", "10:1e-7:3", "--cv", "3"))
	ends := v["cross_validation"].(map[string]any)["points"].([]any)
	if few, many := ends[0].(map[string]any)["nonzero_weights"], ends[2].(map[string]any)["nonzero_weights"]; few != 0.0 || !(many.(float64) > 30 && many.(float64) <= 40) {
		t.Errorf("in the mean of the folds %v and %v weights are not 0", few, many)
	}
	if text := succeed(t, "train", "rows", "--path", "--sparse", "--lambdas", "10:1e-7:3", "--cv", "3"); !strings.Contains(text, "l1  non-zeros") {
		t.Errorf("%s", text)
	}
	if text := succeed(t, "train", fourClasses(t, 100, 3), "--multiclass", "--l1", "0.02"); !strings.Contains(text, "rows  non-zeros") {
		t.Errorf("%s", text)
	}
	v = object(t, succeed(t, "train", "--json", "rows", "--l1", "1e-3", "--cv", "3"))
	if v["l1"] != 1e-3 || v["cross_validation"] == nil {
		t.Errorf("l1 %v of one weight and folds", v["l1"])
	}
	several := fourClasses(t, 100, 3)
	v = object(t, succeed(t, "train", "--json", several, "--multiclass", "--l1", "0.02", "--intercept", "--model", filepath.Join(t.TempDir(), "model")))
	if count := v["nonzero_weights"].(float64); !(count > 0 && count < 48) {
		t.Errorf("%v of 48 weights", count)
	}
}

func TestSparseFlags(t *testing.T) {
	t.Parallel()
	for args, what := range map[string]string{
		"--l1 -1":                        "0 or more",
		"--l1 much":                      "give a number",
		"--l1 1e-3 --solver newton":      "proximal-newton",
		"--intercept --solver svrg":      "proximal-newton",
		"--intercept --bias":             "not both",
		"--l1 1e-3 --C 1":                "--l1 1/(C n)",
		"--sparse":                       "--path",
		"--path --sparse --l1 1":         "not --l1",
		"--path --l1 1e-3 --lambda 1e-3": "not --lambda",
	} {
		o := inside(append([]string{"train"}, strings.Fields(args)...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, what) {
			t.Errorf("%s: exit status %d: %s", args, o.status, o.stderr)
		}
	}
}
