package command

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestPredictAndEval(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, model := filepath.Join(dir, "text"), filepath.Join(dir, "model")
	succeed(t, "convert", "--generate", small, text)
	for _, flags := range [][]string{nil, {"--bias"}, {"--normalize", "unit", "--bias"}, {"--normalize", "minmax"}, {"--normalize", "std", "--bias"}, {"--loss", "squared-hinge"}, {"--loss", "huber"}} {
		trained := object(t, succeed(t, append([]string{"train", text, "--json", "--model", model}, flags...)...))
		eval := object(t, succeed(t, "eval", text, "--json", "--model", model, "--fpr", "0,0.2", "--plot", filepath.Join(dir, "curves.png")))
		if eval["accuracy"] != trained["metrics"].(map[string]any)["train_accuracy"] {
			t.Errorf("%v: accuracy %v in training, %v later", flags, trained["metrics"], eval["accuracy"])
		}
		for _, name := range []string{"log_loss", "average_precision", "auroc", "pauc", "pauc_normalised"} {
			if odds := len(flags) == 0 || flags[0] != "--loss"; name == "log_loss" && !odds {
				if eval[name] != nil {
					t.Errorf("%v: scores that are no log odds have a log loss of %v", flags, eval[name])
				}
				continue
			}
			if v, ok := eval[name].(float64); !ok || v <= 0 || v > 1 {
				t.Errorf("%v: %s is %v", flags, name, eval[name])
			}
		}
		table := eval["confusion"].(map[string]any)
		right := table["true_positive"].(float64) + table["true_negative"].(float64)
		if all := right + table["false_positive"].(float64) + table["false_negative"].(float64); all != 2000 || right/all != eval["accuracy"] {
			t.Errorf("%v: the confusion table %v and the accuracy %v", flags, table, eval["accuracy"])
		}
		if bins, odds := eval["calibration"].([]any); odds != (len(flags) == 0 || flags[0] != "--loss") || odds && len(bins) != 10 {
			t.Errorf("%v: calibration %v", flags, eval["calibration"])
		}
		labels := strings.Fields(succeed(t, "predict", text, "--model", model, "--labels"))
		plain := succeed(t, "predict", model, text)
		scores := strings.Fields(plain)
		if plain != succeed(t, "predict", text, "--model", model) || succeed(t, "eval", model, text) != succeed(t, "eval", "--model", model, text) {
			t.Errorf("%v: MODEL DATA and --model MODEL DATA differ", flags)
		}
		if len(labels) != 2000 || len(scores) != 2000 {
			t.Fatalf("%v: %d labels, %d scores", flags, len(labels), len(scores))
		}
		for i := range scores {
			if s, err := strconv.ParseFloat(scores[i], 64); err != nil || labels[i] != map[bool]string{true: "1", false: "-1"}[s > 0] {
				t.Fatalf("%v: row %d has score %s and label %s", flags, i, scores[i], labels[i])
			}
		}
	}
	if !strings.HasPrefix(read(t, filepath.Join(dir, "curves.png")), "\x89PNG") {
		t.Error("the curves are no picture")
	}
}

