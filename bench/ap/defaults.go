package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

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

// logistic fits logistic regression with a bias to a gap of 1e-6 and returns its
// test average precision and its seconds.
func logistic(s *split, c float64, balanced bool) (float64, float64) {
	x := s.x.WithBias(1)
	p := &erm.Problem{X: x, Y: s.y, Loss: kernels.Logistic, Lambda: 1 / (c * float64(x.Rows()))}
	if balanced {
		negative, positive, err := erm.BalancedWeights(s.y)
		if err != nil {
			panic(err)
		}
		if p.SampleWeight, err = erm.ClassWeight(s.y, nil, negative, positive); err != nil {
			panic(err)
		}
	}
	begun := time.Now()
	r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-6, MaxPasses: 1000})
	if err != nil {
		panic(err)
	}
	return precision(s.testX.WithBias(1), s.testY, r.Weights), time.Since(begun).Seconds()
}

var tuned = []float64{0.1, 1, 10}

// defaults compares the untouched defaults with logistic regression.
func defaults(sets []*split, seeds int, only string, parameters map[string]string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "data\tmethod\ttest AP\tseconds\tdifference from plain\ttimes its seconds")
	for _, s := range sets {
		plain, plainTime := logistic(s, 1, false)
		row := func(name string, v, seconds float64) {
			fmt.Fprintf(w, "%s\t%s\t%.4f\t%.3f\t%+.4f\t%.1f\n", s.name, name, v, seconds, v-plain, seconds/plainTime)
		}
		row("logistic, C = 1", plain, plainTime)
		balanced, seconds := logistic(s, 1, true)
		row("logistic, class weights", balanced, seconds)
		best, total := 0.0, 0.0
		for _, c := range tuned {
			v, seconds := logistic(s, c, false)
			best, total = max(best, v), total+seconds
		}
		row("logistic, best C on the test set", best, total)
		for _, d := range ap.Names() {
			if only != "" && only != d.Name {
				continue
			}
			sum, seconds := 0.0, 0.0
			for seed := range seeds {
				method, err := ap.ByName(d.Name, parameters)
				if err != nil {
					panic(err)
				}
				begun := time.Now()
				r, err := ap.Solve(context.Background(), &ap.Problem{X: s.x, Y: s.y, Lambda: 1 / float64(s.x.Rows())}, method, solvers.Settings{Seed: uint64(seed + 1)})
				if err != nil {
					panic(err)
				}
				seconds += time.Since(begun).Seconds() / float64(seeds)
				sum += precision(s.testX, s.testY, r.Weights) / float64(seeds)
			}
			row(d.Name, sum, seconds)
		}
	}
}
