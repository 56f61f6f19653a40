package erm

import (
	"errors"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// inMemory is the oracle of rows in memory. It keeps the margins of the point and of the step. So a
// trial point costs O(rows), a new gradient half a pass, and a step of the intercept alone O(rows).
// Rows used in these are not counted.
type inMemory struct {
	*objective
	z                  []float64     // the margins of the point
	h                  []float64     // curvature of each row at z, divided by n
	stepMargin, margin []float64     // Xs, Xd
	cached             cachedMargins // how z came about
	length             float64       // of the direction d
	half               bool          // of the product with d is done
	wide               bool          // h comes from majorizerCurvature
	rowsUsed           int
	// lasting says that a factor of the Hessian serves other points too: of all rows if these are a sample, or
	// of a loss with the same curvature everywhere. Forming it pays sooner than a pass over rows without
	// indices costs.
	lasting bool
}

func newInMemory(o *objective) *inMemory {
	m := &inMemory{objective: o, lasting: o.p.Loss.Quadratic()}
	for _, v := range []*[]float64{&m.z, &m.h, &m.stepMargin, &m.margin} {
		*v = o.lent.Zeros(o.p.X.Rows())
	}
	return m
}

func (m *inMemory) rows() *inMemory { return m }

func (m *inMemory) gather() (*inMemory, error) { return m, nil }

func (m *inMemory) size() (rows, columns int) { return m.p.X.Rows(), m.p.X.Cols() }

func (m *inMemory) used() int {
	rows := m.rowsUsed
	m.rowsUsed = 0
	return rows
}

// constant writes weights of 0 beside the best constant.
func (m *inMemory) constant(w []float64) {
	if clear(w); m.p.Intercept {
		w[len(w)-1] = risk.Constant(m.p)
	}
}

func (m *inMemory) ceiling() float64 { return m.atConstant() }

func (m *inMemory) visit(g, w []float64) (run.Evaluation, error) {
	m.rowsUsed += len(m.z)
	e := m.afresh(g, w)
	if kernels.MaxAbs(w) == 0 {
		m.zero = e.Objective // the same sums
	}
	return e, nil
}

// afresh evaluates w at margins that are computed from it.
func (m *inMemory) afresh(g, w []float64) run.Evaluation {
	m.margins(m.z, w)
	m.cached = cachedMargins{length: m.lengthOf(w)}
	if m.p.Offset != nil {
		m.cached.length++ // offsets are one more direction, of length 1
	}
	return m.gradientAt(g, w, m.z)
}

// lengthOf returns the norm of a direction, or of weights, at least, as steps may go many
// times along directions so short that squares underflow.
func (m *inMemory) lengthOf(d []float64) float64 {
	return math.Sqrt(m.vectors.SquaredNorm(d)) + certificate.Underflow(len(d))
}

func (m *inMemory) curve(_ []float64, wide bool) {
	m.wide = wide
	matrix.Run(m.x.Pool, risk.Blocks(len(m.z)), (*curvatures)(m))
}

func (m *inMemory) bends() bool { return kernels.MaxAbs(m.h) > 0 }

// curvatures computes h over blocks of rows.
type curvatures inMemory

func (m *curvatures) Block(i int) {
	first, end := risk.Span(i, len(m.z))
	curvatureOf(m.p, m.wide, len(m.z), m.h[first:end], m.margin[first:end], m.z[first:end], m.p.Y[first:end], direct.Weights(m.p.SampleWeight, first, end))
}

func (m *inMemory) gramCost() float64 {
	n, d := m.size()
	if d > cost.Columns {
		return math.Inf(1)
	}
	gram, pass := cost.Gram(m.x.GramCost(), n, d)+cost.Factor(d), float64(cost.Pass(m.x.NNZ(), n))
	switch {
	case m.x.Full():
		pass /= cost.Vector
	case !m.lasting && matrix.IsFull(m.x.Matrix):
		pass = float64(cost.PassFull(m.x.NNZ(), n))
	}
	return float64(gram) / pass
}

func (m *inMemory) diagonal(squares, sums []float64) error {
	if sums != nil {
		clear(sums)
		if m.x.AddTrans(sums, m.h); m.x.Values() == sparse.ValuesNone { // ones are their squares
			copy(squares, sums)
			return nil
		}
	}
	clear(squares)
	m.x.AddSquares(squares, m.h)
	return nil
}

func (m *inMemory) gram(dst []float64) error {
	m.x.Gram(dst, m.h)
	return nil
}

func (m *inMemory) bend(v []float64) (bend float64, cheaper bool) {
	m.begin(v)
	m.half = true
	m.x.MulVec(m.margin, v)
	m.vectors.Mul(m.coef, m.h, m.margin)
	return math.FMA(m.p.Ridge(), m.vectors.SquaredNorm(risk.Held(m.p, v)), m.vectors.Dot(m.coef, m.margin)), true
}

// begin begins the product with v.
func (m *inMemory) begin(v []float64) {
	m.rowsUsed += len(m.z)
	m.length = m.lengthOf(v)
}

func (m *inMemory) product(dst, v []float64) error {
	clear(dst)
	if m.half {
		m.x.AddTrans(dst, m.coef)
	} else {
		m.begin(v)
		m.x.AddHessian(dst, m.margin, m.coef, v, m.h)
	}
	m.vectors.Axpy(m.p.Ridge(), risk.Held(m.p, v), risk.Held(m.p, dst))
	return nil
}

func (m *inMemory) follow(alpha float64, curved, first bool) {
	m.half = false
	m.cached.along(alpha, m.length, curved, first)
	switch {
	case curved && first:
		m.vectors.Scale(m.stepMargin, alpha, m.margin)
	case curved:
		m.vectors.Axpy(alpha, m.margin, m.stepMargin)
	case first:
		m.vectors.Copy(m.stepMargin, m.margin)
	}
}

// along leaves the slopes of the losses there for move.
func (m *inMemory) along(_ *points, _ []float64, alpha float64) (mean float64, err error) {
	m.vectors.ScaleAdd(m.margin, alpha, m.stepMargin, 1, m.z)
	return m.slopesAt(m.margin), nil
}

func (m *inMemory) move(at *points, s []float64, alpha float64, products int) (run.Evaluation, error) {
	if alpha == 0 {
		copy(m.margin, m.z)
		m.slopesAt(m.margin)
	}
	m.z, m.margin = m.margin, m.z
	copy(at.next, at.w)
	m.vectors.Axpy(alpha, s, at.next)
	if m.p.Intercept {
		m.recentre(at.next)
	}
	if products == 0 {
		return m.afresh(at.slope, at.next), nil
	}
	m.cached.stepped(alpha, products)
	e, seems := m.gradientNear(at.slope, at.next, m.cached.norm())
	if seems && !run.Reaches(&m.settings, e) {
		m.rowsUsed += len(m.z)
		e = m.afresh(at.slope, at.next)
	}
	return e, nil
}

// recentre moves the intercept by one step of Newton's method in one dimension, if the objective
// falls there: the margins and slopes are at hand, so that a step costs O(rows).
func (m *inMemory) recentre(w []float64) {
	var curvature certificate.Curvature
	m.objective.curvature(&curvature)
	here := m.losses.Mean()
	by := -kernels.Sum(m.coef) / curvature.Total()
	if by == 0 || by-by != 0 {
		return
	}
	direct.AddScalar(m.margin, by, m.z)
	if !(m.slopesAt(m.margin) <= here) {
		m.slopesAt(m.z)
		return
	}
	m.z, m.margin = m.margin, m.z
	w[len(w)-1] += by
	m.cached.length += math.Abs(by)
	m.cached.operations += 2
}

func (m *inMemory) sharpen(e run.Evaluation, w []float64) (run.Evaluation, error) {
	m.bounds.Sharpen(&e, w, m.settings.GapTolerance)
	return e, nil
}

func (m *inMemory) certify(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation {
	return m.bounds.Improve(w, e, target, spent)
}

func (m *inMemory) settle(w []float64, e run.Evaluation) run.Evaluation { return m.bounds.Settle(w, e) }

// state refuses margins that do not belong to w, or to the step: certificates rest on them.
func (m *inMemory) state(c *checkpoint.Coder, w, step []float64, products int) {
	c.Floats(m.z)
	c.Floats(m.stepMargin)
	m.cached.state(c)
	if !c.Restoring() || c.Err() != nil {
		return
	}
	wrong := m.cached.length < 0 || m.cached.step < 0 || m.strays(m.z, w, &m.cached, m.margins)
	// A search along NaN finds no point.
	if !wrong && products > 0 && !slices.ContainsFunc(m.stepMargin, math.IsNaN) {
		wrong = m.strays(m.stepMargin, step, &cachedMargins{length: m.cached.step, operations: products}, m.x.MulVec)
	}
	if wrong {
		c.Fail(errors.New("margins that do not belong to the weights"))
	}
}

// strays tells whether cached margins are further from w's, by a product, than rounding takes them.
func (m *inMemory) strays(margins, w []float64, r *cachedMargins, product func(z, w []float64)) bool {
	product(m.margin, w)
	reach := r.norm() + math.Sqrt(kernels.SquaredNorm(w))
	for i, z := range m.margin {
		if v := margins[i]; !(math.Abs(v-z) <= m.bounds.Margin(i, reach)) && v != z {
			return true
		}
	}
	return false
}
