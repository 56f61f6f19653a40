package pauc

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// pairShare turns sums over pairs into F.
func (c *common) pairShare() float64 {
	return 1 / (float64(c.lists()) * float64(len(c.negatives)))
}

// value returns the part of F, or of f^l, of the negatives at the ranks first+1 to end.
// The scores are in c.all.
func (c *common) value(first, end int) (float64, error) {
	if err := c.between(first, end); err != nil {
		return 0, err
	}
	_, heads, err := c.heads()
	if err != nil {
		return 0, err
	}
	return float64(c.loss.total(heads, c.insideScores, make([]float64, end-first)) * c.pairShare()), nil
}

// gradient writes the gradient of value at w to dst.
func (c *common) gradient(dst, w []float64, first, end int) error {
	clear(dst)
	if err := c.between(first, end); err != nil {
		return err
	}
	rows, heads, err := c.heads()
	if err != nil {
		return err
	}
	n := end - first
	coef, of := make([]float64, n), make([]float64, len(heads))
	c.loss.derivatives(heads, c.insideScores, of, coef, make([]float64, n), make([]float64, n))
	share := c.pairShare()
	direct.Scale(coef, share, coef)
	direct.Scale(of, share, of)
	c.signed(coef, c.inside)
	if err := c.addGradient(dst, c.inside, coef, w); err != nil || len(rows) == 0 {
		return err
	}
	return c.addGradient(dst, rows, of, w)
}

// at computes scores and ranks at w, for a task outside of a run.
func (t *task) at(pool *matrix.Pool, w []float64) (*common, error) {
	if len(w) != t.model.Parameters() {
		return nil, fmt.Errorf("pauc: %d weights for a model of %d", len(w), t.model.Parameters())
	}
	c := &common{task: t, pool: pool, ranked: newRanked(t)}
	if err := c.score(pool, w); err != nil {
		return nil, err
	}
	for i, s := range c.all {
		if s-s != 0 {
			return nil, fmt.Errorf("pauc: the score of row %d is %v", i, s)
		}
	}
	return c, nil
}

func (t *task) topSum(pool *matrix.Pool, w []float64, l int) (float64, error) {
	if l < 0 || l > len(t.negatives) {
		return 0, fmt.Errorf("pauc: the %d largest of %d losses", l, len(t.negatives))
	}
	c, err := t.at(pool, w)
	if err != nil {
		return 0, err
	}
	return c.value(0, l)
}

func (t *task) total(pool *matrix.Pool, w []float64) (float64, error) {
	c, err := t.at(pool, w)
	if err != nil {
		return 0, err
	}
	return c.value(t.m, t.n)
}

func (t *task) slope(pool *matrix.Pool, dst, w []float64) error {
	c, err := t.at(pool, w)
	if err != nil {
		return err
	}
	if len(dst) != len(w) {
		return fmt.Errorf("pauc: a gradient of %d elements for %d weights", len(dst), len(w))
	}
	return c.gradient(dst, w, t.m, t.n)
}

// TopSum computes f^l(w) of the logistic loss, without the regulariser: the sum over
// the positives that count of their l largest losses, divided by the number of all pairs. It
// takes the scores of all rows, O(N) and p l losses, and memory for a few numbers a row.
func (p *Problem) TopSum(pool *sparse.Pool, w []float64, l int) (float64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	return p.task().topSum(pool, w, l)
}

// Loss computes F(w) = f^n(w) - f^m(w), without the regulariser, as TopSum does.
func (p *Problem) Loss(pool *sparse.Pool, w []float64) (float64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	return p.task().total(pool, w)
}

// Gradient writes the gradient of Loss at w to dst; if scores tie at rank m or n, it is a
// generalised gradient. It costs about as much as Loss.
func (p *Problem) Gradient(pool *sparse.Pool, dst, w []float64) error {
	if err := p.Check(); err != nil {
		return err
	}
	return p.task().slope(pool, dst, w)
}

// TopSum computes the sum of the l largest losses, divided by the number of rows.
func (p *RangeProblem) TopSum(pool *sparse.Pool, w []float64, l int) (float64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	return p.task().topSum(pool, w, l)
}

// Loss computes the sum of the ranked range divided by the number of all rows,
// without the regulariser: (N-M)/rows times the objective that SolveRange reports.
func (p *RangeProblem) Loss(pool *sparse.Pool, w []float64) (float64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	return p.task().total(pool, w)
}

// Gradient writes the gradient of Loss at w to dst.
func (p *RangeProblem) Gradient(pool *sparse.Pool, dst, w []float64) error {
	if err := p.Check(); err != nil {
		return err
	}
	return p.task().slope(pool, dst, w)
}
