package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/model"
)

var trainFields = []string{"solver", "loss", "lambda", "n", "d", "nnz", "positives", "objective", "gradient_norm", "duality_gap",
	"passes", "gradient_evaluations", "iterations", "load_seconds", "train_seconds", "peak_rss_bytes", "cpu_path", "workers",
	"seed", "status", "weights_sha256", "metrics"}

func TestTrainJSON(t *testing.T) {
	t.Parallel()
	o := lanes(t, "train", "--json", "--generate", small, "--epochs", "3", "--quiet")
	if o.status != exitDone || o.stderr != "" {
		t.Fatalf("exit status %d, %q", o.status, o.stderr)
	}
	v := object(t, o.out)
	for _, name := range trainFields {
		if _, found := v[name]; !found {
			t.Errorf("%s is missing", name)
		}
	}
	if v["n"] != 2000.0 || v["lambda"] != 1.0/2000 || v["seed"] != 1.0 || v["status"] != "budget reached" || len(v["weights_sha256"].(string)) != 64 {
		t.Errorf("%v", v)
	}
	if rss := v["peak_rss_bytes"]; runtime.GOOS == "linux" && (rss == nil || rss.(float64) < 1<<20) {
		t.Errorf("peak_rss_bytes %v", rss)
	}
	v = object(t, succeed(t, "train", "--json", "--generate", small, "--lambda", "0", "--epochs", "3"))
	if gap, found := v["duality_gap"]; !found || gap != nil {
		t.Errorf("a gap without a regulariser: %v", gap)
	}
	v = object(t, succeed(t, "train", "--json", "--generate", small, "--C", "4"))
	if v["lambda"] != 1.0/(4*2000) {
		t.Errorf("lambda %v", v["lambda"])
	}
	for name := range object(t, succeed(t, "train", "--json", "--generate", "onehot:n=100", "--path", "--lambdas", "1:0.1:2", "--cv", "2", "--metric", "auc")) {
		if name != strings.ToLower(name) {
			t.Errorf("a field is called %s", name)
		}
	}
}

func hash(t *testing.T, env []string, args ...string) string {
	t.Helper()
	o := invocation{args: append([]string{"train", "--json", "--quiet"}, args...), env: env}.run(t)
	if o.status != exitDone {
		t.Fatalf("lanes train %v: exit status %d: %s", args, o.status, o.stderr)
	}
	return object(t, o.out)["weights_sha256"].(string)
}

func TestSameBits(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ai-sarah", "sarah+", "svrg", "adam"} {
		args := []string{"--solver", name, "--generate", "text:n=1200,d=2000", "--epochs", "6", "--normalize", "unit", "--bias"}
		want := hash(t, nil, append(args, "--workers", "1")...)
		if got := hash(t, nil, append(args, "--workers", "2")...); got != want {
			t.Errorf("%s: another hash with 2 workers", name)
		}
		for _, path := range dispatch.Paths() {
			if path.Available {
				if got := hash(t, []string{"LANES_CPU=" + path.Name}, args...); got != want {
					t.Errorf("%s: another hash on %s", name, path.Name)
				}
			}
		}
		if got := hash(t, nil, append(args, "--seed", "2")...); got == want {
			t.Errorf("%s: the seed changes nothing", name)
		}
	}
}

func appears(t *testing.T, path string) {
	t.Helper()
	for range 3000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not appear", path)
}

