package compositional

import (
	"fmt"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

func paperOf(m Method) solvers.PaperSetting {
	if _, own := m.(SCVRG); own {
		return solvers.PaperSetting{Section: "section V"}
	}
	return solvers.PaperSetting{}
}

// PaperProblem poses the problem of the paper's section V, (6), for SCVRG with Paper set. It
// takes n rewards of d assets, row after row, in per cent as the data library has them. lambda is
// the weight of the l1 norm, which the section chooses by cross-validation. Runs begin at start.
//
// The section has A = B = 5 and eta = 0.01. It leaves open, and these are our choices: the
// bounded set X, here [-1, 1] for each weight; the length of the first epoch, here as in
// theorem 3; the number of epochs; and the starting point, 1/d each, as in the code that
// Problem.UnitThreshold tells of.
func PaperProblem(rewards []float64, n, d int, lambda float64) (p *Problem, start []float64, err error) {
	f, err := NewPortfolio(rewards, n, d, 1)
	if err != nil {
		return nil, nil, err
	}
	start = make([]float64, d)
	for j := range start {
		start[j] = 1 / float64(d)
	}
	p = &Problem{F: f, R: penalty.L1Box{Lambda: lambda, Low: -1, High: 1}}
	if err := p.Check(); err != nil {
		return nil, nil, fmt.Errorf("%w, in the paper's problem", err)
	}
	return p, start, nil
}
