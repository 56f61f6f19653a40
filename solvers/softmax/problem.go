// Package softmax trains multinomial logistic regression, one model of all classes:
//
//	minimise P(W) = (1/n) sum_i s_i (log sum_k exp(x_i'w_k) - x_i'w_{c_i}) + (lambda/2) ||W||_F^2
//
// over a column of weights w_k a class. Unlike classes against the rest, its scores give
// probabilities of all classes together.
package softmax

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Solving does not change it.
type Problem struct {
	// X has n rows; a bias column of it is regularised like any other.
	X *sparse.Matrix
	// Class holds the class of each row, below Count, of which there are two or more and
	// at most 1024 more than rows.
	Class []uint32
	Count int
	// Lambda is the weight of the regulariser, above 0.
	Lambda float64
	// SampleWeight holds n factors s_i, 0 or more; nil means 1.
	SampleWeight []float64
}

// spareClasses may be without rows: a count beyond is a mistake, and would take memory for
// every column.
const spareClasses = 1024

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	switch {
	case p == nil || p.X == nil:
		return fmt.Errorf("softmax: the problem has no matrix")
	case p.X.Rows() == 0 || p.X.Cols() == 0:
		return fmt.Errorf("softmax: the matrix has %d rows and %d columns; there must be one of each at least", p.X.Rows(), p.X.Cols())
	case len(p.Class) != p.X.Rows():
		return fmt.Errorf("softmax: %d classes for %d rows", len(p.Class), p.X.Rows())
	case p.SampleWeight != nil && len(p.SampleWeight) != p.X.Rows():
		return fmt.Errorf("softmax: %d sample weights for %d rows", len(p.SampleWeight), p.X.Rows())
	case p.Count < 2:
		return fmt.Errorf("softmax: %d classes; there must be two at least", p.Count)
	case p.Count > len(p.Class)+spareClasses:
		return fmt.Errorf("softmax: %d classes for %d rows; %d classes may be without rows at most", p.Count, len(p.Class), spareClasses)
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 0):
		return fmt.Errorf("softmax: lambda is %v; it must be above 0", p.Lambda)
	}
	for i, c := range p.Class {
		if int64(c) >= int64(p.Count) {
			return fmt.Errorf("softmax: row %d has the class %d of %d", i, c, p.Count)
		}
	}
	for i, s := range p.SampleWeight {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("softmax: row %d has the sample weight %v; it must be 0 or more", i, s)
		}
	}
	return nil
}

func (p *Problem) weight(i int) float64 {
	if p.SampleWeight == nil {
		return 1
	}
	return p.SampleWeight[i]
}

// identity tells problems apart for checkpoints.
func (p *Problem) identity(pool *sparse.Pool) (engine.Identity, error) {
	labels := make([]float64, len(p.Class))
	for i, c := range p.Class {
		labels[i] = float64(c)
	}
	identity, err := engine.IdentityOf(pool, p.X, labels, p.SampleWeight)
	if err != nil {
		return nil, err
	}
	return identity.With("classes", p.Count).With("lambda", p.Lambda), nil
}
