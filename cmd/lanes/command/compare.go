package command

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// comparing are the flags of compare.
type comparing struct {
	f      fitting.ProblemFlags
	run    fitting.RunFlags
	market portfolioFlags
	names  []string
	seeds  int
	html   string
}

func compareCommand(a *console.App) *cli.Command {
	var c comparing
	cmd := &cli.Command{
		Use:   "compare [flags] [DATA]",
		Short: "Run several solvers on one problem: table, plot, HTML page",
		Long: `compare runs solvers one after another on the same problem with the same budget, and prints
one table. If --gap or --grad is given without a budget, a solver that ends above it makes the
exit status 1. DATA is as for train, or for solvers of portfolios a table of returns; without
DATA it uses generated data. Models of a table get an intercept if all solvers have it.

--set name=value goes to every solver that has such a parameter, --set SOLVER.name=value to one.
Several values, as in --set step=0.1,0.2, run in all combinations: the best by the objective of
its last point stands in the table (with --gap, the one with the fewest epochs to it), and a
second table shows them all. --seeds gives medians with the least and the largest numbers.
A run of fewer than 50 points is run again to record more. Recording is no part of its seconds.`,
		Example: `  lanes compare a9a.xz --solvers ai-sarah,svrg,adam --epochs 30 --plot curves.svg
  lanes compare a9a.xz --set svrg.step=0.1,0.3,1 --seeds 10 --valid a9a.t.xz --html report.html
  lanes compare w8a.xz --solvers moap-v1,soap,adap --set step=0.5,1,2 --trace curves.csv
  lanes compare returns.csv --solvers scvrg,vrsc-pg,agd --risk 2`,
		Args: cli.Between(0, 1),
		Run:  func(cmd *cli.Command, args []string) error { return c.compare(a, cmd, args) },
	}
	console.Declare(cmd, append(append(fitting.Flags(&c.f, &c.run, fitting.ComparePasses),
		console.Flag{Name: "solvers", Value: &c.names, Group: console.ModelGroup, Default: "ai-sarah,svrg,newton,adam", Complete: fitting.CompleteSolvers, Help: "`NAMES` of solvers"},
		console.Flag{Name: "seeds", Value: &c.seeds, Group: console.ModelGroup, Default: "1", Range: console.Positive, Help: "run with `N` seeds from --seed on: medians, least and largest"},
		console.Flag{Name: "html", Value: &c.html, Group: console.OutputGroup, Help: "write a page with curves to `FILE`"}),
		c.market.shared()...)...)
	return cmd
}

// contest is what solvers are compared on.
type contest struct {
	report.Comparison
	// solve makes a run with the seed of the settings.
	solve func(ctx context.Context, m solvers.Ready, s solvers.Settings) (*report.Run, error)
	every float64 // of --record-every, 0 for the usual points
}

func (c *comparing) compare(a *console.App, cmd *cli.Command, args []string) error {
	c.run.Share(a)
	parameters, err := fitting.ParseSet(c.run.Set)
	if err != nil {
		return err
	}
	if err := c.f.Papers(parameters, c.names...); err != nil {
		return err
	}
	list, err := fitting.Candidates(c.names, parameters, c.seeds)
	if err != nil {
		return err
	}
	if err := (console.Outputs{"plot": c.run.Plot, "html": c.html, "trace": c.run.Trace}).Check(a.In, append(args, c.run.Valid)...); err != nil {
		return err
	}
	settings := c.run.Compared()
	settings.Seed = a.Seed
	if a.Points = fitting.MostPlotted; c.run.Trace != "" {
		a.Points = fitting.MostTraced
	}
	ctx, begun, stop := a.Interruptible(0, false)
	defer stop()
	pose := c.poseLosses
	if fitting.Solver(c.names[0]).Objective == solvers.Composition {
		pose = c.posePortfolio
	}
	q, err := pose(ctx, a, cmd, args, &settings, parameters)
	if err != nil {
		return err
	}
	q.Settings, q.Parameters, q.Seeds, q.every = settings, parameters, c.seeds, settings.RecordEvery
	begun()
	if err := q.runAll(ctx, list); err != nil {
		return err
	}
	if err := c.write(a, q); err != nil {
		return err
	}
	return c.ending(ctx, q, len(list))
}

