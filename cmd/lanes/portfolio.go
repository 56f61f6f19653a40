package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// portfolioFlags say what is optimised, and how.
type portfolioFlags struct {
	solver         string
	set            []string
	risk, lambda   float64
	limit          float64
	longOnly       bool
	frontier       []float64
	points         int
	holdout        float64
	missing        string
	fraction       bool
	table          int
	dateOrder      string
	generate       string
	passes         float64
	time           time.Duration
	gap            float64
	trace, plot    string
	compositionals []string // names of solvers
}

func (a *app) portfolioCommand() *cobra.Command {
	var f portfolioFlags
	for _, d := range compositional.Names() {
		f.compositionals = append(f.compositionals, d.Name)
	}
	cmd := &cobra.Command{
		Use:   "portfolio [flags] [RETURNS]",
		Short: "Find sparse mean-variance portfolios and their efficient frontier",
		Long: `portfolio minimises  risk * variance - mean + lambda * ||x||_1  over the weights x of assets,
where mean and variance are those of the portfolio's returns a period and every weight lies
between -limit and limit; with --long-only, weights are at least 0 and sum to 1, and there is no
l1 term. It does so for --risk, and for the risk weights of the efficient frontier, on the first part of the
periods, and tells what the portfolios earned on the last part (--holdout). One exact proximal
gradient step ends each run: it leaves out the assets that an average of iterates hardly holds.

RETURNS is a table of returns: a date and one number an asset in each row, parted by blanks,
commas, semicolons or tabs, as in the files of Kenneth French's data library or CSV; plain or
compressed; - is standard input. Dates are 20180329, 201803, 2018, 2018-03-29, 29.03.2018, or
3/29/2018 (--date-format where days and months cannot be told apart); rows are put in their
order. Numbers may have a decimal comma where semicolons or tabs part them, and a % sign, which
changes nothing. -99.99, -999, NA and empty fields are missing values. Returns may be in
percent or fractions (--fraction makes fractions of percent); risk and lambda are in the same
units. Without RETURNS, a generated market is used.`,
		Example: `  lanes portfolio 25_Portfolios_5x5_Daily.CSV --lambda 0.003 --plot frontier.png
  lanes portfolio returns.csv --long-only --frontier 0.1,0.3,1,3,10 --json
  lanes portfolio --generate n=2000,d=50 --solver agd`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.portfolio(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.solver, "solver", "scvrg", strings.Join(f.compositionals, ", "))
	flags.StringArrayVar(&f.set, "set", nil, "solver parameter name=value, repeatable (train --list shows them)")
	flags.Float64Var(&f.risk, "risk", 1, "weight of the variance")
	flags.Float64Var(&f.lambda, "lambda", 0.003, "weight of the l1 norm, which leaves assets out")
	flags.Float64Var(&f.limit, "limit", 1, "largest weight, in magnitude")
	flags.BoolVar(&f.longOnly, "long-only", false, "weights of at least 0 that sum to 1")
	flags.Float64SliceVar(&f.frontier, "frontier", nil, "risk weights of the efficient frontier (default such that its --points are equally far apart in risk)")
	flags.IntVar(&f.points, "points", 12, "points of the efficient frontier, where --frontier does not list them")
	flags.Float64Var(&f.holdout, "holdout", 0.2, "share of the periods, the last ones, that is kept for the check")
	flags.StringVar(&f.missing, "missing", "drop", "missing values: drop their rows, or put the asset's mean or zero, or refuse them")
	flags.BoolVar(&f.fraction, "fraction", false, "divide the returns by 100")
	flags.IntVar(&f.table, "table", 1, "number of the table in a file that has several")
	flags.StringVar(&f.dateOrder, "date-format", "any", "order of day, month and year in dates that leave it open: dmy, mdy, or ymd")
	flags.StringVar(&f.generate, "generate", "", "generated market: n=PERIODS,d=ASSETS[,factors=F]")
	flags.Float64Var(&f.passes, "passes", 2000, "budget of each run, in passes over the data")
	flags.DurationVar(&f.time, "time", 0, "budget of time for each run, as in 10s")
	flags.Float64Var(&f.gap, "gap", 0, "end at this duality gap (default 1e-4 of what the asset with the largest mean earns)")
	flags.StringVar(&f.trace, "trace", "", "write the recorded points of the run for --risk to FILE (CSV)")
	flags.StringVar(&f.plot, "plot", "", "draw the frontier and the run to FILE.png or FILE.svg")
	cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(f.compositionals, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check refuses flags that make no sense.
func (f *portfolioFlags) check(cmd *cobra.Command) error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	for _, v := range []struct {
		flag  string
		value float64
		good  bool
	}{
		{"risk", f.risk, positive(f.risk)}, {"lambda", f.lambda, f.lambda >= 0 && !math.IsInf(f.lambda, 0)},
		{"limit", f.limit, positive(f.limit)}, {"passes", f.passes, f.passes > 0},
		{"gap", f.gap, !cmd.Flags().Changed("gap") || positive(f.gap)}, {"table", float64(f.table), f.table > 0},
		{"holdout", f.holdout, f.holdout >= 0 && f.holdout < 1}, {"time", f.time.Seconds(), f.time >= 0},
	} {
		if !v.good {
			return usagef("--%s %v: it is out of its range", v.flag, v.value)
		}
	}
	if f.points < 2 || f.points > 1000 {
		return usagef("--points %d: there may be 2 to 1000", f.points)
	}
	if cmd.Flags().Changed("frontier") && cmd.Flags().Changed("points") {
		return usagef("give the risk weights by --frontier, or how many there are by --points, not both")
	}
	for _, r := range f.frontier {
		if !positive(r) {
			return usagef("--frontier: the risk weight %v is not positive", r)
		}
	}
	if f.longOnly && (cmd.Flags().Changed("lambda") || cmd.Flags().Changed("limit")) {
		return usagef("--long-only: weights that sum to 1 have no use for --lambda and --limit")
	}
	return nil
}

// optimised is a portfolio with what it earned.
type optimised struct {
	*solvers.Result
	risk            float64
	points          []solvers.Point
	limits          solvers.Settings
	inside, outside moments
	active          int
	gross, seconds  float64
}

// moments are those of a portfolio's returns in one part of the periods.
type moments struct{ mean, variance float64 }

func (m moments) deviation() float64 { return math.Sqrt(m.variance) }

// study is everything that the command reports.
type study struct {
	name           string
	returns        *returns.Table
	split          int // the first period of the check
	seconds        float64
	main           *optimised
	frontier       []*optimised
	solved         []*optimised // with those found on the way to it, if any
	equal          [2]moments
	train, outside *compositional.Portfolio
}

func (a *app) portfolio(cmd *cobra.Command, args []string, f *portfolioFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	if len(args) == 0 {
		const with = "RETURNS that are read"
		if err := refuseIdle(cmd, use{"missing", false, with}, use{"table", false, with}, use{"date-format", false, with}); err != nil {
			return err
		}
	}
	if err := (outputs{"trace": f.trace, "plot": f.plot}).check(a.in, args...); err != nil {
		return err
	}
	parameters, err := parseSet(f.set)
	if err != nil {
		return err
	}
	if !slices.Contains(f.compositionals, f.solver) {
		return usagef("unknown solver %q; for portfolios there are: %s", f.solver, strings.Join(f.compositionals, ", "))
	}
	method, err := compositional.ByName(f.solver, parameters)
	if err != nil {
		return usageError{fmt.Errorf("--set: %s", portfolioText(err))}
	}
	switch {
	case f.trace != "":
		a.points = mostTraced
	case f.plot != "":
		a.points = mostPlotted
	}
	ctx, begun, stop := a.interruptible(0)
	defer stop()
	s, err := a.readStudy(args, f)
	if err != nil {
		return err
	}
	begun()
	if s.main, err = a.optimise(ctx, s, f, method, f.risk, nil); err != nil {
		return err
	}
	a.points = 0 // of the frontier the ends alone count
	if err := a.traceFrontier(ctx, s, f, method); err != nil {
		return err
	}
	var errs []error
	if f.trace != "" {
		errs = append(errs, a.writeTraceFile(f.trace, s.main.points))
	}
	if f.plot != "" {
		errs = append(errs, a.plotStudy(f.plot, s, f.unit()))
	}
	errs = append(errs, a.reportStudy(f, s), portfolioEnding(ctx, s))
	return errors.Join(errs...)
}

// portfolioEnding is the error that the runs' end amounts to, if any.
func portfolioEnding(ctx context.Context, s *study) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted; what was found until then is above")
	case s.main.Status == solvers.Diverged:
		return fmt.Errorf("the run diverged after %.4g passes; the result is the best point before. Try a smaller step (--set step=...)", s.main.Total.Passes)
	}
	return nil
}

