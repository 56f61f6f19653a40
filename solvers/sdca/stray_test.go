package sdca

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// poisoned is Hybrid with weights that something breaks before the fifth chunk of steps.
type poisoned struct {
	Hybrid
	poison func(w []float64)
}

func (m poisoned) begin(t *task) (dualLoop, any, error) {
	loop, parameters, err := m.Hybrid.begin(t)
	return &poisonedLoop{hybridLoop: loop.(*hybridLoop), poison: m.poison}, parameters, err
}

type poisonedLoop struct {
	*hybridLoop
	poison func(w []float64)
	chunks int
}

func (l *poisonedLoop) Next(c *run.Control) {
	if l.chunks++; l.chunks == 5 && l.opening != nil {
		l.poison(l.opening.w)
	}
	l.hybridLoop.Next(c)
}

// Whatever becomes of the dual steps, Newton's method goes on: from 0 if nothing better
// is left, or from the user's point; and for rows on which there are no dual steps it
// begins.
func TestHybridHandsOverWhatStrays(t *testing.T) {
	for name, poison := range map[string]func(w []float64){
		"not a number": func(w []float64) { w[0] = math.NaN() },
		"infinite":     func(w []float64) { w[3] = math.Inf(-1) },
		"far away": func(w []float64) {
			for j := range w {
				w[j] = 1e9
			}
		},
	} {
		for _, loss := range allLosses {
			p := randomProblem(t, loss, 40, 60, 6, 1e-3, true)
			start := solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 2}).Weights
			for _, initial := range [][]float64{nil, start} {
				s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Initial: initial}
				r, err := Solve(context.Background(), p, poisoned{poison: poison}, s)
				if err != nil {
					t.Fatal(err)
				}
				if r.Status != solvers.Converged {
					t.Errorf("%s, %v: %v at %v", name, loss, r.Status, r.Objective)
				}
			}
		}
	}
	p := randomProblem(t, loss.Logistic{}, 20, 30, 5, 1e-310, false)
	if _, err := Solve(context.Background(), p, Prox{}, solvers.Settings{}); err == nil {
		t.Error("prox-sdca takes rows that are too long")
	}
	r, err := Solve(context.Background(), p, Hybrid{}, solvers.Settings{MaxEpochs: 50})
	if err != nil {
		t.Fatal(err)
	}
	if !(r.Objective < 0.2*math.Ln2) {
		t.Errorf("rows too long for dual steps: %v at %v", r.Status, r.Objective)
	}
}