func TestProbabilityAndStdin(t *testing.T) {
	t.Parallel()
	model := file(t, "model", "solver_type L2R_LR\nnr_class 2\nlabel 1 0\nnr_feature 2\nbias -1\nw\n1\n-1\n")
	in := "0 1:0\n1 1:1000\n0 2:1000 3:5\n"
	o := invocation{args: []string{"predict", "--model", model, "--probability", "-"}, stdin: strings.NewReader(in)}.run(t)
	if o.status != exitDone || o.out != "0.5\n1\n0\n" || !strings.Contains(o.stderr, "1 entries in columns beyond the 2") {
		t.Errorf("exit status %d: %q %s", o.status, o.out, o.stderr)
	}
	o = invocation{args: []string{"predict", "--model", model, "--labels", "-", "--json"}, stdin: strings.NewReader(in)}.run(t)
	if v := object(t, o.out); v["n"] != 3.0 || len(v["predictions"].([]any)) != 3 {
		t.Errorf("%v", v)
	}
	o = invocation{args: []string{"eval", "--scores", "-", "--json"}, stdin: strings.NewReader("1 2.5\n0,-1\n\n1\t-0.5\r\n0 -0.75\n")}.run(t)
	if v := object(t, o.out); v["auroc"] != 1.0 || v["accuracy"] != 0.75 || v["positives"] != 2.0 {
		t.Errorf("%v", v)
	}
	for _, bad := range []string{"", "1\n", "1 x\n0 1\n", "nan 1\n0 1\n", "1 1\n1 2\n", "1 nan\n0 1\n"} {
		if o := (invocation{args: []string{"eval", "--scores", "-"}, stdin: strings.NewReader(bad)}).run(t); o.status != exitData {
			t.Errorf("%q: exit status %d: %s", bad, o.status, o.stderr)
		}
	}
	for text, want := range map[string]string{"1 1\n" + strings.Repeat("7", 1<<17): ":2: the line has more than 65536 bytes", zipped(t, "1 1\n0 1 1\n"): ":2: 3 numbers where"} {
		if o := lanes(t, "eval", "--scores", file(t, "scores", text)); o.status != exitData || !strings.Contains(o.stderr, want) {
			t.Errorf("exit status %d: %s, want %s", o.status, o.stderr, want)
		}
	}
	if v := object(t, succeed(t, "eval", "--json", "--scores", file(t, "scores.gz", zipped(t, "1 2.5\n0 -1\n")))); v["auroc"] != 1.0 {
		t.Errorf("of compressed scores: %v", v)
	}
	o = invocation{args: []string{"train", "-", "--json"}, stdin: strings.NewReader(tiny)}.run(t)
	if v := object(t, o.out); v["n"] != 4.0 || v["d"] != 3.0 {
		t.Errorf("%v", v)
	}
	for _, bad := range []string{"", "hello", read(t, model)[:60]} {
		if o := lanes(t, "predict", "--model", file(t, "bad", bad), file(t, "tiny", tiny)); o.status != exitData {
			t.Errorf("the model %q: exit status %d: %s", bad, o.status, o.stderr)
		}
	}
}

// liblinearPredicts checks that liblinear-predict gives the labels that we give.
func liblinearPredicts(t *testing.T, text, model string) {
	t.Helper()
	program, err := exec.LookPath("liblinear-predict")
	if err != nil {
		t.Skip("liblinear-predict is not installed (Debian: liblinear-tools)")
	}
	out := filepath.Join(t.TempDir(), "labels")
	if message, err := exec.Command(program, text, model, out).CombinedOutput(); err != nil {
		t.Fatalf("liblinear-predict: %v: %s", err, message)
	}
	if ours := succeed(t, "predict", "--labels", "--quiet", "--model", model, text); ours != read(t, out) {
		t.Errorf("liblinear-predict gives other labels")
	}
}

func TestLIBLINEARReadsModels(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, model := filepath.Join(dir, "text"), filepath.Join(dir, "model")
	succeed(t, "convert", "--generate", "text:n=1500,d=3000", text)
	names := file(t, "names", columnNames(3000))
	for _, flags := range [][]string{nil, {"--bias"}, {"--loss", "squared-hinge", "--bias"}, {"--loss", "squared"}, {"--positive", "-1"},
		{"--l1", "1e-3", "--intercept", "--names", names}, {"--l1", "1e-3", "--bias", "--loss", "squared-hinge"}, {"--l1", "1e-2", "--lambda", "1e-3"}, {"--l1", "10", "--intercept"}} {
		succeed(t, append([]string{"train", text, "--model", model}, flags...)...)
		liblinearPredicts(t, text, model)
	}
	multi := file(t, "multi", strings.Repeat("1 1:1\n2 2:1\n3 3:1 1:2\n", 1)+"2 2:3\n")
	succeed(t, "train", multi, "--merge", "--positive", "2", "--model", model)
	sorted := filepath.Join(dir, "sorted")
	succeed(t, "convert", "--merge", multi, sorted)
	liblinearPredicts(t, sorted, model)
}

