package softmax

import (
	"context"
	"testing"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

func TestSparse(t *testing.T) {
	for _, l1 := range []float64{0.2, 0.02, 0.002, 1e-5} {
		for _, lambda := range []float64{0, 1e-3} {
			for _, bias := range []bool{false, true} {
				for _, grouped := range []bool{false, true} {
					p := randomProblem(t, 300, 20, 4, 3)
					p.Lambda = 0
					p.Intercept = bias
					p.Penalty = penalty.ElasticNet{L1: l1, L2: lambda}
					if grouped {
						d := 20
						if !bias {
							d = 21
						}
						p.Penalty = &penalty.GroupLasso{Weight: l1, Groups: ByColumn(d, 4), Lambda: lambda}
					}
					r, err := SolveSparse(context.Background(), p, ProximalNewton{}, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000, Workers: 1})
					if err != nil {
						t.Fatal(err)
					}
					nz := 0
					for _, w := range r.Weights {
						if w != 0 {
							nz++
						}
					}
					t.Log(l1, lambda, bias, grouped, r.Status, r.Objective, r.Gap, r.Epochs, nz)
				}
			}
		}
	}
}
