package compositional

import (
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestPaper: (6) on the box of 1, from 1/d, with A = B = 5, eta = 0.01 and k_0 = 10.
func TestPaper(t *testing.T) {
	f := portfolio(t, 60, 4)
	p, start, err := PaperProblem(f.rewards, 60, 4, 0.02)
	if err != nil || p.R != (penalty.L1Box{Lambda: 0.02, Low: -1, High: 1}) || p.UnitThreshold || len(start) != 4 || start[3] != 0.25 {
		t.Fatalf("%+v, %v, %v", p, start, err)
	}
	if p.F.Identity() != f.Identity() {
		t.Error("another composition")
	}
	s := solvers.Settings{MaxEpochs: 20, Initial: start}
	want := mustSolve(t, p, SCVRG{Step: 0.01, FirstEpoch: 10, InnerSample: 5, OuterSample: 5}, s)
	solvetest.SameBits(t, "paper", mustSolve(t, p, SCVRG{Paper: true}, s), want)
	solvetest.SameBits(t, "another step", mustSolve(t, p, SCVRG{Paper: true, Step: 0.02}, s), mustSolve(t, p, SCVRG{Step: 0.02, FirstEpoch: 10}, s))
	if _, _, err := PaperProblem(f.rewards, 60, 4, -1); err == nil {
		t.Error("a negative weight accepted")
	}
}
