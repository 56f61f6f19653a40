package penalty

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

var inf = math.Inf(1)

// boundeds are penalties of 6 weights with bounds of all kinds.
var boundeds = func() (list []*Bounded) {
	factors := []float64{1, 2, 0.5, 0, 3, 0.1}
	for _, f := range []Factored{{0, 0, nil}, {0.3, 0, nil}, {0, 0.7, nil}, {0.3, 0.7, nil}, {0.3, 0.7, factors}, {0.3, 0, factors}} {
		list = append(list,
			&Bounded{f, []float64{0, 0, 0, 0, 0, 0}, []float64{inf, inf, inf, inf, inf, inf}},
			&Bounded{f, []float64{-1, 0.5, -inf, -2, 0.25, -inf}, []float64{2, 1, -0.5, 0, 0.25, inf}},
			&Bounded{f, []float64{-1, -0.5, 0, -inf, 0, -3}, []float64{1, 0, 0.5, 0, 0, -1}})
	}
	return list
}()

// inside moves weights into their bounds, some to an end.
func (p *Bounded) inside(r *rand.Rand, w []float64) []float64 {
	for j := range w {
		end := []float64{p.Lower[j], p.Upper[j]}[r.IntN(2)]
		if r.IntN(3) == 0 && !math.IsInf(end, 0) {
			w[j] = end
		}
		w[j] = math.Min(math.Max(w[j], p.Lower[j]), p.Upper[j])
	}
	return w
}

// TestBounded: no weights near what Prox and Step return have a smaller penalty with its distance, violations are the
// steepest descent within the bounds, and a weight stays where all slopes nearby hold it.
func TestBounded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 5))
	stayed := 0
	for _, p := range boundeds {
		if err := p.Check(6); err != nil {
			t.Fatal(err)
		}
		rest := &Bounded{Factored{p.L1, 0, p.Factors}, p.Lower, p.Upper}
		for range 150 {
			w, step := random(r, 6, 1), math.Exp(2*r.NormFloat64())
			y := slices.Clone(w)
			p.Prox(y, step)
			leastNear(t, r, p, y, func(y []float64) float64 {
				sum := 0.0
				for j, v := range y {
					sum += (v - w[j]) * (v - w[j])
				}
				return p.Value(y) + sum/(2*step)
			})
			g, h, slack := random(r, 6, 1), math.Exp(r.NormFloat64()), 0.2*r.Float64()
			p.inside(r, w)
			v := make([]float64, 6)
			p.Violations(v, g, w)
			for j, x := range w {
				one := func(y float64) float64 {
					all := slices.Clone(w)
					all[j] = y
					return rest.Value(all)
				}
				const short = 1e-7
				steepest := 0.0
				for _, by := range []float64{-short, short} {
					steepest = max(steepest, -(g[j]*by+one(x+by)-one(x))/short)
				}
				if math.Abs(steepest-math.Abs(v[j])) > 1e-6 || v[j] != 0 && one(x-math.Copysign(short, v[j])) == inf {
					t.Fatalf("%v: a violation of %v at weight %d, %v, with the slope %v: the descent is %v", p, v[j], j, x, g[j], steepest)
				}
				to, violation, stays := p.Step(j, g[j], x, h, slack)
				if stays {
					stayed++
					for _, by := range []float64{-slack, slack} {
						if other, _, _ := p.Step(j, g[j]+by, x, h, 0); other != x {
							t.Fatalf("%v: weight %d stays at %v, and moves to %v", p, j, x, other)
						}
					}
				} else if violation != math.Abs(v[j]) {
					t.Fatalf("%v: violations of %v and %v", p, violation, v[j])
				}
				leastNear(t, r, p, []float64{to}, func(y []float64) float64 { return g[j]*(y[0]-x) + h/2*(y[0]-x)*(y[0]-x) + one(y[0]) })
				if flat, _, _ := p.Step(j, 1, x, 0, inf); p.L1*p.Factor(j) == 0 && !math.IsInf(p.Lower[j], 0) && flat != p.Lower[j] {
					t.Fatalf("%v: without curvature weight %d goes to %v", p, j, flat)
				}
			}
		}
	}
	if stayed < 1000 {
		t.Errorf("%d weights stayed", stayed)
	}
}

