package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse"
)

func (a *app) compareCommand() *cobra.Command {
	var f problemFlags
	var run runFlags
	var names []string
	var html string
	cmd := &cobra.Command{
		Use:   "compare [flags] [DATA]",
		Short: "Run several solvers on one problem: table, plot, HTML page",
		Long: `compare runs solvers one after another on the same problem, with the same budget, and
prints one table. --plot draws their curves, --html writes a page that needs no network:
curves against passes and against seconds with the values under the pointer, the settings and
the machine. Without DATA it uses a generated data set.

--set name=value goes to every solver that has such a parameter, --set SOLVER.name=value to one.`,
		Example: `  lanes compare                                  # generated data, as a demonstration
  lanes compare a9a.xz --solvers ai-sarah,svrg,adam --passes 30 --plot curves.svg
  lanes compare --generate text --set svrg.step=0.5 --html report.html`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(cmd, args, names, html, &f, &run)
		},
	}
	f.register(cmd)
	f.registerRanges(cmd)
	run.register(cmd, comparePasses)
	flags := cmd.Flags()
	flags.StringSliceVar(&names, "solvers", []string{"ai-sarah", "svrg", "newton", "adam"}, "solvers to compare; train --list shows them")
	flags.StringVar(&html, "html", "", "write a page with curves to FILE")
	cmd.RegisterFlagCompletionFunc("solvers", cobra.FixedCompletions(solverNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// methods finds the solvers with the parameters meant for each.
func methods(names []string, parameters map[string]string) ([]registry.Ready, error) {
	used := make(map[string]bool)
	var list []registry.Ready
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, usagef("--solvers: %s is named twice", name)
		}
		if description(name).Objective != description(names[0]).Objective {
			return nil, usagef("--solvers: the objectives of %s and %s cannot be compared. Train them, and compare models with lanes eval", names[0], name)
		}
		if _, err := solver(name, nil); err != nil {
			return nil, err
		}
		own := make(map[string]string)
		for _, p := range description(name).Parameters {
			for _, key := range []string{p.Name, name + "." + p.Name} {
				if value, found := parameters[key]; found {
					own[p.Name], used[key] = value, true
				}
			}
		}
		method, err := solver(name, own)
		if err != nil {
			return nil, err
		}
		list = append(list, method)
	}
	for key := range parameters {
		if !used[key] {
			return nil, usagef("--set %s: none of these solvers has such a parameter (train --list shows them)", key)
		}
	}
	return list, nil
}

func (a *app) compare(cmd *cobra.Command, args, names []string, html string, f *problemFlags, run *runFlags) error {
	settings, err := run.check(cmd, a, comparePasses)
	if err != nil {
		return err
	}
	if err := f.check(cmd); err != nil {
		return err
	}
	parameters, err := parseSet(run.set)
	if err != nil {
		return err
	}
	list, err := methods(names, parameters)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usagef("--solvers names no solver")
	}
	if err := f.ranges(cmd, names...); err != nil {
		return err
	}
	f.solvers = names
	for _, name := range names {
		if !special(name) {
			continue
		}
		if err := f.ranking(cmd, run, name); err != nil {
			return err
		}
	}
	if special(names[0]) {
		run.rankingBudget(&settings)
	}
	if err := f.idle(cmd, run, names); err != nil {
		return err
	}
	if err := (outputs{"plot": run.plot, "html": html}).check(a.in, args...); err != nil {
		return err
	}
	a.points = mostPlotted
	ctx, begun, stop := a.interruptible(0)
	defer stop()
	data, err := a.load(args, &f.data, sparse.ReadOptions{})
	if err != nil {
		return err
	}
	p, err := f.prepare(data)
	if err != nil {
		return err
	}
	if err := run.checkTarget(p.Lambda); err != nil {
		return err
	}
	if settings.RecordEvery == 0 && !math.IsInf(settings.MaxPasses, 0) {
		settings.RecordEvery = 1
	}
	a.note("%s: %d rows, %d columns, %d non-zeros; %s", data.name, p.X.Rows(), p.columns, p.X.NNZ(), p.labelText())
	c := &comparison{flags: f, problem: p, settings: settings, parameters: parameters}
	begun()
	for _, method := range list {
		if ctx.Err() != nil {
			break
		}
		r, err := a.solve(ctx, p, method, settings)
		if r == nil {
			return fmt.Errorf("%s: %w", method.Name, plain(err))
		}
		c.runs = append(c.runs, r)
		c.curves = append(c.curves, curve{method.Name, r.points})
	}
	c.best = bestObjective(c.curves)
	if run.plot != "" {
		if err := a.plotRuns(run.plot, c.curves); err != nil {
			return err
		}
	}
	if html != "" {
		if err := a.write("page", html, c.writePage); err != nil {
			return err
		}
	}
	if err := a.reportComparison(c); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %d of %d solvers ran", len(c.runs), len(list))
	}
	return nil
}

// comparison is what compare reports.
type comparison struct {
	flags      *problemFlags
	problem    *prepared
	settings   solvers.Settings
	parameters map[string]string
	runs       []*trained
	curves     []curve
	best       float64
}

var tableHead = []string{"solver", "status", "passes", "seconds", "objective", "above best", "gradient norm", "duality gap"}

