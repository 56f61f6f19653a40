package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// preconditioner is an approximation M of the Hessian X'hX + lambda that is cheap
// to invert: its diagonal at first. Once the conjugate gradients have cost as much
// as forming the whole Hessian would, that is done, where the columns are few
// enough, and M is its Cholesky factor, until the conjugate gradients have cost as
// much again. So the cost is never far above that of the better choice, without a
// guess at the condition of the problem.
type preconditioner struct {
	p *Problem
	x direct.Matrix

	inverse []float64 // 1/diag(H), while there is no factor
	factor  []float64 // L of M = LL', its lower triangle by rows
	dense   bool      // M is LL'
	cost    float64   // of forming and factoring the Hessian, in passes
	age     int       // conjugate-gradient iterations since the run began or the factor was formed

	// The Hessian is summed over one row of every step: these, with their curvatures.
	step int
	part *sparse.Matrix
	list []uint32
	h    []float64

	diagonal bool // inverse is set
	born     int  // age at which it was
}

// gramRows is the least number of rows for each column that the Hessian is summed
// over. Its error is of the order of the root of the inverse, which takes the conjugate
// gradients no more iterations.
const gramRows = 128

// diagonalAge is the number of conjugate-gradient iterations that a diagonal serves at
// least: to sum it takes half a pass, and it changes little.
const diagonalAge = 4

// mostDense is the largest number of columns whose Hessian may be formed: it then
// takes 32 MB.
const mostDense = 2048

func newPreconditioner(p *Problem, x direct.Matrix) *preconditioner {
	d := p.X.Cols()
	m := &preconditioner{p: p, x: x, inverse: make([]float64, d), cost: math.Inf(1)}
	if d <= mostDense {
		// The factor's d^3/6 steps go by vectors, those of the sum one by one.
		m.step = max(1, min(p.X.Rows()/max(gramRows*d, 4*leastSample), mostStep))
		steps := float64(p.X.GramCost()/int64(m.step)) + float64(d*d)*float64(d)/48
		m.cost = steps / float64(2*(p.X.NNZ()+int64(p.X.Rows())))
	}
	return m
}

// refresh sets M at curvatures h, if that is due.
func (m *preconditioner) refresh(h []float64) {
	if float64(m.age) >= m.cost {
		m.age, m.dense = 0, true
		m.form(h)
		return
	}
	if m.dense || m.diagonal && m.age-m.born < diagonalAge {
		return
	}
	m.diagonal, m.born = true, m.age
	clear(m.inverse)
	m.x.AddSquares(m.inverse, h)
	for j, v := range m.inverse {
		m.inverse[j] = 1
		if v += m.p.Lambda; v > 0 {
			m.inverse[j] = 1 / v
		}
	}
}

// form sums the Hessian and factors it in place. A pivot that vanishes to rounding
// is replaced by the diagonal element: such a column depends on those before it,
// and M need not be exact.
func (m *preconditioner) form(h []float64) {
	d := m.p.X.Cols()
	if m.factor == nil {
		m.factor = make([]float64, d*d)
	}
	m.sampled(h).Gram(m.factor, m.h)
	for a := range d {
		row := m.factor[a*d:][:a+1]
		row[a] += m.p.Lambda
		for b := range a {
			other := m.factor[b*d:][:b+1]
			row[b] = (row[b] - direct.Dot(row[:b], other[:b])) / other[b]
		}
		pivot := row[a] - kernels.SquaredNorm(row[:a])
		if !(pivot > 1e-12*row[a]) {
			pivot = row[a]
		}
		if !(pivot > 0) {
			pivot = 1
		}
		row[a] = math.Sqrt(pivot)
	}
}

// sampled returns the rows that the Hessian is summed over, and sets their curvatures.
func (m *preconditioner) sampled(h []float64) direct.Matrix {
	if m.step <= 1 {
		m.h = h
		return m.x
	}
	if m.part == nil {
		m.list = sampleRows(m.p.X.Rows(), m.step)
		m.part = direct.Have(m.p.X.PickRows(m.list))
		m.h = make([]float64, len(m.list))
	}
	for k, i := range m.list {
		m.h[k] = float64(h[i] * float64(m.step))
	}
	return direct.Matrix{Matrix: m.part, Pool: m.x.Pool}
}

// solve computes dst = M^-1 r.
func (m *preconditioner) solve(dst, r []float64) {
	if !m.dense {
		direct.Mul(dst, m.inverse, r)
		return
	}
	d := len(r)
	for a := range d {
		row := m.factor[a*d:][:a+1]
		dst[a] = (r[a] - direct.Dot(row[:a], dst[:a])) / row[a]
	}
	for a := d - 1; a >= 0; a-- {
		row := m.factor[a*d:][:a+1]
		dst[a] /= row[a]
		direct.Axpy(-dst[a], row[:a], dst[:a])
	}
}

func (m *preconditioner) state(c *engine.Coder) {
	c.Bool(&m.dense)
	c.Count(&m.age, engine.MostCount)
	c.Count(&m.born, engine.MostCount)
	c.Bool(&m.diagonal)
	if !m.dense {
		c.Floats(m.inverse)
		return
	}
	if len(m.inverse) > mostDense {
		c.Fail(fmt.Errorf("a Hessian of %d columns", len(m.inverse)))
		return
	}
	if m.factor == nil {
		m.factor = make([]float64, len(m.inverse)*len(m.inverse))
	}
	c.Floats(m.factor)
}
