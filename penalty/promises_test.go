package penalty

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// bits holds squares of all float64s beside one another.
const bits = 4400

func exact(x float64) *big.Float { return bigmath.Of(bits, x) }

func times(x ...*big.Float) *big.Float {
	product := exact(1)
	for _, v := range x {
		product.Mul(product, v)
	}
	return product
}

func length(w []float64) *big.Float {
	sum := exact(0)
	for _, v := range w {
		sum.Add(sum, times(exact(v), exact(v)))
	}
	return new(big.Float).SetPrec(400).Sqrt(sum)
}

// excess returns (got - want)/want in units of rounding; 0 where both are 0.
func excess(got float64, want *big.Float) float64 {
	d := exact(got)
	if d.Sub(d, want); want.Sign() == 0 {
		f, _ := d.Float64()
		return f / direct.Unit
	}
	f, _ := d.Quo(d, want).Float64()
	return f / direct.Unit
}

// listed are penalties by their definition: l1 ||w||_1, norms times the lengths of groups, and a ridge.
var listed = func() (list []struct {
	p          Rules
	l1, lambda float64
	groups     [][]int
	norms      []float64
}) {
	add := func(p Penalty, l1, lambda float64, groups [][]int, norms []float64) {
		r, err := RulesOf(p)
		if err != nil {
			panic(err)
		}
		list = append(list, struct {
			p          Rules
			l1, lambda float64
			groups     [][]int
			norms      []float64
		}{r, l1, lambda, groups, norms})
	}
	groups := [][]int{{4, 0}, {2}, {1, 5, 3}}
	for _, weight := range []float64{0, 1e-3, 0.5, 1, 3} {
		add(L1{weight}, weight, 0, nil, nil)
		for _, lambda := range []float64{0, 1e-3, 1, 7} {
			add(ElasticNet{weight, lambda}, weight, lambda, nil, nil)
			add(&GroupLasso{weight, groups, nil, lambda}, 0, lambda, groups, []float64{weight * math.Sqrt2, weight, weight * math.Sqrt(3)})
			add(&GroupLasso{weight, groups, []float64{0.1, 1, 5}, lambda}, 0, lambda, groups, []float64{0.1 * weight, weight, 5 * weight})
			if weight == 0 {
				add(Ridge{lambda}, 0, lambda, nil, nil)
			}
		}
	}
	for _, lambda := range []float64{0, 1e-3, 1, 7} {
		add(Own(absolute{}, lambda), 0.4, lambda, nil, nil)
	}
	return list
}()

// hostile draws weights or slopes: many are 0, at a threshold, next to it, tiny or large.
func hostile(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	scale := math.Pow(10, 3*r.NormFloat64())
	for j := range v {
		switch r.IntN(6) {
		case 0:
		case 1:
			v[j] = []float64{1e-3, 0.4, 0.5, 1, 3}[r.IntN(5)]
		case 2:
			v[j] = math.Nextafter([]float64{1e-3, 0.4, 0.5, 1, 3}[r.IntN(5)], float64(9*r.IntN(2)))
		case 3:
			v[j] = math.Pow(10, -4-20*r.Float64())
		default:
			v[j] = scale * r.NormFloat64()
		}
		if r.IntN(2) == 0 {
			v[j] = -v[j]
		}
	}
	return v
}

// within tells whether two numbers differ by units times the rounding of size at most.
func within(got, want, size, units float64) bool {
	return got == want || math.Abs(got-want) <= units*direct.Unit*size
}

// parts calls f for each group of weights with the weight of its norm; a weight alone has |w|.
func parts(groups [][]int, norms []float64, l1 float64, n int, f func(columns []int, norm float64)) {
	if groups == nil {
		for j := range n {
			f([]int{j}, l1)
		}
		return
	}
	for k, group := range groups {
		f(group, norms[k])
	}
}

