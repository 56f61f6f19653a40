package sdca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
)

// TestResiduesBlocks: every row of more than two blocks has the residue, (5), of its own target,
// weight and variable, and what probabilities are made of.
func TestResiduesBlocks(t *testing.T) {
	t.Parallel()
	for _, weighted := range []bool{false, true} {
		const n = 2*risk.Block + 300
		p := randomProblem(t, loss.Squared{}, n, 3, 2, 0.01, weighted)
		r := rand.New(rand.NewPCG(1, 2))
		free := &dualFree{p: p, x: direct.Matrix{Matrix: p.X}, alpha: make([]float64, n), w: []float64{0.5, -1, 2, 0.3}, cost: make([]float64, n)}
		for i := range free.alpha {
			free.alpha[i], free.cost[i] = r.NormFloat64(), 1+r.Float64()
		}
		l := newResidues(free)
		l.weights, l.squares = make([]float64, n), make([]float64, n)
		l.find()
		for i, kappa := range l.kappa {
			z, s := 0.0, 1.0
			for j, v := range p.X.Row(i) {
				z += v * free.w[j]
			}
			if weighted {
				s = p.SampleWeight[i]
			}
			want := s*(z-p.Y[i]) + free.alpha[i]
			if math.Abs(kappa-want) > 1e-12*(1+math.Abs(want)) || math.Abs(l.weights[i]-math.Sqrt(free.cost[i])*math.Abs(want)) > 1e-11*(1+math.Abs(want)) ||
				math.Abs(l.squares[i]-want*want) > 1e-11*(1+want*want) {
				t.Fatalf("weighted %t, row %d: %v, %v and %v; the residue is %v", weighted, i, kappa, l.weights[i], l.squares[i], want)
			}
		}
	}
}
