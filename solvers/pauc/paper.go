package pauc

import (
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// The settings of appendix E: no regulariser, and scores without a bias.
var (
	paperPairs = solvers.PaperSetting{Section: "sections 6.1 and E.2", Low: 0.05, High: 0.5}
	paperRange = solvers.PaperSetting{Section: "section E.1", M: 1000, N: 20000}
)

// PaperRanks returns the ranks of section E.1: 1,000 and 20,000. For 20,000 rows or fewer it
// returns 0.02 and 0.4 of the rows, which are about the paper's shares on w8a and ijcnn1.
func PaperRanks(rows int) (m, n int) {
	if rows > paperRange.N {
		return paperRange.M, paperRange.N
	}
	return ranks(0.02, 0.4, rows)
}

func paperOf(m Method) solvers.PaperSetting {
	switch {
	case ranged(m):
		return paperRange
	case m == SVMTight{}:
		return solvers.PaperSetting{}
	}
	return paperPairs
}

// Paper poses the problem of the paper's experiments with partial AUCs (sections 6.1 and
// E.2), for solvers whose Paper is set: false-positive rates of 0.05 to 0.5, no regulariser
// and no bias.
//
// The section has the logistic loss and batches of 100 + 100. T_k is 50 (k+1)^2 for AGD-SBCD, and
// C (k+1)^2 with C in {100, 200, 500} for DCA. Steps for v and for the thresholds (Threshold 1)
// are c/(k+1) with c in {0.1, 1, 5, 10, 20, 30}. mu is in {100, 1000}, and gamma/mu is 20 or 50
// with the first and 2 or 5 with the second. Proximal DCA has an L in {1e-5, ..., 1}, a Mu of at
// least P N, so the proximal term is almost 0. Of these grids the setting takes c = 5, C = 100,
// mu = 1000, gamma/mu = 5 and L = 1. The section leaves open, and these are our choices: w begins
// at 0, and the thresholds at the losses of the ranks m and n there; five outer iterations.
//
// The paper's output is v_n of an outer iteration drawn at random, which its experiments do
// not mention. Solve returns v_n of the last outer iteration; DCA returns its last w.
func Paper(x *sparse.Matrix, y []float64) (*Problem, error) {
	p := &Problem{X: without(x), Y: y, Low: paperPairs.Low, High: paperPairs.High}
	return p, p.Check()
}

// PaperRange poses the problem of the paper's experiments with the sum of ranked range
// (section E.1), for solvers whose Paper is set: the losses of ranks 1,001 to 20,000, without
// a regulariser and a bias, or what PaperRanks has for fewer rows.
//
// The section has batches of 100 rows, and T_k = C (k+1)^2 with C in {30, 50, 100}. Steps for v
// and the threshold are c/(k+1) with c in {0.1, 1, 2, 5, 10}. mu is in {200, 1000}, and gamma in
// {200, 500, 800, 4000, 20000}. DCA has these, or Constant: a step in {0.01, 0.1, 0.5, 1} and
// 2,000 or 3,000 inner iterations. Of these grids the setting takes c = 5, C = 50, mu = 1000 and
// gamma/mu = 4, and for DCA Constant 0.5 and 2,000 iterations.
func PaperRange(x *sparse.Matrix, y []float64) (*RangeProblem, error) {
	p := &RangeProblem{X: without(x), Y: y}
	p.M, p.N = PaperRanks(len(y))
	return p, p.Check()
}

// without returns x without a bias column.
func without(x *sparse.Matrix) *sparse.Matrix {
	if x == nil {
		return nil
	}
	return x.WithBias(0)
}