// TestListed compares Value, Prox, Violations, Support, Least and the facts of each penalty with its
// definition. Slopes and weights are at thresholds and at 0; steps are 0, short and long.
func TestListed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 2))
	const n = 6
	for _, c := range listed {
		weight := max(c.l1, slices.Max(append([]float64{0}, c.norms...)))
		_, isOwn := c.p.(*own)
		if lambda, alone := c.p.Squared(); lambda != c.lambda || alone != (weight == 0) || Lambda(c.p) != c.lambda {
			t.Fatalf("%v: a squared norm of %v, alone %t", c.p, lambda, alone)
		}
		if got := c.p.Bounded(); got != (c.lambda > 0 || weight > 0 && !isOwn) {
			t.Fatalf("%v: bounded %t", c.p, got)
		}
		if err := c.p.Check(n); err != nil {
			t.Fatal(err)
		}
		for range repeat.Size(80, 12) {
			w, g, v := hostile(r, n), hostile(r, n), make([]float64, n)
			want := times(exact(c.lambda), exact(0.5), length(w), length(w))
			parts(c.groups, c.norms, c.l1, n, func(columns []int, norm float64) {
				want.Add(want, times(exact(norm), length(gather(nil, w, columns))))
			})
			if got := c.p.Value(w); math.Abs(excess(got, want)) > 16 && math.Abs(got-toFloat(want)) > 1e-320 {
				t.Fatalf("%v: a value of %v at %v, not %v", c.p, got, w, toFloat(want))
			}
			for _, step := range []float64{0, 1e-3, 1, 1e3} {
				if step == 0 && isOwn {
					continue
				}
				y := slices.Clone(w)
				c.p.Prox(y, step)
				parts(c.groups, c.norms, c.l1, n, func(columns []int, norm float64) {
					size := toFloat(length(gather(nil, w, columns)))
					for _, j := range columns {
						want := 0.0
						if size > step*norm {
							want = w[j] * ((size - step*norm) / size) / (1 + step*c.lambda)
						}
						if !within(y[j], want, math.Abs(w[j])/(1+step*c.lambda), 16) {
							t.Fatalf("%v: a step of %v from %v leads to %v", c.p, step, w, y)
						}
					}
				})
			}
			c.p.Violations(v, g, w)
			parts(c.groups, c.norms, c.l1, n, func(columns []int, norm float64) {
				size, slopes := toFloat(length(gather(nil, w, columns))), toFloat(length(gather(nil, g, columns)))
				for _, j := range columns {
					want := 0.0
					switch {
					case size > 0:
						want = g[j] + norm*(w[j]/size)
					case slopes > norm:
						want = g[j] * ((slopes - norm) / slopes)
					}
					if !within(v[j], want, math.Abs(g[j])+norm, 16) {
						t.Fatalf("%v: violations %v of slopes %v at %v", c.p, v, g, w)
					}
				}
			})
			if weighted, is := c.p.(Weighted); is {
				least := 0.0
				parts(c.groups, c.norms, c.l1, n, func(columns []int, norm float64) {
					factor := 1.0
					if c.groups != nil {
						factor = c.p.(*GroupLasso).factor(slices.IndexFunc(c.groups, func(g []int) bool { return g[0] == columns[0] }))
					}
					least = max(least, toFloat(length(gather(nil, g, columns)))/factor)
				})
				if got := weighted.Least(g); !within(got, least, least, 16) {
					t.Fatalf("%v: a least weight of %v for %v, not %v", c.p, got, g, least)
				}
				other := weighted.WithWeight(2.5)
				if WeightOf(other) != 2.5 || Lambda(other) != c.lambda || weighted.Multiple() == 2.5 || fmt.Sprintf("%T", other) != fmt.Sprintf("%T", c.p) {
					t.Fatalf("%v: with another weight %v", c.p, other)
				}
			}
			supported(t, c.p, c.groups, c.norms, c.l1, c.lambda, g)
		}
	}
}

func toFloat(x *big.Float) float64 { f, _ := x.Float64(); return f }

