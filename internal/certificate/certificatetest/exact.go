// Package certificatetest finds the minimum of small problems in numbers of 400 bits, to
// compare certificates and solvers with. It shares no code with them.
package certificatetest

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/kernels"
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
	y := number(math.Log(m) + float64(exponent)*math.Ln2)
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
		if square := dot(g, g); over(square, number(2*p.Lambda)).Cmp(limit) < 0 {
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
	lambda := number(e.p.Lambda)
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
		phi, slope, curve := e.loss(dot(x, w), e.p.Y[i])
		if e.p.Weight != nil {
			s := number(e.p.Weight[i])
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
	value = plus(over(value, n), times(times(number(0.5), lambda), dot(w, w)))
	for j := 0; derivatives && j < d; j++ {
		g[j] = plus(over(g[j], n), times(lambda, w[j]))
		for k := range d {
			h[j][k] = over(h[j][k], n)
		}
		h[j][j] = plus(h[j][j], lambda)
	}
	return value, g, h
}

// loss returns phi and its first two derivatives.
func (e *Exact) loss(z *big.Float, label float64) (phi, slope, curve *big.Float) {
	y, one, half := number(label), number(1), number(0.5)
	switch r := minus(z, y); e.p.Loss {
	case kernels.Squared:
		return times(half, times(r, r)), r, one
	case kernels.Huber:
		delta := number(e.p.Delta)
		if size := zero().Abs(r); size.Cmp(delta) > 0 {
			sign := number(float64(r.Sign()))
			return times(delta, minus(size, times(half, delta))), times(sign, delta), zero()
		}
		return times(half, times(r, r)), r, one
	case kernels.SquaredHinge:
		m := minus(one, times(y, z))
		if m.Sign() <= 0 {
			return zero(), zero(), zero()
		}
		return times(half, times(m, m)), zero().Neg(times(y, m)), one
	}
	m := times(y, z)
	size := zero().Abs(m)
	t := zero() // exp(-|m|)
	if size.Cmp(number(1e6)) < 0 {
		t = exp(zero().Neg(size))
	}
	sum := plus(one, t)
	phi, share := log(sum), over(t, sum) // sigma(-|m|)
	if m.Sign() < 0 {
		phi = plus(phi, size)
	}
	curve = over(share, sum)
	if m.Sign() < 0 {
		share = over(one, sum)
	}
	return phi, zero().Neg(times(y, share)), curve
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
