package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pythonWith finds a Python that has a module; the first one on the path need not be it.
func pythonWith(t *testing.T, module string) string {
	t.Helper()
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/bin") {
		program := filepath.Join(dir, "python3")
		if exec.Command(program, "-c", "import sys, importlib.util as u; sys.exit(u.find_spec('"+module+"') is None)").Run() == nil {
			return program
		}
	}
	t.Skipf("no python3 here has %s (Debian: python3-numpy, python3-sklearn)", module)
	return ""
}

// npzScript scores the dense rows of rows.json by every model as NumPy loads it. It uses
// scikit-learn's formula and no other code, and prints the scores.
const npzScript = `
import json, sys, numpy as np
out, rows = {}, json.load(open("rows.json"))
for name, data in json.loads(sys.argv[1]).items():
    z = np.load(name + ".npz")
    x = np.array(rows[data], dtype=float)
    if str(z["normalize"]) == "unit":
        x = x / np.maximum(np.sqrt((x * x).sum(axis=1, keepdims=True)), 1e-300)
    scores = x @ z["coef_"].T + z["intercept_"]
    out[name] = {"scores": np.ravel(scores).tolist(), "kinds": {k: [str(z[k].dtype), list(z[k].shape)] for k in z.files}}
    if "classes_" in z.files:
        s = scores if scores.shape[1] > 1 else np.hstack([-scores, scores])
        out[name]["labels"] = [str(v) for v in z["classes_"][s.argmax(axis=1)]]
    if "feature_names_in_" in z.files:
        out[name]["names"] = z["feature_names_in_"].tolist()
    if "multi_class" in z.files:
        out[name]["multi_class"] = str(z["multi_class"])
json.dump(out, sys.stdout)
`

