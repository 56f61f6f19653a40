// Package risk poses regularised empirical risks over sparse rows:
//
//	P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2
//
// It has what solvers, certificates and references share of such a problem: the checks, its
// identity, its rows in another order, and its losses summed by blocks of rows.
package risk

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
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
func (p *Problem) Threshold() float64 {
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
	if err := CheckNumbers(p); err != nil {
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
	return CheckWeights("erm", p.SampleWeight)
}

// CheckWeights says which sample weight is out of its range; name is the package's that asks.
func CheckWeights(name string, weight []float64) error {
	for i, s := range weight {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("%s: row %d has the sample weight %v; it must be 0 or more", name, i, s)
		}
	}
	return nil
}

// CheckNumbers says what is wrong with what is not of the rows.
func CheckNumbers(p *Problem) error {
	switch {
	case p.Loss > kernels.Huber:
		return fmt.Errorf("erm: there is no %v", p.Loss)
	case !(p.Lambda >= 0) || math.IsInf(p.Lambda, 0):
		return fmt.Errorf("erm: lambda is %v; it must be 0 or more", p.Lambda)
	case p.Loss == kernels.Huber && (!(p.Threshold() > 0) || math.IsInf(p.Delta, 0)):
		return fmt.Errorf("erm: Huber's delta is %v; it must be positive", p.Delta)
	}
	return nil
}

// Identity tells problems apart for checkpoints: it covers every label, weight and
// matrix entry, the latter through a product X'r with a random number for each row.
func (p *Problem) Identity(pool *sparse.Pool) (checkpoint.Identity, error) {
	if p.X == nil {
		return nil, errors.New("erm: the problem has no matrix")
	}
	data, err := checkpoint.IdentityOf(pool, p.X, p.Y, p.SampleWeight)
	return append(checkpoint.Identity{}.With("loss", p.Loss).With("Huber's delta", p.Threshold()).With("lambda", p.Lambda), data...), err
}
