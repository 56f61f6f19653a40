package pauc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Slopes from odds and from exponentials of pairs against the definition, at scores
// near each other, far apart and farther than odds reach.
func TestSortedScoresAgainstDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for _, spread := range []float64{0, 0.1, 10, 300} {
		for _, loss := range []pairLoss{{0}, {1}, {7}} {
			t.Run(fmt.Sprint(spread, loss.scale), func(t *testing.T) {
				heads, scores := make([]float64, 5), make([]float64, 40)
				for i := range heads {
					heads[i] = 50 + spread*random.NormFloat64()
				}
				for j := range scores {
					scores[j] = 50 + spread*math.Round(4*random.NormFloat64())/4 // with ties
				}
				s := newSortedScores(len(heads), len(scores))
				s.set(scores)
				if err := s.compare(loss, heads); err != nil {
					t.Fatal(err)
				}
				want, got := make([]float64, len(scores)), make([]float64, len(scores))
				for i, least := range []float64{math.Inf(-1), -spread, 0, spread / 2, math.Inf(1)} {
					number, sum := 0, 0.0
					for j, v := range scores {
						if d := v - heads[i]; d > least {
							g := 1 / (1 + math.Exp(-d))
							if loss.scale > 0 {
								p := 1 / (1 + math.Exp(-loss.scale*d))
								g = loss.scale * p * (1 / (1 + math.Exp(loss.scale*d)))
							}
							number, sum, want[j] = number+1, sum+g, want[j]+g
						}
					}
					n, total, err := s.above(loss, heads, i, least)
					if err != nil || n != number || math.Abs(total-sum) > 1e-12*(1+sum) {
						t.Errorf("positive %d: %d pairs, sum %v (%v); by the definition %d, %v", i, n, total, err, number, sum)
					}
				}
				s.scatter(got)
				for j, v := range want {
					if math.Abs(got[j]-v) > 1e-12*(1+v) {
						t.Errorf("score %d: slope %v, by the definition %v", j, got[j], v)
					}
				}
			})
		}
	}
}
