package report

import (
	"cmp"
	"fmt"
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
	Flags      *fitting.ProblemFlags
	Problem    *fitting.Prepared
	Settings   solvers.Settings
	Parameters map[string]string
	Runs       []*fitting.Trained
	Curves     []plots.Curve
	Best       float64
}

var tableHead = []string{"solver", "status", "epochs", "seconds", "objective", "above best", "gradient norm", "duality gap"}

func (c *Comparison) row(r *fitting.Trained) []string {
	gap := "-"
	if r.Gap-r.Gap == 0 {
		gap = fmt.Sprintf("%.3g", r.Gap)
	}
	return []string{
		r.Solver, r.Status.String(), fmt.Sprintf("%.4g", r.Total.Epochs), fmt.Sprintf("%.3g", r.Total.Seconds),
		fmt.Sprintf("%.10g", r.Objective), fmt.Sprintf("%.3g", r.Objective-c.Best), fmt.Sprintf("%.3g", r.GradientNorm), gap,
	}
}

// Objective describes what the solvers minimise.
func (c *Comparison) Objective() string {
	p := c.Problem
	if what := lanes.Solver(c.Runs[0].Solver).Objective; what != solvers.MeanLoss {
		return fmt.Sprintf("%v (%s), bias %v, normalize %s", what, fitting.Setting(c.Runs[0], 0), p.Bias(), p.Normalize())
	}
	return fmt.Sprintf("%s loss, lambda %.6g, bias %v, normalize %s", p.LossName(), p.Ridge(), p.Bias(), p.Normalize())
}

// facts are the settings and the machine, for people.
func (c *Comparison) facts() [][2]string {
	p, s := c.Problem, c.Settings
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
	facts := [][2]string{
		{"data", p.Data.Name},
		{"size", fmt.Sprintf("%d rows, %d columns, %d non-zeros, layout %s", p.X.Rows(), p.Columns(), p.X.NNZ(), p.X.Layout())},
		{"labels", p.LabelText()},
		{"objective", c.Objective()},
		{"budget", fmt.Sprintf("%s epochs, time %s", number(s.MaxEpochs), budget)},
		{"tolerances", fmt.Sprintf("gap %s, gradient norm %s", number(s.GapTolerance), number(s.GradientTolerance))},
	}
	if slices.ContainsFunc(c.Runs, func(r *fitting.Trained) bool { return lanes.Solver(r.Solver).Accepts.Has(solvers.Batch) }) {
		facts = append(facts, [2]string{"batch", strconv.Itoa(cmp.Or(s.BatchSize, solvers.UsualBatchSize))})
	}
	facts = append(facts, [2]string{"seed", strconv.FormatUint(p.Settings().Seed, 10)})
	if c.Flags.ClassWeight != "" {
		facts = append(facts, [2]string{"class weight", c.Flags.ClassWeight})
	}
	for _, key := range sortedKeys(c.Parameters) {
		facts = append(facts, [2]string{"set " + key, c.Parameters[key]})
	}
	m := dispatch.Report()
	return append(facts,
		[2]string{"machine", fmt.Sprintf("%s, %s/%s, %d cores", m.Name, m.OS, m.Arch, m.Cores)},
		[2]string{"CPU path", fmt.Sprintf("%s (%s), %d workers", m.Path, m.Reason, c.Runs[0].Workers)},
		[2]string{"program", "lanes " + console.Version()})
}

// PrintComparison prints the table of the runs.
func PrintComparison(a *console.App, c *Comparison) error {
	if a.JSON {
		type object = map[string]any
		var runs []object
		for _, r := range c.Runs {
			runs = append(runs, object{
				"solver": r.Solver, "status": r.Status.String(), "passes": r.Total.Epochs,
				"gradient_evaluations": r.Total.GradientEvaluations, "iterations": r.Total.Iterations,
				"seconds": r.Total.Seconds, "train_seconds": r.Seconds,
				"objective": console.Finite(r.Objective), "above_best": console.Finite(r.Objective - c.Best),
				"gradient_norm": console.Finite(r.GradientNorm), "duality_gap": console.Finite(r.Gap),
				"weights_sha256": solvers.HashWeights(r.Weights), "metrics": finite(r.Metrics),
			})
		}
		p := c.Problem
		return a.PrintJSON(object{
			"data": p.Data.Name, "n": p.X.Rows(), "d": p.Columns(), "nnz": p.X.NNZ(), "loss": p.LossName(), "lambda": p.Ridge(),
			"seed": c.Problem.Settings().Seed, "cpu_path": dispatch.Current(), "load_seconds": p.Data.Seconds,
			"peak_rss_bytes": memory.Peak(), "best_objective": console.Finite(c.Best), "runs": runs,
		})
	}
	text := console.NewText()
	fmt.Fprintln(text, strings.Join(tableHead, "\t"))
	for _, r := range c.Runs {
		fmt.Fprintln(text, strings.Join(c.row(r), "\t"))
	}
	return a.PrintText(text)
}
