package fitting

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// Special tells whether a solver is not one of the mean loss.
func Special(name string) bool {
	what := Description(name).Objective
	return what != solvers.MeanLoss && what != solvers.SparseLoss
}

// tightLambda is the usual regulariser of the structural SVM, as in the library.
const tightLambda = 1e-4

// Ranking checks the flags of a run that does not train the mean loss and sets what is
// usual for one: a bias, a run as long as the method's schedule, and validation by the
// metric that it trains.
func (f *ProblemFlags) Ranking(cmd *cobra.Command, run *RunFlags, name string) error {
	d := Description(name)
	k := d.Objective
	switch {
	case f.Kind != kernels.Logistic && k == solvers.RankedRange:
		return console.BadFlag("loss", f.Loss, "%s has the logistic loss", name)
	case f.Kind != kernels.Logistic:
		return console.BadFlag("loss", f.Loss, "%s ranks; its surrogate is chosen by --set", name)
	case f.ClassWeight != "" && k == solvers.RankedRange:
		return console.BadFlag("class-weight", f.ClassWeight, "%s has no weights", name)
	case f.ClassWeight != "":
		return console.BadFlag("class-weight", f.ClassWeight, "the batches of %s are balanced by themselves", name)
	case run.Gap > 0 && !d.Accepts.Gap:
		return console.BadFlag("gap", run.Gap, "%s has no duality gap; use --grad, --time or --valid", name)
	case cmd.Flags().Changed("batch") && k == solvers.RankedRange:
		return console.BadFlag("batch", run.batch, "of %s it is --set rows=B", name)
	case cmd.Flags().Changed("batch") && k == solvers.StructuralSVM:
		return console.BadFlag("batch", run.batch, "%s looks at all rows", name)
	case cmd.Flags().Changed("batch"):
		return console.BadFlag("batch", run.batch, "%s has two sizes, --set positives=P and --set negatives=N", name)
	}
	if !cmd.Flags().Changed("bias") {
		f.Bias = f.hidden == "" && !f.posed
	}
	if k == solvers.StructuralSVM && !f.lambdaSet && !f.cSet {
		f.lambda, f.lambdaSet = tightLambda, true
	}
	if run.Valid != "" && run.Metric == "" {
		switch k {
		case solvers.AveragePrecision:
			run.Metric = "ap"
		case solvers.PartialAUC, solvers.StructuralSVM:
			run.Metric = fmt.Sprintf("pauc:%v,%v", f.rates[0], f.rates[1])
		}
	}
	return nil
}

// Papers turns --paper into the parameter that it stands for, and poses the problem as the
// paper of the solvers does where that parameter is set, but for what other flags say.
func (f *ProblemFlags) Papers(cmd *cobra.Command, parameters map[string]string, names ...string) error {
	changed := cmd.Flags().Changed
	known := false
	for _, name := range names {
		paper := Description(name).Paper
		known = known || paper.Section != ""
		set := parameters["paper"] + parameters[name+".paper"]
		if on, err := strconv.ParseBool(set); paper.Section == "" || !f.paper && (err != nil || !on) {
			continue
		}
		f.posed = true
		if !f.lambdaSet && !f.cSet && !paper.PerRow {
			f.lambda, f.lambdaSet = paper.Lambda, true
		}
		if !changed("normalize") {
			switch {
			case paper.Scaled:
				f.Normalize = model.NormalizeMinMax
			case paper.Unit:
				f.Normalize = model.NormalizeUnit
			}
		}
		if paper.Bias && !changed("bias") {
			f.Bias = true
		}
		if paper.High > 0 && !changed("fpr") {
			f.fpr = fmt.Sprintf("%v,%v", paper.Low, paper.High)
		}
		if paper.N > 0 && !changed("range") {
			f.ranks = pauc.PaperRanks
		}
	}
	switch {
	case f.paper && !known:
		return console.BadFlag("paper", f.paper, "no setting of a paper is known of %s", strings.Join(names, ", "))
	case f.paper && parameters["paper"] != "":
		return console.BadFlag("set", "paper="+parameters["paper"], "--paper sets it too")
	case f.paper:
		parameters["paper"] = "true"
	}
	return nil
}

// RankingBudget leaves the end of a run to the method where nothing was asked.
func (f *RunFlags) RankingBudget(s *solvers.Settings) {
	s.GapTolerance, s.GradientTolerance = f.Gap, f.Gradient
	if f.passes == 0 {
		s.MaxPasses = math.Inf(1)
	}
}

// Ranges reads --fpr and --range, which go with solvers of one kind each.
func (f *ProblemFlags) Ranges(cmd *cobra.Command, names ...string) error {
	rates, ranks := false, false
	for _, name := range names {
		accepts := Description(name).Accepts
		rates, ranks = rates || accepts.Rates, ranks || accepts.Ranks
	}
	switch {
	case cmd.Flags().Changed("fpr") && !rates:
		return console.Usagef("--fpr goes with solvers of the partial AUC, as agd-sbcd")
	case cmd.Flags().Changed("range") && !ranks:
		return console.Usagef("--range goes with solvers of the sum of ranked range, as sorr-agd")
	}
	low, high, err := twoNumbers(f.fpr)
	if err != nil || !(low >= 0 && low < high && high <= 1) {
		return console.BadFlag("fpr", f.fpr, "give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.05")
	}
	f.rates = [2]float64{low, high}
	low, high, err = twoNumbers(f.rankRange)
	shares := strings.Contains(f.rankRange, ".")
	switch {
	case f.ranks != nil: // of a paper
	case err != nil || !(low >= 0 && low < high), shares && high > 1, !shares && high > math.MaxInt32:
		return console.BadFlag("range", f.rankRange, "give two ranks M,N with 0 <= M < N, or two shares of the rows, as in 0.02,0.6")
	case shares:
		f.ranks = func(rows int) (m, n int) { return pauc.Ranks(low, high, rows) }
	default:
		f.ranks = func(int) (m, n int) { return int(low), int(high) }
	}
	return nil
}

func twoNumbers(text string) (a, b float64, err error) {
	left, right, _ := strings.Cut(text, ",")
	a, err = strconv.ParseFloat(left, 64)
	if err == nil {
		b, err = strconv.ParseFloat(right, 64)
	}
	return a, b, err
}

// Setting says what a run trained, as the report's line on the solver.
func (f *ProblemFlags) Setting(r *Trained, batch int) string {
	d := Description(r.Solver)
	switch d.Objective {
	case solvers.AveragePrecision:
		return fmt.Sprintf("lambda %.6g, seed %d", r.Problem.Lambda, r.Seed)
	case solvers.PartialAUC, solvers.StructuralSVM:
		return fmt.Sprintf("false-positive rates %v to %v, lambda %.6g, seed %d", f.rates[0], f.rates[1], r.Problem.Lambda, r.Seed)
	case solvers.RankedRange:
		m, n := f.ranks(len(r.Problem.Y))
		return fmt.Sprintf("logistic losses of ranks %d to %d, lambda %.6g, seed %d", m+1, n, r.Problem.Lambda, r.Seed)
	case solvers.SparseLoss:
		intercept := ""
		if r.Problem.Intercept {
			intercept = ", a free intercept"
		}
		return fmt.Sprintf("%s loss, l1 %.6g, lambda %.6g%s", f.Loss, r.Problem.L1, r.Problem.Lambda, intercept)
	}
	steps := ""
	if d.Accepts.Batch {
		steps = fmt.Sprintf(", batch %d", batch)
	}
	return fmt.Sprintf("%s loss, lambda %.6g%s, seed %d", f.Loss, r.Problem.Lambda, steps, r.Seed)
}
