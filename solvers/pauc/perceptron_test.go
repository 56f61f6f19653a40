package pauc

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
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
	return &Problem{X: data.X, Y: data.Y, Low: 0.05, High: 0.5}
}

func perceptron(t testing.TB, x *sparse.Matrix, hidden ...int) *score.Perceptron {
	t.Helper()
	m, err := score.NewPerceptron(x, score.Network{Features: x.Cols(), Hidden: hidden})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// area is the normalised partial AUC in the range of p.
func area(t testing.TB, p *Problem, m score.Model, w []float64) float64 {
	t.Helper()
	scores := make([]float64, len(p.Y))
	if err := m.All(nil, scores, w); err != nil {
		t.Fatal(err)
	}
	r, err := metrics.Rank(scores, p.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, v, err := r.PartialAUC(p.Low, p.High, p.MinTPR)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// From a random point, without the fit that the perceptron would start from, the
// methods must learn what a linear model cannot.
func TestPerceptronLearnsInteractions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	p, test := interactions(t, 1500, 1), interactions(t, 1500, 2)
	linear := area(t, test, score.Linear{X: test.X}, solve(t, p, AGDSBCD{}, solvers.Settings{Seed: 1}).Weights)
	model := perceptron(t, p.X, 16)
	p.Model = model
	for _, name := range []string{"agd-sbcd", "dca", "prox-dca"} {
		var trace solvers.Trace
		r := solve(t, p, named(t, name, "?logistic=true", "inner=5", "outer=6"), solvers.Settings{Seed: 1, Initial: model.Initial(1), Recorder: &trace})
		got := area(t, test, perceptron(t, test.X, 16), r.Weights)
		t.Logf("%s: test pAUC %.3f, linear %.3f; training from %.3f to %.3f", name, got, linear, 1-trace[0].Objective, 1-r.Objective)
		if got < linear+0.2 {
			t.Errorf("%s: test pAUC %v, linear %v", name, got, linear)
		}
	}
}

func TestPerceptronStartsByItself(t *testing.T) {
	repeat.Skip(t)
	p, test := interactions(t, 1500, 1), interactions(t, 1500, 2)
	for _, hidden := range [][]int{{16}, {12, 6}} {
		if testing.Short() && len(hidden) > 1 {
			break
		}
		p.Model = perceptron(t, p.X, hidden...)
		for _, paper := range []bool{false, true} {
			r := solve(t, p, AGDSBCD{Loops: Loops{Paper: paper, Outer: 2}}, solvers.Settings{Seed: 1})
			if got := area(t, test, perceptron(t, test.X, hidden...), r.Weights); got < 0.85 {
				t.Errorf("%v, paper %v: test pAUC %v", p.Model, paper, got)
			}
		}
	}
}

func TestPerceptronSameBits(t *testing.T) {
	p := sample(t, 400)
	model := perceptron(t, p.X, 9, 5)
	p.Model = model
	initial := model.Initial(2)
	each(t, []string{"?outer=2", "?length=6"}, func(t *testing.T, m Method) {
		p := *p
		if _, twoWay := m.(MiniBatch); twoWay {
			p.MinTPR = 0.3
		}
		if dual(m) {
			if _, err := Solve(context.Background(), &p, m, solvers.Settings{}); err == nil {
				t.Error("no error")
			}
			return
		}
		solved := func(s solvers.Settings) *solvers.Result {
			t.Helper()
			s.Seed = 5
			if s.Resume == "" {
				s.Initial = initial
			}
			if !ranged(m) {
				return solve(t, &p, m, s)
			}
			low, high := Ranks(0.02, 0.3, len(p.Y))
			r, err := SolveRange(context.Background(), &RangeProblem{X: p.X, Y: p.Y, M: low, N: high, Model: model}, m, s)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		whole := solved(solvers.Settings{Workers: 1})
		want := solvers.HashWeights(whole.Weights)
		for path := range pathtest.Paths(t) {
			if got := solved(solvers.Settings{Workers: 3}); solvers.HashWeights(got.Weights) != want {
				t.Errorf("%s with 3 workers has other bits", path)
			}
		}
		file := filepath.Join(t.TempDir(), "run")
		solved(solvers.Settings{MaxIterations: 11, Checkpoint: file})
		if rest := solved(solvers.Settings{Resume: file}); solvers.HashWeights(rest.Weights) != want || rest.Total.Iterations != whole.Total.Iterations {
			t.Error("a resumed run has other bits")
		}
	})
}

// ijcnn1 is known to be far from linear.
func TestPerceptronOnIjcnn1(t *testing.T) {
	train, test := scoretest.Ijcnn1(t)
	for fpr, least := range map[[2]float64]float64{{0, 0.05}: 0.93, {0.05, 0.5}: 0.99} {
		p := &Problem{X: train.X, Y: train.Y, Low: fpr[0], High: fpr[1]}
		held := &Problem{X: test.X, Y: test.Y, Low: fpr[0], High: fpr[1]}
		linear := area(t, held, score.Linear{X: test.X}, solve(t, p, AGDSBCD{}, solvers.Settings{Seed: 1}).Weights)
		p.Model = perceptron(t, p.X, 32)
		got := area(t, held, perceptron(t, test.X, 32), solve(t, p, AGDSBCD{}, solvers.Settings{Seed: 1}).Weights)
		t.Logf("%v: test pAUC %.4f, linear %.4f", fpr, got, linear)
		if got < least || linear > least-0.05 {
			t.Errorf("%v: test pAUC %v, linear %v", fpr, got, linear)
		}
	}
}

func TestPerceptronIterationsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	p := sample(t, 1000)
	model := perceptron(t, p.X, 16)
	p.Model = model
	initial := model.Initial(1)
	count := func(length int) float64 {
		return allocations.Count(2, func() {
			solve(t, p, AGDSBCD{Loops: Loops{Outer: 1, Length: length}}, solvers.Settings{Workers: 1, Initial: initial})
		})
	}
	few, many := count(50), count(1050)
	if per := (many - few) / 2000; per > 0.01 {
		t.Errorf("%v allocations an iteration", per)
	}
}

// TestStepsOfOtherModels: a model that is not linear has three tenths of the usual step, in
// the paper's setting all of it.
func TestStepsOfOtherModels(t *testing.T) {
	t.Parallel()
	p := sample(t, 120)
	q := *p
	q.Model = hidden{score.Linear{X: p.X}}
	each(t, nil, func(t *testing.T, m Method) {
		if dual(m) {
			return
		}
		linear, other := m.plan(p.task()).Inner, m.plan(q.task()).Inner
		if math.Abs(other-0.3*linear) > 1e-15*linear {
			t.Errorf("a step of %v, for linear models %v", other, linear)
		}
		m = named(t, m.Name(), "paper=true")
		if linear, other := m.plan(p.task()).Inner, m.plan(q.task()).Inner; linear != other {
			t.Errorf("in the paper's setting a step of %v, for linear models %v", other, linear)
		}
	})
}
