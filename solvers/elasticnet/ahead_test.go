package elasticnet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestAhead: points that are solved ahead cost a pass each, and have the minimum that a run by
// itself has. Their bits depend neither on the workers nor on the points that come after, nor on
// where the path goes on from what was saved, also from a point that was cut short.
func TestAhead(t *testing.T) {
	for k := range 8 {
		p := targets(t, 300, 9, float64(k/4)*5, 1e-3, uint64(k))
		if k&2 != 0 {
			p.SampleWeight, p.Offset = make([]float64, 300), make([]float64, 300)
			for i := range p.Y {
				p.SampleWeight[i], p.Offset[i] = float64(i%4), math.Sin(float64(i))
			}
		}
		setIntercept(p, k&1 != 0)
		high, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		var list []penalty.Penalty
		for i := range 20 {
			list = append(list, penalty.ElasticNet{L1: high * math.Pow(0.7, float64(i)), L2: float64(k%3) / 100})
		}
		along := func(workers, save, known int) (all []*solvers.Result) {
			s := newPath(t, p)
			for i, q := range list {
				if i%save == save-1 {
					next := newPath(t, p)
					if err := next.Restore(s.Save()); err != nil {
						t.Fatal(err)
					}
					s = next
				}
				s.Expect(list[:max(known, i+1)])
				settings := solvers.Settings{GapTolerance: 1e-7, Workers: workers}
				switch {
				case i == 5 && k == 7: // out of reach: the matrix is no longer trusted
					settings.GapTolerance, settings.MaxEpochs = 1e-300, 20
				case i == 5:
					settings.GapTolerance, settings.MaxEpochs = 1e-12, 1
				}
				r, err := s.Solve(context.Background(), q, settings)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, r)
			}
			return all
		}
		want := along(1, 100, len(list))
		for i, r := range want {
			q := *p
			q.Penalty = list[i]
			alone := solve(t, &q, solvers.Settings{GapTolerance: 1e-9})
			if i != 5 && (r.Status != solvers.Converged || !(r.Epochs <= 1) && (k < 7 || i < 5)) || !(r.Objective-alone.Objective <= 1e-7) {
				t.Errorf("%d, point %d: %v after %v passes at %v, alone at %v", k, i, r.Status, r.Epochs, r.Objective, alone.Objective)
			}
		}
		for _, c := range [][3]int{{2, 100, 20}, {1, 1, 20}, {1, 3, 20}, {1, 100, 0}, {2, 4, 9}} {
			for i, r := range along(c[0], c[1], c[2]) {
				if !slices.Equal(r.Weights, want[i].Weights) || r.Gap != want[i].Gap || r.Total.Epochs != want[i].Total.Epochs {
					t.Fatalf("%d, %v, point %d: other bits", k, c, i)
				}
			}
		}
	}
}
