package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestRegion: within the reach of a row's margin and its error no second derivative is below the
// least one. Neither reach nor least is smaller than necessary.
func TestRegion(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.75}} {
		for _, s := range []float64{1, 1e4, 1e-3, 0} {
			for _, y := range []float64{1, -1} {
				for _, dz := range []float64{1e-15, 1e-3, 0.1, 0.13} {
					for _, z := range []float64{-30, -2, -0.9, -0.2, 0, 0.24, 0.3, 0.95, 1.5, 3, 300} {
						p := certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{y}, SampleWeight: []float64{s}, Loss: phi, Penalty: penalty.Ridge{Lambda: 1}}}
						b := certificate.New(p)
						b.AtMargins([]float64{z}, []float64{dz}, []float64{0})
						at := func(z float64) ct.Real { return ct.CurvatureOf(p, 0, z) }
						reach, least := b.Region(0, at(z).Float())
						of := fmt.Sprintf("%v, weight %g, label %g, margin %g +- %g: reach %g, least %g", phi, s, y, z, dz, reach, least)
						want := 0.125 // what may be reached
						switch phi.String() {
						case "squared":
							want = math.Inf(1)
						case "huber":
							want = 0.75 - math.Abs(z-y) - dz
						case "squared-hinge":
							want = 1 - y*z - dz
						default:
							if dz > 0.125 {
								want = 0
							}
						}
						if s == 0 || !(want > 0) {
							want = 0
						}
						if !(reach <= want) || !(reach >= want-0.011*dz-1e-12) {
							t.Fatalf("%s, not %g", of, want)
						}
						if least == 0 {
							if want > 0.011*dz+1e-12 && z > -100 && z < 100 {
								t.Fatalf("%s where there is more", of)
							}
							continue
						}
						found++
						far := min(reach, 1e6)
						least0 := at(z)
						for k := range 5 {
							least0 = least0.Min(at(z + (far+dz)*(float64(k)/2-1)))
						}
						if ct.R(least*(1-1e-9)).Cmp(least0) > 0 {
							t.Fatalf("%s, in reach %g", of, least0.Float())
						}
						most := at(z)
						if phi == (loss.Logistic{}) {
							most = most.Scale(math.Exp(-0.125 - dz))
						}
						if !(least >= 0.97*most.Float()) {
							t.Fatalf("%s, not %g", of, most.Float())
						}
					}
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d regions", found)
	}
}

// TestCurvatureTerms compares the parts of the bound by curvature with their formulas: x'M^-1 x
// of a row, and what the errors of the slopes bring.
func TestCurvatureTerms(t *testing.T) {
	t.Parallel()
	var spreads, errors ct.Pins
	for k, s := range shapes()[:20] {
		p, n := s.p, float64(s.p.X.Rows())
		if p.X.NNZ() > 4000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(k), 5))
		any := func() float64 { return math.Pow(10, 12*r.Float64()-6) }
		b := certificate.New(p)
		e, least, zero := make([]float64, len(p.Y)), make([]float64, len(p.Y)), make([]float64, len(p.Y))
		for round := range 4 {
			for i := range e {
				e[i], least[i] = any(), any()
				if round == 1 || round > 1 && i%3 == 0 {
					least[i] = 0
				}
				if round == 3 {
					least[i] *= 1e9 * n
				}
			}
			b.AtMargins(zero, zero, e)
			bound := func(i int) ct.Real { return s.facts.Rows[i].Over(ct.R(p.Ridge())) }
			own := func(i int) ct.Real { return ct.R(n).Over(ct.R(least[i])) }
			errors.Check(t, fmt.Sprintf("%s, round %d", s.name, round), b.Errors(least), func(on ct.On) ct.Real {
				squares, sum := ct.R(0), ct.R(0)
				for i := range e {
					if l := least[i]; l > 0 && own(i).Cmp(bound(i)) < 0 {
						squares = squares.Plus(ct.R(e[i]).Square().Over(ct.R(l).Scale(n)))
					} else {
						sum = sum.Plus(bound(i).Root().Times(ct.R(e[i])).Over(ct.R(n)))
					}
				}
				return on("rows of M", squares.Root()).Plus(on("other rows", sum))
			})
			for i := range min(20, len(e)) {
				if least[i] > 0 {
					spreads.Check(t, fmt.Sprintf("%s, row %d", s.name, i), b.Spread(i, least[i]), func(on ct.On) ct.Real {
						if own(i).Cmp(bound(i)) < 0 {
							return on("the row's share of M", own(i))
						}
						return on("the row's length", bound(i))
					})
				}
			}
		}
	}
	spreads.Done(t)
	errors.Done(t)
}

