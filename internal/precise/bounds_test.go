package precise

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestFewBitsTerms compares the bounds of numbers of few bits with their formulas in many: how
// far the point of a minimiser may be above the minimum, and what a value may err by. Rows
// and weights of rows differ by 1e6 and more.
func TestFewBitsTerms(t *testing.T) {
	t.Parallel()
	const bits = 60
	pins := ct.Pins{Slack: 0.01, Floor: 0.01} // sums in few bits
	for k := range 12 {
		s := ct.Shape{
			Loss: []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: []float64{0.7, 3}[k%2]}}[k%4],
			Rows: []int{1, 30, 90}[k%3], Cols: 1 + k%5, Weights: []string{"above", "", "below"}[k/2%3], Values: []string{"rows", "", "columns"}[k/4],
			Lambda: []float64{1e-9, 1e3}[k%2],
		}
		c, err := s.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		p := c.With(c.Penalty)
		n, d := ct.R(float64(s.Rows)), p.X.Cols()
		unit := ct.R(float64(d+s.Rows+64) * math.Exp2(4-bits))
		for _, scale := range []float64{0, 1, 1e6} {
			w := make([]float64, d)
			for j := range w {
				w[j] = scale * float64(j+1)
			}
			m := begin(p, bits, w)
			g, rounding, value, off := ct.Rs(make([]float64, d)), ct.R(0), ct.R(0), ct.R(0)
			margins, sizes := ct.Margins(p.X, ct.Rs(w)), ct.MarginSizes(p.X, ct.Rs(w))
			for i, z := range margins {
				share := ct.R(1)
				if p.SampleWeight != nil {
					share = ct.R(p.SampleWeight[i])
				}
				slope, length := ct.SlopeAt(c, i, z).Over(n), ct.R(0)
				value = value.Plus(ct.LossAt(c, i, z).Over(n))
				for j, x := range p.X.Row(i) {
					g[j] = g[j].Plus(slope.Scale(x))
					length = length.Plus(ct.R(math.Abs(x)))
				}
				share = share.Over(n)
				rounding = rounding.Plus(share.Times(sizes[i]).Plus(slope.Abs()).Times(length))
				off = off.Plus(sizes[i].Times(slope.Abs().Plus(sizes[i].Times(share))))
			}
			for j, v := range w {
				pull := ct.R(p.Ridge()).Scale(v)
				g[j], rounding = g[j].Plus(pull), rounding.Plus(pull.Abs())
				value = value.Plus(pull.Scale(v / 2))
			}
			of := fmt.Sprintf("%s, weights of %g", s, scale)
			width, _ := m.width().Float64()
			pins.Check(t, of+": width", width, func(on ct.On) ct.Real {
				return on("gradient", ct.Dot(g, g)).Plus(on("rounding", rounding.Times(unit).Square())).Over(ct.R(p.Ridge()))
			})
			_, err := m.value(m.w, m.z)
			bound, _ := err.Float64()
			pins.Check(t, of+": value", bound, func(on ct.On) ct.Real {
				return on("margins", off).Plus(on("sums", value)).Times(unit)
			})
		}
	}
	for _, term := range []string{"gradient", "margins", "sums"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}

// TestWidthOfRounding: near the minimum, in few bits, rounding is most of the width.
func TestWidthOfRounding(t *testing.T) {
	t.Parallel()
	for k := range 4 {
		c, err := ct.Shape{Loss: loss.Squared{}, Rows: 30, Cols: 3, Weights: "above", Lambda: []float64{1e-3, 10}[k%2]}.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		p := c.With(c.Penalty)
		best := ct.LeastSquares(c)
		m := begin(p, 60, ct.Rounded(best))
		rounding, n := ct.R(0), ct.R(30)
		sizes, margins := ct.MarginSizes(p.X, best), ct.Margins(p.X, best)
		for i := range sizes {
			length := ct.R(0)
			for _, x := range p.X.Row(i) {
				length = length.Plus(ct.R(math.Abs(x)))
			}
			slope := ct.SlopeAt(c, i, margins[i]).Abs()
			rounding = rounding.Plus(sizes[i].Scale(p.SampleWeight[i]).Plus(slope).Times(length).Over(n))
		}
		for _, v := range best {
			rounding = rounding.Plus(v.Abs().Scale(p.Ridge()))
		}
		want := rounding.Scale(float64(3+30+64) * math.Exp2(4-60)).Square().Over(ct.R(p.Ridge())).Float()
		if got, _ := m.width().Float64(); !(got >= want*(1-1e-3)) || !(got <= 1.5*want) {
			t.Errorf("lambda %g: a width of %g, rounding makes %g of it", p.Ridge(), got, want)
		}
		// Of two values at one point nothing is left but their errors and the width.
		_, err2 := m.value(m.w, m.z)
		bound, _ := err2.Float64()
		width, _ := m.width().Float64()
		if above := m.above(ct.Rounded(best)); !(above >= 2*bound+width) || !(above <= 1.01*(2*bound+width)) || !(bound > 1e3*width) {
			t.Errorf("lambda %g: %g above the minimum at most, errors of %g and a width of %g", p.Ridge(), above, bound, width)
		}
	}
}

