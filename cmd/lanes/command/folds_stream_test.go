package command

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// foldsOf is the report of a cross-validation without what depends on the machine.
func foldsOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	v := object(t, succeed(t, args...))
	own := map[string]any{}
	for _, field := range []string{"weights_sha256", "passes", "lambda", "status", "shards", "n", "d", "cross_validation", "metrics"} {
		own[field] = v[field]
	}
	return own
}

// A cross-validation within a limit of memory has the bits of the one in memory: at three limits, by one worker, two
// and three.
func TestStreamedFolds(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=1200,d=200,seed=5 x.lanes")...)
	for _, more := range []string{"--cv 3 --solver newton", "--cv 3 --path --sparse --one-se", "--cv 4 --path --one-se --metric auc --solver sdca-newton --lambdas 0.1:1e-3:3", "--cv 2 --path --lambdas 1:1e-2:16 --class-weight balanced --normalize std --bias --solver newton"} {
		line := "train --quiet --json --shards 8 x.lanes " + more
		want := foldsOf(t, strings.Fields(line)...)
		if want["cross_validation"] == nil {
			t.Fatalf("%s: no folds", more)
		}
		reportsTheSame(t, foldsOf, want, line, "--memory 30MB --workers 1", "--memory 40MB --workers 2", "--memory 1GB --workers 3 --model m --trace t --plot p.png --html p.html")
	}
	succeed(t, strings.Fields("train --quiet --memory 30MB --cv 3 --path --receipt r.json x.lanes")...)
	verified(t, "r.json x.lanes --memory 25MB", "r.json x.lanes")
	writeCSV(t, "t.csv", ',', people(500))
	const table = "train t.csv --target pay --cv 3 --path --shards 4 --solver newton --lambdas 1:0.01:3"
	if a, b := weightsOf(t, table), weightsOf(t, table+" --memory 40MB"); a != b {
		t.Error("a table: other weights")
	}
	rowsOf(t, "grouped", "text:n=60,d=20,seed=5", func(_ int, line string) string { return strings.Replace(line, " ", " qid:3 ", 1) })
	succeed(t, "convert", "--quiet", "grouped", "grouped.lanes")
	refused(t, "train --quiet --cv 3", map[string]refusal{
		"--memory 1KB x.lanes":                  {exitUsage, "--memory 1KB: the run needs "},
		"--memory 30MB x.lanes --multiclass":    {exitUsage, "needs all rows in memory"},
		"--memory 30MB x.lanes --valid x.lanes": {exitUsage, "--valid"},
		"--memory 30MB grouped.lanes":           {exitUsage, "--cv 3: folds keep the rows of a group (qid) together"},
		"--memory 30MB absent":                  {exitData, "there is no such file"},
	})
}

// A cross-validation that is killed resumes within another limit of memory, to the same bits.
func TestStreamedFoldsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a run of a second")
	}
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=20000,d=3000 x.lanes")...)
	line := strings.Fields("train --quiet --json --shards 16 --cv 3 --path --lambdas 0.1:1e-4:4 --solver newton x.lanes")
	want := foldsOf(t, line...)
	for _, saves := range []int{1, 4, 9} {
		os.Remove("run")
		killed(t, saves, append(line, strings.Fields("--memory 30MB --checkpoint run --checkpoint-every 1ms --workers 1")...))
		if got := foldsOf(t, append(line, strings.Fields("--resume run --memory 50MB --workers 2")...)...); !reflect.DeepEqual(got, want) {
			t.Errorf("killed after %d saves, resumed: %v, not %v", saves, got, want)
		}
		if o := inside(append(line, "--resume", "run")...); o.status != exitData || !strings.Contains(o.stderr+o.out, "another run") {
			t.Errorf("resumed in memory: exit status %d: %s%s", o.status, o.out, o.stderr)
		}
	}
}

// The kernel counts no more memory than the limit, beside the program itself: near the least limit, and above.
func TestStreamedFoldsTakeWhatIsPlanned(t *testing.T) {
	if memory.Peak() == nil || allocations.Race || testing.Short() {
		t.Skip("the system does not tell what a process takes, the race detector takes much more, or it takes seconds")
	}
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate onehot:n=300000,d=400,seed=5 x.lanes")...)
	const line = "x.lanes --cv 4 --metric auc --normalize minmax --epochs 6 --solver newton --memory "
	base, _ := peakOf(t, line+"1KB")
	for _, limit := range []float64{35, 60} {
		peak, o := peakOf(t, line+fmt.Sprintf("%vMB", limit))
		if o.status != exitDone || peak-base > limit*1e6 {
			t.Errorf("%v MB: exit status %d, a peak of %.1f MB beside %.1f: %s", limit, o.status, (peak-base)/1e6, base/1e6, o.stderr)
		}
		t.Logf("%v MB: a peak of %.1f beside %.1f", limit, (peak-base)/1e6, base/1e6)
	}
}
