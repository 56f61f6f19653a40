package erm

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// byCurvature is the squared loss, which does not tell that it has the same curvature everywhere.
type byCurvature struct{ loss.Squared }

func (byCurvature) Quadratic() bool { return false }

// fullTargets draws n full rows of d columns: a constant one, one of zeros, and two that differ by
// near.
func fullTargets(t *testing.T, n, d int, near float64, seed uint64) *Problem {
	t.Helper()
	random := random.New(seed)
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Loss: loss.Squared{}}
	for range n {
		row, y := make([]float64, d), 1+random.Float64()
		for j := range row {
			row[j] = random.Float64() + float64(j%3)
		}
		row[1], row[2], row[4] = 3, 0, row[3]+near*row[4]
		for j, v := range row {
			index, values = append(index, uint32(j)), append(values, v)
			y += v * float64(j%5-2)
		}
		begins, p.Y = append(begins, int64(len(index))), append(p.Y, y)
	}
	x, err := sparse.NewCSR(d, begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x
	return p
}

// TestNewtonByStatistics: with the Hessian at once, or with one loop of conjugate gradients, a run
// ends where Newton's method for any loss does, in fewer passes: with weights, offsets and an
// intercept, also where columns nearly depend on one another, with the same bits by any workers
// and where the run is cut.
func TestNewtonByStatistics(t *testing.T) {
	for _, d := range []int{8, 300} {
		for _, near := range []float64{1, 1e-7} {
			for k := 0; k < 4; k += repeat.Size(1, 3) {
				const n = 600
				p := fullTargets(t, n, d, near, uint64(k))
				p.Penalty = penalty.Ridge{Lambda: 1e-3}
				if k&1 != 0 {
					p.X, p.Intercept = p.X.WithBias(1), true
				}
				if k&2 != 0 {
					p.SampleWeight, p.Offset = make([]float64, n), make([]float64, n)
					for i := range p.Y {
						p.SampleWeight[i], p.Offset[i] = float64(i%4), math.Sin(float64(i))
					}
				}
				what := fmt.Sprintf("%d columns, near %v, %d", d, near, k)
				if direct := directly(p, newInMemory(newObjective(p, nil, nil)).gramCost()); direct != (d < 100) {
					t.Errorf("%s: the Hessian at once: %t", what, direct)
				}
				settings := solvers.Settings{GapTolerance: 1e-10, Workers: 1}
				r := mustSolve(t, p, Newton{}, settings)
				q := *p
				q.Loss = byCurvature{}
				s := mustSolve(t, &q, Newton{}, settings)
				if r.Status != solvers.Converged || !(math.Abs(r.Objective-s.Objective) <= 1e-10) || near == 1 && !(r.Epochs < s.Epochs) {
					t.Errorf("%s: %v at %v after %v passes; without statistics %v at %v after %v", what, r.Status, r.Objective, r.Epochs, s.Status, s.Objective, s.Epochs)
				}
				if e := newObjective(p, nil, nil).evaluate(r.Weights); !(e.Gap <= 1.1e-10) {
					t.Errorf("%s: a gap of %v by rows", what, e.Gap)
				}
				settings.Workers = 2
				solvetest.SameBits(t, what+", two workers", mustSolve(t, p, Newton{}, settings), r)
				settings.Checkpoint, settings.Overwrite = filepath.Join(t.TempDir(), "run"), true
				for settings.MaxEpochs = 1; settings.MaxEpochs < 300; settings.MaxEpochs += repeat.Size(1.0, 4) {
					s, err := Solve(context.Background(), p, Newton{}, settings)
					if err != nil {
						t.Fatal(err)
					}
					settings.Resume = settings.Checkpoint
					if s.Status != solvers.BudgetReached {
						solvetest.SameBits(t, what+", cut", s, r)
						break
					}
				}
			}
		}
	}
}
