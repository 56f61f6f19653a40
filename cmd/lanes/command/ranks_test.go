package command

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/solvers"
)

// goroutines are ranks of one process. When one ends all, the others say no more.
type goroutines struct {
	solvers.Ranks
	status *int
	out    locked
}

func (g goroutines) End(status int) {
	*g.status = status
	g.out.mu.Lock()
	*g.out.over = true
	g.out.mu.Unlock()
	g.Ranks.Abort(fmt.Errorf("rank %d ends all", g.Rank()))
	runtime.Goexit()
}

// onRanks runs the command on ranks that are goroutines; args holds the arguments of each
// rank, or one list for all ranks.
func onRanks(t *testing.T, size int, args ...[]string) (status []int, o outcome) {
	t.Helper()
	var out, stderr bytes.Buffer
	var over bool
	both := locked{new(sync.Mutex), &over, &out}
	status = make([]int, size)
	shardstest.Run(size, func(ranks solvers.Ranks) error {
		k := ranks.Rank()
		status[k] = RunOn(goroutines{ranks, &status[k], both}, args[k%len(args)], strings.NewReader(""), both, locked{both.mu, &over, &stderr})
		return nil
	})
	return status, outcome{status[0], out.String(), stderr.String()}
}

type locked struct {
	mu   *sync.Mutex
	over *bool
	to   *bytes.Buffer
}

func (l locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *l.over {
		return len(b), nil
	}
	return l.to.Write(b)
}

