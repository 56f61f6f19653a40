package registry_test

import (
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
)

// TestUnitsOfWeights: weights of rows, penalties and tolerances in another unit are the same
// problem. A power of two as unit leaves the bits of the result as they are, and scales its gap.
// Adam alone depends on the unit: its epsilon is a gradient's length.
func TestUnitsOfWeights(t *testing.T) {
	repeat.Once(t)
	runs := 0
	for _, s := range registry.All() {
		if s.Objective != solvers.MeanLoss && s.Objective != solvers.SparseLoss || !s.Accepts.Has(solvers.Weights) || s.Name == "adam" {
			continue
		}
		for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}} {
			in := func(unit float64) *solvers.Result {
				own := task(t, s)
				own.Loss, own.Penalty = phi, penalty.Ridge{Lambda: 0.01 * unit}
				if s.Accepts.Has(solvers.L1) {
					own.Penalty = penalty.ElasticNet{L1: 0.003 * unit, L2: 0.01 * unit}
				}
				own.SampleWeight = make([]float64, len(own.Y))
				for i := range own.SampleWeight {
					own.SampleWeight[i] = float64(1+i%3) / 2 * unit
				}
				settings := solvers.Settings{MaxEpochs: 30, Workers: 1, Seed: 3}
				if s.Accepts.Has(solvers.Gap) {
					settings.GapTolerance = 1e-6 * unit
				}
				r, err := solve(t, s, own, settings)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			want := in(1)
			for _, unit := range []float64{0x1p-30, 0x1p20} {
				got := in(unit)
				runs++
				if got.Status != want.Status || solvers.HashWeights(got.Weights) != solvers.HashWeights(want.Weights) {
					t.Errorf("%s, %v, unit %g: %v, weights %.17g, in the unit 1 %v, %.17g", s.Name, phi, unit, got.Status, got.Weights, want.Status, want.Weights)
				}
				if got.Gap == got.Gap && !(got.Gap <= 1.001*want.Gap*unit && got.Gap >= 0.999*want.Gap*unit) {
					t.Errorf("%s, %v, unit %g: gap %g, in the unit 1 %g", s.Name, phi, unit, got.Gap, want.Gap)
				}
			}
		}
	}
	if runs < 80 {
		t.Errorf("only %d runs", runs)
	}
}
