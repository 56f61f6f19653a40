package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// momentum takes gradient steps with momentum, of all rows or of batches of consecutive rows.
type momentum struct {
	batch int // rows, 0 for all
}

func (m momentum) String() string { return fmt.Sprintf("momentum of batches of %d", m.batch) }

func (m momentum) Begin(p *Problem, w []float64) (Steps, error) {
	return &momentumSteps{m, p, w, make([]float64, len(w)), make([]float64, len(w)), make([]float64, 1)}, nil
}

type momentumSteps struct {
	momentum
	p           *Problem
	w, g, u, at []float64
}

func (l *momentumSteps) State() [][]float64 { return [][]float64{l.u, l.at} }

func (l *momentumSteps) Next(r *Run) {
	if l.batch == 0 {
		r.Gradient(l.g, l.w)
	} else {
		rows := make([]uint32, l.batch)
		for k := range rows {
			rows[k] = uint32(int(l.at[0])+k) % uint32(l.p.X.Rows())
		}
		l.at[0] = float64((int(l.at[0]) + l.batch) % l.p.X.Rows())
		if err := r.Batch(l.g, l.w, rows); err != nil {
			panic(err)
		}
	}
	for j, v := range l.g {
		l.u[j] = float64(0.8*l.u[j]) - float64(0.1*v)
		l.w[j] += l.u[j]
	}
}

func ownOf(t testing.TB, p Program) Method {
	t.Helper()
	m, err := Own(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ownProblem has weights, offsets and an intercept.
func ownProblem(t testing.TB, phi loss.Loss) *Problem {
	p := randomProblem(t, phi, 40, 4, 2, 0.05, true)
	p.X, p.Intercept, p.Offset = p.X.NormalizeUnit().WithBias(1), true, make([]float64, 40)
	for i := range p.Offset {
		p.Offset[i] = float64(i%3) / 4
		if !phi.Labels() {
			p.Y[i] = math.Floor(math.Abs(p.Y[i]))
		}
	}
	return p
}

// lastBits is a metric that takes any point for the best one.
type lastBits struct{}

func (lastBits) Name() string         { return "last bits" }
func (lastBits) HigherIsBetter() bool { return true }
func (lastBits) Measure(w []float64) (float64, error) {
	return float64(math.Float64bits(w[0]) % 1000), nil
}

// TestOwnResumes: a program's run that is cut anywhere goes on to the same bits.
func TestOwnResumes(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 90, 12, 4, 0.05, true)
	for _, batch := range []int{0, 16} {
		m := ownOf(t, momentum{batch: batch})
		s := solvers.Settings{MaxEpochs: 6, Workers: 1, Validation: lastBits{}, Patience: 1000}
		solvetest.SameWhereverCut(t, 1, func(int) int { return 1 }, s, func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
			return Solve(ctx, p, m, s)
		})
	}
}

// TestOwnIsCertified: the result of a program is as near to the optimum as its gap says. Losses
// have bounded and unbounded curvature, and stand beside an intercept, offsets and weights.
func TestOwnIsCertified(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.Huber{Delta: 0.5}, loss.Poisson{}} {
		p := ownProblem(t, phi)
		s := solvers.Settings{MaxEpochs: 3000, GapTolerance: 1e-8, Workers: 1}
		want := mustSolve(t, p, Newton{}, solvers.Settings{GapTolerance: 1e-13, Workers: 1})
		got := mustSolve(t, p, ownOf(t, momentum{}), s)
		if far := got.Objective - want.Objective; got.Status != solvers.Converged || !(far <= got.Gap+1e-12) || !(got.Gap <= 1e-8) {
			t.Errorf("%v: %v, %g above the optimum, gap %g", phi, got.Status, far, got.Gap)
		}
	}
}

// TestOwnBatch: the gradient of a batch is the gradient of the problem of its rows.
func TestOwnBatch(t *testing.T) {
	t.Parallel()
	p := ownProblem(t, loss.Logistic{})
	all := make([]uint32, 40)
	for i := range all {
		all[i] = uint32(i)
	}
	calls := 0
	m := ownOf(t, everyTime{func(r *Run, w []float64) {
		d := len(w)
		g, whole := make([]float64, d), make([]float64, d)
		for j := range w {
			w[j] = float64(j) / 8
		}
		if err := r.Batch(g, w, all); err != nil {
			t.Fatal(err)
		}
		r.Gradient(whole, w)
		for j, v := range g {
			if math.Abs(v-whole[j]) > 1e-14 {
				t.Errorf("slope %d is %v, of a batch of all rows %v", j, whole[j], v)
			}
		}
		for what, err := range map[string]error{
			"no rows": r.Batch(g, w, nil), "row 40": r.Batch(g, w, []uint32{40}), "a short point": r.Batch(g, w[1:], all), "a short gradient": r.Batch(g[1:], w, all),
		} {
			if err == nil {
				t.Errorf("%s pass", what)
			}
		}
		calls++
	}})
	if mustSolve(t, p, m, solvers.Settings{MaxIterations: 2, Workers: 1}); calls != 2 {
		t.Errorf("%d iterations", calls)
	}
}

