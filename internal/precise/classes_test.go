package precise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// drawClasses gives the rows of a shape classes, and draws weights.
func drawClasses(t *testing.T, s ct.Shape, seed uint64, k int, scale float64) (*Classes, []float64) {
	t.Helper()
	c, err := s.Problem(seed)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 8))
	p := &Classes{X: c.X, Class: make([]uint32, s.Rows), Count: k, SampleWeight: c.SampleWeight, Lambda: c.Ridge()}
	for i := range p.Class {
		p.Class[i] = uint32(r.IntN(k))
	}
	w := make([]float64, k*p.X.Cols())
	for j := range w {
		w[j] = scale * r.NormFloat64()
	}
	return p, w
}

// softened are a row's margins, and their exponentials over the sum of these, by definition.
func softened(p *Classes, i int, w []ct.Real) (z, size, share []ct.Real, total ct.Real) {
	z, size = ct.Rs(make([]float64, p.Count)), ct.Rs(make([]float64, p.Count))
	for j, x := range p.X.Row(i) {
		for a := range p.Count {
			v := w[j*p.Count+a].Scale(x)
			z[a], size[a] = z[a].Plus(v), size[a].Plus(v.Abs())
		}
	}
	total = ct.R(0)
	for _, v := range z {
		share = append(share, v.Exp())
		total = total.Plus(v.Exp())
	}
	for a := range share {
		share[a] = share[a].Over(total)
	}
	return z, size, share, total
}

// TestFewBitsClasses compares the gradient, the value and the bounds of what both err by, in
// numbers of few bits, with their formulas in many.
func TestFewBitsClasses(t *testing.T) {
	t.Parallel()
	const bits, k = 60, 3
	pins := ct.Pins{Slack: 0.01, Floor: 0.01}
	for seed, s := range []ct.Shape{
		{Rows: 30, Cols: 3, Weights: "above", Lambda: 1e-9}, {Rows: 1, Cols: 2, Lambda: 10}, {Rows: 9, Cols: 4, Weights: "below", Values: "rows", Lambda: 1e3},
	} {
		for _, scale := range []float64{0, 0.5, 30} {
			p, w := drawClasses(t, s, uint64(seed), k, scale)
			m := p.begin(bits, w)
			n := ct.R(float64(s.Rows))
			unit := ct.R(float64(len(w)+k*s.Rows+64) * math.Exp2(4-bits))
			g, rounding, value, off := ct.Rs(make([]float64, len(w))), ct.R(0), ct.R(0), ct.R(0)
			for i, own := range p.Class {
				z, sizes, shares, total := softened(p, i, ct.Rs(w))
				weight, reach := ct.R(1).Over(n), ct.R(0).Plus(sizes...)
				if p.SampleWeight != nil {
					weight = ct.R(p.SampleWeight[i]).Over(n)
				}
				value = value.Plus(total.Log().Minus(z[own]).Times(weight))
				off = off.Plus(weight.Times(reach))
				for a, c := range shares {
					if a == int(own) {
						c = c.Minus(ct.R(1))
					}
					length := ct.R(0)
					for j, x := range p.X.Row(i) {
						g[j*k+a] = g[j*k+a].Plus(c.Times(weight).Scale(x))
						length = length.Plus(ct.R(math.Abs(x)))
					}
					rounding = rounding.Plus(weight.Times(reach.Plus(c.Abs()), length))
				}
			}
			for j, v := range w {
				pull := ct.R(p.Lambda).Scale(v)
				g[j], rounding, value = g[j].Plus(pull), rounding.Plus(pull.Abs()), value.Plus(pull.Scale(v/2))
			}
			of := fmt.Sprintf("%s, weights of %g", s, scale)
			norm := ct.Norm(g).Float()
			for j, v := range m.g {
				if got, _ := v.Float64(); math.Abs(got-g[j].Float()) > 1e-12*norm {
					t.Errorf("%s: the slope of weight %d is %v, not %v", of, j, got, g[j].Float())
				}
			}
			said, err := m.value(m.w, m.z)
			if got, _ := said.Float64(); math.Abs(got-value.Float()) > 1e-12*value.Float() {
				t.Errorf("%s: a value of %v, not %v", of, got, value.Float())
			}
			for _, bits := range []int{bits, 20} { // rounding is a part of the second width
				width, _ := p.begin(uint(bits), w).width().Float64()
				unit := ct.R(float64(len(w)+k*s.Rows+64) * math.Exp2(float64(4-bits)))
				pins.Check(t, fmt.Sprintf("%s: width in %d bits", of, bits), width, func(on ct.On) ct.Real {
					return on("gradient", ct.Dot(g, g)).Plus(on("rounding", rounding.Times(unit).Square())).Over(ct.R(p.Lambda))
				})
			}
			bound, _ := err.Float64()
			pins.Check(t, of+": value", bound, func(on ct.On) ct.Real {
				return on("margins", off).Plus(on("sums", value)).Times(unit)
			})
		}
	}
	for _, term := range []string{"gradient", "rounding", "margins", "sums"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}

// TestClassesHessian compares the Hessian, and the bend along a direction, with differences of
// gradients.
func TestClassesHessian(t *testing.T) {
	t.Parallel()
	p, w := drawClasses(t, ct.Shape{Rows: 12, Cols: 3, Weights: "above", Lambda: 0.1}, 1, 3, 0.3)
	m := p.begin(precision, w)
	h := m.hessian()
	const step = 0x1p-30
	for j := range w {
		moved := append([]float64(nil), w...)
		moved[j] += step
		other := p.begin(precision, moved)
		for i := range w {
			after, _ := other.g[i].Sub(other.g[i], m.g[i]).Float64()
			got, _ := h[max(i, j)][min(i, j)].Float64()
			if want := after / (moved[j] - w[j]); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("element %d, %d: %v, not %v", i, j, got, want)
			}
		}
		along, direction := m.zeros(len(m.z)), m.zeros(len(w))
		direction[j].SetInt64(1)
		m.margins(along, direction)
		bend, _ := m.bend(m.h, along).Float64()
		if want, _ := h[j][j].Float64(); math.Abs(bend+p.Lambda-want) > 1e-12*want {
			t.Errorf("weight %d bends by %v, not %v", j, bend, want-p.Lambda)
		}
	}
}

