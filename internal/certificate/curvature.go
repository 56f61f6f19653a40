package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

const (
	// mostInner is the most conjugate-gradient iterations, rounds the number of times that
	// rows which may leave the region are taken out of the curvature.
	mostInner = 500
	rounds    = 4
)

// curvature bounds P(w) - P* by the decrement of Newton's method, which does not depend on the
// scales of the columns. Careful has computed the gradient g. Let A be a set of rows i. In the
// region |x_i'd| <= r_i second derivatives of their losses are at least l_i; l_i = 0 for other
// rows. Derived in docs/certificates.md: with
//
//	M = (1/n) sum l_i x_i x_i' + lambda I,   delta^2 = g'M^-1 g,
//
// P* >= P(w) - delta^2/2 if 2 delta min(n/l_i, ||x_i||^2/lambda)^(1/2) < r_i for all i of A.
// Rows for which that fails are taken out of A. delta has the errors of g in it.
func (b *Bounds) curvature(target float64) float64 {
	s := b.work
	reach, least := s.third, s.h
	for i, h := range s.h {
		if direct.Weight(b.p.SampleWeight, i) < 0 {
			return math.Inf(1) // the losses are not all convex
		}
		reach[i], least[i] = b.marginReach(i, h)
	}
	system := newSystem(b, target)
	for range rounds {
		q := system.solve()
		delta := math.Sqrt(q) + b.errors(least) + float64(slack*(direct.Norm(s.own)+Underflow(b.d)))/math.Sqrt(b.p.Ridge())
		if delta-delta != 0 {
			break
		}
		delta = float64(delta * (1 + 1e-9))
		inside := true
		for i, l := range least {
			if l > 0 && !(float64(2*delta)*math.Sqrt(b.spread(i, l)) < reach[i]) {
				least[i], inside = 0, false
			}
		}
		if inside {
			return float64(0.5*delta) * delta
		}
	}
	return math.Inf(1)
}

// spread bounds x_i'M^-1 x_i.
func (b *Bounds) spread(i int, least float64) float64 {
	square := slack * (b.Squares()[i] + float64(direct.Tiny*float64(b.d)))
	return min(slack*float64(b.n)/least, square/b.p.Ridge())
}

// marginReach returns how far the margin of row i may move, and the least second derivative on the
// way; h is the second derivative at the computed margin.
func (b *Bounds) marginReach(i int, h float64) (reach, least float64) {
	s, p := b.work, &b.p
	z, dz, y, size := s.z[i], s.dz[i], p.Y[i], direct.Weight(b.p.SampleWeight, i)
	if size == 0 {
		return 0, 0
	}
	return b.p.Loss.Reach(z, dz, y, size, h)
}

// errors bounds the part of the gradient's error that the slopes bring, in the norm of
// M^-1.
func (b *Bounds) errors(least []float64) float64 {
	n, squares, sum := float64(b.n), 0.0, 0.0
	for i, e := range b.work.dc {
		square := slack * (b.Squares()[i] + float64(direct.Tiny*float64(b.d)))
		if l := least[i]; l > 0 && n/l < square/b.p.Ridge() {
			squares += float64(float64(e/l)*e) / n
		} else {
			sum += float64(math.Sqrt(square/b.p.Ridge())*e) / n
		}
	}
	return float64(slack * (math.Sqrt(squares) + sum))
}

// system solves Ms = g by conjugate gradients, preconditioned by the diagonal, which
// makes them blind to the scales of the columns.
type system struct {
	b      *Bounds
	target float64

	h                                      []float64 // l/n
	margin, coef, dt                       []float64
	s, r, scaled, direction, product, diag []float64
}

func newSystem(b *Bounds, target float64) *system {
	t := &system{b: b, target: target}
	for _, v := range []*[]float64{&t.h, &t.margin, &t.coef, &t.dt} {
		*v = make([]float64, b.n)
	}
	for _, v := range []*[]float64{&t.s, &t.r, &t.scaled, &t.direction, &t.product, &t.diag} {
		*v = make([]float64, b.d)
	}
	return t
}

// solve returns an upper bound of g'M^-1 g, the curvatures being those in the scratch of
// the bounds; +Inf or NaN where it finds none.
func (t *system) solve() float64 {
	b, g := t.b, t.b.work.g
	p := &b.p
	for i, l := range b.work.h {
		t.h[i] = l / float64(b.n)
	}
	clear(t.diag)
	clear(t.s)
	copy(t.r, g)
	b.x.AddSquares(t.diag, t.h)
	for j := range t.diag {
		t.diag[j] += p.Ridge()
	}
	square := t.precondition()
	copy(t.direction, t.scaled)
	for range mostInner {
		// What is left costs no more than this; the exact sum below has the last word.
		if left := kernels.SquaredNorm(t.r) / p.Ridge(); left <= 1e-3*t.target {
			break
		}
		clear(t.product)
		b.x.AddHessian(t.product, t.margin, t.coef, t.direction, t.h)
		direct.Axpy(p.Ridge(), t.direction, t.product)
		bend := direct.Dot(t.direction, t.product)
		step := square / bend
		if !(bend > 0) || step-step != 0 {
			break
		}
		direct.Axpy(step, t.direction, t.s)
		direct.Axpy(-step, t.product, t.r)
		next := t.precondition()
		direct.ScaleAdd(t.direction, 1, t.scaled, next/square, t.direction)
		square = next
	}
	return t.bound(g)
}

func (t *system) precondition() float64 {
	sum := 0.0
	for j, r := range t.r {
		t.scaled[j] = r / t.diag[j]
		sum = math.FMA(r, t.scaled[j], sum)
	}
	return sum
}

// bound evaluates g's + s'rho + ||rho||^2/lambda, upwards.
func (t *system) bound(g []float64) float64 {
	b := t.b
	b.margins(t.margin, t.dt, t.s, nil)
	for i, h := range t.h {
		t.coef[i] = float64(h * t.margin[i])
		t.dt[i] = float64(slack*(float64(h*t.dt[i])+float64(4*direct.Unit*math.Abs(t.coef[i])))) + 4*direct.Tiny
	}
	b.transposed(t.coef, t.dt)
	w := b.work
	sum, absolute, cross := 0.0, 0.0, 0.0
	for j, sj := range t.s {
		along, pull := w.high[j]+w.low[j], float64(b.p.Ridge()*sj)
		rho := (g[j] - along) - pull
		err := w.carry[j] + direct.Lost(b.n, w.absolute[j]) + float64(4*direct.Unit*(math.Abs(g[j])+math.Abs(along)+math.Abs(pull))) + 4*direct.Tiny
		t.r[j] = math.Abs(rho) + float64(slack*err)
		sum = math.FMA(g[j], sj, sum)
		absolute += math.Abs(float64(g[j] * sj))
		cross = math.FMA(math.Abs(sj), t.r[j], cross)
	}
	left := (kernels.SquaredNorm(t.r) + float64(direct.Tiny*float64(b.d))) / b.p.Ridge()
	return max(sum, 0) + float64(slack*(cross+left+float64(float64(float64(b.d+4)*direct.Unit)*absolute))) + float64(direct.Tiny*float64(b.d+4))
}
