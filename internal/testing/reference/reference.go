// Package reference finds the minimum of small regularised empirical risks
//
//	P(w) = (1/n) sum_i s_i phi(x_i'w, y_i) + (lambda/2) ||w||^2,  lambda > 0
//
// in hundreds of bits, for tests to hold the solvers against. It shares no mathematics
// with them but exp and log of bigmath: the losses are written down again, in math/big.
package reference

import (
	"errors"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/testing/definition"
)

// Precision is the number of bits of all numbers: enough for Hessians whose entries
// span 1e-50 to 1e50.
const Precision = 512

// Loss is phi.
type Loss int

// The losses, at a margin z for a label or target y: log(1+exp(-yz)), (z-y)^2/2,
// max(0, 1-yz)^2/2, Huber's, which is (z-y)^2/2 up to |z-y| = Delta and linear
// beyond, and Poisson's exp(z) - y - y (z - log y).
const (
	Logistic Loss = iota
	Squared
	SquaredHinge
	Huber
	Poisson
)

// Problem is P, with the rows in full. Weight holds the s_i, nil for ones.
type Problem struct {
	Rows   [][]float64
	Y      []float64
	Weight []float64
	Loss   Loss
	Delta  float64
	Lambda float64
	// Define is the loss, if it is none of the above.
	Define definition.Loss
}

// Optimum is a point near the minimum.
type Optimum struct {
	W     []*big.Float
	Value *big.Float // P(W)
	// Width bounds P(W) - P*, by ||grad P(W)||^2/(2 lambda).
	Width *big.Float
}

func of(x float64) *big.Float { return bigmath.Of(Precision, x) }
func zero() *big.Float        { return of(0) }

func rounded(x *big.Float) *big.Float { return x.SetPrec(Precision) }

// addProduct adds a b to sum.
func addProduct(sum, a, b *big.Float) {
	sum.Add(sum, new(big.Float).SetPrec(Precision).Mul(a, b))
}

// Objective returns P(w) up to the rounding of Precision bits.
func (p *Problem) Objective(w []float64) *big.Float {
	at := make([]*big.Float, len(w))
	for j, v := range w {
		at[j] = of(v)
	}
	s := p.prepare()
	return s.value(s.margins(at), at)
}

// solver holds what of a problem is needed again and again.
type solver struct {
	*Problem
	x      [][]*big.Float
	share  []*big.Float // s_i/n
	lambda *big.Float
}

func (p *Problem) prepare() *solver {
	s := &solver{Problem: p, lambda: of(p.Lambda)}
	n := of(float64(len(p.Rows)))
	for i, row := range p.Rows {
		numbers := make([]*big.Float, len(row))
		for j, v := range row {
			numbers[j] = of(v)
		}
		s.x = append(s.x, numbers)
		weight := of(1)
		if p.Weight != nil {
			weight = of(p.Weight[i])
		}
		s.share = append(s.share, weight.Quo(weight, n))
	}
	return s
}

func (s *solver) margins(w []*big.Float) []*big.Float {
	z := make([]*big.Float, len(s.x))
	for i, row := range s.x {
		z[i] = zero()
		for j, v := range row {
			if v.Sign() != 0 && w[j].Sign() != 0 {
				addProduct(z[i], v, w[j])
			}
		}
	}
	return z
}

// mean returns exp(z), for at most z = 2^15: larger ones are as far beyond float64.
func mean(z *big.Float) *big.Float {
	if most := of(0x1p15); z.Cmp(most) > 0 {
		z = most
	}
	return bigmath.Exp(z)
}

