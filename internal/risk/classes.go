package risk

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Classes is a softmax.Problem.
type Classes struct {
	X            *sparse.Matrix
	Class        []uint32
	Count        int
	Lambda       float64
	Penalty      penalty.Penalty
	SampleWeight []float64
	Intercept    bool
}

// Held returns the number of weights of d columns that the regulariser holds, column after column.
func (p *Classes) Held() int {
	d := p.X.Cols()
	if p.Intercept {
		d--
	}
	return d * p.Count
}

// SpareClasses may be without rows: a count beyond is a mistake, and would take memory for
// every column.
const SpareClasses = 1024

// Check says what is wrong with a problem, if anything.
func (p *Classes) Check() error {
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
	case p.Count > len(p.Class)+SpareClasses:
		return fmt.Errorf("softmax: %d classes for %d rows; %d classes may be without rows at most", p.Count, len(p.Class), SpareClasses)
	case p.Penalty != nil && p.Lambda != 0:
		return fmt.Errorf("softmax: lambda is %v beside a penalty; it must be 0, as the penalty has the squares", p.Lambda)
	case p.Penalty == nil && (!(p.Lambda > 0) || math.IsInf(p.Lambda, 0)):
		return fmt.Errorf("softmax: lambda is %v; it must be above 0", p.Lambda)
	case p.Intercept && p.X.Bias() != 1:
		return fmt.Errorf("softmax: intercepts are the weights of a bias column of ones, and the bias of X is %v; Matrix.WithBias(1) adds the column", p.X.Bias())
	}
	for i, c := range p.Class {
		if int64(c) >= int64(p.Count) {
			return fmt.Errorf("softmax: row %d has the class %d of %d", i, c, p.Count)
		}
	}
	if err := p.checkPenalty(); err != nil {
		return fmt.Errorf("softmax: %w", err)
	}
	if err := CheckWeights("softmax", p.SampleWeight); err != nil || !p.Intercept {
		return err
	}
	for c, mass := range p.Masses() {
		if !(mass > 0) {
			return fmt.Errorf("softmax: class %d of %d has no row with a weight above 0: its intercept would be infinite", c, p.Count)
		}
	}
	return nil
}

// checkPenalty refuses penalties that do not hold every weight, or whose groups are not the columns.
func (p *Classes) checkPenalty() error {
	if p.Penalty == nil {
		return nil
	}
	if err := p.Penalty.Check(p.Held()); err != nil {
		return err
	}
	rules, err := penalty.RulesOf(p.Penalty)
	if err != nil {
		return err
	}
	if _, is := rules.(penalty.Uneven); is {
		return &penalty.LacksError{Penalty: p.Penalty, Part: "factor that all weights share"}
	}
	if grouped, is := rules.(penalty.Grouped); is {
		for j, group := range grouped.Columns() {
			for k, weight := range group {
				if weight != j*p.Count+k || len(group) != p.Count {
					return fmt.Errorf("the groups of the penalty %v are not the columns, with all classes of each", p.Penalty)
				}
			}
		}
	} else if _, is := rules.(penalty.Absolute); !is {
		return &penalty.LacksError{Penalty: p.Penalty, Part: "norm of single weights, or of the classes of a column"}
	}
	if !rules.Bounded() {
		return fmt.Errorf("the penalty %v is 0; weights need one above 0", p.Penalty)
	}
	return nil
}

// Masses returns the total weight of the rows of each class.
func (p *Classes) Masses() []float64 {
	masses := make([]float64, p.Count)
	for i, c := range p.Class {
		masses[c] += direct.Weight(p.SampleWeight, i)
	}
	return masses
}
