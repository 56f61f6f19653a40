// Package risk has what solvers, certificates and references share of a Problem: the checks, its
// identity, its rows in another order, and its losses summed by blocks of rows.
package risk

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
)

// Problem is the Problem of package solvers.
type Problem = solvers.Problem

// Held returns the weights of w that the regulariser holds.
func Held(p *Problem, w []float64) []float64 { return w[:len(w)-p.Free()] }

// Check says what is wrong with a problem, if anything.
func Check(p *Problem) error {
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
	if err := CheckNumbers(p, p.X.Cols()); err != nil {
		return err
	}
	if i, err := p.Loss.Check(p.Y); err != nil {
		return fmt.Errorf("erm: row %d has %w", i, err)
	}
	for i, o := range p.Offset {
		if o-o != 0 {
			return fmt.Errorf("erm: row %d has the offset %v; it must be finite", i, o)
		}
	}
	if err := CheckWeights("erm", p.SampleWeight); err != nil {
		return err
	}
	return CheckClasses(p, p.Y, p.SampleWeight)
}

// CheckClasses refuses labels of one class, or counts of 0, beside an intercept, which would be
// infinite. It ignores labels y of rows of weight 0.
func CheckClasses(p *Problem, y, s []float64) error {
	if !p.Intercept {
		return nil
	}
	var above, others bool
	for i := 0; i < len(y) && !(above && others); i++ {
		if s == nil || s[i] > 0 {
			above, others = above || y[i] > 0, others || y[i] <= 0
		}
	}
	switch {
	case p.Loss.Finite(above, others):
		return nil
	case p.Loss.Labels():
		return errOneClass
	}
	return fmt.Errorf("erm: no row with a weight above 0 has a target above 0: the intercept of the %v loss would be infinite", p.Loss)
}

// errOneClass is the error of CheckClasses for labels.
var errOneClass = errors.New("erm: all rows with a weight above 0 are of one class: the intercept would be infinite")

// CheckWeights says which sample weight is out of its range; name is the package's that asks.
func CheckWeights(name string, weight []float64) error {
	for i, s := range weight {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("%s: row %d has the sample weight %v; it must be 0 or more", name, i, s)
		}
	}
	return nil
}

// CheckNumbers says what is wrong with what is not of the rows, which have a number of columns.
func CheckNumbers(p *Problem, columns int) error {
	if p.Penalty != nil {
		if err := p.Penalty.Check(max(columns-p.Free(), 0)); err != nil {
			return fmt.Errorf("erm: %w", err)
		}
	}
	if p.Loss == nil {
		return errors.New("erm: the problem has no loss")
	}
	if err := p.Loss.Valid(); err != nil {
		return fmt.Errorf("erm: %w", err)
	}
	return nil
}

// Identity tells problems apart for checkpoints: it covers every label, weight and
// matrix entry, the latter through a product X'r with a random number for each row.
func Identity(p *Problem, pool *matrix.Pool) (checkpoint.Identity, error) {
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
	return append(checkpoint.Identity{}.With("loss", p.Loss).With("the loss's parameter", p.Loss.Parameter()).With("penalty", p.Penalty), data...), err
}