func portfolioText(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "compositional: "), "returns: ")
}

// readStudy reads or generates returns and parts them.
func (a *app) readStudy(args []string, f *portfolioFlags) (*study, error) {
	start := time.Now()
	s := &study{}
	missing, err := returns.ParseMissing(f.missing)
	if err != nil {
		return nil, usagef("--missing: %s", portfolioText(err))
	}
	order, err := returns.ParseDateOrder(f.dateOrder)
	if err != nil {
		return nil, usagef("--date-format: %s", portfolioText(err))
	}
	options := returns.Options{Missing: missing, Fraction: f.fraction, Table: f.table, DateOrder: order}
	switch {
	case len(args) > 0 && f.generate != "":
		return nil, usagef("give either RETURNS (%s) or --generate %s, not both", args[0], f.generate)
	case len(args) == 0:
		if err := a.generateStudy(s, f); err != nil {
			return nil, err
		}
	case args[0] == "-":
		s.name = "standard input"
		s.returns, err = returns.Read(a.in, s.name, options)
	default:
		s.name = args[0]
		s.returns, err = returns.ReadFile(args[0], options)
	}
	if err != nil {
		return nil, dataError{fileTrouble(err, s.name)}
	}
	r := s.returns
	s.split = r.Periods - int(f.holdout*float64(r.Periods))
	d := len(r.Assets)
	if s.train, err = compositional.NewPortfolio(r.Rows(0, s.split), s.split, d, f.risk); err == nil && s.split < r.Periods {
		s.outside, err = compositional.NewPortfolio(r.Rows(s.split, r.Periods), r.Periods-s.split, d, f.risk)
	}
	if err != nil {
		return nil, dataError{fmt.Errorf("%s: %s", s.name, portfolioText(err))}
	}
	s.train.Smoothness() // remembered by the copies for all risk weights
	equal := make([]float64, len(r.Assets))
	for j := range equal {
		equal[j] = 1 / float64(len(equal))
	}
	if s.equal, err = s.moments(equal); err != nil {
		return nil, err
	}
	s.seconds = time.Since(start).Seconds()
	if len(args) > 0 {
		a.note("%s: %d periods of %d assets; %s", s.name, r.Periods, len(r.Assets), r.Report)
		if r.Report.Prices > 0 {
			a.note("%d assets look like prices: they never fall below 0 and are 5 or more on average; returns are wanted, price over price before, minus 1", r.Report.Prices)
		}
	}
	return s, nil
}

