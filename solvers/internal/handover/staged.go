package handover

import (
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// Point is a point of Newton's method on a problem in stages. Nobody may keep or change its vectors.
type Point struct {
	W, Margins, Slopes []float64 // slopes are s_i phi'(z_i)
	Norm               float64   // of the gradient, the intercept's slope included
	Slope              float64   // along the intercept, 0 without one
	// Spent tells that steps from here promise less than rounding.
	Spent bool
}

// Stage looks at a point. It tells whether it has changed the loss or the targets of the problem, which
// begins the next stage from there.
type Stage func(c *run.Control, at Point) (changed bool)

// Staged is Newton for a problem whose loss and targets, its own, a stage changes on the way. The loop
// reports no points. It makes copies of rows where these make products quicker. Package erm sets it.
var Staged func(p *solvers.Problem, pool *matrix.Pool, settings solvers.Settings, w []float64, stage Stage) run.Loop
