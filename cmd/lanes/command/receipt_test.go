package command

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
)

// TestEverySettingIsInTheReceipt: every flag of train is in the receipt, or in the list of
// flags that change no weights.
func TestEverySettingIsInTheReceipt(t *testing.T) {
	t.Parallel()
	elsewhere := strings.Fields("json quiet strict max-columns workers help list max-memory memory model trace receipt plot html checkpoint checkpoint-every force resume valid initial names sparse-model full inference covariance level coefficients " +
		"recipe target number category text times ignore weight offset exposure id group cross hash scale bins spline monotone min-count min-df ngrams counts missing decimal thousands") // which the recipe in the receipt says
	settings := settingsOf(t)
	found := 0
	eachFlag(func(command string, flag *cli.Flag) {
		if command != "train" {
			return
		}
		found++
		if slices.Contains(settings, flag.Name) == slices.Contains(elsewhere, flag.Name) {
			t.Errorf("--%s needs Setting if the weights can depend on it, and else a place in the list of this test", flag.Name)
		}
	})
	if want := len(settings) + len(elsewhere); found != want {
		t.Errorf("train has %d flags, the lists have %d", found, want)
	}
}

// settingsOf lists the settings in a receipt by their names.
func settingsOf(t *testing.T) (names []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r")
	if o := inside("train", "--quiet", "--generate", "onehot:n=50", "--solver", "svrg", "--set", "step=0.1", "--epochs", "1", "--receipt", path); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	r := object(t, read(t, path))
	for _, setting := range slices.Concat(r["flags"].([]any), r["defaults"].([]any)) {
		name, _, _ := strings.Cut(setting.(string), "=")
		names = append(names, name)
	}
	return names
}

