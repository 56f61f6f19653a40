package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// A cell is one problem: a data set, a loss, a norm and one C.
type cell struct {
	*options
	c       float64
	file    string
	name    string  // of the problem, with what its optimum is like
	optimum float64 // 0 where it is not known
	// value is the objective at weights, which may be fewer than the columns if the last columns
	// are empty. remark says what else the weights are worth.
	value  func(weights []float64) float64
	remark func(weights []float64) string
	solve  func(workers int, gap float64) (*solvers.Result, error)
	train  []string // flags of lanes train
	fits   int      // how many share the gap of a run, 0 for one

	intercept bool
	liblinear string // its solver, where there is one for the problem
	learn     string // what scikit-learn's solvers have before their names, "-" where none solves it
}

// posed are the ways to pose the problems of a data set, by the names of -problem.
var posed = map[string]func(o *options, x *sparse.Matrix, y []float64, c float64) ([]*cell, error){
	"ridge": (*options).ridge, "l1": (*options).l1, "softmax": (*options).softmax, "classes": (*options).classes,
}

// ridge is logistic regression without a bias, lambda = 1/(C n).
func (o *options) ridge(x *sparse.Matrix, y []float64, c float64) ([]*cell, error) {
	p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (c * float64(len(y)))}}
	one := &cell{
		name:  "logistic",
		value: func(w []float64) float64 { return mean(p, w, 0) + p.Ridge()/2*kernels.SquaredNorm(w) },
		solve: func(workers int, gap float64) (*solvers.Result, error) {
			return auto.Solve(context.Background(), p, solvers.Settings{MaxEpochs: 2000, GapTolerance: gap, Workers: workers})
		},
		train: []string{"--C", fmt.Sprint(c)},
	}
	best, err := auto.Solve(context.Background(), p, solvers.Settings{MaxEpochs: 20000, GapTolerance: 1e-13})
	if err != nil {
		return nil, err
	}
	if one.optimum = best.Objective; best.Gap > 1e-10*best.Objective {
		return nil, fmt.Errorf("no optimum: gap %v after %v passes", best.Gap, best.Total.Epochs)
	}
	return []*cell{one}, nil
}

// mean is the mean loss at weights, NaN where they are no numbers.
func mean(p *erm.Problem, weights []float64, bias float64) float64 {
	w, z := make([]float64, p.X.Cols()), make([]float64, p.X.Rows())
	copy(w, weights)
	if len(weights) > len(w) || p.X.MulVec(nil, z, w) != nil {
		return math.NaN()
	}
	for i := range z {
		z[i] += bias
	}
	return p.Loss.Sum(z, p.Y, nil) / float64(len(z))
}

// l1 is (1/n) sum_i phi(y_i, x_i'w + b) + ||w||_1/(C n), LIBLINEAR's -s 6 (logistic) and -s 5
// (squared hinge, whose half lanes has: there the norm counts half as well), without an
// intercept or with one that is not regularised (-B 1 -R).
func (o *options) l1(x *sparse.Matrix, y []float64, c float64) (list []*cell, err error) {
	for _, kind := range o.kinds {
		name, with, _ := strings.Cut(kind, "+")
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.L1{Lambda: 1 / (c * float64(len(y)))}}
		if p.Intercept = with != ""; p.Intercept {
			p.X = x.WithBias(1)
		}
		one := &cell{liblinear: "6", intercept: p.Intercept, learn: "l1/"}
		if name == "squared-hinge" {
			one.liblinear, p.Loss, p.Penalty = "5", loss.SquaredHinge{}, penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty) / 2, L2: p.Ridge()}
		}
		if one.liblinear != "6" || p.Intercept {
			one.learn = "-" // whose liblinear regularises intercepts
		}
		one.value = func(w []float64) float64 { return l1Value(p, w) }
		one.solve = func(workers int, gap float64) (*solvers.Result, error) { return o.solveL1(p, workers, gap, o.limit) }
		one.train = []string{"--loss", p.Loss.String(), "--l1", fmt.Sprint(penalty.WeightOf(p.Penalty)), "--lambda", "0"}
		if p.Intercept {
			one.train = append(one.train, "--intercept")
		}
		best, err := o.solveL1(p, 1, 1e-12, o.reference)
		if err != nil {
			return nil, err
		}
		switch {
		case best.Gap <= 1e-7*best.Objective:
			one.optimum = best.Objective - best.Gap
		case best.Status == solvers.Stalled: // no step makes it any less, and rounding hides the rest of the gap
			one.optimum = best.Objective
		case best.Status == solvers.TimeReached:
			fmt.Fprintf(os.Stderr, "trainers: %s, C = %v: not raced, as its minimum is known to %.1g only after %v s\n", kind, c, best.Gap/best.Objective, o.reference)
		default:
			return nil, fmt.Errorf("%s, C = %v: no optimum: %v with a gap of %v", kind, c, best.Status, best.Gap)
		}
		used := 0
		for _, w := range best.Weights[:x.Cols()] {
			if w != 0 {
				used++
			}
		}
		one.name = fmt.Sprintf("%s, %d non-zeros", kind, used)
		list = append(list, one)
	}
	return list, nil
}

