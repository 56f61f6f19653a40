package precise

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
)

// Classes is the objective of package softmax: a column of weights a class, with the weights of
// a column of X side by side.
type Classes risk.Classes

// classesWork and classesExp are mostWork and expWork for several classes, where nothing else
// helps a run that stalls: a step takes a fifth of a second at most.
const classesWork, classesExp = 1 << 21, 128

// FitsClasses tells whether a problem of n rows, d columns and several classes is small enough.
func FitsClasses(n, d, classes int) bool {
	margins, weights := float64(float64(n)*float64(classes)), float64(float64(d)*float64(classes))
	return (margins+weights)*weights*weights <= classesWork && margins*classesExp <= classesWork
}

// Minimise is Minimise for several classes.
func (p *Classes) Minimise(w []float64, target float64, over func() bool) (gap float64, steps int) {
	if !(p.Lambda > 0) || !(target > 0) || !FitsClasses(p.X.Rows(), p.X.Cols(), p.Count) || !finite(w) {
		return math.Inf(1), 0
	}
	return p.begin(precision, w).minimise(w, target, over)
}

// begin makes a row of every class of a row of X: margin ik+a belongs to row i and class a.
func (p *Classes) begin(bits uint, w []float64) *minimiser {
	n, k := p.X.Rows(), p.Count
	m := &minimiser{bits: bits, classes: k, held: (*risk.Classes)(p).Held()}
	m.lambda, m.product = m.of(p.Lambda), m.of(0)
	m.w, m.g = m.zeros(len(w)), m.zeros(len(w))
	m.z, m.c, m.h = m.zeros(n*k), m.zeros(n*k), m.zeros(n*k)
	for i, own := range p.Class {
		share := m.of(direct.Weight(p.SampleWeight, i))
		share.Quo(share, m.of(float64(n)))
		for a := range k {
			var row []entry
			for j, x := range p.X.Row(i) {
				row = append(row, entry{j*k + a, m.of(x)})
			}
			m.rows, m.share = append(m.rows, row), append(m.share, share)
		}
		m.own = append(m.own, i*k+int(own))
	}
	for j, v := range w {
		m.w[j].SetFloat64(v)
	}
	m.margins(m.z, m.w)
	m.gradient()
	if p.Intercept {
		m.confineClasses()
	}
	return m
}

// confineClasses bounds the intercepts of the minimum, whose sum is 0, by P(0), as confine does: no
// row's own margin is below another one by more than P(0) over its share.
func (m *minimiser) confineClasses() {
	zero, sum := bigmath.Log(m.of(float64(m.classes))), m.of(0)
	for _, own := range m.own {
		sum.Add(sum, m.share[own])
	}
	zero.Mul(zero.Mul(zero, sum), m.of(1+0x1p-20))
	m.radius = new(big.Float).Quo(zero, m.lambda)
	m.radius.Sqrt(m.radius.Mul(m.radius, m.of(2+0x1p-20)))
	m.beyond = m.of(0)
	for _, own := range m.own {
		if m.share[own].Sign() == 0 {
			continue
		}
		v := new(big.Float).Quo(zero, m.share[own])
		for _, e := range m.rows[own] {
			if e.column < m.held {
				m.add(v, new(big.Float).Abs(e.value), m.radius)
				m.add(v, new(big.Float).Abs(e.value), m.radius)
			}
		}
		if v.Mul(v, m.of(1+0x1p-20)); v.Cmp(m.beyond) > 0 {
			m.beyond = v
		}
	}
}

// group returns the first margin of row i and the end of its margins.
func (m *minimiser) group(i int) (first, end int) { return i * m.classes, (i + 1) * m.classes }

// classSlopes writes the slopes at margins z, and the share of the probabilities p to h: the
// second derivatives of a row are share (diag(p) - pp').
func (m *minimiser) classSlopes(c, h, z []*big.Float) {
	for i, own := range m.own {
		first, end := m.group(i)
		share := m.share[first]
		if share.Sign() == 0 {
			continue
		}
		top := first
		for a := first; a < end; a++ {
			if z[a].Cmp(z[top]) > 0 {
				top = a
			}
		}
		total := m.of(0)
		for a := first; a < end; a++ {
			h[a].Set(bigmath.Exp(m.of(0).Sub(z[a], z[top])))
			total.Add(total, h[a])
		}
		c[own].SetInt64(0)
		for a := first; a < end; a++ {
			h[a].Mul(h[a].Quo(h[a], total), share)
			if a != own {
				c[a].Set(h[a])
				c[own].Sub(c[own], c[a])
			}
		}
	}
}

// classLoss returns log sum_a exp(z_a) - z_own of row i.
func (m *minimiser) classLoss(i int, z []*big.Float) *big.Float {
	first, end := m.group(i)
	own := m.own[i]
	// From the own class on: the sum is never below its exponential.
	sum := m.of(0)
	for a := first; a < end; a++ {
		if a != own {
			v := m.of(0).Sub(z[a], z[own])
			sum.Add(sum, bigmath.Softplus(v.Sub(v, sum)))
		}
	}
	return sum
}

// classMeans subtracts the sum of share pp' over the rows from a Hessian.
func (m *minimiser) classMeans(a [][]*big.Float) {
	for i := range m.own {
		first, end := m.group(i)
		share := m.share[first]
		if share.Sign() == 0 {
			continue
		}
		var mean []entry
		for q := range m.rows[first] {
			for b := first; b < end; b++ {
				e := m.rows[b][q]
				mean = append(mean, entry{e.column, m.of(0).Mul(m.h[b], e.value)})
			}
		}
		for k, e := range mean {
			scaled := m.of(0).Quo(e.value, share)
			for _, f := range mean[:k+1] {
				m.subtract(a[e.column][f.column], scaled, f.value)
			}
		}
	}
}

// tieIntercepts adds the total share to the elements of a row of the Hessian that belong to two
// intercepts. Nothing else bends along equal changes of all, which no gradient has in it: the steps
// stay what they are, with a sum of 0.
func (m *minimiser) tieIntercepts(row []*big.Float) {
	for _, v := range row[m.held:] {
		for _, own := range m.own {
			v.Add(v, m.share[own])
		}
	}
}

// bend returns the second derivative of the losses along margins.
func (m *minimiser) bend(h, along []*big.Float) *big.Float {
	sum := m.of(0)
	for i, v := range along {
		m.add(sum, h[i], m.product.Mul(v, v))
	}
	for i := range m.own {
		first, end := m.group(i)
		if share := m.share[first]; share.Sign() != 0 {
			mean := m.dot(h[first:end], along[first:end])
			m.subtract(sum, m.of(0).Quo(mean, share), mean)
		}
	}
	return sum
}