func (c *comparison) row(r *trained) []string {
	gap := "-"
	if r.Gap-r.Gap == 0 {
		gap = fmt.Sprintf("%.3g", r.Gap)
	}
	return []string{
		r.Solver, r.Status.String(), fmt.Sprintf("%.4g", r.Total.Passes), fmt.Sprintf("%.3g", r.Total.Seconds),
		fmt.Sprintf("%.10g", r.Objective), fmt.Sprintf("%.3g", r.Objective-c.best), fmt.Sprintf("%.3g", r.GradientNorm), gap,
	}
}

// facts are the settings and the machine, for people.
func (c *comparison) facts() [][2]string {
	p, s := c.problem, c.settings
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
	objective := fmt.Sprintf("%s loss, lambda %g, bias %v, normalize %s", c.flags.loss, p.Lambda, c.flags.bias, c.flags.normalize)
	if what := description(c.runs[0].Solver).Objective; what != solvers.MeanLoss {
		objective = fmt.Sprintf("%v (%s), bias %v, normalize %s", what, c.flags.setting(c.runs[0], 0), c.flags.bias, c.flags.normalize)
	}
	facts := [][2]string{
		{"data", p.data.name},
		{"size", fmt.Sprintf("%d rows, %d columns, %d non-zeros, layout %s", p.X.Rows(), p.columns, p.X.NNZ(), p.X.Layout())},
		{"labels", p.labelText()},
		{"objective", objective},
		{"budget", fmt.Sprintf("passes %s, time %s", number(s.MaxPasses), budget)},
		{"targets", fmt.Sprintf("gap %s, gradient norm %s", number(s.GapTolerance), number(s.GradientTolerance))},
		{"batch, seed", fmt.Sprintf("%d, %d", s.BatchSize, s.Seed)},
	}
	if c.flags.classWeight != "" {
		facts = append(facts, [2]string{"class weight", c.flags.classWeight})
	}
	for _, key := range sortedKeys(c.parameters) {
		facts = append(facts, [2]string{"set " + key, c.parameters[key]})
	}
	m := dispatch.Report()
	return append(facts,
		[2]string{"machine", fmt.Sprintf("%s, %s/%s, %d cores", m.Name, m.OS, m.Arch, m.Cores)},
		[2]string{"CPU path", fmt.Sprintf("%s (%s), %d workers", m.Path, m.Reason, c.runs[0].Workers)},
		[2]string{"program", "lanes " + version()})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func (a *app) reportComparison(c *comparison) error {
	if a.json {
		type object = map[string]any
		var runs []object
		for _, r := range c.runs {
			runs = append(runs, object{
				"solver": r.Solver, "status": r.Status.String(), "passes": r.Total.Passes,
				"gradient_evaluations": r.Total.GradientEvaluations, "iterations": r.Total.Iterations,
				"seconds": r.Total.Seconds, "train_seconds": r.seconds,
				"objective": finite(r.Objective), "above_best": finite(r.Objective - c.best),
				"gradient_norm": finite(r.GradientNorm), "duality_gap": finite(r.Gap),
				"weights_sha256": solvers.HashWeights(r.Weights), "metrics": r.metrics,
			})
		}
		p := c.problem
		return a.printJSON(object{
			"data": p.data.name, "n": p.X.Rows(), "d": p.columns, "nnz": p.X.NNZ(), "loss": c.flags.loss, "lambda": p.Lambda,
			"seed": c.settings.Seed, "cpu_path": dispatch.Current(), "load_seconds": p.data.seconds,
			"peak_rss_bytes": peakMemory(), "best_objective": finite(c.best), "runs": runs,
		})
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(tableHead, "\t"))
	for _, r := range c.runs {
		fmt.Fprintln(w, strings.Join(c.row(r), "\t"))
	}
	w.Flush()
	return a.print("%s", text.String())
}

// pagePoint is a point as the page's script reads it.
type pagePoint struct {
	Passes   float64  `json:"passes"`
	Seconds  float64  `json:"seconds"`
	Above    *float64 `json:"above"`
	Gradient *float64 `json:"gradient"`
	Gap      *float64 `json:"gap"`
	Loss     *float64 `json:"objective"`
}

type pageRun struct {
	Name   string      `json:"name"`
	Color  string      `json:"color"`
	Dashes string      `json:"dashes"`
	Points []pagePoint `json:"points"`
}

func (c *comparison) writePage(w io.Writer) error {
	page := struct {
		Title string
		Head  []string
		Rows  [][]string
		Facts [][2]string
		Runs  []pageRun
	}{Title: "Solvers on " + c.problem.data.name, Head: tableHead, Facts: c.facts()}
	for _, r := range c.runs {
		page.Rows = append(page.Rows, c.row(r))
	}
	for k, run := range c.curves {
		look := styleOf(k)
		out := pageRun{Name: run.name, Color: fmt.Sprintf("#%02x%02x%02x", look.color.R, look.color.G, look.color.B), Dashes: "none"}
		if look.color == black { // white on a dark page
			out.Color = "currentColor"
		}
		if look.dashes != nil {
			out.Dashes = strings.Trim(fmt.Sprint(look.dashes), "[]")
		}
		for _, p := range run.points {
			out.Points = append(out.Points, pagePoint{p.Passes, p.Seconds, finite(p.Objective - c.best), finite(p.GradientNorm), finite(p.Gap), finite(p.Objective)})
		}
		page.Runs = append(page.Runs, out)
	}
	return pageTemplate.Execute(w, page)
}
