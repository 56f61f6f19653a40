package penalty

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// plain is a penalty without any optional part.
type plain struct{ Penalty }

// TestLacks: RidgeOf, Norms and RulesOf return what a penalty is made of, and name what others lack.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		p          Penalty
		l1, lambda float64
	}{{nil, 0, 0}, {Ridge{}, 0, 0}, {Ridge{3}, 0, 3}, {L1{2}, 2, 0}, {L1{}, 0, 0}, {ElasticNet{2, 3}, 2, 3}, {ElasticNet{0, 3}, 0, 3}} {
		ridge, err := RidgeOf(c.p)
		var lacks *LacksError
		if c.l1 == 0 && (err != nil || ridge != c.lambda) || c.l1 != 0 && (!errors.As(err, &lacks) || lacks.Penalty != c.p || ridge != 0) {
			t.Errorf("%v: a ridge of %v, error %v", c.p, ridge, err)
		}
		l1, lambda, err := Norms(c.p)
		if err != nil || l1 != c.l1 || lambda != c.lambda || Lambda(c.p) != lambda || WeightOf(c.p) != l1 {
			t.Errorf("%v: norms of %v and %v, error %v", c.p, l1, lambda, err)
		}
		if r, err := RulesOf(c.p); err != nil || r.Bounded() != (l1 > 0 || lambda > 0) {
			t.Errorf("%v: rules %v, error %v", c.p, r, err)
		}
	}
	for _, p := range []Penalty{plain{Ridge{3}}, plain{L1{3}}} {
		_, ridge := RidgeOf(p)
		_, _, norms := Norms(p)
		_, rules := RulesOf(p)
		for _, err := range []error{ridge, norms, rules} {
			var lacks *LacksError
			if !errors.As(err, &lacks) || lacks.Penalty != p || lacks.Part == "" {
				t.Errorf("%v: error %v", p, err)
			}
		}
		if Lambda(p) != 0 || WeightOf(p) != 0 {
			t.Error("a plain penalty has a norm")
		}
	}
}

// TestCheck: a penalty refuses weights of norms that are negative, infinite or no number.
func TestCheck(t *testing.T) {
	all := func(v float64) []Penalty {
		return []Penalty{Ridge{v}, L1{v}, ElasticNet{v, 1}, ElasticNet{1, v}, ElasticNet{0, v}}
	}
	for _, v := range []float64{-1, -1e-300, math.Inf(1), math.NaN()} {
		for _, p := range all(v) {
			if p.Check(3) == nil {
				t.Errorf("no error for %v", p)
			}
		}
	}
	for _, v := range []float64{0, 1e-300, 1, 1e300} {
		for _, p := range all(v) {
			if err := p.Check(3); err != nil {
				t.Error(err)
			}
		}
	}
}

// random returns a vector whose elements are 0 now and then.
func random(r *rand.Rand, n int, size float64) []float64 {
	w := make([]float64, n)
	for j := range w {
		if r.IntN(3) > 0 {
			w[j] = size * r.NormFloat64()
		}
	}
	return w
}

// leastNear fails if a point near y, or at random, has a smaller value.
func leastNear(t *testing.T, r *rand.Rand, what any, y []float64, value func([]float64) float64) {
	t.Helper()
	best := value(y)
	for k := range 60 {
		other := append([]float64(nil), y...)
		size := math.Pow(10, -float64(k%6))
		for j := range other {
			if k%2 == 0 || j == k/2%len(other) {
				other[j] += size * r.NormFloat64()
			}
		}
		if k < len(other) {
			other[k] = 0
		}
		if v := value(other); v < best-1e-13*math.Abs(best) {
			t.Fatalf("%v: %v at %v, and %v at %v", what, best, y, v, other)
		}
	}
}

// lasso has groups of all kinds, in no order.
var lasso = &GroupLasso{Weight: 0.4, Groups: [][]int{{4, 0}, {2}, {1, 5, 3}}}

