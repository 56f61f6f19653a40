package erm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Squares of rows whose lengths differ by 1e12, with weights that differ by 1e24: the
// Hessian's small part is gone in float64, and the minimum is found all the same.
func TestNewtonOnRowsOfAllScales(t *testing.T) {
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 5))
		n, d := 12, 9
		exact := &reference.Problem{Loss: reference.Squared, Lambda: 1e-3}
		p := &erm.Problem{Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: 1e-3}}
		for range n {
			row, scale := make([]float64, d), math.Pow(10, 12*random.Float64()-6)
			for j := range row {
				row[j] = scale * random.NormFloat64()
			}
			exact.Rows = append(exact.Rows, row)
			p.Y = append(p.Y, random.NormFloat64())
			p.SampleWeight = append(p.SampleWeight, math.Pow(10, 24*random.Float64()-12))
		}
		exact.Y, exact.Weight = p.Y, p.SampleWeight
		r, target, _, above := besideExact(t, p, exact, 1000)
		if above > target {
			t.Errorf("seed %d: %v, %g above the minimum", seed, r.Status, above)
		}
	}
}
