package erm

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
)

// oracle answers what Newton's method asks of the rows of a problem. There are two: inMemory, which
// keeps the margins of its rows, and sharded, for which every answer is a sweep over the rows,
// wherever they are. A sweep may fail; rows in memory never do. After an error, the answers at the point
// of curve are what they were.
type oracle interface {
	// size returns the numbers of rows and of columns. used returns how many rows were used since it
	// was called last, as run.Control.Gradients counts them.
	size() (rows, columns int)
	used() int
	// constant writes the weights that a run begins at: 0, but for an intercept. ceiling returns an
	// objective that no run need begin above: there, or at 0 where that one costs a sweep.
	constant(w []float64)
	ceiling() float64

	// visit goes to w: it writes the gradient of P to g and evaluates w. It costs a pass.
	visit(g, w []float64) (run.Evaluation, error)
	// curve has curvatures belong to w, the point of the last visit or move. wide takes them from
	// majorizerCurvature. bends tells whether the loss of a row has curvature there.
	curve(w []float64, wide bool)
	bends() bool

	// diagonal writes the diagonal of X'hX to squares, where h are the curvatures of curve, and X'h to
	// sums, unless that is nil. gram writes the lower triangle row by row. gramCost is the cost of gram
	// and of factoring it, in passes. It is +Inf with too many columns.
	diagonal(squares, sums []float64) error
	gram(dst []float64) error
	gramCost() float64

	// product writes Hv to dst, for a direction v of a step. It costs a pass. bend returns v'Hv where
	// that alone costs half of it; product then takes the other half.
	product(dst, v []float64) error
	bend(v []float64) (bend float64, cheaper bool)
	// follow adds alpha times the direction of the last product to the step. curved and first are as
	// for truncated.Inner.Advance.
	follow(alpha float64, curved, first bool)

	// along returns the mean loss at w + alpha s. A search asks for alphas of 1, 1/2, 1/4 and so on.
	along(at *points, s []float64, alpha float64) (mean float64, err error)
	// move goes to w + alpha s, where alpha is the last one of along or 0. It writes this point and
	// the gradient to next and slope. The step took that many products, or none.
	move(at *points, s []float64, alpha float64, products int) (run.Evaluation, error)
	// sharpen makes the gap of w smaller, the point of the last visit or move, where rounding is most
	// of it.
	sharpen(e run.Evaluation, w []float64) (run.Evaluation, error)

	// gather returns all rows in memory, if they are few enough for orthogonal steps. rows returns
	// the oracle itself if it has them, else nil.
	gather() (*inMemory, error)
	rows() *inMemory

	// evaluate, certify and settle are the functions of the same names in run.Run.
	evaluate(w []float64) run.Evaluation
	certify(w []float64, e run.Evaluation, target float64, spent bool) run.Evaluation
	settle(w []float64, e run.Evaluation) run.Evaluation

	// state visits what is kept of the point w and of a step that took that many products.
	state(c *checkpoint.Coder, w, step []float64, products int)
}

// points are the point of a run and the one that it moves to, each with its gradient. They are the
// same vectors for rows in memory, where no move fails.
type points struct {
	w, g        []float64
	next, slope []float64
}

// arrive makes the point that was moved to the present one.
func (p *points) arrive() {
	p.w, p.next = p.next, p.w
	p.g, p.slope = p.slope, p.g
}
