package sdca

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// lossBlock is the number of rows whose losses are summed together; fixed, so
// that the sums do not depend on the number of workers.
const lossBlock = 4096

// objective evaluates P, its gradient and the gap.
type objective struct {
	p    *erm.Problem
	pool *sparse.Pool
	loop dualLoop // nil: no alpha to bound the gap with
	// concave says that some losses are not convex: they have no conjugates.
	concave bool
	look    func(kappa []float64) // nil, or who wants to see the residues

	z, coef, alpha []float64
	sums, gaps     []float64
	g              []float64
}

func newObjective(p *erm.Problem, pool *sparse.Pool) *objective {
	n := p.X.Rows()
	blocks := (n + lossBlock - 1) / lossBlock
	return &objective{
		p: p, pool: pool, z: make([]float64, n), coef: make([]float64, n), alpha: make([]float64, n),
		sums: make([]float64, blocks), gaps: make([]float64, blocks), g: make([]float64, p.X.Cols()),
	}
}

// Block turns one block of margins into loss gradients and Fenchel-Young losses.
func (o *objective) Block(b int) {
	first, end := b*lossBlock, min((b+1)*lossBlock, len(o.z))
	z, y := o.z[first:end], o.p.Y[first:end]
	var s []float64
	if o.p.SampleWeight != nil {
		s = o.p.SampleWeight[first:end]
	}
	sum, err := kernels.LossGradient(o.p.Loss, o.coef[first:end], z, y, s, o.p.Threshold())
	if err != nil {
		sum = math.NaN()
	}
	o.sums[b] = sum
	gap := 0.0
	if o.loop == nil || o.concave {
		gap = math.Inf(1)
	}
	for k := 0; k < len(z) && gap < math.Inf(1); k++ {
		gap += fenchelYoung(o.p, o.alpha[first+k], z[k], y[k], weight(o.p, first+k), o.coef[first+k])
	}
	o.gaps[b] = gap
}

// evaluate evaluates w, which is where the loop stands. It costs two sweeps over
// the data.
//
// Because w = X'alpha/(lambda n), the duality gap is a sum of terms that are not
// negative:
//
//	P(w) - D(alpha) = (1/n) sum_i ( f_i(z_i) + f_i*(-alpha_i) + alpha_i z_i )
//
// and as in package erm, alpha = -f'(z) gives the bound ||grad P||^2/(2 lambda),
// which holds by strong convexity even where some losses are not convex.
func (o *objective) evaluate(w []float64) solvers.Evaluation {
	n := float64(len(o.z))
	if o.loop != nil {
		o.loop.duals(o.alpha)
	}
	err := o.p.X.MulVec(o.pool, o.z, w)
	o.pool.Run(len(o.sums), o)
	clear(o.g)
	if err == nil {
		err = o.p.X.AddTrans(o.pool, o.g, o.coef)
	}
	if err == nil {
		err = kernels.ScaleAdd(o.g, 1/n, o.g, o.p.Lambda, w)
	}
	if err != nil {
		return solvers.Evaluation{Objective: math.NaN()}
	}
	if o.look != nil && o.loop != nil {
		for i, slope := range o.coef {
			o.alpha[i] += slope
		}
		o.look(o.alpha)
	}
	loss, gap := 0.0, 0.0
	for b, s := range o.sums {
		loss += s
		gap += o.gaps[b]
	}
	square := kernels.SquaredNorm(o.g)
	e := solvers.Evaluation{
		Objective:    math.FMA(0.5*o.p.Lambda, kernels.SquaredNorm(w), loss/n),
		GradientNorm: math.Sqrt(square),
		Gap:          square / (2 * o.p.Lambda),
	}
	if gap /= n; gap < e.Gap {
		e.Gap = gap
	}
	return e
}

// fenchelYoung returns f(z) + f*(-alpha) + alpha z for f = s phi(., y): 0 where
// alpha = -f'(z), positive elsewhere, +Inf where alpha is not feasible. The
// formulas subtract nothing that is nearly equal, so that small values are exact.
// slope is f'(z).
func fenchelYoung(p *erm.Problem, alpha, z, y, s, slope float64) float64 {
	if s == 0 {
		if alpha == 0 {
			return 0
		}
		return math.Inf(1)
	}
	beta := alpha / s // the dual variable for s = 1
	switch p.Loss {
	case kernels.Squared:
		r := beta + (z - y)
		return float64(float64(0.5*s)*r) * r
	case kernels.Huber:
		delta, r := p.Threshold(), z-y
		switch {
		case math.Abs(beta) > delta:
			return math.Inf(1)
		case math.Abs(r) <= delta:
			return float64(float64(0.5*s)*(beta+r)) * (beta + r)
		}
		b := -math.Copysign(1, r) * beta
		return float64(s*(delta-b)) * (math.Abs(r) - 0.5*(delta+b))
	case kernels.SquaredHinge:
		a, m := y*beta, 1-float64(y*z)
		switch {
		case a < 0:
			return math.Inf(1)
		case m > 0:
			return float64(float64(0.5*s)*(a-m)) * (a - m)
		}
		return float64(float64(s*a) * (0.5*a - m))
	}
	// Logistic: the divergence of Kullback and Leibler between a and sigma.
	a, m := y*beta, float64(y*z)
	if !(a >= 0 && a <= 1) {
		return math.Inf(1)
	}
	one := -float64(y*slope) / s
	zero := 1 - one
	if one > 0.5 {
		zero = kernels.SigmoidOf(m)
	}
	d := a - one
	if a > 0.5 {
		d = zero - (1 - a)
	}
	if r := d / one; math.Abs(r) < 1e-2 {
		if t := d / zero; math.Abs(t) < 1e-2 {
			// The logarithms by their series: to some 1e-7 of the sum.
			left := float64(r * math.FMA(float64(r*math.FMA(-0.5, r, 1)), -1./3, 1))
			right := float64(t * math.FMA(float64(t*math.FMA(0.5, t, 1)), 1./3, 1))
			return float64(0.5*float64(s*d)) * (left + right)
		}
	}
	sum := 0.0
	if a > 0 {
		sum = float64(a * kernels.Log1pOf(d/one))
	}
	if a < 1 {
		sum += float64((1 - a) * kernels.Log1pOf(-d/zero))
	}
	return s * max(sum, 0)
}
