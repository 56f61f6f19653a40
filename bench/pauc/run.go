package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/sparse"
)

// exists tells whether the library has a solver of that name, and says so where not.
func exists(name string) bool {
	if _, err := pauc.ByName(name, nil); err != nil {
		fmt.Printf("%s is left out: %v\n", name, err)
		return false
	}
	return true
}

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

// point is an outer iterate of a run.
type point struct {
	passes, seconds, value float64 // value is the objective
	w                      []float64
}

// watch keeps the outer iterates of a run. They are its validation metric, so that
// keeping them takes none of its time; the metric never ends it.
type watch struct {
	trace solvers.Trace
	w     [][]float64
}

func (*watch) Name() string         { return "none" }
func (*watch) HigherIsBetter() bool { return true }
func (k *watch) Measure(w []float64) (float64, error) {
	k.w = append(k.w, append([]float64(nil), w...))
	return float64(len(k.w)), nil
}

func (k *watch) points() []point {
	points := make([]point, len(k.w))
	for i, w := range k.w {
		points[i] = point{k.trace[i].Passes, k.trace[i].Seconds, k.trace[i].Objective, w}
	}
	return points
}

// watched runs a solver with one worker.
func watched(solve func(solvers.Settings) error, settings solvers.Settings) ([]point, error) {
	k := new(watch)
	settings.Workers, settings.Validation, settings.Recorder, settings.Patience = 1, k, &k.trace, math.MaxInt32
	if err := solve(settings); err != nil {
		return nil, err
	}
	return k.points(), nil
}

func runPairs(p *pauc.Problem, m pauc.Method, settings solvers.Settings) ([]point, error) {
	return watched(func(s solvers.Settings) error {
		_, err := pauc.Solve(context.Background(), p, m, s)
		return err
	}, settings)
}

func runRange(p *pauc.RangeProblem, m pauc.Method, settings solvers.Settings) ([]point, error) {
	return watched(func(s solvers.Settings) error {
		_, err := pauc.SolveRange(context.Background(), p, m, s)
		return err
	}, settings)
}

// at returns the last point within a number of passes: between outer iterations the
// weights of these solvers do not change.
func at(points []point, passes float64) point {
	last := points[0]
	for _, p := range points {
		if p.passes <= passes {
			last = p
		}
	}
	return last
}

// lowest computes n values, two at a time, and returns the place of the smallest, the
// first of equal ones. NaN is no value.
func lowest(n int, value func(k int) float64) int {
	values := make([]float64, n)
	contest.Each(n, func(k int) { values[k] = value(k) })
	best := 0
	for k, v := range values {
		if v < values[best] || math.IsNaN(values[best]) {
			best = k
		}
	}
	return best
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

// line is a curve of a plot.
func line(label string, points []point, x, y func(point) float64) figure.Curve {
	c := figure.Curve{Label: label}
	for _, p := range points {
		if v := y(p); v-v == 0 {
			c.Points = append(c.Points, plotter.XY{X: x(p), Y: v})
		}
	}
	return c
}

func passes(p point) float64  { return p.passes }
func seconds(p point) float64 { return p.seconds }
func value(p point) float64   { return p.value }
