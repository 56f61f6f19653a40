package command

import (
	"math"
	"strings"
	"testing"
)

// TestTableCompare: solvers are compared on the problem that train poses of a table, in any
// order.
func TestTableCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCSV(t, "t.csv", ',', people(300))
	const line = " t.csv --target pay --ignore person --weight importance --scale minmax "
	compared := func(more string) map[string]float64 {
		objectives := map[string]float64{}
		for _, r := range object(t, done(t, "compare"+line+more+" --json --quiet").out)["runs"].([]any) {
			run := r.(map[string]any)
			objectives[run["solver"].(string)] = run["objective"].(float64)
		}
		return objectives
	}
	trained := func(more string) float64 {
		return object(t, done(t, "train"+line+more+" --gap 1e-9 --json --quiet").out)["objective"].(float64)
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-7*want {
			t.Errorf("%s: objective %v, train reaches %v", what, got, want)
		}
	}
	free, none := trained(""), trained("--bias=false")
	if math.Abs(free-none) < 1e-4 {
		t.Fatalf("the intercept changes the objective from %v to %v alone", none, free)
	}
	for solver, objective := range compared("--solvers newton,sdca-newton --gap 1e-9") {
		near(solver, objective, free)
	}
	for _, list := range []string{"newton,ai-sarah", "ai-sarah,newton"} {
		objectives := compared("--epochs 60 --solvers " + list)
		near(list, objectives["newton"], none)
		if len(objectives) != 2 {
			t.Errorf("%s: runs %v", list, objectives)
		}
	}
	near("with --bias", compared("--bias --epochs 60 --solvers newton,ai-sarah")["newton"], trained("--bias"))
	for line, says := range map[string]string{
		"compare t.csv --scale none":                         "--scale would have no effect here: it goes with a table",
		"compare --target pay":                               "name the table",
		"compare t.csv --target pay --generate onehot":       "give a table or --generate onehot, not both",
		"compare t.csv --target nothing":                     "no such column",
		"compare t.csv --target pay --labels l":              "--labels would have no effect here",
		"train t.csv --target pay --labels l":                "--labels would have no effect here",
		"convert t.csv t.lanes --target pay --labels l":      "--labels would have no effect here",
		"compare t.csv --target pay --recipe r --bins 3":     "--recipe FILE says what becomes of the columns",
		"compare t.csv --target pay --format csv --memory x": "unknown flag --memory",
	} {
		if o := inside(strings.Fields(line)...); o.status == exitDone || !strings.Contains(o.stderr, says) {
			t.Errorf("lanes %s: exit status %d, %s; want %s", line, o.status, o.stderr, says)
		}
	}
	done(t, "train t.csv --target pay --ignore person --model m --quiet")
	if o := inside(strings.Fields("eval m t.csv --labels l")...); o.status == exitDone || !strings.Contains(o.stderr, "--labels would have no effect here") {
		t.Errorf("eval with --labels: exit status %d, %s", o.status, o.stderr)
	}
}
