package elasticnet

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// beyondFloats is a problem whose Hessian float64 cannot tell from one of rank 1.
func beyondFloats(t *testing.T) *Problem {
	t.Helper()
	p := &Problem{Penalty: penalty.L1{Lambda: 1.18e-6}}
	p.X = full(t, 5, []float64{
		831847.1354197363, 831847.5562839095, 831847.7504483528, 831847.5740083586, 831847.6943180226,
		831847.4717857748, 831847.4274118302, 831847.5002277308, 831847.6685804505, 831847.603032396,
	})
	p.Loss, p.Y, p.Penalty = loss.Logistic{}, []float64{-1, 1}, penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 1e-12}
	return p
}

// TestFinish: a small problem that float64 steps leave unsolved is finished in numbers of more
// bits: alone and on a path, with the same bits on every CPU path and where a run is cut.
func TestFinish(t *testing.T) {
	p := beyondFloats(t)
	settings := solvers.Settings{GapTolerance: 7e-7, Workers: 1}
	want := ""
	for cpu := range pathtest.Paths(t) {
		r := solve(t, p, settings)
		if value := exactly(p, r.Weights) + 0.5*p.Ridge()*squares(r.Weights); r.Status != solvers.Converged || !(value < 0.000103) || !(value-r.Gap > 0.000101) {
			t.Errorf("%s: %v at %v with a gap of %v", cpu, r.Status, value, r.Gap)
		}
		if hash := solvers.HashWeights(r.Weights); want == "" {
			want = hash
		} else if hash != want {
			t.Errorf("%s: other bits", cpu)
		}
	}
	saved := filepath.Join(t.TempDir(), "run")
	cut := settings
	cut.Checkpoint, cut.Overwrite = saved, true
	for cut.MaxIterations = 1; ; cut.MaxIterations++ {
		r := solve(t, p, cut)
		if cut.Resume = saved; r.Status == solvers.BudgetReached && cut.MaxIterations < 1000 {
			continue
		}
		if r.Status != solvers.Converged || solvers.HashWeights(r.Weights) != want || cut.MaxIterations < 10 {
			t.Errorf("%v after %d cuts, with other bits than without", r.Status, cut.MaxIterations)
		}
		break
	}
	s := newPath(t, p)
	for _, l1 := range []float64{1e-2, 1e-4, penalty.WeightOf(p.Penalty)} {
		r, err := s.Solve(context.Background(), penalty.ElasticNet{L1: l1, L2: p.Ridge()}, settings)
		if err != nil || r.Status != solvers.Converged {
			t.Errorf("l1 %v: %v with a gap of %v (%v)", l1, r.Status, r.Gap, err)
		}
	}
	settings.GapTolerance = 1e-30 // no float64 point has it: nothing is to be tried
	if r := solve(t, p, settings); r.Status != solvers.Stalled || r.Total.Iterations > 1000 {
		t.Errorf("%v after %d iterations", r.Status, r.Total.Iterations)
	}
}

// TestLooksResume: a small problem is finished after as many looks where the run is cut.
func TestLooksResume(t *testing.T) {
	t.Parallel()
	p := alike(t, loss.Logistic{}, 12, 8, 2, 1e-3)
	saved := filepath.Join(t.TempDir(), "run")
	run := func(iterations int64, from, to string) *solvers.Result {
		t.Helper()
		r, err := Solve(context.Background(), p, ProximalNewton{MaxSweeps: 1}, solvers.Settings{
			GapTolerance: 1e-9, MaxEpochs: 1000, MaxIterations: iterations, Workers: 1, Resume: from, Checkpoint: to,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := run(0, "", "")
	if want.Status != solvers.Converged || want.Total.Iterations < mostChecks {
		t.Fatalf("%v after %d iterations", want.Status, want.Total.Iterations)
	}
	run(mostChecks/2, "", saved)
	solvetest.SameBits(t, "resumed", run(0, saved, ""), want)
}

func squares(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v * v
	}
	return sum
}
