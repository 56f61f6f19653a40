package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
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
