package ap

import (
	"fmt"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/sparse"
)

// paper is section 4.1. Its regulariser is lambda ||w||^2 with lambda = 1e-4.
var paper = solvers.PaperSetting{Section: "section 4.1", Lambda: 2e-4, Scaled: true}

// Paper poses the problem of the paper's section 4.1, for solvers whose Paper is set:
// features in [0, 1], no bias, and lambda ||w||^2 with lambda = 1e-4, which is a Lambda of
// 2e-4. The scaler does to other rows what was done to these.
//
// The section has sigmoid scores, the squared hinge, T = 500, and a mini-batch of 20. Parameters
// are tuned on the training rows with Step in {20, 10, 1, 0.1, 0.01} and Beta in {0.9, 0.5, 0.1}.
// It measures the final model, which Solve then returns. It leaves open, and these are our
// choices:
//
//   - a batch is 10 rows of each class (the authors' code has one batch with a fixed share of
//     positives);
//   - Margin is 1, the default of that code. Tuned among the other parameters, to 0.02 to 0.3, it
//     brings results nearer to the paper's tables.
//   - w, the estimates and the moments begin at 0;
//   - SmoothAP's temperature is the 0.01 of its own paper; Second is 0.001 and Delta 1e-8.
//
// M is (1+Margin)^2, the largest squared hinge of scores in (0, 1).
func Paper(x *sparse.Matrix, y []float64) (*Problem, *sparse.Scaler, error) {
	if err := ranking.Check(x, y); err != nil {
		return nil, nil, fmt.Errorf("ap: %w", err)
	}
	x = x.WithBias(0)
	scaler, err := sparse.FitMinMax(x)
	if err == nil {
		x, err = scaler.Apply(x)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("ap: %w", err)
	}
	return &Problem{X: x, Y: y, Lambda: paper.Lambda}, scaler, nil
}
