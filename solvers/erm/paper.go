package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// paper is chapter 5 with appendix B.
var paper = solvers.PaperSetting{Section: "chapter 5 and appendix B", Lambda: 1, PerRow: true, Unit: true, Bias: true}

func paperOf(m Method) solvers.PaperSetting {
	switch m.(type) {
	case AISARAH, SARAH:
		return paper
	}
	return solvers.PaperSetting{}
}

// PaperProblem poses the problem of the paper's experiments, for AISARAH and SARAH with Paper set: logistic
// regression with labels -1 and +1, rows of length 1, a constant feature that is
// regularised like the others, and lambda = 1/n; the other half of the experiments has a
// Lambda of 0.
//
// Batches have 64 rows, the default of Settings.BatchSize (tables 5 and 6 give inner loops of
// 2n/64). Runs take the passes of table 4, 20 to 50. The paper says that a seed initialises w and
// draws the batches, but not how. w_0 is drawn as in the authors' code, and batches come from
// shuffled passes.
func PaperProblem(x *sparse.Matrix, y []float64) (*Problem, error) {
	p := &Problem{X: x, Y: y, Loss: loss.Logistic{}}
	if x != nil {
		p.X = x.WithBias(0).NormalizeUnit().WithBias(1)
		p.Penalty = penalty.Ridge{Lambda: paper.Lambda / math.Max(1, float64(x.Rows()))}
	}
	return p, risk.Check(p)
}

// startAsPaper has a run begin at the paper's w_0, unless a starting point is given.
func (t *task) startAsPaper(paper bool) {
	if paper && t.settings.Initial == nil {
		t.settings.Initial = paperStart(t.p.X.Cols(), t.settings.Seed)
	}
}

// paperStart draws w_0.
func paperStart(columns int, seed uint64) []float64 {
	random, reach := random.New(^seed), 1/math.Sqrt(float64(columns))
	w := make([]float64, columns)
	for j := range w {
		w[j] = (float64(2*random.Float64()) - 1) * reach
	}
	return w
}
