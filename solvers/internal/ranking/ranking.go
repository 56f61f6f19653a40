// Package ranking holds code that packages ap and pauc share: checks of rows and labels, and
// questions to a model.
package ranking

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Check returns an error unless rows x and labels y pose a ranking problem: a matrix with
// columns, and labels -1 and +1 that both occur.
func Check(x *sparse.Matrix, y []float64) error {
	positives, err := CheckRows(x, y)
	if err == nil && (positives == 0 || positives == len(y)) {
		err = fmt.Errorf("%d of %d rows are positive; a ranking needs both classes", positives, len(y))
	}
	return err
}

// CheckRows is Check for problems that need one class only. It returns the number of
// positive rows.
func CheckRows(x *sparse.Matrix, y []float64) (positives int, err error) {
	switch {
	case x == nil:
		return 0, errors.New("the problem has no matrix")
	case len(y) != x.Rows():
		return 0, fmt.Errorf("%d labels for %d rows", len(y), x.Rows())
	case len(y) == 0:
		return 0, errors.New("the matrix has no rows")
	case x.Cols() == 0:
		return 0, errors.New("the matrix has no columns")
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			return 0, fmt.Errorf("row %d has the label %v; there must be -1 and +1 only", i, v)
		}
		if v > 0 {
			positives++
		}
	}
	return positives, nil
}

// Split returns the numbers of the positive and of the negative rows.
func Split(y []float64) (positives, negatives []uint32) {
	for i, v := range y {
		if v > 0 {
			positives = append(positives, uint32(i))
		} else {
			negatives = append(negatives, uint32(i))
		}
	}
	return positives, negatives
}

// ConstantOf returns the place of the parameter that adds the same to every score of m, -1
// if m is no score.Constant. Moments would make steps of the rounding errors in the
// gradient of this parameter.
func ConstantOf(m score.Model) int {
	if c, has := m.(score.Constant); has {
		return c.Constant()
	}
	return -1
}

// Identity returns a text that is equal for two models if either can resume checkpoints of
// the other.
func Identity(m score.Model) string {
	if s, is := m.(fmt.Stringer); is {
		return s.String()
	}
	return fmt.Sprintf("%T", m)
}