// loss returns phi of row i at z.
func (s *solver) loss(i int, z *big.Float) *big.Float {
	if s.Define != nil {
		value, _, _ := s.Define(z, s.Y[i])
		return rounded(value)
	}
	y := of(s.Y[i])
	switch s.Loss {
	case Logistic:
		m := y.Mul(y, z)
		return bigmath.Softplus(m.Neg(m))
	case SquaredHinge:
		m := y.Sub(of(1), y.Mul(y, z))
		if m.Sign() <= 0 {
			return zero()
		}
		return m.Mul(m, m).Mul(m, of(0.5))
	case Poisson:
		sum := new(big.Float).SetPrec(Precision).Sub(mean(z), y)
		if y.Sign() > 0 {
			t := new(big.Float).SetPrec(Precision).Sub(z, bigmath.Log(y))
			sum.Sub(sum, t.Mul(t, y))
		}
		return sum
	}
	r := y.Sub(z, y)
	if s.Loss == Huber {
		if size := new(big.Float).Abs(r); size.Cmp(of(s.Delta)) > 0 {
			size.Sub(size, of(s.Delta/2)) // halves are exact
			return size.Mul(size, of(s.Delta))
		}
	}
	return r.Mul(r, r).Mul(r, of(0.5))
}

// slope returns phi' and phi” of row i at z.
func (s *solver) slope(i int, z *big.Float) (first, second *big.Float) {
	if s.Define != nil {
		_, first, second = s.Define(z, s.Y[i])
		return rounded(first), rounded(second)
	}
	y := of(s.Y[i])
	switch s.Loss {
	case Logistic:
		m := new(big.Float).Mul(y, z)
		up, down := bigmath.Sigmoid(m), bigmath.Sigmoid(new(big.Float).Neg(m))
		return y.Mul(y.Neg(y), down), up.Mul(up, down)
	case SquaredHinge:
		m := new(big.Float).Sub(of(1), new(big.Float).Mul(y, z))
		if m.Sign() <= 0 {
			return zero(), zero()
		}
		return y.Mul(y.Neg(y), m), of(1)
	case Poisson:
		m := mean(z)
		return y.Sub(m, y), m
	}
	r := y.Sub(z, y)
	if limit := of(s.Delta); s.Loss == Huber && new(big.Float).Abs(r).Cmp(limit) > 0 {
		if r.Sign() < 0 {
			limit.Neg(limit)
		}
		return limit, zero()
	}
	return r, of(1)
}

func (s *solver) value(z, w []*big.Float) *big.Float {
	sum, square := zero(), zero()
	for i := range z {
		if s.share[i].Sign() != 0 {
			addProduct(sum, s.share[i], s.loss(i, z[i]))
		}
	}
	for _, v := range w {
		addProduct(square, v, v)
	}
	square.Mul(square, of(0.5))
	addProduct(sum, s.lambda, square)
	return sum
}

// gradient returns the gradient of P, and the curvature of each row.
func (s *solver) gradient(z, w []*big.Float) (g, curvature []*big.Float) {
	g, curvature = make([]*big.Float, len(w)), make([]*big.Float, len(z))
	for j, v := range w {
		g[j] = new(big.Float).SetPrec(Precision).Mul(s.lambda, v)
	}
	for i, row := range s.x {
		first, second := s.slope(i, z[i])
		first.Mul(first, s.share[i])
		curvature[i] = second.Mul(second, s.share[i])
		if first.Sign() == 0 {
			continue
		}
		for j, v := range row {
			if v.Sign() != 0 {
				addProduct(g[j], first, v)
			}
		}
	}
	return g, curvature
}

// ErrPrecision is the error of problems that Precision bits do not solve.
var ErrPrecision = errors.New("reference: not solved with the precision there is")

// mostSteps is more than any problem of the tests takes.
const mostSteps = 1000

// Minimise finds the minimum by Newton's method, up to a width of tolerance times P(0).
func (p *Problem) Minimise(tolerance float64) (*Optimum, error) {
	s := p.prepare()
	w := make([]*big.Float, len(p.Rows[0]))
	for j := range w {
		w[j] = zero()
	}
	z := s.margins(w)
	value := s.value(z, w)
	enough := new(big.Float).Mul(value, of(tolerance))
	for range mostSteps {
		g, curvature := s.gradient(z, w)
		width := zero()
		for _, v := range g {
			addProduct(width, v, v)
		}
		width.Quo(width, new(big.Float).SetPrec(Precision).Mul(of(2), s.lambda))
		if width.Cmp(enough) <= 0 {
			return &Optimum{w, value, width}, nil
		}
		step := s.direction(g, curvature)
		if step == nil {
			return nil, ErrPrecision
		}
		along := s.margins(step)
		length := s.length(z, w, along, step, g, value)
		if length == nil {
			return nil, ErrPrecision
		}
		for j := range w {
			addProduct(w[j], length, step[j])
		}
		for i := range z {
			addProduct(z[i], length, along[i])
		}
		value = s.value(z, w)
	}
	return nil, ErrPrecision
}

