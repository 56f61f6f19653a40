package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// kind says what a solver makes small: objectives of one kind can be compared.
type kind int

const (
	kindLoss      kind = iota // the mean loss of rows
	kindPrecision             // 1 minus the average precision
	kindPartial               // 1 minus the partial AUC
	kindRange                 // the mean of a ranked range of losses
	kindTight                 // the regularised surrogate of a structural SVM
)

func kindOf(name string) kind {
	for _, d := range solvers.Catalog() {
		switch {
		case d.Name != name:
		case d.Family == "ap":
			return kindPrecision
		case d.Family == "pauc":
			m, err := pauc.ByName(name, nil)
			switch {
			case err == nil && m.Algorithm.Range():
				return kindRange
			case err == nil && m.Algorithm.Linear():
				return kindTight
			}
			return kindPartial
		}
	}
	return kindLoss
}

// objective says what an objective of a kind is, "" for the mean loss.
func (k kind) objective() string {
	return [...]string{"", "1 - average precision", "1 - partial AUC", "mean loss of the range", "structural SVM"}[k]
}

// ranks tells whether a solver trains a ranking, not the loss of a classifier:
// its scores are no log odds, and its objective is not comparable with others'.
func ranks(name string) bool {
	k := kindOf(name)
	return k == kindPrecision || k.ofRates()
}

// ofRates tells whether a kind has a range of false-positive rates.
func (k kind) ofRates() bool { return k == kindPartial || k == kindTight }

// special tells whether a solver is not one of the mean loss.
func special(name string) bool { return kindOf(name) != kindLoss }

// tightLambda is the usual regulariser of the structural SVM, as in the library.
const tightLambda = 1e-4

// ranking checks the flags of a run that does not train the mean loss and sets what is
// usual for one: a bias, a run as long as the method's schedule, and validation by the
// metric that it trains.
func (f *problemFlags) ranking(cmd *cobra.Command, run *runFlags, name string) error {
	k := kindOf(name)
	switch {
	case f.kind != kernels.Logistic && k == kindRange:
		return usagef("--loss %s: %s has the logistic loss", f.loss, name)
	case f.kind != kernels.Logistic:
		return usagef("--loss %s: %s ranks; its surrogate is chosen by --set", f.loss, name)
	case f.classWeight != "" && k == kindRange:
		return usagef("--class-weight: %s has no weights", name)
	case f.classWeight != "":
		return usagef("--class-weight: the batches of %s are balanced by themselves", name)
	case run.gap > 0 && k != kindTight:
		return usagef("--gap: %s has no duality gap; use --grad, --time or --valid", name)
	case cmd.Flags().Changed("batch") && k == kindRange:
		return usagef("--batch: of %s it is --set rows=B", name)
	case cmd.Flags().Changed("batch") && k == kindTight:
		return usagef("--batch: %s looks at all rows", name)
	case cmd.Flags().Changed("batch"):
		return usagef("--batch: %s has two sizes, --set positives=P and --set negatives=N", name)
	}
	if !cmd.Flags().Changed("bias") {
		f.bias = f.hidden == ""
	}
	if k == kindTight && !f.lambdaSet && !f.cSet {
		f.lambda, f.lambdaSet = tightLambda, true
	}
	if run.valid != "" && run.metric == "" {
		switch k {
		case kindPrecision:
			run.metric = "ap"
		case kindPartial, kindTight:
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

// partial is a method of the pauc family with its range.
type partial struct {
	pauc.Method
	rates [2]float64 // of false positives
	ranks func(rows int) (m, n int)
}

// withRange gives a method of the pauc family the range of the flags.
func (f *problemFlags) withRange(m method) method {
	if p, is := m.(pauc.Method); is {
		return partial{p, f.rates, f.ranks}
	}
	return m
}

// ranges reads --fpr and --range, which go with solvers of one kind each.
func (f *problemFlags) ranges(cmd *cobra.Command, names ...string) error {
	rates, ranks := false, false
	for _, name := range names {
		rates, ranks = rates || kindOf(name).ofRates(), ranks || kindOf(name) == kindRange
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

// minimiseRange runs a method of the pauc family.
func minimiseRange(ctx context.Context, p *prepared, m partial, settings solvers.Settings) (*solvers.Result, error) {
	if m.Algorithm.Range() {
		first, last := m.ranks(len(p.Y))
		return pauc.SolveRange(ctx, &pauc.RangeProblem{X: p.X, Y: p.Y, M: first, N: last, Lambda: p.Lambda, Model: p.model}, m.Method, settings)
	}
	return pauc.Solve(ctx, &pauc.Problem{X: p.X, Y: p.Y, Low: m.rates[0], High: m.rates[1], Lambda: p.Lambda, Model: p.model}, m.Method, settings)
}

// setting says what a run trained, as the report's line on the solver.
func (f *problemFlags) setting(r *trained, batch int) string {
	switch kindOf(r.Solver) {
	case kindPrecision:
		return fmt.Sprintf("lambda %.6g, seed %d", r.problem.Lambda, r.Seed)
	case kindPartial, kindTight:
		return fmt.Sprintf("false-positive rates %v to %v, lambda %.6g, seed %d", f.rates[0], f.rates[1], r.problem.Lambda, r.Seed)
	case kindRange:
		m, n := f.ranks(len(r.problem.Y))
		return fmt.Sprintf("logistic losses of ranks %d to %d, lambda %.6g, seed %d", m+1, n, r.problem.Lambda, r.Seed)
	}
	return fmt.Sprintf("%s loss, lambda %.6g, batch %d, seed %d", f.loss, r.problem.Lambda, batch, r.Seed)
}

// rankingMetrics measures the training rows.
func rankingMetrics(to map[string]float64, scores, y []float64, m method) error {
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
	if p, is := m.(partial); is {
		if _, to["train_pauc"], err = r.PartialAUC(p.rates[0], p.rates[1]); err != nil {
			return fmt.Errorf("train_pauc: %w", err)
		}
	}
	return nil
}