func TestKillAndResume(t *testing.T) {
	t.Parallel()
	args := []string{"--solver", "ai-sarah", "--generate", "onehot:n=20000", "--epochs", "400", "--lambda", "1e-9"}
	want := hash(t, nil, args...)
	saved := filepath.Join(t.TempDir(), "run")
	cmd := invocation{args: append([]string{"train", "--quiet", "--checkpoint", saved, "--checkpoint-every", "2ms"}, args...)}.command()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, saved)
	cmd.Process.Kill()
	cmd.Wait()
	if cmd.ProcessState.Success() {
		t.Log("the run was over before it was killed")
	}
	if got := hash(t, nil, append(args, "--resume", saved)...); got != want {
		t.Error("the resumed run ended in other weights")
	}
	o := lanes(t, append([]string{"train", "--resume", saved, "--seed", "2"}, args...)...)
	if o.status != exitData || !strings.Contains(o.stderr, "another run") {
		t.Errorf("resumed with another seed: exit status %d: %s", o.status, o.stderr)
	}
	if err := os.Truncate(saved, 1000); err != nil {
		t.Fatal(err)
	}
	o = lanes(t, append([]string{"train", "--resume", saved}, args...)...)
	if o.status != exitData || !strings.Contains(o.stderr, "damaged") {
		t.Errorf("resumed from a cut file: exit status %d: %s", o.status, o.stderr)
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // a child would ignore it as well
		ends = append(ends, syscall.SIGHUP)
	}
	for _, end := range ends {
		dir := t.TempDir()
		saved, path, messages := filepath.Join(dir, "run"), filepath.Join(dir, "model"), filepath.Join(dir, "messages")
		stderr, err := os.Create(messages)
		if err != nil {
			t.Fatal(err)
		}
		defer stderr.Close()
		cmd := invocation{args: []string{"train", "--generate", "onehot:n=20000", "--solver", "adam", "--time", "60s", "--model", path,
			"--checkpoint", saved, "--checkpoint-every", "5ms"}}.command()
		cmd.Stderr = stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		appears(t, saved)
		cmd.Process.Signal(end)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != exitRun || !strings.Contains(read(t, messages), "interrupted after") {
			t.Errorf("%v: exit status %d: %s", end, status, read(t, messages))
		}
		m, err := model.ReadFile(path)
		if err != nil || m.About().Meta.Status != "cancelled" {
			t.Errorf("%v: the model: %v", end, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 3 {
			t.Errorf("%v: files are left: %v", end, left)
		}
	}
}

// TestNohup: who has SIGHUP ignored wants the run to outlive the terminal.
func TestNohup(t *testing.T) {
	t.Parallel()
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	saved, path := filepath.Join(dir, "run"), filepath.Join(dir, "model")
	cmd := invocation{args: []string{"train", "--generate", "onehot:n=20000", "--solver", "adam", "--epochs", "40", "--model", path,
		"--checkpoint", saved, "--checkpoint-every", "5ms"}}.command()
	cmd.Path, cmd.Args = nohup, append([]string{nohup}, cmd.Args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, saved)
	cmd.Process.Signal(syscall.SIGHUP)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if m, err := model.ReadFile(path); err != nil || m.About().Meta.Status != "budget reached" {
		t.Errorf("the model: %v", err)
	}
}

// TestCheckpointIsKept: one run has a checkpoint, and none replaces another's unasked.
func TestCheckpointIsKept(t *testing.T) {
	t.Parallel()
	saved := filepath.Join(t.TempDir(), "run")
	args := []string{"train", "--generate", "onehot:n=20000", "--solver", "adam", "--epochs", "1e6", "--checkpoint", saved, "--checkpoint-every", "5ms"}
	cmd := invocation{args: args}.command()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, saved)
	if o := lanes(t, append(args, "--force")...); o.status != exitRun || !strings.Contains(o.stderr, "another run") {
		t.Errorf("beside a run that is alive: exit status %d: %s", o.status, o.stderr)
	}
	cmd.Process.Kill()
	cmd.Wait()
	before := read(t, saved)
	if o := lanes(t, args...); o.status != exitUsage || !strings.Contains(o.stderr, "--resume "+saved) || !strings.Contains(o.stderr, "--force") {
		t.Errorf("over a checkpoint: exit status %d: %s", o.status, o.stderr)
	}
	if read(t, saved) != before {
		t.Error("the checkpoint was replaced")
	}
	short := []string{"train", "--generate", "onehot:n=20000", "--solver", "adam", "--epochs", "1", "--checkpoint", saved}
	succeed(t, append(short, "--resume", saved)...)
	if succeed(t, append(short, "--force")...); read(t, saved) == before {
		t.Error("the checkpoint was not replaced by --force")
	}
}

