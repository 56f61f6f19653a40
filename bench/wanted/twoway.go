package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// The bounds of the two-way partial AUC, and the metric that stands for them.
const (
	mostFPR, leastTPR = 0.5, 0.7
	twoWayGoal        = "pauc:0,0.5,0.7"
)

// seeds is how often a way is trained.
const seeds = 5

// A wayToRank trains a model by a seed.
type wayToRank struct {
	name  string // the flags of lanes train, if they train it
	train func(seed uint64) (model.Model, error)
}

// waysToRank are ways to train for the two-way partial AUC, for parts of it, and for neither:
// linear models, and then perceptrons.
func waysToRank(s *datasets.Split) ([]wayToRank, error) {
	ctx, data := context.Background(), &sparse.Data{X: s.X, Y: s.Y}
	rates, hidden := [2]float64{0, mostFPR}, []int{32}
	list := []wayToRank{{"--for " + twoWayGoal, func(seed uint64) (model.Model, error) {
		return lanes.For(ctx, data, twoWayGoal, 0, lanes.Options{Settings: solvers.Settings{Seed: seed}})
	}}}
	for _, layer := range [][]int{nil, hidden} {
		end := ""
		if layer != nil {
			end = " --hidden 32"
		}
		add := func(flags string, o lanes.Options) {
			o.Hidden = layer
			list = append(list, wayToRank{flags + end, func(seed uint64) (model.Model, error) {
				o.Settings.Seed = seed
				return lanes.Train(ctx, data, o)
			}})
		}
		add("--solver mb-pauc --fpr 0,0.5 --tpr 0.7", lanes.Options{Solver: "mb-pauc", Rates: rates, MinTPR: leastTPR})
		add("--solver agd-sbcd --fpr 0,0.5 --tpr 0.7", lanes.Options{Solver: "agd-sbcd", Rates: rates, MinTPR: leastTPR})
		add("--solver mb-pauc --fpr 0,0.5", lanes.Options{Solver: "mb-pauc", Rates: rates})
		add("--solver mb-pauc --fpr 0,1", lanes.Options{Solver: "mb-pauc", Rates: [2]float64{0, 1}})
		add("--solver auc-m", lanes.Options{Solver: "auc-m"})
		if layer == nil {
			add("logistic regression", lanes.Options{})
		}
	}
	sota, err := tuned(s.X, s.Y)
	if err != nil {
		return nil, err
	}
	start, err := logisticFit(s.X, s.Y)
	if err != nil {
		return nil, err
	}
	rows := newSotaRows(s.X, s.Y)
	name := fmt.Sprintf("SOTA-s, temperatures %v and %v, step %v", sota.inner, sota.outer, sota.step)
	return slices.Insert(list, 3, wayToRank{name, func(seed uint64) (model.Model, error) {
		return &model.Linear{
			Card: model.Card{Features: s.X.Cols(), Positive: 1, Negative: -1}, SolverType: "L2R_LR", Bias: 1,
			Weights: sota.train(rows, start, seed),
		}, nil
	}}), nil
}

// twoWay measures every way on the test rows of a data set.
func twoWay(s *datasets.Split) (rows [][]string, err error) {
	ways, err := waysToRank(s)
	if err != nil {
		return nil, err
	}
	test := &sparse.Data{X: s.TestX, Y: s.TestY}
	best, bestAt := 0.0, 0
	for _, way := range ways {
		var two, one, whole, took []float64
		for seed := range seeds {
			begun := time.Now()
			m, err := way.train(uint64(seed + 1))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", way.name, err)
			}
			took = append(took, time.Since(begun).Seconds())
			r, err := lanes.Evaluate(context.Background(), m, test, lanes.EvaluateOptions{Rates: [2]float64{0, mostFPR}, MinTPR: leastTPR})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", way.name, err)
			}
			_, part, err := r.Ranking.PartialAUC(0, mostFPR, 0)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", way.name, err)
			}
			two, one, whole = append(two, r.NormalisedPartialAUC), append(one, part), append(whole, r.AUROC)
		}
		if mean, _ := moments(two); mean > best {
			best, bestAt = mean, len(rows)
		}
		rows = append(rows, []string{s.Name, way.name, spreadOf(two), spreadOf(one), spreadOf(whole), fmt.Sprintf("%.2f", contest.Median(took))})
		fmt.Fprintln(os.Stderr, rows[len(rows)-1])
	}
	rows[bestAt][2] = "**" + rows[bestAt][2] + "**"
	return rows, nil
}

// moments returns the mean and the standard deviation.
func moments(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		deviation += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(deviation)
}

func spreadOf(x []float64) string {
	mean, deviation := moments(x)
	return fmt.Sprintf("%.4f +- %.4f", mean, deviation)
}

func printTwoWay(rows [][]string) {
	fmt.Printf(`# The two-way partial AUC on test rows

"two-way" is the area of false-positive rates up to %v above the true-positive rate %v, "one-way" the area of these
false-positive rates; both are divided by their maximum, so that 1 ranks all rows right. Each way trains the training
rows by seeds 1 to %d, with nothing set but its flags, and is measured on the test rows: mean +- standard deviation
over the seeds. The best two-way mean of a data set is in bold. Seconds are the median of one training. SOTA-s is
the algorithm of Zhu et al. (2022), which LibAUC has, written here for linear scores: it begins at the logistic fit
and takes the batches and the number of steps of mb-pauc; its settings are the best of 27 on a fifth of the training rows.

`, mostFPR, leastTPR, seeds)
	contest.Table(os.Stdout, slices.Concat([][]string{{"data", "way", "two-way", "one-way", "AUC", "seconds"}}, rows))
}
