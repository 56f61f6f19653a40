package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// fourClasses are rows whose class shows in their largest columns, with some noise.
func fourClasses(t *testing.T, rows int, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	for range rows {
		class := rng.IntN(4)
		fmt.Fprintf(&text, "%d", []int{3, -1, 7, 20}[class])
		for j := range 12 {
			v := rng.NormFloat64()
			if j%4 == class {
				v += 1
			}
			fmt.Fprintf(&text, " %d:%.3f", j+1, v)
		}
		text.WriteByte('\n')
	}
	return file(t, "classes", text.String())
}

func TestMultiClass(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, model, trace, plot := fourClasses(t, 400, 1), filepath.Join(dir, "model"), filepath.Join(dir, "trace"), filepath.Join(dir, "plot.svg")
	for _, flags := range [][]string{{"--bias"}, {"--normalize", "unit"}, {"--normalize", "minmax", "--solver", "prox-sdca"}, {"--normalize", "std"}, {"--class-weight", "balanced"}, {"--loss", "squared"}} {
		v := object(t, succeed(t, append([]string{"train", path, "--multiclass", "--json", "--model", model, "--trace", trace, "--plot", plot}, flags...)...))
		for _, name := range trainFields {
			if _, found := v[name]; !found {
				t.Errorf("%v: %s is missing", flags, name)
			}
		}
		classes := v["classes"].([]any)
		sum := 0.0
		for _, c := range classes {
			sum += c.(map[string]any)["objective"].(float64)
		}
		if len(classes) != 4 || classes[0].(map[string]any)["label"] != -1.0 || v["positives"] != nil || math.Abs(sum-v["objective"].(float64)) > 1e-12 {
			t.Errorf("%v: %v", flags, v)
		}
		eval := object(t, succeed(t, "eval", path, "--json", "--model", model))
		if eval["accuracy"] != v["metrics"].(map[string]any)["train_accuracy"] || eval["accuracy"].(float64) < 0.7 || eval["micro_f1"] != eval["accuracy"] {
			t.Errorf("%v: %v in training, later %v", flags, v["metrics"], eval)
		}
		if _, found := eval["log_loss"]; found == (flags[0] == "--loss") || len(eval["confusion"].([]any)) != 4 || len(eval["per_class"].([]any)) != 4 {
			t.Errorf("%v: %v", flags, eval)
		}
		if _, found := eval["calibration_error"]; found != (flags[0] != "--loss") {
			t.Errorf("%v: %v", flags, eval)
		}
		for k, c := range eval["per_class"].([]any) {
			if f1 := classes[k].(map[string]any)["train_f1"]; f1 != c.(map[string]any)["f1"] {
				t.Errorf("%v: F1 %v in training, later %v", flags, f1, c)
			}
		}
		one := object(t, succeed(t, "eval", path, "--json", "--model", model, "--positive", "7", "--fpr", "0,0.2"))
		if one["auroc"].(float64) < 0.8 || one["pauc"] == nil || one["confusion"] == nil {
			t.Errorf("%v: %v", flags, one)
		}
		rows, err := csv.NewReader(strings.NewReader(read(t, trace))).ReadAll()
		if err != nil || rows[0][0] != "class" || rows[1][0] != "-1" || rows[len(rows)-1][0] != "20" {
			t.Errorf("%v: the trace has %d rows, %v", flags, len(rows), err)
		}
	}
	if !strings.Contains(read(t, plot), "<svg") {
		t.Error("the plot is no picture")
	}
	text := succeed(t, "train", path, "--multiclass", "--model", model)
	if !strings.Contains(text, "4 classes, each against the rest") || !strings.Contains(text, "train accuracy") {
		t.Errorf("%s", text)
	}
	if text := succeed(t, "eval", path, "--model", model); !strings.Contains(text, "actual \\ predicted") || !strings.Contains(text, "macro f1") {
		t.Errorf("%s", text)
	}
	labels := strings.Fields(succeed(t, "predict", path, "--model", model, "--labels"))
	lines := strings.Split(strings.TrimSpace(succeed(t, "predict", path, "--model", model, "--probability")), "\n")
	if len(labels) != 400 || len(lines) != 400 {
		t.Fatalf("%d labels, %d lines", len(labels), len(lines))
	}
	for i, line := range lines {
		sum, best, top := 0.0, 0, 0.0
		for k, field := range strings.Fields(line) {
			p, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			if sum += p; p > top {
				best, top = k, p
			}
		}
		if math.Abs(sum-1) > 1e-12 || labels[i] != []string{"-1", "3", "7", "20"}[best] {
			t.Fatalf("row %d: probabilities %s, label %s", i, line, labels[i])
		}
	}
	v := object(t, succeed(t, "predict", path, "--model", model, "--json"))
	if v["n"] != 400.0 || len(v["labels"].([]any)) != 4 || len(v["predictions"].([]any)[0].([]any)) != 4 {
		t.Errorf("%v", v)
	}
}

