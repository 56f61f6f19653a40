package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/sparse"
)

// newtonInner is what Newton's method does on vectors of one element a column: a step's
// conjugate gradients on H s = -g. Whoever embeds it multiplies by H.
type newtonInner struct {
	Newton
	vectors                     direct.Vectors
	step, r, direction, product []float64 // s, -(Hs + g), the conjugate direction d, Hd
	scaled                      []float64 // M^-1 r
	metric                      *preconditioner
	square, first, model        float64 // r'M^-1r now and at s = 0, minus the quadratic model at s
	inner                       int
	ready                       bool // to take the step
}

func newNewtonInner(m Newton, d int, pool *sparse.Pool) newtonInner {
	l := newtonInner{Newton: m, vectors: direct.Vectors{Pool: pool}}
	for _, v := range []*[]float64{&l.step, &l.r, &l.direction, &l.product, &l.scaled} {
		*v = make([]float64, d)
	}
	return l
}

// open begins a step at gradient g. The preconditioner is that of the point.
func (l *newtonInner) open(g []float64) {
	clear(l.step)
	l.vectors.Scale(l.r, -1, g)
	l.square = l.precondition()
	l.first = l.square
	copy(l.direction, l.scaled)
	l.model, l.inner, l.ready = 0, 0, false
}

// advance makes an iteration of the product with the direction, and returns how far the
// step went along that. curved is false where the direction has no curvature: the step
// is the direction then if it is the first, and stays what it was otherwise.
func (l *newtonInner) advance() (alpha float64, curved bool) {
	l.inner++
	l.metric.age++
	bend := l.vectors.Dot(l.direction, l.product)
	if !(bend > 0) {
		// No curvature along d, which lambda = 0 allows: go along what there is.
		if l.inner == 1 {
			copy(l.step, l.direction)
		}
		l.ready = true
		return 0, false
	}
	alpha = l.square / bend
	l.vectors.Axpy(alpha, l.direction, l.step)
	l.vectors.Axpy(-alpha, l.product, l.r)
	gain := float64(0.5 * float64(alpha*l.square))
	l.model += gain
	square := l.precondition()
	// With a good preconditioner the first iterations solve the step.
	solved := square <= float64(float64(0.04*float64(l.Forcing*l.Forcing))*l.first)
	if solved || float64(float64(l.inner)*gain) <= float64(l.Forcing*l.model) || l.inner >= l.MaxInner {
		l.ready = true
		return alpha, true
	}
	l.vectors.ScaleAdd(l.direction, 1, l.scaled, square/l.square, l.direction)
	l.square = square
	return alpha, true
}

// precondition applies M^-1 to the residual and returns its squared length in that
// metric.
func (l *newtonInner) precondition() float64 {
	l.metric.solve(&l.vectors, l.scaled, l.r)
	return l.vectors.Dot(l.scaled, l.r)
}

// The line search backtracks from the full step until the objective falls by a share of
// what its slope promises. Slopes of 1e12 that lambda alone bends promise steps 1e24 times
// too long.
const lineShrink, lineAttempts = 0.5, 400

// acceptable tells whether the search may end at alpha, where the objective is value: it has
// fallen enough, or nothing there can be told from rounding.
func acceptable(value, alpha, slope, loss float64) bool {
	const share = 0.01
	return value <= math.FMA(share*alpha, slope, loss) || math.Abs(float64(alpha*slope)) <= 1e-14*math.Abs(loss)
}

// worse tells whether the point that the search ended at is no better than where it began.
func worse(value, loss float64) bool { return !(value <= loss+float64(1e-9*math.Abs(loss))) }

const (
	// lastPromise is the share of the objective below which a step's decrease cannot be
	// told from rounding errors, and mostFutile how many such steps in a row, without one
	// that halved the gradient, end a run.
	lastPromise = 1e-14
	mostFutile  = 8
)

// prospects counts the steps of a run that promised nothing.
type prospects struct {
	promised float64 // decrease by the last step, by its model
	least    float64 // gradient norm of all points so far
	futile   int     // steps that promised nothing float64 can tell, since least fell by much
}

// spent tells whether the last step, from an objective of loss, promised nothing more.
func (p *prospects) spent(e *engine.Evaluation, loss float64) bool {
	if p.least == 0 || e.GradientNorm <= 0.5*p.least {
		p.least, p.futile = e.GradientNorm, 0
	}
	if !(p.promised <= lastPromise*math.Abs(loss)) {
		p.futile = 0
		return false
	}
	p.futile++
	return true
}
