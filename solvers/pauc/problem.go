// Package pauc trains linear scores for a high partial area under the ROC curve
// ("Large-scale Optimization of Partial AUC in a Range of False Positive Rates";
// equations and algorithms that the comments of this package number are that
// paper's):
//
//	minimise F(w) = f^n(w) - f^m(w), f^l(w) = (1/(P N)) sum_i phi_l(s_i1, ..., s_iN)
//
// over P positive rows i and N negative rows j, with s_ij = log(1+exp(w'x_j-w'x_i)),
// phi_l the sum of the l largest, and m/N and n/N the range of false-positive rates.
// The paper has no 1/(P N). With it no parameter depends on the size of the data:
// Mu here is the paper's mu times P N, and Step is its gamma/mu.
package pauc

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be ranked. Solving does not change it.
type Problem struct {
	// X has n rows. A bias column changes no ranking.
	X *sparse.Matrix
	// Y holds n labels, -1 or +1, both of which occur.
	Y []float64
	// Low and High bound the false-positive rates, 0 <= Low < High <= 1. At least
	// one negative row must lie between them.
	Low, High float64
}

// ranks returns m and n, the ranks of negatives between which losses count.
func ranks(low, high float64, negatives int) (m, n int) {
	return int(float64(low * float64(negatives))), int(math.Ceil(float64(high * float64(negatives))))
}

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	switch {
	case p == nil || p.X == nil:
		return errors.New("pauc: the problem has no matrix")
	case len(p.Y) != p.X.Rows():
		return fmt.Errorf("pauc: %d labels for %d rows", len(p.Y), p.X.Rows())
	case p.X.Cols() == 0:
		return errors.New("pauc: the matrix has no columns")
	case !(p.Low >= 0 && p.Low < p.High && p.High <= 1):
		return fmt.Errorf("pauc: the range of false-positive rates is [%v, %v]; it must lie in [0, 1] and not be empty", p.Low, p.High)
	}
	positives := 0
	for i, y := range p.Y {
		if y != 1 && y != -1 {
			return fmt.Errorf("pauc: row %d has the label %v; there must be -1 and +1 only", i, y)
		}
		if y > 0 {
			positives++
		}
	}
	if positives == 0 || positives == len(p.Y) {
		return fmt.Errorf("pauc: %d of %d rows are positive; a ranking needs both classes", positives, len(p.Y))
	}
	return nil
}