func TestMultiClassOfTwo(t *testing.T) {
	t.Parallel()
	if hash(t, nil, "--generate", small, "--multiclass") != hash(t, nil, "--generate", small) {
		t.Error("two classes have other weights with --multiclass")
	}
}

func TestMultiClassWithLIBLINEAR(t *testing.T) {
	t.Parallel()
	path, model := fourClasses(t, 300, 2), filepath.Join(t.TempDir(), "model")
	for _, flags := range [][]string{{}, {"--bias"}, {"--intercept"}, {"--loss", "squared-hinge"}, {"--l1", "0.02", "--intercept"}} {
		succeed(t, append([]string{"train", path, "--multiclass", "--model", model}, flags...)...)
		liblinearPredicts(t, path, model)
	}
	program, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("liblinear-train is not installed (Debian: liblinear-tools)")
	}
	for _, flags := range [][]string{{"-s", "0"}, {"-s", "7", "-B", "1"}, {"-s", "1"}} {
		if message, err := exec.Command(program, append(flags, "-q", "-e", "1e-6", path, model)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, message)
		}
		liblinearPredicts(t, path, model)
	}
	succeed(t, "train", path, "--multiclass", "--model", model, "--C", "1", "--gap", "1e-9")
	theirs := filepath.Join(t.TempDir(), "theirs")
	if message, err := exec.Command(program, "-s", "0", "-q", "-e", "1e-8", path, theirs).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	ours, other := object(t, succeed(t, "eval", path, "--json", "--model", model)), object(t, succeed(t, "eval", path, "--json", "--model", theirs))
	if d := ours["log_loss"].(float64) - other["log_loss"].(float64); math.Abs(d) > 1e-5 {
		t.Errorf("the log losses of our model and LIBLINEAR's differ by %v", d)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	train, valid := filepath.Join(dir, "train"), filepath.Join(dir, "valid")
	succeed(t, "convert", "--generate", "text:n=600,d=900", train)
	succeed(t, "convert", "--generate", "text:n=400,d=900,seed=1", valid)
	trace, plot, model := filepath.Join(dir, "trace"), filepath.Join(dir, "plot.png"), filepath.Join(dir, "model")
	args := []string{"train", train, "--json", "--path", "--lambdas", "0.1:1e-5:6", "--model", model, "--trace", trace, "--plot", plot}
	last := object(t, succeed(t, args...))
	points := last["path"].([]any)
	if len(points) != 6 || last["lambda"] != 1e-5 || points[0].(map[string]any)["lambda"] != 0.1 || points[5].(map[string]any)["objective"] != last["objective"] {
		t.Errorf("%v", last)
	}
	for _, p := range points {
		if gap := p.(map[string]any)["duality_gap"].(float64); gap > 1e-6 {
			t.Errorf("a point has the gap %v", gap)
		}
	}
	alone := object(t, succeed(t, "train", train, "--json", "--lambda", "1e-5"))
	if d := alone["objective"].(float64) - last["objective"].(float64); math.Abs(d) > 1e-6 {
		t.Errorf("the objective differs by %v from the objective of a cold start", d)
	}
	if head := strings.SplitN(read(t, trace), "\n", 2)[0]; !strings.HasPrefix(head, "lambda,passes,") {
		t.Errorf("the trace begins with %s", head)
	}
	if !strings.HasPrefix(read(t, plot), "\x89PNG") {
		t.Error("the plot is no picture")
	}
	for _, metric := range []string{"logloss", "auc"} {
		v := object(t, succeed(t, append(args, "--valid", valid, "--metric", metric)...))
		var values []float64
		best := -1
		for k, p := range v["path"].([]any) {
			values = append(values, p.(map[string]any)["metric"].(float64))
			if p.(map[string]any)["lambda"] == v["lambda"] {
				best = k
			}
		}
		want := slices.Index(values, slices.Min(values))
		if metric == "auc" {
			want = slices.Index(values, slices.Max(values))
		}
		if best != want || v["metrics"].(map[string]any)["valid_"+metric] != values[want] {
			t.Errorf("%s: point %d of %v is kept, %v", metric, best, values, v["metrics"])
		}
	}
	if text := succeed(t, "train", "--path", "--generate", "text:n=300,d=500"); !strings.Contains(text, "lambda") {
		t.Errorf("%s", text)
	}
}

