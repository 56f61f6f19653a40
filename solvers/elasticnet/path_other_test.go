package elasticnet

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestPathOfOtherWeights: the weights of both norms go up and down along a path. Each point
// equals a solution without a start, with the objective of its definition and a gap that holds. A
// path restored before each point has the same bits, and saves the state that it was restored
// from.
func TestPathOfOtherWeights(t *testing.T) {
	t.Parallel()
	const gap = 1e-9
	for _, phi := range losses {
		for _, d := range []int{12, 2200} { // with a model of all columns, and of the columns that came in
			if d > 12 && phi != (loss.Logistic{}) {
				continue
			}
			p := randomProblem(t, phi, 40, d, 5)
			setIntercept(p, phi != (loss.SquaredHinge{}))
			high, _, err := MaxL1(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			s, relay := newPath(t, p), newPath(t, p)
			for k, c := range [][2]float64{{0.5, 0.1}, {0.5, 0.01}, {0.5, 0.3}, {0.2, 0.3}, {0.2, 0.02}, {0.2, 0.02}, {0.6, 0.02}, {0.3, 0.2}} {
				q := *p
				q.Penalty = penalty.ElasticNet{L1: c[0] * high, L2: c[1]}
				settings := solvers.Settings{GapTolerance: gap, Workers: 1}
				got, err := s.Solve(context.Background(), penalty.ElasticNet{L1: penalty.WeightOf(q.Penalty), L2: q.Ridge()}, settings)
				if err != nil {
					t.Fatal(err)
				}
				want := solve(t, &q, settings)
				by := value(&q, got.Weights)
				if got.Status != solvers.Converged || math.Abs(by-got.Objective) > 1e-12 || by-want.Objective > got.Gap || want.Objective-by > want.Gap {
					t.Errorf("%v, %d columns, point %d: %v with the objective %v and a gap of %v; by its definition %v, from nowhere %v", phi, d, k, got.Status, got.Objective, got.Gap, by, want.Objective)
				}
				again, err := relay.Solve(context.Background(), penalty.ElasticNet{L1: penalty.WeightOf(q.Penalty), L2: q.Ridge()}, settings)
				if err != nil || !slices.Equal(again.Weights, got.Weights) {
					t.Fatalf("%v, %d columns, point %d: restored before it, the path goes elsewhere (%v)", phi, d, k, err)
				}
				saved := relay.Save()
				relay = newPath(t, p)
				if err := relay.Restore(saved); err != nil || !bytes.Equal(relay.Save(), saved) {
					t.Fatalf("point %d: what was restored is not saved as it was (%v)", k, err)
				}
			}
		}
	}
}
