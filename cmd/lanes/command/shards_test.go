package command

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestTrainByShards: a run by shards has the same bits for any number of workers. It has other
// bits for another number of shards, and reports its number of shards.
func TestTrainByShards(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=400,d=60,seed=5", relabel("1", "-1"))
	want := hash(t, nil, "rows", "--solver", "newton", "--C", "1", "--gap", "1e-7", "--shards", "16")
	for _, args := range []string{"--solver newton --workers 1", "--workers 2", "--solver newton --workers 3"} {
		if got := hash(t, nil, append(strings.Fields(args), "rows", "--C", "1", "--gap", "1e-7", "--shards", "16")...); got != want {
			t.Errorf("%s: %s, not %s", args, got, want)
		}
	}
	for _, args := range []string{"--solver newton", "--shards 8", "--shards 1"} {
		if got := hash(t, nil, append(strings.Fields(args), "rows", "--C", "1", "--gap", "1e-7")...); got == want {
			t.Errorf("%s has the bits of 16 shards", args)
		}
	}
	v := object(t, succeed(t, "train", "--json", "--shards", "16", "rows"))
	if v["shards"] != 16.0 || v["solver"] != "newton" {
		t.Errorf("shards %v, solver %v", v["shards"], v["solver"])
	}
	if v := object(t, succeed(t, "train", "--json", "rows")); v["shards"] != nil {
		t.Errorf("shards %v where none were asked for", v["shards"])
	}
	o := inside("train", "rows", "--solver", "svrg", "--shards", "4")
	if o.status != exitUsage || !strings.Contains(o.stderr, "newton") {
		t.Errorf("exit status %d: %s", o.status, o.stderr)
	}
}

// streamRows writes a cache of rows and returns what a run on it has to be given.
func streamRows(t *testing.T, shape string) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	succeed(t, "convert", "--quiet", "--generate", shape, "x.lanes")
	return strings.Fields("train --json --quiet --solver newton --C 1 --gap 1e-7 --shards 16 x.lanes")
}

// TestTrainWithinMemory: a run whose rows stay in their file has the bits of a run in memory,
// whatever its limit. It takes at most the limit and 20 MB.
func TestTrainWithinMemory(t *testing.T) {
	shape := "text:n=2000,d=300"
	if !testing.Short() {
		shape = "text:n=90000,d=20000" // 68 MB
	}
	args := streamRows(t, shape)
	want := object(t, succeed(t, args...))
	for _, more := range []string{"--memory 40MB", "--memory 50MB --workers 1", "--memory 40MiB --solver auto --model m"} {
		o := invocation{args: append(args, strings.Fields(more)...)}.run(t)
		if o.status != exitDone || o.stderr != "" {
			t.Fatalf("%s: exit status %d: %s", more, o.status, o.stderr)
		}
		got := object(t, o.out)
		for _, field := range []string{"weights_sha256", "passes", "duality_gap", "n", "d", "nnz", "labels", "positives", "shards", "solver", "status", "lambda"} {
			if got[field] != want[field] {
				t.Errorf("%s: %s is %v, not %v", more, field, got[field], want[field])
			}
		}
		if a, b := got["metrics"].(map[string]any), want["metrics"].(map[string]any); a["train_accuracy"] != b["train_accuracy"] {
			t.Errorf("%s: accuracy %v, not %v", more, a, b)
		}
		if peak, is := got["peak_rss_bytes"].(float64); is && strings.HasPrefix(more, "--memory 40MB") && peak > 60e6 && !testing.Short() {
			t.Errorf("%s: the process took %.0f MB", more, peak/1e6)
		}
	}
	if out := succeed(t, "predict", "--quiet", "--model", "m", "x.lanes"); strings.Count(out, "\n") != int(want["n"].(float64)) {
		t.Error("the model does not predict")
	}
}

// All that may be asked for beside a limit of memory has the bits of memory.
func TestStreamedOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=600,d=80,seed=5", relabel("3", "1", "2"))
	succeed(t, "convert", "--quiet", "rows", "rows.lanes")
	for _, more := range []string{
		"--positive 3", "--positive 2 --class-weight balanced --bias", "--positive 1 --class-weight 3:1 --normalize unit", "--positive 1 --normalize minmax --bias", "--positive 2 --normalize std --bias",
		"--loss squared", "--loss huber --huber 0.5 --positive 2", "--positive 1 --lambda 0 --grad 1e-6", "--positive 3 --intercept --normalize unit",
	} {
		args := append(strings.Fields(more), "--shards", "8", "rows.lanes")
		if got, want := hash(t, nil, append(args, "--memory", "30MB")...), hash(t, nil, args...); got != want {
			t.Errorf("%s: %s, not %s", more, got, want)
		}
	}
	// The receipt names the shards, and the run is repeated in memory and streamed.
	succeed(t, "train", "--quiet", "--memory", "30MB", "--receipt", "r.json", "--positive", "3", "rows.lanes")
	verified(t, "r.json rows.lanes", "r.json rows", "--memory 40MB r.json rows.lanes", "--memory 25MB --workers 1 r.json rows.lanes")
}

// verified wants the runs of receipts to be repeated to the same bits, by verify with these arguments.
func verified(t *testing.T, runs ...string) {
	t.Helper()
	for _, args := range runs {
		if out := succeed(t, append([]string{"verify", "--quiet"}, strings.Fields(args)...)...); !strings.Contains(out, "same bits       yes") {
			t.Errorf("%s: %s", args, out)
		}
	}
}