func TestInterruptWhileLoading(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	in, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	cmd := invocation{args: []string{"train", "-", "--json"}, stdin: in}.command()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	// A write that is taken from the full pipe shows that loading has begun.
	if _, err := pipe.WriteString(strings.Repeat(tiny, 1<<15)); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitRun {
		t.Errorf("exit status %d", status)
	}
}

func TestDivergence(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "model")
	o := lanes(t, "train", "--json", "--generate", small, "--loss", "squared", "--solver", "svrg", "--set", "step=1e9", "--lambda", "0", "--epochs", "20", "--model", path)
	if o.status != exitRun || !strings.Contains(o.stderr, "diverged") || object(t, o.out)["status"] != "diverged" {
		t.Errorf("exit status %d: %s%s", o.status, o.stderr, o.out)
	}
	if m, err := model.ReadFile(path); err != nil || m.About().Meta.Status != "diverged" {
		t.Errorf("the model: %v", err)
	}
}

func TestTraceAndPlot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trace, png, svg := filepath.Join(dir, "t.csv"), filepath.Join(dir, "p.png"), filepath.Join(dir, "p.svg")
	v := object(t, succeed(t, "train", "--json", "--generate", small, "--epochs", "8", "--record-every", "1", "--trace", trace, "--plot", png, "--lambda", "0"))
	rows, err := csv.NewReader(strings.NewReader(read(t, trace))).ReadAll()
	if err != nil || len(rows) < 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if want := []string{"passes", "gradient_evaluations", "seconds", "objective", "objective_error", "gradient_norm", "duality_gap", "metric"}; !slices.Equal(rows[0], want) {
		t.Errorf("head %v", rows[0])
	}
	last := rows[len(rows)-1]
	if objective, err := strconv.ParseFloat(last[3], 64); err != nil || objective < v["objective"].(float64) || last[6] != "" {
		t.Errorf("last row %v, objective %v", last, v["objective"])
	}
	succeed(t, "train", "--generate", small, "--epochs", "4", "--plot", svg)
	if !strings.HasPrefix(read(t, png), "\x89PNG") || !strings.Contains(read(t, svg), "<svg") {
		t.Error("the plots are no pictures")
	}
}

func TestValidation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	train, valid := filepath.Join(dir, "train"), filepath.Join(dir, "valid")
	succeed(t, "convert", "--generate", "imbalanced:n=3000,seed=3", train)
	succeed(t, "convert", "--generate", "imbalanced:n=3000,seed=3", valid+".lanes")
	for _, metric := range []string{"logloss", "ap", "auc", "accuracy", "pauc:0,0.3"} {
		v := object(t, succeed(t, "train", train, "--json", "--valid", valid+".lanes", "--metric", metric, "--patience", "2", "--epochs", "3000", "--normalize", "minmax", "--bias"))
		if _, found := v["metrics"].(map[string]any)["valid_"+metric]; !found {
			t.Errorf("%s: %v", metric, v["metrics"])
		}
		if other := map[string]string{"logloss": "log_loss", "ap": "auprc", "auc": "roc_auc"}[metric]; other != "" {
			args := []string{"train", train, "--json", "--valid", valid + ".lanes", "--patience", "2", "--epochs", "3000", "--normalize", "minmax", "--bias", "--metric", other}
			same := object(t, succeed(t, args...))
			if same["metrics"].(map[string]any)["valid_"+metric] != v["metrics"].(map[string]any)["valid_"+metric] {
				t.Errorf("%s: %v, %s: %v", other, same["metrics"], metric, v["metrics"])
			}
		}
	}
	if o := lanes(t, "train", train, "--valid", file(t, "v", "3 1:1\n")); o.status != exitData || !strings.Contains(o.stderr, "label 3") {
		t.Errorf("another label: exit status %d: %s", o.status, o.stderr)
	}
}

