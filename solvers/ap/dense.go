package ap

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
)

// dense has steps move all used columns.
type dense struct {
	plan    *plan
	moments vectors   // w and g as they come with each step
	sum     []float64 // of the iterates that enter the average
	// constant is the place of a bias, -1 if the model lacks one. A bias changes no score
	// difference: moments would make steps of its gradient's rounding errors. bias is its
	// weight.
	constant int
	bias     float64
}

// newColumns returns lazy columns where those pay, else dense ones.
func newColumns(p *Problem, model score.Model, used int, plan *plan, batch int) columns {
	constant := -1
	if !plan.Paper {
		constant = ranking.ConstantOf(model)
	}
	if linear, is := model.(score.Linear); is {
		if z := newLazy(linear.X, used, plan, batch); z != nil {
			z.lambda, z.constant = p.Lambda, constant
			return z
		}
	}
	return &dense{plan: plan, moments: newMoments(plan, used), sum: make([]float64, used), constant: constant}
}

// newMoments returns what a rule remembers of the gradients of d columns.
func newMoments(p *plan, d int) vectors {
	x := vectors{m: make([]float64, d), v: make([]float64, d)}
	if r, is := p.rule.(bounded); is && r.largest {
		x.top = make([]float64, d)
	}
	return x
}

func (z *dense) open(_ []uint32, w, g []float64, _ int) {
	clear(g[:len(z.sum)])
	if z.constant >= 0 {
		z.bias = w[z.constant]
	}
}

func (z *dense) vectors(w, g []float64) vectors {
	x := z.moments
	x.w, x.g = w[:len(z.sum)], g[:len(z.sum)]
	return x
}

func (z *dense) close(w []float64, t int) {
	if z.constant >= 0 {
		w[z.constant] = z.bias
	}
	if z.plan.averaged(t) > z.plan.averaged(t-1) {
		direct.Axpy(1, w[:len(z.sum)], z.sum)
	}
}

func (z *dense) current(dst, w []float64, t int) {
	copy(dst, w)
	if count := z.plan.averaged(t); count > 0 {
		direct.Scale(dst[:len(z.sum)], 1/float64(count), z.sum)
	}
}

func (z *dense) state(c *checkpoint.Coder, _ int) {
	for _, v := range [][]float64{z.moments.m, z.moments.v, z.moments.top, z.sum} {
		c.Floats(v)
	}
}
