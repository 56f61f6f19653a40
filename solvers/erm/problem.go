// Package erm solves regularised empirical risk minimisation over sparse rows:
//
//	minimise P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2
//
// with AI-SARAH and its relatives ("AI-SARAH: Adaptive and Implicit Stochastic
// Recursive Gradient Methods"; equations, algorithms, remarks and tables that the
// comments of this package number are that paper's). An inner iteration costs
// O(non-zeros of its rows), whatever the number of columns, except where a
// method's mathematics is dense (Adam) or its theory asks for every sample.
//
// Batches are those of shuffled passes: every row is taken once in a pass, in a new
// random order. The papers draw every batch uniformly from all rows; their code shuffles
// (AI-SARAH's does). The rows that do not fill a last batch are added to it, by Adam and
// SGD left out of the pass.
package erm

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Solving does not change it.
type Problem struct {
	// X has n rows, and as many columns as there are weights; a bias column of X
	// is regularised like any other.
	X *sparse.Matrix
	// Y holds n labels (-1 or +1, for Logistic and SquaredHinge) or targets.
	Y    []float64
	Loss kernels.Loss
	// Delta is Huber's threshold, 0 for 1. Other losses do not read it.
	Delta float64
	// Lambda is the weight of the regulariser, 0 or more; 1/n is customary.
	Lambda float64
	// SampleWeight holds n factors s_i of the losses, 0 or more; nil means 1.
	SampleWeight []float64
}

// Threshold returns Huber's delta with its default filled in.
func (p *Problem) Threshold() float64 { return p.delta() }

func (p *Problem) delta() float64 {
	if p.Delta == 0 {
		return 1
	}
	return p.Delta
}

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	switch {
	case p == nil || p.X == nil:
		return fmt.Errorf("erm: the problem has no matrix")
	case p.X.Rows() == 0 || p.X.Cols() == 0:
		return fmt.Errorf("erm: the matrix has %d rows and %d columns; there must be one of each at least", p.X.Rows(), p.X.Cols())
	case len(p.Y) != p.X.Rows():
		return fmt.Errorf("erm: %d labels for %d rows", len(p.Y), p.X.Rows())
	case p.SampleWeight != nil && len(p.SampleWeight) != p.X.Rows():
		return fmt.Errorf("erm: %d sample weights for %d rows", len(p.SampleWeight), p.X.Rows())
	}
	if err := p.checkNumbers(); err != nil {
		return err
	}
	labels := p.Loss == kernels.Logistic || p.Loss == kernels.SquaredHinge
	for i, y := range p.Y {
		switch {
		case labels && math.Abs(y) != 1:
			return fmt.Errorf("erm: row %d has the label %v; the %v loss needs -1 and +1", i, y, p.Loss)
		case y-y != 0:
			return fmt.Errorf("erm: row %d has the target %v", i, y)
		}
	}
	for i, s := range p.SampleWeight {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("erm: row %d has the sample weight %v; it must be 0 or more", i, s)
		}
	}
	return nil
}

// checkNumbers says what is wrong with what is not of the rows.
func (p *Problem) checkNumbers() error {
	switch {
	case p.Loss > kernels.Huber:
		return fmt.Errorf("erm: there is no %v", p.Loss)
	case !(p.Lambda >= 0) || math.IsInf(p.Lambda, 0):
		return fmt.Errorf("erm: lambda is %v; it must be 0 or more", p.Lambda)
	case p.Loss == kernels.Huber && (!(p.delta() > 0) || math.IsInf(p.Delta, 0)):
		return fmt.Errorf("erm: Huber's delta is %v; it must be positive", p.Delta)
	}
	return nil
}

// bounds returns what certifies points of p.
func (p *Problem) bounds(pool *sparse.Pool) *certificate.Bounds { return p.boundsOf(pool, false) }

// boundsOf is bounds where margins are sums of one entry after the other, or in lanes.
func (p *Problem) boundsOf(pool *sparse.Pool, sequential bool) *certificate.Bounds {
	return certificate.New(certificate.Problem{
		X: p.X, Y: p.Y, Weight: p.SampleWeight, Loss: p.Loss, Delta: p.delta(), Lambda: p.Lambda, Pool: pool,
		Sequential: sequential,
	})
}

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

// BalancedCounts is BalancedWeights for so many negative and positive rows.
func BalancedCounts(negatives, positives int) (negative, positive float64, err error) {
	if !(negatives > 0 && positives > 0) {
		return 0, 0, fmt.Errorf("erm: all %d labels are of one class; balanced weights need both", max(negatives, positives))
	}
	n := float64(negatives) + float64(positives)
	return n / (2 * float64(negatives)), n / (2 * float64(positives)), nil
}

// Identity tells problems apart for checkpoints: it covers every label, weight and
// matrix entry, the latter through a product X'r with a random number for each row.
func (p *Problem) Identity(pool *sparse.Pool) (engine.Identity, error) {
	if p.X == nil {
		return nil, errors.New("erm: the problem has no matrix")
	}
	data, err := engine.IdentityOf(pool, p.X, p.Y, p.SampleWeight)
	return append(engine.Identity{}.With("loss", p.Loss).With("Huber's delta", p.delta()).With("lambda", p.Lambda), data...), err
}
