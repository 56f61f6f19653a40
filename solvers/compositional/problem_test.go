package compositional

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// curved is a composition whose g_j are not affine: g_j(x) = A_j x + (c_j'x)^2 e with e
// all ones, and f_i(y) = exp-free convex: (b_i'y - t_i)^2/2. It is not convex
// everywhere, which derivatives do not mind.
type curved struct {
	shape   Shape
	a, c    []float64
	b, t    []float64
	squared float64
}

func newCurved(n, m, k, d int) *curved {
	random := rand.New(rand.NewPCG(1, 2))
	normal := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = random.NormFloat64()
		}
		return v
	}
	p := &curved{shape: Shape{n, m, k, d}, a: normal(m * k * d), c: normal(m * d), b: normal(n * k), t: normal(n), squared: 0.002}
	for i := range p.a { // all Jacobians are near one matrix
		if i < k*d {
			p.a[i] *= 3
		} else {
			p.a[i] = p.a[i%(k*d)] + 0.2*p.a[i]
		}
	}
	return p
}

func each(sample []uint32, n int, visit func(int)) {
	for i := range n {
		if sample == nil {
			visit(i)
		}
	}
	for _, i := range sample {
		visit(int(i))
	}
}

func (p *curved) Shape() Shape { return p.shape }

func (p *curved) AddInner(dst []float64, scale float64, sample []uint32, x []float64) {
	k, d := p.shape.Between, p.shape.Columns
	each(sample, p.shape.Inner, func(j int) {
		bend := direct.Dot(p.c[j*d:(j+1)*d], x)
		for r := range k {
			dst[r] += float64(scale * (direct.Dot(p.a[(j*k+r)*d:(j*k+r+1)*d], x) + float64(p.squared*float64(bend*bend))))
		}
	})
}

func (p *curved) AddJacobian(dst []float64, scale float64, sample []uint32, x, u []float64) {
	k, d := p.shape.Between, p.shape.Columns
	each(sample, p.shape.Inner, func(j int) {
		c := p.c[j*d : (j+1)*d]
		bend := direct.Dot(c, x)
		for r := range k {
			for q := range d {
				dst[q] += float64(float64(scale*u[r]) * (p.a[(j*k+r)*d+q] + float64(float64(2*p.squared*bend)*c[q])))
			}
		}
	})
}

func (p *curved) AddOuter(dst []float64, scale float64, sample []uint32, y []float64) {
	k := p.shape.Between
	each(sample, p.shape.Outer, func(i int) {
		b := p.b[i*k : (i+1)*k]
		e := direct.Dot(b, y) - p.t[i]
		for r := range dst {
			dst[r] += float64(float64(scale*e) * b[r])
		}
	})
}

func (p *curved) SumOuter(sample []uint32, y []float64) float64 {
	total := 0.0
	each(sample, p.shape.Outer, func(i int) {
		e := direct.Dot(p.b[i*p.shape.Between:(i+1)*p.shape.Between], y) - p.t[i]
		total += float64(e*e) / 2
	})
	return total
}

func (p *curved) Identity() string { return fmt.Sprintf("curved %+v", p.shape) }

