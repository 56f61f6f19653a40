package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestPaper: rows as they are, no bias, lambda = 1/n, steps without a cap.
func TestPaper(t *testing.T) {
	raw := randomProblem(t, loss.Squared{}, 40, 10, 4, 0.5, false)
	p, err := PaperProblem(raw.X, raw.Y, loss.Squared{})
	if err != nil || p.Ridge() != 1./40 || p.Loss != (loss.Squared{}) || p.X.Bias() != 0 || p.X.Cols() != 10 || p.X.NNZ() != raw.X.NNZ() {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := PaperProblem(raw.X, raw.Y, loss.Huber{}); err == nil {
		t.Error("a loss that is not the paper's accepted")
	}
	loop, _ := loopOf(t, p, AdaptivePlus{Paper: true}, solvers.Settings{})
	if most := loop.(*plusLoop).most[7]; !math.IsInf(most, 1) {
		t.Errorf("a step of %v at most", most)
	}
}
