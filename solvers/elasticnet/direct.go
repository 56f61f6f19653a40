package elasticnet

import (
	"errors"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	_ "github.com/lanes-go/lanes/solvers/erm" // for handover.Newton
	"github.com/lanes-go/lanes/solvers/internal/handover"
	"github.com/lanes-go/lanes/sparse"
)

// A loss that equals its quadratic model and a squared norm alone make a linear system. Its matrix is
// formed and factored at once, and statistics certify the solution. Where rounding is in the way, the
// run goes on by Newton's method, which has further ways.

// directSweeps is the number of epochs that X'SX and its factor may cost then. Conjugate gradients over
// the rows take about as many.
const directSweeps = 12

// Direct tells whether a run of p solves a linear system by X'SX of all columns, because the matrix
// pays. It looks at sizes.
func Direct(p *Problem) bool {
	return p != nil && p.X != nil && p.Loss != nil && p.Loss.Quadratic() && smooth(p) && factorPays(p.X)
}

// smooth tells whether the penalty is a squared norm alone.
func smooth(p *Problem) bool {
	lambda, alone := penalty.Alone(p.Penalty)
	return alone && lambda > 0
}

// factorPays tells whether X'SX of all columns and its factor pay.
func factorPays(x *sparse.Matrix) bool {
	return x.Cols() <= cost.Columns && gramCost(x)+cost.Factor(x.Cols()) <= directSweeps*(x.NNZ()+int64(16*x.Cols()))
}

// solves tells whether the weights of a part are the solution of a linear system with its matrix.
func (l *loop) solves() bool { return l.smooth && l.part.exact && l.part.dense }

// turn hands a run with a linear system over to Newton's method, from the weights. It tells whether it
// did: points of a path stay.
func (l *loop) turn(c *run.Control) bool {
	if l.settings == nil || !l.smooth || !l.phi.Quadratic() {
		return false
	}
	l.handOver(l.offsets.outward(l.w))
	c.Turn()
	return true
}

func (l *loop) handOver(w []float64) {
	l.newtons = handover.Newton(l.offsets.given(l.whole.p), l.pool, *l.settings, w)
}

// turned visits the loop of Newton's method, and tells whether the run is there.
func (l *loop) turned(c *checkpoint.Coder) bool {
	is := l.newtons != nil
	if c.Bool(&is); !is || c.Err() != nil {
		return is
	}
	if c.Restoring() && l.newtons == nil {
		if l.settings == nil || !l.smooth {
			c.Fail(errors.New("a run by Newton's method, which this one does not turn to"))
			return true
		}
		l.handOver(make([]float64, len(l.w)))
	}
	l.newtons.State(c)
	return true
}
