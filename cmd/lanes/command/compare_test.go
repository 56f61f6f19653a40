package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// lastOf reads a trace: the objective of the last point, and the number of points, by solver,
// parameters and seed.
func lastOf(t *testing.T, path string) (last map[string]float64, points map[string]int) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != "solver,parameters,seed,passes,gradient_evaluations,seconds,objective,objective_error,gradient_norm,duality_gap,metric" {
		t.Errorf("columns %s", got)
	}
	last, points = map[string]float64{}, map[string]int{}
	for _, row := range rows[1:] {
		key := strings.Join(row[:3], " ")
		if last[key], err = strconv.ParseFloat(row[6], 64); err != nil {
			t.Fatal(err)
		}
		points[key]++
	}
	return last, points
}

// objects is a list of objects in JSON.
func objects(v any) (list []map[string]any) {
	for _, one := range v.([]any) {
		list = append(list, one.(map[string]any))
	}
	return list
}

// TestCompareGrid: every combination runs as it does by itself, and the one with the least last
// objective stands in the table.
func TestCompareGrid(t *testing.T) {
	t.Chdir(t.TempDir())
	const line = "compare --generate onehot:n=2000 --epochs 4 --quiet --json --solvers adam,newton "
	v := object(t, done(t, line+"--set step=0.001,0.02,0.5 --set adam.beta1=0.9,0.5 --trace trace --html page").out)
	grid, runs := objects(v["grid"]), objects(v["runs"])
	if len(grid) != 6 || len(runs) != 2 {
		t.Fatalf("%d combinations, %d runs", len(grid), len(runs))
	}
	last, points := lastOf(t, "trace")
	least, best := math.Inf(1), ""
	for _, g := range grid {
		set := g["set"].(map[string]any)
		step, beta := set["step"].(string), set["beta1"].(string)
		alone := objects(object(t, done(t, line+fmt.Sprintf("--set step=%s --set beta1=%s", step, beta)).out)["runs"])[0]
		if alone["weights_sha256"] != g["weights_sha256"] || alone["last_objective"] != g["last_objective"] {
			t.Errorf("%v is another run by itself", set)
		}
		key := fmt.Sprintf("adam beta1=%s step=%s 1", beta, step)
		if last[key] != g["last_objective"] || points[key] < leastPoints {
			t.Errorf("%s ends at %v with %d points, %v in JSON", key, last[key], points[key], g["last_objective"])
		}
		if last[key] < least {
			least, best = last[key], g["weights_sha256"].(string)
		}
	}
	for _, g := range grid {
		if g["best"] != (g["weights_sha256"] == best) {
			t.Errorf("the best of the grid: %v", g)
		}
	}
	if runs[0]["weights_sha256"] != best || runs[1]["solver"] != "newton" || runs[1]["set"] != nil {
		t.Errorf("runs %v", runs)
	}
	if page := read(t, "page"); strings.Count(page, "beta1=0.5 step=0.02") == 0 || !strings.Contains(page, ">best<") {
		t.Error("the page does not show the grid")
	}
	text := done(t, "compare --generate onehot:n=500 --epochs 4 --quiet --solvers adam --set step=0.001,0.02").out
	if strings.Count(text, "step=0.001") < 1 || strings.Count(text, "step=0.02") < 1 || !strings.Contains(text, "  best  ") {
		t.Error(text)
	}
}

// TestCompareGridToTolerance: with a tolerance, the fewest epochs to it are best.
func TestCompareGridToTolerance(t *testing.T) {
	t.Parallel()
	v := object(t, done(t, "compare --generate onehot:n=500 --quiet --json --solvers svrg --gap 1e-3 --set step=0.2,2").out)
	least := math.Inf(1)
	for _, g := range objects(v["grid"]) {
		least = min(least, g["passes"].(float64))
	}
	if run := objects(v["runs"])[0]; run["passes"] != least || run["status"] != "converged" || least == objects(v["grid"])[0]["passes"] {
		t.Errorf("%v", v)
	}
}

