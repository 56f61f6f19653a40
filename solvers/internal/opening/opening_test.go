package opening

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/scoretest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func started(t *testing.T, m score.Model) score.Starter {
	t.Helper()
	starter, starts := Of(m)
	if !starts {
		t.Fatalf("%v has no start", m)
	}
	return starter
}

// own is a model that starts by itself.
type own struct{ score.Linear }

func (own) Start(_ context.Context, w, _, _ []float64, _ solvers.Settings) (int, error) {
	w[0] = 7
	return 3, nil
}

// TestOf: a model's own start comes before none.
func TestOf(t *testing.T) {
	w := make([]float64, 1)
	if passes, err := started(t, own{}).Start(context.Background(), w, nil, nil, solvers.Settings{}); passes != 3 || err != nil || w[0] != 7 {
		t.Error(passes, err, w)
	}
	for _, m := range []score.Model{nil, struct{ score.Model }{}, (*score.Linear)(nil), (*score.Perceptron)(nil)} {
		if _, starts := Of(m); starts {
			t.Errorf("%T starts", m)
		}
	}
}

// At the minimum of the regularised logistic loss the gradient is 0, up to what the
// duality gap allows.
func TestLinearStart(t *testing.T) {
	g, err := synthetic.Shape{Name: "imbalanced", N: 2000, D: 30, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := &sparse.Data{X: g.X, Y: g.Y}
	weight := make([]float64, 2000)
	for i, y := range data.Y {
		weight[i] = 2 + y
	}
	for _, x := range []*sparse.Matrix{data.X.WithBias(1), data.X} {
		m := score.Linear{X: x}
		w := make([]float64, m.Parameters())
		passes, err := started(t, m).Start(context.Background(), w, data.Y, weight, solvers.Settings{Workers: 1})
		if err != nil || passes < 1 {
			t.Fatal(passes, err)
		}
		if x.Bias() == 0 {
			if ranking.ConstantOf(m) != -1 {
				t.Error("a constant without a bias")
			}
			continue
		}
		if ranking.ConstantOf(m) != len(w)-1 {
			t.Error("the bias is no constant")
		}
		z, g := make([]float64, x.Rows()), make([]float64, len(w))
		if err := m.All(nil, z, w); err != nil {
			t.Fatal(err)
		}
		if _, err := kernels.LossGradient(kernels.Logistic, z, z, data.Y, weight, 0); err != nil {
			t.Fatal(err)
		}
		if err := x.AddTrans(nil, g, z); err != nil {
			t.Fatal(err)
		}
		for j := range g {
			if g := (g[j] + w[j]) / float64(x.Rows()); math.Abs(g) > 3e-3 {
				t.Errorf("gradient %v in column %d", g, j)
			}
		}
	}
}

func TestPerceptronStart(t *testing.T) {
	data, err := scoretest.Interactions(2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	for a := range score.Softplus + 1 {
		for _, hidden := range [][]int{{16}, {16, 8}} {
			if testing.Short() && (a != score.Tanh || len(hidden) > 1) {
				continue
			}
			m, err := score.NewPerceptron(data.X, score.Network{Features: data.X.Cols(), Hidden: hidden, Activation: a})
			if err != nil {
				t.Fatal(err)
			}
			w := make([]float64, m.Parameters())
			passes, err := started(t, m).Start(context.Background(), w, data.Y, nil, solvers.Settings{Seed: 1})
			if err != nil || passes != fitPasses {
				t.Fatal(passes, err)
			}
			scores := make([]float64, 2000)
			if err := m.All(nil, scores, w); err != nil {
				t.Fatal(err)
			}
			accuracy, err := metrics.Accuracy(scores, data.Y, nil)
			t.Logf("%v: accuracy %.3f", m, accuracy)
			if err != nil || accuracy < 0.9 {
				t.Errorf("%v: accuracy %v, %v", m, accuracy, err)
			}
		}
	}
	linear := score.Linear{X: data.X}
	w := make([]float64, 4)
	if _, err := started(t, &linear).Start(context.Background(), w, data.Y, nil, solvers.Settings{}); err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, 2000)
	if err := linear.All(nil, scores, w); err != nil {
		t.Fatal(err)
	}
	if accuracy, _ := metrics.Accuracy(scores, data.Y, nil); accuracy > 0.75 {
		t.Errorf("a linear model has the accuracy %v: the test shows nothing", accuracy)
	}
}
