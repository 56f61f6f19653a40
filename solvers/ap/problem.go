// Package ap trains scores for a high average precision, the area under the
// precision-recall curve ("Momentum Accelerates the Convergence of Stochastic
// AUPRC Maximization"; equations and algorithms that the comments of this package
// number are that paper's):
//
//	minimise F(w) = -(1/m) sum_i g_i1(w)/g_i2(w) + (lambda/2) ||w||^2
//
// over the m positive rows i of n. g_i1 and g_i2 are means over all rows of l(j, i), a smooth
// surrogate of "row j scores no less than row i"; g_i1 counts the positive rows j only. (The
// paper has sums; F is the same.)
//
// Where this is not the paper:
//
//   - Its regulariser is lambda ||w||^2: half of Lambda.
//   - Batches are drawn in shuffled passes, one over the positives and one over the
//     negatives, without the rows that do not fill a last batch; the paper draws
//     uniformly, as Common.Uniform does.
//   - One batch gives the estimates of g and of its gradient, as in the code of the paper's
//     authors; the paper's text has two independent batches. A batch has a fixed number of
//     rows of either class, weighted by the class's share of all rows.
//   - Common.Paper and Paper select the paper's setting. Otherwise SOAP keeps u_2 >= C as
//     MOAP does, unlike (5). Estimates begin at a row's first estimate, and moments at the
//     run's first gradient, instead of 0: ADAP-AdaGrad counts the first gradient twice.
//     ADAP corrects its moments as Adam does.
//
// An iteration takes a batch of P positives and N negatives: one product for
// their scores, P x (P+N) pairs, one transposed product for the gradient. Nothing
// of size m or n is touched. The step is dense, O(columns), because of the regulariser
// and the moments; where a batch touches few of the columns, it is taken lazily, at
// the cost of the batch (Common.Dense).
package ap

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be ranked. Solving does not change it. Several runs may share it,
// except for its Model.
type Problem struct {
	// X has n rows. A bias column does not change a ranking: with raw scores its
	// weight stays what the warm start made it.
	X *sparse.Matrix
	// Y holds n labels, -1 or +1, both of which occur.
	Y []float64
	// Lambda is the weight of the regulariser, 0 or more.
	Lambda float64
	// Model scores the rows of X; nil means score.Linear.
	Model score.Model
}

// model returns what scores the rows.
func (p *Problem) model() score.Model {
	if l, linear := p.Model.(score.Linear); p.Model != nil && (!linear || l.X != nil) {
		return p.Model
	}
	return score.Linear{X: p.X}
}

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	if p == nil {
		return errors.New("ap: there is no problem")
	}
	if err := ranking.Check(p.X, p.Y); err != nil {
		return fmt.Errorf("ap: %w", err)
	}
	if !(p.Lambda >= 0) || math.IsInf(p.Lambda, 0) {
		return fmt.Errorf("ap: lambda is %v; it must be 0 or more", p.Lambda)
	}
	return nil
}