func (a *app) generateStudy(s *study, f *portfolioFlags) error {
	market := returns.Market{Periods: 5000, Assets: 25, Seed: a.seed}
	if f.generate == "" {
		a.note("no RETURNS given: using a generated market (--generate n=%d,d=%d)", market.Periods, market.Assets)
	}
	for _, part := range strings.FieldsFunc(f.generate, func(c rune) bool { return c == ',' }) {
		name, text, _ := strings.Cut(part, "=")
		v, err := strconv.Atoi(text)
		target, known := map[string]*int{"n": &market.Periods, "d": &market.Assets, "factors": &market.Factors}[name]
		if err != nil || !known || v < 1 {
			return usagef("--generate %s: write n=PERIODS,d=ASSETS,factors=F", f.generate)
		}
		*target = v
	}
	var err error
	if s.returns, err = market.Generate(); err != nil {
		return usagef("--generate %s: %s", f.generate, portfolioText(err))
	}
	if f.fraction {
		for k := range s.returns.Values {
			s.returns.Values[k] /= 100
		}
	}
	s.name = fmt.Sprintf("generated market n=%d,d=%d,seed=%d", market.Periods, market.Assets, a.seed)
	return nil
}

// moments are those of both parts; NaN where there is no second.
func (s *study) moments(x []float64) (out [2]moments, err error) {
	out[1] = moments{math.NaN(), math.NaN()}
	if out[0].mean, out[0].variance, err = s.train.Moments(x); err == nil && s.outside != nil {
		out[1].mean, out[1].variance, err = s.outside.Moments(x)
	}
	return out, err
}