// atPeak returns C = 1/(l1 n) for the l1 that is a share of the least one without non-zeros.
func atPeak(x *sparse.Matrix, y []float64, share float64) (float64, error) {
	most, _, err := elasticnet.MaxL1(nil, &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}})
	return 1 / (share * most * float64(len(y))), err
}

// solveL1 runs to a gap for at most limit seconds.
func (o *options) solveL1(p *elasticnet.Problem, workers int, gap, limit float64) (*solvers.Result, error) {
	return elasticnet.Solve(context.Background(), p, nil, solvers.Settings{
		GapTolerance: gap, MaxEpochs: 1e5, MaxTime: time.Duration(limit * float64(time.Second)), Workers: workers,
	})
}

// l1Value is the objective; an intercept is the last weight.
func l1Value(p *elasticnet.Problem, w []float64) float64 {
	norm := 0.0
	for _, v := range w[:len(w)-p.Free()] {
		norm += math.Abs(v)
	}
	return mean(p, w, 0) + penalty.WeightOf(p.Penalty)*norm
}

// softmax is multinomial logistic regression without an intercept, lambda = 1/(C n).
func (o *options) softmax(x *sparse.Matrix, y []float64, c float64) ([]*cell, error) {
	labels := slices.Compact(slices.Sorted(slices.Values(y)))
	p := &softmax.Problem{X: x, Count: len(labels), Lambda: 1 / (c * float64(len(y)))}
	for _, v := range y {
		k, _ := slices.BinarySearch(labels, v)
		p.Class = append(p.Class, uint32(k))
	}
	one := &cell{
		name:  fmt.Sprintf("%d classes", p.Count),
		learn: "softmax/",
		value: func(w []float64) float64 {
			v, _ := softmaxValue(p, w)
			return v
		},
		remark: func(w []float64) string {
			_, accuracy := softmaxValue(p, w)
			return fmt.Sprintf("accuracy %.6f", accuracy)
		},
		solve: func(workers int, gap float64) (*solvers.Result, error) {
			return softmax.Solve(context.Background(), p, softmax.Newton{}, solvers.Settings{GapTolerance: gap, MaxEpochs: 1000, Workers: workers})
		},
	}
	best, err := one.solve(1, 1e-12)
	if err != nil {
		return nil, err
	}
	if one.optimum = best.Objective; !(best.Gap <= 1e-7*best.Objective) {
		return nil, fmt.Errorf("no optimum: %v with objective %v and a gap of %v", best.Status, best.Objective, best.Gap)
	}
	return []*cell{one}, nil
}

// softmaxValue returns the objective of weights, class by class, and their accuracy.
func softmaxValue(p *softmax.Problem, w []float64) (objective, accuracy float64) {
	columns, rows := len(w)/p.Count, p.X.Rows()
	byColumn, scores := make([]float64, p.X.Cols()*p.Count), make([]float64, rows*p.Count)
	if len(w) != columns*p.Count || columns > p.X.Cols() {
		return math.NaN(), 0
	}
	for k := range p.Count {
		for j, v := range w[k*columns : (k+1)*columns] {
			byColumn[j*p.Count+k] = v
		}
	}
	if matrix.MulDense(p.X, nil, scores, byColumn, p.Count) != nil {
		return math.NaN(), 0
	}
	for i, class := range p.Class {
		row := scores[i*p.Count : (i+1)*p.Count]
		objective += kernels.LogSumExp(row) - row[class]
		if slices.Index(row, slices.Max(row)) == int(class) {
			accuracy++
		}
	}
	return objective/float64(rows) + p.Lambda/2*kernels.SquaredNorm(w), accuracy / float64(rows)
}

// classes is a logistic regression for each class against the rest, lambda = 1/(C n), in
// whole processes. The objective is the sum of theirs.
func (o *options) classes(x *sparse.Matrix, y []float64, c float64) ([]*cell, error) {
	var problems []*erm.Problem
	var least []float64
	for _, class := range sparse.CountClasses(y) {
		signs, _, err := sparse.BinaryLabels(y, &class.Label)
		if err != nil {
			return nil, err
		}
		p := &erm.Problem{X: x, Y: signs, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (c * float64(len(y)))}}
		best, err := auto.Solve(context.Background(), p, solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 20000})
		if err != nil {
			return nil, err
		}
		problems, least = append(problems, p), append(least, best.Objective)
	}
	objectives := func(w []float64) (list []float64) { // w is class by class
		d := len(w) / len(problems)
		for k, p := range problems {
			list = append(list, mean(p, w[k*d:][:d], 0)+p.Ridge()/2*kernels.SquaredNorm(w[k*d:][:d]))
		}
		return list
	}
	return []*cell{{
		name: fmt.Sprintf("%d classes against the rest", len(problems)), optimum: floats.Sum(least), fits: len(problems),
		value: func(w []float64) float64 { return floats.Sum(objectives(w)) },
		remark: func(w []float64) string {
			worst := 0.0
			for k, v := range objectives(w) {
				worst = max(worst, v/least[k]-1)
			}
			return fmt.Sprintf("worst class %.1g above its optimum", worst)
		},
		train: []string{"--multiclass", "--C", fmt.Sprint(c)},
		learn: "-",
	}}, nil
}