// TestGradients compares full gradients with differences of values, and sums over
// lists with sums over all.
func TestGradients(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, p := range problems(t) {
		o := newObjective(p)
		s := p.F.Shape()
		x := make([]float64, s.Columns)
		for j := range x {
			x[j] = random.NormFloat64()
		}
		value := func(x []float64) float64 {
			g := make([]float64, s.Between)
			o.inner(g, x)
			return p.F.SumOuter(nil, g) / o.n
		}
		o.gradient(x)
		for j := range x {
			const h = 1e-5
			keep := x[j]
			x[j] = keep + h
			up := value(x)
			x[j] = keep - h
			down := value(x)
			x[j] = keep
			if numeric := (up - down) / (2 * h); math.Abs(numeric-o.v[j]) > 1e-6*(1+math.Abs(numeric)) {
				t.Errorf("%s: derivative %d is %v, differences give %v", name, j, o.v[j], numeric)
			}
		}
		all := func(n int) []uint32 {
			list := make([]uint32, n)
			for i := range list {
				list[i] = uint32(i)
			}
			return list
		}
		close := func(what string, a, b []float64) {
			t.Helper()
			for j := range a {
				if math.Abs(a[j]-b[j]) > 1e-10*(1+math.Abs(b[j])) {
					t.Errorf("%s: %s: element %d is %v by list and %v at once", name, what, j, a[j], b[j])
					return
				}
			}
		}
		a, b := make([]float64, s.Between), make([]float64, s.Between)
		p.F.AddInner(a, 0.5, all(s.Inner), x)
		p.F.AddInner(b, 0.5, nil, x)
		close("AddInner", a, b)
		y := b
		u, v := make([]float64, s.Between), make([]float64, s.Between)
		p.F.AddOuter(u, 0.1, all(s.Outer), y)
		p.F.AddOuter(v, 0.1, nil, y)
		close("AddOuter", u, v)
		close("SumOuter", []float64{p.F.SumOuter(all(s.Outer), y)}, []float64{p.F.SumOuter(nil, y)})
		q, r := make([]float64, s.Columns), make([]float64, s.Columns)
		p.F.AddJacobian(q, 0.3, all(s.Inner), x, u)
		p.F.AddJacobian(r, 0.3, nil, x, u)
		close("AddJacobian", q, r)
		z := newReference(&task{p: p, shape: s, full: o, start: x}).anchor
		z.SetAnchor(x)
		clear(q)
		z.AddAnchor(q, float64(0.3*float64(s.Inner)), u)
		close("AddAnchor", q, r)
	}
}

// TestDirection: over samples that hold everything once, the estimators are exact.
func TestDirection(t *testing.T) {
	for name, p := range problems(t) {
		s := p.F.Shape()
		ref := newReference(&task{p: p, shape: s, full: newObjective(p), start: make([]float64, s.Columns)})
		for j := range ref.x {
			ref.x[j] = 0.1 * float64(j+1)
		}
		var c run.Control
		ref.set(&c)
		x := make([]float64, s.Columns)
		for j := range x {
			x[j] = 1 - 0.2*float64(j)
		}
		inner, outer := make([]uint32, s.Inner), make([]uint32, s.Outer)
		for i := range inner {
			inner[i] = uint32(i)
		}
		for i := range outer {
			outer[i] = uint32(i)
		}
		got := ref.direction(x, inner, inner, outer)
		o := newObjective(p)
		o.gradient(x)
		for j := range got {
			if math.Abs(got[j]-o.v[j]) > 1e-9*(1+math.Abs(o.v[j])) {
				t.Errorf("%s: direction %d is %v, the gradient %v", name, j, got[j], o.v[j])
			}
		}
	}
}

// TestSampleCounts: a whole run of SCVRG takes S(m+n) + T(a+b) samples, one k_0(a+b)
// below theorem 3's formula.
func TestSampleCounts(t *testing.T) {
	for name, p := range problems(t) {
		s := p.F.Shape()
		full := int64(s.Inner + s.Outer)
		for _, epochs := range []int{1, 2, 5} {
			const first, a, b = 3, 4, 7
			m := SCVRG{Step: 1e-3, FirstEpoch: first, Epochs: epochs, InnerSample: a, OuterSample: b}
			r := mustSolve(t, p, m, solvers.Settings{MaxEpochs: math.Inf(1)})
			iterations := int64(first * (1<<epochs - 1))
			if r.Status != solvers.BudgetReached || r.Total.Iterations != iterations {
				t.Errorf("%s: %v after %d iterations, not %d", name, r.Status, r.Total.Iterations, iterations)
			}
			want := int64(epochs)*full + iterations*(a+b)
			theory := Theory{FirstEpoch: first, Epochs: epochs, InnerSample: a, OuterSample: b}
			if r.Total.GradientEvaluations != want || theory.Samples(s) != float64(want+first*(a+b)) {
				t.Errorf("%s: %d samples, not %d; the theorem's formula gives %v", name, r.Total.GradientEvaluations, want, theory.Samples(s))
			}
		}
		for _, c := range []struct {
			m    Method
			want int64
		}{
			{VRSCPG{Step: 1e-3, Inner: 4, InnerSample: 2, OuterSample: 3}, 5*full + 20*7},
			{SCGD{Step: 1e-3, InnerSample: 2, OuterSample: 3}, 20 * 5},
			{ASCPG{Step: 1e-3, InnerSample: 2, OuterSample: 3}, 20 * 5},
			{AGD{Step: 1e-3}, 20 * full},
		} {
			r := mustSolve(t, p, c.m, solvers.Settings{MaxIterations: 20, MaxEpochs: math.Inf(1)})
			if r.Total.GradientEvaluations != c.want {
				t.Errorf("%s: %s: %d samples, not %d", name, c.m.Name(), r.Total.GradientEvaluations, c.want)
			}
		}
	}
}

