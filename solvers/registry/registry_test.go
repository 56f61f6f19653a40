package registry_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// task returns a small one that every solver of rows can take: logistic losses, and
// ranges that leave something of the negative rows out.
func task(t *testing.T) solvers.Task {
	t.Helper()
	data, err := synthetic.Shape{Name: "dense", N: 60, D: 4, Seed: 3}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return solvers.Task{Problem: solvers.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.005}}, High: 0.5, M: 6, N: 60}
}

// runnable are the solvers that take rows and labels.
func runnable(t *testing.T, use func(t *testing.T, s solvers.Solver)) {
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition {
			t.Run(s.Name, func(t *testing.T) { use(t, s) })
		}
	}
}

// last is a metric that prefers every point to the points before it. A run then ends with its
// last point, not with its best, which may be the first.
type last struct{ points float64 }

func (*last) Name() string         { return "last" }
func (*last) HigherIsBetter() bool { return true }

func (m *last) Measure([]float64) (float64, error) {
	m.points++
	return m.points, nil
}

// brief are settings of a run that gets through an outer iteration of every method.
func brief(s solvers.Solver) solvers.Settings {
	settings := solvers.Settings{Seed: 2, Workers: 1, MaxIterations: 250, Validation: &last{}}
	if s.Objective == solvers.MeanLoss || s.Objective == solvers.SparseLoss {
		settings.MaxEpochs = 8
	}
	return settings
}

func solve(t *testing.T, s solvers.Solver, task solvers.Task, settings solvers.Settings) (*solvers.Result, error) {
	t.Helper()
	ready, err := s.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return ready.Solve(context.Background(), &task, settings)
}