// everyTime is a program that calls a function in every iteration.
type everyTime struct{ next func(r *Run, w []float64) }

func (everyTime) String() string { return "every time" }
func (c everyTime) Begin(_ *Problem, w []float64) (Steps, error) {
	return &everySteps{c, w}, nil
}

type everySteps struct {
	everyTime
	w []float64
}

func (l *everySteps) Next(r *Run)        { l.next(r, l.w) }
func (l *everySteps) State() [][]float64 { return nil }

// TestOwnEnds: a loop that asks for nothing spends its budget, and a point that is not finite ends it.
func TestOwnEnds(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 30, 5, 3, 0.05, false)
	if r := mustSolve(t, p, ownOf(t, everyTime{func(*Run, []float64) {}}), solvers.Settings{MaxEpochs: 2}); r.Total.Epochs != 2 || r.Status != solvers.BudgetReached {
		t.Errorf("%v after %v epochs", r.Status, r.Total.Epochs)
	}
	r := mustSolve(t, p, ownOf(t, everyTime{func(r *Run, w []float64) {
		r.Gradient(make([]float64, len(w)), w)
		w[0] = math.Inf(1)
	}}), solvers.Settings{})
	if r.Status != solvers.Diverged || r.Weights[0] != 0 {
		t.Errorf("%v at %v", r.Status, r.Weights)
	}
	// The vector of the result is not the loop's.
	r = mustSolve(t, p, ownOf(t, everyTime{func(r *Run, w []float64) {
		r.Gradient(make([]float64, len(w)), w)
		w[0] = 7
	}}), solvers.Settings{GapTolerance: 1e6})
	if r.Status != solvers.Converged || r.Weights[0] != 0 {
		t.Errorf("%v at %v", r.Status, r.Weights)
	}
}

// TestOwnRefused: a program has a name of its own, and no part that its gradients lack.
func TestOwnRefused(t *testing.T) {
	t.Parallel()
	if _, err := Own(nil); err == nil {
		t.Error("no program passes")
	}
	if _, err := Own(named("newton")); err == nil {
		t.Error("the name newton passes")
	}
	if _, err := Own(named("")); err == nil {
		t.Error("no name passes")
	}
	p := randomProblem(t, loss.Logistic{}, 30, 5, 3, 0.05, false)
	if _, err := Solve(t.Context(), p, ownOf(t, named("idle")), solvers.Settings{}); err == nil {
		t.Error("no loop passes")
	}
	var lacks *solvers.LacksError
	if _, err := Solve(t.Context(), p.With(penalty.L1{Lambda: 1}), ownOf(t, momentum{}), solvers.Settings{}); !errors.As(err, &lacks) || lacks.Part != solvers.L1 {
		t.Errorf("error %v", err)
	}
	if _, err := Solve(t.Context(), p, ownOf(t, momentum{}), solvers.Settings{Shards: 2}); !errors.As(err, &lacks) || lacks.Part != solvers.Shards {
		t.Errorf("error %v", err)
	}
}

// named is a program without a loop.
type named string

func (n named) String() string                         { return string(n) }
func (named) Begin(*Problem, []float64) (Steps, error) { return nil, nil }

