package solvers

import (
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is a mean of losses over n rows and a penalty, to be minimised:
//
//	P(w, b) = (1/n) sum_i s_i phi(x_i'w + b + o_i, y_i) + penalty(w)
//
// Solving does not change a Problem; several runs may share it.
type Problem struct {
	// X has n rows, and as many columns as there are weights. Without Intercept a bias column of
	// X is penalised like any other.
	X *sparse.Matrix
	// Y holds n labels (-1 or +1, for losses with Labels) or targets.
	Y []float64
	// Loss is phi.
	Loss loss.Loss
	// Penalty is of w, nil for none, which solvers without NoRegulariser in Accepts refuse. Ridge with
	// a Lambda of 1/n is customary. A solver refuses a penalty without a part that it needs by a
	// *penalty.LacksError.
	Penalty penalty.Penalty
	// SampleWeight holds n factors s_i of the losses, 0 or more; nil means 1.
	SampleWeight []float64
	// Intercept says that the bias column of X, which must be 1, is an unpenalised intercept b:
	// the penalty leaves out its weight, the last one.
	Intercept bool
	// Offset holds n finite numbers o_i that are added to the margins: x_i'w + o_i, b included;
	// nil means 0.
	Offset []float64
}

// Ridge returns the weight lambda of the squared norm in the penalty, 0 for none.
func (p *Problem) Ridge() float64 { return penalty.Lambda(p.Penalty) }

// With returns a copy of the problem with another penalty.
func (p *Problem) With(other penalty.Penalty) *Problem {
	q := *p
	q.Penalty = other
	return &q
}

// Free returns the number of weights, at the end of all, that the penalty leaves out.
func (p *Problem) Free() int {
	if p.Intercept {
		return 1
	}
	return 0
}
