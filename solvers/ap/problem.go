// Package ap trains scores for a high average precision, the area under the
// precision-recall curve ("Momentum Accelerates the Convergence of Stochastic
// AUPRC Maximization"; equations and algorithms that the comments of this package
// number are that paper's):
//
//	minimise F(w) = -(1/m) sum_i g_i1(w)/g_i2(w) + (lambda/2) ||w||^2
//
// over the m positive rows i of n, where g_i1 and g_i2 are the means over all rows
// of a smooth stand-in l(j, i) for "row j scores no less than row i", g_i1 counting
// the positive rows j only. (The paper has sums; F is the same.)
//
// An iteration looks at a batch of P positives and N negatives: one product for
// their scores, P x (P+N) pairs, one transposed product for the gradient. Nothing
// of size m or n is touched. The step itself is dense, O(columns): all the methods
// keep a regulariser, and most moments of the gradient too.
package ap

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be ranked. Solving does not change it.
type Problem struct {
	// X has n rows. A bias column does not change a ranking: with raw scores its
	// weight stays what the warm start made it.
	X *sparse.Matrix
	// Y holds n labels, -1 or +1, both of which occur.
	Y []float64
	// Lambda is the weight of the regulariser, 0 or more.
	Lambda float64
	// Model scores the rows; nil means Linear on X.
	Model Model
}

// Model is a score s(x) with parameters w, and its gradient.
type Model interface {
	// Parameters is the length of w.
	Parameters() int
	// Scores computes dst[k] = s(x_rows[k]).
	Scores(dst []float64, rows []uint32, w []float64) error
	// AddGradient computes g += sum over k of c[k] grad s(x_rows[k]). The rows and
	// w are those of the call of Scores before.
	AddGradient(g []float64, rows []uint32, c, w []float64) error
	// All computes the scores of all rows, shared by the workers of a pool.
	All(pool *sparse.Pool, dst, w []float64) error
}

// Linear is the model s(x) = w'x over the rows of X.
type Linear struct{ X *sparse.Matrix }

// Parameters returns the number of columns.
func (m Linear) Parameters() int { return m.X.Cols() }

// Scores is one product with the rows.
func (m Linear) Scores(dst []float64, rows []uint32, w []float64) error {
	return m.X.MulRows(dst, rows, w)
}

// AddGradient is one transposed product with the rows.
func (m Linear) AddGradient(g []float64, rows []uint32, c, _ []float64) error {
	return m.X.AddRows(g, rows, c)
}

// All is one product with the matrix.
func (m Linear) All(pool *sparse.Pool, dst, w []float64) error { return m.X.MulVec(pool, dst, w) }

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	switch {
	case p == nil || p.X == nil:
		return errors.New("ap: the problem has no matrix")
	case len(p.Y) != p.X.Rows():
		return fmt.Errorf("ap: %d labels for %d rows", len(p.Y), p.X.Rows())
	case p.X.Cols() == 0:
		return errors.New("ap: the matrix has no columns")
	case !(p.Lambda >= 0) || math.IsInf(p.Lambda, 0):
		return fmt.Errorf("ap: lambda is %v; it must be 0 or more", p.Lambda)
	}
	positives := 0
	for i, y := range p.Y {
		if y != 1 && y != -1 {
			return fmt.Errorf("ap: row %d has the label %v; there must be -1 and +1 only", i, y)
		}
		if y > 0 {
			positives++
		}
	}
	if positives == 0 || positives == len(p.Y) {
		return fmt.Errorf("ap: %d of %d rows are positive; a ranking needs both classes", positives, len(p.Y))
	}
	return nil
}
