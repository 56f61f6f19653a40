package erm

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
)

// preconditioner is an approximation M of the Hessian X'hX + lambda that is cheap to invert: its
// diagonal at first. The row of an intercept b, which has no lambda, is exact in M. Let t = X'h,
// and t_b the sum of h. Then M has the diagonal of the Schur complement
//
//	D = diag(X'hX + lambda - tt'/t_b),  M = [D + tt'/t_b, t; t', t_b].
//
// Once the conjugate gradients have cost as much as forming the whole Hessian, the Hessian is
// formed, if the columns are few enough. M is then its Cholesky factor, until the conjugate
// gradients have cost as much again. So the cost is never far above the cost of the better
// choice, without a guess at the condition of the problem.
type preconditioner struct {
	o    oracle
	pool *matrix.Pool
	p    *Problem // its regulariser counts
	lent *direct.Workspace

	inverse []float64 // 1/diag(H), while there is no factor
	means   []float64 // t/t_b; nil without an intercept
	factor  []float64 // U of M = U'U, by rows
	dense   bool      // M is U'U
	own     bool      // of the rows that the run is on
	cost    float64   // of forming and factoring the Hessian, in passes
	age     int       // conjugate-gradient iterations since the run began or the factor was formed

	aims   bool // the run has a tolerance of the gap
	direct bool // the Hessian is formed at once

	near bool // the gap is within nearTarget tolerances: a step or two are likely to be enough
}

// nearTarget: within nearTarget times the gap tolerance a factor waits twice as long.
const nearTarget = 10

func newPreconditioner(o oracle, p *Problem, d int, pool *matrix.Pool, lent *direct.Workspace, aims bool) *preconditioner {
	m := &preconditioner{aims: aims, pool: pool, p: p, lent: lent, inverse: lent.Zeros(d)}
	if p.Intercept {
		m.means = lent.Zeros(d)
	}
	m.over(o)
	return m
}

// over goes on with the Hessian of other rows. A factor remains.
func (m *preconditioner) over(o oracle) {
	m.o, m.cost, m.age, m.own = o, o.gramCost(), 0, false
	m.direct = m.aims && directly(m.p, m.cost)
}

// directPasses is how many passes X'hX and its factor may cost to be formed before any conjugate
// gradients, where the loss has the same curvature everywhere and the factor serves the whole run.
const directPasses = 4

// directly tells whether a Hessian of that cost in passes is formed at once.
func directly(p *Problem, cost float64) bool {
	return p.Loss.Quadratic() && p.Ridge() > 0 && cost <= directPasses
}

// exact tells whether M is the Hessian, but for rounding.
func (m *preconditioner) exact() bool { return m.own && m.dense && m.p.Loss.Quadratic() }

// refresh sets M, if that is due. After an error it is as it was.
func (m *preconditioner) refresh() error {
	switch {
	case m.exact():
		return nil
	case m.due() || m.direct:
		return m.form()
	}
	if m.dense {
		return nil
	}
	if err := m.o.diagonal(m.inverse, m.means); err != nil {
		return err
	}
	if m.p.Intercept {
		m.eliminate()
	}
	for j, v := range m.inverse {
		if j < len(risk.Held(m.p, m.inverse)) {
			v += m.p.Ridge()
		}
		m.inverse[j] = 1
		if v > 0 {
			m.inverse[j] = 1 / v
		}
	}
	return nil
}

// due tells whether the conjugate gradients have cost as much as the Hessian.
func (m *preconditioner) due() bool {
	age := float64(m.age)
	return age >= m.cost && !(m.near && age < 2*m.cost)
}

// eliminate makes means of sums, and takes the part of the intercept out of the diagonal. At
// least leastShare of the diagonal remains, whatever the rounding.
func (m *preconditioner) eliminate() {
	const leastShare = 0x1p-40
	last := len(m.means) - 1
	total := m.means[last]
	for j, t := range m.means[:last] {
		if m.means[j] = 0; total > 0 {
			m.means[j] = t / total
			m.inverse[j] = max(m.inverse[j]-float64(m.means[j]*t), leastShare*m.inverse[j])
		}
	}
}

// form sums the Hessian and factors it in place.
func (m *preconditioner) form() error {
	d := len(m.inverse)
	if m.factor == nil {
		m.factor = m.lent.Vector(d * d)
	}
	if err := m.o.gram(m.factor); err != nil {
		return err
	}
	m.age, m.dense, m.own = 0, true, true
	for j := range risk.Held(m.p, m.inverse) {
		m.factor[j*d+j] += m.p.Ridge()
	}
	cholesky.FactorBy(m.pool, m.factor, d)
	return nil
}

// Solve computes dst = M^-1 r.
func (m *preconditioner) Solve(v *direct.Vectors, dst, r []float64) {
	if m.dense {
		cholesky.Solve(dst, m.factor, r)
		return
	}
	if !m.p.Intercept {
		v.Mul(dst, m.inverse, r)
		return
	}
	last := len(r) - 1
	means, held, b := m.means[:last], dst[:last], r[last]
	v.ScaleAdd(held, 1, r[:last], -b, means)
	v.Mul(held, m.inverse[:last], held)
	dst[last] = float64(b*m.inverse[last]) - v.Dot(means, held)
}

func (m *preconditioner) state(c *checkpoint.Coder) {
	c.Bool(&m.dense)
	c.Bool(&m.near)
	c.Bool(&m.own)
	c.Count(&m.age, checkpoint.MostCount)
	if !m.dense {
		c.Floats(m.inverse)
		if m.p.Intercept {
			c.Floats(m.means)
		}
		return
	}
	if len(m.inverse) > cost.Columns {
		c.Fail(fmt.Errorf("a Hessian of %d columns", len(m.inverse)))
		return
	}
	if m.factor == nil {
		m.factor = m.lent.Vector(len(m.inverse) * len(m.inverse))
	}
	c.Floats(m.factor)
}