// TestCompareSeeds: medians and bands are made of runs with one seed each.
func TestCompareSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	done(t, "convert --generate onehot:n=500 --quiet rows")
	const own = "compare rows --epochs 3 --quiet --json --solvers adam,svrg "
	v := object(t, done(t, own+"--seeds 4 --seed 7 --html page --plot plot.svg --trace trace").out)
	for k, run := range objects(v["runs"]) {
		var values []float64
		for seed := 7; seed < 11; seed++ {
			one := objects(object(t, done(t, own+fmt.Sprint("--seed ", seed)).out)["runs"])[k]
			by := objects(run["by_seed"])[seed-7]
			if by["seed"] != float64(seed) || by["objective"] != one["objective"] || by["weights_sha256"] != one["weights_sha256"] {
				t.Errorf("seed %d: %v, by itself %v", seed, by, one)
			}
			values = append(values, one["objective"].(float64))
		}
		slices.Sort(values)
		band := run["bands"].(map[string]any)["objective"].([]any)
		if band[0] != values[0] || band[1] != values[3] || values[0] == values[3] || math.Abs(run["objective"].(float64)-(values[1]+values[2])/2) > 1e-15 {
			t.Errorf("%s: %v in %v of %v", run["solver"], run["objective"], band, values)
		}
	}
	if _, points := lastOf(t, "trace"); len(points) != 8 {
		t.Errorf("traces of %v", points)
	}
	if page := read(t, "page"); !strings.Contains(page, `"low":`) || !strings.Contains(page, "7 to 10") {
		t.Error("the page has no band")
	}
	if !strings.Contains(read(t, "plot.svg"), "fill-opacity") {
		t.Error("the plot has no band")
	}
}

// TestCompareValid: other rows are measured as eval measures them, by the weights that train gives.
func TestCompareValid(t *testing.T) {
	t.Chdir(t.TempDir())
	done(t, "convert --generate onehot:n=400 --quiet rows")
	done(t, "convert --generate onehot:n=300 --seed 2 --quiet others")
	for _, c := range []struct{ solver, more, metric, eval string }{
		{"svrg", "", "accuracy", "accuracy"}, {"svrg", " --metric ap", "ap", "average_precision"}, {"soap", "", "ap", "average_precision"},
	} {
		run := objects(object(t, done(t, "compare rows --epochs 5 --quiet --json --valid others --solvers "+c.solver+c.more).out)["runs"])[0]
		trained := object(t, done(t, "train rows --epochs 5 --quiet --json --record-every 1 --model model --solver "+c.solver).out)
		if trained["weights_sha256"] != run["weights_sha256"] {
			t.Errorf("%s: train has other weights", c.solver)
		}
		eval := object(t, done(t, "eval --quiet --json model others").out)
		measured := run["metrics"].(map[string]any)
		near := func(name string, want any) {
			if got, is := measured[name].(float64); !is || math.Abs(got-want.(float64)) > 1e-9 {
				t.Errorf("%s: %s %v, eval has %v", c.solver, name, measured[name], want)
			}
		}
		near("valid_"+c.metric, eval[c.eval])
		if c.solver == "svrg" {
			near("valid_loss", eval["log_loss"])
		} else if measured["valid_loss"] != nil {
			t.Errorf("%s: a ranking has the loss %v", c.solver, measured["valid_loss"])
		}
	}
	text := done(t, "compare rows --epochs 5 --quiet --valid others --solvers svrg").out
	if !strings.Contains(text, "valid mean loss") || !strings.Contains(text, "valid accuracy") {
		t.Error(text)
	}
}

// TestComparePoints: the points of a short run change nothing of its result.
func TestComparePoints(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{"--solvers svrg,adam,prox-sdca --epochs 2", "--solvers soap --set iterations=60", "--solvers agd-sbcd", "--solvers scvrg,agd --epochs 3"} {
		line = "compare --quiet --json --trace trace " + line
		fine := objects(object(t, done(t, line).out)["runs"])
		_, points := lastOf(t, "trace")
		every := " --record-every 1"
		coarse := objects(object(t, done(t, line+every).out)["runs"])
		for k, run := range fine {
			name := run["solver"].(string)
			if run["weights_sha256"] != coarse[k]["weights_sha256"] || run["objective"] != coarse[k]["objective"] {
				t.Errorf("%s: another result with %d points", name, points[name+"  1"])
			}
			if points[name+"  1"] < leastPoints && name != "agd" {
				t.Errorf("%s: %d points", name, points[name+"  1"])
			}
		}
	}
}