// supported compares Support with the conjugate: the value is above it, by a few units, and share is
// the largest one but for some units.
func supported(t *testing.T, p Rules, groups [][]int, norms []float64, l1, lambda float64, u []float64) {
	t.Helper()
	most := make([]float64, len(u))
	for j, v := range u {
		most[j] = math.Abs(v)
	}
	value, share := p.Support(u, most)
	_, isOwn := p.(*own)
	want, best := exact(0), math.Inf(1)
	parts(groups, norms, l1, len(u), func(columns []int, norm float64) {
		size := length(gather(nil, most, columns))
		over := new(big.Float).SetPrec(400).Sub(size, exact(norm))
		if size.Sign() > 0 {
			best = min(best, norm/toFloat(size))
		}
		if over.Sign() > 0 {
			want.Add(want, over.Mul(over, over))
		}
		if !isOwn && share < 1 && times(exact(share), size).Cmp(exact(norm*(1+8*direct.Unit))) > 0 {
			t.Fatalf("%v: a share of %v of %v is not feasible", p, share, u)
		}
	})
	if best >= 1+32*direct.Unit && !isOwn && (value != 0 || share != 1) {
		t.Fatalf("%v: value %v and share %v of feasible slopes %v", p, value, share, u)
	}
	switch {
	case isOwn && share != 0, !isOwn && share < min(best, 1)*(1-40*direct.Unit):
		t.Fatalf("%v: a share of %v of %v, which is feasible for %v", p, share, u, best)
	case lambda == 0:
		if beyond := best < 1-32*direct.Unit || isOwn; beyond != math.IsInf(value, 1) && math.Abs(best-1) > 32*direct.Unit {
			t.Fatalf("%v: a value of %v for %v", p, value, u)
		}
		return
	}
	want.Quo(want, exact(2*lambda))
	low := new(big.Float).SetPrec(bits).Sub(exact(value), want)
	size, largest := toFloat(want), slices.Max(most)
	if off := toFloat(low); off < 0 || off > 300*direct.Unit*(size+(largest+l1+1)*largest/lambda)+1e-300/lambda {
		t.Fatalf("%v: a value of %v for %v, off by %v", p, value, u, off)
	}
}

// TestSupportUnits: the value of Support has units for the roundings of its terms, one of the smallest
// number for each square that underflows, and a share that is 8 units below the quotient.
func TestSupportUnits(t *testing.T) {
	t.Parallel()
	const k = 64
	ones, alone := make([]float64, k), make([][]int, k)
	for j := range ones {
		ones[j], alone[j] = 2, []int{j}
	}
	for _, lambda := range []float64{0.5, 2} {
		value, share := ElasticNet{1, lambda}.Support(ones, ones)
		if want := k / (2 * lambda) * (1 + (k+16)*direct.Unit); value != want || share != 0.5*(1-8*direct.Unit) {
			t.Errorf("%v and %v, not %v", value, share, want)
		}
		value, share = (&GroupLasso{1, alone, nil, lambda}).Support(ones, ones)
		// A norm is 9 units larger: (1+18u)^2 for an excess of 1. Sums of 64 terms may round upwards.
		if got := (value/(k/(2*lambda)) - 1) / direct.Unit; got < 36+k+10 || got > 36+k+30 || share > 0.5*(1-16*direct.Unit) || share < 0.5*(1-18*direct.Unit) {
			t.Errorf("%v units above, share %v", got, share)
		}
	}
	if share := func() float64 { _, share := ElasticNet{3, 1}.Support(nil, []float64{10, 4, 7}); return share }(); share > 0.3 || share < 0.3*(1-10*direct.Unit) {
		t.Errorf("a share of %v", share)
	}
	long := make([]float64, 100)
	group := [][]int{make([]int, 100)}
	for j := range long {
		long[j], group[0][j] = 1, j
	}
	value, share := (&GroupLasso{5, group, []float64{1}, 0.5}).Support(long, long)
	if got := (value/25 - 1) / direct.Unit; got < 2*2*108+13 || got > 2*2*108+21 {
		t.Errorf("a group of 100: %v units above", got)
	}
	if got := (1 - share*2) / direct.Unit; got < 108+7 || got > 108+9 {
		t.Errorf("a group of 100: the share is %v units below", got)
	}
	for _, p := range []Rules{ElasticNet{0.25, 1e-300}, &GroupLasso{0.25, [][]int{{0}, {1}}, nil, 1e-300}} {
		u := []float64{0.25, 0}
		if value, share := p.Support(u, u); value != 0 && p.(Weighted).Multiple() == 0.25 && fmt.Sprintf("%T", p) != "*penalty.GroupLasso" || share < 1-40*direct.Unit {
			t.Errorf("%v: %v and %v at the threshold", p, value, share)
		}
	}
	// Squares of 1e-170 are below all numbers.
	for _, p := range []Rules{ElasticNet{0, 1e-300}, &GroupLasso{0, [][]int{{0}, {1}}, nil, 1e-300}} {
		u := []float64{1e-170, 1e-170}
		if value, _ := p.Support(u, u); value < 2e-340/2e-300 || value < 2*direct.Tiny/2e-300 || value > 1e-1 {
			t.Errorf("%v: %v for squares that underflow", p, value)
		}
	}
	// Norms underflow as well.
	u := []float64{1e-165, 1e-165}
	if value, _ := (&GroupLasso{0, [][]int{{0, 1}}, nil, 1e-300}).Support(u, u); !(value >= 0x1p-1000/2e-300) {
		t.Errorf("a norm below all numbers has a value of %v", value)
	}
	if value, share := (&GroupLasso{1e-165, [][]int{{0, 1}}, []float64{1}, 0}).Support(u, u); !math.IsInf(value, 1) || share > 1/math.Sqrt2 {
		t.Errorf("a norm below all numbers: %v, share %v", value, share)
	}
	if value, share := (ElasticNet{}).Support(ones, ones); !math.IsInf(value, 1) || share != 0 {
		t.Errorf("no penalty: %v and %v", value, share)
	}
}

