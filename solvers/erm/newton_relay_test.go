package erm

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// relayed runs iterations, each by a loop restored from the state of the loop before. It wants
// the points of a loop that was never restored.
func relayed(t *testing.T, what string, begin func() run.Loop, columns, iterations int) {
	t.Helper()
	whole, relay := begin(), begin()
	var c, d run.Control
	for k := range iterations {
		whole.Next(&c)
		relay.Next(&d)
		next := begin()
		if err := checkpoint.Decode(checkpoint.Encode(relay.State), next.State); err != nil {
			t.Fatalf("%s, iteration %d: %v", what, k, err)
		}
		if relay = next; !slices.Equal(current(relay, columns), current(whole, columns)) || c.Ended() != d.Ended() {
			t.Fatalf("%s: restored in iteration %d, the run goes elsewhere", what, k)
		}
		if c.Ended() {
			return
		}
	}
}

// TestNewtonRelays: a run that begins on a sample resumes to the same bits wherever it is
// restored, on the sample and on all rows. So does a run that reaches the precision of float64.
func TestNewtonRelays(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 4096, 9, 3, 1e-3, true)
	if sampleStep(&task{p: p}) == 1 {
		t.Fatal("the run does not begin on a sample")
	}
	relayed(t, "newton", func() run.Loop {
		return loopOf(t, p, Newton{}, solvers.Settings{MaxEpochs: 100, GapTolerance: 1e-12})
	}, p.X.Cols(), 60)
	few := randomProblem(t, loss.Logistic{}, 40, 9, 4, 1e-3, true)
	halts := solvers.Settings{MaxEpochs: 1e6, GapTolerance: 1e-300}
	relayed(t, "newton to its halt", func() run.Loop { return loopOf(t, few, Newton{}, halts) }, few.X.Cols(), 1000)
	// A factor is due at the second point, and waits as the target is near.
	near := newtonProblem(t, "onehot:n=1000", loss.Logistic{}, 1./1000)
	target := solvers.Settings{MaxEpochs: 100, GapTolerance: 3e-3 * math.Ln2}
	relayed(t, "newton near its target", func() run.Loop { return loopOf(t, near, Newton{}, target) }, near.X.Cols(), 60)
	settings, err := run.Check(solvers.Settings{MaxEpochs: 100, GapTolerance: 1e-12, Shards: 4}, p.X.Cols())
	if err != nil {
		t.Fatal(err)
	}
	relayed(t, "newton by shards", func() run.Loop {
		rows := &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 4, Kept: make([]float64, len(p.Y))}
		f, err := newSharded(rows, p, &run.Session{Settings: settings, Ending: func() bool { return false }}, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		loop, _ := Newton{}.beginSharded(f, settings)
		return loop
	}, p.X.Cols(), 60)
}
