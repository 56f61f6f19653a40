package registry_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/shards"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// task returns a small task for a solver of rows: logistic losses, and ranges that leave something of
// the negative rows out.
func task(t *testing.T, s solvers.Solver) (posed solvers.Task) {
	t.Helper()
	data, err := synthetic.Shape{Name: "dense", N: 60, D: 4, Seed: 3}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	posed = solvers.Task{Problem: solvers.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.005}}, High: 0.5, M: 6, N: 60}
	solvetest.Only(s.Accepts, &posed, new(solvers.Settings))
	return posed
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
	runnable(t, func(t *testing.T, s solvers.Solver) {
		task := task(t, s)
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

// asking has for each part what asks a solver for it.
var asking = map[solvers.Parts]func(*solvers.Task, *solvers.Settings){
	solvers.Shards:    func(_ *solvers.Task, s *solvers.Settings) { s.Shards = 4 },
	solvers.Processes: func(_ *solvers.Task, s *solvers.Settings) { s.Shards, s.Ranks = 4, shards.Alone{} },
	solvers.Intercept: func(t *solvers.Task, _ *solvers.Settings) { t.Intercept = true },
	solvers.Offsets: func(t *solvers.Task, _ *solvers.Settings) {
		t.Offset = make([]float64, len(t.Y))
		for i := range t.Offset {
			t.Offset[i] = float64(i%5) / 4
		}
	},
	solvers.Losses: func(t *solvers.Task, _ *solvers.Settings) { t.Loss = loss.SquaredHinge{} },
	solvers.NonconvexLosses: func(t *solvers.Task, s *solvers.Settings) {
		t.Loss, t.Y, s.Validation = loss.InverseGaussian{}, slices.Clone(t.Y), nil
		for i, y := range t.Y {
			t.Y[i] = y + 1.5
		}
	},
	solvers.SteepLosses: func(t *solvers.Task, _ *solvers.Settings) {
		t.Loss, t.Y = loss.Poisson{}, slices.Clone(t.Y)
		for i, y := range t.Y {
			t.Y[i] = y + 1
		}
	},
	solvers.PlainLosses:    func(t *solvers.Task, _ *solvers.Settings) { t.Loss = plain{loss.SquaredHinge{}} },
	solvers.PrimalLosses:   func(t *solvers.Task, _ *solvers.Settings) { t.Loss = loss.Probit{} },
	solvers.KinkedLosses:   func(t *solvers.Task, _ *solvers.Settings) { t.Loss = loss.Hinge{} },
	solvers.L1:             func(t *solvers.Task, _ *solvers.Settings) { t.Penalty = penalty.ElasticNet{L1: 0.02, L2: 0.005} },
	solvers.PlainPenalties: func(t *solvers.Task, _ *solvers.Settings) { t.Penalty = bare{} },
	solvers.NoRegulariser:  func(t *solvers.Task, _ *solvers.Settings) { t.Penalty = nil },
	solvers.Weights: func(t *solvers.Task, _ *solvers.Settings) {
		t.SampleWeight = make([]float64, len(t.Y))
		for i := range t.SampleWeight {
			t.SampleWeight[i] = float64(1+i%3) / 2
		}
	},
	solvers.Rates:     func(t *solvers.Task, _ *solvers.Settings) { t.High = 0.125 },
	solvers.MinTPR:    func(t *solvers.Task, _ *solvers.Settings) { t.MinTPR = 0.6 },
	solvers.RankRange: func(t *solvers.Task, _ *solvers.Settings) { t.M, t.N = 3, 30 },
	solvers.Hidden: func(t *solvers.Task, _ *solvers.Settings) {
		t.Model = direct.Value(score.NewPerceptron(t.X, score.Network{Features: t.X.WithBias(0).Cols(), Hidden: []int{2}}))
	},
	solvers.Gap:   func(_ *solvers.Task, s *solvers.Settings) { s.Validation, s.GapTolerance = nil, 1e3 },
	solvers.Batch: func(_ *solvers.Task, s *solvers.Settings) { s.BatchSize = 7 },
}

// besides has the parts that are asked for with another one.
var besides = map[solvers.Parts]solvers.Parts{
	solvers.Processes:       solvers.Shards,
	solvers.NonconvexLosses: solvers.Losses | solvers.SteepLosses | solvers.PlainLosses | solvers.PrimalLosses,
	solvers.SteepLosses:     solvers.Losses | solvers.PrimalLosses,
	solvers.PlainLosses:     solvers.Losses | solvers.PrimalLosses,
	solvers.PrimalLosses:    solvers.Losses,
	solvers.KinkedLosses:    solvers.Losses,
	solvers.PlainPenalties:  solvers.L1 | solvers.NoRegulariser,
}

// TestAccepts asks every solver for every part. A part of its Accepts has an effect; every other one is
// refused by an error that names it, the solver, and solvers that take the part.
func TestAccepts(t *testing.T) {
	repeat.Skip(t)
	runnable(t, func(t *testing.T, s solvers.Solver) {
		posed := task(t, s)
		posed.X = posed.X.WithBias(1)
		want := weights(t, s, posed, brief(s))
		for part := solvers.Parts(1); solvers.AllParts.Has(part); part <<= 1 {
			asked, settings := posed, brief(s)
			asking[part](&asked, &settings)
			result, err := solve(t, s, asked, settings)
			var lacks *solvers.LacksError
			first := ((part | besides[part]) &^ s.Accepts).First()
			switch {
			case first == 0 && err != nil:
				t.Errorf("part %v: error %v", lacking(part), err)
			case first == 0 && slices.Equal(result.Weights, want):
				t.Errorf("part %v has no effect", lacking(part))
			case first == 0:
			case !errors.As(err, &lacks) || result != nil || lacks.Solver != s.Name || lacks.Family != s.Family || lacks.Part != first:
				t.Errorf("part %v: result %v, error %v", lacking(part), result, err)
			case first != solvers.PlainPenalties && !strings.Contains(err.Error(), "; take "):
				t.Errorf("no way out: %v", err)
			}
		}
	})
}

// lacking says what a solver says of a part.
func lacking(part solvers.Parts) string { return (&solvers.LacksError{Part: part}).Reason() }

// TestTakers: an error names the solvers that take the part, or what they minimise.
func TestTakers(t *testing.T) {
	svrg, err := registry.Find("svrg")
	if err != nil {
		t.Fatal(err)
	}
	prox, err := registry.Find("prox-sdca")
	if err != nil {
		t.Fatal(err)
	}
	const plain = "sdca: prox-sdca needs a penalty with lambda above 0; take a solver whose objective is mean loss and L1 norm, or mean loss"
	asked := task(t, prox)
	asked.Penalty = nil
	if _, err := solve(t, prox, asked, brief(prox)); err == nil || err.Error() != plain {
		t.Errorf("error %v, want %s", err, plain)
	}
	for part, want := range map[solvers.Parts]string{
		solvers.Shards:  "erm: svrg needs all rows in memory, and takes no shards; take the solver proximal-newton, newton, prox-sdca or sdca-newton",
		solvers.L1:      "erm: svrg takes no penalty but a ridge: the penalty l1 0.02, ridge 0.005 has no gradient lambda w; take the solver proximal-newton",
		solvers.Offsets: "erm: svrg takes no offsets of rows; take the solver proximal-newton, newton, prox-sdca or sdca-newton",
		solvers.Hidden:  "erm: svrg trains linear scores alone; take a solver whose objective is 1 - average precision, or 1 - partial AUC, or mean loss of the range",
	} {
		asked, settings := task(t, svrg), brief(svrg)
		asking[part](&asked, &settings)
		if _, err := solve(t, svrg, asked, settings); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Compositions are not posed by rows and labels, and say so.
func TestCompositionsRefuseRows(t *testing.T) {
	number := 0
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition {
			continue
		}
		number++
		if result, err := solve(t, s, task(t, s), brief(s)); err == nil || result != nil || !strings.Contains(err.Error(), "build a Problem") {
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
		posed := task(t, s)
		want, err := solve(t, s, posed, brief(s))
		if err != nil {
			t.Fatal(err)
		}
		posed.Loss = plain{posed.Loss}
		var lacks *loss.LacksError
		switch r, err := solve(t, s, posed, brief(s)); {
		case errors.As(err, &lacks) == s.Accepts.Has(solvers.PlainLosses):
			t.Errorf("error %v", err)
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
		posed := task(t, s)
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