var some = []Penalty{lasso, &GroupLasso{0.3, lasso.Groups, []float64{1, 0.5, 3}, 0.7}, &GroupLasso{Weight: 0.4, Groups: [][]int{{0}, {1}, {2}, {3}, {4}, {5}}}, Ridge{0}, Ridge{0.7}, L1{0.5}, ElasticNet{0.3, 0.7}, ElasticNet{0.3, 0},
	&Factored{0.3, 0.7, []float64{1, 2, 0.5, 1, 3, 0.1}}, &Factored{0.3, 0, []float64{1, 2, 0.5, 1, 3, 0.1}}, &Factored{0, 0.4, []float64{1, 2, 0.5, 1, 3, 0.1}}}

// TestProx: no point near what Prox returns has a smaller penalty plus distance.
func TestProx(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range some {
		for range 200 {
			w, step := random(r, 6, 1), math.Exp(2*r.NormFloat64())
			y := append([]float64(nil), w...)
			p.Prox(y, step)
			leastNear(t, r, p, y, func(y []float64) float64 {
				sum := 0.0
				for j, v := range y {
					sum += (v - w[j]) * (v - w[j])
				}
				return p.Value(y) + sum/(2*step)
			})
		}
	}
}

// TestSimplexTogether: several goroutines project by one Simplex.
func TestSimplexTogether(t *testing.T) {
	simplex := &Simplex{Total: 1}
	var group sync.WaitGroup
	for k := range 4 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(k), 1))
			from, want := make([]float64, 300), make([]float64, 300)
			for j := range from {
				from[j] = r.NormFloat64()
			}
			copy(want, from)
			(&Simplex{Total: 1}).Prox(want, 1)
			for range 300 {
				got := slices.Clone(from)
				if simplex.Prox(got, 1); !slices.Equal(got, want) {
					t.Errorf("another projection beside others: %v, not %v", got[:3], want[:3])
					return
				}
			}
		})
	}
	group.Wait()
}

// TestValue: a penalty has the value of its definition, plain and in double length.
func TestValue(t *testing.T) {
	w := []float64{3, -4, 0, 0.5}
	for p, want := range map[Compensated]float64{Ridge{}: 0, Ridge{2}: 25.25, L1{2}: 15, ElasticNet{2, 2}: 40.25} {
		if got := p.Value(w); got != want {
			t.Errorf("%v: %v, not %v", p, got, want)
		}
		if got, err := p.Compensated(w); got != want || !(err >= 0 && err <= 1e-27) {
			t.Errorf("%v in double length: %v within %v, not %v", p, got, err, want)
		}
		if got, err := p.Compensated([]float64{1e8, 1}); p.Value([]float64{1}) != 0 && !(err > 0) {
			t.Errorf("%v in double length: %v within %v", p, got, err)
		}
	}
	for _, p := range []Penalty{Ridge{0}, L1{2}} {
		if v := p.Value([]float64{1e200}); math.IsInf(v, 0) || v != v {
			t.Errorf("%v is %v where the squared norm overflows", p, v)
		}
	}
}

// rest returns the penalty without its squared norm.
func rest(p Rules, w []float64) float64 {
	if f, is := p.(*Factored); is {
		return (&Factored{f.L1, 0, f.Factors}).Value(w)
	}
	lambda, _ := p.Squared()
	return p.Value(w) - Ridge{lambda}.Value(w)
}

