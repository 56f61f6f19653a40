package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// precision is the average precision on the test rows, or on the training rows.
func precision(x *sparse.Matrix, y, w []float64) float64 {
	scores := make([]float64, x.Rows())
	if err := x.MulVec(nil, scores, w); err != nil {
		panic(err)
	}
	v, err := metrics.AveragePrecision(scores, y, nil)
	if err != nil {
		panic(err)
	}
	return v
}

// fit is logistic regression with a bias, to a gap of 1e-6; it returns its seconds too.
func fit(x *sparse.Matrix, y []float64, c float64, balanced bool) ([]float64, float64) {
	x = x.WithBias(1)
	p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / (c * float64(x.Rows()))}
	begun := time.Now()
	if balanced {
		negative, positive, err := erm.BalancedWeights(y)
		if err != nil {
			panic(err)
		}
		if p.SampleWeight, err = erm.ClassWeight(y, nil, negative, positive); err != nil {
			panic(err)
		}
	}
	r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-6, MaxPasses: 1000})
	if err != nil {
		panic(err)
	}
	return r.Weights, time.Since(begun).Seconds()
}

// logistic returns the test average precision of a fit and its seconds.
func logistic(s *split, c float64, balanced bool) (float64, float64) {
	w, seconds := fit(s.x, s.y, c, balanced)
	return precision(s.testX.WithBias(1), s.testY, w), seconds
}

var tuned = []float64{1, 10, 0.1, 100, 0.01}

// tunedWithin chooses C on a quarter of the training rows, class weights among the
// choices, trying as many as the seconds allow for, and fits all rows anew. It returns
// the test average precision and the seconds taken.
func tunedWithin(s *split, seconds float64) (float64, float64) {
	var train, held []uint32
	for i := range s.y {
		if i%4 == 3 {
			held = append(held, uint32(i))
		} else {
			train = append(train, uint32(i))
		}
	}
	x, y, err := datasets.Pick(s.x, s.y, train)
	if err != nil {
		panic(err)
	}
	heldX, heldY, err := datasets.Pick(s.x, s.y, held)
	if err != nil {
		panic(err)
	}
	begun := time.Now()
	bestC, bestBalanced, best := 1.0, false, math.Inf(-1)
	for k, took := 0, 0.0; k < 2*len(tuned); k++ {
		// What is left must do for one more and, on all rows, the last.
		if k > 0 && time.Since(begun).Seconds()+took*(1+4.0/3) > seconds {
			break
		}
		var w []float64
		c, balanced := tuned[k/2], k%2 == 1
		w, took = fit(x, y, c, balanced)
		if v := precision(heldX.WithBias(1), heldY, w); v > best {
			bestC, bestBalanced, best = c, balanced, v
		}
	}
	w, _ := fit(s.x, s.y, bestC, bestBalanced)
	total := time.Since(begun).Seconds()
	return precision(s.testX.WithBias(1), s.testY, w), total
}

// defaults compares the untouched defaults with logistic regression. Seconds are
// medians, and ratios the medians of those of neighbouring runs.
func defaults(sets []*split, seeds int, only string, parameters map[string]string) {
	fmt.Printf("Test average precision: mean and deviation over %d seeds, and difference from logistic regression with C = 1, plain and with class weights, which is solved to a gap of 1e-6.\n\n", seeds)
	rows := [][]string{{"data", "method", "test AP", "deviation", "from plain", "from class weights", "seconds", "times plain"}}
	for _, s := range sets {
		var plain, balanced float64
		var plainSeconds, balancedSeconds []float64
		for range seeds {
			var seconds float64
			plain, seconds = logistic(s, 1, false)
			plainSeconds = append(plainSeconds, seconds)
			balanced, seconds = logistic(s, 1, true)
			balancedSeconds = append(balancedSeconds, seconds)
		}
		unit := contest.Median(plainSeconds)
		row := func(name string, v spread, seconds, ratio float64) {
			rows = append(rows, []string{
				s.name, name, fmt.Sprintf("%.4f", v.mean), fmt.Sprintf("%.4f", v.deviation), fmt.Sprintf("%+.4f", v.mean-plain),
				fmt.Sprintf("%+.4f", v.mean-balanced), fmt.Sprintf("%.4f", seconds), fmt.Sprintf("%.1f", ratio),
			})
		}
		row("logistic, C = 1", spread{mean: plain}, unit, 1)
		row("logistic, class weights", spread{mean: balanced}, contest.Median(balancedSeconds), contest.Median(balancedSeconds)/unit)
		best, total := 0.0, 0.0
		for _, c := range tuned[:3] {
			v, seconds := logistic(s, c, false)
			best, total = max(best, v), total+seconds
		}
		row("logistic, the C of 0.1, 1, 10 best on the test rows", spread{mean: best}, total, total/unit)
		for _, d := range ap.Names() {
			if only != "" && only != d.Name {
				continue
			}
			var tests, all, ratios []float64
			for seed := range seeds {
				method, err := ap.ByName(d.Name, parameters)
				if err != nil {
					panic(err)
				}
				_, reference := fit(s.x, s.y, 1, false)
				begun := time.Now()
				r, err := ap.Solve(context.Background(), &ap.Problem{X: s.x, Y: s.y, Lambda: 1 / float64(s.x.Rows())}, method, solvers.Settings{Seed: uint64(seed + 1)})
				if err != nil {
					panic(err)
				}
				all = append(all, time.Since(begun).Seconds())
				ratios = append(ratios, all[seed]/reference)
				tests = append(tests, precision(s.testX, s.testY, r.Weights))
			}
			row(d.Name, spreadOf(tests), contest.Median(all), contest.Median(ratios))
			if d.Name == "adap" {
				v, seconds := tunedWithin(s, contest.Median(all))
				row("logistic, C and class weights tuned in adap's seconds", spread{mean: v}, seconds, seconds/unit)
			}
		}
	}
	figure.Table(os.Stdout, rows)
}

// spread is a mean with its deviation.
type spread struct{ mean, deviation float64 }

func spreadOf(values []float64) spread {
	var s spread
	for _, v := range values {
		s.mean += v / float64(len(values))
	}
	for _, v := range values {
		s.deviation += (v - s.mean) * (v - s.mean) / float64(len(values))
	}
	s.deviation = math.Sqrt(s.deviation)
	return s
}
