package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
)

// ranks tells whether a solver trains a ranking, not the loss of a classifier:
// its scores are no log odds, and its objective is not comparable with others'.
func ranks(name string) bool {
	return slices.ContainsFunc(ap.Names(), func(d solvers.Description) bool { return d.Name == name })
}

// ranking checks the flags of a run that trains a ranking and sets what is usual
// for one: a bias, a run as long as the method's schedule, and validation by average
// precision.
func (f *problemFlags) ranking(cmd *cobra.Command, run *runFlags, name string) error {
	switch {
	case f.kind != kernels.Logistic:
		return usagef("--loss %s: %s ranks; its surrogate is chosen by --set", f.loss, name)
	case f.classWeight != "":
		return usagef("--class-weight: the batches of %s are balanced by themselves", name)
	case run.gap > 0:
		return usagef("--gap: a ranking has no duality gap; use --grad, --time or --valid")
	case cmd.Flags().Changed("batch"):
		return usagef("--batch: %s has two sizes, --set positives=P and --set negatives=N", name)
	}
	if !cmd.Flags().Changed("bias") {
		f.bias = f.hidden == ""
	}
	if run.valid != "" && run.metric == "" {
		run.metric = "ap"
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

// minimiseRanking runs a method of the ranking families.
func minimiseRanking(ctx context.Context, p *prepared, m ap.Method, settings solvers.Settings) (*solvers.Result, error) {
	return ap.Solve(ctx, &ap.Problem{X: p.X, Y: p.Y, Lambda: p.Lambda, Model: p.model}, m, settings)
}

// rankingMetrics measures the training rows.
func rankingMetrics(to map[string]float64, scores, y []float64) error {
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
	return nil
}
