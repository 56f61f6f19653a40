package command

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
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
	passesSet      bool
	trace, plot    string
	compositionals []string // names of solvers
}

// list declares the flags.
func (f *portfolioFlags) list() []console.Flag {
	for _, d := range compositional.Names() {
		f.compositionals = append(f.compositionals, d.Name)
	}
	const returns, problem, frontier, stopping = "Returns", "Problem", "Efficient frontier", "Stopping"
	const ofSum = "--long-only: weights that sum to 1 have no use for --lambda and --limit"
	return []console.Flag{
		{Name: "missing", Value: &f.missing, Group: returns, Default: "drop", Help: "missing values: drop rows, put mean or zero, or refuse"},
		{Name: "fraction", Value: &f.fraction, Group: returns, Help: "divide the returns by 100"},
		{Name: "table", Value: &f.table, Group: returns, Default: "1", Range: console.Range{Holds: console.Positive.Holds, Want: "tables are counted from 1"},
			Help: "number of the table in a file of several"},
		{Name: "date-format", Value: &f.dateOrder, Group: returns, Default: "any", Help: "order of ambiguous dates: dmy, mdy or ymd"},
		{Name: "generate", Value: &f.generate, Group: returns, Help: "generated market: `n=PERIODS,d=ASSETS`[,factors=F]"},

		{Name: "risk", Value: &f.risk, Group: problem, Default: "1", Range: console.PositiveFinite, Help: "weight of the variance"},
		{Name: "lambda", Value: &f.lambda, Group: problem, Default: "0.003", Range: console.NotNegative, Help: "weight of the L1 norm, which leaves assets out"},
		{Name: "limit", Value: &f.limit, Group: problem, Default: "1", Range: console.PositiveFinite, Help: "largest weight of an asset, in magnitude"},
		{Name: "long-only", Value: &f.longOnly, Group: problem, Excludes: map[string]string{"lambda": ofSum, "limit": ofSum}, Help: "weights of at least 0 that sum to 1"},
		{Name: "holdout", Value: &f.holdout, Group: problem, Default: "0.2",
			Range: console.Range{Holds: func(v float64) bool { return v >= 0 && v < 1 }, Want: "it must be a share of the periods: 0 or more, and below 1"},
			Help:  "share of the periods, the last ones, kept for the check"},

		{Name: "frontier", Value: &f.frontier, Group: frontier, Range: console.PositiveFinite,
			Excludes: map[string]string{"points": "give the risk weights by --frontier, or how many there are by --points, not both"},
			Help:     "risk weights (default: --points of evenly spaced risks)"},
		{Name: "points", Value: &f.points, Group: frontier, Default: "12",
			Range: console.Range{Holds: func(v float64) bool { return v >= 2 && v <= 1000 }, Want: "there may be 2 to 1000"},
			Help:  "portfolios without --frontier"},

		{Name: "solver", Value: &f.solver, Group: "Solver", Default: "scvrg", Complete: cobra.FixedCompletions(f.compositionals, cobra.ShellCompDirectiveNoFileComp),
			Help: "`name`: " + strings.Join(f.compositionals, ", ")},
		{Name: "set", Value: &f.set, Whole: true, Group: "Solver", Help: "parameter of the solver, `NAME=VALUE`, repeatable (train --list shows them)"},

		{Name: "passes", Value: &f.passes, Given: &f.passesSet, Group: stopping, Default: "2000", Range: console.Positive, Help: "budget of each run, in passes over the data"},
		{Name: "time", Value: &f.time, Group: stopping, Range: console.Range{Holds: func(v float64) bool { return v >= 0 }, Want: "it must be 0 (no limit) or more"},
			Help: "budget of time for each run, as in 10s"},
		{Name: "gap", Value: &f.gap, Group: stopping, Range: console.PositiveFinite, Help: "stop at this duality gap (default 1e-4 of the largest mean return)"},

		{Name: "trace", Value: &f.trace, Group: console.OutputGroup, Help: "write the recorded points of the run for --risk to `FILE` (CSV)"},
		{Name: "plot", Value: &f.plot, Group: console.OutputGroup, Help: "draw the frontier and the run to `FILE`, .png or .svg"},
	}
}
