package registry_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
)

// TestConvergedIsTrue: no solver of the mean loss reports a false convergence. A column, all rows
// or the sample weights have scales from 1e-12 to 1e12. The exact distance of the result from the
// minimum is within its gap, and the gap of a converged run within its tolerance.
func TestConvergedIsTrue(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	const target = 1e-6
	scales := []float64{1e-12, 1e-6, 1, 1e4, 1e8, 1e12}
	if testing.Short() {
		scales = []float64{1e-12, 1, 1e6, 1e12}
	}
	losses := append([]loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}, loss.Poisson{}}, certificatetest.Defined()...)
	cases, converged := 0, map[string]int{}
	for _, phi := range losses {
		for k, scale := range scales {
			for what := range 3 {
				column, rows, weights := 1.0, 1.0, 1.0
				*[]*float64{&column, &rows, &weights}[what] = scale
				c, err := certificatetest.Scaled(phi, uint64(17*k+what), 24, 4, column, rows, weights)
				if err != nil {
					t.Fatal(err)
				}
				exact, err := certificatetest.Solve(c)
				if err != nil {
					t.Fatal(err)
				}
				task := solvers.Task{Problem: solvers.Problem{X: c.X, Y: c.Y, Loss: phi, Penalty: c.Penalty, SampleWeight: c.SampleWeight}}
				for _, d := range registry.All() {
					if d.Objective != solvers.MeanLoss {
						continue
					}
					name := fmt.Sprintf("%s, %v, column %g, rows %g, weights %g", d.Name, phi, column, rows, weights)
					settings := solvers.Settings{GapTolerance: target, MaxEpochs: 60, BatchSize: 4, Workers: 1, Seed: 3}
					solvetest.Only(d.Accepts, nil, &settings)
					r, err := solve(t, d, task, settings)
					if err != nil {
						t.Logf("%s: %v", name, err) // a row too long for a method
						continue
					}
					cases++
					above := exact.Above(r.Weights)
					if !(above <= r.Gap) || !(r.Gap >= 0) {
						t.Errorf("%s: %v with a gap of %v, %v above the minimum", name, r.Status, r.Gap, above)
					}
					if r.Status == solvers.Converged {
						converged[d.Name]++
						if !(r.Gap <= target) {
							t.Errorf("%s: converged with a gap of %v", name, r.Gap)
						}
					}
					if math.Abs(r.Objective-exact.Objective(r.Weights)) > 1e-6*math.Abs(r.Objective) && r.Status == solvers.Converged {
						t.Errorf("%s: the objective is %v, not %v", name, exact.Objective(r.Weights), r.Objective)
					}
				}
			}
		}
	}
	t.Logf("%d runs; converged %v", cases, converged)
	if got, all := converged["newton"], 3*len(losses)*len(scales); got < all-all/20 {
		t.Errorf("newton converged in %d of %d problems", got, all)
	}
}
