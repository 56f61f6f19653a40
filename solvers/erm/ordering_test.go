package erm

import (
	"context"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestOrdering: rows sorted by length, with their labels and weights, pose the same problem. Only
// a method without an order of its own gets them.
func TestOrdering(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, risk.LeastOrdered, 40, 6, 1e-3, true)
	list := matrix.RowsByLength(p.X, nil)
	sorted := risk.Pick(p, nil, list)
	if slices.IsSorted(list) {
		t.Fatal("the rows are in order")
	}
	fit := func(p *Problem, m Method) []float64 {
		t.Helper()
		r, err := Solve(context.Background(), p, m, solvers.Settings{MaxEpochs: 100, GapTolerance: 1e-8})
		if err != nil || r.Status != solvers.Converged {
			t.Fatal(err, r.Status)
		}
		if e := newObjective(p, nil, nil).evaluate(r.Weights); e.Gap > 1.01e-8 {
			t.Errorf("%s: a gap of %v", m.Name(), e.Gap)
		}
		return r.Weights
	}
	if !slices.Equal(fit(p, Newton{}), fit(sorted, Newton{})) {
		t.Error("the bits depend on the order of rows of other lengths")
	}
	if ordered(p, SVRG{}, nil) != p || ordered(p, Newton{}, nil) == p {
		t.Error("the wrong method takes the rows by their lengths")
	}
	few := *p
	var err error
	if few.X, err = p.X.PickRows(nil, list[1:]); err != nil {
		t.Fatal(err)
	}
	if ordered(&few, Newton{}, nil) != &few {
		t.Error("few rows are copied")
	}
	long := randomProblem(t, loss.Logistic{}, risk.LeastOrdered, 2*risk.LongOrdered+30, risk.LongOrdered+15, 1e-3, false)
	if mean := long.X.NNZ() / risk.LeastOrdered; mean <= risk.LongOrdered || ordered(long, Newton{}, nil) != long {
		t.Errorf("rows of %d entries are copied, or too short for the test", mean)
	}
}
