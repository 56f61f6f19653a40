package main

import (
	"context"
	"math"
	"time"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// area is the normalised partial AUC of the rows.
func area(x *sparse.Matrix, y, w []float64, r [2]float64) float64 {
	scores := make([]float64, x.Rows())
	if err := x.MulVec(nil, scores, w); err != nil {
		panic(err)
	}
	_, normalised, err := metrics.PartialAUC(scores, y, nil, r[0], r[1])
	if err != nil {
		panic(err)
	}
	return normalised
}

// logistic fits logistic regression with lambda = 1/n and a bias to a gap of 1e-6. It
// returns the weights of the columns and the seconds, the least of so many fits.
func logistic(s *datasets.Split, balanced bool, fits int) ([]float64, float64) {
	p := &erm.Problem{X: s.X.WithBias(1), Y: s.Y, Loss: kernels.Logistic, Lambda: 1 / float64(s.X.Rows())}
	if balanced {
		negative, positive, err := erm.BalancedWeights(s.Y)
		if err != nil {
			panic(err)
		}
		if p.SampleWeight, err = erm.ClassWeight(s.Y, nil, negative, positive); err != nil {
			panic(err)
		}
	}
	var w []float64
	least := math.Inf(1)
	for range fits {
		begun := time.Now()
		r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-6, MaxPasses: 1000})
		if err != nil {
			panic(err)
		}
		least = min(least, time.Since(begun).Seconds())
		w = r.Weights[:s.X.Cols()]
	}
	return w, least
}