// mostTidying is the number of gradient steps that may end a run.
const mostTidying = 50

// tidy ends a run by a proximal gradient step, or by as many as it takes to be within
// the target again that the run reached; without that the run keeps its own point.
func tidy(p *compositional.Problem, r *solvers.Result, target float64) {
	for _, s := range []solvers.Settings{
		{Initial: r.Weights, MaxIterations: 1},
		{Initial: r.Weights, MaxIterations: mostTidying, GapTolerance: target},
	} {
		tidied, err := compositional.Solve(context.Background(), p, compositional.AGD{}, s)
		if err == nil && (tidied.Gap <= target || r.Status != solvers.Converged) {
			r.Weights, r.Point = tidied.Weights, tidied.Point
			return
		}
	}
}

// optimise finds the portfolio for a risk weight, from a starting point if there is one.
func (a *app) optimise(ctx context.Context, s *study, f *portfolioFlags, method compositional.Method, risk float64, from []float64) (*optimised, error) {
	composition, err := s.train.WithRisk(risk)
	if err != nil {
		return nil, usageError{errors.New(portfolioText(err))}
	}
	p := &compositional.Problem{F: composition, R: compositional.L1Box{Lambda: f.lambda, Low: -f.limit, High: f.limit}}
	if f.longOnly {
		p.R = &compositional.Simplex{Total: 1}
	}
	settings := solvers.Settings{
		MaxPasses: f.passes, MaxTime: f.time, GapTolerance: f.gap, Seed: a.seed, Initial: from, RecordEvery: 1,
	}
	if f.gap == 0 {
		largest := 0.0
		for _, v := range s.train.Mean() {
			largest = max(largest, math.Abs(v))
		}
		settings.GapTolerance = 1e-4 * largest
	}
	watch := a.newProgress(fmt.Sprintf("%s, risk %.4g", method.Name(), risk), settings)
	settings.Recorder = watch
	start := time.Now()
	result, err := compositional.Solve(ctx, p, method, settings)
	watch.stop()
	if result == nil {
		return nil, usageError{errors.New(portfolioText(plain(err)))}
	}
	tidy(p, result, settings.GapTolerance)
	out := &optimised{Result: result, risk: risk, points: watch.points(), limits: settings, seconds: time.Since(start).Seconds()}
	both, err := s.moments(result.Weights)
	if err != nil {
		return nil, err
	}
	out.inside, out.outside = both[0], both[1]
	for _, w := range result.Weights {
		out.gross += math.Abs(w)
		if w != 0 {
			out.active++
		}
	}
	if result.Gap > settings.GapTolerance && (result.Status.Finished() || result.Status == solvers.Stalled) || result.Status == solvers.TimeReached {
		a.note("risk %g: the gap %.2g is above its target %.2g when the run ended (%s)", risk, result.Gap, settings.GapTolerance, result.Status)
	}
	return out, nil
}