// rowsOf writes the text of generated rows, with labels by f.
func rowsOf(t *testing.T, name, spec string, f func(i int, line string) string) {
	t.Helper()
	if o := inside("convert", "--generate", spec, "--to", "libsvm", "--quiet", name); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	lines := strings.Split(strings.TrimSpace(read(t, name)), "\n")
	for i, line := range lines {
		lines[i] = f(i, line)
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// relabel gives the rows of a text other labels.
func relabel(labels ...string) func(int, string) string {
	return func(i int, line string) string {
		label, rest, _ := strings.Cut(line, " ")
		if len(labels) == 2 {
			return labels[strings.Count(label, "-")] + " " + rest
		}
		return labels[i%len(labels)] + " " + rest
	}
}

// TestReceiptOfEverySolver repeats a run of every solver.
func TestReceiptOfEverySolver(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range fitting.SolverNames() {
		train := []string{"train", "--generate", "onehot:n=200", "--seed", "4", "--solver", name, "--epochs", "3", "--quiet", "--receipt", "r.json"}
		if o := inside(train...); o.status != exitDone {
			t.Errorf("%s: exit status %d: %s", name, o.status, o.stderr)
		}
		o := inside("verify", "--json", "--quiet", "--workers", "1", "r.json")
		if v := object(t, o.out); o.status != exitDone || v["same_bits"] != true || o.stderr != "" {
			t.Errorf("%s: exit status %d: %s%s", name, o.status, o.out, o.stderr)
		}
	}
}

// TestReceiptOfEverySetting repeats runs of all kinds.
func TestReceiptOfEverySetting(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=150,d=300,seed=5", relabel("1", "-1"))
	rowsOf(t, "words", "text:n=150,d=300,seed=6", relabel("spam", "ham"))
	rowsOf(t, "three", "text:n=150,d=100,seed=7", relabel("3", "1", "2"))
	rowsOf(t, "targets", "text:n=150,d=100,seed=8", relabel("0.5", "3", "-1", "2.25"))
	rowsOf(t, "twice", "text:n=150,d=100,seed=9", func(i int, line string) string { return line + " 3:0.1 2:0.7 3:1e-9" })
	rowsOf(t, "zero", "text:n=150,d=100,seed=10", func(i int, line string) string {
		label, rest, _ := strings.Cut(line, " ")
		return label + " 0:1.5 " + rest
	})
	for name, text := range map[string]string{"factors": "1,0\n3*\t2\n", "bounds": "1,-0.1,inf\n3*\t0\t2\n", "labels": strings.Repeat("spam\nham\nham\n", 50), "t.csv": "a,b,y\n" + strings.Repeat("1,2,u\n2,1,v\n3,2,v\n1.5,7,u\n", 10)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tried := map[string]bool{}
	for _, c := range []struct{ train, verify string }{
		{"", ""},
		{"rows --labels labels", "--labels labels rows"},
		{"rows --holdout 0.3", "rows"},
		{"t.csv --target y --holdout-by a", "t.csv"},
		{"--generate onehot --seed 3 --lambda 0 --epochs 5 --record-every 0.5", ""},
		{"rows --solver svrg --set step=1/8 --batch 7 --epochs 4 --normalize unit --bias --loss squared-hinge --C 3", "rows"},
		{"rows --normalize minmax --class-weight 3:1 --grad 1e-4 --float32", "rows"},
		{"rows --solver adap --hidden 5,3 --activation relu --epochs 3", "rows"},
		{"rows --solver adap --epochs 3 --valid rows --patience 2", "--valid rows rows"},
		{"rows --solver agd-sbcd --fpr 0,0.3 --tpr 0.4 --epochs 3 --valid rows", "--valid rows rows"},
		{"rows --solver sorr-agd --range 0.1,0.7 --epochs 3", "rows"},
		{"rows --solver prox-dca --paper --set outer=2", "rows"},
		{"rows --solver svm-pauc-tight --fpr 0.1,0.5 --gap 1e-2", "rows"},
		{"rows --valid rows --metric ap --solver adam --epochs 9", "--valid rows rows"},
		{"words --positive ham --class-weight balanced --time 1h", "words"},
		{"three --multiclass --class-weight balanced --gap 1e-3", "three"},
		{"three --multiclass=softmax --gap 1e-3", "three"},
		{"three --multiclass=softmax --intercept --class-weight balanced", "three"},
		{"three --positive 2 --path --lambdas 0.1:1e-3:4 --valid three --metric auc", "--valid three three"},
		{"rows --path --cv 3 --one-se --metric accuracy --normalize std", "rows"},
		{"targets --loss huber --huber 0.5 --cv 2 --normalize std", "targets"},
		{"rows --for logloss --cv 3", "rows"},
		{"rows --l1 1e-3 --intercept", "rows"},
		{"rows --l1 1e-3 --l1-groups 1-3,5+7", "rows"},
		{"rows --l1 1e-3 --penalty 1=0,3*=2", "rows"},
		{"rows --l1 1e-3 --penalties factors", "rows"},
		{"rows --nonnegative 1,3*", "rows"},
		{"rows --l1 1e-3 --bounds bounds", "rows"},
		{"rows --path --sparse --lambdas 0.02:1e-3:4", "rows"},
		{"twice --merge", "twice"},
		{"rows --shards 4 --tol 1e-7", "rows"},
		{"zero --zero-based", "zero"},
		{"rows --loss squared-hinge --calibrate sigmoid", "rows"},
	} {
		for f := range strings.FieldsSeq(c.train) {
			if name, is := strings.CutPrefix(f, "--"); is {
				tried[name] = true
			}
		}
		train := strings.Fields("train --json --quiet --receipt r.json " + c.train)
		o := inside(train...)
		if o.status != exitDone {
			t.Errorf("%v: exit status %d: %s", train, o.status, o.stderr)
			continue
		}
		v, r := object(t, o.out), object(t, read(t, "r.json"))
		result := r["result"].(map[string]any)
		if r["repeatable"] != true || result["weights_sha256"] != v["weights_sha256"] || result["objective"] != v["objective"] || result["duality_gap"] != v["duality_gap"] || result["passes"] != v["passes"] || result["status"] != v["status"] {
			t.Errorf("%v: the run was %s, its receipt says %v", train, o.out, r)
		}
		o = inside(strings.Fields("verify --quiet --workers 1 r.json " + c.verify)...)
		if o.status != exitDone || !strings.Contains(o.out, "same bits       yes") {
			t.Errorf("%v: exit status %d: %s%s", train, o.status, o.out, o.stderr)
		}
	}
	for _, name := range settingsOf(t) {
		if !tried[name] && !slices.Contains(input.ReadFlags, name) { // which TestTableReceipt tries
			t.Errorf("--%s was not tried", name)
		}
	}
}

// TestReceiptOnEveryPath repeats a run on all CPU paths that run here.
func TestReceiptOnEveryPath(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "train", "--quiet", "--generate", "text:n=300,d=500", "--solver", "ai-sarah", "--epochs", "4", "--receipt", "r.json")
	for _, path := range dispatch.Paths() {
		if !path.Available {
			continue
		}
		o := invocation{args: []string{"verify", "--json", "r.json"}, env: []string{"LANES_CPU=" + path.Name}}.run(t)
		v := object(t, o.out)
		if o.status != exitDone || v["same_bits"] != true || len(v["differences"].([]any)) != 0 {
			t.Errorf("%s: exit status %d: %s%s", path.Name, o.status, o.out, o.stderr)
		}
		if told := strings.Contains(o.out, "cpu_path"); told != (path.Name != dispatch.Current()) {
			t.Errorf("%s: that the path is another is not told: %s", path.Name, o.out)
		}
	}
}

// TestOtherData: data are the same or not by their rows, whatever the file.
func TestOtherData(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "1 1:1 3:0.5\n-1 2:2\n1 1:0.25 2:-1\n-1 3:-1\n"
	files := map[string]string{
		"tiny": text, "spaced": "+1 1:1.0 3:.5\n-1 2:2\n1 1:25e-2 2:-1\n-1  3:-1\n\n",
		"byte": strings.Replace(text, "0.25", "0.26", 1), "label": strings.Replace(text, "-1 2:2", "1 2:2", 1), "label2": strings.Replace(text, "-1 3", "-2 3", 1),
		"order": "-1 2:2\n1 1:1 3:0.5\n1 1:0.25 2:-1\n-1 3:-1\n", "short": "1 1:1 3:0.5\n-1 2:2\n", "wide": strings.Replace(text, "3:-1", "4:-1", 1), "broken": "1 1:x\n",
		"zero": "1 0:1 2:0.5\n-1 1:2\n1 0:0.25 1:-1\n-1 2:-1\n",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"convert", "tiny", "t.cache"}, {"convert", "tiny", "tiny.zst"}, {"convert", "zero", "--zero-based", "z.cache"}, {"train", "zero", "--zero-based", "--receipt", "rz"}, {"train", "tiny", "--receipt", "r"}, {"train", "t.cache", "--receipt", "rc"}, {"train", "tiny", "--valid", "tiny", "--receipt", "rv"}, {"train", "tiny", "--valid", "short", "--receipt", "rs"}} {
		if o := inside(append(args, "--quiet")...); o.status != exitDone {
			t.Fatal(o.stderr)
		}
	}
	for line, want := range map[string]int{
		"r tiny": 0, "r spaced": 0, "r t.cache": 0, "r tiny.zst": 0, "rc tiny": 0, "rc --merge --float32 spaced": 0,
		"rz zero": 0, "rz z.cache": 0, "r z.cache": 0, "r --zero-based zero": 0, "rz --zero-based=false tiny": 0,
		"r zero": 3, "rz tiny": 3, "r byte": 3, "r label": 3, "r label2": 3, "r order": 3, "r short": 3, "r wide": 3, "r broken": 3, "r absent": 3, "rc byte": 3, "absent tiny": 3, "tiny tiny": 3, ". tiny": 3,
		"rv --valid tiny tiny": 0, "rv --valid t.cache spaced": 0, "rv --valid byte tiny": 3, "rv --valid tiny byte": 3, "rv --valid absent tiny": 3, "rs --valid short tiny": 0, "rs --valid tiny tiny": 3, "rv tiny": 2, "r --valid tiny tiny": 2,
		"r": 2, "r tiny tiny": 2, "": 2, "r --seed 2 tiny": 2, "r --max-memory x tiny": 2, "r --max-memory 1B tiny": 3,
	} {
		o := inside(append([]string{"verify", "--quiet", "--json"}, strings.Fields(line)...)...)
		if v := object(t, o.out); o.status != want || (v["same_bits"] == true) != (want == 0) {
			t.Errorf("verify %s: exit status %d, want %d: %s%s", line, o.status, want, o.out, o.stderr)
		}
	}
}

// edited writes a receipt after a change, with the checksum that fits, and returns its name.
func edited(t *testing.T, r string, edit func(r map[string]any)) string {
	t.Helper()
	v := object(t, r)
	edit(v)
	return file(t, "edited", seal(t, v))
}

// seal returns a receipt with the checksum that fits: of its JSON where it is empty.
func seal(t *testing.T, v map[string]any) string {
	t.Helper()
	v = maps.Clone(v)
	delete(v, "sha256")
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	begun := strings.TrimSuffix(string(text), "}") + `,"sha256":"`
	return fmt.Sprintf(`%s%x"}`, begun, sha256.Sum256([]byte(begun+`"}`)))
}

// TestEveryFieldOfAReceipt edits the fields of receipts one at a time. The checksum tells of
// each; with a checksum that fits, the repeated run tells of all that a run computes.
func TestEveryFieldOfAReceipt(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=60,d=30,seed=5", relabel("1", "-1"))
	succeed(t, "train", "--quiet", "--epochs", "1", "--solver", "svrg", "--model", "start", "rows")
	// Circumstances do not matter to the bits, a default may have no effect, and all
	// candidates of a search are compared like the first one.
	free := regexp.MustCompile(`^/(sha256|by/|(data|valid|initial)/name|defaults/|for/tried/(0/seconds|[1-9]))`)
	for _, c := range []struct{ train, verify string }{
		{"--solver svrg --epochs 3 --initial start --valid rows --metric ap rows", "verify --quiet --initial start --valid rows edited rows"},
		{"--for ap --cv 2 rows", "verify --quiet edited rows"},
	} {
		succeed(t, strings.Fields("train --quiet --receipt r "+c.train)...)
		r, count := object(t, read(t, "r")), 0
		eachLeaf(r, "", func(path string) {
			count++
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, sealed := range []bool{false, true} {
				if sealed && free.MatchString(path) {
					continue
				}
				if sealed {
					text = []byte(seal(t, r))
				}
				if err := os.WriteFile("edited", text, 0o666); err != nil {
					t.Fatal(err)
				}
				o := inside(strings.Fields(c.verify)...)
				if o.status == exitDone || !sealed && o.status != exitData {
					t.Errorf("%s edited, with a checksum that fits %v: exit status %d: %s%s", path, sealed, o.status, o.out, o.stderr)
				}
			}
		})
		if count < 70 {
			t.Errorf("%s: %d fields", c.train, count)
		}
	}
}

// eachLeaf gives each number, text and truth value of JSON another value while it calls use
// with its path.
func eachLeaf(of any, path string, use func(path string)) {
	try := func(name string, v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any, []any:
			eachLeaf(v, path+"/"+name, use)
			return
		case string:
			set(v + "0")
		case bool:
			set(!v)
		case float64:
			set(v + 1)
		case nil:
			set(1.0)
		}
		use(path + "/" + name)
		set(v)
	}
	switch of := of.(type) {
	case map[string]any:
		for name, v := range of {
			try(name, v, func(v any) { of[name] = v })
		}
	case []any:
		for k, v := range of {
			try(strconv.Itoa(k), v, func(v any) { of[k] = v })
		}
	}
}

