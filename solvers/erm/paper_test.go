package erm

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestPaper: rows of length 1 with a constant feature, lambda = 1/n, and algorithm 2 as it is
// printed. The seed draws the start unless Settings.Initial gives one.
func TestPaper(t *testing.T) {
	raw := randomProblem(t, loss.Logistic{}, 50, 10, 4, 0, false)
	p, err := PaperProblem(raw.X, raw.Y)
	if err != nil || p.Ridge() != 1./50 || p.Loss != (loss.Logistic{}) || p.X.Bias() != 1 || p.X.Cols() != 11 {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, x := range newReference(p).x {
		if square := dot(x, x); math.Abs(square-2) > 1e-12 && square != 1 { // 1: no entries
			t.Errorf("row %d has the square %v", i, square)
		}
	}
	if _, err := PaperProblem(raw.X, raw.Y[1:]); err == nil {
		t.Error("too few labels accepted")
	}
	first := solvers.Settings{MaxIterations: 1, Seed: 5}
	for _, start := range [][]float64{nil, start(11)} {
		loop := loopOf(t, p, AISARAH{Paper: true}, solvers.Settings{Seed: 5, Initial: start}).(*aisarahLoop)
		w := current(loop, 11)
		least, most := 1., 0.
		for j, v := range w {
			least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
			if start != nil && v != start[j] {
				t.Fatalf("begins at %v, not at %v", w, start)
			}
		}
		if reach := 1 / math.Sqrt(11); start == nil && !(most <= reach && most > reach/2 && least < reach/2) {
			t.Errorf("begins at %v", w)
		}
		if loop.guard.on {
			t.Error("guarded")
		}
	}
	same := mustSolve(t, p, AISARAH{Paper: true}, first)
	solvetest.SameBits(t, "the same seed", mustSolve(t, p, AISARAH{Paper: true}, first), same)
	if first.Seed++; mustSolve(t, p, AISARAH{Paper: true}, first).Weights[0] == same.Weights[0] {
		t.Error("two seeds begin at one point")
	}
}
