// Package risk poses regularised empirical risks over sparse rows:
//
//	P(w, b) = (1/n) sum_i s_i phi(x_i'w + b + o_i, y_i) + (lambda/2) ||w||^2
//
// It has what solvers, certificates and references share of such a problem: the checks, its
// identity, its rows in another order, and its losses summed by blocks of rows.
package risk

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Solving does not change it.
type Problem struct {
	// X has n rows, and as many columns as there are weights. Without Intercept a bias column of
	// X is regularised like any other.
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
	// Intercept says that the bias column of X, which must be 1, is an unpenalised intercept b:
	// the regulariser leaves out its weight, the last one.
	Intercept bool
	// Offset holds n finite numbers o_i that are added to the margins: x_i'w + o_i, b included;
	// nil means 0.
	Offset []float64
}

// Threshold returns Huber's delta with its default filled in.
func (p *Problem) Threshold() float64 {
	if p.Delta == 0 {
		return 1
	}
	return p.Delta
}

// Free returns the number of weights, at the end of all, that the regulariser leaves out.
func (p *Problem) Free() int {
	if p.Intercept {
		return 1
	}
	return 0
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
	case p.Offset != nil && len(p.Offset) != p.X.Rows():
		return fmt.Errorf("erm: %d offsets for %d rows", len(p.Offset), p.X.Rows())
	case p.Intercept && p.X.Bias() != 1:
		return fmt.Errorf("erm: an intercept is the weight of a bias column of ones, and the bias of X is %v; Matrix.WithBias(1) adds the column", p.X.Bias())
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
	for i, o := range p.Offset {
		if o-o != 0 {
			return fmt.Errorf("erm: row %d has the offset %v; it must be finite", i, o)
		}
	}
	if err := CheckWeights("erm", p.SampleWeight); err != nil {
		return err
	}
	if labels && p.Intercept {
		return p.checkClasses()
	}
	return nil
}

// checkClasses refuses rows of one class, whose best intercept is infinite.
func (p *Problem) checkClasses() error {
	var above, below bool
	for i, y := range p.Y {
		if p.SampleWeight == nil || p.SampleWeight[i] > 0 {
			above, below = above || y > 0, below || y < 0
		}
	}
	if !above || !below {
		return errors.New("erm: all rows with a weight above 0 are of one class: the intercept would be infinite")
	}
	return nil
}

// Refuse returns an error where p has an intercept or offsets that a solver, called name, does
// not take.
func (p *Problem) Refuse(name string, takes solvers.Accepts) error {
	switch {
	case p.Intercept && !takes.Intercept:
		return fmt.Errorf("%s: no unpenalised intercept: newton and proximal-newton have it; without Intercept the bias column is regularised", name)
	case p.Offset != nil && !takes.Offsets:
		return fmt.Errorf("%s: no offsets of rows", name)
	}
	return nil
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
func (p *Problem) Identity(pool *matrix.Pool) (checkpoint.Identity, error) {
	if p.X == nil {
		return nil, errors.New("erm: the problem has no matrix")
	}
	data, err := checkpoint.IdentityOf(pool, p.X, p.Y, p.SampleWeight)
	if p.Intercept {
		data = data.With("the intercept", true)
	}
	if p.Offset != nil {
		data = data.With("the offsets' checksum", checkpoint.Checksum(p.Offset))
	}
	return append(checkpoint.Identity{}.With("loss", p.Loss).With("Huber's delta", p.Threshold()).With("lambda", p.Lambda), data...), err
}