func TestModelKeptWhenItCannotBeReplaced(t *testing.T) {
	t.Parallel()
	model := file(t, "model", "the old one")
	if o := lanes(t, "train", file(t, "bad", "1 0:1\n"), "--model", model); o.status != exitData || read(t, model) != "the old one" {
		t.Errorf("exit status %d, the model is %q", o.status, read(t, model))
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(model, link); err != nil {
		t.Skip(err)
	}
	succeed(t, "train", "--generate", small, "--model", link)
	if !strings.HasPrefix(read(t, model), "nr_class") {
		t.Error("the link was not followed")
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cache, text, again := filepath.Join(dir, "x.lanes"), filepath.Join(dir, "x.txt.gz"), filepath.Join(dir, "y.zst")
	succeed(t, "convert", "--generate", "text:n=500,d=900", cache)
	succeed(t, "convert", cache, text)
	object(t, succeed(t, "convert", "--json", text, again))
	want := hash(t, nil, cache)
	for _, path := range []string{text, again} {
		if hash(t, nil, path) != want {
			t.Errorf("%s trains another model", path)
		}
	}
	if a, b := succeed(t, "convert", cache, "-"), succeed(t, "convert", again, "-"); a != b || strings.Count(a, "\n") != 500 {
		t.Error("the texts differ")
	}
	if o := lanes(t, "convert", file(t, "unsorted", "1 2:1 1:1\n"), "-"); o.status != exitData {
		t.Errorf("unsorted: exit status %d", o.status)
	}
	if out := succeed(t, "convert", "--merge", file(t, "unsorted", "1 2:1 1:1 2:0.5\n"), "-"); out != "1 1:1 2:1.5\n" {
		t.Errorf("merged: %q", out)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	v := object(t, succeed(t, "info", "--json", "--generate", small, "--lipschitz", "--bias", "--normalize", "unit"))
	for _, name := range []string{"n", "d", "nnz", "classes", "positives", "rows_without_features", "layout", "bytes_per_nnz", "lipschitz"} {
		if v[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
	if v["layout"] != "i16+none" || v["classes"] != 2.0 {
		t.Errorf("%v", v)
	}
	many := file(t, "many", "1\n2 1:1\n3 2:1\n")
	if v := object(t, succeed(t, "info", "--json", "--lipschitz", many)); v["classes"] != 3.0 || v["rows_without_features"] != 1.0 || v["positives"] != nil {
		t.Errorf("%v", v)
	}
	one := file(t, "one", "1 1:2 2:3\n")
	for loss, want := range map[string]float64{"logistic": 13./4 + 1, "squared": 13 + 1} {
		if v := object(t, succeed(t, "info", "--json", "--lipschitz", "--lambda", "1", "--loss", loss, one)); math.Abs(v["lipschitz"].(float64)-want) > 1e-12 {
			t.Errorf("%s: a row of length 13^(1/2) has the smoothness %v, want %v", loss, v["lipschitz"], want)
		}
	}
	if out := succeed(t, "info", many); !strings.Contains(out, "3 (1 rows)") {
		t.Errorf("%s", out)
	}
}

// Table 7 of the AI-SARAH paper.
func TestSmoothnessOfThePaper(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"a1a": "0.362456", "ijcnn1": "0.285408", "w8a": "0.274301"} {
		path := data(t, name+".xz")
		out := succeed(t, "info", "--lipschitz", "--normalize", "unit", "--bias", path)
		if !strings.Contains(out, want) {
			t.Errorf("%s: want %s in\n%s", name, want, out)
		}
	}
}

// TestBatchWhereTaken: reports tell the size of batches of solvers that take any, alone.
func TestBatchWhereTaken(t *testing.T) {
	t.Parallel()
	for solver, taken := range map[string]bool{"newton": false, "adfsdca": false, "svrg": true} {
		page := filepath.Join(t.TempDir(), "page.html")
		succeed(t, "compare", "--solvers", solver, "--generate", small, "--epochs", "2", "--html", page)
		text := succeed(t, "train", "--solver", solver, "--generate", small, "--epochs", "2")
		if strings.Contains(text, "batch 64") != taken || strings.Contains(read(t, page), ">batch<") != taken {
			t.Errorf("%s: tells of batches in other places than where they are taken (%v): %s", solver, taken, text)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page, plot := filepath.Join(dir, "page.html"), filepath.Join(dir, "plot.svg")
	out := succeed(t, "compare", "--solvers", "auto,svrg,adam", "--generate", small, "--epochs", "5", "--html", page, "--plot", plot,
		"--set", "svrg.step=0.1", "--set", "decay=0.01")
	for _, part := range []string{"objective", "newton", "svrg", "adam"} {
		if !strings.Contains(out, part) {
			t.Errorf("the table does not show %s:\n%s", part, out)
		}
	}
	text := read(t, page)
	for _, part := range []string{"<!DOCTYPE html>", `"name":"svrg"`, "svrg.step", "generated onehot", "CPU path"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page does not hold %q", part)
		}
	}
	for _, part := range []string{"src=", "href=", "@import", "fetch(", "ZgotmplZ"} {
		if strings.Contains(text, part) {
			t.Errorf("the page holds %q", part)
		}
	}
	if !bytes.Contains([]byte(read(t, plot)), []byte("<svg")) {
		t.Error("the plot is no picture")
	}
	v := object(t, succeed(t, "compare", "--json", "--solvers", "svrg,sgd", "--generate", small, "--epochs", "4"))
	if runs := v["runs"].([]any); len(runs) != 2 || runs[1].(map[string]any)["solver"] != "sgd" {
		t.Errorf("%v", v)
	}
}

// TestPredictStreams: data of several blocks and the same data in single files get equal
// predictions, from a file, a pipe and a cache. A mistake in the middle leaves no half a file.
func TestPredictStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	part := read(t, file(t, "part", succeed(t, "convert", "--quiet", "--generate", "text:n=500,d=400", "-")))
	const times = 25
	for name, text := range map[string]string{"part": part, "whole": strings.Repeat(part, times), "bad": strings.Repeat(part, times) + "1 1:x\n" + part} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(part)*times < 9<<20 {
		t.Fatalf("%d bytes are no more than two blocks", len(part)*times)
	}
	succeed(t, "convert", "--quiet", "whole", "whole.lanes")
	succeed(t, "train", "--quiet", "part", "--normalize", "unit", "--epochs", "3", "--model", "model")
	for _, kind := range []string{"--labels", "--probability", "--labels=false"} {
		want := strings.Repeat(inside("predict", "--quiet", "--model", "model", kind, "part").out, times)
		for _, data := range []string{"whole", "whole.lanes"} {
			if o := inside("predict", "--quiet", "--model", "model", kind, data); o.status != exitDone || o.out != want {
				t.Errorf("%s of %s: exit status %d, %d bytes for %d", kind, data, o.status, len(o.out), len(want))
			}
		}
		in, err := os.Open("whole")
		if err != nil {
			t.Fatal(err)
		}
		piped := invocation{args: []string{"predict", "--quiet", "--model", "model", kind, "-"}, stdin: io.MultiReader(in)}.run(t)
		in.Close()
		if piped.status != exitDone || piped.out != want {
			t.Errorf("%s of a pipe: exit status %d, %d bytes for %d", kind, piped.status, len(piped.out), len(want))
		}
		if o := inside("predict", "--quiet", "--model", "model", kind, "whole", "--out", "lines"); o.status != exitDone || o.out != "" || read(t, "lines") != want {
			t.Errorf("%s --out: exit status %d, %s", kind, o.status, o.stderr)
		}
	}
	if v := object(t, inside("predict", "--json", "--quiet", "--model", "model", "whole", "--out", "lines").out); v["n"] != 500.0*times || v["out"] != "lines" {
		t.Errorf("%v", v)
	}
	bad := fmt.Sprintf("bad:%d:5: ", 500*times+1)
	o := inside("predict", "--model", "model", "bad")
	if o.status != exitData || !strings.Contains(o.stderr, bad) || strings.Count(o.out, "\n") > 500*times {
		t.Errorf("a mistake: exit status %d, %d lines, %s", o.status, strings.Count(o.out, "\n"), o.stderr)
	}
	before := read(t, "lines")
	if o := inside("predict", "--model", "model", "bad", "--out", "lines"); o.status != exitData || !strings.Contains(o.stderr, bad) || read(t, "lines") != before {
		t.Errorf("--out: exit status %d, %s", o.status, o.stderr)
	}
	if o := inside("predict", "--json", "--model", "model", "bad"); o.status != exitData || object(t, o.out)["exit_status"] != float64(exitData) {
		t.Errorf("--json: exit status %d, %s", o.status, o.stderr)
	}
	if o := inside("predict", "--model", "model", "part", "--out", "part"); o.status != exitUsage {
		t.Errorf("--out over the data: exit status %d, %s", o.status, o.stderr)
	}
	if left, _ := os.ReadDir("."); len(left) != 6 {
		t.Errorf("%d files are left", len(left))
	}
}

// TestConfusionAtZero: a score of 0 is a negative decision, the smallest above 0 a positive
// one, in the table as in the accuracy.
func TestConfusionAtZero(t *testing.T) {
	t.Parallel()
	v := object(t, inside("eval", "--json", "--scores", file(t, "scores", "1 0\n1 5e-324\n-1 0\n-1 -1\n1 -0\n-1 0.5\n")).out)
	want := map[string]any{"true_positive": 1.0, "false_positive": 1.0, "true_negative": 2.0, "false_negative": 2.0}
	if !reflect.DeepEqual(v["confusion"], want) || v["accuracy"] != 0.5 {
		t.Errorf("the table is %v, the accuracy %v", v["confusion"], v["accuracy"])
	}
}
