package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// lastPoint keeps the point that a run was evaluated at last.
type lastPoint struct {
	w     []float64
	count int
}

func (*lastPoint) Name() string         { return "count" }
func (*lastPoint) HigherIsBetter() bool { return true }
func (k *lastPoint) Measure(w []float64) (float64, error) {
	k.w = append(k.w[:0], w...)
	k.count++
	return float64(k.count), nil
}

// The speed is compared with that of the plain solver, which must be the same method:
// from a point where no scores tie both must end at the same weights but for rounding.
func TestPlainAGD(t *testing.T) {
	g, err := synthetic.Shape{Name: "imbalanced", N: 4000, D: 40, Seed: 3}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	initial := make([]float64, g.X.Cols())
	random := rand.New(rand.NewPCG(1, 2))
	for j := range initial {
		initial[j] = random.NormFloat64()
	}
	for _, scale := range []float64{0, 3} {
		for _, low := range []float64{0, 0.05} {
			m := pauc.AGDSBCD{Loops: pauc.Loops{Inner: 5, Threshold: 1, Outer: 3, Length: 20}, Logistic: scale == 0, Scale: scale, Mu: 1000, Step: 1, Positives: 10, Negatives: 20}
			k := new(lastPoint)
			if _, err := pauc.Solve(context.Background(), &pauc.Problem{X: g.X, Y: g.Y, Low: low, High: 0.5}, m,
				solvers.Settings{Initial: initial, Validation: k, Patience: 1000}); err != nil {
				t.Fatal(err)
			}
			ours := k.w
			for _, direct := range []bool{false, true} {
				a := newPlainAGD(g.X, g.Y, low, 0.5, 10, 20, scale, direct)
				copy(a.w, initial)
				a.outer, a.length = m.Outer, m.Length
				plain := a.run()
				most, difference := 0.0, 0.0
				for j := range ours {
					most, difference = math.Max(most, math.Abs(ours[j])), math.Max(difference, math.Abs(ours[j]-plain[j]))
				}
				if most == 0 || difference > 1e-9*most {
					t.Errorf("scale %v, from %v, direct %v: weights up to %v differ by %v", scale, low, direct, most, difference)
				}
			}
		}
	}
}
