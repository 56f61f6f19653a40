package erm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Rows and columns that differ by 1e24 each, with losses that have kinks: float64 can
// neither find the minimum nor tell how near it is, and the run converges all the same.
func TestNewtonBeyondFloat64(t *testing.T) {
	repeat.Once(t)
	// The last three stalled at an earlier time.
	for _, seed := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 78, 92, 142} {
		random := rand.New(rand.NewPCG(seed, 8))
		phi, same := loss.Loss(loss.SquaredHinge{}), reference.SquaredHinge
		if seed%2 == 1 {
			phi, same = loss.Huber{}, reference.Huber
		}
		n, d := 4+random.IntN(9), 4+random.IntN(9)
		exact := &reference.Problem{Loss: same, Delta: 1, Lambda: math.Pow(10, 6*random.Float64()-3)}
		p := &erm.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: exact.Lambda}}
		columns := make([]float64, d)
		for j := range columns {
			columns[j] = math.Pow(10, 24*random.Float64()-12)
		}
		for range n {
			row, scale := make([]float64, d), math.Pow(10, 24*random.Float64()-12)
			for j := range row {
				row[j] = scale * columns[j] * random.NormFloat64()
			}
			exact.Rows = append(exact.Rows, row)
			p.Y = append(p.Y, math.Copysign(1, random.NormFloat64()))
		}
		exact.Y = p.Y
		r, target, low, above := besideExact(t, p, exact, 2000)
		if r.Status != solvers.Converged || above > target || low > r.Gap {
			t.Errorf("seed %d: %v after %v passes, %g above the minimum, gap %g, target %g", seed, r.Status, r.Total.Epochs, above, r.Gap, target)
		}
	}
}

// besideExact solves p on the dense rows of exact, to 1e-6 of the objective at 0. It returns the
// tolerance, and bounds of how far the weights are above the exact minimum.
func besideExact(t *testing.T, p *erm.Problem, exact *reference.Problem, epochs float64) (r *solvers.Result, target, low, above float64) {
	t.Helper()
	d := len(exact.Rows[0])
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for _, row := range exact.Rows {
		for j, v := range row {
			index, values = append(index, uint32(j)), append(values, v)
		}
		begins = append(begins, int64(len(index)))
	}
	var err error
	if p.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
		t.Fatal(err)
	}
	best, err := exact.Minimise(1e-25)
	if err != nil {
		t.Fatal(err)
	}
	zero, _ := exact.Objective(make([]float64, d)).Float64()
	target = 1e-6 * zero
	if r, err = erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: target, MaxEpochs: epochs}); err != nil {
		t.Fatal(err)
	}
	low, above = best.Above(exact.Objective(r.Weights))
	return r, target, low, above
}
