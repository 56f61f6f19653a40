package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
)

// batch holds the numbers of one mini-batch.
type batch struct {
	p    *Problem
	rows []uint32
	y, s []float64 // labels and sample weights of the rows
	z, q []float64 // margins x'w and x'v
	c, d []float64 // loss gradients before and after the step
	h, t []float64 // loss curvatures
	work []float64
}

func newBatch(p *Problem, largest int) *batch {
	b := &batch{p: p}
	for _, v := range []*[]float64{&b.y, &b.z, &b.q, &b.c, &b.d, &b.h, &b.t, &b.work} {
		*v = make([]float64, largest)
	}
	if p.SampleWeight != nil {
		b.s = make([]float64, largest)
	}
	return b
}

// take makes rows the batch.
func (b *batch) take(rows []uint32) {
	n := len(rows)
	b.rows = rows
	for _, v := range [...]*[]float64{&b.y, &b.z, &b.q, &b.c, &b.d, &b.h, &b.t, &b.work} {
		*v = (*v)[:n]
	}
	for k, i := range rows {
		b.y[k] = b.p.Y[i]
	}
	if b.s != nil {
		b.s = b.s[:n]
		for k, i := range rows {
			b.s[k] = b.p.SampleWeight[i]
		}
	}
}

// recursive is the state of an inner loop of the SARAH kind, in the lazy form
// that costs O(non-zeros of the batch) an iteration.
//
// The regulariser makes the direction dense, but only by scaling: v_t = (1 - lambda alpha)
// v_{t-1} + sparse. So v = scale U; an iteration changes U on the touched features only, and
// keeps ||U||^2 up to date with them. A feature's weight moves by -U for every unit of clock =
// sum of alpha scale. The weight is brought up to date when it is next read.
type recursive struct {
	p      *Problem
	lazy   direct.Lazy
	scale  float64
	clock  float64
	square float64 // ||U||^2
}

func newRecursive(t *task) *recursive {
	return &recursive{p: t.p, lazy: t.lazy(), scale: 1}
}

// start begins a loop at w with direction v.
func (r *recursive) start(w, v []float64, square float64) {
	r.lazy.Set(w, v)
	r.scale, r.clock, r.square = 1, 0, square
}

// squaredNorm returns ||v||^2.
func (r *recursive) squaredNorm() float64 { return max(0, float64(r.scale*r.scale)*r.square) }

// Current writes w.
func (r *recursive) Current(w []float64) { r.lazy.Weights(w, r.clock) }

// margins computes z = x'w, q = x'v and c = s phi'(z) for the rows of b.
func (r *recursive) margins(b *batch) {
	r.lazy.Dot(b.z, b.q, b.rows, r.clock)
	for k := range b.q {
		b.q[k] *= r.scale
	}
	r.p.Loss.Gradient(b.c, b.z, b.y, b.s)
}

// step takes w_t = w_{t-1} - alpha v_{t-1} and
// v_t = grad f_S(w_t) - grad f_S(w_{t-1}) + v_{t-1}. The margins at w_t need no
// second look at the rows: they are z - alpha q.
func (r *recursive) step(b *batch, alpha float64) {
	for k, q := range b.q {
		b.z[k] = math.FMA(-alpha, q, b.z[k])
	}
	r.p.Loss.Gradient(b.d, b.z, b.y, b.s)
	r.clock += float64(alpha * r.scale)
	r.scale *= math.FMA(-r.p.Ridge(), alpha, 1)
	// A step's share of the clock is scale, so the smaller scale has become, the
	// fewer digits of the step are left: three are the most to lose.
	if size := math.Abs(r.scale); !(size > 1e-3 && size < 1e3) {
		r.square = r.lazy.Rescale(r.clock, r.scale)
		r.scale, r.clock = 1, 0
	}
	share := 1 / float64(float64(len(b.rows))*r.scale)
	for k := range b.d {
		b.d[k] = float64((b.d[k] - b.c[k]) * share)
	}
	r.square += r.lazy.MoveAddU(b.rows, b.d, b.work, r.clock)
}

func (r *recursive) state(c *checkpoint.Coder) {
	c.Records(r.lazy.Rec)
	c.Float64(&r.scale)
	c.Float64(&r.clock)
	c.Float64(&r.square)
}
