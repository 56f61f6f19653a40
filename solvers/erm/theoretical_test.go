package erm

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

func implicitOf(p *Problem, w, v []float64) *implicit {
	m := newImplicit(&task{p: p})
	r := newReference(p)
	for i, x := range r.x {
		m.z[i], m.q[i] = dot(x, w), dot(x, v)
	}
	m.solve()
	return m
}

// TestImplicit checks equation (4): the largest curvature on the segment that L
// defines is L itself, found by looking at the segment point by point.
func TestImplicit(t *testing.T) {
	cases := lazyCases(t)
	if testing.Short() {
		cases = cases[1:3]
	}
	for _, c := range cases {
		r, d := newReference(c.p), c.p.X.Cols()
		w := start(d)
		v := r.gradient(r.all(), w)
		for _, factor := range []float64{1, 50, -50, 0} {
			along := make([]float64, d)
			axpy(factor, v, along)
			m := implicitOf(c.p, w, along)
			for i, x := range r.x {
				norm := func(eta float64) float64 {
					_, _, f2, _ := r.phi(i, m.z[i]-eta*m.q[i])
					return f2*dot(x, x) + c.p.Ridge()
				}
				largest := func(l float64) float64 {
					most := 0.0
					for k := range 401 {
						most = max(most, norm(float64(k)/400/l))
					}
					center := 0.0 // of a peak that may fit between two of these
					if c.p.Loss.String() == "huber" {
						center = c.p.Y[i]
					}
					if eta := (m.z[i] - center) / m.q[i]; eta >= 0 && eta <= 1/l {
						most = max(most, norm(eta))
					}
					return most
				}
				l := m.l[i]
				if l == 0 {
					if norm(0) != 0 || norm(1e300) != 0 {
						t.Errorf("%s: L = 0 where the curvature is %v", c.name, norm(0))
					}
					continue
				}
				// Where the curvature jumps, rounding decides on which side 1/L lies.
				if most := largest(l * (1 + 1e-12)); most > l*(1+1e-11) {
					t.Fatalf("%s: row %d: curvature %v on the segment of L = %v", c.name, i, most, l)
				}
				if less := l * (1 - 1e-6); less > norm(0) && largest(less) < less {
					t.Fatalf("%s: row %d: L = %v would do, not %v", c.name, i, less, l)
				}
			}
		}
	}
}

// TestTheoretical lays algorithms 3 and 4 beside their lines on dense vectors.
func TestTheoretical(t *testing.T) {
	repeat.Once(t)
	const outer, inner = 3, 20
	cases := lazyCases(t)
	for k := range cases[4:] {
		cases[k].p.Intercept = k%2 > 0
	}
	for _, c := range cases {
		for _, m := range []Method{AISARAHImportance{Inner: inner}, AISARAHUniform{Inner: inner}} {
			_, importance := m.(AISARAHImportance)
			d := c.p.X.Cols()
			loop := loopOf(t, c.p, m, solvers.Settings{Seed: testSeed, Initial: start(d)})
			iterate(loop, outer*(1+inner))
			w := newReference(c.p).theoretical(start(d), importance, inner, outer)
			compare(t, c.name+": "+m.Name(), current(loop, d), w, 1e-9)
		}
	}
}

// TestImportance draws by algorithm 3's probabilities.
func TestImportance(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 40, 20, 5, 0.01, false)
	l := loopOf(t, p, AISARAHImportance{}, solvers.Settings{}).(*theoreticalLoop)
	iterate(l, 1)
	const draws = 200000
	count := make([]float64, 40)
	for range draws {
		i, _ := l.sample()
		count[i]++
	}
	for i, c := range count {
		want := l.l[i] / l.sum
		if deviation := math.Sqrt(want * (1 - want) / draws); math.Abs(c/draws-want) > 5*deviation {
			t.Errorf("row %d drawn with probability %v, not %v", i, c/draws, want)
		}
	}
}

// TestIntervalIsSARAH is remark C.2.
func TestIntervalIsSARAH(t *testing.T) {
	for _, c := range lazyCases(t) {
		d := c.p.X.Cols()
		s := solvers.Settings{BatchSize: testBatch, Seed: testSeed}
		a := loopOf(t, c.p, AISARAHInterval{Min: 0.1, Max: 0.1, Inner: 25}, s)
		b := loopOf(t, c.p, SARAH{Step: 0.1, Inner: 25, Random: true}, s)
		iterate(a, 200)
		iterate(b, 200)
		compare(t, c.name, current(a, d), current(b, d), 0)
	}
}

// TestIntervalIsGradientDescent is remark C.3: with batches of all rows, v_t is
// the gradient at w_t and the step solves the sub-problem for P itself.
func TestIntervalIsGradientDescent(t *testing.T) {
	for _, c := range lazyCases(t) {
		r, d := newReference(c.p), c.p.X.Cols()
		s := solvers.Settings{BatchSize: 1000, Seed: testSeed, Initial: start(d)}
		loop := loopOf(t, c.p, AISARAHInterval{Min: 0.05, Max: 2, Inner: 1 << 30}, s).(*intervalLoop)
		iterate(loop, 1)
		w := start(d)
		for range 60 {
			iterate(loop, 1)
			g := r.gradient(r.all(), w)
			alpha := r.newton(r.all(), w, g)
			axpy(-min(max(alpha, 0.05), 2), g, w)
		}
		compare(t, c.name+": weights", current(loop, d), w, 1e-11)
		v := make([]float64, d)
		for j, f := range loop.lazy.Rec {
			v[j] = loop.scale * f.U
		}
		far := 0.0
		for j, g := range r.gradient(r.all(), w) {
			far = max(far, math.Abs(g-v[j]))
		}
		if far > 1e-12 {
			t.Errorf("%s: v_t is %v away from the gradient", c.name, far)
		}
	}
}
