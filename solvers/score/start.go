package score

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Starter is a model that can fit a starting point of its own.
type Starter interface {
	Model
	// Start writes to w a fit of the logistic loss of the scores to labels y, -1 or
	// +1, and returns the passes over the rows that it took. weight holds a weight
	// of each row, nil stands for 1. Of the settings it reads MaxTime, Seed and
	// Workers. Cancelled, it writes what it has.
	Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (passes int, err error)
}

// Opening is a loop that finds its starting point in its first Next. A run that ends
// before that is done does it again when it is resumed.
type Opening struct {
	engine.Loop
	// Due says that the starting point is to be fitted, and is not given.
	Due bool
	// Begin readies the loop, with a fit where one is due. It ends early where
	// Control.Over says so.
	Begin func(c *engine.Control, due bool) error

	ready bool
}

// Next begins, or is that of the loop.
func (o *Opening) Next(c *engine.Control) {
	if !o.ready {
		if err := o.Begin(c, o.Due); err != nil {
			c.Fail(err)
			return
		}
		if o.ready = !c.Over(); !o.ready {
			return
		}
	}
	o.Loop.Next(c)
}

// State visits how far the beginning is, and the loop's state.
func (o *Opening) State(c *engine.Coder) {
	c.Bool(&o.ready)
	c.Bool(&o.Due)
	o.Loop.State(c)
}

// The logistic fit that a linear model starts from ends at a duality gap of startGap.
const (
	startGap    = 1e-4
	startPasses = 200
)

// Start fits w with lambda = 1/n by Newton's method. The fit has a bias, whose
// weight is dropped where X has none: it changes no ranking.
func (m Linear) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	x := m.rows()
	if x.Bias() == 0 {
		x = x.WithBias(1)
	}
	fit := &erm.Problem{X: x, Y: y, SampleWeight: weight, Loss: kernels.Logistic, Lambda: 1 / float64(x.Rows())}
	r, err := erm.Solve(ctx, fit, erm.Newton{}, solvers.Settings{
		MaxPasses: startPasses, MaxTime: settings.MaxTime, GapTolerance: startGap, Seed: settings.Seed, Workers: settings.Workers,
	})
	if err != nil {
		return 0, fmt.Errorf("warm start: %w", err)
	}
	copy(w, r.Weights)
	return int(math.Ceil(r.Total.Passes)), nil
}
