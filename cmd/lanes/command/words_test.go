package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWordLabels: data whose labels are words train the models of data whose labels are
// numbers, and predictions are words.
func TestWordLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	done := func(line string) outcome {
		t.Helper()
		o := inside(strings.Fields(line)...)
		if o.status != exitDone {
			t.Fatalf("lanes %s: %s", line, o.stderr)
		}
		return o
	}
	numbers := tiny + "1 1:2\n-1 2:1 3:-2\n"
	write("numbers", numbers)
	write("words", strings.NewReplacer("+1 ", "spam ", "-1 ", "ham ").Replace(strings.ReplaceAll(numbers, "\n1 ", "\n+1 ")))
	three := "1 1:1\n2 2:1\n3 3:1\n1 1:2\n2 1:0.1 2:0.5\n3 3:2\n"
	write("three", three)
	write("colours", strings.NewReplacer("1 1", "blue 1", "\n2 ", "\ngreen ", "3 3", "red 3").Replace(three))
	hash := func(line string) any { return object(t, done(line+" --json").out)["weights_sha256"] }
	if words, numbers := object(t, done("info --json --lipschitz --class-weight 2:1 --positive ham words").out), object(t, done("info --json --lipschitz --class-weight 2:1 --positive -1 numbers").out); words["lipschitz"] == nil || words["lipschitz"] != numbers["lipschitz"] {
		t.Errorf("of words %v, of numbers %v", words, numbers)
	}
	for _, c := range [][2]string{
		{"train numbers", "train words --model m"}, {"train numbers --positive -1", "train words --positive ham --model ham"},
		{"train three --multiclass", "train colours --multiclass --model classes"}, {"train three --positive 2", "train colours --positive green --model green"},
		{"train numbers --solver adap --hidden 2 --epochs 3", "train words --solver adap --hidden 2 --epochs 3 --model net"},
	} {
		if a, b := hash(c[0]), hash(c[1]); a != b {
			t.Errorf("%s and %s have other weights", c[0], c[1])
		}
	}
	if text := read(t, "m"); !strings.Contains(text, "\nlabel 1 -1\n") || !strings.Contains(text, `"label_names":["spam","ham"]`) {
		t.Errorf("the model is %s", text)
	}
	for line, want := range map[string]string{
		"predict --labels --model m words": "spam\nham\nspam\nham\nspam\nham\n", "predict --labels --model m numbers": "spam\nham\nspam\nham\nspam\nham\n",
		"predict --labels --model ham words": "spam\nham\nspam\nham\nspam\nham\n", "predict --labels --model classes colours": "blue\ngreen\nred\nblue\ngreen\nred\n",
		"predict --labels --model green colours": "rest\ngreen\nrest\nrest\ngreen\nrest\n",
	} {
		if got := done(line).out; got != want {
			t.Errorf("lanes %s: %q, not %q", line, got, want)
		}
	}
	if v := object(t, done("predict --labels --json --model classes colours").out)["predictions"].([]any); v[1] != "green" {
		t.Errorf("predictions %v", v)
	}
	for line, key := range map[string]string{"eval --model m words": "accuracy", "eval --model classes colours": "accuracy", "eval --model green colours": "accuracy", "eval --model classes colours --positive red": "auroc", "eval --model net words": "auroc"} {
		if v := object(t, done(line+" --json").out)[key]; key == "accuracy" && v != 1.0 || v == nil {
			t.Errorf("lanes %s: %s %v", line, key, v)
		}
	}
	done("train words --valid words")
	done("compare words --solvers newton --epochs 3")
	for line, says := range map[string]string{
		"info words": "2: ham (3 rows), spam (3 rows)", "info colours --positive red": "2 (33.3 %)", "train words": "spam against ham (3 and 3 rows)",
		"eval --model classes colours": "green", "convert words -": "spam 1:1 3:0.5\n",
	} {
		if got := done(line).out; !strings.Contains(got, says) {
			t.Errorf("lanes %s does not say %q: %s", line, says, got)
		}
	}
	done("convert words words.lanes")
	done("convert colours colours.lanes")
	for line, says := range map[string]string{
		"info words.lanes": "2: ham (3 rows), spam (3 rows)", "train words.lanes": "spam against ham (3 and 3 rows)", "eval --model m words.lanes": "",
		"train words.lanes --memory 100MB": "spam against ham (3 and 3 rows)", "train words.lanes --memory 100MB --positive ham": "ham against spam (3 and 3 rows)",
		"train colours.lanes --positive red --memory 100MB": "red against the rest", "convert words.lanes -": "spam 1:1 3:0.5\n",
		"predict --labels --model m words.lanes": "spam\nham\nspam\n",
	} {
		if got := done(line).out; !strings.Contains(got, says) {
			t.Errorf("lanes %s does not say %q: %s", line, says, got)
		}
	}
	write("other", "spam 1:1\neggs 2:1\n")
	for line, says := range map[string]string{
		"eval --model m other": "row 2: the label eggs is not among", "eval --model m numbers": "labels are numbers", "train colours": "blue, green, red", "train words --positive eggs": "no row has the label eggs",
	} {
		if o := inside(strings.Fields(line)...); o.status != exitData || !strings.Contains(o.stderr, says) {
			t.Errorf("lanes %s: exit status %d, %s", line, o.status, o.stderr)
		}
	}
}