// TestWidthOfIntercepts: at a minimum, an intercept's slope errs by the rounding of the slopes,
// and the width by that times what the intercept may be.
func TestWidthOfIntercepts(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewCSR(1, []int64{0, 0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &risk.Problem{X: x.WithBias(1), Y: []float64{1, -1}, Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: 1}, Intercept: true}
	m := begin(p, 60, []float64{0, 0})
	beyond, _ := m.beyond.Float64()
	want := beyond * (2 + 2 + 64) * math.Exp2(4-60) // slopes of -1/2 and 1/2
	if got, _ := m.width().Float64(); !(got >= want*(1-1e-9)) || !(got <= 1.01*want) {
		t.Errorf("a width of %g, want %g", got, want)
	}
}

// TestConfined compares where the minimum is looked for with its formulas: within what P(0)
// leaves of either norm, and an intercept within what one row's share of it leaves.
func TestConfined(t *testing.T) {
	t.Parallel()
	losses := append([]loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}, loss.Huber{Delta: 3}, loss.Poisson{}}, ct.InBits()...)
	for k := range 8 * len(losses) {
		c, err := ct.Shape{
			Loss: losses[k%len(losses)],
			Rows: 12, Cols: 3, Weights: []string{"above", "", "below"}[k%3],
		}.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range c.Y {
			if c.Loss == (loss.Poisson{}) {
				c.Y[i] = max(y, 0)
			}
		}
		norms := [][2]float64{{0, 1e-3}, {0.1, 0}, {1e-9, 0.1}, {2, 1e-6}}[k/6%4] // each of two is the tighter one
		p := c.With(penalty.L1{Lambda: norms[0]})
		p.Intercept = true
		p.X, p.Penalty = c.X.WithBias(1), penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: norms[1]}
		if k >= 24 {
			p.Offset = []float64{0, 3, -200, 0.5, 1, 0, 40, -3, 0, 0, 7, 1}
		}
		zero, least := 0.0, math.Inf(1)
		for i := range p.Y {
			zero += ct.LossAt(c, i, ct.R(direct.Offset(p.Offset, i))).Float() / 12
		}
		if penalty.WeightOf(p.Penalty) > 0 {
			least = zero / penalty.WeightOf(p.Penalty)
		}
		if p.Ridge() > 0 {
			least = min(least, math.Sqrt(2*zero/p.Ridge()))
		}
		beyond := 0.0
		for i, y := range p.Y {
			weight, v := 1.0, 1+math.Abs(y)+math.Abs(direct.Offset(p.Offset, i))
			if p.SampleWeight != nil {
				weight = p.SampleWeight[i]
			}
			if weight == 0 {
				continue
			}
			if phi := 12 * zero / weight; p.Loss == (loss.Poisson{}) && y > 0 {
				v += phi/y + y + math.Abs(math.Log(y))
			} else if p.Loss.String() == "huber" {
				delta := p.Loss.Parameter()
				v += phi/min(delta, 1) + 2*delta
			} else if definition.Of(p.Loss.String(), p.Loss.Parameter()) != nil {
				v += definition.Reach(p.Loss.String(), p.Loss.Parameter(), phi, y)
			} else {
				v += phi
			}
			for _, x := range c.X.Row(i) {
				v += math.Abs(x) * least
			}
			beyond = max(beyond, v)
		}
		m := begin(p, 60, make([]float64, 4))
		radius, _ := m.radius.Float64()
		reach, _ := m.beyond.Float64()
		for of, v := range map[string][2]float64{"weights": {radius, least}, "an intercept": {reach, beyond}} {
			if !(v[0] >= v[1]) || !(v[0] <= v[1]*(1+1e-5)) {
				t.Errorf("%v, l1 %g, lambda %g: %s within %g, by the formula %g", p.Loss, penalty.WeightOf(p.Penalty), p.Ridge(), of, v[0], v[1])
			}
		}
	}
}
