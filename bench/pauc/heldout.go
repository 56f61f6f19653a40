package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

var ranges = [][2]float64{{0, 0.05}, middle}

// heldOut is tables 2 and 3 with the data sets at hand: the area on the test rows of
// every solver, with its untouched defaults, beside logistic regression.
func (o *options) heldOut() error {
	fmt.Printf("\n# Partial AUC on the test rows, untouched defaults (tables 2 and 3)\n\n")
	fmt.Printf("Mean and standard deviation over seeds 1 to %d; lambda = 1/n. Logistic regression, plain (the paper's CE) and with\nbalanced class weights, has lambda = 1/n, a bias, and is solved to a gap of 1e-6; \"time\" is training time as a\nmultiple of the plain one's. \"below\" marks means below plain logistic regression, \"BELOW\" those also more than\n0.002 below it.\n", o.seeds)
	sets, err := o.choose("a9a", "w8a", "ijcnn1", "mushrooms", "dorothea")
	if err != nil {
		return err
	}
	var names []string
	for _, d := range pauc.Names() {
		if m, err := pauc.ByName(d.Name, nil); err == nil && !m.Algorithm.Range() {
			names = append(names, d.Name)
		}
	}
	for _, s := range sets {
		fmt.Printf("\n## %s, %d test rows\n\n", describe(s), len(s.TestY))
		rows := [][]string{{"method"}}
		for _, r := range ranges {
			rows[0] = append(rows[0], fmt.Sprintf("[%v, %v]", r[0], r[1]), "deviation", "from plain", "", "time")
		}
		plain, base := logistic(s, false, 3)
		weighted, weightedSeconds := logistic(s, true, 3)
		references := make([]float64, len(ranges))
		first, second := []string{"logistic (CE)"}, []string{"logistic, class weights"}
		for k, r := range ranges {
			references[k] = area(s.TestX, s.TestY, plain, r)
			first = append(first, fmt.Sprintf("%.4f", references[k]), "", "", "", "1.0")
			second = append(second, beside(area(s.TestX, s.TestY, weighted, r), 0, references[k], weightedSeconds/base)...)
		}
		rows = append(rows, first, second)
		for _, name := range names {
			row := []string{name}
			for k, r := range ranges {
				mean, deviation, seconds, err := o.untouched(s, name, r)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", name, s.Name, err)
				}
				row = append(row, beside(mean, deviation, references[k], seconds/base)...)
			}
			rows = append(rows, row)
		}
		figure.Table(os.Stdout, rows)
	}
	return nil
}

// beside is the cells of one area.
func beside(mean, deviation, plain, time float64) []string {
	mark := ""
	switch {
	case mean < plain-0.002:
		mark = "BELOW"
	case mean < plain:
		mark = "below"
	}
	return []string{fmt.Sprintf("%.4f", mean), fmt.Sprintf("%.4f", deviation), fmt.Sprintf("%+.4f", mean-plain), mark, fmt.Sprintf("%.1f", time)}
}

// untouched trains with the defaults and returns the test areas' mean and deviation
// and the least seconds of a run, as for logistic regression.
func (o *options) untouched(s *datasets.Split, name string, r [2]float64) (mean, deviation, seconds float64, err error) {
	m, err := pauc.ByName(name, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	p := &pauc.Problem{X: s.X, Y: s.Y, Low: r[0], High: r[1], Lambda: 1 / float64(len(s.Y))}
	seconds = math.Inf(1)
	areas := make([]float64, o.seeds)
	for seed := range areas {
		begun := time.Now()
		result, err := pauc.Solve(context.Background(), p, m, solvers.Settings{Seed: uint64(seed + 1)})
		if err != nil {
			return 0, 0, 0, err
		}
		seconds = min(seconds, time.Since(begun).Seconds())
		areas[seed] = area(s.TestX, s.TestY, result.Weights, r)
		mean += areas[seed] / float64(o.seeds)
	}
	for _, a := range areas {
		deviation += (a - mean) * (a - mean) / float64(o.seeds)
	}
	return mean, math.Sqrt(deviation), seconds, nil
}