// TestComparePortfolios: solvers of portfolios have the problem that the library poses.
func TestComparePortfolios(t *testing.T) {
	t.Parallel()
	market := returns.Market{Periods: 300, Assets: 6, Seed: 4}
	table, err := market.Generate()
	if err != nil {
		t.Fatal(err)
	}
	f, err := compositional.NewPortfolio(table.Rows(0, 300), 300, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	for flags, r := range map[string]penalty.Penalty{
		"--lambda 0.01 --limit 0.5": penalty.L1Box{Lambda: 0.01, Low: -0.5, High: 0.5}, "": penalty.L1Box{Lambda: 0.003, Low: -1, High: 1}, "--long-only": penalty.Simplex{Total: 1},
	} {
		v := object(t, done(t, "compare --json --quiet --seed 4 --generate n=300,d=6 --risk 2 --epochs 6 --solvers scvrg,agd --set agd.step=0.01,0.1 "+flags).out)
		for _, run := range append(objects(v["grid"]), objects(v["runs"])[0]) {
			parameters := map[string]string{}
			if set, is := run["set"].(map[string]any); is {
				parameters["step"] = set["step"].(string)
			}
			method, err := compositional.ByName(run["solver"].(string), parameters)
			if err != nil {
				t.Fatal(err)
			}
			want, err := compositional.Solve(t.Context(), &compositional.Problem{F: f, R: r}, method, solvers.Settings{Seed: 4, MaxEpochs: 6, RecordEvery: 1})
			if err != nil {
				t.Fatal(err)
			}
			if run["weights_sha256"] != solvers.HashWeights(want.Weights) || run["objective"] != want.Objective {
				t.Errorf("%s %s: %v, the library has %v", flags, run["solver"], run["objective"], want.Objective)
			}
		}
	}
}

// TestCompareRefuses: what cannot be compared is said before anything runs.
func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"--set nosuch=1,2":                          "--set nosuch=1,2: none of these solvers has such a parameter",
		"--set svrg.nosuch=1,2":                     "none of these solvers",
		"--set step=0.1,-1":                         "--set step=-1: ",
		"--set svrg.step=0.1,x":                     "--set step=x: ",
		"--set step=0.1,,0.2":                       "value 2 of the list is empty",
		"--set step=0.1,0.1":                        "0.1 stands in the list twice",
		"--solvers ai-sarah --set paper=true,false": "it poses the problem",
		"--solvers adam --seeds 10 --set step=" + list(20) + " --set beta1=0.1,0.2,0.3,0.4,0.5,0.6": "120 combinations of adam with 10 seeds each are too many",
		"--seeds 600":                     "--seeds 600: a comparison makes at most 1000 runs",
		"--metric ap":                     "--metric and --patience go with --valid DATA",
		"--risk 2":                        "--risk would have no effect here: it goes with solvers of portfolios",
		"--solvers scvrg --loss squared":  "--loss would have no effect here",
		"--solvers scvrg --valid x":       "--valid would have no effect here",
		"--solvers scvrg,svrg":            "the objectives of scvrg and svrg cannot be compared",
		"--valid nosuch":                  "nosuch",
		"--solvers soap --valid x --loss": "--loss",
	} {
		if o := inside(append([]string{"compare", "--generate", "onehot:n=60"}, strings.Fields(line)...)...); o.status == exitDone || o.out != "" || !strings.Contains(o.stderr, says) {
			t.Errorf("%s: exit status %d, %s; want %s", line, o.status, o.stderr, says)
		}
	}
}

// list has some numbers between commas.
func list(count int) string {
	var values []string
	for k := range count {
		values = append(values, strconv.Itoa(k+1))
	}
	return strings.Join(values, ",")
}
