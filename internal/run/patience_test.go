package run

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// listed is a metric whose values are known beforehand.
type listed struct {
	values []float64
	higher bool
	calls  int
}

func (*listed) Name() string           { return "listed" }
func (l *listed) HigherIsBetter() bool { return l.higher }
func (l *listed) Measure([]float64) (float64, error) {
	l.calls++
	return l.values[l.calls-1], nil
}

// TestPatience: a run ends after Patience measurements in a row that do not improve on the best.
// Its result is the first point with the best measurement.
func TestPatience(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 2))
	for round := range 200 {
		patience, most := round%5, 5 // 0 means 5
		if patience > 0 {
			most = patience
		}
		m := &listed{higher: round%2 == 0}
		for range 60 {
			m.values = append(m.values, float64(random.IntN(12)))
		}
		best, waited, end := 0, 0, len(m.values)
		for k, v := range m.values {
			if v != m.values[best] && (v > m.values[best]) == m.higher {
				best, waited = k, 0
				continue
			}
			if k > 0 {
				waited++
			}
			if waited == most {
				end = k + 1
				break
			}
		}
		r := drive(t, &halving{w: 1, reports: true}, solvers.Settings{Validation: m, Patience: patience, MaxIterations: 50})
		if end > 50 {
			continue
		}
		if r.Status != solvers.StoppedEarly || m.calls != end || r.Metric != m.values[best] || r.Iterations != int64(best)+r.Total.Iterations-int64(end)+1 {
			t.Fatalf("patience %d with %v: %v after %d measurements at iteration %d with %v; %d, and the best was number %d", patience, m.values[:end], r.Status, m.calls, r.Iterations, r.Metric, end, best)
		}
	}
}