func TestTheory(t *testing.T) {
	repeat.Skip(t)
	// 6 D_Phi + 15 l D^2 = 12 + 60 = 72; over 0.5 that is 144, between 2^7 and 2^8
	got, err := NewTheory(0.5, 1, 2, 2)
	want := Theory{
		Accuracy: 0.5, Smoothness: 1, Distance: 2, Decrease: 2,
		FirstEpoch: 10, Epochs: 8, Step: 4. / 120, InnerSample: 1620 * 64, OuterSample: 810 * 64,
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v; not %+v", got, err, want)
	}
	if got, err = NewTheory(9, 1, 2, 2); err != nil || got.Epochs != 4 { // 72/9 is 2^3 exactly
		t.Errorf("%+v, %v; not 4 epochs", got, err)
	}
	p := &Problem{F: portfolio(t, 100, 5), R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}}
	r := mustSolve(t, p, SCVRG{Auto: 1}, solvers.Settings{MaxEpochs: math.Inf(1)})
	if !(r.Gap <= 1) {
		t.Errorf("auto: a gap of %v where 1 was wanted", r.Gap)
	}
}

// TestMisfits: what does not fit gives NaN instead of a panic or half a sum.
func TestMisfits(t *testing.T) {
	folio, err := NewPortfolio(make([]float64, 6), 3, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	policy, err := Chain{States: 3, Samples: 4, Successors: 2}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []interface {
		Composition
		Anchor
	}{folio, policy} {
		s := f.Shape()
		none := func(n uint32) []uint32 { return []uint32{0, n} }
		for name, c := range map[string]struct {
			length, other, most int
			add                 func(dst, x []float64, sample []uint32)
		}{
			"AddInner":    {s.Between, s.Columns, s.Inner, func(dst, x []float64, sample []uint32) { f.AddInner(dst, 1, sample, x) }},
			"AddJacobian": {s.Columns, s.Between, s.Inner, func(dst, x []float64, sample []uint32) { f.AddJacobian(dst, 1, sample, nil, x) }},
			"AddOuter":    {s.Between, s.Between, s.Outer, func(dst, x []float64, sample []uint32) { f.AddOuter(dst, 1, sample, x) }},
			"AddAnchor":   {s.Columns, s.Between, 0, func(dst, x []float64, _ []uint32) { f.AddAnchor(dst, 1, x) }},
			"SumOuter":    {1, s.Between, s.Outer, func(dst, x []float64, sample []uint32) { dst[0] = f.SumOuter(sample, x) }},
		} {
			try := func(length, other int, sample []uint32) bool {
				dst := make([]float64, length)
				c.add(dst, make([]float64, other), sample)
				return !slices.ContainsFunc(dst, func(v float64) bool { return v == v })
			}
			if try(c.length, c.other, nil) {
				t.Errorf("%T.%s is NaN where all fits", f, name)
			}
			misfits := []bool{try(c.length, c.other+1, nil), try(c.length, c.other-1, nil), try(c.length, 0, nil)}
			if name != "SumOuter" {
				misfits = append(misfits, try(c.length+1, c.other, nil), try(c.length-1, c.other, nil))
			}
			if c.most > 0 {
				misfits = append(misfits, try(c.length, c.other, none(uint32(c.most))), try(c.length, c.other, none(math.MaxUint32)))
			}
			if slices.Contains(misfits, false) {
				t.Errorf("%T.%s: which misfits are NaN: %v", f, name, misfits)
			}
		}
	}
}

// TestPortfolioIsShared: goroutines that share a portfolio get the bits of one that is alone.
func TestPortfolioIsShared(t *testing.T) {
	rewards := []float64{0.5, -0.25, 1, 0, 0.125, 2, -1, 0.75, 0.5, 1.5, -0.5, 0}
	portfolio := func() *Portfolio {
		p, err := NewPortfolio(rewards, 4, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want, shared := portfolio().Smoothness(), portfolio()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := shared.Smoothness(); got != want {
				t.Errorf("%v, not %v", got, want)
			}
		})
	}
	all.Wait()
}
