package command

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// ofPortfolios are the flags that solvers of portfolios take in a comparison.
var ofPortfolios = []string{"solvers", "set", "paper", "seeds", "lambda", "epochs", "time", "gap", "record-every", "generate", "plot", "html", "trace"}

// posePortfolio poses the problem of solvers of portfolios: all periods of a table of returns.
func (c *comparing) posePortfolio(_ context.Context, a *console.App, cmd *cli.Command, args []string, _ *solvers.Settings, _ map[string]string) (*contest, error) {
	f := &c.market
	if err := console.RefuseOthers(cmd, "solvers of a mean loss or a ranking; "+c.names[0]+" finds portfolios", append(f.own(), ofPortfolios...)...); err != nil {
		return nil, err
	}
	o := c.f.Options(&c.run)
	if f.lambda, _ = strconv.ParseFloat(usualLambda, 64); o.Penalty.L2 > 0 || o.Penalty.None {
		f.lambda = o.Penalty.L2
	}
	f.missing, f.dateOrder, f.table, f.generate = "drop", "any", 1, c.f.Data.Generate
	s, err := readStudy(a, args, f)
	if err != nil {
		return nil, err
	}
	p, err := f.problem(s, f.risk)
	if err != nil {
		return nil, err
	}
	r := s.returns
	q := &contest{Comparison: report.Comparison{
		Data: s.name, Objective: fmt.Sprintf("portfolios, risk %g, %s", f.risk, f.limits()),
		Facts:  [][2]string{{"size", fmt.Sprintf("%d periods, %d assets", r.Periods, len(r.Assets))}},
		Fields: map[string]any{"periods": r.Periods, "assets": len(r.Assets), "risk": f.risk, "lambda": f.lambda, "limit": f.limit, "long_only": f.longOnly, "load_seconds": s.seconds},
	}}
	q.solve = func(ctx context.Context, m solvers.Ready, settings solvers.Settings) (*report.Run, error) {
		method, is := m.Method.(compositional.Method)
		if !is {
			return nil, fmt.Errorf("%s finds no portfolios", m.Name)
		}
		settings.Workers = a.Workers
		watch := fitting.NewProgress(a, m.Name, settings)
		settings.Recorder = watch
		start := time.Now()
		result, err := compositional.Solve(ctx, p, method, settings)
		seconds := time.Since(start).Seconds()
		if watch.Stop(); result == nil {
			return nil, console.BadUsage(console.Plain(err))
		}
		return &report.Run{Result: result, Points: watch.Points(), Seconds: seconds, Recording: math.Max(0, seconds-result.Total.Seconds), Metrics: map[string]float64{}}, nil
	}
	return q, nil
}
