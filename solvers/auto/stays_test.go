package auto

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestResultsStay: runs reuse the vectors of runs before them, but never the weights of a result.
// The runs end within a tolerance and without one, by every method, and with a column left out.
func TestResultsStay(t *testing.T) {
	var results []*solvers.Result
	var kept [][]float64
	for round := range 4 {
		for _, spec := range []string{"onehot:n=300", "text:n=300,d=3000", "wide:n=200,d=300000"} {
			for _, lambda := range []float64{1e-2, 1e-9} { // dual steps hand over to Newton's method for the second
				for _, passes := range []float64{3, 1000} {
					g := solvetest.Generate(t, spec, uint64(round))
					p := &erm.Problem{X: g.X, Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda}}
					r, err := Solve(t.Context(), p, solvers.Settings{MaxEpochs: passes, GapTolerance: 1e-6, Workers: 1})
					if err != nil {
						t.Fatal(err)
					}
					results, kept = append(results, r), append(kept, slices.Clone(r.Weights))
				}
			}
		}
	}
	for k, r := range results {
		if !slices.Equal(r.Weights, kept[k]) {
			t.Errorf("result %d of %d is no longer what it was: %v by %s", k, len(results), r.Status, r.Solver)
		}
	}
}
