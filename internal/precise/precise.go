// Package precise minimises small regularised empirical risks
//
//	P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + sum_k c_k ||w_k|| + (lambda/2) ||w||^2
//
// with groups w_k of weights, of one each for an L1 norm, and all c_k or lambda above 0,
// in numbers of 512 bits, for runs that reached the precision of float64. If rows and columns
// differ by 1e12 each, the entries of the Hessian differ by 1e48. The rounding of a large row's
// margin then turns the row on and off at the kink of its loss.
//
// Newton's method is used, for the norms on smooth functions in their place: see barrier.go.
// What it finds is the best float64 point near the minimum, and a bound of how far that
// is above it. The bound holds whatever the way there was.
package precise

import (
	"math"
	"math/big"
	"slices"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

const (
	// precision is the number of bits.
	precision = 512
	// mostWork bounds the multiplications of a step, (n+d) d^2 and some for each row: a
	// tenth of a second or so.
	mostWork = 1 << 19
	// mostSteps is more than any problem of the tests takes.
	mostSteps = 150
	// mostTrials bounds the points that a line search looks at: bisection of 512 bits.
	mostTrials = 600
	// enough is the share of the target that the distance of the last point from the
	// minimum may take of it.
	enough = 0x1p-20
)

// Problem is P. With Intercept, losses of classes have rows of both.
type Problem = risk.Problem

// Fits tells whether a problem is small enough, and its loss and penalty computable in 512 bits.
func Fits(p *Problem) bool {
	n, d := p.X.Rows(), p.X.Cols()
	exact, is := p.Loss.(loss.Exact)
	_, multiples, _, err := penalty.LengthsOf(p.Penalty, d)
	most := float64(mostWork)
	return is && err == nil && !slices.Contains(multiples, 0) && float64(n+d)*float64(d)*float64(d) <= most && float64(n*exact.ExactWork()) <= most
}

// minimiser is a problem and the point it is at.
type minimiser struct {
	Problem
	loss    loss.Exact // nil for several classes
	bits    uint
	held    int // weights that the norms count
	lambda  *big.Float
	norms   []norm
	sharp   *big.Float // how sharp the functions in the norms' places are; nil without norms
	radius  *big.Float // bounds the weights of the minimum
	beyond  *big.Float // bounds its intercept
	limit   *big.Float // the width that is aimed at
	fell    *big.Float // slope of the last step at its beginning
	rows    [][]entry
	targets []*big.Float
	offsets []*big.Float // of margins; nil without
	share   []*big.Float // s_i/n

	w, g []*big.Float // g: the gradient without the norms
	z    []*big.Float // margins
	c, h []*big.Float // share phi', share phi''

	// Of several classes: their number, and the margin of the own class of every row.
	classes int
	own     []int

	product *big.Float
}

type entry struct {
	column int
	value  *big.Float
}

func (m *minimiser) of(x float64) *big.Float { return bigmath.Of(m.bits, x) }

func (m *minimiser) zeros(n int) []*big.Float {
	v := make([]*big.Float, n)
	for k := range v {
		v[k] = m.of(0)
	}
	return v
}

// Minimise goes from w towards the minimum and returns a bound of P - P* at w. It overwrites w
// with float64 numbers near the minimum if these are better and w is not yet within target. It
// returns +Inf, and keeps w, if it finds nothing or over says to end. steps counts its Newton
// steps.
func Minimise(p *Problem, w []float64, target float64, over func() bool) (gap float64, steps int) {
	return minimise(p, precision, w, target, over)
}

func minimise(p *Problem, bits uint, w []float64, target float64, over func() bool) (gap float64, steps int) {
	if rules, err := penalty.RulesOf(p.Penalty); err != nil || !rules.Bounded() || !(target > 0) || !Fits(p) || !finite(w) {
		return math.Inf(1), 0
	}
	return begin(p, bits, w).minimise(w, target, over)
}

func finite(w []float64) bool {
	for _, v := range w {
		if v-v != 0 {
			return false
		}
	}
	return true
}

func (m *minimiser) minimise(w []float64, target float64, over func() bool) (gap float64, steps int) {
	gap = math.Inf(1)
	m.limit = m.of(enough * target)
	for m.width().Cmp(m.limit) > 0 {
		if steps == mostSteps || over() {
			return gap, steps
		}
		steps++
		if !m.step(over) {
			return gap, steps
		}
		m.sharpen()
	}
	gap = m.above(w)
	for _, round := range []func() []float64{m.nearest, m.together} {
		if gap <= target {
			break
		}
		rounded := round()
		if other := m.above(rounded); other < gap {
			copy(w, rounded)
			gap = other
		}
	}
	return gap, steps
}

func begin(p *Problem, bits uint, w []float64) *minimiser {
	n, d := p.X.Rows(), p.X.Cols()
	m := &minimiser{Problem: *p, loss: p.Loss.(loss.Exact), bits: bits}
	m.product = m.of(0)
	if m.held = d; p.Intercept {
		m.held--
	}
	m.takeNorms(p.Penalty, m.held)
	m.w, m.g, m.z, m.c, m.h = m.zeros(d), m.zeros(d), m.zeros(n), m.zeros(n), m.zeros(n)
	for i := range n {
		var row []entry
		for j, x := range p.X.Row(i) {
			row = append(row, entry{j, m.of(x)})
		}
		share := m.of(direct.Weight(p.SampleWeight, i))
		m.rows = append(m.rows, row)
		m.targets = append(m.targets, m.of(p.Y[i]))
		if p.Offset != nil {
			m.offsets = append(m.offsets, m.of(p.Offset[i]))
		}
		m.share = append(m.share, share.Quo(share, m.of(float64(n))))
	}
	for j, v := range w {
		m.w[j].SetFloat64(v)
	}
	m.confine()
	m.place(m.z, m.w)
	m.gradient()
	m.soften()
	return m
}

// add adds a b to sum.
func (m *minimiser) add(sum, a, b *big.Float) {
	if a.Sign() != 0 && b.Sign() != 0 {
		sum.Add(sum, m.product.Mul(a, b))
	}
}

func (m *minimiser) dot(a, b []*big.Float) *big.Float {
	sum := m.of(0)
	for k := range a {
		m.add(sum, a[k], b[k])
	}
	return sum
}

// margins writes Xv to z.
func (m *minimiser) margins(z, v []*big.Float) {
	for i, row := range m.rows {
		z[i].SetInt64(0)
		for _, e := range row {
			m.add(z[i], e.value, v[e.column])
		}
	}
}

// place writes Xw and the offsets to z.
func (m *minimiser) place(z, w []*big.Float) {
	m.margins(z, w)
	for i, o := range m.offsets {
		z[i].Add(z[i], o)
	}
}

// slopes writes the first and second derivatives at margins z.
func (m *minimiser) slopes(c, h, z []*big.Float) {
	if m.classes > 0 {
		m.classSlopes(c, h, z)
		return
	}
	for i, share := range m.share {
		if share.Sign() == 0 {
			continue
		}
		m.loss.ExactSlope(c[i], h[i], z[i], m.targets[i])
		c[i].Mul(c[i], share)
		h[i].Mul(h[i], share)
	}
}

// gradient computes the slopes at the margins z, and the gradient.
func (m *minimiser) gradient() {
	m.slopes(m.c, m.h, m.z)
	for j, w := range m.w {
		if m.g[j].SetInt64(0); j < m.held {
			m.g[j].Mul(m.lambda, w)
		}
	}
	for i, row := range m.rows {
		for _, e := range row {
			m.add(m.g[e.column], m.c[i], e.value)
		}
	}
}

// unit is what sums and products over all rows and columns may lose of their absolute
// terms.
func (m *minimiser) unit() *big.Float {
	unit := m.of(float64(len(m.w) + len(m.z) + 64))
	return unit.SetMantExp(unit, 4-int(m.bits))
}

// size returns a_i = |o_i| + sum_j |x_ij w_j|: with k units lost, the margin of row i errs by
// k a_i.
func (m *minimiser) size(i int, w []*big.Float) *big.Float {
	sum := m.of(0)
	if m.offsets != nil {
		sum.Abs(m.offsets[i])
	}
	for _, e := range m.rows[i] {
		sum.Add(sum, m.product.Abs(m.product.Mul(e.value, w[e.column])))
	}
	return sum
}

// reach bounds, in units, how much the slope of margin i moves for the errors of margins, where
// its share is 1: for several classes by all margins of the row.
func (m *minimiser) reach(i int, w []*big.Float) *big.Float {
	if m.classes == 0 {
		return m.size(i, w)
	}
	sum := m.of(0)
	for a := range m.classes {
		sum.Add(sum, m.size(i-i%m.classes+a, w))
	}
	return sum
}

// slopeError bounds, in units, the error of the slope of row i at the point of m, but for a unit of itself.
func (m *minimiser) slopeError(i int) *big.Float {
	size := m.reach(i, m.w)
	if m.classes > 0 || m.share[i].Sign() == 0 {
		return size.Mul(size, m.share[i])
	}
	err := new(big.Float).Copy(m.h[i])
	err.Quo(err, m.share[i])
	m.loss.ExactSlopeError(err, size, m.unit())
	return err.Mul(err, m.share[i])
}

// width bounds P(w) - P* from the gradient g of all but the norms. Losses are convex, so
// that, with w* the minimum,
//
//	P(w) - P* <= sum_j g_j (w_j - w*_j) + sum_k c_k (||w_k|| - ||w*_k||) - (lambda/2) ||w - w*||^2
//
// A column's term is at most g_j^2 / (2 lambda) without norms. With norms a group's is at most
// g_k'w_k + c_k ||w_k|| + max(0, ||g_k|| - c_k) ||w*_k||; an intercept's at most |g_j| (|w_j| + |w*_j|).
// confine bounds w*. For the rounding of g, (a+b)^2 <= 2a^2 + 2b^2, and the slope of row i errs by
// k |phi'| and what its loss says for the error k a_i of its margin: k a_i where |phi”| <= 1.
func (m *minimiser) width() *big.Float {
	rounding, sum, most := m.of(0), m.of(0), m.of(0)
	for i, row := range m.rows {
		err, length := m.slopeError(i), m.of(0)
		err.Add(err, new(big.Float).Abs(m.c[i]))
		for _, e := range row {
			length.Add(length, m.product.Abs(e.value))
		}
		m.add(rounding, err, length)
	}
	for _, v := range m.w[:m.held] {
		m.add(rounding, m.lambda, m.product.Abs(v))
	}
	lost := m.of(0) // by the sum
	for j, v := range m.w {
		g, size := new(big.Float).Abs(m.g[j]), new(big.Float).Abs(v)
		switch {
		case j >= m.held:
			m.add(sum, g, new(big.Float).Add(size, m.beyond))
			m.add(most, m.of(1), new(big.Float).Add(size, m.beyond))
		case m.norms == nil:
			m.add(sum, g, new(big.Float).Quo(g, m.lambda))
		default:
			m.add(sum, m.g[j], v)
			m.add(lost, g, size)
			if size.Add(size, m.radius); size.Cmp(most) > 0 {
				most = size
			}
		}
	}
	for _, n := range m.norms {
		size, g := m.length(n, m.w), m.length(n, m.g)
		m.add(sum, n.multiple, size)
		m.add(lost, n.multiple, size)
		m.add(lost, g, m.radius)
		if g.Sub(g, n.multiple); g.Sign() > 0 {
			m.add(sum, g, m.radius)
		}
	}
	m.add(sum, lost, m.unit())
	rounding.Mul(rounding, m.unit())
	if m.norms == nil {
		square := new(big.Float).Mul(rounding, rounding)
		sum.Add(sum, square.Quo(square, m.lambda))
	}
	m.add(sum, rounding, most)
	return sum
}

// value returns P(w) and a bound of its error, with z the margins. The loss of row i errs by
// dz_i times |phi'| and how far that moves, and its own rounding. For several classes it errs by the sum of dz over
// the margins of the row.
func (m *minimiser) value(w, z []*big.Float) (value, rounding *big.Float) {
	value, rounding = m.dot(w[:m.held], w[:m.held]), m.of(0)
	value.Mul(value.Mul(value, m.of(0.5)), m.lambda)
	for _, n := range m.norms {
		m.add(value, n.multiple, m.length(n, w))
	}
	for i := range m.own {
		first, _ := m.group(i)
		m.add(value, m.share[first], m.classLoss(i, z))
		m.add(rounding, m.share[first], m.reach(first, w))
	}
	slope, second := m.of(0), m.of(0)
	for i, share := range m.share {
		if share.Sign() == 0 || m.classes > 0 {
			continue
		}
		m.add(value, share, m.loss.ExactValue(z[i], m.targets[i]))
		m.loss.ExactSlope(slope, second, z[i], m.targets[i])
		size := m.size(i, w)
		m.loss.ExactSlopeError(second, size, m.unit())
		slope.Add(slope.Abs(slope), second)
		m.add(rounding, size.Mul(size, slope), share)
	}
	rounding.Add(rounding, value)
	return value, rounding.Mul(rounding, m.unit())
}

// above bounds P(w) - P*, upwards: by the difference from the point of m, and the width
// there.
func (m *minimiser) above(w []float64) float64 {
	at, z := m.zeros(len(w)), m.zeros(len(m.z))
	for j, v := range w {
		if v-v != 0 {
			return math.Inf(1)
		}
		at[j].SetFloat64(v)
	}
	m.place(z, at)
	gap, rounding := m.value(at, z)
	least, other := m.value(m.w, m.z)
	gap.Sub(gap, least)
	gap.Add(gap, rounding)
	gap.Add(gap, other)
	gap.Add(gap, m.width())
	bound, _ := gap.Float64()
	return math.Nextafter(max(bound, 0), math.Inf(1))
}
