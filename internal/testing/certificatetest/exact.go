// Package certificatetest finds the minimum of small problems in numbers of 400 bits, to
// compare certificates and solvers with. It shares no code with them.
package certificatetest

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

const precision = 400

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func zero() *big.Float            { return new(big.Float).SetPrec(precision) }
func plus(x, y *big.Float) *big.Float {
	return zero().Add(x, y)
}
func minus(x, y *big.Float) *big.Float { return zero().Sub(x, y) }
func times(x, y *big.Float) *big.Float { return zero().Mul(x, y) }
func over(x, y *big.Float) *big.Float  { return zero().Quo(x, y) }

// exp is e^x for |x| below 2^30.
func exp(x *big.Float) *big.Float {
	const halvings = 40
	r := zero().SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for k := 1.0; term.Sign() != 0 && term.MantExp(nil) > -precision-60; k++ {
		term = over(times(term, r), number(k))
		sum = plus(sum, term)
	}
	for range halvings {
		sum = times(sum, sum)
	}
	return sum
}

// log is the logarithm of u > 0, by Halley's iteration.
func log(u *big.Float) *big.Float {
	mantissa := new(big.Float)
	exponent := u.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := number(math.Log(m) + float64(float64(exponent)*math.Ln2))
	for range 5 {
		e := exp(y)
		y = plus(y, over(times(number(2), minus(u, e)), plus(u, e)))
	}
	return y
}

// Exact is a problem with its minimum.
type Exact struct {
	p    certificate.Problem
	rows [][]*big.Float
	best []*big.Float
	low  *big.Float
}

// Exactly evaluates a problem, without its minimum.
func Exactly(p certificate.Problem) *Exact {
	e := &Exact{p: p}
	for i := range p.X.Rows() {
		row := make([]*big.Float, p.X.Cols())
		for j := range row {
			row[j] = zero()
		}
		for j, x := range p.X.Row(i) {
			row[j] = number(x)
		}
		e.rows = append(e.rows, row)
	}
	return e
}

// Solve minimises a problem by Newton's method. It is for few rows and columns, and
// losses that are convex each or in their average.
func Solve(p certificate.Problem) (*Exact, error) {
	e := Exactly(p)
	w := make([]*big.Float, p.X.Cols())
	for j := range w {
		w[j] = zero()
	}
	// The gradient at the end bounds how far the end is from the minimum.
	limit := zero().SetMantExp(number(1), -250)
	for range 400 {
		value, g, h := e.evaluate(w, true)
		if square := dot(g, g); over(square, number(2*p.Ridge())).Cmp(limit) < 0 {
			e.best, e.low = w, value
			return e, nil
		}
		step := solve(h, g)
		slope := dot(g, step)
		for share := number(1); ; share = times(share, number(0.5)) {
			next := make([]*big.Float, len(w))
			for j := range w {
				next[j] = minus(w[j], times(share, step[j]))
			}
			after, _, _ := e.evaluate(next, false)
			if after.Cmp(minus(value, times(times(number(1e-4), share), slope))) <= 0 || share.MantExp(nil) < -300 {
				w = next
				break
			}
		}
	}
	return nil, fmt.Errorf("no minimum after 400 steps")
}

// Above returns P(w) - P*, rounded once.
func (e *Exact) Above(w []float64) float64 {
	value, _, _ := e.evaluate(numbers(w), false)
	above, _ := minus(value, e.low).Float64()
	return above
}

// Objective returns P(w), and GradientNorm the norm of its gradient, rounded once.
func (e *Exact) Objective(w []float64) float64 {
	value, _, _ := e.evaluate(numbers(w), false)
	v, _ := value.Float64()
	return v
}

// GradientNorm is the norm of the gradient at w.
func (e *Exact) GradientNorm(w []float64) float64 {
	_, g, _ := e.evaluate(numbers(w), true)
	v, _ := zero().Sqrt(dot(g, g)).Float64()
	return v
}

// Best returns the minimiser, each weight rounded.
func (e *Exact) Best() []float64 {
	w := make([]float64, len(e.best))
	for j, v := range e.best {
		w[j], _ = v.Float64()
	}
	return w
}

func numbers(w []float64) []*big.Float {
	out := make([]*big.Float, len(w))
	for j, v := range w {
		out[j] = number(v)
	}
	return out
}

func dot(x, y []*big.Float) *big.Float {
	sum := zero()
	for j := range x {
		sum = plus(sum, times(x[j], y[j]))
	}
	return sum
}

