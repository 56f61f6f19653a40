package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

func portfolioCommand(a *console.App) *cli.Command {
	var f portfolioFlags
	cmd := &cli.Command{
		Use:   "portfolio [flags] [RETURNS]",
		Short: "Find sparse mean-variance portfolios and their efficient frontier",
		Long: `portfolio minimises  risk * variance - mean + lambda * ||x||_1  over the weights x of assets.
Mean and variance are of the portfolio's return per period, and every weight lies between -W and
W of --limit. With --long-only, weights are at least 0 and sum to 1, and lambda has no effect.
portfolio solves this for --risk and for the risk weights of the efficient frontier, on the first
periods. It reports the returns of the portfolios in the last periods (--holdout). One exact
proximal gradient step ends each run: it removes assets whose weights are almost 0. A run that
ends above its --gap has exit status 1, unless a budget that was given ended it.

RETURNS is a table of returns, a date and one number per asset in each row ('lanes help returns');
- is standard input. Without RETURNS, portfolio generates a market.`,
		Example: `  lanes portfolio 25_Portfolios_5x5_Daily.CSV --lambda 0.003 --plot frontier.png
  lanes portfolio returns.csv --long-only --frontier 0.1,0.3,1,3,10 --json
  lanes portfolio --generate n=2000,d=50 --solver agd`,
		Args: cli.Between(0, 1),
		Run:  func(cmd *cli.Command, args []string) error { return findPortfolios(a, cmd, args, &f) },
	}
	console.Declare(cmd, f.list()...)
	return cmd
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

// moments are the mean and the variance of a portfolio's return over some periods.
type moments struct{ mean, variance float64 }

func (m moments) deviation() float64 { return math.Sqrt(m.variance) }

// findPortfolios reads the returns, finds the portfolios and reports them.
func findPortfolios(a *console.App, cmd *cli.Command, args []string, f *portfolioFlags) error {
	if len(args) == 0 {
		if err := console.RefuseIdle(cmd, "RETURNS that are read", "missing", "table", "date-format"); err != nil {
			return err
		}
	}
	if err := (console.Outputs{"trace": f.trace, "plot": f.plot}).Check(a.In, args...); err != nil {
		return err
	}
	parameters, err := fitting.ParseSet(f.set)
	if err != nil {
		return err
	}
	if !slices.Contains(f.compositionals, f.solver) {
		return fitting.UnknownSolver("solver", f.solver, f.compositionals)
	}
	method, err := compositional.ByName(f.solver, parameters)
	if err != nil {
		return fitting.BadSet(parameters, err, func(one map[string]string) error {
			_, err := compositional.ByName(f.solver, one)
			return err
		})
	}
	switch {
	case f.trace != "":
		a.Points = fitting.MostTraced
	case f.plot != "":
		a.Points = fitting.MostPlotted
	}
	ctx, begun, stop := a.Interruptible(0, false)
	defer stop()
	s, err := readStudy(a, args, f)
	if err != nil {
		return err
	}
	begun()
	if s.main, err = optimise(ctx, a, s, f, method, f.risk, nil); err != nil {
		return err
	}
	a.Points = 0 // of the frontier the ends alone count
	if err := traceFrontier(ctx, a, s, f, method); err != nil {
		return err
	}
	var errs []error
	if f.trace != "" {
		errs = append(errs, writeTraceFile(a, f.trace, s.main.points))
	}
	if f.plot != "" {
		errs = append(errs, plots.DrawFrontier(a, f.plot, "Portfolios of "+filepath.Base(s.name), fmt.Sprintf("%s, risk %g, %s, seed %d", s.main.Solver, s.main.risk, f.limits(), a.Seed), s.curves(f.unit())))
	}
	errs = append(errs, reportStudy(a, f, s), portfolioEnding(ctx, a, s, f))
	return errors.Join(errs...)
}

// portfolioEnding is the error that the runs' end amounts to, if any.
func portfolioEnding(ctx context.Context, a *console.App, s *study, f *portfolioFlags) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted; what was found until then is above")
	case s.main.Status == solvers.Diverged:
		return fmt.Errorf("the run diverged after %.4g epochs; the result is the best point before. Try a smaller step (--set step=...)", s.main.Total.Epochs)
	}
	if missed, grave := s.notSolved(); missed != "" && (grave || f.time == 0 && !f.passesSet) {
		return errors.New(missed)
	} else if missed != "" {
		a.Note("%s", missed)
	}
	return nil
}

// notSolved says how far runs are from their tolerance, "" where all met it. grave says that
// no budget would bring one of them nearer.
func (s *study) notSolved() (text string, grave bool) {
	missed := 0
	for _, p := range s.frontier {
		if p.missed() {
			missed, grave = missed+1, grave || p.Status == solvers.Stalled
		}
	}
	m := s.main
	switch {
	case m.missed():
		return fmt.Sprintf("not solved: gap %.3g (wanted %.3g); %s after %.4g epochs", m.Gap, m.limits.GapTolerance, m.Status, m.Total.Epochs), grave || m.Status == solvers.Stalled
	case missed > 0:
		return fmt.Sprintf("not solved: %d of %d points of the frontier (wanted %.3g)", missed, len(s.frontier), m.limits.GapTolerance), grave
	}
	return "", false
}

// missed tells whether the portfolio is above its tolerance.
func (p *optimised) missed() bool { return p.Missed(&p.limits) && p.Gap > p.limits.GapTolerance }

// mostTidying is the number of gradient steps that may end a run.
const mostTidying = 50

// tidy ends a run by one proximal gradient step. If the run reached its tolerance, tidy takes as
// many steps as it needs to reach it again; if that fails, the run keeps its own point.
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

// problem is the one of a risk weight.
func (f *portfolioFlags) problem(s *study, risk float64) (*compositional.Problem, error) {
	composition, err := s.train.WithRisk(risk)
	if err != nil {
		return nil, console.BadUsage(console.Plain(err))
	}
	if f.longOnly {
		return &compositional.Problem{F: composition, R: penalty.Simplex{Total: 1}}, nil
	}
	return &compositional.Problem{F: composition, R: penalty.L1Box{Lambda: f.lambda, Low: -f.limit, High: f.limit}}, nil
}

// optimise finds the portfolio for a risk weight, from a starting point if there is one.
func optimise(ctx context.Context, a *console.App, s *study, f *portfolioFlags, method compositional.Method, risk float64, from []float64) (*optimised, error) {
	p, err := f.problem(s, risk)
	if err != nil {
		return nil, err
	}
	settings := solvers.Settings{
		MaxEpochs: f.passes, MaxTime: f.time, GapTolerance: f.gap, Seed: a.Seed, Initial: from, RecordEvery: 1,
	}
	if f.gap == 0 {
		largest := 0.0
		for _, v := range s.train.Mean() {
			largest = max(largest, math.Abs(v))
		}
		settings.GapTolerance = 1e-4 * largest
	}
	watch := fitting.NewProgress(a, fmt.Sprintf("%s, risk %.4g", method.Name(), risk), settings)
	settings.Recorder = watch
	start := time.Now()
	result, err := compositional.Solve(ctx, p, method, settings)
	watch.Stop()
	if result == nil {
		return nil, console.BadUsage(console.Plain(err))
	}
	tidy(p, result, settings.GapTolerance)
	out := &optimised{Result: result, risk: risk, points: watch.Points(), limits: settings, seconds: time.Since(start).Seconds()}
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
	return out, nil
}
