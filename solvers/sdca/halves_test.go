package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// halvesAlways has two workers share the groups of all logistic problems, until the test ends.
func halvesAlways(t *testing.T) {
	least := halvesLeast
	halvesLeast.columns, halvesLeast.entries, halvesLeast.nonZeros = 0, 0, 0
	t.Cleanup(func() { halvesLeast = least })
}

// TestHalvesByDefinition: two passes against a dense program whose steps see the w of before
// their group, for any number of workers.
func TestHalvesByDefinition(t *testing.T) {
	halvesAlways(t)
	x, y := generated(t, "text:n=300,d=2000", 3)
	p := &erm.Problem{X: x.WithBias(0.5), Y: y, Loss: kernels.Logistic, Lambda: 1. / 300}
	want := groupsByDefinition(p, 9)
	for workers := 1; workers <= 2; workers++ {
		r := solve(t, p, Hybrid{}, solvers.Settings{MaxPasses: 2, Seed: 9, Workers: workers, RecordEvery: 2})
		for j := range want {
			if math.Abs(r.Weights[j]-want[j]) > 1e-9*(1+math.Abs(want[j])) {
				t.Fatalf("%d workers: weight %d is %v, not %v", workers, j, r.Weights[j], want[j])
			}
		}
	}
}

// Shared groups have the same bits on every CPU path and architecture, for any number of workers,
// and through a cut anywhere.
func TestHalvesBits(t *testing.T) {
	halvesAlways(t)
	x, y := generated(t, "text:n=800,d=700", 2)
	p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / float64(len(y))}
	cuts := []int64{0, 1, 799, 801, 2222}
	if testing.Short() {
		cuts = []int64{0, 2222}
	}
	want := sameWhereverCut(t, "halves", p, solvers.Settings{MaxPasses: 6, Seed: 3}, []int{1, 2, 5}, cuts)
	if got := solvers.HashWeights(append(want.Weights, want.Gap))[:16]; got != "8490d106f9f318ee" {
		t.Errorf("%q", got)
	}
}

// Shared groups take about the passes that rows one by one take, on equal rows too, and there
// are none where the rows are so long that equal ones would undo one another's steps.
func TestHalvesConverge(t *testing.T) {
	text, y := generated(t, "text:n=500,d=900", 4)
	equal := make([]uint32, 500)
	same, err := text.PickRows(nil, equal)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []float64{0.1, 1, 10} {
		for name, p := range map[string]*erm.Problem{"text": {X: text, Y: y}, "equal rows": {X: same, Y: y}} {
			p.Loss, p.Lambda = kernels.Logistic, 1/(c*500)
			s := solvers.Settings{GapTolerance: 1e-5, MaxPasses: 500, Seed: 1}
			before := solve(t, p, Prox{}, s)
			t.Run("", func(t *testing.T) {
				halvesAlways(t)
				after := solve(t, p, Hybrid{}, s)
				if after.Status != solvers.Converged || after.Total.Passes > 1.5*before.Total.Passes+2 {
					t.Errorf("%s, C = %v: %v after %v passes, not %v", name, c, after.Status, after.Total.Passes, before.Total.Passes)
				}
			})
		}
	}
	halvesAlways(t)
	p := &erm.Problem{X: text, Y: y, Loss: kernels.Logistic}
	if !shares(p, longMean) || shares(p, 2*longMean) {
		t.Error("groups of long rows")
	}
	if p.Loss = kernels.Squared; shares(p, 1) {
		t.Error("groups for a loss whose dual variables have no bounds")
	}
}