func TestRegression(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%v 1:%v 2:%v\n", 3*math.Sin(float64(i))+0.5*float64(i%7), math.Sin(float64(i)), float64(i%7))
	}
	path := file(t, "targets", text.String())
	model := filepath.Join(t.TempDir(), "model")
	for _, loss := range []string{"squared", "huber"} {
		v := object(t, succeed(t, "train", path, "--json", "--loss", loss, "--lambda", "1e-9", "--grad", "1e-9", "--model", model))
		if v["positives"] != nil || v["metrics"].(map[string]any)["train_mse"].(float64) > 1e-12 {
			t.Errorf("%s: %v", loss, v)
		}
		if mse := object(t, succeed(t, "eval", "--json", "--model", model, path))["mse"].(float64); mse > 1e-12 {
			t.Errorf("%s: eval gives a mean square of %v", loss, mse)
		}
	}
	for flags, noted := range map[string]bool{"--loss squared": true, "--loss huber --path": true, "--loss squared --bias": false, "--loss squared --intercept": false, "--loss squared --quiet": false} {
		o := lanes(t, append([]string{"train", path}, strings.Fields(flags)...)...)
		if o.status != exitDone || strings.Contains(o.stderr, "no intercept") != noted {
			t.Errorf("%s: exit status %d, %s", flags, o.status, o.stderr)
		}
	}
	if o := lanes(t, "train", file(t, "classes", tiny), "--loss", "squared"); o.status != exitDone || strings.Contains(o.stderr, "no intercept") {
		t.Errorf("two classes: exit status %d, %s", o.status, o.stderr)
	}
}

func TestLabelsAndWeights(t *testing.T) {
	t.Parallel()
	shape := "imbalanced:n=2000"
	plain := object(t, succeed(t, "train", "--json", "--generate", shape))
	swapped := object(t, succeed(t, "train", "--json", "--generate", shape, "--positive", "-1"))
	if plain["positives"].(float64)+swapped["positives"].(float64) != 2000 {
		t.Errorf("positives %v and %v", plain["positives"], swapped["positives"])
	}
	for _, weight := range []string{"balanced", "5:1"} {
		if v := object(t, succeed(t, "train", "--json", "--generate", shape, "--class-weight", weight)); v["objective"] == plain["objective"] {
			t.Errorf("--class-weight %s changes nothing", weight)
		}
	}
	three := file(t, "three", strings.Repeat("1 1:1\n2 2:1\n3 3:1\n", 5))
	model := filepath.Join(t.TempDir(), "model")
	v := object(t, succeed(t, "train", three, "--json", "--positive", "2", "--model", model))
	if v["positives"] != 5.0 || !strings.Contains(v["labels"].(string), "2 against the rest") {
		t.Errorf("%v", v)
	}
	if v := object(t, succeed(t, "eval", three, "--json", "--model", model)); v["accuracy"].(float64) < 0.6 || v["positives"] != 5.0 {
		t.Errorf("%v", v)
	}
}

// A checkpoint that is a pipe is refused at once, by the name of the flag: to read it may take
// for ever. A link to a checkpoint that is not there yet stays a link.
func TestCheckpointsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, link, saved := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "saved")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	for _, path := range []string{pipe, dir} {
		if o := lanes(t, "train", "--generate", "onehot:n=50", "--resume", path); o.status != exitUsage || !strings.Contains(o.stderr, "--resume "+path+": it is not a regular file") {
			t.Errorf("exit status %d: %s", o.status, o.stderr)
		}
	}
	if err := os.Symlink("saved", link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	succeed(t, "train", "--generate", "onehot:n=50", "--epochs", "1", "--gap", "1e-14", "--checkpoint", link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	succeed(t, "train", "--generate", "onehot:n=50", "--epochs", "2", "--gap", "1e-14", "--resume", saved)
}
