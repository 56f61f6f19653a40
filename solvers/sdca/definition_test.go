package sdca

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
	"github.com/lanes-go/lanes/sparse"
)

// compare holds a solver's iterate to the listing's.
func (l *listing) compare(t *testing.T, loop dualLoop, what string) {
	t.Helper()
	if err := l.apart(loop); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// apart tells where a solver's iterate is not the listing's, to 1e-10 of the largest element.
func (l *listing) apart(loop dualLoop) error {
	alpha, w := make([]float64, l.n), make([]float64, len(l.w))
	loop.duals(alpha)
	loop.Current(w)
	for what, pair := range map[string][2][]float64{"alpha": {alpha, l.alpha}, "w": {w, l.w}} {
		scale := 0.0
		for _, v := range pair[1] {
			scale = math.Max(scale, math.Abs(v))
		}
		for j, v := range pair[1] {
			if !(math.Abs(pair[0][j]-v) <= 1e-10*scale) {
				return fmt.Errorf("element %d of %s is %v, not %v", j, what, pair[0][j], v)
			}
		}
	}
	return nil
}

// listingProblems are small problems of every loss, with sample weights and without, with a
// bias column and without.
func listingProblems(t *testing.T, visit func(name string, p *erm.Problem, start []float64)) {
	for _, phi := range allLosses {
		for k, bias := range []float64{0, 0.5} {
			p := randomProblem(t, phi, 40, 15, 4, 0.03, k == 0)
			p.X = p.X.WithBias(bias)
			start := make([]float64, p.X.Cols())
			for j := range start {
				start[j] = math.Sin(float64(j)) / 3
			}
			if k == 0 {
				start = nil
			}
			visit(fmt.Sprintf("%v, bias %v", phi, bias), p, start)
		}
	}
}

// negative makes some losses concave, but not their mean.
func negative(p *erm.Problem) bool {
	if p.Loss != (loss.Squared{}) || p.SampleWeight == nil {
		return false
	}
	p.SampleWeight[5], p.SampleWeight[9] = -0.2, -0.1
	return true
}

const listingSeed = 6

func TestListingAdfSDCA(t *testing.T) {
	listingProblems(t, func(name string, p *erm.Problem, start []float64) {
		average := negative(p)
		for _, margins := range []string{"full", "columns"} {
			loop, _ := loopOf(t, p, Adaptive{Margins: margins, AverageConvex: average}, solvers.Settings{Seed: listingSeed, Initial: start})
			l := newListing(p, start, listingSeed)
			var c run.Control
			for step := range 100 {
				loop.Next(&c)
				l.adfSDCA(l.gamma(average))
				l.compare(t, loop, fmt.Sprintf("%s, margins by %s, step %d", name, margins, step))
			}
		}
	})
}

func TestListingAdfSDCAPlus(t *testing.T) {
	listingProblems(t, func(name string, p *erm.Problem, start []float64) {
		average := negative(p)
		for _, m := range []AdaptivePlus{{}, {Shrink: 1}, {Shrink: 20}, {Paper: true}, {Shrink: 2, Paper: true}} {
			m.AverageConvex = average
			loop, _ := loopOf(t, p, m, solvers.Settings{Seed: listingSeed, Initial: start})
			l := newListing(p, start, listingSeed)
			s := m.Shrink
			if s == 0 {
				s = 10
			}
			most := l.most(average)
			if m.Paper {
				most = l.unbounded
			}
			var c run.Control
			for epoch := range 2 {
				if m.Paper && epoch > 0 {
					break // as printed, it leads away from where numbers are told apart
				}
				l.adfSDCAPlus(l.gamma(average), s, most, func() {
					loop.Next(&c)
					l.compare(t, loop, fmt.Sprintf("%s, %+v, epoch %d", name, m, epoch))
				})
			}
		}
	})
}

func TestListingMinibatch(t *testing.T) {
	listingProblems(t, func(name string, p *erm.Problem, start []float64) {
		average := negative(p)
		if p.SampleWeight == nil { // rows that are alike would be put in order by rounding
			for i := range p.Y {
				p.SampleWeight = append(p.SampleWeight, 1+float64(i)/1000)
			}
		}
		for _, b := range []int{1, 2, 3, 8, 40} {
			loop, _ := loopOf(t, p, Minibatch{AverageConvex: average}, solvers.Settings{Seed: listingSeed, BatchSize: b, Initial: start})
			l := newListing(p, start, listingSeed)
			batch, err := sampling.NewBatch(l.n, b)
			if err != nil {
				t.Fatal(err)
			}
			var c run.Control
			for step := range 12 {
				loop.Next(&c)
				if err := l.minibatch(l.gamma(average), b, batch); err != nil {
					t.Fatal(err)
				}
				l.compare(t, loop, fmt.Sprintf("%s, b = %d, step %d", name, b, step))
			}
		}
	})
}

// TestOverapproximation: (33) holds with equality for equal rows, of which a batch adds b, and
// for rows that share no feature.
func TestOverapproximation(t *testing.T) {
	const n, b = 6, 3
	for _, alike := range []bool{true, false} {
		columns, values := make([]uint32, n), make([]float64, n)
		for i := range columns {
			if values[i] = 2; !alike {
				columns[i], values[i] = uint32(i), float64(i+1)
			}
		}
		x, err := sparse.NewCSR(n, []int64{0, 1, 2, 3, 4, 5, 6}, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		p := &erm.Problem{X: x, Y: []float64{1, 1, 1, -1, -1, -1}, Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: 0.1}}
		loop, _ := loopOf(t, p, Minibatch{}, solvers.Settings{BatchSize: b})
		l := loop.(*minibatchLoop)
		// E||A h_S||^2 with h = 1: (2 b)^2 for every set, or the sum of q_i ||x_i||^2.
		want, bound := 0.0, 0.0
		for i, c := range l.cost {
			q := float64(b) / n
			own := (c - 1) * n * p.Ridge() * p.Ridge() / (p.Ridge() * 1) // v'_i, gamma = lambda
			bound += own * q
			want += q * values[i] * values[i]
		}
		if alike {
			want = 4 * b * b
		}
		if math.Abs(bound-want) > 1e-12*want {
			t.Errorf("alike %v: sum of v_i q_i h_i^2 is %v, E||A h_S||^2 is %v", alike, bound, want)
		}
	}
}

func TestListingFixed(t *testing.T) {
	listingProblems(t, func(name string, p *erm.Problem, start []float64) {
		average := negative(p)
		for _, m := range []Method{DualFree{AverageConvex: average}, ImportanceSampled{AverageConvex: average}} {
			loop, _ := loopOf(t, p, m, solvers.Settings{Seed: listingSeed, Initial: start})
			l := newListing(p, start, listingSeed)
			_, uniform := m.(DualFree)
			p, theta := l.fixed(average, uniform)
			alias, err := sampling.NewAlias(p)
			if err != nil {
				t.Fatal(err)
			}
			var c run.Control
			for step := range 3 * l.n {
				loop.Next(&c)
				var i int
				if uniform {
					i = int(l.random.Below(uint64(l.n)))
				} else {
					i = int(alias.Draw((*sampling.Random)(l.random)))
				}
				l.step(i, theta/p[i], l.residue(i))
				l.compare(t, loop, fmt.Sprintf("%s, %s, step %d", name, m.Name(), step))
			}
		}
	})
}

// TestListingProx: every step goes to the maximum of the dual over one variable, rows in a
// new order each pass, or each row drawn from all.
func TestListingProx(t *testing.T) {
	listingProblems(t, func(name string, p *erm.Problem, start []float64) {
		for _, m := range []Prox{{NoShrinking: true}, {WithReplacement: true}} {
			loop, _ := loopOf(t, p, m, solvers.Settings{Seed: listingSeed, Initial: start})
			loop.(*proxLoop).share = 0 // to the last bit
			l := newListing(p, start, listingSeed)
			var c run.Control
			for pass := range 4 {
				order := l.shuffled
				if m.WithReplacement {
					order = l.drawn
				}
				for _, i := range order() {
					loop.Next(&c)
					l.ascend(i)
					l.compare(t, loop, fmt.Sprintf("%s, %+v, pass %d, row %d", name, m, pass, i))
				}
			}
		}
	})
}

// TestListingIntercept: within a pass the intercept is the weight of one more feature, of values
// (lambda/rho)^(1/2), beside offsets that have its centre. After it the centre is where b was,
// and b is further by what the sum of the dual variables asks for.
func TestListingIntercept(t *testing.T) {
	for _, phi := range allLosses {
		for mode := range 4 {
			p := besideIntercept(t, phi, mode, 40, 5)
			given := []float64{0.3, -0.1, 0.2, 0, 0.4, -0.7}
			loop, _ := loopOf(t, p, Prox{NoShrinking: true}, solvers.Settings{Seed: listingSeed, Initial: given})
			loop.(*proxLoop).share = 0
			q := *p
			q.X, q.Intercept, q.Offset = p.X.WithBias(0), false, make([]float64, 40)
			l := newListing(&q, nil, listingSeed)
			last, peak, sum := len(given)-1, 1., 0.0
			if phi == (loss.Logistic{}) {
				peak = 0.25
			}
			for i := range l.n {
				sum += l.s(i) / (1/peak + l.s(i)*l.v(i)/(p.Ridge()*40))
			}
			give := p.Ridge() * 40 / (16 * sum / 40)
			for i, x := range l.x {
				z := direct.Offset(p.Offset, i) + given[last] + dot(x, given[:last])
				l.step(i, 1, l.slope(i, z)) // alpha = -phi'
				l.x[i] = append(x, math.Sqrt(give))
			}
			l.w = append(l.w, 0)
			b := given[last]
			var c run.Control
			for pass := range 3 {
				// At its beginning b has moved by the sum of alpha.
				total := 0.0
				for _, a := range l.alpha {
					total += a
				}
				l.w[last] = math.Sqrt(give) * total / (p.Ridge() * 40)
				for i := range q.Offset {
					q.Offset[i] = direct.Offset(p.Offset, i) + b
				}
				for _, i := range l.shuffled() {
					loop.Next(&c)
					l.ascend(i)
				}
				at := b
				b += math.Sqrt(give) * l.w[last]
				want := append(append([]float64(nil), l.w[:last]...), b)
				got, alpha := make([]float64, len(given)), make([]float64, 40)
				loop.Current(got)
				loop.duals(alpha)
				for j, v := range append(want, l.alpha...) {
					if g := append(got, alpha...)[j]; math.Abs(g-v) > 1e-9*(1+math.Abs(v)) {
						t.Fatalf("%v, mode %d, pass %d from b = %v: number %d is %v, not %v", phi, mode, pass, at, j, g, v)
					}
				}
			}
		}
	}
}

// TestProxGains: the steps of the logistic loss, which end near the maximum, gain most of
// what there is to gain.
func TestProxGains(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 40, 15, 4, 0.003, true)
	loop, _ := loopOf(t, p, Prox{NoShrinking: true}, solvers.Settings{Seed: listingSeed})
	l := newListing(p, nil, 0)
	dual := func() float64 { // (D)
		value := -l.lambda / 2 * dot(l.w, l.w)
		for i, a := range l.alpha {
			for _, b := range []float64{l.Y[i] * a / l.s(i), 1 - l.Y[i]*a/l.s(i)} {
				if b > 0 {
					value -= l.s(i) * b * math.Log(b) / float64(l.n)
				}
			}
		}
		return value
	}
	var c run.Control
	alpha := make([]float64, l.n)
	gained, most := 0.0, 0.0
	for range 5 * l.n {
		loop.duals(alpha)
		copy(l.alpha, alpha)
		loop.Current(l.w)
		loop.Next(&c)
		loop.duals(alpha)
		for i, a := range alpha {
			if a == l.alpha[i] {
				continue
			}
			before, old := dual(), l.alpha[i]
			l.step(i, 1, old-a)
			gain := dual() - before
			l.step(i, 1, a-old)
			l.ascend(i)
			gained, most = gained+gain, most+dual()-before
			if gain < 0.9*(dual()-before)-1e-15 {
				t.Fatalf("a step on row %d gains %.3g of %.3g", i, gain, dual()-before)
			}
		}
	}
	if !(gained > 0.99*most) {
		t.Errorf("steps gain %.3g of %.3g", gained, most)
	}
}
