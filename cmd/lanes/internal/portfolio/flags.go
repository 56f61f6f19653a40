package portfolio

import (
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// Flags say what is optimised, and how.
type Flags struct {
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
	budgeted       bool // the user has set a budget
	trace, plot    string
	compositionals []string // names of solvers
}

// Register adds the flags to a command.
func (f *Flags) Register(cmd *cobra.Command) {
	for _, d := range compositional.Names() {
		f.compositionals = append(f.compositionals, d.Name)
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
}

// check refuses flags that make no sense.
func (f *Flags) check(cmd *cobra.Command) error {
	f.budgeted = f.time > 0 || cmd.Flags().Changed("passes")
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	const above = "it must be a finite number above 0"
	for _, v := range []struct {
		flag     string
		good     bool
		expected string
	}{
		{"risk", positive(f.risk), above}, {"limit", positive(f.limit), above},
		{"lambda", f.lambda >= 0 && !math.IsInf(f.lambda, 0), "it must be a finite number, 0 or more"},
		{"passes", f.passes > 0, "it must be a number above 0"},
		{"gap", !cmd.Flags().Changed("gap") || positive(f.gap), above},
		{"table", f.table > 0, "tables are counted from 1"},
		{"holdout", f.holdout >= 0 && f.holdout < 1, "it must be a share of the periods: 0 or more, and below 1"},
		{"time", f.time >= 0, "it must be 0 (no limit) or more"},
		{"points", f.points >= 2 && f.points <= 1000, "there may be 2 to 1000"},
	} {
		if !v.good {
			return console.BadFlag(v.flag, cmd.Flags().Lookup(v.flag).Value, "%s", v.expected)
		}
	}
	for _, r := range f.frontier {
		if !positive(r) {
			return console.BadFlag("frontier", r, "every risk weight must be a finite number above 0")
		}
	}
	if cmd.Flags().Changed("frontier") && cmd.Flags().Changed("points") {
		return console.Usagef("give the risk weights by --frontier, or how many there are by --points, not both")
	}
	if f.longOnly && (cmd.Flags().Changed("lambda") || cmd.Flags().Changed("limit")) {
		return console.Usagef("--long-only: weights that sum to 1 have no use for --lambda and --limit")
	}
	return nil
}
