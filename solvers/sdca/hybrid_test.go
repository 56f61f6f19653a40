package sdca

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// hybridPinned are the first bytes of the SHA-256 of the weights and the gap where the numbers
// run out, before the 60 passes are done.
var hybridPinned = map[string]string{
	"logistic":      "58e8d59ab0b3a6d7",
	"squared":       "528679cbd68c009f",
	"squared-hinge": "8f356e80057debda",
	"huber":         "903c0704f61f64c3",
}

// TestHybridTurns: Newton's method takes over where the dual passes are slow, and does not where
// they are quick. The bits are the same on every CPU path and architecture, for any number of
// workers, and if the run is cut before or after.
func TestHybridTurns(t *testing.T) {
	for _, phi := range allLosses {
		p := randomProblem(t, phi, 300, 40, 6, 1e-6, false)
		dir := t.TempDir()
		var want *solvers.Result
		for path := range pathtest.Paths(t) {
			for _, workers := range []int{1, 3} {
				for _, cut := range []float64{0, 3.3, 50} {
					s := solvers.Settings{MaxEpochs: 60, Workers: workers, Seed: 5}
					if cut > 0 {
						s.MaxEpochs, s.Checkpoint, s.Overwrite = cut, filepath.Join(dir, "run"), true
						solve(t, p, Hybrid{}, s)
						s.MaxEpochs, s.Resume = 60, s.Checkpoint
					}
					got := solve(t, p, Hybrid{}, s)
					if want == nil {
						want = got
					}
					what := fmt.Sprintf("%v on %s with %d workers, cut at %v", phi, path, workers, cut)
					wantSame(t, what, append(got.Weights, got.Gap), append(want.Weights, want.Gap))
				}
			}
		}
		if got := solvers.HashWeights(append(want.Weights, want.Gap))[:16]; got != hybridPinned[phi.String()] {
			t.Errorf("%v: %q", phi, got)
		}
		prox := solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 60, Seed: 5})
		if !(want.Gap < 0.5*prox.Gap) {
			t.Errorf("%v: gap %.3g after 60 passes, prox-sdca's is %.3g", phi, want.Gap, prox.Gap)
		}
		easy := *p
		easy.Penalty = penalty.Ridge{Lambda: 0.1}
		s := solvers.Settings{MaxEpochs: 60, GapTolerance: 1e-9, Seed: 5}
		a, b := solve(t, &easy, Hybrid{}, s), solve(t, &easy, Prox{}, s)
		if phi != (loss.Logistic{}) {
			wantSame(t, fmt.Sprintf("%v, an easy problem", phi), a.Weights, b.Weights)
		} else if math.Abs(a.Objective-b.Objective) > 1e-9 || a.Total.Epochs > b.Total.Epochs+2 { // in groups
			t.Errorf("an easy problem: %v after %v passes, and %v after %v", a.Objective, a.Total.Epochs, b.Objective, b.Total.Epochs)
		}
	}
}

// TestSlow: by the definition of progress since the last pass over all rows.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          bool
	}{{0, 1, false}, {1, 0.27, false}, {1, 0.28, true}, {1, 2, true}} {
		l := &hybridLoop{opening: &proxLoop{mean: c.after}, before: c.before}
		if got := slow(l.before, l.opening.mean); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestHybridTurnsBetweenPasses: wherever a run is cut, it resumes to the bits of an uninterrupted
// run, also within the passes around its change to Newton's method. The change is between two
// passes.
func TestHybridTurnsBetweenPasses(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 6, 1e-6, true)
	given := solvers.Settings{MaxEpochs: 30, Seed: 4, GapTolerance: 1e-9}
	want := solve(t, p, Hybrid{}, given)
	if want.Total.Epochs < 10+float64(want.Total.Iterations)/300 {
		t.Fatalf("%v passes of %d steps: too few are of Newton's method", want.Total.Epochs, want.Total.Iterations)
	}
	path := filepath.Join(t.TempDir(), "run")
	for cut := int64(600); cut <= want.Total.Iterations+100; cut += 13 {
		s := given
		s.Checkpoint, s.Overwrite, s.MaxIterations = path, true, cut
		solve(t, p, Hybrid{}, s)
		s.Resume, s.MaxIterations = path, 0
		got := solve(t, p, Hybrid{}, s)
		wantSame(t, fmt.Sprintf("cut at %d", cut), append(got.Weights, got.Gap, got.Total.Epochs), append(want.Weights, want.Gap, want.Total.Epochs))
	}
}

func TestHybridKeeps(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 30, 10, 3, 1e-2, false)
	begun, _ := loopOf(t, p, Hybrid{}, solvers.Settings{Seed: 1})
	l := begun.(*hybridLoop)
	state := func() string { return string(checkpoint.Encode(l.State)) }
	for what, change := range map[string]func(){
		"the gap before": func() { l.before++ }, "the margins of a group": func() { l.opening.group.z[3]++ },
	} {
		before := state()
		if change(); state() == before {
			t.Errorf("%s are not kept", what)
		}
	}
}