// TestChangedReceipts: what a receipt says wrongly shows, and what cannot be is refused.
func TestChangedReceipts(t *testing.T) {
	t.Chdir(t.TempDir())
	if o := inside("train", "--quiet", "--generate", "onehot:n=100", "--solver", "svrg", "--epochs", "3", "--set", "step=0.1", "--receipt", "r"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	good := read(t, "r")
	part := func(name, field string, value any) func(map[string]any) {
		return func(r map[string]any) { r[name].(map[string]any)[field] = value }
	}
	setting := func(from, to string) func(map[string]any) {
		return func(r map[string]any) {
			changed := 0
			for _, list := range []string{"flags", "defaults"} {
				for k, s := range r[list].([]any) {
					if s == from {
						r[list].([]any)[k], changed = to, changed+1
					}
				}
			}
			if changed != 1 {
				t.Errorf("%q was changed %d times", from, changed)
			}
		}
	}
	add := func(list string, setting any) func(map[string]any) {
		return func(r map[string]any) { r[list] = append(r[list].([]any), setting) }
	}
	zeros := strings.Repeat("0", 64)
	for _, c := range []struct {
		what   string
		status int
		says   string
		edit   func(map[string]any)
	}{
		{"nothing", 0, "yes", func(map[string]any) {}},
		{"version", 0, `"v0"`, part("by", "version", "v0")},
		{"cpu path", 0, `"neon2"`, part("by", "cpu_path", "neon2")},
		{"workers", 0, `"77"`, part("by", "workers", 77)},
		{"weights", 1, "weights_sha256 differ", part("result", "weights_sha256", zeros)},
		{"objective", 1, "objective differ", part("result", "objective", 0.5)},
		{"no objective", 1, "objective differ", part("result", "objective", nil)},
		{"gap", 1, "duality_gap differ", part("result", "duality_gap", 0)},
		{"gradient norm", 1, "gradient_norm differ", part("result", "gradient_norm", 1)},
		{"passes", 1, "passes differ", part("result", "passes", 3.25)},
		{"status", 1, "status differ", part("result", "status", "converged")},
		{"step", 1, "weights_sha256", setting("set=step=0.1", "set=step=0.2")},
		{"passes given", 1, "passes differ", setting("epochs=3", "epochs=4")},
		{"former name", 0, "same bits       yes", setting("epochs=3", "passes=3")},
		{"both names", 3, "twice", add("flags", "passes=3")},
		{"default seed", 1, "weights_sha256", setting("seed=1", "seed=2")},
		{"default batch", 1, "weights_sha256", setting("batch=64", "batch=32")},
		{"default loss", 1, "weights_sha256", setting("loss=logistic", "loss=squared")},
		{"default bias", 1, "weights_sha256", setting("bias=false", "bias=true")},
		{"generator", 3, "other data", setting("generate=onehot:n=100,d=123,seed=1", "generate=onehot:n=101,d=123,seed=1")},
		{"data", 3, "other data", part("data", "sha256", zeros)},
		{"no sum", 3, "no SHA-256", part("data", "sha256", "")},
		{"half a sum", 3, "no SHA-256", part("result", "weights_sha256", zeros[:62])},
		{"not repeatable", 3, "cannot be repeated", func(r map[string]any) { r["repeatable"], r["reason"] = false, "\x1b[2J" }},
		{"format", 3, "format 2", func(r map[string]any) { r["lanes_receipt"] = 2 }},
		{"no format", 3, "lanes_receipt is missing", func(r map[string]any) { delete(r, "lanes_receipt") }},
		{"more", 3, "unknown field", func(r map[string]any) { r["more"] = 1 }},
		{"more in a part", 3, "unknown field", part("result", "more", 1)},
		{"a number for a list", 3, "damaged", func(r map[string]any) { r["flags"] = 3 }},
		{"a number for a setting", 3, "damaged", add("flags", 3)},
		{"unknown setting", 3, "unknown to this version", add("flags", "nosuch=1")},
		{"an output", 3, "unknown to this version", add("flags", "model=stolen")},
		{"an input", 3, "unknown to this version", add("defaults", "resume=r")},
		{"a word", 3, "unknown to this version", add("flags", "train")},
		{"twice", 3, "twice", add("flags", "seed=1")},
		{"parameter twice", 3, "set twice", add("flags", "set=step=0.1")},
		{"idle", 3, "no effect", setting("huber=1", "huber=2")},
		{"no solver", 3, "unknown solver", setting("solver=svrg", "solver=nosuch")},
		{"portfolio", 3, "portfolio", setting("solver=svrg", "solver=scvrg")},
		{"not a number", 3, "cannot be used", setting("seed=1", "seed=-1")},
		{"NaN", 3, "cannot be used", setting("epochs=3", "epochs=NaN")},
		{"control", 3, "characters", setting("loss=logistic", "loss=\x1b[2J")},
		{"too large", 3, "cannot be used", setting("generate=onehot:n=100,d=123,seed=1", "generate=onehot:n=2147483647,d=2147483647,seed=1")},
		{"no generator", 2, "name it", setting("generate=onehot:n=100,d=123,seed=1", "generate=")},
	} {
		o := inside("verify", "--quiet", edited(t, good, c.edit))
		if o.status != c.status || !strings.Contains(o.out+o.stderr, c.says) || strings.Contains(o.out+o.stderr, "\x1b") {
			t.Errorf("%s: exit status %d, want %d and %q: %s%s", c.what, o.status, c.status, c.says, o.out, o.stderr)
		}
	}
	if o := inside("verify", "--quiet", "r", "r"); o.status != exitUsage {
		t.Errorf("DATA beside a generator: exit status %d: %s", o.status, o.stderr)
	}
	if o := inside("verify", "--quiet", "--merge", "r"); o.status != exitUsage {
		t.Errorf("--merge beside a generator: exit status %d: %s", o.status, o.stderr)
	}
	if left, _ := os.ReadDir("."); len(left) != 1 {
		t.Errorf("files are left: %v", left)
	}
}

// TestRunsThatCannotBeRepeated: their receipts say so, and verify refuses them.
func TestRunsThatCannotBeRepeated(t *testing.T) {
	t.Chdir(t.TempDir())
	refused := func(what, reason string) {
		t.Helper()
		r := object(t, read(t, "r"))
		if text, _ := r["reason"].(string); r["repeatable"] != false || !strings.Contains(text, reason) {
			t.Errorf("%s: %v, %v", what, r["repeatable"], r["reason"])
			return // it would be repeated
		}
		if o := inside("verify", "--quiet", "r"); o.status != exitData || !strings.Contains(o.stderr, reason) {
			t.Errorf("%s: exit status %d: %s", what, o.status, o.stderr)
		}
	}
	endless := []string{"train", "--quiet", "--generate", "onehot:n=200", "--solver", "svrg", "--lambda", "1e-9", "--receipt", "r"}
	lanes(t, append(endless, "--time", "300ms", "--grad", "1e-300", "--epochs", "1e12")...)
	refused("--time", "clock")

	cmd := invocation{args: append(endless, "--epochs", "1e12", "--checkpoint", "ckpt", "--checkpoint-every", "2ms")}.command()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, "ckpt")
	cmd.Process.Signal(syscall.SIGINT)
	if cmd.Wait(); cmd.ProcessState.ExitCode() != exitRun {
		t.Fatalf("interrupted: exit status %d", cmd.ProcessState.ExitCode())
	}
	refused("Ctrl-C", "interrupted")
	lanes(t, append(endless, "--epochs", "1", "--resume", "ckpt")...)
	refused("--resume", "resumed")
}

