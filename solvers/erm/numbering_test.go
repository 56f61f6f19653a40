package erm

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/solvetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// firstWeights measures the weights of a few columns, so that wrong numbers show.
type firstWeights struct{ seen []float64 }

func (*firstWeights) Name() string         { return "first" }
func (*firstWeights) HigherIsBetter() bool { return true }
func (m *firstWeights) Measure(w []float64) (float64, error) {
	m.seen = append(m.seen[:0], w...)
	return kernels.SquaredNorm(w), nil
}

// TestRenumbering: results, starting points and validation are in the caller's
// numbers, and runs resume to the same bits.
func TestRenumbering(t *testing.T) {
	p := newtonProblem(t, "wide:n=640,d=262144", kernels.Logistic, 1./640)
	if !p.X.RenumberingPays() {
		t.Fatal("the matrix is too small for the test")
	}
	start := make([]float64, p.X.Cols())
	for j := range start {
		start[j] = 1e-3 * float64(j%7)
	}

	for _, m := range []Method{AISARAH{}, SVRG{Step: 0.5}} {
		validation := &firstWeights{}
		s := solvers.Settings{MaxIterations: 30, Seed: 2, Workers: 2, Initial: start, Validation: validation, Patience: 1000}
		got := mustSolve(t, p, m, s)
		if e := newObjective(p, nil).evaluate(got.Weights); math.Abs(e.Objective-got.Objective) > 1e-12*got.Objective {
			t.Errorf("%s: the result claims %v, its weights have %v", m.Name(), got.Objective, e.Objective)
		}
		if !slices.Equal(validation.seen, got.Weights) {
			t.Errorf("%s: the last point measured is not the result", m.Name())
		}
		s.Validation, s.Workers = nil, 1
		again := mustSolve(t, p, m, s)
		path := filepath.Join(t.TempDir(), "checkpoint")
		s.MaxIterations, s.Checkpoint = 11, path
		mustSolve(t, p, m, s)
		s.Initial, s.Checkpoint, s.Resume, s.MaxIterations = nil, "", path, 30
		resumed, err := Solve(context.Background(), p, m, s)
		if err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, m.Name()+" resumed", resumed, again)
	}
}
