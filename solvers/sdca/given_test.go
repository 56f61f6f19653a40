package sdca

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestResumedWithoutItsPoint: a run from a given point resumes to the same bits without the
// point, also if it was cut before its first pass. One problem has very many empty columns, which
// a run from 0 would leave out. In another, 0 would meet the tolerance.
func TestResumedWithoutItsPoint(t *testing.T) {
	small := randomProblem(t, loss.Logistic{}, 300, 40, 6, 1e-6, true)
	long := *small
	long.Penalty = penalty.Ridge{Lambda: 1e-9}
	g := solvetest.Generate(t, "wide:n=100,d=262144", 1)
	wide := &erm.Problem{X: g.X, Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1e-9}}
	if !matrix.CompactingPays(wide.X) {
		t.Fatal("all columns stay")
	}
	past, cancel := context.WithCancel(context.Background())
	cancel()
	for name, p := range map[string]*erm.Problem{"small": small, "long rows": &long, "wide": wide} {
		for _, m := range []Method{Prox{}, Hybrid{}} {
			for _, size := range []float64{1e-3, 1e3} {
				if p == wide && size < 1 {
					continue
				}
				start := make([]float64, p.X.Cols())
				for j := range start {
					start[j] = float64(size * float64(j%7-2))
				}
				given := solvers.Settings{Initial: start, MaxEpochs: 12, Seed: 4}
				if p == small && size > 1 {
					given.GapTolerance = 1
				}
				want := solve(t, p, m, given)
				for _, cut := range repeat.Size([]int64{0, 150}, []int64{150}) {
					s, ctx := given, context.Background()
					s.Checkpoint, s.MaxIterations = filepath.Join(t.TempDir(), "run"), cut
					if cut == 0 {
						ctx = past
					}
					Solve(ctx, p, m, s)
					s.MaxIterations, s.Resume, s.Initial = 0, s.Checkpoint, nil
					got := solve(t, p, m, s)
					solvetest.SameBits(t, name+", "+m.Name(), got, want)
					if math.Float64bits(got.Gap) != math.Float64bits(want.Gap) {
						t.Errorf("%s, %s, size %v, cut at %d: gap %v, not %v", name, m.Name(), size, cut, got.Gap, want.Gap)
					}
				}
			}
		}
	}
}
