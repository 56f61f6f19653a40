package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/solvers"
)

// Comparison is what compare reports.
type Comparison struct {
	Data      string         // its name
	Objective string         // what the solvers minimise
	Facts     [][2]string    // of data and problem, for people
	Fields    map[string]any // of the problem, for JSON
	Settings  solvers.Settings
	Seeds     int
	// Parameters are what --set sets.
	Parameters map[string]string
	// Measured names the metrics of other rows that Run.Metrics has.
	Measured []string
	Entries  []*Entry
	best     float64
}

// OfLosses is a comparison on the rows of a training, without its runs. name is one of the solvers.
func OfLosses(f *fitting.ProblemFlags, p *fitting.Prepared, name string) Comparison {
	what := lanes.Solver(name).Objective
	objective := fmt.Sprintf("%s loss, lambda %.6g", p.LossName(), p.Ridge())
	if what != solvers.MeanLoss {
		run := &fitting.Trained{Problem: p, Result: &solvers.Result{Solver: name, Minimised: what, Seed: p.Settings().Seed}}
		objective = fmt.Sprintf("%v (%s)", what, fitting.Setting(run, 0))
	}
	c := Comparison{
		Data: p.Data.Name, Objective: fmt.Sprintf("%s, bias %v, normalize %s", objective, p.Bias(), p.Normalize()),
		Facts: [][2]string{
			{"size", fmt.Sprintf("%d rows, %d columns, %d non-zeros, layout %s", p.X.Rows(), p.Columns(), p.X.NNZ(), p.X.Layout())},
			{"labels", p.LabelText()},
		},
		Fields: map[string]any{"n": p.X.Rows(), "d": p.Columns(), "nnz": p.X.NNZ(), "loss": p.LossName(), "lambda": p.Ridge(), "load_seconds": p.Data.Seconds},
	}
	if f.ClassWeight != "" {
		c.Facts = append(c.Facts, [2]string{"class weight", f.ClassWeight})
	}
	if p.Valid != nil {
		c.Facts = append(c.Facts, [2]string{"other rows", fmt.Sprintf("%s, %d rows", p.Valid.Name, p.Valid.X.Rows())})
	}
	return c
}

// Finish finds the best objective of all runs.
func (c *Comparison) Finish() {
	c.best = math.Inf(1)
	for _, e := range c.Entries {
		for _, r := range e.Runs {
			c.best = min(c.best, plots.BestObjective([]plots.Curve{{Points: r.Points}}))
		}
	}
}

// chosen are the best entries of the solvers.
func (c *Comparison) chosen() (list []*Entry) {
	for _, e := range c.Entries {
		if e.Chosen {
			list = append(list, e)
		}
	}
	return list
}

// Curves are the curves of the best entries.
func (c *Comparison) Curves() (list []plots.Curve) {
	for _, e := range c.chosen() {
		list = append(list, e.curve())
	}
	return list
}

// head has the titles of the columns.
func (c *Comparison) head() []string {
	list := []string{"solver", "status", "epochs", "seconds", "objective", "above best", "gradient norm", "duality gap"}
	return append(list, c.measuredHead()...)
}

func (c *Comparison) measuredHead() (list []string) {
	for _, name := range c.Measured {
		list = append(list, console.MetricName(name))
	}
	return list
}

// measured are the metrics of other rows.
func (c *Comparison) measured(e *Entry) (list []string) {
	for _, name := range c.Measured {
		list = append(list, e.band(func(r *Run) float64 { return r.Metrics[name] }).text(6))
	}
	return list
}

// above is how far a number lies above the best objective.
func (c *Comparison) above(of func(*Run) float64) func(*Run) float64 {
	return func(r *Run) float64 { return of(r) - c.best }
}

func (c *Comparison) row(e *Entry) []string {
	return append([]string{
		e.name(), e.status(), fmt.Sprintf("%.4g", e.band(passesOf).Median), e.band(secondsOf).text(3),
		fmt.Sprintf("%.10g", e.band(objectiveOf).Median), e.band(c.above(objectiveOf)).text(3), e.band(normOf).plain(), e.band(gapOf).plain(),
	}, c.measured(e)...)
}

// gridHead has the titles of the columns of a grid.
func (c *Comparison) gridHead() []string {
	return append([]string{"solver", "parameters", "", "status", "epochs", "seconds", "last point above best"}, c.measuredHead()...)
}

// gridRows are the combinations of parameters of solvers that have several.
func (c *Comparison) gridRows() (rows [][]string) {
	for _, e := range c.Entries {
		if e.Text == "" {
			continue
		}
		mark := ""
		if e.Chosen {
			mark = "best"
		}
		rows = append(rows, append([]string{
			e.Solver, e.Text, mark, e.status(), fmt.Sprintf("%.4g", e.band(passesOf).Median), e.band(secondsOf).text(3), e.band(c.above(finalOf)).text(3),
		}, c.measured(e)...))
	}
	return rows
}