// TestSteps: no weight near the result of Step has a smaller model. A weight stays at 0 if every
// slope within slack would keep it there. Rise is a difference of values.
func TestSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	stayed := 0
	for _, p := range some {
		rules, err := RulesOf(p)
		if err != nil {
			t.Fatal(err)
		}
		c, is := rules.(Columns)
		if !is {
			continue
		}
		for range 500 {
			w, g, h, slack := random(r, 1, 1)[0], r.NormFloat64(), math.Exp(r.NormFloat64()), 0.2*r.Float64()
			to, violation, stays := c.Step(0, g, w, h, slack)
			if stays {
				stayed++
				for _, by := range []float64{-slack, slack} {
					if other, _, _ := c.Step(0, g+by, 0, h, 0); w != 0 || other != 0 {
						t.Fatalf("%v: stays at %v, and moves to %v for a slope of %v more", p, w, other, by)
					}
				}
				to = 0
			} else if violation != math.Abs(c.Violation(0, g, w)) {
				t.Fatalf("%v: violations of %v and %v", p, violation, c.Violation(0, g, w))
			}
			leastNear(t, r, p, []float64{to}, func(y []float64) float64 {
				return g*(y[0]-w) + h/2*(y[0]-w)*(y[0]-w) + rest(rules, y)
			})
			if got, want := c.Rise(0, w, to), rest(rules, []float64{to})-rest(rules, []float64{w}); math.Abs(got-want) > 1e-14 {
				t.Fatalf("%v: from %v to %v: %v, not %v", p, w, to, got, want)
			}
		}
	}
	if stayed < 50 {
		t.Errorf("%d weights stayed", stayed)
	}
}

// violates checks that violations are the least slopes of g'w and the rest of a penalty: their size is
// the steepest descent, by differences over short steps in many directions.
func violates(t *testing.T, r *rand.Rand, p Rules, g, w []float64) {
	t.Helper()
	v := make([]float64, len(w))
	p.Violations(v, g, w)
	norm, steepest := 0.0, 0.0
	const short = 1e-7
	slope := func(d []float64) float64 {
		y, along := append([]float64(nil), w...), 0.0
		for j := range y {
			y[j] += short * d[j]
			along += g[j] * short * d[j]
		}
		return (along + rest(p, y) - rest(p, w)) / short
	}
	for _, x := range v {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	for range 40 {
		d, size := random(r, len(w), 1), 0.0
		for _, x := range d {
			size += x * x
		}
		if size = math.Sqrt(size); size > 0 {
			for j := range d {
				d[j] /= size
			}
			steepest = max(steepest, -slope(d))
		}
	}
	if steepest > norm+1e-5 {
		t.Fatalf("%v: a descent of %v at w %v, g %v, with violations %v", p, steepest, w, g, v)
	}
	if norm > 0 {
		d := make([]float64, len(w))
		for j := range d {
			d[j] = -v[j] / norm
		}
		if got := -slope(d); math.Abs(got-norm) > 1e-5 {
			t.Fatalf("%v: along the violations %v the descent is %v at w %v, g %v", p, v, got, w, g)
		}
	}
}

// TestViolations: the violations are the steepest descent.
func TestViolations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range some {
		rules, _ := RulesOf(p)
		for range 100 {
			violates(t, r, rules, random(r, 6, 1), random(r, 6, 1))
		}
	}
}

// supports checks Support: u'w less the penalty of no w is above the value, nor above 0 at share u.
func supports(t *testing.T, r *rand.Rand, p Rules) {
	t.Helper()
	u := random(r, 6, math.Exp(r.NormFloat64()))
	most, off := make([]float64, len(u)), make([]float64, len(u))
	for j := range u {
		off[j] = 0.1 * r.Float64()
		most[j] = math.Abs(u[j]) + off[j]
	}
	value, share := p.Support(u, most)
	if !(value >= 0 && share >= 0 && share <= 1) {
		t.Fatalf("%v: value %v, share %v", p, value, share)
	}
	for range 60 {
		w := random(r, len(u), math.Exp(3*r.NormFloat64()))
		product := 0.0
		for j := range w {
			near := u[j] + off[j]*float64(1-2*r.IntN(2))
			if r.IntN(2) == 0 && w[j]*near < 0 {
				w[j] = -w[j]
			}
			product += near * w[j]
		}
		if got := product - p.Value(w); got > value*(1+1e-12) || share*product-p.Value(w) > 1e-12*math.Abs(product) {
			t.Fatalf("%v: u %v, most %v: value %v and share %v, but %v at %v", p, u, most, value, share, got, w)
		}
	}
}

