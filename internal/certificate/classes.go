package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Classes is the objective of package softmax, P(W) of a column of weights a class.
type Classes risk.Classes

// Careful returns the norm of the gradient at w, a bound of its error, and the gap by both; +Inf if
// there is no bound. In w the weights of a column of X are adjacent. It is Bounds.Careful for several
// classes. Margins and gradient are compensated sums, and errors are bounded entry by entry, so
// that the scale of one column does not affect the others. It takes one pass in portable code on
// one goroutine, and memory for 6 numbers a weight.
//
// Let v_k = z_k - z_m be the differences from the largest margin, with errors |dv_k|. The
// relative error of p_k is |dv_k| + sum_l p_l |dv_l| and some units. p_own - 1 is computed as
// minus the sum of the other p_k: see docs/certificates.md.
func (c *Classes) Careful(w []float64) (norm, rounding, gap float64) {
	k, n, size := c.Count, c.X.Rows(), len(w)
	held := (*risk.Classes)(c).Held()
	ties := 0
	if c.Intercept {
		ties = k * k
	}
	buffer := make([]float64, 6*size+6*k+ties)
	take := func(count int) []float64 {
		part := buffer[:count:count]
		buffer = buffer[count:]
		return part
	}
	g, all := take(size), take(size)
	sum := sums{high: take(size), low: take(size), absolute: take(size), carry: take(size)}
	r := classesRow{high: take(k), low: take(k), absolute: take(k), p: take(k), dp: take(k), least: take(k)}
	beside := Intercepts{Ties: take(ties)}
	for i, own := range c.Class {
		s := direct.Weight(c.SampleWeight, i)
		if s == 0 {
			continue
		}
		if !r.slopes(c.X, i, w, int(own)) {
			return math.Inf(1), math.Inf(1), math.Inf(1)
		}
		if c.Intercept {
			direct.Axpy(float64(s*r.least[own]), r.least, beside.Ties[int(own)*k:int(own)*k+k])
			beside.Longest += float64(s * squareOf(c.X, i))
		}
		for a, p := range r.p {
			r.p[a] = float64(s * p)
			r.dp[a] = float64(slack*(float64(s*r.dp[a])+float64(direct.Unit*math.Abs(r.p[a])))) + 4*direct.Tiny
		}
		for j, x := range c.X.Row(i) {
			for a, p := range r.p {
				sum.add(j*k+a, x, p, r.dp[a])
			}
		}
	}
	for j := range g {
		pull := 0.0
		if j < held {
			pull = float64(c.Lambda * w[j])
		}
		g[j], all[j] = sum.slope(j, n, pull, float64(slack*sum.carry[j]))
	}
	norm, rounding = normOf(g, all)
	if !c.Intercept {
		return norm, rounding, FromNorm(norm+rounding, c.Lambda, size)
	}
	beside.Slopes, beside.Errors = g[held:], all[held:]
	Tie(beside.Ties, k, n, float64(n+8)*direct.Unit)
	beside.Longest = float64(beside.Longest/float64(2*n)) * (1 + float64(float64(n+c.X.Cols()+8)*direct.Unit))
	return norm, rounding, beside.Gap(norm+rounding, c.Lambda, size)
}

// squareOf is the squared norm of a row.
func squareOf(x *sparse.Matrix, i int) float64 {
	sum := 0.0
	for _, v := range x.Row(i) {
		sum += float64(v * v)
	}
	return sum
}

// classesRow is what a row is worked out in.
type classesRow struct {
	high, low, absolute []float64 // its margins in double length, and the sums of their absolute terms
	p, dp               []float64 // slopes and bounds of their errors
	least               []float64 // lower bounds of the probabilities; nil if nobody asks for them
}

