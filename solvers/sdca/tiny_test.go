package sdca

import (
	"math/big"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// TestTinyWeights: gaps are bounds where the squares of the weights are below all float64
// numbers. Of one row with the target y, P(w) - P* = (x^2+lambda)/2 (w - w*)^2 for
// w* = xy/(x^2+lambda).
func TestTinyWeights(t *testing.T) {
	of := func(x float64) *big.Float { return new(big.Float).SetPrec(3000).SetFloat64(x) }
	product := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(3000).Mul(a, b) }
	for _, c := range []struct{ x, y, lambda float64 }{{4.6e129, 2.7e-77, 3.3e260}, {1e140, 1e-60, 1e281}, {1e130, 1e-40, 1e260}, {1e10, 1e-170, 1e20}} {
		x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{c.x})
		if err != nil {
			t.Fatal(err)
		}
		p := &erm.Problem{X: x, Y: []float64{c.y}, Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: c.lambda}}
		sum := product(of(c.x), of(c.x))
		sum.Add(sum, of(c.lambda))
		best := new(big.Float).Quo(product(of(c.x), of(c.y)), sum)
		for _, m := range solvetest.Methods(t, Solvers(), ByName) {
			r := solve(t, p, m, solvers.Settings{GapTolerance: 1e-6 * c.y * c.y, MaxEpochs: 100, Workers: 1, BatchSize: 1})
			off := best.Sub(of(r.Weights[0]), best)
			exact, _ := product(of(0.5), product(sum, product(off, off))).Float64()
			best = new(big.Float).Quo(product(of(c.x), of(c.y)), sum)
			if !(r.Gap >= exact) {
				t.Errorf("x %v, y %v, lambda %v: %s %v with a gap of %v, %v above the minimum", c.x, c.y, c.lambda, m.Name(), r.Status, r.Gap, exact)
			}
		}
	}
}