// evaluate returns P, and where wanted its gradient and Hessian.
func (e *Exact) evaluate(w []*big.Float, derivatives bool) (value *big.Float, g []*big.Float, h [][]*big.Float) {
	d, n := len(w), number(float64(len(e.rows)))
	lambda := number(e.p.Ridge())
	value = zero()
	if derivatives {
		g, h = make([]*big.Float, d), make([][]*big.Float, d)
		for j := range d {
			g[j] = zero()
			h[j] = make([]*big.Float, d)
			for k := range d {
				h[j][k] = zero()
			}
		}
	}
	for i, x := range e.rows {
		z := dot(x, w)
		if e.p.Offset != nil {
			z = plus(z, number(e.p.Offset[i]))
		}
		phi, slope, curve := e.loss(z, e.p.Y[i])
		if e.p.SampleWeight != nil {
			s := number(e.p.SampleWeight[i])
			phi, slope, curve = times(s, phi), times(s, slope), times(s, curve)
		}
		value = plus(value, phi)
		for j := 0; derivatives && j < d; j++ {
			if x[j].Sign() == 0 {
				continue
			}
			g[j] = plus(g[j], times(slope, x[j]))
			for k := range d {
				h[j][k] = plus(h[j][k], times(curve, times(x[j], x[k])))
			}
		}
	}
	held := d - e.p.Free()
	value = plus(over(value, n), times(times(number(0.5), lambda), dot(w[:held], w[:held])))
	for j := 0; derivatives && j < d; j++ {
		g[j] = over(g[j], n)
		for k := range d {
			h[j][k] = over(h[j][k], n)
		}
		if j < held {
			g[j] = plus(g[j], times(lambda, w[j]))
			h[j][j] = plus(h[j][j], lambda)
		} else { // where no loss is curved
			h[j][j] = plus(h[j][j], number(0x1p-60))
		}
	}
	return value, g, h
}

// loss returns phi and its first two derivatives.
func (e *Exact) loss(z *big.Float, label float64) (phi, slope, curve *big.Float) {
	if defined := definition.Of(e.p.Loss.String(), e.p.Loss.Parameter()); defined != nil {
		return defined(z, label)
	}
	y, half := number(label), number(0.5)
	slope, curve = e.derivatives(z, label)
	switch r := minus(z, y); l := e.p.Loss.(type) {
	case loss.Squared, loss.SquaredHinge:
		return times(half, times(slope, slope)), slope, curve
	case loss.Huber:
		delta := number(l.Parameter())
		if size := zero().Abs(r); size.Cmp(delta) > 0 {
			return times(delta, minus(size, times(half, delta))), slope, curve
		}
		return times(half, times(r, r)), slope, curve
	case loss.Poisson:
		if label == 0 {
			return curve, slope, curve
		}
		return minus(slope, times(y, minus(z, log(y)))), slope, curve
	}
	m := times(y, z)
	phi = log(plus(number(1), e.small(m)))
	if m.Sign() < 0 {
		phi = minus(phi, m)
	}
	return phi, slope, curve
}

// small is exp(-|m|).
func (e *Exact) small(m *big.Float) *big.Float {
	size := zero().Abs(m)
	if size.Cmp(number(1e6)) < 0 {
		return exp(zero().Neg(size))
	}
	return zero()
}

// derivatives returns phi' and phi”.
func (e *Exact) derivatives(z *big.Float, label float64) (slope, curve *big.Float) {
	if defined := definition.Of(e.p.Loss.String(), e.p.Loss.Parameter()); defined != nil {
		_, slope, curve = defined(z, label)
		return slope, curve
	}
	y, one := number(label), number(1)
	switch r := minus(z, y); l := e.p.Loss.(type) {
	case loss.Squared:
		return r, one
	case loss.Huber:
		delta := number(l.Parameter())
		if zero().Abs(r).Cmp(delta) > 0 {
			return times(number(float64(r.Sign())), delta), zero()
		}
		return r, one
	case loss.SquaredHinge:
		m := minus(one, times(y, z))
		if m.Sign() <= 0 {
			return zero(), zero()
		}
		return zero().Neg(times(y, m)), one
	case loss.Poisson:
		mean := exp(z)
		return minus(mean, y), mean
	}
	m := times(y, z)
	t := e.small(m)
	sum := plus(one, t)
	share := over(t, sum) // sigma(-|m|)
	curve = over(share, sum)
	if m.Sign() < 0 {
		share = over(one, sum)
	}
	return zero().Neg(times(y, share)), curve
}

// solve solves hx = g by Cholesky's factorisation of h.
func solve(h [][]*big.Float, g []*big.Float) []*big.Float {
	d := len(g)
	l := make([][]*big.Float, d)
	x := make([]*big.Float, d)
	for i := range d {
		l[i] = make([]*big.Float, i+1)
		for j := range i + 1 {
			v := h[i][j]
			for k := range j {
				v = minus(v, times(l[i][k], l[j][k]))
			}
			if j < i {
				l[i][j] = over(v, l[j][j])
			} else {
				l[i][i] = zero().Sqrt(v)
			}
		}
		v := g[i]
		for k := range i {
			v = minus(v, times(l[i][k], x[k]))
		}
		x[i] = over(v, l[i][i])
	}
	for i := d - 1; i >= 0; i-- {
		for k := i + 1; k < d; k++ {
			x[i] = minus(x[i], times(l[k][i], x[k]))
		}
		x[i] = over(x[i], l[i][i])
	}
	return x
}

