package elasticnet

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestGapHoldsAnywhere: the gap is a bound near the minimum and far from it, also where the
// intercept alone is off, to either side.
func TestGapHoldsAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 6))
	variants(t, func(t *testing.T, p *Problem) {
		high, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Penalty = penalty.ElasticNet{L1: 0.2 * high, L2: p.Ridge()}
		for range 2 {
			best := solve(t, p, solvers.Settings{GapTolerance: 1e-11, Workers: 1})
			o := newObjective(p, nil)
			for round := range 12 {
				w := make([]float64, len(best.Weights))
				scale := math.Pow(10, float64(round/2)-5)
				for j, v := range best.Weights {
					if w[j] = v; round%2 == 0 || j == penalised(p) {
						w[j] += scale * (random.Float64() - 0.5)
					}
				}
				if p.Intercept && round%3 == 0 { // where the slopes' sum costs nothing
					w[penalised(p)] = float64(round) / 1000
				}
				e := o.evaluate(w)
				if apart := value(p, w) - best.Objective; !math.IsNaN(e.Gap) && !(e.Gap >= apart-1e-14) {
					t.Errorf("a gap of %v where the objective is %v above the least", e.Gap, apart)
				}
			}
			for i := range p.Y {
				p.Y[i] = -p.Y[i]
			}
		}
	})
}