// TestTwoClasses: the weights of two classes at the minimum are each other's negatives. The bound
// holds against the minimum of the logistic loss with half of lambda for their difference.
func TestTwoClasses(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	for seed := range uint64(6) {
		s := ct.Shape{Rows: 8, Cols: 3, Weights: []string{"above", "", "below"}[seed%3], Values: []string{"rows", "", "columns"}[seed/3%3], Lambda: math.Pow(10, -2*float64(seed))}
		p, w := drawClasses(t, s, seed, 2, 1)
		exact := &reference.Problem{Loss: reference.Logistic, Weight: p.SampleWeight, Lambda: p.Lambda / 2}
		for i, class := range p.Class {
			row := make([]float64, p.X.Cols())
			for j, x := range p.X.Row(i) {
				row[j] = x
			}
			exact.Rows, exact.Y = append(exact.Rows, row), append(exact.Y, float64(2*int(class)-1))
		}
		best, err := exact.Minimise(1e-25)
		if err != nil {
			t.Fatal(err)
		}
		const target = 1e-9
		gap, _ := p.Minimise(w, target, func() bool { return false })
		value, _ := p.begin(precision, w).value(p.begin(precision, w).w, p.begin(precision, w).z)
		if low, high := best.Above(value); !(gap <= target) || low > gap || high > target {
			t.Errorf("seed %d: a gap of %v, %v to %v above the minimum", seed, gap, low, high)
		}
	}
}

