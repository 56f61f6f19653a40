package softmax

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// TestRelays: runs resume to the same bits from the state of every iteration. They run on rows
// and on wide rows, from 0 and from a point better or worse than 0. They end at a tolerance or at
// the precision of float64.
func TestRelays(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*Problem{"rows": randomProblem(t, 60, 8, 3, 1), "wide": randomProblem(t, 30, 50, 3, 2)} {
		p.SampleWeight = make([]float64, p.X.Rows())
		for i := range p.SampleWeight {
			p.SampleWeight[i] = 0.5 + float64(i%3)
		}
		size := p.X.Cols() * p.Count
		good, bad := solve(t, p, solvers.Settings{GapTolerance: 1e-4}).Weights, make([]float64, size)
		for j := range bad {
			bad[j] = float64(j%7) - 3
		}
		for start, initial := range map[string][]float64{"0": nil, "a good point": good, "a bad point": bad} {
			for _, gap := range []float64{1e-6, 1e-300} {
				what := fmt.Sprintf("%s from %s to %v", name, start, gap)
				settings, err := run.Check(solvers.Settings{GapTolerance: gap, MaxEpochs: 1e6, Initial: initial}, size)
				if err != nil {
					t.Fatal(err)
				}
				begin := func(initial []float64) *loop {
					own := settings
					own.Initial = initial
					return newLoop(Newton{}.withDefaults(), newObjective(p, nil), own, random.New(3))
				}
				whole, relay := begin(initial), begin(initial)
				var c, d run.Control
				a, b := make([]float64, size), make([]float64, size)
				for k := range 150 {
					whole.Next(&c)
					relay.Next(&d)
					next := begin(initial)
					if err := checkpoint.Decode(checkpoint.Encode(relay.State), next.State); err != nil {
						t.Fatalf("%s, iteration %d: %v", what, k, err)
					}
					relay = next
					whole.Current(a)
					relay.Current(b)
					if !slices.Equal(a, b) || c.Ended() != d.Ended() || whole.floor != relay.floor {
						t.Fatalf("%s: restored in iteration %d, the run goes elsewhere", what, k)
					}
					if c.Ended() {
						break
					}
				}
			}
		}
	}
}