// dense returns the rows of LIBSVM text as dense rows of the given number of columns.
func dense(t *testing.T, text string, columns int) (rows [][]float64) {
	t.Helper()
	for line := range strings.Lines(text) {
		row := make([]float64, columns)
		for _, entry := range strings.Fields(line)[1:] {
			index, value, _ := strings.Cut(entry, ":")
			row[int(numberOf(t, index))-1] = numberOf(t, value)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestNumPyReadsModels: NumPy loads exported models. scikit-learn's decision function on them
// gives the scores and labels of lanes predict on the rows as they are read.
func TestNumPyReadsModels(t *testing.T) {
	python := pythonWith(t, "numpy")
	several := fourClasses(t, 60, 3)
	t.Chdir(t.TempDir())
	rowsOf(t, "two", "text:n=60,d=20,seed=5", relabel("1", "-1"))
	rowsOf(t, "words", "text:n=60,d=20,seed=5", relabel("späm", "ham"))
	rowsOf(t, "targets", "text:n=60,d=20,seed=8", relabel("0.5", "3", "-1", "2.25"))
	rowsOf(t, "halves", "text:n=60,d=20,seed=8", relabel("0.5", "1.5"))
	rowsOf(t, "ends", "dense:n=60,d=20,seed=8", relabel("1", "-1")) // columns that minmax shifts
	for name, text := range map[string]string{"names": columnNames(20), "several": read(t, several)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rows, data := map[string][][]float64{}, map[string]string{}
	for name, d := range map[string]int{"two": 20, "words": 20, "targets": 20, "halves": 20, "ends": 20, "several": 12} {
		rows[name] = dense(t, read(t, name), d)
	}
	models := map[string]string{
		"plain": "two", "bias": "two --bias --names names", "few": "two --l1 1e-2 --intercept", "words": "words --intercept", "halves": "halves --bias",
		"unit": "two --normalize unit --bias", "minmax": "ends --normalize minmax --bias", "std": "ends --normalize std --l1 1e-3 --intercept", "shifted": "ends --normalize minmax --l1 1e-3 --intercept",
		"targets": "targets --loss squared --bias", "rest": "several --multiclass --bias", "softmax": "several --multiclass softmax --bias --normalize minmax", "free": "several --multiclass softmax --intercept --normalize std",
		"positive": "several --positive 7", "deviations": "several --multiclass --normalize std",
	}
	for name, flags := range models {
		for _, file := range []string{name + ".model", name + ".npz"} {
			succeed(t, append([]string{"train", "--quiet", "--model", file}, strings.Fields(flags)...)...)
		}
		succeed(t, "convert", "--quiet", "--force", name+".model", "converted.npz")
		if a, b := read(t, name+".npz"), read(t, "converted.npz"); a != b {
			t.Errorf("%s: lanes train and lanes convert write other bytes", name)
		}
		data[name] = strings.Fields(flags)[0]
	}
	write := func(name string, v any) []byte {
		text, err := json.Marshal(v)
		if err == nil && name != "" {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	write("rows.json", rows)
	cmd := exec.Command(python, "-c", npzScript, string(write("", data)))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var got map[string]struct {
		Scores        []float64
		Labels, Names []string
		Kinds         map[string][]any
		Multi         string `json:"multi_class"`
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for name, g := range got {
		scores := strings.Fields(succeed(t, "predict", "--quiet", "--model", name+".model", data[name]))
		if len(scores) != len(g.Scores) {
			t.Errorf("%s: %d scores, not %d", name, len(g.Scores), len(scores))
			continue
		}
		for i, s := range scores {
			if want := numberOf(t, s); math.Abs(g.Scores[i]-want) > 1e-12*max(1, math.Abs(want)) {
				t.Errorf("%s: score %d is %v, not %v", name, i, g.Scores[i], want)
				break
			}
		}
		if name == "targets" {
			if fmt.Sprint(g.Kinds["coef_"], g.Kinds["intercept_"]) != "[float64 [20]] [float64 []]" || g.Labels != nil {
				t.Errorf("a regression has %v", g.Kinds)
			}
			continue
		}
		for i, want := range strings.Fields(succeed(t, "predict", "--quiet", "--labels", "--model", name+".model", data[name])) {
			a, err1 := strconv.ParseFloat(g.Labels[i], 64)
			b, err2 := strconv.ParseFloat(want, 64)
			if g.Labels[i] != want && (err1 != nil || err2 != nil || a != b) {
				t.Errorf("%s: label %d is %s, not %s", name, i, g.Labels[i], want)
				break
			}
		}
	}
	for name, want := range map[string]string{"plain": "int64 [2]", "words": "<U4 [2]", "halves": "float64 [2]", "rest": "int64 [4]"} {
		if kind := strings.Trim(fmt.Sprint(got[name].Kinds["classes_"]), "[]") + "]"; kind != want {
			t.Errorf("%s: classes_ is %s, not %s", name, kind, want)
		}
	}
	if g := got["bias"].Names; len(g) != 20 || g[0] != "größe 1" || g[19] != "größe 20" {
		t.Errorf("names %q", g)
	}
	if got["rest"].Multi != "ovr" || got["softmax"].Multi != "multinomial" || got["plain"].Multi != "" {
		t.Errorf("ways %q, %q and %q", got["rest"].Multi, got["softmax"].Multi, got["plain"].Multi)
	}
	for _, line := range []string{"predict --model plain.npz two", "info --model plain.npz", "convert two out --to sparse-model"} {
		if o := inside(strings.Fields(line)...); o.status == exitDone || !strings.Contains(o.stderr, "NumPy") && !strings.Contains(o.stderr, "sparse-model") {
			t.Errorf("lanes %s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
}

// scikit-learn itself takes what is loaded: decision_function, predict and predict_proba.
func TestScikitLearnReadsModels(t *testing.T) {
	if testing.Short() {
		t.Skip("importing scikit-learn takes seconds")
	}
	python := pythonWith(t, "sklearn")
	several := fourClasses(t, 60, 3)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("several", []byte(read(t, several)), 0o666); err != nil {
		t.Fatal(err)
	}
	rowsOf(t, "two", "text:n=60,d=20,seed=5", relabel("2", "7"))
	models := map[string]string{"binary": "two --bias", "rest": "several --multiclass", "softmax": "several --multiclass softmax --bias"}
	var pairs []string
	for name, flags := range models {
		for _, model := range []string{name, name + ".npz"} {
			succeed(t, append([]string{"train", "--quiet", "--model", model}, strings.Fields(flags)...)...)
		}
		pairs = append(pairs, name, strings.Fields(flags)[0])
	}
	script := `
import json, sys, warnings, numpy as np
warnings.simplefilter("ignore")
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression
out = {}
for name, data in zip(sys.argv[1::2], sys.argv[2::2]):
    z = np.load(name + ".npz")
    x, _ = load_svmlight_file(data, n_features=z["coef_"].shape[1])
    m = LogisticRegression(multi_class=str(z["multi_class"]) if "multi_class" in z.files else "auto")
    m.coef_, m.intercept_, m.classes_ = z["coef_"], z["intercept_"], z["classes_"]
    p = m.predict_proba(x)
    out[name] = []
    for scores, label, share in zip(m.decision_function(x).reshape(x.shape[0], -1), m.predict(x), p if p.shape[1] > 2 else p[:, 1:]):
        out[name] += [*map(float, scores), float(label), *map(float, share)]
json.dump(out, sys.stdout)
`
	out, err := exec.Command(python, append([]string{"-c", script}, pairs...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var theirs map[string][]float64
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, flags := range models {
		data, got := strings.Fields(flags)[0], theirs[name]
		var want []string
		scores := strings.Split(strings.TrimSpace(succeed(t, "predict", "--quiet", "--model", name, data)), "\n")
		labels := strings.Fields(succeed(t, "predict", "--quiet", "--labels", "--model", name, data))
		shares := strings.Split(strings.TrimSpace(succeed(t, "predict", "--quiet", "--probability", "--model", name, data)), "\n")
		for i := range labels {
			want = append(want, strings.Fields(scores[i]+" "+labels[i]+" "+shares[i])...)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, not %d:\n%s", name, len(got), len(want), out)
		}
		for i, a := range got {
			if b := numberOf(t, want[i]); !(math.Abs(a-b) <= 1e-12*max(1, math.Abs(b))) {
				t.Errorf("%s: number %d is %v, not %v", name, i, a, b)
				break
			}
		}
	}
}

// A model of few weights scores as the whole one does, is converted back to it, and says
// the same of itself.
func TestSparseModels(t *testing.T) {
	several := fourClasses(t, 100, 3)
	t.Chdir(t.TempDir())
	rowsOf(t, "two", "text:n=200,d=60,seed=5", relabel("spam", "ham"))
	for name, text := range map[string]string{"names": columnNames(60), "several": read(t, several)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range []string{"two --l1 1e-2 --intercept --names names", "several --multiclass --l1 0.05 --intercept", "two --l1 10", "several --multiclass softmax", "several --multiclass softmax --intercept", "two --normalize minmax", "two --normalize std --bias"} {
		train := append([]string{"train", "--json"}, strings.Fields(flags)...)
		data := train[2]
		whole := object(t, succeed(t, append(train, "--model", "whole")...))
		few := object(t, succeed(t, append(train, "--model", "few", "--sparse-model")...))
		if whole["weights_sha256"] != few["weights_sha256"] {
			t.Fatalf("%s: other weights", flags)
		}
		about := object(t, succeed(t, "info", "--json", "few"))
		if about["weights_sha256"] != whole["weights_sha256"] || about["nonzero_weights"] != whole["nonzero_weights"] {
			t.Errorf("%s: %v weights that are not 0, hash %v; trained %v, %v", flags, about["nonzero_weights"], about["weights_sha256"], whole["nonzero_weights"], whole["weights_sha256"])
		}
		for _, line := range []string{"predict --quiet --model %s " + data, "predict --quiet --labels --model %s " + data, "eval --json --model %s " + data} {
			if a, b := succeed(t, strings.Fields(fmt.Sprintf(line, "whole"))...), succeed(t, strings.Fields(fmt.Sprintf(line, "few"))...); a != b {
				t.Errorf("%s: %s differs: %s and %s", flags, line, a, b)
			}
		}
		succeed(t, "convert", "--quiet", "whole", "again", "--to", "sparse-model")
		if read(t, "again") != read(t, "few") {
			t.Errorf("%s: lanes train and lanes convert write other bytes", flags)
		}
		if strings.Contains(flags, "l1 1") && len(read(t, "few")) > len(read(t, "whole")) {
			t.Errorf("%s: %d bytes for %d", flags, len(read(t, "few")), len(read(t, "whole")))
		}
		succeed(t, "convert", "--quiet", "few", "back")
		if !strings.Contains(flags, "names") && read(t, "back") != read(t, "whole") {
			t.Errorf("%s: converted back it is another file", flags)
		}
		if text := succeed(t, "info", "few", "--top", "2"); strings.Contains(text, "liblinear-predict") || strings.Contains(flags, "names") != strings.Contains(text, "größe") {
			t.Errorf("%s", text)
		}
		succeed(t, append(train, "--initial", "few", "--model", "further")...)
	}
}