// still is absolute with a Prox of 0.
type still struct{ absolute }

func (still) Prox(float64, float64) float64 { return 0 }

// TestOwnSupportUnits: Support of a function has what its own roundings may take, and what a Prox that
// is wrong leaves.
func TestOwnSupportUnits(t *testing.T) {
	t.Parallel()
	conjugate := func(v, lambda float64) *big.Float {
		d := exact(math.Abs(v))
		d.Sub(d, exact(0.4))
		return times(d, d, exact(0.5), new(big.Float).SetPrec(bits).Quo(exact(1), exact(lambda)))
	}
	const u = direct.Unit
	for _, c := range []struct{ v, off, lambda float64 }{{2.5, 0, 1}, {-2.5, 0, 1}, {2.5, 1, 2}, {-2.5, 1, 2}, {-40, 0, 0.25}, {40, 3, 0.25}, {1000, 0.5, 16}} {
		end := math.Abs(c.v) + c.off
		most := end
		want := conjugate(end, c.lambda)
		value, _ := Own(absolute{}, c.lambda).(Rules).Support([]float64{c.v}, []float64{most})
		w := (end - 0.4) / c.lambda
		formula := 4*most*w + 1.01*(8*(end*w+0.4*w+c.lambda*w*w/2)+9*toFloat(want))
		if got := excess(value, want) * toFloat(want); got < formula*0.9-2*toFloat(want) || got > formula*1.1+2*toFloat(want) {
			t.Errorf("%v +- %v, lambda %v: %v units above, not about %v", c.v, c.off, c.lambda, got, formula)
		}
		// A Prox of 0 leaves the whole slope: r^2/(2 lambda) with 8 units of r's terms.
		for _, v := range []float64{c.v, math.Copysign(0.4+1e-4, c.v)} {
			want, r := conjugate(v, c.lambda), math.Abs(v)-0.4
			value, _ := Own(still{}, c.lambda).(Rules).Support([]float64{v}, []float64{math.Abs(v)})
			value /= 1.01 // the whole is rounding
			formula := 2 * (8*(math.Abs(v)+0.4) + 4*math.Abs(v)) / r
			if got := excess(value, want); got < 0.6*formula-4 || got > 1.4*formula+4 {
				t.Errorf("%v, lambda %v, no step: %v units above, not about %v", v, c.lambda, got, formula)
			}
		}
	}
	// Of several slopes, each sum is off by a unit a term: 4 terms and 8 more.
	for _, lambda := range []float64{0.5, 4} {
		many := []float64{2.5, -2.5, 2.5, -2.5}
		value, _ := Own(absolute{}, lambda).(Rules).Support(many, []float64{2.5, 2.5, 2.5, 2.5})
		want := times(exact(4), conjugate(2.5, lambda))
		w := 2.1 / lambda
		formula := 4 * (4*2.5*w + 1.01*(8*(2.5*w+0.4*w+lambda*w*w/2)+12*toFloat(want)/4))
		if got := excess(value, want) * toFloat(want); got < formula*0.95-2*toFloat(want) || got > formula*1.05+2*toFloat(want) {
			t.Errorf("four slopes, lambda %v: %v units above, not about %v", lambda, got, formula)
		}
	}
	// The error of a Prox that is far too long counts with all its terms.
	for _, v := range []float64{2.5, -2.5} {
		value, _ := Own(constant{math.Copysign(1e5, v)}, 1).(Rules).Support([]float64{v}, []float64{2.5})
		r := 1e5 + 0.4 - 2.5
		if want := conjugate(v, 1); toFloat(want) > value || value > toFloat(want)+0.0101*0.5*r*r+1 {
			t.Errorf("a Prox of 1e5: %v", value)
		}
		got, err := (&own{constant{math.Copysign(1e5, v)}, 1}).conjugate(v)
		along, square := 2.5e5, 0.5e10
		if want := math.Pow(r+8*u*(2.5+1e5+0.4), 2)/2 + 8*u*(along+0.4e5+square); math.Abs(err-want) > 1e-15*want || got != along-0.4e5-square {
			t.Errorf("a Prox of 1e5: %v with an error of %v, not %v", got, err, want)
		}
	}
	if _, err := (&own{still{}, 1}).conjugate(0.2); err < direct.Tiny || err > math.Pow(8*u*0.2, 2) {
		t.Errorf("a slope within: an error of %v", err)
	}
	// A Prox with any error leaves the conjugate.
	for _, share := range []float64{-1, 0.5, 0.9, 1, 1.1, 3} {
		for _, v := range []float64{-3, -0.41, 0.2, 0.4, 0.5, 3} {
			p := Own(scaled{share}, 0.7).(Rules)
			value, _ := p.Support([]float64{v}, []float64{math.Abs(v)})
			want := conjugate(v, 0.7)
			if math.Abs(v) <= 0.4 {
				want = exact(0)
			}
			if exact(value).Cmp(want) < 0 || value > toFloat(want)*1.0001+0.006*math.Pow((share-1)*(math.Abs(v)+0.8), 2)/0.7+1e-14 && share > 0 {
				t.Errorf("a Prox of %v times, slope %v: %v, not %v", share, v, value, toFloat(want))
			}
		}
	}
}

