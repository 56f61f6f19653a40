package pauc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
)

// The lazily scaled iterate, its scores and its mean against the same done densely.
func TestLazyIsTheDenseOne(t *testing.T) {
	p := sample(t, 300)
	d := p.X.Cols()
	random := rand.New(rand.NewPCG(1, 2))
	w, drift := randomWeights(d), randomWeights(d)
	for c := range 4 {
		drifts, over := c&1 != 0, []average{overAfter, overBefore}[c>>1]
		for _, q := range []float64{1, 0.999, 0.3} { // with 0.3, a shrinks below smallest
			t.Run(fmt.Sprint(drifts, over, q), func(t *testing.T) {
				l := newLazy(p.X, nil)
				drift := drift
				if !drifts {
					drift = nil
				}
				l.begin(w, scoresOf(t, p.X, w), drift, over)
				const steps, size = 200, 7
				const eta = 0.7
				v, sum, dense := make([]float64, d), make([]float64, d), make([]float64, d)
				copy(v, w)
				rows, scores, c := make([]uint32, size), make([]float64, size), make([]float64, size)
				for range steps {
					for k := range rows {
						rows[k], c[k] = uint32(random.IntN(p.X.Rows())), random.NormFloat64()
					}
					if err := l.scores(scores, rows); err != nil {
						t.Fatal(err)
					}
					if err := matrix.MulRows(p.X, dense[:size], rows, v); err != nil {
						t.Fatal(err)
					}
					for k := range scores {
						if math.Abs(scores[k]-dense[k]) > 1e-9*(1+math.Abs(dense[k])) {
							t.Fatalf("score %v, dense %v", scores[k], dense[k])
						}
					}
					g := make([]float64, d)
					if err := matrix.AddRows(p.X, g, rows, c); err != nil {
						t.Fatal(err)
					}
					if err := l.step(rows, c, q, eta); err != nil {
						t.Fatal(err)
					}
					for j := range v {
						if drifts {
							g[j] -= drift[j]
						}
						if over == overBefore {
							sum[j] += v[j] - w[j]
						}
						if v[j] = w[j] + q*(v[j]-w[j]-eta*g[j]); over == overAfter {
							sum[j] += v[j] - w[j]
						}
					}
				}
				check := func(what string, got, want []float64, scale float64) {
					t.Helper()
					for j := range got {
						if math.Abs(got[j]-want[j]*scale) > 1e-9*(1+math.Abs(got[j])) {
							t.Fatalf("%s, column %d: %v, dense %v", what, j, got[j], want[j]*scale)
						}
					}
				}
				l.mean(dense)
				check("mean", dense, sum, 1./steps)
				l.last(dense)
				for j := range v {
					v[j] -= w[j]
				}
				check("last", dense, v, 1)
			})
		}
	}
}

// started returns the blocks of a loop that is ready for an inner iteration.
func started(t testing.TB, p *Problem, m Method) (*blocks, *thresholds) {
	t.Helper()
	task := p.task()
	if ranged(m) {
		low, high := Ranks(0.02, 0.3, len(p.Y))
		task = (&RangeProblem{X: p.X, Y: p.Y, M: low, N: high}).task()
	}
	return open(t, begun(t, task, m))
}

// open begins the inner loop for f^n, and returns it with its thresholds.
func open(t testing.TB, n *nested) (*blocks, *thresholds) {
	t.Helper()
	a, is := n.scheme.(*agd)
	for k := 0; k < 1 || is && k < 2; k++ {
		if err := n.attach(new(run.Control)); err != nil {
			t.Fatal(err)
		}
		n.attached = false
		if is {
			a.phase = 1
		}
	}
	if is {
		return a.blocks, &a.lambda[1]
	}
	d := n.scheme.(*dca)
	return d.blocks, &d.lambda
}

// eachInner visits the algorithms that have inner loops of blocks.
func eachInner(t *testing.T, set []string, f func(t *testing.T, m Method)) {
	for _, name := range []string{"agd-sbcd", "dca", "prox-dca", "sorr-agd", "sorr-dca", "sorr-prox-dca"} {
		t.Run(name, func(t *testing.T) { f(t, named(t, name, set...)) })
	}
}

func TestIterationsDoNotAllocate(t *testing.T) {
	p := sample(t, 1500)
	eachInner(t, nil, func(t *testing.T, m Method) {
		b, lambda := started(t, p, m)
		if n := allocations.Count(50, func() {
			if err := b.step(lambda, b.n, 0.01); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// With batches of everything, the step of v uses the exact gradient of f^n once the thresholds are
// at the n-th loss.
func TestBatchOfEverythingIsTheGradient(t *testing.T) {
	p := sample(t, 300)
	eachInner(t, []string{"?positives=300", "?negatives=300", "?rows=300", "inner=1"}, func(t *testing.T, m Method) {
		b, lambda := started(t, p, m)
		// The losses are above the threshold that is just below the n-th.
		for i, v := range lambda.lambda {
			lambda.lambda[i] = math.Nextafter(v*(1-1e-9), 0)
		}
		want := make([]float64, p.X.Cols())
		if err := b.gradient(want, b.w, 0, b.n); err != nil {
			t.Fatal(err)
		}
		if err := b.step(lambda, b.n, 0); err != nil {
			t.Fatal(err)
		}
		got := b.v.(*lazy).u
		for j := range got {
			if math.Abs(got[j]+want[j]) > 1e-12 {
				t.Fatalf("column %d: step %v, gradient %v", j, got[j], want[j])
			}
		}
	})
}

// hidden is a linear model that the lazy iterate does not know.
type hidden struct{ score.Model }

// A linear model that is taken for another goes the dense way to the same weights.
func TestDenseModelIsTheLazyOne(t *testing.T) {
	repeat.Skip(t)
	p := sample(t, 500)
	p.Lambda = 1e-3
	each(t, []string{"?outer=2", "?inner=5"}, func(t *testing.T, method Method) {
		if ranged(method) || dual(method) || method == (AUCMargin{}) {
			return // run would not take the model
		}
		if method == (MiniBatch{}) {
			method = MiniBatch{Step: 5}
		}
		initial := randomWeights(p.X.Cols()) // at 0 every pair is at its threshold
		q := *p
		q.Model = hidden{score.Linear{X: p.X}}
		settings := solvers.Settings{Seed: 2, Initial: initial}
		want, got := solve(t, p, method, settings), solve(t, &q, method, settings)
		for j, v := range want.Weights {
			if math.Abs(got.Weights[j]-v) > 1e-6*(1+math.Abs(v)) {
				t.Fatalf("weight %d is %v, lazily %v", j, got.Weights[j], v)
			}
		}
		settings.Initial = nil
		if _, err := Solve(context.Background(), &q, method, settings); err == nil {
			t.Error("a model that cannot start by itself: no error")
		}
	})
}
