package compositional

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
)

// reference holds a reference point x~ with its full quantities, and makes the
// estimators (2) to (4) from them.
type reference struct {
	t      *task
	full   *objective
	anchor Anchor
	affine bool

	x, g, v []float64 // x~, g~ = g(x~), v~ = grad F(x~)

	fresh bool // g and v belong to the present x

	now, u, before []float64 // of length k: g_t, mean grad f_i(g_t), the same less that at g~
	d              []float64 // v_t
}

func newReference(t *task) *reference {
	k, d := t.shape.Between, t.shape.Columns
	r := &reference{
		t: t, full: t.full,
		x: make([]float64, d), g: make([]float64, k), v: make([]float64, d),
		now: make([]float64, k), u: make([]float64, k), before: make([]float64, k), d: make([]float64, d),
	}
	copy(r.x, t.start)
	if a, ok := t.p.F.(Affine); ok {
		r.affine = a.IsAffine()
	}
	var own bool
	if r.anchor, own = t.p.F.(Anchor); !own {
		r.anchor = &matrixAnchor{f: t.p.F, rows: make([]float64, k*d), unit: make([]float64, k), shape: t.shape}
	}
	return r
}

// set computes the full quantities at x~, and reports the point.
func (r *reference) set(c *run.Control) {
	if !r.fresh {
		r.refresh()
	}
	r.fresh = false
	c.Gradients(r.t.shape.samples())
	c.Reached(r.x, r.full.report(r.x, r.g, r.v))
}

func (r *reference) refresh() {
	r.full.inner(r.g, r.x)
	r.anchor.SetAnchor(r.x)
	r.full.outer(r.u, r.g)
	clear(r.v)
	r.anchor.AddAnchor(r.v, 1, r.u)
}

// direction returns v_t at x, (4), from the samples for g of (2), for its Jacobian of (3),
// and of the f_i.
//
// The sum of (4) is z_t'u - z~'u~ with u and u~ the means of grad f_i at g_t and g~. With (3)
// this is z~'(u - u~) plus the mean of (J_j(x) - J_j(x~))'u.
func (r *reference) direction(x []float64, inner, jacobian, outer []uint32) []float64 {
	f := r.t.p.F
	share := 1 / float64(len(inner))
	copy(r.now, r.g)
	f.AddInner(r.now, share, inner, x)
	f.AddInner(r.now, -share, inner, r.x)

	share = 1 / float64(len(outer))
	clear(r.u)
	f.AddOuter(r.u, share, outer, r.now)
	copy(r.before, r.u)
	f.AddOuter(r.before, -share, outer, r.g)

	copy(r.d, r.v)
	r.anchor.AddAnchor(r.d, 1, r.before)
	if !r.affine {
		share = 1 / float64(len(jacobian))
		f.AddJacobian(r.d, share, jacobian, x, r.u)
		f.AddJacobian(r.d, -share, jacobian, r.x, r.u)
	}
	return r.d
}

// state visits the reference point; what was computed there is computed again.
func (r *reference) state(c *checkpoint.Coder) {
	c.Floats(r.x)
	c.Floats(r.g)
	c.Floats(r.v)
	if c.Restoring() && c.Err() == nil {
		r.fresh = false
		r.anchor.SetAnchor(r.x)
	}
}

// matrixAnchor is the Anchor of compositions without their own: z as a dense matrix.
type matrixAnchor struct {
	f     Composition
	shape Shape
	rows  []float64 // k by d
	unit  []float64
}

func (m *matrixAnchor) SetAnchor(x []float64) {
	clear(m.rows)
	d := m.shape.Columns
	for k := range m.unit {
		clear(m.unit)
		m.unit[k] = 1
		m.f.AddJacobian(m.rows[k*d:(k+1)*d], 1/float64(m.shape.Inner), nil, x, m.unit)
	}
}

func (m *matrixAnchor) AddAnchor(dst []float64, scale float64, u []float64) {
	d := m.shape.Columns
	for k, v := range u {
		direct.Axpy(float64(scale*v), m.rows[k*d:(k+1)*d], dst)
	}
}