func TestCrossValidation(t *testing.T) {
	t.Parallel()
	model := filepath.Join(t.TempDir(), "model")
	for _, flags := range [][]string{{}, {"--normalize", "minmax", "--bias", "--metric", "auc"}, {"--normalize", "std", "--lambdas", "10:0.1:20"}, {"--one-se", "--metric", "accuracy"}} {
		v := object(t, succeed(t, append([]string{"train", "--json", "--generate", "text:n=400,d=300", "--path", "--cv", "4", "--model", model, "--plot", model + ".png"}, flags...)...))
		folds := v["cross_validation"].(map[string]any)
		points := folds["points"].([]any)
		chosen := folds["best_lambda"]
		if slices.Contains(flags, "--one-se") {
			chosen = folds["one_standard_error_lambda"]
		}
		if len(points) != 20 || v["lambda"] != chosen || len(points[0].(map[string]any)["folds"].([]any)) != 4 {
			t.Errorf("%v: %v", flags, v)
		}
		values, name := v["metrics"].(map[string]any), "cv_"+folds["metric"].(string)
		if k := slices.IndexFunc(points, func(p any) bool { return p.(map[string]any)["lambda"] == chosen }); values[name] == nil ||
			values[name] != points[k].(map[string]any)["mean"] || values[name+"_standard_error"] != points[k].(map[string]any)["standard_error"] {
			t.Errorf("%v: %v of the chosen point, which has %v", flags, values, points[k])
		}
	}
	v := object(t, succeed(t, "train", "--json", "--generate", small, "--cv", "3", "--C", "2"))
	if points := v["cross_validation"].(map[string]any)["points"].([]any); len(points) != 1 || v["lambda"] != 1.0/(2*2000) {
		t.Errorf("%v", v)
	}
	targets := file(t, "targets", strings.Repeat("1.5 1:1\n2 1:2\n-1 2:1\n", 10))
	v = object(t, succeed(t, "train", "--json", targets, "--loss", "squared", "--path", "--cv", "3"))
	if v["cross_validation"].(map[string]any)["metric"] != "mse" {
		t.Errorf("%v", v)
	}
}

func TestSeveralFitsSameBits(t *testing.T) {
	t.Parallel()
	path := fourClasses(t, 200, 3)
	for _, args := range [][]string{
		{path, "--multiclass"}, {"--generate", "text:n=300,d=400", "--path"}, {"--generate", "text:n=300,d=200", "--path", "--cv", "3"},
	} {
		want := hash(t, nil, append(args, "--workers", "1")...)
		if got := hash(t, nil, append(args, "--workers", "2")...); got != want {
			t.Errorf("%v: another hash with 2 workers", args)
		}
		for _, p := range dispatch.Paths() {
			if p.Available {
				if got := hash(t, []string{"LANES_CPU=" + p.Name}, args...); got != want {
					t.Errorf("%v: another hash on %s", args, p.Name)
				}
			}
		}
		saved := filepath.Join(t.TempDir(), "saved")
		lanes(t, append([]string{"train", "--quiet", "--time", "100ms", "--workers", "1", "--checkpoint", saved}, args...)...)
		if o := lanes(t, append([]string{"train", "--json", "--quiet", "--resume", saved}, args...)...); o.status == exitData && strings.Contains(o.stderr, "no such file") {
			t.Logf("%v: the run was over in 100 ms", args)
		} else if got := object(t, o.out)["weights_sha256"]; got != want {
			t.Errorf("%v: resumed to another hash: %s", args, o.stderr)
		}
	}
}