// TestZeroBased: the model knows where the indices of its training began.
func TestZeroBased(t *testing.T) {
	t.Chdir(t.TempDir())
	zero := strings.NewReplacer("1:", "0:", "2:", "1:", "3:", "2:").Replace(tiny)
	for name, text := range map[string]string{"one": tiny, "zero": zero} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	scores := make(map[string]string)
	for _, line := range []string{"train one --model one.model", "train zero --zero-based --model zero.model", "convert zero --zero-based back"} {
		if o := inside(strings.Fields(line)...); o.status != exitDone {
			t.Fatalf("lanes %s: %s", line, o.stderr)
		}
	}
	for _, line := range []string{"one.model one", "zero.model zero", "one.model --zero-based zero", "zero.model --zero-based=false one", "one.model back"} {
		o := inside(append([]string{"predict", "--model"}, strings.Fields(line)...)...)
		if scores[o.out] = line; o.status != exitDone || strings.Contains(o.stderr, "as the flag says") != strings.Contains(line, "--zero") {
			t.Errorf("lanes predict --model %s: %s", line, o.stderr)
		}
	}
	if len(scores) != 1 {
		t.Errorf("other scores: %v", scores)
	}
	if o := inside("train", "zero"); o.status != exitData || !strings.Contains(o.stderr, "--zero-based") {
		t.Errorf("index 0: exit status %d, %s", o.status, o.stderr)
	}
	if o := inside("convert", "one", "one.lanes"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	if o := inside("train", "one.lanes", "--zero-based"); o.status != exitUsage {
		t.Errorf("a cache: exit status %d, %s", o.status, o.stderr)
	}
}

func TestModelInfo(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"tiny": tiny, "foreign": "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.5 \n0 \n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"train tiny --normalize minmax --model m", "train tiny --solver adap --hidden 2 --epochs 3 --model net"} {
		if o := inside(strings.Fields(line)...); o.status != exitDone {
			t.Fatal(o.stderr)
		}
	}
	for name, says := range map[string][]string{
		"m":       {"linear model", "1 (above 0) against -1", "3, bias 0", "newton", "logistic, lambda 0.25", "4 rows", "minmax", "lanes predict m DATA"},
		"net":     {"perceptron 3-2-1 tanh", "adap"},
		"foreign": {"L2R_LR", "2, 1 of them non-zero", "no metadata", "liblinear-predict DATA foreign OUT"},
	} {
		o := inside("info", name)
		for _, part := range says {
			if o.status != exitDone || !strings.Contains(o.out, part) {
				t.Errorf("%s does not say %q: %s%s", name, part, o.out, o.stderr)
			}
		}
		v := object(t, inside("info", name, "--json").out)
		if hash, is := v["weights_sha256"].(string); !is || len(hash) != 64 || (v["meta"] == nil) != (name == "foreign") {
			t.Errorf("%s: %v", name, v)
		}
	}
	damaged := strings.Replace(read(t, "m"), `"normalize":"minmax"`, `"normalize":"unit"`, 1)
	if err := os.WriteFile(filepath.Join(".", "bad"), []byte(damaged), 0o666); err != nil {
		t.Fatal(err)
	}
	if o := inside("info", "bad"); o.status != exitData {
		t.Errorf("damaged: exit status %d", o.status)
	}
}