// constant is absolute with the same Prox for all.
type constant struct{ at float64 }

func (constant) String() string                         { return "constant" }
func (constant) Value(w float64) float64                { return absolute{}.Value(w) }
func (constant) Slopes(w float64) (least, most float64) { return absolute{}.Slopes(w) }
func (c constant) Prox(float64, float64) float64        { return c.at }

// scaled is absolute with a Prox that is a multiple of the right one.
type scaled struct{ share float64 }

func (scaled) String() string                         { return "scaled" }
func (scaled) Value(w float64) float64                { return absolute{}.Value(w) }
func (scaled) Slopes(w float64) (least, most float64) { return absolute{}.Slopes(w) }
func (s scaled) Prox(w, step float64) float64         { return s.share * absolute{}.Prox(w, step) }

// TestCompensatedError: the error of a value in double length is the sum of the errors of its two sums, each
// times its weight.
func TestCompensatedError(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	for _, c := range []struct{ l1, lambda float64 }{{0, 0}, {0, 1e-3}, {5, 0}, {1e-3, 5}, {7, 0.1}} {
		for _, p := range []Compensated{ElasticNet{c.l1, c.lambda}, L1{c.l1}, Ridge{c.lambda}} {
			l1, lambda := c.l1, c.lambda
			switch p.(type) {
			case L1:
				lambda = 0
			case Ridge:
				l1 = 0
			}
			for range 20 {
				w := hostile(r, 40)
				squares, sizes, sum := 0.0, 0.0, exact(0)
				for _, v := range w {
					squares, sizes = squares+v*v, sizes+math.Abs(v)
					sum.Add(sum, times(exact(lambda), exact(0.5), exact(v), exact(v)))
					sum.Add(sum, times(exact(l1), exact(math.Abs(v))))
				}
				value, err := p.Compensated(w)
				want := lambda*direct.Lost(40, squares) + l1*direct.Lost(40, sizes)
				if !within(err, want, want, 1e6) || math.Abs(excess(value, sum)) > 3+err/direct.Unit {
					t.Fatalf("%v: %v with an error of %v, not %v", p, value, err, want)
				}
			}
		}
	}
}
