package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// A run ends after the pass that reached its target: after the first one where that is loose,
// and where all rows have left, what they met before does not count any more.
func TestEndsWithThePass(t *testing.T) {
	x, y := generated(t, "text:n=4000,d=20000", 7)
	for _, c := range []struct {
		share float64 // of log 2
		most  float64 // passes
	}{{0.05, 1}, {1e-8, 3}} {
		p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / (0.01 * float64(len(y)))}
		r := solve(t, p, Prox{}, solvers.Settings{MaxPasses: 50, GapTolerance: c.share * math.Ln2, Seed: 2})
		if r.Status != solvers.Converged || r.Total.Passes > c.most {
			t.Errorf("a gap of %v: %v after %v passes, with %v", c.share*math.Ln2, r.Status, r.Total.Passes, r.Gap)
		}
	}
}

// A look at some rows tells the gap that all rows have, up to a small factor, with every loss
// and with rows of different weights.
func TestGlimpse(t *testing.T) {
	x, y := generated(t, "text:n=4000,d=20000", 7)
	weights := make([]float64, len(y))
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	for _, loss := range allLosses {
		p := &erm.Problem{X: x, Y: y, SampleWeight: weights, Loss: loss, Lambda: 1 / float64(len(y))}
		for passes := 1.0; passes <= 2; passes++ {
			var l *proxLoop
			r, err := Solve(t.Context(), p, watched{Prox{NoShrinking: true}, &l}, solvers.Settings{MaxPasses: passes, RecordEvery: passes})
			if err != nil {
				t.Fatal(err)
			}
			some, all := l.glimpse(64), l.glimpse(len(y))
			if !(some > all/3 && some < 3*all && all > r.Gap/2 && all < 2*r.Gap) {
				t.Errorf("%v after %v passes: %v by 64 rows and %v by all, of a gap of %v", loss, passes, some, all, r.Gap)
			}
		}
	}
}

// watched is Prox whose loop somebody wants to look at.
type watched struct {
	Prox
	loop **proxLoop
}

func (w watched) begin(t *task) (dualLoop, string, error) {
	l, identity, err := w.Prox.begin(t)
	*w.loop = l.(*proxLoop)
	return l, identity, err
}

// TestDue: passes that leave rows out end where little of the gap is theirs, or where they have
// taken as many rows as a pass over all does.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		active, short, taken int
		rest, left           float64
		want                 bool
	}{
		{100, 2, 0, 1, 0, false},
		{100, 3, 0, 1, 0, true},
		{10, 1, 10, 0, 1, false},
		{10, 2, 20, 0.31, 1, false},
		{10, 2, 20, 0.29, 1, true},
		{10, 19, 99, 1, 1, false},
		{10, 20, 99, 1, 1, true},
		{60, 3, 100, 1, 1, true},
	} {
		order := engine.NewOrder(100)
		order.Begin(engine.NewRandom(1))
		for !order.Ended() {
			order.Next(int(order.Row()) < c.active)
		}
		l := &proxLoop{dual: make([]dualRow, 100), order: order, short: c.short, taken: c.taken, left: c.left}
		if got := l.due(c.rest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
