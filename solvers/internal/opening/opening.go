// Package opening has the starting points that models are trained from for a ranking: fits
// of the logistic loss, and the loop that makes one in its first iteration.
package opening

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Loop is a loop that finds its starting point in its first Next. A run that ends
// before that is done does it again when it is resumed.
type Loop struct {
	run.Loop
	// Due says that the starting point is to be fitted, and is not given.
	Due bool
	// Fit finds it, and returns the gradients of rows that this took. It ends early where
	// Control.Over says so.
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

// State visits how far the beginning is, and the loop's state.
func (o *Loop) State(c *checkpoint.Coder) {
	c.Bool(&o.ready)
	c.Bool(&o.Due)
	o.Loop.State(c)
}

// Of returns what fits a starting point of a model: the fits of this package for linear
// models and perceptrons, its own for a model that is a score.Starter.
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

// linear starts where a logistic fit ends.
type linear struct{ score.Linear }

// Start fits w with lambda = 1/n by Newton's method. The fit has a bias, whose
// weight is dropped where X has none: it changes no ranking.
func (m linear) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	x := m.X
	if x == nil {
		x = new(sparse.Matrix)
	}
	if x.Bias() == 0 {
		x = x.WithBias(1)
	}
	fit := &erm.Problem{X: x, Y: y, SampleWeight: weight, Loss: kernels.Logistic, Lambda: 1 / float64(x.Rows())}
	r, err := erm.Solve(ctx, fit, erm.Newton{}, solvers.Settings{
		MaxTime: settings.MaxTime, GapTolerance: startGap, Seed: settings.Seed, Workers: settings.Workers,
	})
	if err != nil {
		return 0, fmt.Errorf("warm start: %w", err)
	}
	copy(w, r.Weights)
	return int(math.Ceil(r.Total.Epochs)), nil
}
