package sdca

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/internal/pathtest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// lateAlways has late steps for all logistic problems, until the test ends.
func lateAlways(t *testing.T) {
	least := lateLeast
	lateLeast.columns, lateLeast.entries, lateLeast.nonZeros = 0, 0, 0
	t.Cleanup(func() { lateLeast = least })
}

// A margin is that before the step on the row ahead, which is the only one that it misses,
// and none at the beginning of a pass.
func TestLateStepsByDefinition(t *testing.T) {
	lateAlways(t)
	x, y := generated(t, "text:n=300,d=400", 3)
	p := &erm.Problem{X: x.WithBias(0.5), Y: y, Loss: kernels.Logistic, Lambda: 1e-3}
	n := len(y)
	rows, dual := make([][]float64, n), make([]dualRow, n)
	unit := 1 / (p.Lambda * float64(n))
	for i := range rows {
		rows[i] = make([]float64, p.X.Cols())
		for j, v := range p.X.Row(i) {
			rows[i][j] = v
		}
		dual[i] = dualRow{q: dot(rows[i], rows[i]) * unit, c: y[i] * unit}
	}
	w, random := make([]float64, p.X.Cols()), engine.NewRandom(9)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for range 3 {
		for i := n - 1; i > 0; i-- {
			k := random.Below(uint64(i + 1))
			order[i], order[k] = order[k], order[i]
		}
		before := w
		for _, i := range order {
			z, old := dot(rows[i], before), dual[i].a
			before = append([]float64(nil), w...)
			dual[i].maximise(kernels.Logistic, z, 0, accuracyFor(1))
			for j, v := range rows[i] {
				w[j] += (dual[i].a - old) * dual[i].c * v
			}
		}
	}
	for workers := 1; workers <= 2; workers++ {
		r := solve(t, p, Prox{NoShrinking: true}, solvers.Settings{MaxPasses: 3, Seed: 9, Workers: workers, RecordEvery: 3})
		for j := range w {
			if math.Abs(r.Weights[j]-w[j]) > 1e-9*(1+math.Abs(w[j])) {
				t.Fatalf("%d workers: weight %d is %v, not %v", workers, j, r.Weights[j], w[j])
			}
		}
	}
}

// Late steps have the same bits on every CPU path and architecture, for any number of workers,
// and through a cut anywhere.
func TestLateStepsBits(t *testing.T) {
	lateAlways(t)
	x, y := generated(t, "text:n=800,d=700", 2)
	p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / float64(len(y))}
	cuts := []int64{0, 1, 799, 801, 2222}
	if testing.Short() {
		cuts = []int64{0, 2222}
	}
	dir := t.TempDir()
	var want *solvers.Result
	for path := range pathtest.Paths(t) {
		for _, workers := range []int{1, 2, 5} {
			for _, cut := range cuts {
				s := solvers.Settings{MaxPasses: 6, Seed: 3, Workers: workers}
				if cut > 0 {
					s.MaxIterations, s.Checkpoint, s.Overwrite = cut, filepath.Join(dir, "run"), true
					solve(t, p, Prox{}, s)
					s.MaxIterations, s.Resume = 0, s.Checkpoint
				}
				got := solve(t, p, Prox{}, s)
				if want == nil {
					want = got
				}
				what := fmt.Sprintf("%s with %d workers, cut at %d", path, workers, cut)
				wantSame(t, what, append(got.Weights, got.Gap), append(want.Weights, want.Gap))
			}
		}
	}
	sum := sha256.New()
	for _, w := range append(want.Weights, want.Gap) {
		binary.Write(sum, binary.LittleEndian, math.Float64bits(w))
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != "ec44806f84075b08" {
		t.Errorf("%q", got)
	}
}

// Late steps take about the passes that others take, on equal rows too, and no steps are late
// where the rows are so long that equal ones would undo one another's steps.
func TestLateStepsConverge(t *testing.T) {
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
				lateAlways(t)
				after := solve(t, p, Prox{}, s)
				if after.Status != solvers.Converged || after.Total.Passes > 1.5*before.Total.Passes+2 {
					t.Errorf("%s, C = %v: %v after %v passes, not %v", name, c, after.Status, after.Total.Passes, before.Total.Passes)
				}
			})
		}
	}
	lateAlways(t)
	p := &erm.Problem{X: text, Y: y, Loss: kernels.Logistic}
	if !delays(p, lateMost) || delays(p, 2*lateMost) {
		t.Error("late steps on long rows")
	}
	if p.Loss = kernels.Squared; delays(p, 1) {
		t.Error("late steps of a loss whose dual variables have no bounds")
	}
}
