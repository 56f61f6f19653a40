package main

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// The plain solver must be the same method for the comparison to mean anything:
// from w = 0 both must end at about the same average precision.
func TestPlainADAP(t *testing.T) {
	g, err := synthetic.Shape{Name: "imbalanced", N: 4000, D: 40, Seed: 3}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, hinge := range []bool{false, true} {
		m := ap.ADAP{Common: ap.Common{Hinge: hinge}}
		margin := 0.0
		if hinge {
			margin = 1
		}
		r, err := ap.Solve(context.Background(), &ap.Problem{X: g.X, Y: g.Y, Lambda: 1.0 / 4000}, m, solvers.Settings{Initial: make([]float64, g.X.Cols())})
		if err != nil {
			t.Fatal(err)
		}
		precision := func(w []float64) float64 {
			v, err := families["ap"].goals[0].measure(g.X, g.Y, w)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		start := precision(make([]float64, g.X.Cols()))
		ours, plain := precision(r.Weights), precision(newPlainADAP(g.X, g.Y, 64, 256, margin).run(400))
		if math.Abs(ours-plain) > 0.02*(ours-start) {
			t.Errorf("hinge %v: average precision %v, of the plain solver %v, from %v", hinge, ours, plain, start)
		}
	}
}
