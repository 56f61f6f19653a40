package erm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Squares of rows whose lengths differ by 1e12, with weights that differ by 1e24: the
// Hessian's small part is gone in float64, and the minimum is found all the same.
func TestNewtonOnRowsOfAllScales(t *testing.T) {
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 5))
		n, d := 12, 9
		exact := &reference.Problem{Loss: reference.Squared, Lambda: 1e-3}
		p := &erm.Problem{Loss: kernels.Squared, Lambda: 1e-3}
		begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
		for range n {
			row, scale := make([]float64, d), math.Pow(10, 12*random.Float64()-6)
			for j := range row {
				row[j] = scale * random.NormFloat64()
				index, values = append(index, uint32(j)), append(values, row[j])
			}
			begins = append(begins, int64(len(index)))
			exact.Rows = append(exact.Rows, row)
			p.Y = append(p.Y, random.NormFloat64())
			p.SampleWeight = append(p.SampleWeight, math.Pow(10, 24*random.Float64()-12))
		}
		exact.Y, exact.Weight = p.Y, p.SampleWeight
		var err error
		if p.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
			t.Fatal(err)
		}
		best, err := exact.Minimise(1e-25)
		if err != nil {
			t.Fatal(err)
		}
		zero, _ := exact.Objective(make([]float64, d)).Float64()
		target := 1e-6 * zero
		r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: target, MaxEpochs: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if _, above := best.Above(exact.Objective(r.Weights)); above > target {
			t.Errorf("seed %d: %v, %g above the minimum", seed, r.Status, above)
		}
	}
}