// poseLosses poses the problem of solvers of a mean loss, or of a ranking.
func (c *comparing) poseLosses(ctx context.Context, a *console.App, cmd *cli.Command, args []string, settings *solvers.Settings, parameters map[string]string) (*contest, error) {
	f, run, names := &c.f, &c.run, c.names
	args = input.OrStdin(a, args, &f.Data)
	if err := console.RefuseIdle(cmd, "solvers of portfolios", c.market.own()...); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	if err := f.Data.Table.Check(a, cmd); err != nil {
		return nil, err
	}
	if f.Data.Table.Given() {
		if err := suitTable(cmd, &f.Data, args); err != nil {
			return nil, err
		}
	}
	if err := f.CheckSolvers(cmd, run, names...); err != nil {
		return nil, err
	}
	if fitting.Special(names[0]) && !run.Budgeted() { // the end is left to the methods
		settings.MaxEpochs = math.Inf(1)
	}
	data, err := input.Load(a, args, &f.Data, sparse.ReadOptions{})
	if err != nil {
		return nil, err
	}
	beside := fitting.Beside{}
	if run.Valid != "" {
		if beside.Valid, err = input.ReadLike(a, run.Valid, &f.Data, data); err != nil {
			return nil, err
		}
		_, columns, _ := data.Shape()
		if err := input.FitColumns(a, beside.Valid, columns); err != nil {
			return nil, err
		}
	}
	o := f.Options(run)
	o.Solver, o.Settings, o.Paper = fitting.Posing(names, parameters), solvers.Settings{GapTolerance: settings.GapTolerance}, false
	if _, asked := parameters["paper"]; asked {
		o.Parameters = map[string]string{"paper": parameters["paper"]}
	}
	if run.Metric == "" && run.Valid != "" && f.Phi.Labels() && !fitting.Special(names[0]) {
		o.Metric = "accuracy" // beside the mean loss
	}
	lacks := ""
	if data.Encoder != nil {
		lacks = fitting.CommonIntercept(&o, names)
	}
	p, err := f.Prepare(ctx, a, data, run, o, beside)
	if err != nil {
		return nil, err
	}
	noteShape(a, p)
	if lacks != "" {
		a.Note("the models have no intercept, as %s has no unpenalised one; --bias adds a penalised one", lacks)
	}
	q := &contest{Comparison: report.OfLosses(f, p, names[0])}
	measures := p.ValidationMetrics(fitting.Solver(names[0]).Objective)
	for _, m := range measures {
		q.Measured = append(q.Measured, "valid_"+m.Name())
	}
	q.solve = func(ctx context.Context, m solvers.Ready, s solvers.Settings) (*report.Run, error) {
		recording, solve := math.NaN(), m.Solve // NaN for auto, which calls another
		m.Solve = func(ctx context.Context, t *solvers.Task, s solvers.Settings) (*solvers.Result, error) {
			start := time.Now()
			r, err := solve(ctx, t, s)
			if r != nil {
				recording = time.Since(start).Seconds() - r.Total.Seconds
			}
			return r, err
		}
		r, err := fitting.SolveBy(ctx, f, p, m, s)
		if r == nil {
			return nil, err
		}
		out := &report.Run{Result: r.Result, Points: r.Points, Seconds: r.Seconds, Recording: recording, Metrics: r.Metrics}
		for _, m := range measures {
			value, wrong := m.Measure(r.Weights)
			if wrong != nil {
				return nil, wrong
			}
			out.Metrics["valid_"+m.Name()] = value
		}
		return out, err
	}
	return q, nil
}

// write writes the files that were asked for, and prints the table.
func (c *comparing) write(a *console.App, q *contest) error {
	if c.run.Plot != "" {
		if err := plots.DrawRuns(a, c.run.Plot, "Solvers on "+filepath.Base(q.Data), q.Objective, q.Curves()); err != nil {
			return err
		}
	}
	if c.html != "" {
		if err := a.Write("page", c.html, q.WritePage); err != nil {
			return err
		}
	}
	if c.run.Trace != "" {
		if err := a.Write("trace", c.run.Trace, q.WriteTrace); err != nil {
			return err
		}
	}
	return report.PrintComparison(a, &q.Comparison)
}

// ending is the error that the runs' end amounts to, if any.
func (c *comparing) ending(ctx context.Context, q *contest, count int) error {
	ran, missed := 0, 0
	for _, e := range q.Entries {
		if !e.Chosen {
			continue
		}
		ran++
		for _, r := range e.Runs {
			if r.Result.Missed(&q.Settings) {
				missed++
				break
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted: %d of %d solvers ran", ran, count)
	case missed > 0 && !c.run.Budgeted():
		return fmt.Errorf("not solved: %d of %d solvers (%s)", missed, ran, wanted(&q.Settings))
	}
	return nil
}

// runAll runs all combinations of all solvers with all seeds, one after the other.
func (q *contest) runAll(ctx context.Context, list []fitting.Candidate) error {
	for _, candidate := range list {
		var entries []*report.Entry
		for k := range candidate.Choices {
			choice := &candidate.Choices[k]
			e := &report.Entry{Solver: candidate.Name, Set: choice.Set, Text: choice.String()}
			for seed := range q.Seeds {
				if ctx.Err() != nil {
					break
				}
				s := q.Settings
				s.Seed += uint64(seed)
				r, err := q.record(ctx, choice.Ready, s)
				if r == nil {
					return fmt.Errorf("%s: %w", candidate.Name, console.Plain(err))
				}
				e.Solver, e.Runs = r.Solver, append(e.Runs, r) // which auto has chosen
			}
			if len(e.Runs) > 0 {
				entries = append(entries, e)
			}
		}
		if len(entries) == 0 {
			break
		}
		report.Choose(entries, &q.Settings)
		q.Entries = append(q.Entries, entries...)
	}
	q.Finish()
	return nil
}

// leastPoints is the number of points that a curve has, if the solver has as many iterations.
const leastPoints = 50

// record makes a run, and its curve. A run that is too short for the points of its curve is made
// once more, with points that lie closer. The result and its seconds are of the first one: the best
// of more points may be another, and a run that is often recorded is slower by itself.
func (q *contest) record(ctx context.Context, m solvers.Ready, s solvers.Settings) (*report.Run, error) {
	if q.every == 0 && !math.IsInf(s.MaxEpochs, 0) {
		s.RecordEvery = 1
	}
	r, err := q.solve(ctx, m, s)
	if r == nil || err != nil || q.every > 0 || len(r.Points) < 2 || len(r.Points) >= leastPoints || r.Total.Iterations == 0 || ctx.Err() != nil {
		return r, err
	}
	s.MaxTime, s.MaxIterations = 0, r.Total.Iterations
	s.RecordEvery = (r.Total.Epochs - r.Points[0].Epochs) / (2 * leastPoints) // full gradients have no points between
	again, err := q.solve(ctx, m, s)
	if err == nil {
		r.Refine(again)
	}
	return r, nil
}
