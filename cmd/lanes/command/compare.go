package command

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func compareCommand(a *console.App) *cli.Command {
	var f fitting.ProblemFlags
	var run fitting.RunFlags
	var names []string
	var html string
	cmd := &cli.Command{
		Use:   "compare [flags] [DATA]",
		Short: "Run several solvers on one problem: table, plot, HTML page",
		Long: `compare runs solvers one after another on the same problem with the same budget, and prints
one table. If --gap or --grad is given without a budget, a solver that ends above it makes the
exit status 1. Without DATA it uses generated data. --target COLUMN makes DATA a table, as for
train; the models get an unpenalised intercept if all solvers have it.

--plot draws the curves. --html writes a page that needs no network: curves against epochs and
against seconds with the values under the pointer, the settings and the machine.

--set name=value goes to every solver that has such a parameter, --set SOLVER.name=value to one.`,
		Example: `  lanes compare                                  # generated data, as a demonstration
  lanes compare a9a.xz --solvers ai-sarah,svrg,adam --epochs 30 --plot curves.svg
  lanes compare adult.csv --target income-per-year --solvers newton,sdca-newton
  lanes compare --generate text --set svrg.step=0.5 --html report.html`,
		Args: cli.Between(0, 1),
		Run: func(cmd *cli.Command, args []string) error {
			return compare(a, cmd, input.OrStdin(a, args, &f.Data), names, html, &f, &run)
		},
	}
	console.Declare(cmd, append(fitting.Flags(&f, &run, fitting.ComparePasses),
		console.Flag{Name: "solvers", Value: &names, Group: console.ModelGroup, Default: "ai-sarah,svrg,newton,adam", Complete: fitting.CompleteSolvers, Help: "`NAMES` of solvers"},
		console.Flag{Name: "html", Value: &html, Group: console.OutputGroup, Help: "write a page with curves to `FILE`"})...)
	return cmd
}

func compare(a *console.App, cmd *cli.Command, args, names []string, html string, f *fitting.ProblemFlags, run *fitting.RunFlags) error {
	run.Share(a)
	settings := run.Compared()
	if err := f.Check(); err != nil {
		return err
	}
	if err := f.Data.Table.Check(a, cmd); err != nil {
		return err
	}
	if f.Data.Table.Given() {
		if err := suitTable(cmd, &f.Data, args); err != nil {
			return err
		}
	}
	parameters, err := fitting.ParseSet(run.Set)
	if err != nil {
		return err
	}
	if err := f.Papers(parameters, names...); err != nil {
		return err
	}
	list, err := fitting.Methods(names, parameters)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return console.BadFlag("solvers", "", "name a solver at least; train --list shows them")
	}
	if err := f.CheckSolvers(cmd, run, names...); err != nil {
		return err
	}
	if fitting.Special(names[0]) && !run.Budgeted() { // the end is left to the methods
		settings.MaxEpochs = math.Inf(1)
	}
	if err := (console.Outputs{"plot": run.Plot, "html": html}).Check(a.In, args...); err != nil {
		return err
	}
	a.Points = fitting.MostPlotted
	ctx, begun, stop := a.Interruptible(0, false)
	defer stop()
	data, err := input.Load(a, args, &f.Data, sparse.ReadOptions{})
	if err != nil {
		return err
	}
	o := f.Options(run)
	o.Solver, o.Settings, o.Paper = fitting.Posing(names, parameters), solvers.Settings{GapTolerance: settings.GapTolerance}, false
	if _, asked := parameters["paper"]; asked {
		o.Parameters = map[string]string{"paper": parameters["paper"]}
	}
	lacks := ""
	if data.Encoder != nil {
		lacks = fitting.CommonIntercept(&o, names)
	}
	p, err := f.Prepare(ctx, a, data, run, o, fitting.Beside{})
	if err != nil {
		return err
	}
	noteShape(a, p)
	if lacks != "" {
		a.Note("the models have no intercept, as %s has no unpenalised one; --bias adds a penalised one", lacks)
	}
	if settings.RecordEvery == 0 && !math.IsInf(settings.MaxEpochs, 0) {
		settings.RecordEvery = 1
	}
	c := &report.Comparison{Flags: f, Problem: p, Settings: settings, Parameters: parameters}
	begun()
	if err := compareAll(ctx, c, list); err != nil {
		return err
	}
	if run.Plot != "" {
		if err := plots.DrawRuns(a, run.Plot, "Solvers on "+filepath.Base(p.Data.Name), c.Objective(), c.Curves); err != nil {
			return err
		}
	}
	if html != "" {
		if err := a.Write("page", html, c.WritePage); err != nil {
			return err
		}
	}
	if err := report.PrintComparison(a, c); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %d of %d solvers ran", len(c.Runs), len(list))
	}
	if run.Budgeted() {
		return nil
	}
	missed := 0
	for _, r := range c.Runs {
		if r.Result.Missed(&settings) {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("not solved: %d of %d solvers (%s)", missed, len(c.Runs), wanted(&settings))
	}
	return nil
}

// compareAll runs solvers, one after the other.
func compareAll(ctx context.Context, c *report.Comparison, list []solvers.Ready) error {
	for _, method := range list {
		if ctx.Err() != nil {
			break
		}
		r, err := fitting.SolveBy(ctx, c.Flags, c.Problem, method, c.Settings)
		if r == nil {
			return fmt.Errorf("%s: %w", method.Name, console.Plain(err))
		}
		c.Runs = append(c.Runs, r)
		c.Curves = append(c.Curves, plots.Curve{Name: method.Name, Points: r.Points})
	}
	c.Best = plots.BestObjective(c.Curves)
	return nil
}
