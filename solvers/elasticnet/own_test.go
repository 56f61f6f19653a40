package elasticnet

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// positive is 0.02 w for weights of 0 or more.
type positive struct{}

func (positive) String() string          { return "positive" }
func (positive) Value(w float64) float64 { return 0.02 * w }
func (positive) Slopes(w float64) (least, most float64) {
	if w > 0 {
		return 0.02, 0.02
	}
	return math.Inf(-1), 0.02
}
func (positive) Prox(w, step float64) float64 { return max(w-0.02*step, 0) }

// TestOwnPenalty: with a program's own penalty the solution is the one that proximal gradient steps
// find. The gap bounds the distance from it. Without a ridge there is no gap. A penalty that
// depends on the signs tells a dual point from its negative.
func TestOwnPenalty(t *testing.T) {
	for seed := range repeat.Size[uint64](8, 2) {
		p := draw(seed, 80, seed%2 == 1, seed%4 < 2)
		p.ridge = 0.01
		q := p.posed(t)
		q.Penalty = penalty.Own(positive{}, p.ridge)
		d := len(p.rows[0])
		w, b, bend := make([]float64, d), 0.0, p.ridge
		for _, row := range p.rows {
			square := 1.0
			for _, v := range row {
				square += v * v
			}
			bend += square / float64(len(p.rows))
		}
		for range 20000 {
			_, g, slope := p.smooth(w, b)
			for j := range w {
				w[j] = max(w[j]-(g[j]+0.02)/bend, 0)
			}
			if p.intercept {
				b -= slope / bend
			}
		}
		want, _, _ := p.smooth(w, b)
		zeros := 0
		for _, v := range w {
			want += 0.02 * v
			if v == 0 {
				zeros++
			}
		}
		name := fmt.Sprintf("seed %d", seed)
		if zeros == 0 || zeros == d {
			t.Errorf("%s: %d of %d weights are 0", name, zeros, d)
		}
		for _, tolerance := range []float64{1e-3, 1e-9} {
			r := solve(t, q, solvers.Settings{GapTolerance: tolerance, MaxEpochs: 1e4, Workers: 1})
			if r.Status != solvers.Converged || r.Objective-want > r.Gap+1e-10 || want-r.Objective > 1e-8 {
				t.Errorf("%s: %v at %v with a gap of %v, the reference has %v", name, r.Status, r.Objective, r.Gap, want)
			}
		}
		q.Penalty = penalty.Own(positive{}, 0)
		if _, err := Solve(t.Context(), q, nil, solvers.Settings{GapTolerance: 1e-6}); err == nil || !strings.Contains(err.Error(), "no conjugate") {
			t.Errorf("%s: error %v", name, err)
		}
		if r, err := Solve(t.Context(), q, nil, solvers.Settings{GradientTolerance: 1e-6, MaxEpochs: 1e4}); err != nil || r.Status != solvers.Converged || r.Gap == r.Gap {
			t.Errorf("%s: %v, error %v", name, r, err)
		}
	}
}

// TestFarIntercept: beside an intercept that is far from the best one, the bound knows the sign of a
// dual point. The minimum is about 0.963.
func TestFarIntercept(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 0, 0, 1, 2}, []uint32{0, 0}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: x.WithBias(1), Y: []float64{0, 0, 5, 5}, Loss: loss.Squared{}, Intercept: true, Penalty: penalty.Own(positive{}, 0.1)}
	want := solve(t, p, solvers.Settings{GapTolerance: 1e-12, Workers: 1}).Objective
	if math.Abs(want-0.9633) > 1e-3 {
		t.Fatalf("a minimum of %v", want)
	}
	e := newObjective(p, nil).evaluate([]float64{0, 1})
	if lower := e.Objective - e.Gap; lower > want || lower < 0.5 {
		t.Errorf("a lower bound of %v, where the minimum is %v", lower, want)
	}
}