// TestQuadraticTerms compares the bound of g'M^-1 g by any vector s with its formula. It takes an
// s far from M^-1 g, and an s near it under a lambda so small that rounding is most of the bound.
func TestQuadraticTerms(t *testing.T) {
	t.Parallel()
	pins, rounded := ct.Pins{Slack: 0.06}, ct.Pins{Slack: 0.3, Floor: 0.1}
	for k, s := range shapes()[:20] {
		p, n, d := s.p, ct.R(float64(s.p.X.Rows())), s.p.X.Cols()
		if d > 50 || p.X.NNZ() > 4000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(k), 6))
		least, w := make([]float64, len(p.Y)), make([]float64, d)
		for i := range least {
			if least[i] = math.Pow(10, 4*r.Float64()-2); i%4 == 3 {
				least[i] = 0
			}
		}
		for j := range w {
			w[j] = r.NormFloat64()
		}
		for round := range 4 {
			p.Penalty = penalty.Ridge{Lambda: []float64{s.p.Ridge(), 1e-40, 1, 1e6}[round]}
			product := func(v []ct.Real) (out, margins []ct.Real) {
				margins = ct.Margins(p.X, v)
				c := make([]ct.Real, len(least))
				for i, l := range least {
					c[i] = margins[i].Scale(l).Over(n)
				}
				out = ct.Transposed(p.X, c)
				for j := range out {
					out[j] = out[j].Plus(v[j].Scale(p.Ridge()))
				}
				return out, margins
			}
			along, margins := product(ct.Rs(w))
			g, step := make([]float64, d), append([]float64(nil), w...)
			for j := range g {
				g[j] = along[j].Float()
				if round > 1 {
					g[j] *= 1 + r.NormFloat64()
				}
			}
			got := certificate.New(p).Bound(g, step, least)
			of := fmt.Sprintf("%s, round %d", s.name, round)
			// From below: what it bounds for this s, in exact numbers.
			inner, cross, left := ct.Dot(ct.Rs(g), ct.Rs(step)), ct.R(0), ct.R(0)
			for j := range g {
				rho := ct.R(g[j]).Minus(along[j])
				cross, left = cross.Plus(rho.Scale(step[j])), left.Plus(rho.Square())
			}
			if exact := inner.Plus(cross, left.Over(ct.R(p.Ridge()))); exact.Cmp(ct.R(got)) > 0 {
				t.Errorf("%s: %v, exactly %v", of, got, exact.Float())
			}
			// Its own formula: margins of s and sums over rows by compensated sums.
			e, sizes := make([]ct.Real, len(least)), make([]ct.Real, len(least))
			absolute := ct.MarginSizes(p.X, ct.Rs(step))
			for i, l := range least {
				h := ct.R(l).Over(n)
				count := 4
				for range p.X.Row(i) {
					count++
				}
				dz := ct.Unit.Scale(2).Times(margins[i].Abs()).Plus(squaredShare(count).Times(absolute[i]))
				sizes[i] = h.Times(margins[i]).Abs()
				e[i] = h.Times(dz).Plus(ct.Unit.Scale(4).Times(sizes[i]))
			}
			carry, sums := ct.TransposedSizes(p.X, e), ct.TransposedSizes(p.X, sizes)
			which := &pins
			if round == 1 {
				which = &rounded
			}
			which.Check(t, of, got, func(on ct.On) ct.Real {
				cross, left, absolute := ct.R(0), ct.R(0), ct.R(0)
				for j := range g {
					pull := ct.R(step[j]).Scale(p.Ridge())
					rows := along[j].Minus(pull)
					size := on("residue", ct.R(g[j]).Minus(along[j]).Abs()).Plus(on("carry", carry[j]),
						on("sums over rows", squaredShare(len(least)+4).Times(sums[j])),
						on("own rounding", ct.Unit.Scale(4).Times(ct.R(g[j]).Abs().Plus(rows.Abs(), pull.Abs()))))
					cross = cross.Plus(ct.R(step[j]).Abs().Times(size))
					left = left.Plus(size.Square())
					absolute = absolute.Plus(ct.R(g[j]).Scale(step[j]).Abs())
				}
				return on("g's", inner.Max(ct.R(0))).Plus(on("s'rho", cross), on("rho'rho", left.Over(ct.R(p.Ridge()))),
					ct.Unit.Scale(float64(d+4)).Times(absolute))
			})
		}
	}
	for _, term := range []string{"residue", "g's", "s'rho", "rho'rho"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
	for _, term := range []string{"carry", "own rounding", "rho'rho"} {
		if !rounded.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}

// TestCurvatureThreshold: rows of one length, whose best weight is 0, and Huber's delta. The
// bound by curvature is delta^2/2 if 2 delta (x'M^-1 x)^(1/2) is less than the reach of the
// margin. Otherwise it is the bound by lambda alone.
func TestCurvatureThreshold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n                    int
		length, s, lambda, w float64
	}{
		{1, 1, 1, 1e-3, 1}, {3, 1, 1, 1e-3, 1}, {600, 1, 5, 1e-4, 1}, {3, 7, 100, 0.5, 1e-3}, {50, 1e-3, 0.01, 1e-12, 1e3},
		{3, 1, 1, 20, 1}, {40, 2, 3, 12, -1}, {600, 1e4, 1e-3, 1e6, 2},
	} {
		begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
		weight := make([]float64, c.n)
		for i := range c.n {
			begins, index, values = append(begins, int64(i+1)), append(index, 0), append(values, c.length)
			weight[i] = c.s
		}
		x, err := sparse.NewCSR(1, begins, index, values)
		if err != nil {
			t.Fatal(err)
		}
		m := c.s*c.length*c.length + c.lambda
		square := m * c.w * c.w // g'M^-1 g, g = m w
		margin := math.Abs(c.length * c.w)
		spread := min(float64(c.n)/c.s, c.length*c.length/c.lambda)
		reach := 2 * math.Sqrt(square*spread)
		curved := func(reach float64) bool {
			p := certificate.Problem{Problem: risk.Problem{X: x, Y: make([]float64, c.n), SampleWeight: weight, Loss: loss.Huber{Delta: margin + reach}, Penalty: penalty.Ridge{Lambda: c.lambda}}}
			_, _, gap := certificate.New(p).Careful([]float64{c.w}, 1e-30*square)
			alone := m * m * c.w * c.w / (2 * c.lambda)
			switch {
			case gap >= square/2*(1-1e-12) && gap <= square/2*(1+1e-6):
				return true
			case !(gap >= alone*(1-1e-12) && gap <= alone*(1+1e-6)):
				t.Errorf("%+v, reach %g: the gap is %g, neither %g nor %g", c, reach, gap, square/2, alone)
			}
			return false
		}
		if curved(reach*0.995) || curved(reach*0.9) {
			t.Errorf("%+v: certified with a reach below %g", c, reach)
		}
		if !curved(reach*1.02) || !curved(reach*30) {
			t.Errorf("%+v: not certified with a reach above %g", c, reach)
		}
	}
}

