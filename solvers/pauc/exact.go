package pauc

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// pairSums returns the sum of the losses log(1+exp(others[j]-heads[i])) over all
// pairs. It adds their derivatives by others to coef and writes those by heads to of.
// z is scratch, as long as others.
func pairSums(heads, others, of, coef, z []float64) (float64, error) {
	sum := 0.0
	for i, s := range heads {
		copy(z, others)
		if err := errors.Join(kernels.AddScalar(z, -s, z), kernels.Softplus(z, z)); err != nil {
			return 0, err
		}
		sum += kernels.Sum(z)
		copy(z, others)
		if err := errors.Join(kernels.AddScalar(z, -s, z), kernels.Sigmoid(z, z), kernels.Axpy(1, z, coef)); err != nil {
			return 0, err
		}
		of[i] = -kernels.Sum(z)
	}
	return sum, nil
}

// lossSum is pairSums without derivatives.
func lossSum(heads, others, z []float64) (float64, error) {
	sum := 0.0
	for _, s := range heads {
		copy(z, others)
		if err := errors.Join(kernels.AddScalar(z, -s, z), kernels.Softplus(z, z)); err != nil {
			return 0, err
		}
		sum += kernels.Sum(z)
	}
	return sum, nil
}

// headScores returns the scores of the positives, or 0 for the one of a single list.
func (c *common) headScores() []float64 {
	heads := make([]float64, c.lists())
	for i, row := range c.positives {
		heads[i] = c.all[row]
	}
	return heads
}

// pairShare turns sums over pairs into F.
func (c *common) pairShare() float64 {
	return 1 / (float64(c.lists()) * float64(len(c.negatives)))
}

// value is the part of F, or of f^l, that the negatives at the ranks first to end
// have. The scores are in c.all, c.order is sorted by them.
func (c *common) value(first, end int) (float64, error) {
	others := make([]float64, end-first)
	for k := range others {
		others[k] = c.order[first+k].score
	}
	sum, err := lossSum(c.headScores(), others, make([]float64, len(others)))
	return float64(sum * c.pairShare()), err
}

// gradient writes the gradient of value to dst.
func (c *common) gradient(dst []float64, first, end int) error {
	clear(dst)
	others, rows := make([]float64, end-first), make([]uint32, end-first)
	for k := range others {
		others[k], rows[k] = c.order[first+k].score, c.order[first+k].row
	}
	coef, of := make([]float64, len(others)), make([]float64, c.lists())
	if _, err := pairSums(c.headScores(), others, of, coef, make([]float64, len(others))); err != nil {
		return err
	}
	share := c.pairShare()
	if err := errors.Join(kernels.Scale(coef, share, coef), kernels.Scale(of, share, of)); err != nil {
		return err
	}
	c.signed(coef, rows)
	if err := c.x.AddRows(dst, rows, coef); err != nil || len(c.positives) == 0 {
		return err
	}
	return c.x.AddRows(dst, c.positives, of)
}

// at makes scores and ranks at w; t is a task of no run.
func (t *task) at(pool *sparse.Pool, w []float64) (*common, error) {
	if len(w) != t.x.Cols() {
		return nil, fmt.Errorf("pauc: %d weights for %d columns", len(w), t.x.Cols())
	}
	c := &common{task: t, pool: pool, all: make([]float64, len(t.y)), order: make([]ranked, len(t.negatives))}
	if err := t.x.MulVec(pool, c.all, w); err != nil {
		return nil, err
	}
	for i, s := range c.all {
		if s-s != 0 {
			return nil, fmt.Errorf("pauc: the score of row %d is %v", i, s)
		}
	}
	c.rank()
	return c, nil
}

func (t *task) topSum(pool *sparse.Pool, w []float64, l int) (float64, error) {
	if l < 0 || l > len(t.negatives) {
		return 0, fmt.Errorf("pauc: the %d largest of %d losses", l, len(t.negatives))
	}
	c, err := t.at(pool, w)
	if err != nil {
		return 0, err
	}
	return c.value(0, l)
}

func (t *task) loss(pool *sparse.Pool, w []float64) (float64, error) {
	c, err := t.at(pool, w)
	if err != nil {
		return 0, err
	}
	return c.value(t.m, t.n)
}

func (t *task) slope(pool *sparse.Pool, dst, w []float64) error {
	c, err := t.at(pool, w)
	if err != nil {
		return err
	}
	if len(dst) != len(w) {
		return fmt.Errorf("pauc: a gradient of %d elements for %d weights", len(dst), len(w))
	}
	return c.gradient(dst, t.m, t.n)
}

// TopSum computes f^l(w), without the regulariser: the sum over the positives of
// their l largest losses, divided by the number of all pairs. It takes one product
// with X, a sort and P l losses, and memory for a few numbers a row.
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
	return p.task().loss(pool, w)
}

// Gradient writes the gradient of Loss at w to dst; where scores tie at rank m or n,
// one of the generalised ones. It costs twice as much as Loss.
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
	return p.task().loss(pool, w)
}

// Gradient writes the gradient of Loss at w to dst.
func (p *RangeProblem) Gradient(pool *sparse.Pool, dst, w []float64) error {
	if err := p.Check(); err != nil {
		return err
	}
	return p.task().slope(pool, dst, w)
}