// TestSupport: Support bounds the conjugate at every slope within the bounds, and is near it.
func TestSupport(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, p := range some {
		rules, _ := RulesOf(p)
		for range 200 {
			supports(t, r, rules)
		}
	}
	value, share := ElasticNet{0.5, 2}.Support(nil, []float64{0.25, 1.5, 0.75})
	if want := (1.0*1.0 + 0.25*0.25) / 4; math.Abs(value-want) > 1e-14 || math.Abs(share-0.5/1.5) > 1e-14 {
		t.Errorf("%v and %v, not %v and 1/3", value, share, want)
	}
	if value, share := (L1{0.5}).rules().Support(nil, []float64{0.6}); !math.IsInf(value, 1) || !(share < 0.5/0.6) {
		t.Errorf("%v and %v beyond an L1 norm", value, share)
	}
}

// TestLeast: from Least on, and not below, w = 0 violates nothing.
func TestLeast(t *testing.T) {
	g := []float64{0.1, -0.7, 0.3}
	for _, p := range []Penalty{L1{1}, ElasticNet{0.1, 3}, Ridge{2}} {
		rules, _ := RulesOf(p)
		weighted := rules.(Weighted)
		least := weighted.Least(g)
		for _, c := range []struct {
			weight float64
			none   bool
		}{{least, true}, {least * 0.999, false}} {
			at, _ := RulesOf(weighted.WithWeight(c.weight))
			v := make([]float64, 3)
			at.Violations(v, g, make([]float64, 3))
			if none := v[0] == 0 && v[1] == 0 && v[2] == 0; none != c.none || WeightOf(at) != c.weight || Lambda(at) != Lambda(p) {
				t.Errorf("%v with the weight %v: violations %v", p, c.weight, v)
			}
		}
	}
}

// TestDescent: the maximum of an L1 norm in a box is at an end, or at 0 within.
func TestDescent(t *testing.T) {
	for _, p := range []L1Box{{0.5, -1, 2}, {0.5, 1, 2}, {0.5, -2, -1}, {0, -1, 2}} {
		for _, g := range []float64{-3, -0.6, -0.4, 0, 0.4, 0.6, 3} {
			want := math.Inf(-1)
			for _, y := range []float64{p.Low, 0.5 * (p.Low + p.High), p.High, 0} {
				if y >= p.Low && y <= p.High {
					want = math.Max(want, -g*y-p.Lambda*math.Abs(y))
				}
			}
			if got := p.Descent([]float64{g, g}); math.Abs(got-2*want) > 1e-15 {
				t.Errorf("%v, slope %v: %v, not %v", p, g, got, 2*want)
			}
		}
	}
}

