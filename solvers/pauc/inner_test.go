package pauc

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// begun returns a loop at random weights.
func begun(t testing.TB, task *task, m Method) *nested {
	t.Helper()
	pool := matrix.NewPool(1)
	t.Cleanup(pool.Close)
	c := newCommon(task, pool, m.plan(task), 1)
	copy(c.w, randomWeights(len(c.w)))
	l, err := m.loop(c)
	if err != nil {
		t.Fatal(err)
	}
	return l.(*nested)
}

// The inner problems (9), (37) and (38) against long runs of small steps: the mean or
// the last iterate must be nearer to their minimum than a twentieth of the way there.
func TestInnerProblemsAreSolved(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	p := sample(t, 1500)
	p.Lambda = 1e-3
	eachInner(t, nil, func(t *testing.T, m Method) {
		task := p.task()
		if ranged(m) {
			low, high := Ranks(0.02, 0.3, len(p.Y))
			task = (&RangeProblem{X: p.X, Y: p.Y, M: low, N: high, Lambda: p.Lambda}).task()
		}
		// solve does one inner loop for f^n and returns the value of its problem.
		solve := func(steps int, inner float64) (value, start float64) {
			m := named(t, m.Name(), "?logistic=true", "?mu=20", "threshold=0.02", fmt.Sprintf("inner=%v", inner))
			l := begun(t, task, m)
			c, lambda := open(t, l)
			v, drift, strength := make([]float64, p.X.Cols()), make([]float64, p.X.Cols()), task.regulariser
			if l.mu > 0 {
				strength += 1 / l.mu
			}
			dca, linearises := l.scheme.(*dca)
			if linearises {
				copy(drift, dca.drift)
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
			if linearises {
				write = c.v.last
			}
			write(v)
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
	for _, pair := range [][2]Method{
		{SoRRAGD{Loops: Loops{Inner: 2, Threshold: 0.02}}, AGDSBCD{Loops: Loops{Inner: 2, Threshold: 0.02}, Logistic: true}},
		{SoRRDCA{Loops: Loops{Inner: 2, Threshold: 0.02}}, DCA{Loops: Loops{Inner: 2, Threshold: 0.02}}},
	} {
		weights := make([][]float64, 2)
		for k, task := range []*task{q.task(), r.task()} {
			b, lambda := open(t, begun(t, task, pair[k]))
			for range 100 {
				if err == nil {
					err = b.step(lambda, b.n, 0.01)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			weights[k] = make([]float64, len(w))
			b.v.last(weights[k])
		}
		for j, v := range weights[0] {
			if math.Abs(v-weights[1][j]) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("%s: weight %d is %v, with a phantom %v", pair[0].Name(), j, v, weights[1][j])
			}
		}
	}
}