func TestSeveralFitsRefuse(t *testing.T) {
	t.Parallel()
	four := fourClasses(t, 40, 4)
	one, few := file(t, "one", "5 1:1\n5 1:2\n"), file(t, "few", "1 1:1\n1 1:2\n-1 1:3\n-1 1:4\n")
	model := filepath.Join(t.TempDir(), "model")
	succeed(t, "train", four, "--multiclass", "--model", model)
	fifth := file(t, "fifth", "3 1:1\n4 1:1\n")
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{exitData, "--multiclass", []string{"train", four}},
		{exitData, "--positive V", []string{"train", four}},
		{exitData, "every row has the label 5", []string{"train", one, "--multiclass"}},
		{exitData, "fewer than the 3 folds", []string{"train", few, "--cv", "3"}},
		{exitData, "the label 4 is not among the 4 classes", []string{"eval", "--model", model, fifth}},
		{exitUsage, "no such class", []string{"eval", "--model", model, four, "--positive", "4"}},
		{exitUsage, "put one of the 4 against the rest", []string{"eval", "--model", model, four, "--fpr", "0,0.1"}},
		{exitUsage, "not both", []string{"train", four, "--multiclass", "--positive", "3"}},
		{exitUsage, "--valid goes with two classes", []string{"train", four, "--multiclass", "--valid", four}},
		{exitUsage, "must be positive and descend", []string{"train", few, "--path", "--lambdas", "1:0"}},
		{exitUsage, "must be positive and descend", []string{"train", few, "--path", "--lambdas", "0.1:1"}},
		{exitUsage, "write HIGH:LOW", []string{"train", few, "--path", "--lambdas", "1"}},
		{exitUsage, "2 to 10000", []string{"train", few, "--path", "--lambdas", "1:0.1:1"}},
		{exitUsage, "--lambdas goes with --path", []string{"train", few, "--lambdas", "1:0.1"}},
		{exitUsage, "not --lambda, --C or --l1", []string{"train", few, "--path", "--lambda", "0"}},
		{exitUsage, "not --lambda, --C or --l1", []string{"train", few, "--path", "--C", "1"}},
		{exitUsage, "two folds at least", []string{"train", few, "--cv", "1"}},
		{exitUsage, "two folds at least", []string{"train", few, "--cv", "0"}},
		{exitUsage, "needs a positive lambda", []string{"train", few, "--cv", "2", "--lambda", "0"}},
		{exitUsage, "not both", []string{"train", few, "--cv", "2", "--valid", few}},
		{exitUsage, "--one-se goes with", []string{"train", few, "--cv", "2", "--one-se"}},
		{exitUsage, "unknown metric", []string{"train", few, "--cv", "2", "--metric", "nonsense"}},
		{exitUsage, "trains something else", []string{"train", few, "--path", "--solver", "adap"}},
		{exitUsage, "--metric and --patience go with", []string{"train", few, "--path", "--metric", "auc"}},
	} {
		if o := lanes(t, c.args...); o.status != c.status || !strings.Contains(o.stderr, c.says) {
			t.Errorf("%v: exit status %d, not %d, or it does not say %q: %s", c.args, o.status, c.status, c.says, o.stderr)
		}
	}
}

// TestBestAtEdge: a note says on which side a given path ends before the metric turns. The
// default path continues, and prints no note if it found the turn.
func TestBestAtEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags []string
		edge  bool
		note  string
	}{
		{[]string{"--lambdas", "1:0.1:3"}, true, "is the least of the path"},
		{[]string{"--lambdas", "1e-7:1e-9:3"}, true, "is the largest of the path"},
		{nil, false, ""},
	} {
		data := []string{"train", "--json", "--generate", "text:n=400,d=300", "--path", "--metric", "logloss", "--cv", "3"}
		o := lanes(t, append(data, c.flags...)...)
		if o.status != exitDone {
			t.Fatal(o.stderr)
		}
		v := object(t, o.out)
		if v["best_at_edge"] != c.edge || strings.Contains(o.stderr, "of the path") != c.edge || !strings.Contains(o.stderr, c.note) {
			t.Errorf("%v: best at edge %v, %s", c.flags, v["best_at_edge"], o.stderr)
		}
	}
}
