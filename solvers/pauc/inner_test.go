package pauc

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// begun returns a loop at random weights, ready for its first inner iteration.
func begun(t testing.TB, task *task, m Method) loop {
	t.Helper()
	pool := sparse.NewPool(1)
	t.Cleanup(pool.Close)
	c := newCommon(task, pool, task.withDefaults(m), 1)
	copy(c.w, randomWeights(len(c.w)))
	l, err := newLoop(c)
	if err == nil {
		err = l.prepare()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The inner problems (9), (37) and (38) against long runs of small steps: the mean or
// the last iterate must be nearer to their minimum than a twentieth of the way there.
func TestInnerProblemsAreSolved(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	p := sample(t, 1500)
	p.Lambda = 1e-3
	for _, a := range []Algorithm{AGDSBCD, DCA, ProxDCA, SoRRAGD, SoRRDCA, SoRRProxDCA} {
		t.Run(algorithmNames[a], func(t *testing.T) {
			task := p.task()
			if a.Range() {
				low, high := Ranks(0.02, 0.3, len(p.Y))
				task = (&RangeProblem{X: p.X, Y: p.Y, M: low, N: high, Lambda: p.Lambda}).task()
			}
			// solve does one inner loop for f^n and returns the value of its problem.
			solve := func(steps int, inner float64) (value, start float64) {
				l := begun(t, task, Method{Algorithm: a, Logistic: true, Inner: inner, Mu: 20, Threshold: 0.02})
				c, v := (*blocks)(nil), make([]float64, p.X.Cols())
				drift, lambda, strength := make([]float64, len(v)), []float64(nil), task.regulariser
				switch l := l.(type) {
				case *agd:
					c, lambda = &l.blocks, l.lambda[1]
					strength += 1 / l.method.Mu
					l.phase = 1
					if err := l.attach(); err != nil {
						t.Fatal(err)
					}
				case *dca:
					c, lambda = &l.blocks, l.lambda
					if a.proximal() {
						strength += 1 / l.method.Mu
					}
					if err := l.linearise(); err != nil {
						t.Fatal(err)
					}
					copy(drift, l.drift)
					if err := kernels.Axpy(task.regulariser, l.w, drift); err != nil { // xi alone
						t.Fatal(err)
					}
				}
				at := func() float64 {
					w := make([]float64, len(v))
					for j := range w {
						w[j] = c.w[j] + v[j]
					}
					value, err := task.topSum(nil, w, task.n)
					if err != nil {
						t.Fatal(err)
					}
					for j := range w {
						value += task.regulariser/2*w[j]*w[j] + (strength-task.regulariser)/2*v[j]*v[j] - w[j]*drift[j]
					}
					return value
				}
				start = at()
				for range steps {
					if err := c.step(lambda, task.n, strength); err != nil {
						t.Fatal(err)
					}
				}
				write := c.v.mean
				if a.linearises() {
					write = c.v.last
				}
				if err := write(v); err != nil {
					t.Fatal(err)
				}
				return at(), start
			}
			best, start := math.Inf(1), 0.0
			for _, inner := range []float64{1, 0.2} {
				value, _ := solve(4000, inner)
				best = min(best, value)
			}
			value, start := solve(800, 2)
			t.Logf("%.6f at the start, %.6f after 800 steps, %.6f after 4000", start, value, best)
			if value-best > 0.05*(start-best) {
				t.Errorf("%v, from %v; the minimum is no more than %v", value, start, best)
			}
		})
	}
}

// phantom is a range problem as a partial AUC: a positive row without entries, and
// the rows times -y as negatives.
func phantom(t *testing.T, q *RangeProblem) *Problem {
	t.Helper()
	ptr, columns, values := []int64{0, 0}, []uint32(nil), []float64(nil)
	labels := []float64{1}
	for i, y := range q.Y {
		for j, v := range q.X.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, -y*v)
		}
		ptr, labels = append(ptr, int64(len(columns))), append(labels, -1)
	}
	x, err := sparse.NewCSR(q.X.Cols(), ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	n := float64(len(q.Y))
	return &Problem{X: x, Y: labels, Low: (float64(q.M) + 0.25) / n, High: (float64(q.N) - 0.25) / n}
}

func TestRangeIsPartialAUCWithPhantom(t *testing.T) {
	p := sample(t, 400)
	q := &RangeProblem{X: p.X, Y: p.Y, M: 12, N: 130}
	r := phantom(t, q)
	if k := r.task(); k.m != q.M || k.n != q.N {
		t.Fatalf("ranks %d to %d", k.m, k.n)
	}
	w := randomWeights(p.X.Cols())
	a, err := q.Loss(nil, w)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Loss(nil, w); err != nil || !near(a, b) {
		t.Errorf("loss %v, with a phantom %v (%v)", a, b, err)
	}
	for _, pair := range [][2]Algorithm{{SoRRAGD, AGDSBCD}, {SoRRDCA, DCA}} {
		weights := make([][]float64, 2)
		for k, task := range []*task{q.task(), r.task()} {
			l := begun(t, task, Method{Algorithm: pair[k], Logistic: true, Inner: 2, Threshold: 0.02})
			var b *blocks
			var lambda []float64
			switch l := l.(type) {
			case *agd:
				b, lambda = &l.blocks, l.lambda[1]
				l.phase = 1
				err = l.attach()
			case *dca:
				b, lambda = &l.blocks, l.lambda
				err = l.linearise()
			}
			for range 100 {
				if err == nil {
					err = b.step(lambda, b.n, 0.01)
				}
			}
			if weights[k] = make([]float64, len(w)); err == nil {
				err = b.v.last(weights[k])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for j, v := range weights[0] {
			if math.Abs(v-weights[1][j]) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("%s: weight %d is %v, with a phantom %v", algorithmNames[pair[0]], j, v, weights[1][j])
			}
		}
	}
}