// conjugateOf is the largest u w - l1 |w| - (l2/2) w^2 within bounds, in exact numbers; nil for +Inf.
func conjugateOf(u, l1, l2 *big.Float, low, high float64) *big.Float {
	at := func(w *big.Float) *big.Float {
		sum := times(u, w)
		sum.Sub(sum, times(l1, new(big.Float).Abs(w)))
		return sum.Sub(sum, times(l2, exact(0.5), w, w))
	}
	over := new(big.Float).SetPrec(bits).Sub(new(big.Float).Abs(u), l1)
	points := []*big.Float{exact(0)}
	if l2.Sign() > 0 && over.Sign() > 0 {
		w := new(big.Float).SetPrec(bits).Quo(over, l2)
		if u.Sign() < 0 {
			w.Neg(w)
		}
		points = append(points, w)
	}
	for _, end := range []float64{low, high} {
		if !math.IsInf(end, 0) {
			points = append(points, exact(end))
		} else if l2.Sign() == 0 && over.Sign() > 0 && (end > 0) == (u.Sign() > 0) {
			return nil
		}
	}
	var best *big.Float
	for _, w := range points {
		inside := (math.IsInf(low, 0) || w.Cmp(exact(low)) >= 0) && (math.IsInf(high, 0) || w.Cmp(exact(high)) <= 0)
		if v := at(w); inside && (best == nil || v.Cmp(best) > 0) {
			best = v
		}
	}
	return best
}

// TestBoundedSupport: Support is above the conjugate at all slopes within the bounds of rounding, and near it. The
// conjugate is at most 0 at the share of it, and finite at that of Feasible, which is the largest one. What is free is left out.
func TestBoundedSupport(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 5))
	finite, feasible := 0, 0
	for k := range repeat.Size(24000, 2400) {
		p := boundeds[k%len(boundeds)]
		j := r.IntN(6)
		one := &Bounded{Factored{p.L1, p.L2, []float64{p.Factor(j)}}, p.Lower[j : j+1], p.Upper[j : j+1]}
		u, off := hostile(r, 1), 0.0
		if r.IntN(2) == 0 {
			off = math.Abs(u[0]) * r.Float64()
		}
		most := []float64{math.Abs(u[0]) + off}
		value, share := one.Support(u, most)
		l1, l2 := times(exact(p.L1), exact(p.Factor(j))), times(exact(p.L2), exact(p.Factor(j)))
		free := func(u float64) bool {
			return l1.Sign() == 0 && l2.Sign() == 0 && (u > 0 && math.IsInf(p.Upper[j], 0) || u < 0 && math.IsInf(p.Lower[j], 0))
		}
		largest := math.Inf(-1)
		for _, side := range []float64{-1, 0, 1} {
			at := exact(most[0])
			at.Sub(at, exact(math.Abs(u[0])))
			at.Add(exact(u[0]), at.Mul(at, exact(side)))
			if free(float64(at.Sign())) {
				largest = max(largest, 0)
				continue
			}
			want := conjugateOf(at, l1, l2, p.Lower[j], p.Upper[j])
			if want == nil {
				largest = inf
				if !math.IsInf(value, 1) {
					t.Fatalf("%v: Support is %v for %v +- %v", one, value, u, off)
				}
				continue
			}
			if math.IsInf(value, 1) {
				continue
			}
			if exact(value).Cmp(want) < 0 {
				t.Fatalf("%v: Support is %v for %v +- %v, below %v", one, value, u, off, toFloat(want))
			}
			largest = max(largest, toFloat(want))
			if scaled := conjugateOf(times(exact(share), at), l1, l2, p.Lower[j], p.Upper[j]); scaled != nil && toFloat(scaled) > 0 {
				t.Fatalf("%v: the conjugate is %v at the share %v of %v", one, toFloat(scaled), share, toFloat(at))
			}
		}
		if !math.IsInf(value, 1) {
			finite++
			size := most[0]*(1+math.Abs(largest))*4 + math.Abs(largest) + 16*p.L1 + 16*p.L2
			if p.L2 > 0 && p.Factor(j) > 0 {
				size += most[0] * most[0] / (p.L2 * p.Factor(j))
			}
			if size *= 40 * direct.Unit; value > largest+size+1e-300 {
				t.Fatalf("%v: Support is %v for %v +- %v, not %v", one, value, u, off, largest)
			}
		}
		if share := one.Feasible(u, most); math.IsInf(value, 1) {
			feasible++
			least, _ := one.Support([]float64{share * u[0]}, []float64{share * most[0]})
			beyond, _ := one.Support([]float64{1.0001 * share * u[0]}, []float64{1.0001 * share * most[0]})
			if math.IsInf(least, 1) || share > 0 && !math.IsInf(beyond, 1) || !(share >= 0 && share < 1) {
				t.Fatalf("%v: the share %v of %v +- %v has %v, and %v beyond", one, share, u, off, least, beyond)
			}
		} else if share != 1 {
			if again, _ := one.Support([]float64{u[0]}, most); !(share > 1-64*direct.Unit) {
				t.Fatalf("%v: a share %v of %v, where Support is %v", one, share, u, again)
			}
		}
	}
	if finite < repeat.Size(8000, 800) || feasible < repeat.Size(200, 20) {
		t.Errorf("%d values are finite, %d shares below 1", finite, feasible)
	}
	both := &Bounded{Factored{0.5, 0, nil}, []float64{-1, 0}, []float64{3, 2}}
	if value, share := both.Support([]float64{1.5, 0.75}, []float64{1.5, 0.75}); math.Abs(value-(3+0.5)) > 1e-13 || math.Abs(share-1./3) > 1e-14 {
		t.Errorf("%v and %v, not 3.5 and 1/3", value, share)
	}
}

