package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/registry"
)

// special tells whether a solver is not one of the mean loss.
func special(name string) bool { return description(name).Objective != solvers.MeanLoss }

// tightLambda is the usual regulariser of the structural SVM, as in the library.
const tightLambda = 1e-4

// ranking checks the flags of a run that does not train the mean loss and sets what is
// usual for one: a bias, a run as long as the method's schedule, and validation by the
// metric that it trains.
func (f *problemFlags) ranking(cmd *cobra.Command, run *runFlags, name string) error {
	d := description(name)
	k := d.Objective
	switch {
	case f.kind != kernels.Logistic && k == solvers.RankedRange:
		return usagef("--loss %s: %s has the logistic loss", f.loss, name)
	case f.kind != kernels.Logistic:
		return usagef("--loss %s: %s ranks; its surrogate is chosen by --set", f.loss, name)
	case f.classWeight != "" && k == solvers.RankedRange:
		return usagef("--class-weight: %s has no weights", name)
	case f.classWeight != "":
		return usagef("--class-weight: the batches of %s are balanced by themselves", name)
	case run.gap > 0 && !d.Accepts.Gap:
		return usagef("--gap: %s has no duality gap; use --grad, --time or --valid", name)
	case cmd.Flags().Changed("batch") && k == solvers.RankedRange:
		return usagef("--batch: of %s it is --set rows=B", name)
	case cmd.Flags().Changed("batch") && k == solvers.StructuralSVM:
		return usagef("--batch: %s looks at all rows", name)
	case cmd.Flags().Changed("batch"):
		return usagef("--batch: %s has two sizes, --set positives=P and --set negatives=N", name)
	}
	if !cmd.Flags().Changed("bias") {
		f.bias = f.hidden == ""
	}
	if k == solvers.StructuralSVM && !f.lambdaSet && !f.cSet {
		f.lambda, f.lambdaSet = tightLambda, true
	}
	if run.valid != "" && run.metric == "" {
		switch k {
		case solvers.AveragePrecision:
			run.metric = "ap"
		case solvers.PartialAUC, solvers.StructuralSVM:
			run.metric = fmt.Sprintf("pauc:%v,%v", f.rates[0], f.rates[1])
		}
	}
	return nil
}

// rankingBudget leaves the end of a run to the method where nothing was asked.
func (f *runFlags) rankingBudget(s *solvers.Settings) {
	s.GapTolerance, s.GradientTolerance = f.gap, f.gradient
	if f.passes == 0 {
		s.MaxPasses = math.Inf(1)
	}
}

// ranges reads --fpr and --range, which go with solvers of one kind each.
func (f *problemFlags) ranges(cmd *cobra.Command, names ...string) error {
	rates, ranks := false, false
	for _, name := range names {
		accepts := description(name).Accepts
		rates, ranks = rates || accepts.Rates, ranks || accepts.Ranks
	}
	switch {
	case cmd.Flags().Changed("fpr") && !rates:
		return usagef("--fpr goes with solvers of the partial AUC, as agd-sbcd")
	case cmd.Flags().Changed("range") && !ranks:
		return usagef("--range goes with solvers of the sum of ranked range, as sorr-agd")
	}
	low, high, err := twoNumbers(f.fpr)
	if err != nil || !(low >= 0 && low < high && high <= 1) {
		return usagef("--fpr %s: give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.05", f.fpr)
	}
	f.rates = [2]float64{low, high}
	low, high, err = twoNumbers(f.rankRange)
	shares := strings.Contains(f.rankRange, ".")
	switch {
	case err != nil || !(low >= 0 && low < high), shares && high > 1, !shares && high > math.MaxInt32:
		return usagef("--range %s: give two ranks M,N with 0 <= M < N, or two shares of the rows, as in 0.02,0.6", f.rankRange)
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

// setting says what a run trained, as the report's line on the solver.
func (f *problemFlags) setting(r *trained, batch int) string {
	switch description(r.Solver).Objective {
	case solvers.AveragePrecision:
		return fmt.Sprintf("lambda %.6g, seed %d", r.problem.Lambda, r.Seed)
	case solvers.PartialAUC, solvers.StructuralSVM:
		return fmt.Sprintf("false-positive rates %v to %v, lambda %.6g, seed %d", f.rates[0], f.rates[1], r.problem.Lambda, r.Seed)
	case solvers.RankedRange:
		m, n := f.ranks(len(r.problem.Y))
		return fmt.Sprintf("logistic losses of ranks %d to %d, lambda %.6g, seed %d", m+1, n, r.problem.Lambda, r.Seed)
	}
	return fmt.Sprintf("%s loss, lambda %.6g, batch %d, seed %d", f.loss, r.problem.Lambda, batch, r.Seed)
}

// rankingMetrics measures the training rows.
func rankingMetrics(to map[string]float64, scores, y []float64, m registry.Ready, rates [2]float64) error {
	r, err := metrics.Rank(scores, y, nil)
	if err != nil {
		return err
	}
	if to["train_ap"], err = r.AveragePrecision(); err != nil {
		return fmt.Errorf("train_ap: %w", err)
	}
	if to["train_auc"], err = r.AUROC(); err != nil {
		return fmt.Errorf("train_auc: %w", err)
	}
	if m.Accepts.Rates {
		if _, to["train_pauc"], err = r.PartialAUC(rates[0], rates[1]); err != nil {
			return fmt.Errorf("train_pauc: %w", err)
		}
	}
	return nil
}