// direction solves (X'CX + lambda) s = -g by a Cholesky factor.
func (s *solver) direction(g, curvature []*big.Float) []*big.Float {
	d := len(g)
	h := make([][]*big.Float, d)
	for a := range h {
		h[a] = make([]*big.Float, a+1)
		for b := range h[a] {
			h[a][b] = zero()
		}
		h[a][a].Set(s.lambda)
	}
	for i, row := range s.x {
		if curvature[i].Sign() == 0 {
			continue
		}
		for a, v := range row {
			if v.Sign() == 0 {
				continue
			}
			cv := new(big.Float).SetPrec(Precision).Mul(curvature[i], v)
			for b := range a + 1 {
				if row[b].Sign() != 0 {
					addProduct(h[a][b], cv, row[b])
				}
			}
		}
	}
	for a := range d {
		for b := range a + 1 {
			sum := h[a][b]
			for k := range b {
				if h[a][k].Sign() != 0 && h[b][k].Sign() != 0 {
					addProduct(sum, new(big.Float).Neg(h[a][k]), h[b][k])
				}
			}
			switch {
			case b < a:
				sum.Quo(sum, h[b][b])
			case sum.Sign() <= 0:
				return nil
			default:
				sum.Sqrt(sum)
			}
		}
	}
	step := make([]*big.Float, d)
	for a := range d {
		step[a] = new(big.Float).Neg(g[a])
		for k := range a {
			addProduct(step[a], new(big.Float).Neg(h[a][k]), step[k])
		}
		step[a].Quo(step[a], h[a][a])
	}
	for a := d - 1; a >= 0; a-- {
		for k := a + 1; k < d; k++ {
			addProduct(step[a], new(big.Float).Neg(h[k][a]), step[k])
		}
		step[a].Quo(step[a], h[a][a])
	}
	return step
}

// length halves the step until P falls by a share of what its slope promises. If a loss is made
// of pieces, it goes on until P falls no further. A step across many pieces would otherwise be
// far too long or short.
func (s *solver) length(z, w, along, step, g []*big.Float, value *big.Float) *big.Float {
	slope := zero()
	for j := range g {
		addProduct(slope, g[j], step[j])
	}
	if slope.Sign() >= 0 {
		return nil
	}
	at := func(length *big.Float) *big.Float {
		there, margin := make([]*big.Float, len(w)), make([]*big.Float, len(z))
		for j := range w {
			there[j] = new(big.Float).Set(w[j])
			addProduct(there[j], length, step[j])
		}
		for i := range z {
			margin[i] = new(big.Float).Set(z[i])
			addProduct(margin[i], length, along[i])
		}
		return s.value(margin, there)
	}
	length, found := of(1), false
	best := zero()
	for range Precision / 2 {
		promised := new(big.Float).SetPrec(Precision).Mul(slope, length)
		promised.Mul(promised, of(0.01)).Add(promised, value)
		there := at(length)
		switch {
		case there.Cmp(promised) <= 0 && !found:
			found = true
			best.Set(there)
		case found && there.Cmp(best) < 0:
			best.Set(there)
		case found:
			return length.Mul(length, of(2))
		}
		if found && (s.Loss == Logistic && s.Define == nil || length.Cmp(of(1)) == 0) {
			return length
		}
		length.Mul(length, of(0.5))
	}
	return nil
}

// Above returns how far above the minimum a value of P is: at least low, at most high,
// as float64s.
func (o *Optimum) Above(value *big.Float) (low, high float64) {
	d := new(big.Float).Sub(value, o.Value)
	low, _ = d.Float64()
	high, _ = d.Add(d, o.Width).Float64()
	return low, math.Nextafter(high, math.Inf(1))
}
