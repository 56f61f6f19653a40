package command

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func zipped(t *testing.T, text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBadData(t *testing.T) {
	t.Parallel()
	packed := zipped(t, strings.Repeat(tiny, 100))
	for name, c := range map[string]struct {
		content string
		says    []string
	}{
		"letters":    {"1 1:1 2:x\n-1 1:2\n", []string{":1:9:", `"x"`}},
		"label":      {"1 1:1\nyes 1:2\n", []string{":2:1:", `"yes"`}},
		"zero":       {"1 0:1\n-1 1:1\n", []string{":1:3:", "start at 1"}},
		"descending": {"1 1:1\n-1 3:1 2:1\n", []string{":2:8:", "--merge"}},
		"huge":       {"1 1000000000000000000:1\n-1 1:1\n", []string{":1:3:", "too large"}},
		"nan":        {"1 1:nan\n-1 1:1\n", []string{":1:5:", "finite"}},
		"cut":        {"1 1:1\n-1 2:", []string{":2:", "missing"}},
		"one label":  {"1 1:1\n1 2:1\n", []string{"two classes are needed"}},
		"three":      {"1 1:1\n2 1:1\n3 2:1\n", []string{"--positive"}},
		"empty":      {"", []string{"empty"}},
		"no rows":    {"\n\n# nothing\n", []string{"no rows"}},
		"no columns": {"1\n-1\n", []string{"no features"}},
		"truncated":  {packed[:len(packed)/2], []string{"truncated"}},
		"damaged":    {packed[:len(packed)-6] + "abcdef", []string{"damaged"}},
		"cache":      {"LANESCSRgarbage", nil},
	} {
		path := file(t, "data", c.content)
		model := filepath.Join(filepath.Dir(path), "model")
		o := lanes(t, "train", path, "--model", model)
		if o.status != exitData || o.out != "" {
			t.Errorf("%s: exit status %d, output %q, want status 3 and none\n%s", name, o.status, o.out, o.stderr)
		}
		for _, part := range append(c.says, path) {
			if !strings.Contains(o.stderr, part) {
				t.Errorf("%s: the message does not say %q: %s", name, part, o.stderr)
			}
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("%s: files are left: %v", name, left)
		}
	}
	huge := file(t, "huge", strings.Repeat("1 1:1e300 2:3e299\n-1 1:-2e300\n-1 2:1e300\n", 8))
	for _, flags := range [][]string{{}, {"--solver", "prox-sdca"}, {"--multiclass"}, {"--multiclass", "softmax"}, {"--for", "logloss", "--cv", "2"}, {"--path", "--cv", "2", "--lambdas", "1:0.1:3"}} {
		o := lanes(t, append([]string{"train", huge}, flags...)...)
		if o.status != exitData || !strings.Contains(o.stderr, "too large in magnitude: scale them first") {
			t.Errorf("rows that overflow, %v: exit status %d: %s", flags, o.status, o.stderr)
		}
	}
	if o := lanes(t, "train", huge, "--normalize", "unit"); o.status != 0 {
		t.Errorf("rows that overflow, scaled: exit status %d: %s", o.status, o.stderr)
	}
	for _, path := range []string{"/nonexistent/file", t.TempDir()} {
		if o := lanes(t, "train", path); o.status != exitData {
			t.Errorf("%s: exit status %d: %s", path, o.status, o.stderr)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	t.Parallel()
	tinyFile := file(t, "tiny", tiny)
	model := filepath.Join(t.TempDir(), "model")
	succeed(t, "train", tinyFile, "--model", model, "--loss", "squared-hinge", "--quiet")
	for _, c := range []struct {
		says string
		args []string
	}{
		{"unknown command", []string{"frobnicate"}},
		{"an argument is empty", []string{"train", ""}},
		{"an argument is empty", []string{"convert", tinyFile, ""}},
		{`--model "": the value is empty`, []string{"train", tinyFile, "--model", ""}},
		{"unknown flag", []string{"train", "--frobnicate"}},
		{"unknown flag --lamda; did you mean --lambda?", []string{"train", "--lamda", "3"}},
		{"unknown flag --jsn; did you mean --json?", []string{"eval", "--jsn"}},
		{"unknown solver; did you mean sdca-newton?", []string{"train", "--solver", "sdca-newtn"}},
		{"unknown solver; did you mean svrg?", []string{"compare", "--solvers", "svrgg,adam"}},
		{"did you mean roc_auc?", []string{"train", "--cv", "3", "--metric", "rocauc"}},
		{"did you mean roc_auc?", []string{"train", "--for", "rocauc"}},
		{"unknown solver; did you mean scvrg?", []string{"portfolio", "--solver", "scvrgg"}},
		{"want ap, auc, pauc:LO,HI, pauc:LO,HI,TPR or logloss", []string{"train", "--for", "accuracy"}},
		{"--lambda x: give a number", []string{"train", "--lambda", "x"}},
		{"give one DATA, not 2", []string{"train", "a", "b"}},
		{"--multiclass takes rest or softmax", []string{"train", "a", "--multiclass", "softmx"}},
		{"want one of: auto, ", []string{"train", "--solver", "nosuch"}},
		{"want one of: auto, ", []string{"compare", "--solvers", "svrg,nosuch"}},
		{"named twice", []string{"compare", "--solvers", "svrg,svrg"}},
		{"want logistic, squared, squared-hinge, huber, poisson", []string{"train", "--loss", "hingy"}},
		{"not both", []string{"train", "--lambda", "1", "--C", "1"}},
		{"0 or more", []string{"train", "--lambda", "-1"}},
		{"0 or more", []string{"train", "--lambda", "NaN"}},
		{"above 0", []string{"train", "--C", "0"}},
		{"finite", []string{"train", "--C", "1e-320"}},
		{"--C 1e+308: for 60 rows 1/(C n) is 0 in float64: give a C nearer to 1, or --lambda, where 0 is no penalty", []string{"train", "--C", "1e308", "--generate", "onehot:n=60"}},
		{"above 0", []string{"train", "--epochs", "-1"}},
		{"above 0", []string{"train", "--gap", "NaN"}},
		{"no duality gap", []string{"train", "--lambda", "0", "--gap", "1e-6"}},
		{"name=value", []string{"train", "--set", "gamma"}},
		{"no parameter", []string{"train", "--solver", "svrg", "--set", "gamme=1"}},
		{"none of these solvers", []string{"compare", "--set", "gamme=1"}},
		{"not a number", []string{"train", "--solver", "svrg", "--set", "step=x"}},
		{"a label is a finite number", []string{"train", "--positive", "cat"}},
		{"POS:NEG", []string{"train", "--class-weight", "3"}},
		{"want none, unit, minmax or std", []string{"train", "--normalize", "max"}},
		{".png or .svg", []string{"train", "--plot", "curve.pdf"}},
		{"not both", []string{"train", "--generate", small, tinyFile}},
		{"unknown generated shape", []string{"train", "--generate", "cube"}},
		{"whole number", []string{"train", "--generate", "onehot:n=many"}},
		{"go with --valid", []string{"train", "--metric", "ap"}},
		{"both name", []string{"train", "--model", model, "--trace", model}},
		{"a model before the DATA, as in lanes predict MODEL DATA", []string{"predict", tinyFile}},
		{"a model before the DATA", []string{"predict"}},
		{"a model before the DATA", []string{"eval"}},
		{"name the DATA after the model", []string{"predict", model}},
		{model + " is a model, not DATA", []string{"predict", tinyFile, model}},
		{"the model comes first, as in lanes eval MODEL DATA", []string{"eval", tinyFile, model}},
		{"the model comes first", []string{"eval", "--model", tinyFile, model}},
		{"give one DATA beside it", []string{"predict", "--model", model, model, tinyFile}},
		{"not both", []string{"predict", "--model", model, "--labels", "--probability", tinyFile}},
		{"logistic", []string{"predict", "--model", model, "--probability", tinyFile}},
		{"0 <= LO < HI", []string{"eval", "--model", model, "--fpr", "0.5,0.1", tinyFile}},
		{"not both", []string{"eval", "--scores", "x", tinyFile}},
		{"name the DATA", []string{"eval", "--model", model}},
		{"name the DATA", []string{"info"}},
		{".gz or .zst", []string{"convert", tinyFile, "out.xz"}},
		{"--workers", []string{"train", "--workers", "-2"}},
		{"replace the data", []string{"train", "--model", tinyFile, tinyFile}},
		{"replace the data", []string{"train", "--generate", small, "--valid", tinyFile, "--trace", tinyFile}},
	} {
		o := lanes(t, c.args...)
		if o.status != exitUsage || o.out != "" || !strings.Contains(o.stderr, c.says) {
			t.Errorf("lanes %s: exit status %d, %q, want 2 and %q", strings.Join(c.args, " "), o.status, o.stderr+o.out, c.says)
		}
	}
	o := lanes(t, "train", "--solver", "nosuch", "--json")
	if v := object(t, o.out); v["exit_status"] != 2.0 || !strings.Contains(v["error"].(string), "nosuch") {
		t.Errorf("--json: %v", v)
	}
}

// More folds than rows are refused before memory is planned for them.
func TestManyFolds(t *testing.T) {
	o := lanes(t, "train", "--generate", "onehot:n=60", "--cv", "2147483647")
	if o.status != exitData || !strings.Contains(o.stderr, "too few rows: there are 60 rows, fewer than the 2147483647 folds") {
		t.Errorf("exit status %d: %s", o.status, o.stderr)
	}
}

func TestForcedPath(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"train"}, {"cpu"}, {"info", "--generate", small}} {
		o := invocation{args: args, env: []string{"LANES_CPU=mmx"}}.run(t)
		if o.status != exitUsage || !strings.Contains(o.stderr, "mmx") || !strings.Contains(o.stderr, "generic") {
			t.Errorf("%v: exit status %d: %s", args, o.status, o.stderr)
		}
	}
}

func TestOutputsThatFail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, flag := range []string{"--model", "--trace", "--checkpoint", "--plot"} {
		name := filepath.Join(dir, "absent", "file.png")
		o := lanes(t, "train", "--generate", small, flag, name)
		if o.status != exitRun || o.out != "" || !strings.Contains(o.stderr, name) || !strings.Contains(o.stderr, "directory does not exist") {
			t.Errorf("%s: exit status %d: %s%s", flag, o.status, o.out, o.stderr)
		}
	}
	if o := lanes(t, "train", "--generate", small, "--model", dir); o.status != exitRun || !strings.Contains(o.stderr, "is a directory") {
		t.Errorf("a directory: exit status %d: %s", o.status, o.stderr)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	full, err := os.Stat("/dev/full")
	if err != nil {
		t.Skip(err)
	}
	for _, flag := range []string{"--model", "--trace"} {
		o := lanes(t, "train", "--generate", small, flag, "/dev/full")
		if o.status != exitRun || !strings.Contains(o.stderr, "no space is left") {
			t.Errorf("%s /dev/full: exit status %d: %s", flag, o.status, o.stderr)
		}
	}
	if o := lanes(t, "train", "--checkpoint", "/dev/full"); o.status != exitUsage {
		t.Errorf("--checkpoint /dev/full: exit status %d: %s", o.status, o.stderr)
	}
	if after, err := os.Stat("/dev/full"); err != nil || after.Mode() != full.Mode() {
		t.Fatalf("/dev/full was replaced: %v", err)
	}
	out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer out.Close()
	for _, args := range [][]string{{"--version"}, {"cpu"}, {"help"}, {"help", "train"}, {"help", "tables"}, {"train", "--help"}, {"--help"}, {}} {
		var stderr bytes.Buffer
		if status := Run(args, strings.NewReader(""), out, &stderr); status != exitRun || strings.Contains(stderr.String(), "--help") || !strings.Contains(stderr.String(), "no space") {
			t.Errorf("lanes %v > /dev/full: exit status %d: %s", args, status, stderr.String())
		}
	}
	model := filepath.Join(dir, "model")
	succeed(t, "train", "--generate", small, "--model", model)
	for _, args := range [][]string{{"train", "--generate", small}, {"train", "--json", "--generate", small},
		{"predict", "--model", model, file(t, "tiny", tiny)}, {"convert", "--generate", small, "-"}} {
		cmd := invocation{args: args}.command()
		cmd.Stdout = out
		if cmd.Run(); cmd.ProcessState.ExitCode() != exitRun {
			t.Errorf("lanes %v on a full disk: exit status %d", args, cmd.ProcessState.ExitCode())
		}
	}
}

func TestHelpAndLists(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--help"}, {"train", "--help"}, {"completion", "bash"}, {"version"}, {"cpu"}, {"cpu", "--paths"}, {"train", "--list"}} {
		if out := succeed(t, args...); out == "" {
			t.Errorf("lanes %v prints nothing", args)
		}
	}
	for _, args := range [][]string{{"version", "--json"}, {"cpu", "--json"}, {"cpu", "--paths", "--json"}, {"train", "--list", "--json"}} {
		object(t, succeed(t, args...))
	}
	list := succeed(t, "train", "--list")
	for _, name := range []string{"auto", "ai-sarah", "sarah+", "svrg", "adam", "sgd", "--list SOLVER"} {
		if !strings.Contains(list, name) {
			t.Errorf("train --list does not show %s", name)
		}
	}
}
