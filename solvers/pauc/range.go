package pauc

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// RangeProblem is the sum of ranked range (SoRR, (5) with (7)): the losses
// log(1+exp(-y_j w'x_j)) are ordered from the largest, and the losses of the ranks M+1 to
// N count. Solving does not change it. Several runs may share it, except for its Model.
type RangeProblem struct {
	X *sparse.Matrix
	// Y holds labels, -1 or +1, one a row.
	Y []float64
	// M and N are ranks, 0 <= M < N <= rows.
	M, N int
	// Lambda is the weight of the regulariser Lambda/2 ||w||^2 beside the mean loss
	// of the N-M samples; 0 or more.
	Lambda float64
	// Model scores the rows of X; nil means score.Linear.
	Model score.Model
}

// Ranks turns shares of the rows into M and N: M is rounded down, N up.
func Ranks(low, high float64, rows int) (m, n int) { return ranks(low, high, rows) }

// Check returns an error that says what is wrong with a problem, or nil.
func (p *RangeProblem) Check() error {
	if p == nil {
		return errors.New("pauc: the problem has no matrix")
	}
	if _, err := ranking.CheckRows(p.X, p.Y); err != nil {
		return fmt.Errorf("pauc: %w", err)
	}
	if !(p.M >= 0 && p.M < p.N && p.N <= len(p.Y)) {
		return fmt.Errorf("pauc: the range of ranks is %d to %d; with %d rows it must lie in 0 to %d and not be empty", p.M, p.N, len(p.Y), len(p.Y))
	}
	return checkLambda(p.Lambda)
}

func (p *RangeProblem) task() *task {
	t := &task{x: p.X, y: p.Y, model: modelOf(p.Model, p.X), m: p.M, n: p.N, hard: 1, negatives: make([]uint32, len(p.Y)), sign: make([]float64, len(p.Y))}
	for i, y := range p.Y {
		t.negatives[i], t.sign[i] = uint32(i), -y
	}
	t.regulariser = float64(p.Lambda * t.share())
	return t
}
