// Package score holds the models that a ranking can be trained for, behind one
// contract: scores s(x) of rows x with parameters w, and their gradients in w.
package score

import (
	"context"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Model is what is trained: a score of the rows of a matrix, with parameters. It serves one
// goroutine at a time.
type Model = solvers.Model

// Starter is a model that can fit a starting point of its own, as is done for Linear and
// Perceptron. It serves one goroutine at a time.
type Starter interface {
	Model
	// Start writes to w a fit of the logistic loss of the scores to labels y, -1 or +1. It
	// returns the passes over the rows that the fit took. weight holds a weight for each row; nil
	// means 1. It reads only MaxTime, Seed and Workers of the settings. If cancelled, it writes
	// its current point.
	Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (passes int, err error)
}

// Constant is a model with a parameter that adds the same to every score. It is safe for
// concurrent use.
type Constant interface {
	// Constant returns the parameter's place, -1 if the model lacks one.
	Constant() int
}

// Linear is the model s(x) = w'x over the rows of X. It has no scratch memory: it is safe for
// concurrent use.
type Linear struct{ X *sparse.Matrix }

// String returns linear.
func (Linear) String() string { return "linear" }

// Parameters returns the number of columns.
func (m Linear) Parameters() int { return m.rows().Cols() }

// rows returns X, or an empty matrix if X is nil.
func (m Linear) rows() *sparse.Matrix {
	if m.X == nil {
		return new(sparse.Matrix)
	}
	return m.X
}

// Scores is one product with the rows.
func (m Linear) Scores(dst []float64, rows []uint32, w []float64) error {
	return matrix.MulRows(m.rows(), dst, rows, w)
}

// AddGradient is one transposed product with the rows.
func (m Linear) AddGradient(g []float64, rows []uint32, c, _ []float64) error {
	return matrix.AddRows(m.rows(), g, rows, c)
}

// All is one product with the matrix a class: by the weights of several classes, one class after the other, a row
// has a score of each class, side by side.
func (m Linear) All(pool *sparse.Pool, dst, w []float64) error {
	return scores(m.rows(), pool, dst, w)
}

// classes returns the number of classes whose weights w has, for so many columns; 0 if no number fits.
func classes(w []float64, columns int) int {
	if columns == 0 || len(w)%columns != 0 {
		return 0
	}
	return len(w) / columns
}

// scores writes the scores of all rows by the weights of one class or of several.
func scores(x *sparse.Matrix, pool *sparse.Pool, dst, w []float64) error {
	count := classes(w, x.Cols())
	if count < 2 {
		return x.MulVec(pool, dst, w)
	}
	scratch := direct.Borrow(x.Rows())
	defer direct.Return(scratch)
	return matrix.MulClasses(x, pool, dst, w, scratch, count)
}

// Constant returns the place of the bias, -1 if X has no bias.
func (m Linear) Constant() int {
	x := m.rows()
	if x.Bias() == 0 {
		return -1
	}
	return x.Cols() - 1
}