// TestGroupLasso: the value follows the definition, invalid groups are refused, and a group of one
// column is an L1 norm.
func TestGroupLasso(t *testing.T) {
	w := []float64{3, 1, -2, 2, 4, 2}
	if got, want := lasso.Value(w), 0.4*(math.Sqrt2*5+2+math.Sqrt(3)*3); math.Abs(got-want) > 1e-14 {
		t.Errorf("%v, not %v", got, want)
	}
	if got, want := some[1].Value(w), 0.3*(5+0.5*2+3*3)+0.35*38; math.Abs(got-want) > 1e-13 {
		t.Errorf("%v, not %v", got, want)
	}
	for _, p := range []*GroupLasso{
		{Weight: -1, Groups: lasso.Groups}, {Weight: 1, Groups: lasso.Groups, Lambda: math.NaN()}, {Weight: 1},
		{Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4}}}, {Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4, 5, 6}}},
		{Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4, 5}, {0}}}, {Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4, -1}}},
		{Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4, 5}, {}}}, {Weight: 1, Groups: lasso.Groups, Factors: []float64{1}},
		{Weight: 1, Groups: [][]int{{0, 1, 2, 3, 4, 5}, {}}, Factors: []float64{1, 1}},
		{Weight: 1, Groups: lasso.Groups, Factors: []float64{1, 0, 1}}, {Weight: 1, Groups: lasso.Groups, Factors: []float64{1, math.Inf(1), 1}},
	} {
		if p.Check(6) == nil {
			t.Errorf("no error for %+v", p)
		}
	}
	if err := lasso.Check(6); err != nil {
		t.Error(err)
	}
	other := *lasso
	other.Groups = [][]int{{4, 1}, {2}, {0, 5, 3}}
	if other.String() == lasso.String() {
		t.Error("other groups have the same text")
	}
	other.Groups, other.Factors = lasso.Groups, []float64{1, 1, 1}
	if other.String() == lasso.String() {
		t.Error("other factors have the same text")
	}
	v, want, g := make([]float64, 6), make([]float64, 6), []float64{0.1, -0.7, 0.3, 0.5, -0.4, 0.45}
	w[1], w[3] = 0, 0
	some[2].(Rules).Violations(v, g, w)
	ElasticNet{L1: 0.4}.Violations(want, g, w)
	for j := range v {
		if math.Abs(v[j]-want[j]) > 1e-15 {
			t.Errorf("violation %d of single columns is %v, not %v", j, v[j], want[j])
		}
	}
	if got := lasso.Least(g); math.Abs(got-math.Max(math.Sqrt(0.01+0.16)/math.Sqrt2, math.Sqrt((0.49+0.2025+0.25)/3))) > 1e-15 {
		t.Errorf("the least weight is %v", got)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		from, to := random(r, 3, 1), random(r, 3, 1)
		a, b := make([]float64, 6), make([]float64, 6)
		for k, j := range lasso.Groups[2] {
			a[j], b[j] = from[k], to[k]
		}
		if got, want := lasso.RiseGroup(2, from, to), lasso.Value(b)-lasso.Value(a); math.Abs(got-want) > 1e-14 {
			t.Fatalf("from %v to %v: %v, not %v", from, to, got, want)
		}
	}
}

// TestGroupCurvature: the second derivatives of a group's norm are the difference quotients of its slopes,
// and the lengths of groups times their multiples are the value.
func TestGroupCurvature(t *testing.T) {
	p := &GroupLasso{Weight: 0.7, Groups: [][]int{{2, 0, 3}, {1}}, Factors: []float64{3, 0.5}, Lambda: 0.25}
	w, direction, slopes := []float64{3, -1, 0.5}, []float64{-0.25, 2, 1}, make([]float64, 3)
	v, low, high := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	p.BendGroup(0, v, direction, w)
	const step = 0x1p-17
	for k, sign := range map[*[]float64]float64{&low: -step, &high: step} {
		at := make([]float64, 3)
		for a := range at {
			at[a] = w[a] + sign*direction[a]
		}
		p.ViolationGroup(0, *k, slopes, at)
	}
	for a := range v {
		if want := (high[a] - low[a]) / (2 * step); !(math.Abs(v[a]-want) <= 1e-8) {
			t.Errorf("element %d is %v, not %v", a, v[a], want)
		}
	}
	for _, q := range []Penalty{p, L1{0.3}, ElasticNet{0.3, 2}, Ridge{2}, nil} {
		at := []float64{1, -2, 3, 0.5}
		groups, multiples, lambda, err := LengthsOf(q, len(at))
		value := Ridge{lambda}.Value(at)
		for k, group := range groups {
			square := 0.0
			for _, j := range group {
				square += at[j] * at[j]
			}
			value += multiples[k] * math.Sqrt(square)
		}
		want := 0.0
		if q != nil {
			want = q.Value(at)
		}
		if err != nil || !(math.Abs(value-want) <= 1e-14*want) {
			t.Errorf("%v: %v by its lengths, not %v; error %v", q, value, want, err)
		}
	}
	if _, _, _, err := LengthsOf(Simplex{}, 4); err == nil {
		t.Error("no error for the simplex")
	}
}
