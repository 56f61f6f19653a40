package command

import (
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// usualLambda is the weight of the L1 norm where none is given.
const usualLambda = "0.003"

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
	passesSet      bool
	trace, plot    string
	compositionals []string // names of solvers
}

// own names the flags of portfolios that compare has too.
func (f *portfolioFlags) own() []string { return []string{"risk", "limit", "long-only", "fraction"} }

// shared declares these flags.
func (f *portfolioFlags) shared() []console.Flag {
	list := slices.DeleteFunc(f.list(), func(flag console.Flag) bool { return !slices.Contains(f.own(), flag.Name) })
	return console.Group("Returns", list...)
}

// list declares the flags.
func (f *portfolioFlags) list() []console.Flag {
	for _, d := range compositional.Solvers() {
		f.compositionals = append(f.compositionals, d.Name)
	}
	const ofSum = "--long-only: weights that sum to 1 have no use for --lambda and --limit"
	return slices.Concat(
		console.Group("Returns",
			console.Flag{Name: "missing", Value: &f.missing, Default: "drop", Help: "missing values, `HOW`: drop (the rows), mean, zero or refuse"},
			console.Flag{Name: "fraction", Value: &f.fraction, Help: "divide the returns by 100, from per cent to fractions"},
			console.Flag{Name: "table", Value: &f.table, Default: "1", Range: console.Range{Holds: console.Positive.Holds, Want: "tables are counted from 1"},
				Help: "table `N` of a file of several"},
			console.Flag{Name: "date-format", Value: &f.dateOrder, Default: "any", Help: "`ORDER` of ambiguous dates: dmy, mdy or ymd"},
			console.Flag{Name: "generate", Value: &f.generate, Help: "generated market of a `SHAPE`: n=PERIODS,d=ASSETS[,factors=F]"}),
		console.Group(console.ModelGroup,
			console.Flag{Name: "risk", Value: &f.risk, Default: "1", Range: console.PositiveFinite, Help: "weight `RISK` of the variance"},
			console.Flag{Name: "lambda", Value: &f.lambda, Default: usualLambda, Range: console.NotNegative, Help: "weight `LAMBDA` of the L1 norm, which removes assets"},
			console.Flag{Name: "limit", Value: &f.limit, Default: "1", Range: console.PositiveFinite, Help: "largest magnitude `W` of an asset's weight"},
			console.Flag{Name: "long-only", Value: &f.longOnly, Excludes: map[string]string{"lambda": ofSum, "limit": ofSum}, Help: "weights at least 0 with the sum 1"},
			console.Flag{Name: "holdout", Value: &f.holdout, Default: "0.2",
				Range: console.Range{Holds: func(v float64) bool { return v >= 0 && v < 1 }, Want: "it must be a share of the periods: 0 or more, and below 1"},
				Help:  "share `P` of the periods, the last ones, for the test"}),
		console.Group("Search",
			console.Flag{Name: "frontier", Value: &f.frontier, Range: console.PositiveFinite,
				Excludes: map[string]string{"points": "give the risk weights by --frontier, or how many there are by --points, not both"},
				Help:     "risk `WEIGHTS` of the frontier (default: --points evenly spaced risks)"},
			console.Flag{Name: "points", Value: &f.points, Default: "12",
				Range: console.Range{Holds: func(v float64) bool { return v >= 2 && v <= 1000 }, Want: "there may be 2 to 1000"},
				Help:  "`N` portfolios of the frontier, without --frontier"}),
		console.Group(console.ModelGroup,
			console.Flag{Name: "solver", Value: &f.solver, Default: "scvrg", Complete: cli.Fixed(f.compositionals),
				Help: "solver `NAME`: " + strings.Join(f.compositionals, ", ")},
			console.Flag{Name: "set", Value: &f.set, Whole: true, Help: "parameter `NAME=VALUE` of the solver, repeatable; see 'train --list SOLVER'"}),
		console.Group("Stopping",
			console.Flag{Name: "epochs", Value: &f.passes, Given: &f.passesSet, Default: "2000", Range: console.Positive, Help: "at most `N` passes over the data in each run"},
			console.Flag{Name: "time", Value: &f.time, Range: console.Range{Holds: func(v float64) bool { return v >= 0 }, Want: "it must be 0 (no limit) or more"},
				Help: "budget of time `T` for each run, as in 10s"},
			console.Flag{Name: "gap", Value: &f.gap, Range: console.PositiveFinite, Help: "stop at a duality gap of `G` (default 1e-4 of the largest mean return)"}),
		console.Group(console.OutputGroup,
			console.Flag{Name: "trace", Value: &f.trace, Help: "write the recorded points of the run for --risk to `FILE` (CSV)"},
			console.Flag{Name: "plot", Value: &f.plot, Help: "draw the frontier and the run to `FILE`, .png or .svg"}),
	)
}
