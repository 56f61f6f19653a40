package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
)

// comparison collects a row for each data set and metric.
type comparison struct {
	goals []string
	every bool
	rows  [][]string
	// all counts the choices, and short the choices worse than the best single way. beyond counts
	// the choices worse by more than a spread, and certain the choices worse by more than two
	// errors on the test rows.
	all, short, beyond, certain int
}

// single is a way to train that a user could name.
type single struct {
	name  string
	train func(p *erm.Problem) (*solvers.Result, error)
}

var target = solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 10000, Seed: 1}

// singles are the ways to train for a metric: logistic fits with five values of C, plain and
// with class weights, and every solver that ranks for it with nothing set.
func singles(goal string, rows int) []single {
	var list []single
	for _, balanced := range []bool{false, true} {
		for _, c := range []float64{0.01, 0.1, 1, 10, 100} {
			one := related.Candidate{Solver: related.Logistic, Lambda: 1 / (c * float64(rows)), Balanced: balanced}
			list = append(list, single{fmt.Sprintf("%v, C %g", &one, c), func(p *erm.Problem) (*solvers.Result, error) {
				return one.Solve(context.Background(), p, target)
			}})
		}
	}
	low, high, minTPR, err := metrics.ParsePartial(goal)
	if err != nil { // of another goal
		low, high = 0, 1
	}
	for _, solver := range registry.All() {
		if goal == "logloss" || !solver.Objective.IsRanking() || (solver.Objective == solvers.AveragePrecision) != (goal == "ap") {
			continue
		}
		list = append(list, single{solver.Name + " untouched", func(p *erm.Problem) (*solvers.Result, error) {
			ready, err := solver.New(nil)
			if err != nil {
				return nil, err
			}
			task := &solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: p.X, Y: p.Y, Penalty: penalty.Ridge{Lambda: 1 / float64(rows)}}}
			if solver.Accepts.Has(solvers.Rates) {
				task.Low, task.High = low, high
			}
			if solver.Accepts.Has(solvers.MinTPR) {
				task.MinTPR = minTPR
			}
			return ready.Solve(context.Background(), task, solvers.Settings{Seed: 1})
		}})
	}
	return list
}

// run chooses for a metric, and measures the choice and every single way on the test rows.
func (c *comparison) run(s *datasets.Split, goal string) error {
	p := &erm.Problem{Loss: loss.Logistic{}, X: s.X.WithBias(1), Y: s.Y}
	begun := time.Now()
	chosen, err := related.Choose(context.Background(), p, related.Wanted{For: goal, Seed: 1}, solvers.Settings{Seed: 1})
	if err != nil {
		return err
	}
	seconds := time.Since(begun).Seconds()
	value := func(w []float64) (v float64, scores []float64, err error) {
		x := s.TestX.WithBias(1)
		scores = make([]float64, x.Rows())
		if err := x.MulVec(nil, scores, w); err != nil {
			return 0, nil, err
		}
		v, err = chosen.Metric.Compute(scores, s.TestY, nil)
		return v, scores, err
	}
	list := singles(goal, len(s.Y))
	for k := range chosen.Tried {
		t := &chosen.Tried[k]
		list = append(list, single{fmt.Sprintf("%v, C %.3g", t, 1/(t.Lambda*float64(len(s.Y)))), func(p *erm.Problem) (*solvers.Result, error) {
			return t.Solve(context.Background(), p, target)
		}})
	}
	best, bestName, one, usual := chosen.Metric.Direction.Worst(), "", 0.0, 0.0
	var bestScores []float64
	for _, way := range list {
		begun := time.Now()
		r, err := way.train(p)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		took := time.Since(begun).Seconds()
		v, scores, err := value(r.Weights)
		if err != nil {
			return err
		}
		if way.name == "logistic, C 1" && one == 0 {
			one, usual = took, v
		}
		if chosen.Metric.Direction.Better(v, best) {
			best, bestName, bestScores = v, way.name, scores
		}
		if c.every {
			fmt.Printf("%s, %s, %s: %.5f on the test rows, %.3f s\n", s.Name, goal, way.name, v, took)
		}
	}
	mine, scores, err := value(chosen.Result.Weights)
	if err != nil {
		return err
	}
	wrong, err := differ(chosen.Metric, bestScores, scores, s.TestY)
	if err != nil {
		return err
	}
	t := &chosen.Tried[chosen.Best]
	spread := t.Error * math.Sqrt(float64(len(t.Values)))
	short := best - mine
	if chosen.Metric.Direction == metrics.LowerIsBetter {
		short = -short
	}
	c.all++
	mark := ""
	if short > 0 {
		c.short++
	}
	if short > spread {
		c.beyond++
		mark = "BEYOND"
	}
	if short > 2*wrong {
		c.certain++
	}
	c.rows = append(c.rows, []string{
		s.Name, goal, fmt.Sprintf("%v, C %.3g", t, 1/(t.Lambda*float64(len(s.Y)))), fmt.Sprintf("%.4f", t.Mean), fmt.Sprintf("%.4f", spread),
		fmt.Sprintf("%.4f", usual), fmt.Sprintf("%.4f", mine), fmt.Sprintf("%.4f", best), bestName, fmt.Sprintf("%+.4f", short), fmt.Sprintf("%.4f", wrong), mark,
		fmt.Sprint(len(chosen.Tried)), fmt.Sprintf("%.1f", seconds), fmt.Sprintf("%.3f", one),
	})
	return nil
}

func (c *comparison) print() {
	fmt.Printf(`# What --for chooses, on the test rows, against every single way

A test set, or a third of either class. "cv" is the mean over five folds of the training rows, "spread" the standard
deviation of the five values (of one fold, not of their mean). "C = 1" is a plain logistic fit on the test rows, "test" the
choice. "best" is the best on the test rows of all single ways: ten logistic fits (five C, plain and with class weights),
solvers that rank untouched, and each candidate of the search, all trained on the same rows: a choice with hindsight. "short"
is by how much the choice is worse than that, "error" the standard error of this difference, by %d samples of each class of
the test rows with replacement; BEYOND is where it is short by more than the spread. Seconds are those of the search with its
last fit, and of one logistic fit with C = 1.

`, resamples)
	contest.Table(os.Stdout, append([][]string{{"data", "for", "chosen", "cv", "spread", "C = 1", "test", "best", "by", "short", "error", "", "tried", "seconds", "one fit"}}, c.rows...))
	fmt.Printf("\n%d choices, %d of them as good as the best single way, %d short of it by no more than the spread of the folds, %d by more.\n", c.all, c.all-c.short, c.short-c.beyond, c.beyond)
	fmt.Printf("%d are short by more than two errors.\n", c.certain)
}

// resamples is the number of samples that a standard error is taken over.
const resamples = 50

// differ is the standard error of the difference of a metric between two scores of the same
// rows: its deviation over samples of the rows of each class with replacement.
func differ(m metrics.Metric, a, b, y []float64) (float64, error) {
	r := rand.New(rand.NewPCG(1, 1))
	var lists [2][]int
	for i, v := range y {
		lists[int(v+1)/2] = append(lists[int(v+1)/2], i)
	}
	sum, square := 0.0, 0.0
	for range resamples {
		weight := make([]float64, len(y))
		for _, list := range lists {
			for range list {
				weight[list[r.IntN(len(list))]]++
			}
		}
		one, err1 := m.Compute(a, y, weight)
		other, err2 := m.Compute(b, y, weight)
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		sum += one - other
		square += (one - other) * (one - other)
	}
	return math.Sqrt(max(0, square-sum*sum/resamples) / (resamples - 1)), nil
}
