package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// measure is the goal's value of rows.
func (g *goal) measure(x *sparse.Matrix, y, w []float64) (float64, error) {
	scores := make([]float64, x.Rows())
	if err := x.MulVec(nil, scores, w); err != nil {
		return 0, err
	}
	return g.value(scores, y)
}

// logistic is logistic regression with a bias, to a gap of 1e-6. It returns the weights of
// the columns, as the bias ranks nothing, and the seconds.
func logistic(x *sparse.Matrix, y []float64, c float64, balanced bool) ([]float64, float64, error) {
	p := &erm.Problem{X: x.WithBias(1), Y: y, Loss: kernels.Logistic, Lambda: 1 / (c * float64(x.Rows()))}
	begun := time.Now()
	if balanced {
		negative, positive, err := erm.BalancedWeights(y)
		if err != nil {
			return nil, 0, err
		}
		if p.SampleWeight, err = erm.ClassWeight(y, nil, negative, positive); err != nil {
			return nil, 0, err
		}
	}
	r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-6, MaxPasses: 1000})
	if err != nil {
		return nil, 0, err
	}
	return r.Weights[:x.Cols()], time.Since(begun).Seconds(), nil
}

// tuned are the values of C that are tried, with class weights and without.
var tuned = []float64{1, 10, 0.1, 100, 0.01}

// tunedWithin chooses C on a quarter of the training rows, class weights among the
// choices, trying as many as the seconds allow for, and fits all rows anew. It returns
// the value on the test rows and the seconds taken.
func (g *goal) tunedWithin(s *datasets.Split, seconds float64) (value, took float64, err error) {
	var train, held []uint32
	for i := range s.Y {
		if i%4 == 3 {
			held = append(held, uint32(i))
		} else {
			train = append(train, uint32(i))
		}
	}
	x, y, err := datasets.Pick(s.X, s.Y, train)
	if err != nil {
		return 0, 0, err
	}
	heldX, heldY, err := datasets.Pick(s.X, s.Y, held)
	if err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	bestC, bestBalanced, best := 1.0, false, math.Inf(-1)
	for k := range 2 * len(tuned) {
		// What is left must do for one more and, on all rows, the last.
		if k > 0 && time.Since(begun).Seconds()+took*(1+4.0/3) > seconds {
			break
		}
		c, balanced := tuned[k/2], k%2 == 1
		var w []float64
		if w, took, err = logistic(x, y, c, balanced); err != nil {
			return 0, 0, err
		}
		v, err := g.measure(heldX, heldY, w)
		if err != nil {
			return 0, 0, err
		}
		if v > best {
			bestC, bestBalanced, best = c, balanced, v
		}
	}
	w, _, err := logistic(s.X, s.Y, bestC, bestBalanced)
	if err != nil {
		return 0, 0, err
	}
	took = time.Since(begun).Seconds()
	value, err = g.measure(s.TestX, s.TestY, w)
	return value, took, err
}

// tally is what a method comes to over the data sets, against the better one of plain
// and class-weighted logistic regression.
type tally struct {
	above          int
	worst, longest float64
}

// shown is half of the last digit of the tables.
const shown = 5e-5

// defaults compares the untouched defaults with logistic regression. Seconds are
// medians; ratios are medians of the ratios of neighbouring runs.
func (f *family) defaults(sets []*datasets.Split, seeds int, only string, parameters map[string]string) error {
	fmt.Printf("\nValues on the test rows: mean and deviation over %d seeds, and difference from logistic regression with lambda = 1/n, plain and with class weights, which has a bias and is solved to a gap of 1e-6. Seconds are medians, \"times plain\" those of neighbouring runs.\n", seeds)
	tallies := make(map[string][]tally)
	for _, s := range sets {
		name := s.Name
		if s.Placeholder {
			name += " (generated in its place)"
		}
		fmt.Printf("\n## %s: %d positive and %d negative training rows, %d columns, %d test rows\n\n", name, s.Positives(), len(s.Y)-s.Positives(), s.X.Cols(), len(s.TestY))
		rows, err := compare(f.goals, f.ways(s, only, parameters), s, seeds, tallies)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		contest.Table(os.Stdout, rows)
	}
	rows := [][]string{{"method"}}
	for _, g := range f.goals {
		rows[0] = append(rows[0], g.name+" above on", "worst difference", "longest time")
	}
	for _, method := range f.methods {
		row := []string{method}
		for _, t := range tallies[method] {
			row = append(row, fmt.Sprintf("%d of %d", t.above, len(sets)), fmt.Sprintf("%+.4f", t.worst), fmt.Sprintf("%.1f", t.longest))
		}
		if len(row) > 1 {
			rows = append(rows, row)
		}
	}
	fmt.Printf("\n## All of them, against the better logistic regression\n\n")
	contest.Table(os.Stdout, rows)
	return nil
}