// reportsTheSame wants the run of a line to have a report with further flags too.
func reportsTheSame(t *testing.T, report func(t *testing.T, args ...string) map[string]any, want map[string]any, line string, flags ...string) {
	t.Helper()
	for _, more := range flags {
		if got := report(t, strings.Fields(line+" "+more)...); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s:\n%v\nnot\n%v", line, more, got, want)
		}
	}
}

// killed kills a run after the run has saved its state to the file "run" so many times.
func killed(t *testing.T, saves int, args []string) {
	t.Helper()
	cmd := invocation{args: args}.command()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	for last := os.FileInfo(nil); saves > 0; {
		select {
		case <-ended:
			t.Fatalf("the run ended %d saves before it was to be killed", saves)
		case <-time.After(time.Millisecond):
		}
		if info, err := os.Stat("run"); err == nil && info.Size() > 0 && (last == nil || !os.SameFile(last, info) || !last.ModTime().Equal(info.ModTime())) {
			last = info
			saves--
		}
	}
	cmd.Process.Kill()
	if <-ended; cmd.ProcessState.Success() {
		t.Fatal("the run ended before it was killed")
	}
}

// refusal is the end of a run that is refused: its exit status, and a part of its message.
type refusal struct {
	status int
	text   string
}

// refused wants runs of a command with further arguments to be refused.
func refused(t *testing.T, command string, runs map[string]refusal) {
	t.Helper()
	for args, want := range runs {
		o := inside(append(strings.Fields(command), strings.Fields(args)...)...)
		if o.status != want.status || !strings.Contains(o.stderr, want.text) {
			t.Errorf("%s: exit status %d: %s", args, o.status, o.stderr)
		}
	}
}

// What cannot be streamed is refused, and says what to do.
func TestStreamedRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=600,d=80,seed=5", relabel("3", "1", "2"))
	succeed(t, "convert", "--quiet", "rows", "rows.lanes")
	succeed(t, "convert", "--quiet", "--generate", "onehot:n=300", "two.lanes")
	succeed(t, "convert", "--quiet", "--generate", "wide:n=50,d=900", "wide.lanes")
	refused(t, "train --quiet --epochs 3", map[string]refusal{
		"--memory 30MB two.lanes --solver svrg":     {exitUsage, "svrg needs all rows in memory, and takes no shards; take the solver proximal-newton, newton"},
		"--memory 30MB two.lanes --solver agd-sbcd": {exitUsage, "needs all rows in memory"},
		"--memory 30MB":                                                   {exitUsage, "name one, as 'lanes convert' makes it"},
		"--memory 30MB -":                                                 {exitUsage, "name one, as 'lanes convert' makes it"},
		"--memory 30MB --generate onehot":                                 {exitUsage, "name one, as 'lanes convert' makes it"},
		"--memory 30MB two.lanes --max-memory 1GB":                        {exitUsage, "--max-memory would have no effect"},
		"--memory 30MB two.lanes --merge":                                 {exitUsage, "--merge would have no effect"},
		"--memory 1KB two.lanes":                                          {exitUsage, "--memory 1KB: the run needs 12MB at least"},
		"--memory 1KB wide.lanes":                                         {exitUsage, "at least; --solver newton needs less"},
		"--memory 1KB wide.lanes --solver newton":                         {exitUsage, "at least\n"},
		"--memory 13MB wide.lanes --l1 1e-4":                              {exitUsage, "columns that it keeps in memory, and may need more"},
		"--memory 30MB rows":                                              {exitData, "rows: streaming needs a cache, and this file is not one: make one by lanes convert DATA OUT.lanes"},
		"--memory 30MB absent":                                            {exitData, "there is no such file"},
		"--memory 30MB rows.lanes":                                        {exitData, "regression (--loss squared, for counts --loss poisson)"},
		"--memory 30MB rows.lanes --positive 9":                           {exitData, "no row has the label 9"},
		"--memory 30MB rows.lanes --positive word":                        {exitUsage, "--positive word"},
		"--memory 30MB rows.lanes --loss squared --class-weight balanced": {exitUsage, "--class-weight balanced: it goes with two classes"},
	})
}

// A damaged block ends a run that streams it with an error and a status of its own, and
// leaves nothing half-written.
func TestStreamedDamage(t *testing.T) {
	args := append(streamRows(t, "text:n=2000,d=300"), "--memory", "30MB", "--model", "m", "--receipt", "r", "--trace", "t")
	b, err := os.ReadFile("x.lanes")
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)*2/3] ^= 0x20
	if err := os.WriteFile("x.lanes", b, 0o666); err != nil {
		t.Fatal(err)
	}
	o := inside(args...)
	if v := object(t, o.out); o.status != exitData || !strings.Contains(v["error"].(string), "the checksum of rows ") {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	if left, _ := os.ReadDir("."); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// TestStreamedKill: a killed streamed run resumes with another limit to the same bits.
func TestStreamedKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a run of a second")
	}
	args := streamRows(t, "text:n=60000,d=9000")
	want := hash(t, nil, args[3:]...)
	killed(t, 3, append(args, "--memory", "30MB", "--checkpoint", "run", "--checkpoint-every", "1ms", "--workers", "1"))
	for _, memory := range [][]string{{"--memory", "50MB", "--workers", "2"}, nil} {
		if got := hash(t, nil, append(append(args[3:], "--resume", "run"), memory...)...); got != want {
			t.Errorf("resumed with %v: %s, not %s", memory, got, want)
		}
	}
}