// TestRepeatedWithoutHurry: a run that had time enough may take longer where it is repeated.
func TestRepeatedWithoutHurry(t *testing.T) {
	t.Parallel()
	const rows = "1 1:1\n-1 2:2\n1 1:0.25 2:-1\n"
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	succeed(t, "train", "--quiet", "--time", "1s", "--receipt", r, file(t, "rows", rows))
	if object(t, read(t, r))["repeatable"] != true {
		t.Skip("the machine is too busy for three rows in a second")
	}
	in, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	go func() {
		defer pipe.Close()
		time.Sleep(1200 * time.Millisecond)
		io.WriteString(pipe, rows)
	}()
	if o := (invocation{args: []string{"verify", r, "-"}, stdin: in}).run(t); o.status != exitDone {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}

// TestReceiptOfAFailure: a run that diverged is repeated to the same end.
func TestReceiptOfAFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	o := inside("train", "--json", "--quiet", "--generate", "dense:n=200,d=20", "--loss", "squared", "--solver", "svrg", "--lambda", "1e-9", "--set", "step=1e8", "--epochs", "50", "--receipt", "r")
	if v := object(t, o.out); o.status != exitRun || v["status"] != solvers.Diverged.String() {
		t.Fatalf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	if o := inside("verify", "--quiet", "r"); o.status != exitDone {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}

// TestInterruptedVerification ends a repetition by Ctrl-C.
func TestInterruptedVerification(t *testing.T) {
	t.Chdir(t.TempDir())
	if o := inside("train", "--quiet", "--generate", "onehot:n=100", "--solver", "adam", "--epochs", "3", "--receipt", "r"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	// Adam's steps never become zero, so that the run has no end of its own.
	endless := edited(t, read(t, "r"), func(r map[string]any) {
		list := r["flags"].([]any)
		list[slices.Index(list, any("epochs=3"))] = "epochs=1e15"
	})
	cmd := invocation{args: []string{"verify", endless}}.command()
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	buffer := make([]byte, 1<<12)
	for !strings.Contains(text.String(), "rows") { // the note before the run
		n, err := told.Read(buffer)
		if err != nil {
			t.Fatalf("%v after %s", err, text.String())
		}
		text.Write(buffer[:n])
	}
	cmd.Process.Signal(os.Interrupt)
	for {
		n, err := told.Read(buffer)
		if text.Write(buffer[:n]); err != nil {
			break
		}
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != exitRun || !strings.Contains(text.String(), "interrupted") {
		t.Errorf("exit status %d: %s", cmd.ProcessState.ExitCode(), text.String())
	}
}

// TestReceiptIsWrittenWhole: a receipt that cannot be written fails before the run.
func TestReceiptIsWrittenWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"absent/r", "."} {
		if o := inside("train", "--generate", "onehot:n=100", "--receipt", path); o.status == exitDone || o.out != "" {
			t.Errorf("--receipt %s: exit status %d: %s", path, o.status, o.out)
		}
	}
	args := []string{"train", "--quiet", "--generate", "onehot:n=100", "--receipt"}
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, path := range []string{first, second} {
		if o := inside(append(args, path)...); o.status != exitDone {
			t.Fatal(o.stderr)
		}
	}
	if read(t, first) != read(t, second) {
		t.Error("two receipts of one run differ")
	}
}