func weights(t *testing.T, s solvers.Solver, task solvers.Task, settings solvers.Settings) []float64 {
	t.Helper()
	result, err := solve(t, s, task, settings)
	if err != nil {
		t.Fatal(err)
	}
	return result.Weights
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range registry.All() {
		if seen[s.Name] {
			t.Errorf("two solvers are called %s", s.Name)
		}
		seen[s.Name] = true
		found, err := registry.Find(s.Name)
		if err != nil || found.Name != s.Name || found.Family != s.Family {
			t.Errorf("Find(%s) is %s of %s, error %v", s.Name, found.Name, found.Family, err)
		}
		if s.Family == "" || s.About == "" {
			t.Errorf("%s has family %q, about %q", s.Name, s.Family, s.About)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d solvers", len(seen))
	}
	if _, err := registry.Find("newtons"); err == nil || !strings.Contains(err.Error(), "newton, ") {
		t.Errorf("error %v", err)
	}
}

// Every parameter of every solver can be set by text, and text without meaning is refused.
func TestParametersAsText(t *testing.T) {
	for _, s := range registry.All() {
		usual, err := s.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parameters {
			var set bool
			for _, text := range []string{"true", "2", "3", "1/2", "1/4", "1/3"} {
				ready, err := s.New(map[string]string{p.Name: text})
				set = set || err == nil && ready.Name == s.Name && ready.Text != usual.Text
			}
			if !set {
				t.Errorf("%s: nothing sets %s", s.Name, p.Name)
			}
			for _, text := range []string{"much", "-1", "NaN"} {
				if _, err := s.New(map[string]string{p.Name: text}); err == nil {
					t.Errorf("%s: %s=%s is taken", s.Name, p.Name, text)
				}
			}
			if p.About == "" || p.Default == "" {
				t.Errorf("%s: %s has default %q, about %q", s.Name, p.Name, p.Default, p.About)
			}
		}
		if _, err := s.New(map[string]string{"no such": "1"}); err == nil || !strings.Contains(err.Error(), s.Name) {
			t.Errorf("%s: error %v", s.Name, err)
		}
	}
}

// Every solver makes small what it says. How much is measured here by the scores of the
// rows alone: at w = 0 all are the same.
func TestEverySolverSolves(t *testing.T) {
	task := task(t)
	runnable(t, func(t *testing.T, s solvers.Solver) {
		result, err := solve(t, s, task, solvers.Settings{MaxEpochs: 60, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if result.Solver != s.Name {
			t.Errorf("the result is by %s", result.Solver)
		}
		if result.Minimised != s.Objective {
			t.Errorf("the result says that the solver minimised %v, the registry %v", result.Minimised, s.Objective)
		}
		scores := make([]float64, task.X.Rows())
		if err := task.X.MulVec(nil, scores, result.Weights); err != nil {
			t.Fatal(err)
		}
		measured, least := quality(t, s.Objective, &task, scores)
		start, _ := quality(t, s.Objective, &task, make([]float64, len(scores)))
		if measured < least || start >= least {
			t.Errorf("quality %v, %v at the start, want at least %v", measured, start, least)
		}
	})
}

// quality measures scores by what an objective wants, from its definition, and says how
// much is at least expected of a solver.
func quality(t *testing.T, o solvers.Objective, task *solvers.Task, scores []float64) (measured, least float64) {
	t.Helper()
	losses := make([]float64, len(scores))
	for i, s := range scores {
		losses[i] = math.Log1p(math.Exp(-task.Y[i] * s))
	}
	mean := func(losses []float64) (sum float64) {
		for _, l := range losses {
			sum += l / float64(len(losses))
		}
		return sum
	}
	var err error
	switch o {
	case solvers.MeanLoss, solvers.SparseLoss:
		return -mean(losses), -0.55
	case solvers.RankedRange:
		slices.Sort(losses)
		slices.Reverse(losses)
		return -mean(losses[task.M:task.N]), -0.65
	case solvers.AveragePrecision:
		measured, err = metrics.AveragePrecision(scores, task.Y, nil)
	case solvers.PartialAUC, solvers.StructuralSVM:
		_, measured, err = metrics.PartialAUC(scores, task.Y, nil, task.Low, task.High, task.MinTPR)
	default:
		t.Fatalf("no measure for %v", o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return measured, 0.65
}

// TestAccepts: what a solver's Accepts names has an effect on it, and nothing else has.
func TestAccepts(t *testing.T) {
	repeat.Skip(t)
	plain := task(t)
	perceptron, err := score.NewPerceptron(plain.X, score.Network{Features: plain.X.Cols(), Hidden: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	offsets := make([]float64, len(plain.Y))
	for i := range offsets {
		offsets[i] = float64(i%5) / 4
	}
	runnable(t, func(t *testing.T, s solvers.Solver) {
		want := weights(t, s, plain, brief(s))

		// says compares the weights of a changed task with what Accepts says of the change.
		says := func(what string, accepts bool, change func(*solvers.Task, *solvers.Settings)) {
			task, settings := plain, brief(s)
			change(&task, &settings)
			if changed := !slices.Equal(weights(t, s, task, settings), want); changed != accepts {
				t.Errorf("%s: the weights change is %v, Accepts says %v", what, changed, accepts)
			}
		}
		says("Batch", s.Accepts.Batch, func(_ *solvers.Task, s *solvers.Settings) { s.BatchSize = 7 })
		says("Weights", s.Accepts.Weights, func(task *solvers.Task, _ *solvers.Settings) {
			task.SampleWeight = make([]float64, len(task.Y))
			for i := range task.SampleWeight {
				task.SampleWeight[i] = float64(1+i%3) / 2
			}
		})
		says("Losses", s.Accepts.Losses, func(task *solvers.Task, _ *solvers.Settings) { task.Loss = loss.SquaredHinge{} })
		says("Rates", s.Accepts.Rates, func(task *solvers.Task, _ *solvers.Settings) { task.High = 0.125 })
		twoWay := func(task *solvers.Task, _ *solvers.Settings) { task.MinTPR = 0.6 }
		if s.Objective != solvers.StructuralSVM {
			says("MinTPR", s.Accepts.MinTPR, twoWay)
		}
		says("RankedRange", s.Accepts.RankedRange, func(task *solvers.Task, _ *solvers.Settings) { task.M, task.N = 3, 30 })

		// An intercept and offsets are refused where they have no effect.
		for what, c := range map[string]struct {
			accepts bool
			change  func(*solvers.Task)
		}{
			"Intercept": {s.Accepts.Intercept, func(task *solvers.Task) { task.Intercept = true }},
			"Offsets":   {s.Accepts.Offsets, func(task *solvers.Task) { task.Offset = offsets }},
		} {
			task := plain
			task.X = plain.X.WithBias(1)
			without := weights(t, s, task, brief(s))
			c.change(&task)
			result, err := solve(t, s, task, brief(s))
			if changed := err == nil && !slices.Equal(result.Weights, without); changed != c.accepts || (err != nil) == c.accepts {
				t.Errorf("%s: the weights change is %v, error %v, Accepts says %v", what, changed, err, c.accepts)
			}
		}

		// refused is for what ends in an error where it has no meaning.
		refused := func(what string, accepts bool, change func(*solvers.Task, *solvers.Settings)) {
			task, settings := plain, brief(s)
			change(&task, &settings)
			if result, err := solve(t, s, task, settings); (err == nil) != accepts {
				t.Errorf("%s: error %v, Accepts says %v", what, err, accepts)
			} else if err != nil && result != nil {
				t.Errorf("%s: a result beside the error %v", what, err)
			}
		}
		refused("Gap", s.Accepts.Gap, func(_ *solvers.Task, s *solvers.Settings) { s.GapTolerance = 1e-3 })
		refused("Shards", s.Accepts.Shards, func(_ *solvers.Task, s *solvers.Settings) { s.Shards = 4 })
		refused("L1", s.Accepts.L1, func(task *solvers.Task, _ *solvers.Settings) { task.Penalty = penalty.L1{Lambda: 0.02} })
		refused("MinTPR", s.Objective != solvers.StructuralSVM, twoWay)
		refused("NoRegulariser", s.Accepts.NoRegulariser, func(task *solvers.Task, _ *solvers.Settings) { task.Penalty = penalty.Ridge{Lambda: 0} })

		hidden := plain
		hidden.Model = perceptron
		result, err := solve(t, s, hidden, brief(s))
		switch {
		case s.Accepts.Hidden && (err != nil || len(result.Weights) != perceptron.Parameters()):
			t.Errorf("Hidden: error %v, or not the perceptron's weights", err)
		case !s.Accepts.Hidden && err == nil && !slices.Equal(result.Weights, want):
			t.Errorf("Hidden: a model has an effect, Accepts says that it has none")
		}
	})
}

// Compositions are not posed by rows and labels, and say so.
func TestCompositionsRefuseRows(t *testing.T) {
	task, number := task(t), 0
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition {
			continue
		}
		number++
		if result, err := solve(t, s, task, brief(s)); err == nil || result != nil || !strings.Contains(err.Error(), "build a Problem") {
			t.Errorf("%s: error %v", s.Name, err)
		}
	}
	if number == 0 {
		t.Error("no solver of compositions")
	}
}

// plain is a loss without any optional part, and not one of the list.
type plain struct{ loss.Loss }

func (plain) String() string { return "plain" }

// TestPlainLoss: a loss without any optional part reaches no code of another loss. A solver refuses
// it, and names what it lacks, or minimises it without it.
func TestPlainLoss(t *testing.T) {
	runnable(t, func(t *testing.T, s solvers.Solver) {
		if !s.Accepts.Losses {
			t.Skip("takes no loss")
		}
		posed := task(t)
		want, err := solve(t, s, posed, brief(s))
		if err != nil {
			t.Fatal(err)
		}
		posed.Loss = plain{posed.Loss}
		var lacks *loss.LacksError
		switch r, err := solve(t, s, posed, brief(s)); {
		case errors.As(err, &lacks) && lacks.Loss == posed.Loss:
			t.Log(err)
		case err != nil:
			t.Error(err)
		case math.Abs(r.Objective-want.Objective) > 0.1*want.Objective:
			t.Errorf("an objective of %v, not %v", r.Objective, want.Objective)
		}
	})
}

// bare is the absolute value of the first weight: a penalty without any optional part.
type bare struct{}

func (bare) String() string            { return "bare" }
func (bare) Check(int) error           { return nil }
func (bare) Value(w []float64) float64 { return math.Abs(w[0]) }
func (bare) Prox(w []float64, step float64) {
	w[0] = math.Copysign(max(math.Abs(w[0])-step, 0), w[0])
}

// TestPlainPenalty: a penalty without any optional part reaches no code of another penalty. A solver
// refuses it, and names what it lacks.
func TestPlainPenalty(t *testing.T) {
	runnable(t, func(t *testing.T, s solvers.Solver) {
		posed := task(t)
		posed.Penalty = bare{}
		var lacks *penalty.LacksError
		if r, err := solve(t, s, posed, brief(s)); !errors.As(err, &lacks) || lacks.Penalty != posed.Penalty || r != nil {
			t.Errorf("error %v", err)
		}
	})
}

func TestNoTask(t *testing.T) {
	for _, s := range registry.All() {
		ready, err := s.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		if result, err := ready.Solve(context.Background(), nil, solvers.Settings{}); err == nil || result != nil {
			t.Errorf("%s: result %v, error %v", s.Name, result, err)
		}
	}
}
