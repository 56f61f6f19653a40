package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// preconditioner is an approximation M of the Hessian X'hX + lambda that is cheap
// to invert: its diagonal at first. Once the conjugate gradients have cost as much
// as forming the whole Hessian would, that is done, where the columns are few
// enough, and M is its Cholesky factor, until the conjugate gradients have cost as
// much again. So the cost is never far above that of the better choice, without a
// guess at the condition of the problem.
type preconditioner struct {
	h      hessian
	pool   *matrix.Pool
	lambda float64

	inverse []float64 // 1/diag(H), while there is no factor
	factor  []float64 // U of M = U'U, by rows
	dense   bool      // M is U'U
	cost    float64   // of forming and factoring the Hessian, in passes
	age     int       // conjugate-gradient iterations since the run began or the factor was formed

	near bool // the gap is within nearTarget tolerances: a step or two are likely to be enough
}

// hessian is X'hX, at whatever curvatures the rows have when it is asked for.
type hessian interface {
	// squares writes the diagonal to dst, gram the lower triangle row by row. After an error
	// dst is as it was.
	squares(dst []float64) error
	gram(dst []float64) error
	// gramCost is the cost of gram and of factoring it, in passes; +Inf where there are
	// too many columns for that.
	gramCost() float64
}

// nearTarget: within nearTarget times the gap tolerance a factor waits twice as long.
const nearTarget = 10

func newPreconditioner(h hessian, d int, lambda float64, pool *matrix.Pool) *preconditioner {
	return &preconditioner{h: h, pool: pool, lambda: lambda, inverse: make([]float64, d), cost: h.gramCost()}
}

// refresh sets M, if that is due. After an error it is as it was.
func (m *preconditioner) refresh() error {
	if age := float64(m.age); age >= m.cost && !(m.near && age < 2*m.cost) {
		return m.form()
	}
	if m.dense {
		return nil
	}
	if err := m.h.squares(m.inverse); err != nil {
		return err
	}
	for j, v := range m.inverse {
		m.inverse[j] = 1
		if v += m.lambda; v > 0 {
			m.inverse[j] = 1 / v
		}
	}
	return nil
}

// form sums the Hessian and factors it in place.
func (m *preconditioner) form() error {
	d := len(m.inverse)
	if m.factor == nil {
		m.factor = direct.Borrow(d * d)
	}
	if err := m.h.gram(m.factor); err != nil {
		return err
	}
	m.age, m.dense = 0, true
	for j := range d {
		m.factor[j*d+j] += m.lambda
	}
	cholesky.FactorBy(m.pool, m.factor, d)
	return nil
}

// hessianRows is the Hessian of rows in memory.
type hessianRows struct {
	x direct.Matrix
	h []float64 // a curvature a row
}

func (r *hessianRows) gramCost() float64 {
	n, d := r.x.Rows(), r.x.Cols()
	if d > cost.Columns {
		return math.Inf(1)
	}
	gram, pass := cost.Gram(r.x.GramCost(), n, d)+cost.Factor(d), float64(cost.Pass(r.x.NNZ(), n))
	if r.x.Full() {
		pass /= cost.Vector
	}
	return float64(gram) / pass
}

func (r *hessianRows) squares(dst []float64) error {
	clear(dst)
	r.x.AddSquares(dst, r.h)
	return nil
}

func (r *hessianRows) gram(dst []float64) error {
	r.x.Gram(dst, r.h)
	return nil
}

// Solve computes dst = M^-1 r.
func (m *preconditioner) Solve(v *direct.Vectors, dst, r []float64) {
	if !m.dense {
		v.Mul(dst, m.inverse, r)
		return
	}
	cholesky.Solve(dst, m.factor, r)
}

// release ends its use.
func (m *preconditioner) release() {
	direct.Return(m.factor)
	m.factor, m.dense = nil, false
}

func (m *preconditioner) state(c *checkpoint.Coder) {
	c.Bool(&m.dense)
	c.Count(&m.age, checkpoint.MostCount)
	if !m.dense {
		c.Floats(m.inverse)
		return
	}
	if len(m.inverse) > cost.Columns {
		c.Fail(fmt.Errorf("a Hessian of %d columns", len(m.inverse)))
		return
	}
	if m.factor == nil {
		m.factor = make([]float64, len(m.inverse)*len(m.inverse))
	}
	c.Floats(m.factor)
}
