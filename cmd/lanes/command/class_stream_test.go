package command

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// classesOf is the report of several classes without what depends on the machine.
func classesOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	v := object(t, succeed(t, args...))
	own := map[string]any{}
	for _, field := range []string{"weights_sha256", "passes", "lambda", "status", "duality_gap", "objective", "shards", "n", "d", "metrics"} {
		if own[field] = v[field]; v[field] == nil {
			t.Errorf("%s: no %s", args, field)
		}
	}
	classes, _ := v["classes"].([]any)
	for _, c := range classes {
		delete(c.(map[string]any), "seconds")
	}
	own["classes"] = classes
	return own
}

// Several classes within a limit of memory have the bits of rows in memory: at three limits, by one worker and three.
func TestStreamedClasses(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=900,d=80,seed=5", relabel("3", "1", "2", "7"))
	succeed(t, "convert", "--quiet", "rows", "x.lanes")
	rowsOf(t, "more", "text:n=300,d=80,seed=6", relabel("3", "1", "2", "7"))
	succeed(t, "convert", "--quiet", "more", "v.lanes")
	for _, more := range []string{"--solver newton --class-weight balanced", "--solver sdca-newton --lambda 0.01", "--l1 0.003 --normalize std", "--intercept --normalize std --class-weight 3:1", "--loss squared-hinge --bias",
		"softmax --intercept --class-weight balanced", "softmax --normalize unit --C 0.1", "softmax --lambda 1e-6 --valid v.lanes --metric logloss --patience 2"} {
		line := "train --quiet --json --shards 8 x.lanes --multiclass " + more
		want := classesOf(t, strings.Fields(line)...)
		if classes := want["classes"].([]any); len(classes) != 4 && !strings.HasPrefix(more, "softmax") {
			t.Fatalf("%s: %d classes", more, len(classes))
		}
		reportsTheSame(t, classesOf, want, line, "--memory 20MB --workers 1", "--memory 30MB --workers 3", "--memory 1GB --workers 3 --model m --trace t --plot p.png --html p.html")
	}
	for _, how := range []string{"rest", "softmax", "softmax --valid v.lanes --metric accuracy"} {
		succeed(t, strings.Fields("train --quiet --memory 30MB --receipt r.json x.lanes --multiclass "+how)...)
		valid := ""
		if strings.Contains(how, "--valid") {
			valid = " --valid v.lanes"
		}
		verified(t, "r.json x.lanes --memory 25MB"+valid, "r.json x.lanes"+valid, "r.json rows"+valid)
		os.Remove("r.json")
	}
	writeCSV(t, "t.csv", ',', people(500))
	for _, how := range []string{"rest", "softmax"} {
		table := "train t.csv --target city --shards 4 --multiclass " + how
		if a, b := weightsOf(t, table), weightsOf(t, table+" --memory 40MB"); a != b {
			t.Errorf("a table, %s: other weights", how)
		}
	}
	refused(t, "train --quiet --multiclass x.lanes --memory", map[string]refusal{
		"1KB":                                {exitUsage, "--memory 1KB: the run needs "},
		"1KB --multiclass softmax":           {exitUsage, "--memory 1KB: the run needs "},
		"30MB --multiclass softmax --l1 0.1": {exitUsage, "takes a ridge alone"},
		"30MB --path":                        {exitUsage, "give one --lambda"},
		"30MB --cv 3":                        {exitUsage, "--cv needs all rows in memory"},
		"30MB --valid x":                     {exitUsage, "--valid"},
		"30MB --solver adam":                 {exitUsage, "needs all rows in memory"},
		"30MB --nonnegative":                 {exitUsage, ""},
		"30MB --holdout 0.25":                {exitUsage, "needs all rows in memory"},
	})
}

// Classes that are killed go on past memory with another limit and other workers, to the same bits.
func TestStreamedClassesKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a run of a second")
	}
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=40000,d=9000,seed=5", relabel("3", "1", "2", "7"))
	succeed(t, "convert", "--quiet", "rows", "x.lanes")
	for _, how := range []string{"--multiclass --solver newton --C 1 --memory 30MB", "--multiclass softmax --C 1 --memory 60MB"} {
		killClasses(t, how)
	}
}

func killClasses(t *testing.T, how string) {
	t.Helper()
	args := append(strings.Fields("train --json --quiet --gap 1e-7 --shards 16 x.lanes"), strings.Fields(how)...)
	memory := args[len(args)-1]
	args = args[:len(args)-2]
	want := classesOf(t, args...)
	for _, saves := range []int{1, 3, 5} {
		os.Remove("run")
		killed(t, saves, append(args, "--memory", memory, "--checkpoint", "run", "--checkpoint-every", "1ms", "--workers", "1"))
		if got := classesOf(t, append(args, "--resume", "run", "--memory", "70MB", "--workers", "2")...); !reflect.DeepEqual(got, want) {
			t.Errorf("killed after %d saves, other bits", saves)
		}
	}
}