// differences computes v_k = z_k - z_top from the largest margin into p, and bounds of their
// errors into dp. It returns top.
func (r *classesRow) differences(x *sparse.Matrix, i int, w []float64) (top int) {
	clear(r.high)
	clear(r.low)
	clear(r.absolute)
	k, entries := len(r.p), 4.0
	for j, v := range x.Row(i) {
		for a, weight := range w[j*k : (j+1)*k] {
			product := float64(v * weight)
			r.high[a], r.low[a] = direct.Plus(r.high[a], r.low[a], product, math.FMA(v, weight, -product))
			r.absolute[a] += math.Abs(product)
		}
		entries++
	}
	for a := range r.high {
		if r.high[a]+r.low[a] > r.high[top]+r.low[top] {
			top = a
		}
	}
	for a := range r.p {
		v := (r.high[a] - r.high[top]) + (r.low[a] - r.low[top])
		square := float64(4 * float64(entries*direct.Unit) * float64(entries*direct.Unit))
		r.p[a] = v
		r.dp[a] = float64(4*direct.Unit*math.Abs(v)) + float64(square*(r.absolute[a]+r.absolute[top])) + float64(4*direct.Tiny*entries)
	}
	return top
}

// sureDifference is the error of a difference up to which products of two errors are within
// slack.
const sureDifference = 1. / 256

// slopes computes p_k - [k is own]. It tells whether anything is known of them.
func (r *classesRow) slopes(x *sparse.Matrix, i int, w []float64, own int) bool {
	r.differences(x, i, w)
	k, total, drift := len(r.p), 0.0, 0.0
	for a, off := range r.dp {
		if !(off < sureDifference) {
			return false
		}
		r.dp[a] = off + float64(off*off) + 8*direct.Unit // of the exponential, relative
		r.p[a] = kernels.ExpOf(r.p[a])
		total += r.p[a]
		drift += float64(r.p[a] * r.dp[a])
	}
	drift = drift/total + float64(float64(k+4)*direct.Unit)
	others, lost := 0.0, 0.0
	for a := range r.p {
		r.p[a] /= total
		r.dp[a] = float64(slack*float64(r.p[a]*(r.dp[a]+float64(1.1*drift)))) + 0x1p-1060
		if r.least != nil {
			r.least[a] = max(0, r.p[a]-r.dp[a])
		}
		if a != own {
			others += r.p[a]
			lost += r.dp[a]
		}
	}
	r.p[own], r.dp[own] = -others, float64(slack*lost)+float64(float64(float64(k+2)*direct.Unit)*others)
	return true
}

// loss returns log sum_k exp(z_k - z_own) and a bound of its error. The sum is the 1 of the top
// and the share of the other classes, kept apart. The derivative of that share by v_k is below
// exp(v_k).
func (r *classesRow) loss(x *sparse.Matrix, i int, w []float64, own int) (loss, err float64) {
	top := r.differences(x, i, w)
	others, errs := 0.0, r.dp[own]
	for a, v := range r.p {
		if a == top {
			continue
		}
		e := kernels.ExpOf(v)
		others += e
		share := 1.0
		if r.dp[a] < sureDifference {
			share = min(share, float64(e*(1+4*sureDifference)))
		}
		errs += float64(share * r.dp[a])
	}
	log := kernels.Log1pOf(others)
	loss = log - r.p[own]
	return loss, float64(slack*(errs+float64(float64(float64(len(r.p)+8)*direct.Unit)*log)+float64(2*direct.Unit*loss))) + float64(float64(len(r.p)+4)*direct.Tiny)
}

// Objective is Problem.Objective for several classes, with w as for Careful.
func (c *Classes) Objective(e *run.Evaluation, w []float64) {
	k, n := c.Count, c.X.Rows()
	buffer := make([]float64, 5*k)
	r := classesRow{high: buffer[:k], low: buffer[k : 2*k], absolute: buffer[2*k : 3*k], p: buffer[3*k : 4*k], dp: buffer[4*k:]}
	var sum Sums
	for i, own := range c.Class {
		if weight := direct.Weight(c.SampleWeight, i); weight != 0 {
			loss, err := r.loss(c.X, i, w, int(own))
			sum.add(weight, loss, err)
		}
	}
	var held penalty.Penalty = penalty.Ridge{Lambda: c.Lambda}
	if c.Penalty != nil {
		held = c.Penalty
	}
	sum.Settle(e, n, 0, w[:(*risk.Classes)(c).Held()], held, c.Penalty != nil)
}
