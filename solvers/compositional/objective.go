package compositional

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
)

// objective evaluates points in full.
type objective struct {
	p       *Problem
	r       penalty.Penalty
	n, m    float64
	g, u    []float64 // of length k
	v, near []float64 // of length d
}

func newObjective(p *Problem) *objective {
	s := p.F.Shape()
	return &objective{
		p: p, r: p.regularizer(), n: float64(s.Outer), m: float64(s.Inner),
		g: make([]float64, s.Between), u: make([]float64, s.Between),
		v: make([]float64, s.Columns), near: make([]float64, s.Columns),
	}
}

// inner writes g(x) to dst.
func (o *objective) inner(dst, x []float64) {
	clear(dst)
	o.p.F.AddInner(dst, 1/o.m, nil, x)
}

// outer writes the mean of grad f_i(y) to dst.
func (o *objective) outer(dst, y []float64) {
	clear(dst)
	o.p.F.AddOuter(dst, 1/o.n, nil, y)
}

// gradient leaves grad F(x) in o.v and g(x) in o.g.
func (o *objective) gradient(x []float64) {
	o.inner(o.g, x)
	o.outer(o.u, o.g)
	clear(o.v)
	o.p.F.AddJacobian(o.v, 1/o.m, nil, x, o.u)
}

// evaluate evaluates any point of X. What stands for the gradient's norm is the length
// of the proximal gradient step of size 1, which is 0 at the minimum only.
func (o *objective) evaluate(x []float64) run.Evaluation {
	o.gradient(x)
	return o.report(x, o.g, o.v)
}

// report makes an evaluation of g(x) and the gradient v of F at x.
func (o *objective) report(x, g, v []float64) run.Evaluation {
	value := o.r.Value(x)
	e := run.Evaluation{
		Objective: o.p.F.SumOuter(nil, g)/o.n + value,
		Gap:       math.NaN(),
	}
	copy(o.near, x)
	direct.Axpy(-1, v, o.near)
	o.r.Prox(o.near, 1)
	e.GradientNorm = math.Sqrt(direct.SquaredDistance(x, o.near))
	if bounded, ok := o.r.(penalty.Compact); ok {
		// F(y) >= F(x) + v'(y-x), so Phi(x) - Phi(y) <= v'x + r(x) - v'y - r(y).
		support := bounded.Descent(v)
		e.Gap = max(direct.Dot(v, x)+value+support, 0) + o.rounding(bounded, x, v, value, support)
	}
	return e
}

// rounding bounds what rounding can take from the gap, with v as the composition computed it. The
// terms of the gap's sums add up to at most value, the support, and ||v|| times two lengths: of x
// and of the farthest point of X.
func (o *objective) rounding(r penalty.Compact, x, v []float64, value, support float64) float64 {
	size := direct.Norm(x)
	terms := math.Abs(value) + math.Abs(support) + float64(float64(3*direct.Norm(v))*(float64(2*size)+r.Reach(x)))
	return float64(float64(float64(len(x)+16)*direct.Unit) * terms)
}

func finite(x []float64) bool {
	v := kernels.MaxAbs(x)
	return v-v == 0
}
