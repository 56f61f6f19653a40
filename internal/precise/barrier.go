package precise

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/penalty"
)

// A norm c ||w|| of a group of weights has a logarithmic barrier in its place (Koh, Kim and Boyd 2007,
// "An interior-point method for large-scale l1-regularized logistic regression", for groups of one): of
// c u - (1/t) log(u^2 - ||w||^2), with the best u > ||w|| put in,
//
//	(1/t) (r - log(1 + r)) and a constant,  s = t c w,  r = sqrt(1 + ||s||^2)
//
// Its slopes, c s/(1+r), are within c. The minimum of losses and barriers of k groups is at most 2 k/t
// above the minimum of P. Newton's steps find it for increasing t.

// norm is a multiple of the length of a group of weights.
type norm struct {
	columns  []int
	multiple *big.Float
}

// takeNorms takes over the norms of a penalty of d weights, and lambda.
func (m *minimiser) takeNorms(p penalty.Penalty, d int) {
	groups, multiples, lambda, err := penalty.LengthsOf(p, d)
	direct.Must(err)
	m.lambda = m.of(lambda)
	for k, columns := range groups {
		m.norms = append(m.norms, norm{columns, m.of(multiples[k])})
	}
}

// length returns the length of the weights of a norm's group.
func (m *minimiser) length(n norm, w []*big.Float) *big.Float {
	if len(n.columns) == 1 {
		return new(big.Float).Abs(w[n.columns[0]])
	}
	sum := m.of(0)
	for _, j := range n.columns {
		m.add(sum, w[j], w[j])
	}
	return sum.Sqrt(sum)
}

// sharper is how many times t grows, once the steps for it are next to nothing.
const sharper = 0x1p8

// pull returns the slopes of the function in a norm's place, and the lower half of its second
// derivatives: scale c/(1+r) times the unit matrix less ss'/(r (1+r)).
func (m *minimiser) pull(n norm, w []*big.Float) (slopes []*big.Float, second [][]*big.Float) {
	size := len(n.columns)
	s, squares, r := m.zeros(size), m.zeros(size), m.of(1)
	for k, j := range n.columns {
		s[k].Mul(s[k].Mul(m.sharp, n.multiple), w[j])
		squares[k].Mul(s[k], s[k])
		r.Add(r, squares[k])
	}
	r.Sqrt(r)
	more := new(big.Float).Add(r, m.of(1))
	shared := new(big.Float).Mul(m.sharp, n.multiple)
	shared.Quo(shared.Mul(shared, n.multiple), new(big.Float).Mul(more, r))
	slopes, second = m.zeros(size), make([][]*big.Float, size)
	for k := range size {
		slopes[k].Quo(slopes[k].Mul(s[k], n.multiple), more)
		second[k] = m.zeros(k + 1)
		for l := range k {
			second[k][l].Quo(second[k][l].Mul(s[k], s[l]), more)
			second[k][l].Neg(second[k][l].Mul(second[k][l], shared))
		}
		rest := m.of(0)
		for l, square := range squares {
			if l != k {
				rest.Add(rest, square)
			}
		}
		second[k][k].Set(shared)
		if rest.Sign() > 0 {
			m.add(second[k][k], shared, rest.Quo(rest, more))
		}
	}
	return slopes, second
}

// soften chooses the first t: as what is above the minimum may be all of the objective.
func (m *minimiser) soften() {
	if m.norms == nil {
		return
	}
	value, _ := m.value(m.w, m.z)
	m.sharp = m.of(float64(len(m.norms)))
	if value.Sign() > 0 {
		m.sharp.Quo(m.sharp, value)
	}
}

// sharpen lets t grow where a step promised less than 1/t, unless 2 k/t is within an eighth of
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

// least is 16 k/t, of k norms.
func (m *minimiser) least() *big.Float {
	v := m.of(float64(16 * len(m.norms)))
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
	for _, n := range m.norms {
		if other := new(big.Float).Quo(zero, n.multiple); m.radius == nil || other.Cmp(m.radius) > 0 {
			m.radius = other
		}
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
		m.loss.ExactReach(v, m.targets[i])
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

// sparse returns the weights of m, with 0 for groups of weights that neither the norm nor the losses
// can tell from 0: c ||w|| and h w^2 of each, with h the curvature, are within the limit.
func (m *minimiser) sparse() []*big.Float {
	if m.norms == nil {
		return m.w
	}
	goal, a := m.zeros(len(m.w)), m.hessian()
	for j, v := range m.w {
		goal[j].Set(v)
	}
	for _, n := range m.norms {
		length := m.length(n, m.w)
		tiny := length.Mul(length, n.multiple).Cmp(m.limit) <= 0
		for _, j := range n.columns {
			size := new(big.Float).Mul(m.w[j], m.w[j])
			tiny = tiny && size.Mul(size, a[j][j]).Cmp(m.limit) <= 0
		}
		if tiny {
			for _, j := range n.columns {
				goal[j] = m.of(0)
			}
		}
	}
	return goal
}