// A way to train is worth a value on the test rows, and takes some seconds.
type way struct {
	name string
	run  func(g *goal, seed int) (value, seconds float64, err error)
}

// ways are logistic regression, plain and with class weights first, and the methods.
func (f *family) ways(s *datasets.Split, only string, parameters map[string]string) []way {
	fit := func(g *goal, c float64, balanced bool) (value, seconds float64, err error) {
		w, seconds, err := logistic(s.X, s.Y, c, balanced)
		if err == nil {
			value, err = g.measure(s.TestX, s.TestY, w)
		}
		return value, seconds, err
	}
	list := []way{
		{"logistic", func(g *goal, _ int) (float64, float64, error) { return fit(g, 1, false) }},
		{"logistic, class weights", func(g *goal, _ int) (float64, float64, error) { return fit(g, 1, true) }},
		{"logistic, the C of 0.1, 1, 10 best on the test rows", func(g *goal, _ int) (best, total float64, err error) {
			for _, c := range tuned[:3] {
				v, seconds, err := fit(g, c, false)
				if err != nil {
					return 0, 0, err
				}
				best, total = max(best, v), total+seconds
			}
			return best, total, nil
		}},
	}
	for _, method := range f.methods {
		if only != "" && only != method {
			continue
		}
		took := 0.0
		list = append(list, way{method, func(g *goal, seed int) (value, seconds float64, err error) {
			begun := time.Now()
			r, err := g.solve(s, method, parameters, uint64(seed+1))
			if err != nil {
				return 0, 0, err
			}
			took = time.Since(begun).Seconds()
			value, err = g.measure(s.TestX, s.TestY, r.Weights)
			return value, took, err
		}})
		if method == f.tuner {
			list = append(list, way{"logistic, C and class weights tuned in " + method + "'s seconds", func(g *goal, _ int) (float64, float64, error) {
				return g.tunedWithin(s, took)
			}})
		}
	}
	return list
}

// compare runs every way with every seed, each beside a plain logistic regression.
func compare(goals []goal, ways []way, s *datasets.Split, seeds int, tallies map[string][]tally) ([][]string, error) {
	rows := [][]string{{"method"}}
	for _, w := range ways {
		rows = append(rows, []string{w.name})
	}
	for k := range goals {
		rows[0] = append(rows[0], goals[k].name, "deviation", "from plain", "from class weights", "seconds", "times plain")
		means, others := make([]float64, len(ways)), make([][3]float64, len(ways)) // deviation, seconds, ratio
		for i, w := range ways {
			var values, seconds, ratios []float64
			for seed := range seeds {
				_, reference, err := logistic(s.X, s.Y, 1, false)
				if err != nil {
					return nil, err
				}
				value, took, err := w.run(&goals[k], seed)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", w.name, err)
				}
				values, seconds, ratios = append(values, value), append(seconds, took), append(ratios, took/reference)
			}
			means[i], others[i][0] = stat.PopMeanStdDev(values, nil)
			others[i][1], others[i][2] = contest.Median(seconds), contest.Median(ratios)
		}
		for i, w := range ways {
			o := others[i]
			rows[i+1] = append(rows[i+1], fmt.Sprintf("%.4f", means[i]), fmt.Sprintf("%.4f", o[0]), fmt.Sprintf("%+.4f", means[i]-means[0]),
				fmt.Sprintf("%+.4f", means[i]-means[1]), fmt.Sprintf("%.4f", o[1]), fmt.Sprintf("%.1f", o[2]))
			if tallies[w.name] == nil {
				tallies[w.name] = slices.Repeat([]tally{{worst: math.Inf(1)}}, len(goals))
			}
			t, difference := &tallies[w.name][k], means[i]-max(means[0], means[1])
			if difference > shown {
				t.above++
			}
			t.worst, t.longest = min(t.worst, difference), max(t.longest, o[2])
		}
	}
	return rows, nil
}