// TestOwnDraws: rows and numbers follow from the seed and go on after a resume. A second gradient of the
// rows of a batch is no selection.
func TestOwnDraws(t *testing.T) {
	t.Parallel()
	p := ownProblem(t, loss.Logistic{})
	draws := func(seed uint64, most int64, s solvers.Settings) (drawn []float64, r *solvers.Result) {
		m := ownOf(t, everyTime{func(r *Run, w []float64) {
			rows, g := make([]uint32, 4), make([]float64, len(w))
			r.Rows(rows)
			for _, i := range rows {
				drawn = append(drawn, float64(i))
			}
			drawn = append(drawn, r.Random())
			for range 3 {
				if err := r.Batch(g, w, rows); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Batch(g, w, rows[:2]); err != nil {
				t.Fatal(err)
			}
		}})
		s.Seed, s.MaxIterations = seed, most
		return drawn, mustSolve(t, p, m, s)
	}
	whole, r := draws(3, 100, solvers.Settings{})
	if r.Total.Epochs != 100*6./40 || r.Total.GradientEvaluations < 100*14 || r.Total.GradientEvaluations > 100*14+20*40 {
		t.Errorf("%v epochs, %d gradients", r.Total.Epochs, r.Total.GradientEvaluations)
	}
	file := filepath.Join(t.TempDir(), "run")
	first, _ := draws(3, 37, solvers.Settings{Checkpoint: file})
	rest, _ := draws(3, 100, solvers.Settings{Resume: file})
	if !slices.Equal(append(first, rest...), whole) {
		t.Error("a resumed run draws other rows")
	}
	other, _ := draws(4, 100, solvers.Settings{})
	seen := map[float64]int{}
	for k, v := range whole {
		if k%5 < 4 {
			seen[v]++
		} else if !(v >= 0 && v < 1) {
			t.Errorf("a number %v", v)
		}
	}
	if slices.Equal(other, whole) || len(seen) != 40 {
		t.Errorf("%d of 40 rows are drawn: %v", len(seen), seen)
	}
}

// TestOwnSolver: what text sets of a program's solver, and what it refuses.
func TestOwnSolver(t *testing.T) {
	t.Parallel()
	var given map[string]float64
	s, err := OwnSolver("every time", "about", []solvers.Parameter{{Name: "step"}}, func(set map[string]float64) (Program, error) {
		if given = set; set["step"] < 0 {
			return nil, errors.New("step is negative")
		}
		return everyTime{func(r *Run, w []float64) { r.Gradient(make([]float64, len(w)), w) }}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ready, err := s.New(map[string]string{"step": "1/4"})
	if err != nil || given["step"] != 0.25 || len(given) != 1 {
		t.Fatalf("%v, %v", given, err)
	}
	r, err := ready.Solve(t.Context(), &solvers.Task{Problem: *ownProblem(t, loss.Logistic{})}, solvers.Settings{MaxIterations: 2})
	if err != nil || r.Solver != "every time" {
		t.Errorf("%+v, %v", r, err)
	}
	var lacks *solvers.LacksError
	if _, err := ready.Solve(t.Context(), &solvers.Task{Problem: *ownProblem(t, loss.Logistic{}), Low: 0.1}, solvers.Settings{}); !errors.As(err, &lacks) {
		t.Errorf("rates: %v", err)
	}
	if _, err := ready.Solve(t.Context(), nil, solvers.Settings{}); err == nil {
		t.Error("no task passes")
	}
	for key, value := range map[string]string{"step": "-1", "Step": "1", "nosuch": "1", "step ": "x"} {
		if _, err := s.New(map[string]string{key: value}); err == nil {
			t.Errorf("%s=%s passes", key, value)
		}
	}
	if _, err := s.New(map[string]string{"step": "x"}); err == nil {
		t.Error("a step that is no number passes")
	}
	if _, err := OwnSolver("", "about", nil, nil); err == nil {
		t.Error("a solver without a name passes")
	}
}

// TestOwnBatchOfSome: a batch of some rows, one of them twice, has the gradient of the problem of these
// rows. Batches count as samples, and a point is evaluated once they make up a pass.
func TestOwnBatchOfSome(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Huber{Delta: 0.25}, loss.Poisson{}} {
		p := ownProblem(t, phi)
		rows, want := []uint32{7, 31, 7, 0, 39}, make([]float64, p.X.Cols())
		iterations, evaluated := 0, 0
		m := ownOf(t, everyTime{func(r *Run, w []float64) {
			for j := range w {
				w[j] = float64(j+1) / 8
			}
			clear(want)
			for _, i := range rows {
				z := p.Offset[i]
				for j, x := range p.X.Row(int(i)) {
					z += x * w[j]
				}
				_, slope := loss.At(phi, z, p.Y[i])
				for j, x := range p.X.Row(int(i)) {
					want[j] += p.SampleWeight[i] * slope * x / 5
				}
			}
			g := make([]float64, len(w))
			for j := range g {
				if g[j] = 9; j < len(w)-1 { // the intercept has no penalty
					want[j] += 0.05 * w[j]
				}
			}
			if err := r.Batch(g, w, rows); err != nil {
				t.Fatal(err)
			}
			for j, v := range g {
				if math.Abs(v-want[j]) > 1e-14*(1+math.Abs(want[j])) {
					t.Errorf("%v: slope %d is %v, not %v", phi, j, v, want[j])
				}
			}
			if iterations++; r.since == 5 {
				evaluated++
			}
		}})
		result := mustSolve(t, p, m, solvers.Settings{MaxIterations: 17, Workers: 1})
		if got := result.Total.GradientEvaluations; iterations != 17 || got < 17*5 || got > 17*5+3*40 || evaluated != 3 {
			t.Errorf("%v: %d iterations, %d gradients, %d passes begun", phi, iterations, got, evaluated)
		}
	}
}
