package sdca

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// paper is section 7.
var paper = solvers.PaperSetting{Section: "section 7", Lambda: 1, PerRow: true}

func paperOf(m Method) solvers.PaperSetting {
	switch m.(type) {
	case Adaptive, AdaptivePlus:
		return paper
	}
	return solvers.PaperSetting{}
}

// PaperProblem poses the problem of the paper's section 7: the logistic or the squared loss, rows
// as they are, no bias.
//
// The section runs adfSDCA, where every setting is used here; adfSDCA+ with Shrink in {1, 10, 20}
// and Paper set; and batches of 1 to 32. It does not say lambda and the starting point. Our
// choices: lambda = 1/n, and alpha = 0 at the start.
func PaperProblem(x *sparse.Matrix, y []float64, phi loss.Loss) (*erm.Problem, error) {
	if phi == nil || !phi.Odds() && !phi.Quadratic() {
		return nil, fmt.Errorf("sdca: the paper's losses are logistic and squared, not %v", phi)
	}
	p := &erm.Problem{X: x, Y: y, Loss: phi}
	if x != nil {
		p.X = x.WithBias(0)
		p.Penalty = penalty.Ridge{Lambda: paper.Lambda / max(1, float64(x.Rows()))}
	}
	return p, risk.Check(p)
}
