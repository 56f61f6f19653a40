package erm

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// byColumn measures weights so that wrong numbers show.
type byColumn struct{}

func (byColumn) Name() string         { return "by column" }
func (byColumn) HigherIsBetter() bool { return true }
func (byColumn) Measure(w []float64) (float64, error) {
	sum := 0.0
	for j, v := range w {
		sum = math.FMA(float64(j%1009), v*v, sum)
	}
	return sum, nil
}

// half has half a million columns, enough for products to gain by renumbering, and a
// starting point.
func half(t *testing.T) (*Problem, []float64) {
	t.Helper()
	g := solvetest.Generate(t, "wide:n=1200,d=524288", 1)
	p := &Problem{X: g.X, Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / 1200}}
	if !run.ProductsGain(p.X) {
		t.Fatal("the matrix is too small for the test")
	}
	start := make([]float64, p.X.Cols())
	for j := range start {
		start[j] = 1e-3 * float64(j%7)
	}
	return p, start
}

// TestRenumbering: results, starting points and validation are in the caller's
// numbers, and runs resume to the same bits.
func TestRenumbering(t *testing.T) {
	p := newtonProblem(t, "wide:n=640,d=262144", loss.Logistic{}, 1./640)
	if !matrix.RenumberingPays(p.X) {
		t.Fatal("the matrix is too small for the test")
	}
	start := make([]float64, p.X.Cols())
	for j := range start {
		start[j] = 1e-3 * float64(j%7)
	}

	for _, m := range []Method{AISARAH{}, SVRG{Step: 0.5}, Newton{}} {
		p, start, cut, iterations := p, start, int64(11), int64(30)
		if _, products := m.(Newton); products {
			if testing.Short() {
				continue // half a million columns
			}
			p, start = half(t)
			cut, iterations = 1, 3
		}
		s := solvers.Settings{MaxIterations: iterations, Seed: 2, Workers: 2, Initial: start, Validation: byColumn{}, Patience: 1000}
		got := mustSolve(t, p, m, s)
		if e := newObjective(p, nil, nil).evaluate(got.Weights); math.Abs(e.Objective-got.Objective) > 1e-12*got.Objective {
			t.Errorf("%s: the result claims %v, its weights have %v", m.Name(), got.Objective, e.Objective)
		}
		if want, _ := s.Validation.Measure(got.Weights); got.Metric != want {
			t.Errorf("%s: the result's metric is %v, the run measured %v", m.Name(), want, got.Metric)
		}
		s.Validation, s.Workers = nil, 1
		again := mustSolve(t, p, m, s)
		path := filepath.Join(t.TempDir(), "checkpoint")
		s.MaxIterations, s.Checkpoint = cut, path
		mustSolve(t, p, m, s)
		s.Initial, s.Checkpoint, s.Resume, s.MaxIterations = nil, "", path, iterations
		resumed, err := Solve(context.Background(), p, m, s)
		if err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, m.Name()+" resumed", resumed, again)
	}
}

// A loop that another method hands over to begins at the starting point where it was led
// astray, by the caller's numbers too.
func TestHandedAstrayNumbering(t *testing.T) {
	if testing.Short() {
		t.Skip("half a million columns")
	}
	p, _ := half(t)
	w, start := make([]float64, p.X.Cols()), make([]float64, p.X.Cols())
	if err := p.X.AddTrans(nil, start, p.Y); err != nil { // better than 0
		t.Fatal(err)
	}
	kernels.Scale(start, 1e-2, start)
	for j, v := range start {
		w[j] = -1e3 * v
	}
	var trace solvers.Trace
	s, err := run.Check(solvers.Settings{Initial: start, MaxEpochs: 1, Recorder: &trace}, len(w))
	if err != nil {
		t.Fatal(err)
	}
	loop, full := newtonFrom(p, nil, s, w), newObjective(p, nil, nil)
	if _, err := run.Drive(context.Background(), run.Run{Samples: p.X.Rows(), Columns: len(w), Loop: loop, Reports: true, Evaluate: full.evaluate}, s); err != nil {
		t.Fatal(err)
	}
	want := full.evaluate(start).Objective
	if len(trace) == 0 || math.Abs(trace[0].Objective-want) > 1e-12*want || !(want < math.Ln2) {
		t.Errorf("the loop begins at %+v, where the objective should be %v", trace, want)
	}
}
