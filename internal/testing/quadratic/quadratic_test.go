package quadratic

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSolve(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		const n, d = 60, 12
		rewards := make([]float64, n*d)
		for i := range n {
			common := random.NormFloat64()
			for j := range d {
				rewards[i*d+j] = common + 0.3*random.NormFloat64() + 0.1
			}
		}
		lambda := []float64{0, 0.01, 0.05}[round%3]
		low, high := -0.5, 0.5
		if round%2 == 1 {
			low = 0
		}
		p := MeanVariance(rewards, d, 1, lambda, low, high)
		x, err := p.Solve(1e-12)
		if err != nil {
			t.Fatal(err)
		}
		least := p.Value(x)
		for range 2000 { // no point nearby is lower
			y := append([]float64(nil), x...)
			for j := range y {
				y[j] = min(max(y[j]+math.Pow(10, -1-3*random.Float64())*random.NormFloat64(), low), high)
			}
			if p.Value(y) < least-1e-14 {
				t.Fatalf("round %d: %v below the minimum %v", round, p.Value(y), least)
			}
		}
	}
	if r := (&Program{H: []float64{2}, C: []float64{1}, Low: -1, High: 1}).Residual([]float64{0.25}); r != 0.5 {
		t.Errorf("residual %v, not 0.5", r)
	}
}
