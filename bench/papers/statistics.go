package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/sparse"
)

// spread is a mean with the standard deviation of one value, which is zero for a single one.
func spread(v []float64) (mean, deviation float64) {
	if len(v) < 2 {
		return stat.Mean(v, nil), 0
	}
	return stat.MeanStdDev(v, nil)
}

// interval is half the confidence interval of a mean at the given level, from Student's
// distribution.
func interval(v []float64, level float64) float64 {
	if len(v) < 2 {
		return 0
	}
	_, deviation := stat.MeanStdDev(v, nil)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(v) - 1)}
	return t.Quantile((1+level)/2) * deviation / math.Sqrt(float64(len(v)))
}

// band is the mean of several runs' curves, which have the same x, with an interval of
// confidence around it. A curve that ends early ends the band.
func band(label string, x []float64, runs [][]float64, level float64) curve {
	c := curve{label: label}
	length := len(x)
	for _, run := range runs {
		length = min(length, len(run))
	}
	at := make([]float64, len(runs))
	for i := range length {
		for k, run := range runs {
			at[k] = run[i]
		}
		mean, half := stat.Mean(at, nil), interval(at, level)
		c.x, c.y = append(c.x, x[i]), append(c.y, mean)
		c.low, c.high = append(c.low, mean-half), append(c.high, mean+half)
	}
	return c
}

// beside is our mean and deviation beside a number of the paper's.
func beside(format string, ours []float64, paper float64) []string {
	mean, deviation := spread(ours)
	own := fmt.Sprintf(format, mean)
	if len(ours) > 1 {
		own += " ± " + fmt.Sprintf(format, deviation)
	}
	return []string{own, fmt.Sprintf(format, paper), fmt.Sprintf("%+"+format[1:], mean-paper)}
}

// scored are the scores of rows.
func scored(x *sparse.Matrix, w []float64) ([]float64, error) {
	scores := make([]float64, x.Rows())
	if err := x.MulVec(nil, scores, w); err != nil {
		return nil, err
	}
	return scores, nil
}

// measured is a metric of the scores of rows, 0 where they are no numbers: that a run
// diverged is a result as well.
func measured(x *sparse.Matrix, y, w []float64, metric func(scores, labels, weights []float64) (float64, error)) (float64, error) {
	scores, err := scored(x, w)
	if err != nil || slices.ContainsFunc(scores, math.IsNaN) {
		return 0, err
	}
	return metric(scores, y, nil)
}

// ranked orders rows by their scores.
func ranked(x *sparse.Matrix, y, w []float64) (*metrics.Ranking, error) {
	scores, err := scored(x, w)
	if err != nil {
		return nil, err
	}
	return metrics.Rank(scores, y, nil)
}

// running is the running minimum, or maximum, of a curve.
func running(v []float64, better func(a, b float64) float64) []float64 {
	out := slices.Clone(v)
	for i := 1; i < len(out); i++ {
		out[i] = better(out[i-1], out[i])
	}
	return out
}

// sampled is a step-wise curve at the given places: its last value before each.
func sampled(x, y, places []float64) []float64 {
	out := make([]float64, len(places))
	at := 0
	for i, place := range places {
		for at+1 < len(x) && x[at+1] <= place {
			at++
		}
		out[i] = y[at]
	}
	return out
}