// TestBoundedFacts: bad bounds are refused, texts tell bounds apart, the value is +Inf beyond them, and Least counts
// slopes that no bound holds.
func TestBoundedFacts(t *testing.T) {
	t.Parallel()
	for _, p := range []*Bounded{
		{Lower: []float64{0}, Upper: []float64{1}}, {Lower: []float64{0, 1}, Upper: []float64{1, 0.5}}, {Lower: []float64{0, math.NaN()}, Upper: []float64{1, 1}},
		{Lower: []float64{0, 0}, Upper: []float64{1, math.NaN()}}, {Lower: []float64{0, inf}, Upper: []float64{1, inf}}, {Lower: []float64{0, -inf}, Upper: []float64{1, -inf}},
		{Factored{-1, 0, nil}, []float64{0, 0}, []float64{1, 1}}, {Factored{1, 0, []float64{1}}, []float64{0, 0}, []float64{1, 1}},
	} {
		if p.Check(2) == nil {
			t.Errorf("no error for %+v", p)
		}
	}
	p := &Bounded{Factored{1, 2, nil}, []float64{-1, -inf, 0, 1, -3, 0}, []float64{1, inf, inf, 2, -2, 0}}
	if err := p.Check(6); err != nil {
		t.Error(err)
	}
	if got, want := p.Value([]float64{0.5, 3, 2, 1, -2, 0}), 8.5+14.25+4; math.Abs(got-want) > 1e-14 {
		t.Errorf("a value of %v, not %v", got, want)
	}
	for _, w := range [][]float64{{1.5, 0, 0, 1, -2, 0}, {0, 0, -1e-300, 1, -2, 0}, {0, 0, 0, 1, -1, 0}} {
		if got := p.Value(w); !math.IsInf(got, 1) {
			t.Errorf("a value of %v beyond the bounds", got)
		}
	}
	other := &Bounded{p.Factored, slices.Clone(p.Lower), p.Upper}
	if other.Lower[0] = -2; other.String() == p.String() || p.WithWeight(3).String() == p.String() {
		t.Error("other bounds have the same text")
	}
	for want, g := range map[float64][]float64{0.5: {-0.5, 0.1, 7, 7, -7, -7}, 0.6: {0.1, 0.6, 8, 8, -9, 9}, 0.7: {0, 0, -0.7, 1, 0, 0}, 0.8: {0, 0, 0, -0.8, 0, 0}, 0.9: {0, 0, 0, 0, 0.9, 5}} {
		if got := p.Least(g); got != want {
			t.Errorf("a least weight of %v for %v, not %v", got, g, want)
		}
		v, at := make([]float64, 6), p.WithWeight(want).(*Bounded)
		at.Violations(v, g, []float64{0, 0, 0, 1, -2, 0})
		if slices.MaxFunc(v, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) }) != 0 {
			t.Errorf("slopes %v violate %v at the least weight", g, v)
		}
	}
	if got := (&Bounded{Factored{1, 0, nil}, []float64{2, -2}, []float64{2, -2}}).Least([]float64{-3, 3}); got != 0 {
		t.Errorf("a least weight of %v for fixed weights", got)
	}
	if WeightOf(p) != 1 || !p.Bounded() || (&Bounded{Factored{}, []float64{-inf}, []float64{inf}}).Bounded() || !(&Bounded{Factored{}, []float64{0}, []float64{inf}}).Bounded() {
		t.Error("facts of bounds")
	}
	if l1, l2 := Multiples(p); l1 != 1 || l2 != 2 {
		t.Errorf("multiples of %v and %v", l1, l2)
	}
}