// A run on several ranks has the bits of a run under --memory, and one rank prints for all.
func TestRanks(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=600,d=80,seed=5", relabel("3", "1", "2"))
	succeed(t, "convert", "--quiet", "rows", "x.lanes")
	for _, more := range []string{
		"--positive 3", "--positive 2 --class-weight balanced --bias", "--positive 1 --class-weight 3:1 --normalize unit", "--positive 1 --normalize minmax --bias", "--positive 1 --normalize std",
		"--loss squared", "--loss huber --huber 0.5 --positive 2", "--positive 1 --lambda 0 --grad 1e-6", "--positive 1 --shards 2 --solver newton",
	} {
		args := append(strings.Fields("train --json --quiet x.lanes"), strings.Fields(more)...)
		want := object(t, inside(append(args, "--memory", "30MB")...).out)
		for _, size := range []int{1, 3} {
			status, o := onRanks(t, size, args)
			if o.stderr != "" || status[size-1] != exitDone || status[0] != exitDone {
				t.Fatalf("%s: exit statuses %v: %s", more, status, o.stderr)
			}
			got := object(t, o.out)
			for _, field := range []string{"weights_sha256", "passes", "duality_gap", "n", "d", "nnz", "labels", "positives", "shards", "solver", "status", "lambda"} {
				if got[field] != want[field] {
					t.Errorf("%s on %d ranks: %s is %v, not %v", more, size, field, got[field], want[field])
				}
			}
			if a, b := fmt.Sprint(got["metrics"]), fmt.Sprint(want["metrics"]); a != b || got["ranks"] != float64(size) {
				t.Errorf("%s on %v ranks: %s, not %s", more, got["ranks"], a, b)
			}
		}
	}
	// Columns that all rows store are shifted: every rank has to know of all entries.
	succeed(t, "convert", "--quiet", "--generate", "dense:n=300,d=6", "dense.lanes")
	for _, normalize := range []string{"minmax", "std"} {
		dense := strings.Fields("--json --quiet --shards 8 dense.lanes --normalize " + normalize)
		if _, o := onRanks(t, 3, append([]string{"train"}, dense...)); o.status != exitDone || object(t, o.out)["weights_sha256"] != hash(t, nil, dense...) {
			t.Errorf("%s: exit status %d: %s%s", normalize, o.status, o.out, o.stderr)
		}
	}
	// Scaled rows of equal values are summed in the same order as streamed rows.
	var equal strings.Builder
	for i := range 300 {
		v := 1 + i%3
		fmt.Fprintf(&equal, "%d %d:%d %d:%d %d:%d\n", 1-2*(i/2%2), 1+i%7, v, 8+i%11, v, 19+i%5, v)
	}
	if err := os.WriteFile("equal", []byte(equal.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	succeed(t, "convert", "--quiet", "equal", "equal.lanes")
	scaled := strings.Fields("--json --quiet --normalize minmax --shards 8")
	if got, want := hash(t, nil, append(scaled, "--memory", "40MB", "equal.lanes")...), hash(t, nil, append(scaled, "equal")...); got != want {
		t.Errorf("rows of equal values: %s from the file, %s in memory", got, want)
	}
	// Several files are one data set, whatever their layouts and however they are named.
	rowsOf(t, "ones", "onehot:n=300,d=120", relabel("1", "2"))
	content, ones := read(t, "rows"), read(t, "ones")
	for name, text := range map[string]string{"all": content + ones + content, "p1": content, "p2": ones, "p3": content} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		succeed(t, "convert", "--quiet", name, name+".lanes")
	}
	more := strings.Fields("--json --quiet --positive 3 --shards 8 --normalize minmax")
	want := hash(t, nil, append(more, "all")...)
	for _, list := range [][]string{{"all.lanes"}, {"p1.lanes", "p2.lanes", "p3.lanes"}, {"p?.lanes"}, {"p3.lanes", "p[12].lanes", "p2.lanes"}} {
		args := append(append([]string{"train"}, more...), list...)
		if _, o := onRanks(t, 3, args); o.status != exitDone || object(t, o.out)["weights_sha256"] != want {
			t.Errorf("%v: exit status %d: %s%s", list, o.status, o.out, o.stderr)
		}
		if got := hash(t, nil, append(append(more, "--memory", "40MB"), list...)...); got != want {
			t.Errorf("%v within 40 MB: %s, not %s", list, got, want)
		}
	}
	if o := inside("train", "all", "ones"); o.status != exitUsage || !strings.Contains(o.stderr, "give one DATA, not 2") {
		t.Errorf("exit status %d: %s", o.status, o.stderr)
	}
	if o := inside("train", "--quiet", "--memory", "40MB", "p1.lanes", "absent*"); o.status != exitData || !strings.Contains(o.stderr, "absent*: there is no such file") {
		t.Errorf("exit status %d: %s", o.status, o.stderr)
	}
	_, o := onRanks(t, 5, strings.Fields("train --shards 2 --positive 3 x.lanes --model m --trace t.csv --receipt r --plot p.svg"))
	if o.status != exitDone || !strings.Contains(o.stderr, "5 processes share 2 shards: 3 have no rows") || strings.Count(o.stderr, "model written") != 1 || strings.Count(o.out, "sha256") != 1 {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	if out := succeed(t, "verify", "--quiet", "r", "x.lanes"); !strings.Contains(out, "same bits       yes") {
		t.Error(out)
	}
}

// What is wrong on one rank or on all ends all of them, by one status and one line.
func TestRanksFail(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=600,d=80,seed=5", relabel("3", "1", "2"))
	succeed(t, "convert", "--quiet", "rows", "many.lanes")
	succeed(t, "convert", "--quiet", "--generate", "text:n=2000,d=300,seed=2", "x.lanes")
	succeed(t, "convert", "--quiet", "--generate", "text:n=2000,d=300,seed=3", "other.lanes")
	content := []byte(read(t, "x.lanes"))
	content[len(content)*3/4] ^= 1
	if err := os.WriteFile("damaged.lanes", content, 0o666); err != nil {
		t.Fatal(err)
	}
	for lambda, name := range map[string]string{"1": "m1", "2": "m2"} {
		succeed(t, "train", "--quiet", "--lambda", lambda, "--model", name, "x.lanes")
	}
	for what, c := range map[string]struct {
		first, second string // arguments of rank 0 and rank 1; second "" repeats the first
		status        int
		text          string
	}{
		"text":             {"rows", "", exitData, "lanes: rows: streaming needs a cache, and this file is not one: make one by lanes convert DATA OUT.lanes"},
		"svrg":             {"x.lanes --solver svrg", "", exitUsage, "lanes: a run on several processes: svrg needs all rows in memory, and takes no shards; take the solver newton"},
		"l1":               {"x.lanes --l1 0.1", "", exitUsage, "proximal-newton works in one process"},
		"softmax":          {"many.lanes --multiclass softmax", "", exitUsage, "name one class by --positive V"},
		"folds":            {"x.lanes --cv 3", "", exitUsage, "--cv goes with one process: give --path with --valid in its place"},
		"folds of a path":  {"x.lanes --cv 3 --path", "", exitUsage, "--cv goes with one process"},
		"valid":            {"x.lanes --valid absent", "", exitData, "there is no such file"},
		"labels of valid":  {"x.lanes --valid many.lanes", "", exitData, "lanes: many.lanes: "},
		"generated":        {"--generate onehot", "", exitUsage, "name one, as 'lanes convert' makes it"},
		"no data":          {"", "", exitUsage, "name one, as 'lanes convert' makes it"},
		"bad flag":         {"x.lanes --shards 3", "", exitUsage, "lanes: --shards 3: it must be a power of two"},
		"unknown flag":     {"x.lanes --nosuch", "", exitUsage, "lanes: unknown flag"},
		"many classes":     {"many.lanes", "", exitData, "lanes: many.lanes: 3 classes"},
		"no label":         {"many.lanes --positive 7", "", exitData, "no row has the label 7"},
		"memory":           {"x.lanes --memory 1MB", "", exitUsage, "--memory 1MB: the run needs"},
		"no folder":        {"x.lanes --model absent/m", "", exitRun, "lanes: rank 0: --model absent/m cannot be written"},
		"kept":             {"x.lanes --checkpoint rows", "", exitUsage, "the file exists"},
		"no checkpoint":    {"x.lanes --resume absent", "", exitData, "there is no such file"},
		"bad checkpoint":   {"x.lanes --resume rows", "", exitData, "resume from rows: not a checkpoint"},
		"damaged":          {"x.lanes", "damaged.lanes", exitData, "lanes: rank 1: damaged.lanes: the cache is damaged: the checksum of rows"},
		"missing":          {"x.lanes", "absent.lanes", exitData, "lanes: rank 1: absent.lanes: there is no such file"},
		"missing first":    {"absent.lanes", "x.lanes", exitData, "lanes: rank 0: absent.lanes: there is no such file"},
		"other data":       {"x.lanes", "other.lanes", exitData, "holds other data for rank 1 than for rank 0: 2000 rows"},
		"other lambda":     {"x.lanes --C 2", "x.lanes --C 1", exitUsage, "rank 1 is given other settings than rank 0, which has C=2"},
		"other start":      {"x.lanes --initial m1", "x.lanes --initial m2", exitRun, "rank 1 has another problem"},
		"more settings":    {"x.lanes", "x.lanes --bias", exitUsage, "rank 1 is given other settings than rank 0, which has not bias=true"},
		"bad flag of one":  {"x.lanes", "x.lanes --gap -1", exitUsage, "lanes: rank 1: --gap -1: it must be above 0"},
		"memory of one":    {"x.lanes", "x.lanes --memory 15MB", exitUsage, "lanes: rank 1: --memory 15MB: the run needs"},
		"damaged, std":     {"x.lanes --normalize std", "damaged.lanes --normalize std", exitData, "lanes: rank 1: damaged.lanes: the cache is damaged: the checksum of rows"},
		"damaged, minmax":  {"x.lanes --normalize minmax", "damaged.lanes --normalize minmax", exitData, "lanes: rank 1: damaged.lanes: the cache is damaged: the checksum of rows"},
		"another command":  {"x.lanes", "predict", exitUsage, "rank 1: predict is for one process"},
		"one is to resume": {"x.lanes", "x.lanes --resume rows", exitRun, "resumed true, saved false) than rank 0"},
	} {
		args := append(strings.Fields("train --json --quiet"), strings.Fields(c.first)...)
		second := args
		if c.second == "predict" {
			second = strings.Fields("predict --model rows x.lanes")
		} else if c.second != "" {
			second = append(strings.Fields("train --json --quiet"), strings.Fields(c.second)...)
		}
		status, o := onRanks(t, 2, args, second)
		if lines := strings.Count("\n"+o.stderr, "\nlanes: "); lines != 1 || status[0] != c.status && status[1] != c.status || !strings.Contains(o.stderr, c.text) {
			t.Errorf("%s: exit statuses %v: %s", what, status, o.stderr)
			continue
		}
		if v := object(t, o.out); v["status"] != "error" || v["exit_status"] != float64(c.status) {
			t.Errorf("%s: %v", what, v)
		}
	}
}

// Paths, and runs that a validation ends, have the bits of one process within a limit of memory: the same weights,
// passes and points on one to four.
func TestPathsOnRanks(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=1500,d=300,seed=5 x.lanes")...)
	succeed(t, strings.Fields("convert --quiet --generate text:n=500,d=200,seed=6 v.lanes")...)
	for _, more := range []string{"--path --lambdas 1:1e-3:5", "--path --valid v.lanes --metric auc --intercept", "--lambda 1e-9 --valid v.lanes --normalize std --bias"} {
		line := "train --quiet --json --shards 8 --solver newton x.lanes " + more
		want := pathOf(t, strings.Fields(line+" --memory 30MB")...)
		for size := 1; size <= 4; size++ {
			status, o := onRanks(t, size, strings.Fields(line))
			if slices.Max(status) != exitDone {
				t.Fatalf("%s on %d: exit status %d: %s", more, size, status, o.stderr)
			}
			if got := pathIn(t, o.out); !reflect.DeepEqual(got, want) {
				t.Errorf("%s on %d:\n%v\nnot\n%v", more, size, got, want)
			}
		}
	}
}
