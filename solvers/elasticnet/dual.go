package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// dual returns a lower bound of the minimum of P, from the slopes in coef and the gradient
// in g; NaN where it knows none. size is the norm of the slopes.
//
// By Fenchel and Rockafellar any a with phi*(-a_i) finite, and sum s_i a_i = 0 where there
// is an intercept, gives with u = (1/n) X'(s a)
//
//	P* >= D(a) = -(1/n) sum s_i (phi*(-a_i) + a_i o_i) - penalty*(u)
//
// penalty* is the conjugate of the penalty. For the L1 norm it is sum_j max(0, |u_j| - l1)^2 / (2
// lambda).
//
// The a of a point are -phi'(z_i), whose one sign is made smaller for the sum to be 0. All are then
// made smaller for the conjugate to vanish, if it is infinite or if D grows: phi* is finite from
// each a_i down to 0. Rounding: a is what the float64 numbers are, so that only D's own computation
// errs.
func (o *objective) dual(w []float64, size float64) float64 {
	if o.open != nil {
		return o.beside(w)
	}
	n := float64(o.n)
	above, below, rest := 1.0, 1.0, 0.0 // shares that slopes of each sign keep
	if o.p.Intercept {
		above, below, rest = certificate.Balance(o.coef)
		rest *= (1 + math.Abs(w[o.d]) + o.farthest()) / n
	}
	// |u_j| <= |g_j - lambda w_j| + ||x_j|| off: rounding, and the change of slopes.
	lost := max(1-above, 1-below)
	off := (float64(float64(float64(o.n+96)*direct.Unit)*size) + float64((lost+4*direct.Unit)*size)) / n
	if lost > 4*balanced {
		return o.farFromCentre(above, below, rest)
	}
	columns, u, most := o.lengths(), o.point[:o.d], o.point[o.d:]
	for j := range u {
		pull := o.pull(j, w[j])
		u[j] = -(o.g[j] - pull)
		most[j] = math.Abs(u[j]) + float64(columns[j]*off) + float64(4*direct.Unit*math.Abs(pull))
	}
	return o.better(above, below, u, most, rest)
}

// farthest is the largest |margin| of a row that counts.
func (o *objective) farthest() float64 {
	if o.p.SampleWeight == nil {
		return kernels.MaxAbs(o.z)
	}
	most := 0.0
	for i, s := range o.p.SampleWeight {
		if s != 0 {
			most = max(most, math.Abs(o.z[i]))
		}
	}
	return most
}

// farFromCentre is dual where the slopes are so far from a sum of 0 that the gradient has
// to be computed anew.
func (o *objective) farFromCentre(above, below, rest float64) float64 {
	saved := append([]float64(nil), o.coef...)
	o.keep(above, below)
	u, most := o.duals()
	d := o.better(1, 1, u, most, rest)
	copy(o.coef, saved)
	return d
}

// keep makes the slopes of each sign smaller.
func (o *objective) keep(above, below float64) {
	for i, c := range o.coef {
		if c > 0 {
			o.coef[i] = c * above
		} else {
			o.coef[i] = c * below
		}
	}
}

// duals returns u of the slopes in coef, whose gradient it computes, and bounds of its elements' sizes.
func (o *objective) duals() (u, most []float64) {
	u = make([]float64, len(o.g))
	o.addTrans(u)
	size := direct.Norm(o.coef)
	off := float64(float64(o.n+96)*direct.Unit) * size / float64(o.n)
	columns := o.lengths()
	most = o.point[o.d:]
	for j := range most {
		u[j] /= -float64(o.n)
		most[j] = math.Abs(u[j]) + float64(columns[j]*off)
	}
	return u[:o.d], most
}

// better returns the better one of two dual points: the slopes as they are, and made so
// small that the conjugate of the penalty is 0, or finite beside bounds, at every u' with |u'_j - u_j| <= most_j - |u_j|.
func (o *objective) better(above, below float64, u, most []float64, rest float64) float64 {
	value, share, shared := o.support(u, most)
	best := math.NaN()
	if !math.IsInf(value, 1) {
		best = o.conjugates(above, below, 1) - rest - value
	}
	if share > 0 && share < 1 {
		if d := o.conjugates(above, below, share) - rest - shared; !(best >= d) {
			best = d
		}
	}
	return best
}

// conjugates returns -(1/n) sum s_i (phi*(-a_i) + a_i o_i), less what rounding may have added. Its
// s_i a_i is share times above or below times minus the slope of row i:
//
//	logistic:       q log q + (1-q) log(1-q),  q = y a in [0, 1]
//	squared:        a^2/2 - a y
//	squared hinge:  a^2/2 - a y,               y a >= 0
//	Huber:          a^2/2 - a y,               |a| <= delta
func (o *objective) conjugates(above, below, share float64) float64 {
	n := float64(o.n)
	if l, is := o.phi.(loss.Scaled); is && o.p.SampleWeight == nil && o.p.Offset == nil && above == below {
		sum, absolute := l.Conjugated(float64(above*share), o.coef, o.p.Y)
		return -(sum + float64(float64((n+24)*direct.Unit)*absolute)) / n
	}
	a := o.work
	for i, c := range o.coef {
		keep := above
		if c < 0 {
			keep = below
		}
		if a[i] = 0; c != 0 {
			a[i] = -c / direct.Weight(o.p.SampleWeight, i) * float64(keep*share)
		}
	}
	sum, absolute := o.phi.Conjugates(a, o.more, o.coef, o.p.Y, o.p.SampleWeight)
	for i, by := range o.p.Offset {
		term := float64(o.coef[i] * by)
		if o.coef[i] > 0 {
			term *= float64(above * share)
		} else {
			term *= float64(below * share)
		}
		sum -= term
		absolute += math.Abs(term)
	}
	return -(sum + float64(float64((n+24)*direct.Unit)*absolute)) / n
}

// lengths are the Euclidean norms of the columns, in rows that count, at the cost of half a pass once.
func (o *objective) lengths() []float64 {
	if o.columns == nil {
		o.columns = make([]float64, len(o.g))
		risk.ColumnLengths(o.columns, o.squaredLengths(), o.n)
	}
	return o.columns
}

// squaredLengths are their squares, without rows whose weight is 0.
func (o *objective) squaredLengths() []float64 {
	if o.squares == nil {
		o.squares = make([]float64, len(o.g))
		risk.SquaredColumns(o.squares, o.x, o.p.SampleWeight, o.work)
	}
	return o.squares
}
