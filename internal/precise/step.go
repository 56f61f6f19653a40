package precise

import (
	"math/big"
)

// step does one step of Newton's method with a line search to about the minimum. It returns false
// if no step is possible.
func (m *minimiser) step(over func() bool) bool {
	g := m.slopesOfAll()
	s := m.direction(g)
	if s == nil {
		return false
	}
	along := m.zeros(len(m.z))
	m.margins(along, s)
	m.fell = m.dot(g, s)
	length := m.search(s, along, over)
	if length == nil {
		return false
	}
	for j := range m.w {
		m.add(m.w[j], length, s[j])
	}
	m.place(m.z, m.w)
	m.gradient()
	return true
}

// slopesOfAll is the gradient of what the steps make small.
func (m *minimiser) slopesOfAll() []*big.Float {
	g := m.zeros(len(m.g))
	for j, v := range m.g {
		g[j].Set(v)
	}
	for _, n := range m.norms {
		slopes, _ := m.pull(n, m.w)
		for k, j := range n.columns {
			g[j].Add(g[j], slopes[k])
		}
	}
	return g
}

// faint is the share of its largest curvature that an intercept is given in addition: all rows
// may be where their losses are straight.
const faint = 0x1p-64

// hessian returns the lower half of X'HX and the norms' curvatures.
func (m *minimiser) hessian() [][]*big.Float {
	a := make([][]*big.Float, len(m.g))
	for j := range a {
		a[j] = m.zeros(j + 1)
		switch {
		case j >= m.held && m.classes > 0:
			m.tieIntercepts(a[j])
		case j >= m.held:
			for _, share := range m.share {
				m.add(a[j][j], share, m.of(faint))
			}
		default:
			a[j][j].Set(m.lambda)
		}
	}
	for _, n := range m.norms {
		_, second := m.pull(n, m.w)
		for k, i := range n.columns {
			for l, j := range n.columns[:k+1] {
				at := a[max(i, j)][min(i, j)]
				at.Add(at, second[k][l])
			}
		}
	}
	m.classMeans(a)
	scaled := m.of(0)
	for i, row := range m.rows {
		if m.h[i].Sign() == 0 {
			continue
		}
		for k, e := range row {
			scaled.Mul(m.h[i], e.value)
			for _, f := range row[:k+1] {
				m.add(a[e.column][f.column], scaled, f.value)
			}
		}
	}
	return a
}

// direction solves Hs = -g by the factors LDL'.
func (m *minimiser) direction(g []*big.Float) []*big.Float {
	d, a, scaled := len(g), m.hessian(), m.of(0)
	// Row j of L times D first, then of L; its last entry is the entry of D.
	s := m.zeros(d)
	for j := range d {
		for k := range j {
			for l := range k {
				m.subtract(a[j][k], a[j][l], a[k][l])
			}
		}
		s[j].Neg(g[j])
		for k := range j {
			scaled.Quo(a[j][k], a[k][k])
			m.subtract(a[j][j], a[j][k], scaled)
			a[j][k].Set(scaled)
			m.subtract(s[j], scaled, s[k])
		}
		if a[j][j].Sign() <= 0 {
			return nil
		}
	}
	for j := range d {
		s[j].Quo(s[j], a[j][j])
	}
	for j := d - 1; j >= 0; j-- {
		for k := j + 1; k < d; k++ {
			m.subtract(s[j], a[k][j], s[k])
		}
	}
	return s
}

// subtract takes a b from sum.
func (m *minimiser) subtract(sum, a, b *big.Float) {
	if a.Sign() != 0 && b.Sign() != 0 {
		sum.Sub(sum, m.product.Mul(a, b))
	}
}

// search finds a length t at which the slope psi(t) of P along s is at most a tenth of psi(0). It
// takes Newton's method on psi within a bracket of its root. psi rises, and is piecewise linear
// unless the loss is logistic. Every third point halves the bracket, or doubles t, because
// Newton's method is slow beside kinks.
func (m *minimiser) search(s, along []*big.Float, over func() bool) *big.Float {
	if m.fell.Sign() >= 0 {
		return nil
	}
	allowed := new(big.Float).Abs(m.fell)
	allowed.Mul(allowed, m.of(0.1))
	across, square := m.dot(m.w[:m.held], s[:m.held]), m.dot(s[:m.held], s[:m.held])
	across.Mul(across, m.lambda)
	square.Mul(square, m.lambda)
	z, c, h := m.zeros(len(m.z)), m.zeros(len(m.z)), m.zeros(len(m.z))
	low, high, t := m.of(0), (*big.Float)(nil), m.of(1)
	for trial := range mostTrials {
		if over() {
			return nil
		}
		for i := range z {
			z[i].Set(m.z[i])
			m.add(z[i], t, along[i])
		}
		m.slopes(c, h, z)
		psi, bend := new(big.Float).Copy(across), new(big.Float).Copy(square)
		m.add(psi, t, square)
		if m.norms != nil {
			at := m.zeros(len(m.w))
			for j, v := range m.w {
				at[j].Set(v)
				m.add(at[j], t, s[j])
			}
			for _, n := range m.norms {
				m.along(psi, bend, n, at, s)
			}
		}
		for i := range z {
			m.add(psi, c[i], along[i])
		}
		bend.Add(bend, m.bend(h, along))
		if new(big.Float).Abs(psi).Cmp(allowed) <= 0 {
			return t
		}
		if psi.Sign() < 0 {
			low = t
		} else {
			high = t
		}
		next := new(big.Float).Quo(psi, bend)
		next.Sub(t, next)
		creeps := trial%3 == 2
		switch {
		case high == nil && (creeps || next.Cmp(low) <= 0):
			next.Mul(t, m.of(2))
		case high != nil && (creeps || next.Cmp(low) <= 0 || next.Cmp(high) >= 0):
			next.Add(low, high)
			next.Mul(next, m.of(0.5))
		}
		t = next
	}
	return nil
}

// along adds the slope and the curvature along s of the function in a norm's place at w.
func (m *minimiser) along(psi, bend *big.Float, n norm, w, s []*big.Float) {
	slopes, second := m.pull(n, w)
	for k, i := range n.columns {
		m.add(psi, slopes[k], s[i])
		for l, j := range n.columns[:k+1] {
			both := new(big.Float).Mul(s[i], s[j])
			if l < k {
				both.Mul(both, m.of(2))
			}
			m.add(bend, second[k][l], both)
		}
	}
}
