// Package opening fits the starting points of ranking solvers by the logistic loss. Its loop
// makes this fit in its first iteration.
package opening

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Loop is a loop that fits its starting point in its first Next. A run that ends during
// the fit repeats the fit when it is resumed.
type Loop struct {
	run.Loop
	// Due says that the starting point must be fitted: no point was given.
	Due bool
	// Fit fits the starting point, and returns the number of row gradients that it took. It
	// ends early if Control.Over says so.
	Fit func() (gradients int, err error)

	ready bool
}

// Next fits the starting point if it is due, and from then on calls Next of the loop.
func (o *Loop) Next(c *run.Control) {
	if !o.ready {
		gradients := 0
		if o.Due {
			var err error
			if gradients, err = o.Fit(); err != nil {
				c.Break(err)
				return
			}
		}
		if o.ready = !c.Over(); !o.ready {
			return
		}
		c.Gradients(gradients)
	}
	o.Loop.Next(c)
}

// State visits whether the starting point is fitted, and the loop's state.
func (o *Loop) State(c *checkpoint.Coder) {
	c.Bool(&o.ready)
	c.Bool(&o.Due)
	o.Loop.State(c)
}

// Of returns the Starter of a model: the fits of this package for linear models and
// perceptrons, and a model that is a score.Starter itself. It tells whether it found one.
func Of(m score.Model) (starter score.Starter, starts bool) {
	switch m := m.(type) {
	case score.Linear:
		return linear{m}, true
	case *score.Linear:
		if m != nil {
			return linear{*m}, true
		}
	case *score.Perceptron:
		return perceptron{m}, m != nil
	}
	starter, starts = m.(score.Starter)
	return starter, starts
}

// startGap is the duality gap at which the logistic fit of a linear model ends.
const startGap = 1e-4

// linear starts at a logistic fit.
type linear struct{ score.Linear }

// Start fits w with lambda = 1/n by Newton's method. The fit has a bias. Its weight is
// dropped if X has no bias, as it changes no ranking.
func (m linear) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	x := m.X
	if x == nil {
		x = new(sparse.Matrix)
	}
	if x.Bias() == 0 {
		x = x.WithBias(1)
	}
	fit := &erm.Problem{X: x, Y: y, SampleWeight: weight, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(x.Rows())}}
	r, err := erm.Solve(ctx, fit, erm.Newton{}, solvers.Settings{
		MaxTime: settings.MaxTime, GapTolerance: startGap, Seed: settings.Seed, Workers: settings.Workers,
	})
	if err != nil {
		return 0, fmt.Errorf("warm start: %w", err)
	}
	copy(w, r.Weights)
	return int(math.Ceil(r.Total.Epochs)), nil
}