// SlopeOf returns s_i phi'(z, y_i) of row i, and CurvatureOf s_i phi”(z, y_i).
func SlopeOf(p certificate.Problem, i int, z float64) Real { return SlopeAt(p, i, R(z)) }

// SlopeAt is SlopeOf at a margin of many bits.
func SlopeAt(p certificate.Problem, i int, z Real) Real {
	slope, _ := (&Exact{p: p}).derivatives(z.v, p.Y[i])
	return Real{slope}.Times(weightOf(p, i))
}

// CurvatureOf is what SlopeOf's comment says.
func CurvatureOf(p certificate.Problem, i int, z float64) Real {
	_, curve := (&Exact{p: p}).derivatives(number(z), p.Y[i])
	return Real{curve}.Times(weightOf(p, i))
}

func weightOf(p certificate.Problem, i int) Real {
	if p.SampleWeight == nil {
		return R(1)
	}
	return R(p.SampleWeight[i])
}

// Transposed returns X'c, and TransposedSizes the sums of the absolute terms.
func Transposed(x *sparse.Matrix, c []Real) []Real {
	return transposed(x, c, func(v Real) Real { return v })
}

// TransposedSizes is what Transposed's comment says.
func TransposedSizes(x *sparse.Matrix, c []Real) []Real { return transposed(x, c, Real.Abs) }

func transposed(x *sparse.Matrix, c []Real, of func(Real) Real) []Real {
	out := Rs(make([]float64, x.Cols()))
	for i, v := range c {
		for j, entry := range x.Row(i) {
			out[j] = out[j].Plus(of(R(entry).Times(v)))
		}
	}
	return out
}

// Margins returns Xv, and MarginSizes the sums of the absolute terms.
func Margins(x *sparse.Matrix, v []Real) []Real {
	return products(x, v, func(v Real) Real { return v })
}

// MarginSizes is what Margins' comment says.
func MarginSizes(x *sparse.Matrix, v []Real) []Real { return products(x, v, Real.Abs) }

func products(x *sparse.Matrix, v []Real, of func(Real) Real) []Real {
	out := Rs(make([]float64, x.Rows()))
	for i := range out {
		for j, entry := range x.Row(i) {
			out[i] = out[i].Plus(of(R(entry).Times(v[j])))
		}
	}
	return out
}

// Solved returns M^-1 g for M = X' diag(h) X + lambda I, and Quadratic g'M^-1 g.
func Solved(x *sparse.Matrix, h []Real, lambda Real, g []Real) []Real {
	d := len(g)
	m, right := make([][]*big.Float, d), make([]*big.Float, d)
	for j := range d {
		m[j], right[j] = make([]*big.Float, d), g[j].v
		for k := range d {
			m[j][k] = zero()
		}
		m[j][j] = lambda.v
	}
	for i, l := range h {
		for j, a := range x.Row(i) {
			for k, b := range x.Row(i) {
				m[j][k] = plus(m[j][k], times(l.v, times(number(a), number(b))))
			}
		}
	}
	out := make([]Real, d)
	for j, v := range solve(m, right) {
		out[j] = Real{v}
	}
	return out
}

// Quadratic is what Solved's comment says.
func Quadratic(x *sparse.Matrix, h []Real, lambda Real, g []Real) Real {
	return Dot(g, Solved(x, h, lambda, g))
}

// LeastSquares returns the minimiser for the squared loss.
func LeastSquares(p certificate.Problem) []Real {
	n := R(float64(p.X.Rows()))
	h, c := make([]Real, len(p.Y)), make([]Real, len(p.Y))
	for i, y := range p.Y {
		h[i] = weightOf(p, i).Over(n)
		c[i] = h[i].Scale(y)
	}
	return Solved(p.X, h, R(p.Ridge()), Transposed(p.X, c))
}

// Rounded returns numbers rounded once each.
func Rounded(x []Real) []float64 {
	out := make([]float64, len(x))
	for k, v := range x {
		out[k] = v.Float()
	}
	return out
}

// LossAt returns s_i phi(z, y_i) of row i.
func LossAt(p certificate.Problem, i int, z Real) Real {
	phi, _, _ := (&Exact{p: p}).loss(z.v, p.Y[i])
	return Real{phi}.Times(weightOf(p, i))
}

// At returns P and its gradient at w.
func At(p certificate.Problem, w []float64) (value Real, g []Real) {
	n := R(float64(p.X.Rows()))
	value, slopes := R(0), make([]Real, p.X.Rows())
	for i, z := range Margins(p.X, Rs(w)) {
		value = value.Plus(LossAt(p, i, z).Over(n))
		slopes[i] = SlopeAt(p, i, z).Over(n)
	}
	g = Transposed(p.X, slopes)
	for j, v := range w {
		pull := R(p.Ridge()).Scale(v)
		value, g[j] = value.Plus(pull.Scale(v/2)), g[j].Plus(pull)
	}
	return value, g
}
