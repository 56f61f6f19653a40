// Package erm solves regularised empirical risk minimisation over sparse rows:
//
//	minimise P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2
//
// and, by Newton's method, beside an unpenalised intercept b and offsets o_i of the rows,
//
//	minimise P(w, b) = (1/n) sum_i s_i phi(x_i'w + b + o_i, y_i) + (lambda/2) ||w||^2,
//
// with AI-SARAH and its relatives ("AI-SARAH: Adaptive and Implicit Stochastic Recursive Gradient
// Methods"). The numbers of equations, algorithms, remarks and tables in comments of this package
// are the paper's. An inner iteration costs O(non-zeros of its rows), whatever the number of
// columns. Exceptions are Adam, whose steps are dense, and methods whose theory asks for every
// sample.
//
// Batches come from shuffled passes: a pass takes every row once, in a new random order. The papers
// draw every batch uniformly from all rows; their code shuffles (AI-SARAH's does). The rows left
// over are added to the last batch; Adam and SGD leave them out of the pass.
package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/solvers"
)

// Problem is what is to be minimised. Several runs may share it.
type Problem = solvers.Problem

// ClassWeight multiplies each row's sample weight by the weight of its class, and
// returns the product: y holds -1 and +1, weight is nil for ones.
func ClassWeight(y, weight []float64, negative, positive float64) ([]float64, error) {
	if weight != nil && len(weight) != len(y) {
		return nil, fmt.Errorf("erm: %d sample weights for %d labels", len(weight), len(y))
	}
	for _, v := range []float64{negative, positive} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("erm: a class weight is %v; it must be 0 or more", v)
		}
	}
	out := make([]float64, len(y))
	for i, label := range y {
		switch label {
		case -1:
			out[i] = negative
		case 1:
			out[i] = positive
		default:
			return nil, fmt.Errorf("erm: row %d has the label %v; class weights need -1 and +1", i, label)
		}
		if weight != nil {
			out[i] *= weight[i]
		}
	}
	return out, nil
}

// BalancedWeights returns the class weights n/(2 n_class), which give both classes
// the same total weight.
func BalancedWeights(y []float64) (negative, positive float64, err error) {
	count := 0
	for _, label := range y {
		if label > 0 {
			count++
		}
	}
	return BalancedCounts(len(y)-count, count)
}

// BalancedCounts is BalancedWeights for the given numbers of negative and positive rows.
func BalancedCounts(negatives, positives int) (negative, positive float64, err error) {
	if !(negatives > 0 && positives > 0) {
		return 0, 0, fmt.Errorf("erm: all %d labels are of one class; balanced weights need both", max(negatives, positives))
	}
	n := float64(negatives) + float64(positives)
	return n / (2 * float64(negatives)), n / (2 * float64(positives)), nil
}
