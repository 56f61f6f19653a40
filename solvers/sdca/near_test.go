package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// A run ends soon after the pass that reached its target: after two where the target is loose,
// and where all rows have left, what they met before does not count any more.
func TestEndsWithThePass(t *testing.T) {
	x, y := generated(t, "text:n=4000,d=20000", 7)
	for _, c := range []struct {
		share float64 // of log 2
		most  float64 // passes
	}{{0.05, 2}, {1e-8, 3}} {
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (0.01 * float64(len(y)))}}
		r := solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 50, GapTolerance: c.share * math.Ln2, Seed: 2})
		if r.Status != solvers.Converged || r.Total.Epochs > c.most {
			t.Errorf("a gap of %v: %v after %v passes, with %v", c.share*math.Ln2, r.Status, r.Total.Epochs, r.Gap)
		}
	}
}

// TestDue: passes over active rows end once the rows left out have most of the gap. They also end
// once they have taken as many rows as a pass over all does, or after 20.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		active, short, taken int
		rest, left           float64
		want                 bool
	}{
		{100, 2, 0, 1, 0, false},
		{100, 3, 0, 1, 0, true},
		{10, 1, 10, 0.31, 1, false},
		{10, 2, 20, 0.31, 1, false},
		{10, 2, 20, 0.29, 1, true},
		{10, 19, 99, 1, 1, false},
		{10, 20, 99, 1, 1, true},
		{60, 3, 100, 1, 1, true},
	} {
		order := passes.NewOrder(100)
		order.Begin(random.New(1))
		for !order.Ended() {
			order.Next(int(order.Row()) < c.active)
		}
		l := &proxLoop{dual: make([]loss.DualRow, 100), order: order, short: c.short, taken: c.taken, left: c.left}
		if got := l.due(c.rest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