// TestClassesBesideIntercepts: the width beside intercepts, in few bits and in fewer, equals its
// formula. In many bits the bound of the point that is found is small. The gradient there is next
// to nothing, and the intercepts are within their bound.
func TestClassesBesideIntercepts(t *testing.T) {
	t.Parallel()
	const k = 3
	pins := ct.Pins{Slack: 0.01, Floor: 0.01}
	for seed, s := range []ct.Shape{
		{Rows: 30, Cols: 3, Weights: "above", Lambda: 1e-6, Bias: 1}, {Rows: 9, Cols: 4, Lambda: 10, Bias: 1}, {Rows: 12, Cols: 2, Weights: "below", Values: "rows", Lambda: 1e-2, Bias: 1},
	} {
		p, w := drawClasses(t, s, uint64(seed), k, 0.5)
		p.Intercept = true
		for c := range p.Class[:k] {
			p.Class[c] = uint32(c)
			if p.SampleWeight != nil {
				p.SampleWeight[c] = 1
			}
		}
		d, n := p.X.Cols(), ct.R(float64(s.Rows))
		held := (d - 1) * k
		w[held+2] = -w[held] - w[held+1]
		for _, bits := range []uint{60, 20} {
			m := p.begin(bits, w)
			unit := ct.R(float64(len(w)+k*s.Rows+64) * math.Exp2(float64(4-int(bits))))
			g, rounding, mass := ct.Rs(make([]float64, len(w))), ct.R(0), ct.R(0)
			for i := range p.Class {
				mass = mass.Plus(ct.R(direct.Weight(p.SampleWeight, i)).Over(n))
			}
			zero, beyond := ct.R(k).Log().Times(mass), ct.R(0)
			radius := zero.Scale(2).Over(ct.R(p.Lambda)).Root()
			for i, own := range p.Class {
				_, sizes, shares, _ := softened(p, i, ct.Rs(w))
				weight, reach, length, all := ct.R(direct.Weight(p.SampleWeight, i)).Over(n), ct.R(0).Plus(sizes...), ct.R(0), ct.R(0)
				for j, x := range p.X.Row(i) {
					if all = all.Plus(ct.R(math.Abs(x))); j < d-1 {
						length = length.Plus(ct.R(math.Abs(x)))
					}
				}
				if weight.Cmp(ct.R(0)) > 0 {
					beyond = beyond.Max(zero.Over(weight).Plus(length.Times(radius).Scale(2)))
				}
				for a, c := range shares {
					if a == int(own) {
						c = c.Minus(ct.R(1))
					}
					for j, x := range p.X.Row(i) {
						g[j*k+a] = g[j*k+a].Plus(c.Times(weight).Scale(x))
					}
					rounding = rounding.Plus(weight.Times(reach.Plus(c.Abs()), all))
				}
			}
			for j := range held {
				pull := ct.R(p.Lambda).Scale(w[j])
				g[j], rounding = g[j].Plus(pull), rounding.Plus(pull.Abs())
			}
			width, _ := m.width().Float64()
			pins.Check(t, fmt.Sprintf("%s in %d bits", s, bits), width, func(on ct.On) ct.Real {
				r := on("rounding", rounding.Times(unit))
				sum := on("gradient", ct.Dot(g[:held], g[:held])).Plus(r.Square()).Over(ct.R(p.Lambda))
				for a, h := range g[held:] {
					far := ct.R(math.Abs(w[held+a])).Plus(on("best intercepts", beyond))
					sum = sum.Plus(on("slopes", h.Abs()).Plus(r).Times(far))
				}
				return sum
			})
		}
		const target = 1e-9
		gap, _ := p.Minimise(w, target, func() bool { return false })
		if !(gap <= target) {
			t.Errorf("%s: a gap of %v", s, gap)
		}
		m, sum := p.begin(precision, w), 0.0
		for a, v := range m.w[held:] {
			if v.Cmp(m.beyond) > 0 || v.Neg(v).Cmp(m.beyond) > 0 {
				t.Errorf("%s: intercept %d is %v, beyond %v", s, a, v, m.beyond)
			}
			sum += w[held+a]
		}
		if math.Abs(sum) > 1e-12 {
			t.Errorf("%s: the intercepts have a sum of %v", s, sum)
		}
		for j, v := range m.g {
			if size, _ := v.Float64(); math.Abs(size) > 1e-4*math.Sqrt(p.Lambda) {
				t.Errorf("%s: the slope of weight %d is %v", s, j, size)
			}
		}
	}
	pins.Done(t)
}
