package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
)

// implicit solves equation (4) for every sample: L_i is the largest norm of the
// Hessian of f_i on the segment from w to w - v/L_i,
//
//	L = max over eta in [0, 1/L] of s_i phi''(z_i - eta q_i) ||x_i||^2 + lambda
//
// with z_i = x_i'w and q_i = x_i'v. The right-hand side falls as L grows, so bisection finds L
// between the curvature at w and the loss's largest curvature. Each loss's curvature rises to a
// peak and then falls. So the maximum over a segment is at one of its ends, or at the peak if the
// peak lies inside. Where the curvature jumps, L is the smallest value that bounds the segment's
// curvature.
type implicit struct {
	p       *Problem
	x       direct.Matrix
	squares []float64 // s_i ||x_i||^2
	z, q    []float64 // margins along w and v
	l       []float64 // the solutions
	sums    []float64 // of l, block by block
	largest []float64

	// Scratch, one stretch a block: what is still open, packed.
	open                   []uint32
	low, near, probe, h, t []float64
	y                      []float64
}

func newImplicit(t *task) *implicit {
	n := t.p.X.Rows()
	m := &implicit{p: t.p, x: t.matrix(), squares: matrix.SquaredNorms(t.p.X), open: make([]uint32, n)}
	for i, s := range t.p.SampleWeight {
		m.squares[i] *= s
	}
	for _, v := range []*[]float64{&m.z, &m.q, &m.l, &m.low, &m.near, &m.probe, &m.h, &m.t, &m.y} {
		*v = make([]float64, n)
	}
	blocks := risk.Blocks(n)
	m.sums, m.largest = make([]float64, blocks), make([]float64, blocks)
	return m
}

// solve computes every L_i, their sum and the largest.
func (m *implicit) solve() (sum, largest float64) {
	matrix.Run(m.x.Pool, len(m.sums), m)
	for k, s := range m.sums {
		sum += s
		largest = max(largest, m.largest[k])
	}
	return sum, largest
}

// Block solves for one block of samples.
func (m *implicit) Block(block int) {
	first, end := risk.Span(block, len(m.z))
	stretch := func(v []float64) []float64 { return v[first:end:end] }
	l, low, near, y := stretch(m.l), stretch(m.low), stretch(m.near), stretch(m.y)
	open := m.open[first:first]
	m.curvature(first, end-first, m.z[first:], m.p.Y[first:])
	copy(near, m.h[first:end])
	of := m.p.Loss
	peak := of.Peak()
	place, known := of.(loss.Peaked)
	for k := range l {
		i := first + k
		low[k] = math.FMA(near[k], m.squares[i], m.p.Ridge())
		l[k] = math.FMA(peak, m.squares[i], m.p.Ridge())
		if m.q[i] == 0 {
			l[k] = low[k]
		} else if low[k] < l[k] {
			open = append(open, uint32(k))
		}
	}
	// The first round asks whether the lower end already solves the equation.
	for round := 0; round < 64 && len(open) > 0; round++ {
		for k, at := range open {
			i := first + int(at)
			m.probe[first+k] = m.z[i] - m.q[i]/middle(low[at], l[at], round)
			y[k] = m.p.Y[i]
		}
		m.curvature(first, len(open), m.probe[first:], y)
		kept := open[:0]
		for k, at := range open {
			i := first + int(at)
			mid := middle(low[at], l[at], round)
			most := max(near[at], m.h[first+k])
			if !known || place.PassesPeak(m.z[i], m.probe[first+k], m.p.Y[i]) {
				most = peak
			}
			switch bound := math.FMA(most, m.squares[i], m.p.Ridge()); {
			case bound > mid:
				low[at] = mid
			default:
				l[at] = mid
			}
			if l[at]-low[at] > 0x1p-50*l[at] {
				kept = append(kept, at)
			}
		}
		open = kept
	}
	m.sums[block], m.largest[block] = 0, 0
	for _, v := range l {
		m.sums[block] += v
		m.largest[block] = max(m.largest[block], v)
	}
}

func middle(low, high float64, round int) float64 {
	if round == 0 {
		return low
	}
	return low + float64((high-low)/2)
}

// curvature computes phi” of count margins, unweighted, into h at first.
func (m *implicit) curvature(first, count int, z, y []float64) {
	h, t := m.h[first:first+count:first+count], m.t[first:first+count:first+count]
	m.p.Loss.Curvature(h, t, z[:count], y[:count], nil)
}
