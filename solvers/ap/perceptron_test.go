package ap

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/scoretest"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

func interactions(t testing.TB, n int, seed uint64) *Problem {
	t.Helper()
	data, err := scoretest.Interactions(n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: data.X, Y: data.Y, Lambda: 1 / float64(n)}
}

func perceptron(t testing.TB, x *sparse.Matrix, hidden ...int) *score.Perceptron {
	t.Helper()
	m, err := score.NewPerceptron(x, score.Network{Features: x.Cols(), Hidden: hidden})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func precision(t testing.TB, m score.Model, y, w []float64) float64 {
	t.Helper()
	scores := make([]float64, len(y))
	if err := m.All(nil, scores, w); err != nil {
		t.Fatal(err)
	}
	v, err := metrics.AveragePrecision(scores, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// From a random point, without the fit that the perceptron would start from, every
// method must learn what a linear model cannot; plain gradient steps dwell on the way.
func TestPerceptronLearnsInteractions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	p, test := interactions(t, 1500, 1), interactions(t, 1500, 2)
	each(t, []string{"iterations=400"}, func(m Method) {
		p.Model = nil
		linear := precision(t, score.Linear{X: test.X}, test.Y, solve(t, p, m, solvers.Settings{Seed: 1}).Weights)
		model := perceptron(t, p.X, 16)
		p.Model = model
		half := named(t, m.Name(), "iterations=1000", fmt.Sprintf("step=%v", m.plan(true).Step/2))
		r := solve(t, p, half, solvers.Settings{Seed: 1, Initial: model.Initial(1)})
		got := precision(t, perceptron(t, test.X, 16), test.Y, r.Weights)
		t.Logf("%s: test AP %.3f, linear %.3f", m.Name(), got, linear)
		gain := 0.05
		if adaptive(m) {
			gain = 0.3
		}
		if got < linear+gain {
			t.Errorf("%s: test AP %v, linear %v", m.Name(), got, linear)
		}
	})
}

func TestPerceptronStartsByItself(t *testing.T) {
	p, test := interactions(t, 1500, 1), interactions(t, 1500, 2)
	for _, hidden := range [][]int{{16}, {12, 6}} {
		p.Model = perceptron(t, p.X, hidden...)
		if testing.Short() && len(hidden) > 1 {
			break
		}
		for _, m := range []ADAP{{Common: Common{Iterations: 100}}, {Common: Common{Paper: true, Step: 0.01}}} {
			r := solve(t, p, m, solvers.Settings{Seed: 1})
			least := 0.85
			if m.Paper { // ends with the last point, and not with the best
				least = 0.8
			}
			if got := precision(t, perceptron(t, test.X, hidden...), test.Y, r.Weights); got < least {
				t.Errorf("%v, paper %v: test AP %v", p.Model, m.Paper, got)
			}
		}
	}
}

func TestPerceptronSameBits(t *testing.T) {
	p := sample(t, 500)
	p.Model = perceptron(t, p.X, 9, 5)
	for _, m := range []Method{ADAP{Common: Common{Iterations: 40}}, MOAPV2{Common: Common{Iterations: 40}}} {
		whole := solve(t, p, m, solvers.Settings{Seed: 5, Workers: 1})
		want := solvers.HashWeights(whole.Weights)
		for path := range pathtest.Paths(t) {
			if got := solve(t, p, m, solvers.Settings{Seed: 5, Workers: 3}); solvers.HashWeights(got.Weights) != want {
				t.Errorf("%s: %s with 3 workers has other bits", m.Name(), path)
			}
		}
		file := filepath.Join(t.TempDir(), "run")
		solve(t, p, m, solvers.Settings{Seed: 5, MaxIterations: 17, Checkpoint: file})
		if rest := solve(t, p, m, solvers.Settings{Seed: 5, Resume: file}); solvers.HashWeights(rest.Weights) != want || rest.Total.Iterations != whole.Total.Iterations {
			t.Errorf("%s: a resumed run has other bits", m.Name())
		}
		other := *p
		other.Model = perceptron(t, p.X, 5, 9)
		if _, err := Solve(context.Background(), &other, m, solvers.Settings{Seed: 5, Resume: file}); err == nil {
			t.Errorf("%s: resumed with another network", m.Name())
		}
	}
}

// ijcnn1 is known to be far from linear.
func TestPerceptronOnIjcnn1(t *testing.T) {
	train, test := scoretest.Ijcnn1(t)
	p := &Problem{X: train.X, Y: train.Y, Lambda: 1 / float64(len(train.Y))}
	m := ADAP{}
	linear := precision(t, score.Linear{X: test.X}, test.Y, solve(t, p, m, solvers.Settings{Seed: 1}).Weights)
	p.Model = perceptron(t, p.X, 32)
	got := precision(t, perceptron(t, test.X, 32), test.Y, solve(t, p, m, solvers.Settings{Seed: 1}).Weights)
	t.Logf("test AP %.4f, linear %.4f", got, linear)
	if got < 0.95 || linear > 0.6 {
		t.Errorf("test AP %v, linear %v", got, linear)
	}
}

func BenchmarkPerceptronIteration(b *testing.B) {
	p := sample(b, 3000)
	model := perceptron(b, p.X, 32)
	p.Model = model
	initial := model.Initial(1)
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := Solve(context.Background(), p, ADAP{Common: Common{Iterations: b.N}}, solvers.Settings{Seed: 1, Workers: 1, Initial: initial}); err != nil {
		b.Fatal(err)
	}
}

// TestStepsOfOtherModels: a model that is not linear has an eighth of the usual step, in the
// paper's setting all of it.
func TestStepsOfOtherModels(t *testing.T) {
	t.Parallel()
	for _, d := range Solvers() {
		for set, share := range map[string]float64{"iterations=9": 8, "paper=true": 1} {
			m := named(t, d.Name, set)
			if linear, other := m.plan(true).Step, m.plan(false).Step; linear != share*other {
				t.Errorf("%s, %s: a step of %v, for linear models %v", d.Name, set, other, linear)
			}
		}
	}
}
