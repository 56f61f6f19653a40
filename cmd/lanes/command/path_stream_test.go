package command

import (
	"reflect"
	"strings"
	"testing"
)

// pathOf is the report of a path without what depends on the machine.
func pathOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return pathIn(t, succeed(t, args...))
}

// pathIn is pathOf for a report.
func pathIn(t *testing.T, report string) map[string]any {
	t.Helper()
	v := object(t, report)
	own := map[string]any{}
	for _, field := range []string{"weights_sha256", "passes", "lambda", "status", "at_edge", "shards", "n", "d"} {
		own[field] = v[field]
	}
	points, _ := v["path"].([]any)
	for _, p := range points {
		delete(p.(map[string]any), "seconds")
	}
	own["path"] = points
	return own
}

// A path within a limit of memory has the bits of the path in memory: at three limits, by one worker and three.
func TestStreamedPath(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=1500,d=300,seed=5 x.lanes")...)
	succeed(t, strings.Fields("convert --quiet --generate text:n=500,d=200,seed=5 v.lanes")...)
	for _, more := range []string{"--solver newton", "--sparse", "--sparse --penalty 1=0,7=2 --lambda 1e-3 --intercept", "--solver sdca-newton --lambdas 0.1:1e-4:5", "--valid v.lanes --metric auc --intercept --solver newton", "--lambdas 1:1e-3:17 --class-weight balanced --normalize std --bias --solver newton"} {
		line := "train --quiet --json --shards 8 --path x.lanes " + more
		want := pathOf(t, strings.Fields(line)...)
		if points := want["path"].([]any); len(points) < 5 {
			t.Fatalf("%s: %d points", more, len(points))
		}
		reportsTheSame(t, pathOf, want, line, "--memory 20MB --workers 1", "--memory 30MB --workers 3", "--memory 1GB --workers 3 --model m --trace t --plot p.png --html p.html")
	}
	for _, more := range []string{"", "--sparse"} {
		succeed(t, strings.Fields("train --quiet --memory 30MB --path --receipt r.json x.lanes "+more)...)
		verified(t, "r.json x.lanes --memory 25MB", "r.json x.lanes")
	}
	writeCSV(t, "t.csv", ',', people(500))
	const table = "train t.csv --target pay --path --shards 4 --solver newton"
	if a, b := weightsOf(t, table), weightsOf(t, table+" --memory 40MB"); a != b {
		t.Error("a table: other weights")
	}
	refused(t, "train --quiet --path", map[string]refusal{
		"--memory 1KB x.lanes":               {exitUsage, "--memory 1KB: the run needs "},
		"--memory 30MB x.lanes --multiclass": {exitUsage, "needs all rows in memory"},
		"--memory 30MB x.lanes --loss gamma": {exitData, "x.lanes: "},
		"--memory 30MB absent":               {exitData, "there is no such file"},
	})
}

// A path that is killed resumes within another limit of memory, to the same bits.
func TestStreamedPathKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a run of a second")
	}
	t.Chdir(t.TempDir())
	succeed(t, strings.Fields("convert --quiet --generate text:n=20000,d=3000 x.lanes")...)
	line := strings.Fields("train --quiet --json --shards 16 --path --lambdas 0.1:1e-4:8 --solver newton x.lanes")
	want := pathOf(t, line...)
	killed(t, 3, append(line, strings.Fields("--memory 30MB --checkpoint run --checkpoint-every 1ms --workers 1")...))
	if got := pathOf(t, append(line, strings.Fields("--resume run --memory 50MB --workers 2")...)...); !reflect.DeepEqual(got, want) {
		t.Errorf("resumed: %v, not %v", got, want)
	}
	if o := inside(append(line, "--resume", "run")...); o.status != exitData || !strings.Contains(o.stderr+o.out, "another run") {
		t.Errorf("resumed in memory: exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}
