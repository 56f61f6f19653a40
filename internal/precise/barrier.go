package precise

import (
	"math"
	"math/big"
)

// The L1 norm has a logarithmic barrier in its place (Koh, Kim and Boyd 2007, "An interior-point
// method for large-scale l1-regularized logistic regression"): of l1 u - (1/t) log(u^2 - w^2),
// with the best u > |w| put in,
//
//	(1/t) (r - log(1 + r)) and a constant,  s = t l1 w,  r = sqrt(1 + s^2)
//
// Its slope, l1 s/(1+r), is within l1. The minimum of losses and barrier is at most 2 d/t above the
// minimum of P. Newton's steps find it for increasing t.

// sharper is how many times t grows, once the steps for it are next to nothing.
const sharper = 0x1p8

// pull returns the slope and the curvature of the function at w.
func (m *minimiser) pull(w *big.Float) (slope, curvature *big.Float) {
	scale := new(big.Float).Mul(m.sharp, m.l1)
	s := new(big.Float).Mul(scale, w)
	r := new(big.Float).Mul(s, s)
	r.Sqrt(r.Add(r, m.of(1)))
	more := new(big.Float).Add(r, m.of(1))
	slope = s.Quo(s.Mul(s, m.l1), more)
	curvature = scale.Quo(scale.Mul(scale, m.l1), more.Mul(more, r))
	return slope, curvature
}

// soften chooses the first t: as what is above the minimum may be all of the objective.
func (m *minimiser) soften() {
	if m.l1.Sign() == 0 {
		return
	}
	value, _ := m.value(m.w, m.z)
	m.sharp = m.of(float64(m.held))
	if value.Sign() > 0 {
		m.sharp.Quo(m.sharp, value)
	}
}

// sharpen lets t grow where a step promised less than 1/t, unless 2 d/t is within an eighth of
// the limit.
func (m *minimiser) sharpen() {
	if m.sharp == nil || m.least().Cmp(m.limit) <= 0 {
		return
	}
	promise := new(big.Float).Mul(m.fell, m.sharp)
	if promise.Cmp(m.of(-1)) >= 0 {
		m.sharp.Mul(m.sharp, m.of(sharper))
	}
}

// least is 16 d/t.
func (m *minimiser) least() *big.Float {
	v := m.of(float64(16 * m.held))
	return v.Quo(v, m.sharp)
}

// confine bounds the weights of the minimum by P(0): the norms of w* are at most P(0), and no row's
// loss is more than P(0) over its share, v. So the margin of a row with a label is at most v on the
// wrong side. With a target it is at most v + 1 from the target, and for Huber's loss v/delta + 2
// delta + 1.
func (m *minimiser) confine() {
	zero, nothing := m.of(0), m.of(0)
	for i, share := range m.share {
		if share.Sign() > 0 {
			at := nothing
			if m.offsets != nil {
				at = m.offsets[i]
			}
			m.add(zero, share, m.loss.ExactValue(at, m.targets[i]))
		}
	}
	zero.Mul(zero, m.of(1+0x1p-20))
	if m.l1.Sign() > 0 {
		m.radius = new(big.Float).Quo(zero, m.l1)
	}
	if m.lambda.Sign() > 0 {
		other := new(big.Float).Quo(zero, m.lambda)
		if other.Sqrt(other.Mul(other, m.of(2+0x1p-20))); m.radius == nil || other.Cmp(m.radius) < 0 {
			m.radius = other
		}
	}
	m.beyond = m.of(0)
	if !m.Intercept {
		return
	}
	for i, share := range m.share {
		if share.Sign() == 0 {
			continue
		}
		v := new(big.Float).Quo(zero, share)
		m.loss.ExactReach(v)
		v.Add(v, m.of(1+math.Abs(m.Y[i])))
		if m.offsets != nil {
			v.Add(v, new(big.Float).Abs(m.offsets[i]))
		}
		for _, e := range m.rows[i] {
			if e.column < m.held {
				m.add(v, new(big.Float).Abs(e.value), m.radius)
			}
		}
		v.Mul(v, m.of(1+0x1p-20))
		if v.Cmp(m.beyond) > 0 {
			m.beyond = v
		}
	}
}

// sparse returns the weights of m, with 0 for weights that neither the norm nor the losses can tell
// from 0: l1 |w| and h w^2, with h the curvature, are within the limit.
func (m *minimiser) sparse() []*big.Float {
	if m.sharp == nil {
		return m.w
	}
	goal, a := m.zeros(len(m.w)), m.hessian()
	for j, v := range m.w {
		size := new(big.Float).Mul(v, v)
		norm := new(big.Float).Abs(v)
		if size.Mul(size, a[j][j]).Cmp(m.limit) > 0 || norm.Mul(norm, m.l1).Cmp(m.limit) > 0 || j >= m.held {
			goal[j].Set(v)
		}
	}
	return goal
}