// facts are the settings and the machine, for people.
func (c *Comparison) facts() [][2]string {
	s := c.Settings
	number := func(v float64) string {
		if math.IsInf(v, 0) || v == 0 {
			return "none"
		}
		return fmt.Sprintf("%g", v)
	}
	budget := "none"
	if s.MaxTime > 0 {
		budget = s.MaxTime.String()
	}
	facts := append([][2]string{{"data", c.Data}}, c.Facts...)
	facts = append(facts,
		[2]string{"objective", c.Objective},
		[2]string{"budget", fmt.Sprintf("%s epochs, time %s", number(s.MaxEpochs), budget)},
		[2]string{"tolerances", fmt.Sprintf("gap %s, gradient norm %s", number(s.GapTolerance), number(s.GradientTolerance))})
	if slices.ContainsFunc(c.Entries, func(e *Entry) bool { return lanes.Solver(e.Runs[0].Solver).Accepts.Has(solvers.Batch) }) {
		facts = append(facts, [2]string{"batch", strconv.Itoa(cmp.Or(s.BatchSize, solvers.UsualBatchSize))})
	}
	seeds := strconv.FormatUint(s.Seed, 10)
	if c.Seeds > 1 {
		seeds = fmt.Sprintf("%s to %d; medians, with the least and the largest", seeds, s.Seed+uint64(c.Seeds)-1)
	}
	facts = append(facts, [2]string{"seed", seeds})
	for _, key := range sortedKeys(c.Parameters) {
		facts = append(facts, [2]string{"set " + key, c.Parameters[key]})
	}
	m := dispatch.Report()
	return append(facts,
		[2]string{"machine", fmt.Sprintf("%s, %s/%s, %d cores", m.Name, m.OS, m.Arch, m.Cores)},
		[2]string{"CPU path", fmt.Sprintf("%s (%s), %d workers", m.Path, m.Reason, c.Entries[0].Runs[0].Workers)},
		[2]string{"program", "lanes " + console.Version()})
}

type object = map[string]any

// numbers are what JSON has of a run, and the medians of several.
var numbers = []struct {
	name string
	of   func(*Run) float64
}{
	{"passes", passesOf}, {"seconds", secondsOf}, {"train_seconds", func(r *Run) float64 { return r.Seconds }},
	{"record_seconds", func(r *Run) float64 { return r.Recording }},
	{"objective", objectiveOf}, {"last_objective", finalOf}, {"gradient_norm", normOf}, {"duality_gap", gapOf},
}

// object is the entry for JSON.
func (c *Comparison) object(e *Entry) object {
	first := e.Runs[0]
	out := object{
		"solver": e.Solver, "status": e.status(), "gradient_evaluations": first.Total.GradientEvaluations, "iterations": first.Total.Iterations,
		"above_best": console.Finite(e.band(c.above(objectiveOf)).Median), "weights_sha256": solvers.HashWeights(first.Weights),
	}
	if len(e.Set) > 0 {
		out["set"] = e.Set
	}
	metrics, bands, bySeed := map[string]float64{}, object{}, make([]any, len(e.Runs))
	for k, r := range e.Runs {
		one := object{"seed": r.Seed, "status": r.Status.String(), "weights_sha256": solvers.HashWeights(r.Weights), "metrics": finite(r.Metrics)}
		for _, n := range numbers {
			one[n.name] = console.Finite(n.of(r))
		}
		bySeed[k] = one
	}
	add := func(name string, b Band) {
		bands[name] = []any{console.Finite(b.Least), console.Finite(b.Largest)}
	}
	for _, n := range numbers {
		b := e.band(n.of)
		out[n.name] = console.Finite(b.Median)
		add(n.name, b)
	}
	for name := range maps.Keys(first.Metrics) {
		b := e.band(func(r *Run) float64 { return r.Metrics[name] })
		metrics[name] = b.Median
		add(name, b)
	}
	out["metrics"] = finite(metrics)
	if c.Seeds > 1 {
		out["bands"], out["by_seed"] = bands, bySeed
	}
	return out
}

// PrintComparison prints the table of the runs.
func PrintComparison(a *console.App, c *Comparison) error {
	if a.JSON {
		out := object{
			"data": c.Data, "seed": c.Settings.Seed, "seeds": c.Seeds, "cpu_path": dispatch.Current(),
			"peak_rss_bytes": memory.Peak(), "best_objective": console.Finite(c.best),
		}
		maps.Copy(out, c.Fields)
		var runs, grid []object
		for _, e := range c.Entries {
			one := c.object(e)
			if e.Chosen {
				runs = append(runs, one)
			}
			if e.Text != "" {
				one = maps.Clone(one)
				one["best"] = e.Chosen
				grid = append(grid, one)
			}
		}
		if out["runs"] = runs; grid != nil {
			out["grid"] = grid
		}
		return a.PrintJSON(out)
	}
	text := console.NewText()
	fmt.Fprintln(text, strings.Join(c.head(), "\t"))
	for _, e := range c.chosen() {
		fmt.Fprintln(text, strings.Join(c.row(e), "\t"))
	}
	if rows := c.gridRows(); rows != nil {
		fmt.Fprintln(text)
		fmt.Fprintln(text, strings.Join(c.gridHead(), "\t"))
		for _, row := range rows {
			fmt.Fprintln(text, strings.Join(row, "\t"))
		}
	}
	return a.PrintText(text)
}

// WriteTrace writes the points of all runs as CSV.
func (c *Comparison) WriteTrace(w io.Writer) error {
	var traces []fitting.FitTrace
	for _, e := range c.Entries {
		for _, r := range e.Runs {
			traces = append(traces, fitting.FitTrace{Name: fmt.Sprintf("%s,%s,%d", e.Solver, e.Text, r.Seed), Points: r.Points})
		}
	}
	return WriteTraces(w, "solver,parameters,seed", traces, lanes.Solver(c.Entries[0].Solver).Objective == solvers.SparseLoss)
}
