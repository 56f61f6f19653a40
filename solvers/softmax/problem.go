// Package softmax trains multinomial logistic regression, one model of all classes:
//
//	minimise P(W) = (1/n) sum_i s_i (log sum_k exp(x_i'w_k) - x_i'w_{c_i}) + (lambda/2) ||W||_F^2
//
// over a column of weights w_k a class. Norms of single weights, or of the weights of a column of X, may
// take the place of the squares, or join them. Beside an unpenalised intercept b_k of each class, x_i'w_k
// becomes x_i'w_k + b_k. P does not change if all b_k change alike; a result has intercepts whose
// sum is 0, up to rounding. Unlike classes against the rest, its scores give
// probabilities of all classes together.
package softmax

import (
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Solving does not change it. Several runs may share it.
type Problem struct {
	// X has n rows; a bias column of it is regularised like any other.
	X *sparse.Matrix
	// Class holds the class of each row, below Count. Count is at least 2 and at most 1024 more
	// than the number of rows.
	Class []uint32
	Count int
	// Lambda is the weight of the regulariser, above 0, or 0 beside a Penalty.
	Lambda float64
	// Penalty, where set, takes the place of the squares: a penalty.Absolute, as penalty.ElasticNet is, or
	// a penalty.Grouped with the groups of ByColumn. Its weight j Count + k is that of column j and class k.
	// It is above 0, and leaves out the intercepts. SolveSparse takes it, Solve does not.
	Penalty penalty.Penalty
	// SampleWeight holds n factors s_i, 0 or more; nil means 1.
	SampleWeight []float64
	// Intercept says that the bias column of X, which must be 1, has the intercepts b_k of the
	// classes: the regulariser leaves out its weights, the last one of each class. Each class then
	// has a row with a weight above 0.
	Intercept bool
}

// identity tells problems apart for checkpoints.
func identity(p *Problem, pool *matrix.Pool) (checkpoint.Identity, error) {
	labels := make([]float64, len(p.Class))
	for i, c := range p.Class {
		labels[i] = float64(c)
	}
	identity, err := checkpoint.IdentityOf(pool, p.X, labels, p.SampleWeight)
	if err != nil {
		return nil, err
	}
	if p.Intercept {
		identity = identity.With("the intercepts", true)
	}
	if p.Penalty != nil {
		identity = identity.With("penalty", p.Penalty)
	}
	return identity.With("classes", p.Count).With("lambda", p.Lambda), nil
}

// ByColumn returns the groups of a penalty.GroupLasso that holds the weights of all classes of a column
// together. It leaves out the intercepts, and is nil for a problem without rows, columns or classes.
func (p *Problem) ByColumn() [][]int {
	if p == nil || p.X == nil || p.X.Cols() == 0 || p.Count < 2 || p.Count > p.X.Rows()+risk.SpareClasses {
		return nil
	}
	all := make([]int, (*risk.Classes)(p).Held())
	for k := range all {
		all[k] = k
	}
	return slices.Collect(slices.Chunk(all, p.Count))
}