// TestCurvatureWhole compares the bound by curvature with its definition, for columns that
// differ by 1e12, weights above 1 and 600 rows: half the square of g'M^-1 g's root and what
// the errors add to it.
func TestCurvatureWhole(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	for k, c := range []ct.Shape{
		{Loss: loss.Squared{}, Rows: 600, Cols: 4, Weights: "above", Values: "columns"},
		{Loss: loss.Squared{}, Rows: 37, Cols: 5, Values: "rows", Lambda: 1e-9},
		{Loss: loss.Logistic{}, Rows: 60, Cols: 3, Weights: "some", Lambda: 30},
		{Loss: loss.Squared{}, Rows: 60, Cols: 1, Values: "ones", Lambda: 1e6},
		{Loss: loss.Squared{}, Rows: 50, Cols: 4, Weights: "below", Values: "columns", Bias: 1, Lambda: 1e-12},
	} {
		p, err := c.Problem(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range p.Y {
			p.Y[i] = math.Abs(y) // of which sums cancel less
			if c.Loss == (loss.Logistic{}) {
				p.Y[i] = y
			}
		}
		d, n, facts := p.X.Cols(), ct.R(float64(p.X.Rows())), ct.FactsOf(p)
		var best []float64
		if c.Loss == (loss.Logistic{}) {
			best = make([]float64, d)
			for range 200 {
				g, _, _, _ := certificate.New(p).ByCurvature(best)
				for j, v := range g {
					best[j] -= v / (p.Ridge() + 0.25*facts.Weighted.Over(n).Float())
				}
			}
		} else {
			best = ct.Rounded(ct.LeastSquares(p))
		}
		for _, off := range []float64{1e-15, 1e-9, 1e-5} {
			w := append([]float64(nil), best...)
			for j := range w {
				w[j] *= 1 + off*float64(j+1)
			}
			b := certificate.New(p)
			g, own, dc, gap := b.ByCurvature(w)
			if math.IsInf(gap, 1) {
				t.Errorf("%s, off by %g: no bound", c, off)
				continue
			}
			least := make([]float64, len(p.Y))
			for i, z := range ct.Margins(p.X, ct.Rs(w)) {
				least[i] = ct.CurvatureOf(p, i, z.Float()).Float()
				if c.Loss == (loss.Logistic{}) {
					least[i] *= 0.875
				}
			}
			h := make([]ct.Real, len(least))
			for i, l := range least {
				h[i] = ct.R(l).Over(n)
			}
			square := ct.Quadratic(p.X, h, ct.R(p.Ridge()), ct.Rs(g))
			pins.Slack = 0.06
			pins.Check(t, fmt.Sprintf("%s, off by %g", c, off), gap, func(on ct.On) ct.Real {
				squares, sum := ct.R(0), ct.R(0)
				for i, e := range dc {
					length := facts.Rows[i].Over(ct.R(p.Ridge()))
					if least[i] > 0 && n.Over(ct.R(least[i])).Cmp(length) < 0 {
						squares = squares.Plus(ct.R(e).Square().Over(n.Scale(least[i])))
					} else {
						sum = sum.Plus(length.Root().Scale(e).Over(n))
					}
				}
				return on("gradient", square.Root()).Plus(on("errors of slopes", squares.Root().Plus(sum)),
					on("errors of sums", ct.Norm(ct.Rs(own)).Over(ct.R(p.Ridge()).Root()))).Square().Scale(0.5)
			})
		}
	}
	pins.Done(t)
}
