package sdca

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestHandedOverNumbering: when Newton's method takes over, it numbers the columns by frequency.
// Points, starting points and resumed states have the caller's numbers.
func TestHandedOverNumbering(t *testing.T) {
	if testing.Short() {
		t.Skip("half a million columns")
	}
	g := solvetest.Generate(t, "wide:n=1200,d=524288", 1)
	p := &erm.Problem{X: g.X, Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1e-300}, SampleWeight: make([]float64, g.X.Rows())}
	if !run.ProductsGain(p.X) {
		t.Fatal("the matrix is too small for the test")
	}
	for i := range p.SampleWeight {
		p.SampleWeight[i] = 1
	}
	p.SampleWeight[0] = 1e12 // too much for a dual step: Newton's method begins at once
	start := make([]float64, p.X.Cols())
	for j := range start {
		start[j] = 1e-3 * p.Y[0] * float64(j%7) // better than 0
	}
	// Newton's method works without the columns that have no entry.
	if _, numbering := run.RenumberUsed(p.X, nil); numbering.Used() == p.X.Cols() {
		t.Fatal("every column has an entry")
	}
	for _, initial := range [][]float64{start, nil} {
		first := make([]float64, p.X.Cols())
		copy(first, initial)
		var trace solvers.Trace
		s := solvers.Settings{MaxIterations: 2, Initial: initial, Recorder: &trace}
		want := solve(t, p, Hybrid{}, s)
		full := newObjective(p, nil, nil)
		if e := full.evaluate(first); len(trace) < 2 || math.Abs(trace[0].Objective-e.Objective) > 1e-12*e.Objective {
			t.Errorf("the run begins at %+v, which is %v", trace, e.Objective)
		}
		if e := full.evaluate(want.Weights); math.Abs(e.Objective-want.Objective) > 1e-12*e.Objective || !(want.Objective < trace[0].Objective) {
			t.Errorf("the result claims %v, its weights have %v", want.Objective, e.Objective)
		}
		s.Recorder, s.MaxIterations, s.Checkpoint = nil, 1, filepath.Join(t.TempDir(), "run")
		solve(t, p, Hybrid{}, s)
		s = solvers.Settings{MaxIterations: 2, Resume: s.Checkpoint}
		solvetest.SameBits(t, "resumed", solve(t, p, Hybrid{}, s), want)
	}
}
