// Package run runs solvers' loops: it holds them to budgets and targets, records, measures and
// saves them between iterations, and ends them.
package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Loop is a solver's loop, cut into iterations: between any two of them a run
// may be recorded, saved, ended or resumed.
type Loop interface {
	// Next does one iteration and tells c what it cost. Solvers with inner and
	// outer loops do one start of an outer loop or one inner iteration.
	Next(c *Control)
	// Current writes the current iterate to w and changes nothing.
	Current(w []float64)
	// State visits everything that later iterations depend on.
	State(c *checkpoint.Coder)
}

// Evaluation is what is known of a point.
type Evaluation struct {
	Objective, GradientNorm float64
	// Gap bounds the distance of the objective at this point from its minimum, rounding errors
	// included. It is NaN without a bound.
	Gap float64
	// ObjectiveError and GradientError bound how far rounding took Objective and
	// GradientNorm from what they are at this point; 0 where nothing is known.
	ObjectiveError, GradientError float64
	// Opening says that the run begins here, and that GradientNorm, which costs half a pass, is
	// for Settings.Recorder alone.
	Opening bool
	// Err is the reason of a missing evaluation, for Break.
	Err error
}

// Run describes a run to Drive.
type Run struct {
	// Solver is the solver's name.
	Solver string
	// Parameters tells the solver's parameters from others, Data the problem from others.
	// Solve makes Identity of them, which is equal for runs that can continue each
	// other's checkpoints.
	Parameters any
	Data       func(*matrix.Pool) (checkpoint.Identity, error)
	Identity   checkpoint.Identity
	// within is this run's place in a larger run, if it has one; identify makes its Identity there.
	within   *checkpoint.Running
	identify func() (checkpoint.Identity, error)
	// Samples is the number of rows, Columns the number of weights.
	Samples, Columns int
	Loop             Loop
	// Smooth says that the objective is not piecewise constant, as ranking objectives are. It is
	// needed to detect that a run has reached the precision of float64.
	Smooth bool
	// Reports says that the loop itself reports its points (Control.Reached) wherever a target
	// may be reached. Other loops are evaluated by Drive.
	Reports bool
	// Last says that the result is the last point, unless a validation metric chooses: other
	// runs end with the best one.
	Last bool
	// Evaluate evaluates any point; it may not keep or change w.
	Evaluate func(w []float64) Evaluation
	// AtZero, where set, returns the objective at w = 0. It is asked for when a target is
	// reached: a point that is no better is not where a run converged to.
	AtZero func() float64
	// NonZeros, where set, counts the weights that are not 0, for the record.
	NonZeros func(w []float64) int
	// Nonconvex says that a target of the gradient makes a point stationary, and no more.
	Nonconvex bool
	// Certify, where set, looks for better bounds of the point that a run ends with, when
	// no target was reached; target is the gap that was to be reached. spent says that the
	// numbers ran out, so that it is worth much; it may return e as it is.
	Certify func(w []float64, e Evaluation, target float64, spent bool) Evaluation
	// Settle, where set, computes the objective of the point that a run ends with anew, with a
	// smaller error, and what follows from it. It is called where rounding shows; it may return e
	// as it is.
	Settle func(w []float64, e Evaluation) Evaluation
	// Begun is when the preparations for the run began, which count as time spent
	// solving; zero if there were none.
	Begun time.Time
}

// Control is the run as its loop sees it.
type Control struct {
	run      Run
	settings solvers.Settings
	ctx      context.Context

	samples               int64 // selections of samples
	gradients, iterations int64
	seconds               float64
	resumed, started      time.Time // of solving, of the whole run
	nextRecord            float64   // in passes
	checkpoint            *checkpoint.File

	status  solvers.Status
	err     error
	broken  bool      // err is the error of Break
	current []float64 // for evaluations, made by the first one

	best       solvers.Point
	weights    []float64 // of best; nil for zeros that nobody has asked for
	found      bool
	last       solvers.Point
	stall      stall
	repeated   bool // the present evaluation is another one of the pass of the last
	impatience int
}

// Gradients counts the gradients of some samples, outside of any iteration.
func (c *Control) Gradients(samples int) { c.Iterations(0, samples, samples) }

// Iterations counts inner iterations that selected the given number of samples in all, and
// evaluated the given number of their gradients.
func (c *Control) Iterations(count, samples, gradients int) {
	c.samples += int64(samples)
	c.gradients += int64(gradients)
	c.iterations += int64(count)
}

// IterationsLeft returns how many iterations of one sample each may be done before the run is
// recorded or its budget is spent. It is at least 1 and at most most. A loop of very short
// iterations does this many in one Next.
func (c *Control) IterationsLeft(most int) int {
	left := float64(most)
	n := float64(c.run.Samples)
	left = min(left, math.Ceil(min(c.nextRecord, c.settings.MaxEpochs)*n)-float64(c.samples))
	if c.settings.MaxIterations > 0 {
		left = min(left, float64(c.settings.MaxIterations-c.iterations))
	}
	return int(max(left, 1))
}

// Left returns what is left of the budgets of passes and iterations, for a run within a step: at least a sample, and
// 0 for any number of iterations.
func (c *Control) Left() (epochs float64, iterations int64) {
	epochs = max(c.settings.MaxEpochs-c.epochs(), 1/float64(c.run.Samples))
	if c.settings.MaxIterations > 0 {
		iterations = max(c.settings.MaxIterations-c.iterations, 1)
	}
	return epochs, iterations
}

// Settings returns the settings of the run, for a loop to read.
func (c *Control) Settings() *solvers.Settings { return &c.settings }

// Over tells whether the run is cancelled or its time is spent. A loop asks in the
// middle of what takes long. Several ranks agree on that between two iterations alone.
func (c *Control) Over() bool {
	ranks := c.settings.Ranks
	return (ranks == nil || ranks.Size() == 1) && over(c.ctx, c.started, &c.settings)
}

// over tells whether a run that began at some time is cancelled or has no time left.
func over(ctx context.Context, begun time.Time, s *solvers.Settings) bool {
	return ctx != nil && ctx.Err() != nil || s.MaxTime > 0 && time.Since(begun) >= s.MaxTime
}

// Break ends the run with an error and without a result: its rows can no longer be read.
// The loop is as it was before the iteration that found out, so that the checkpoint is
// good. shards.ErrStopped is no such error: the run is about to end by itself.
func (c *Control) Break(err error) {
	if !errors.Is(err, shards.ErrStopped) {
		c.broken = true
		c.fail(err)
	}
}

// End ends the run: as Diverged if a number is not finite, as Stalled if the precision of float64
// is reached, as BudgetReached if the loop's schedule is finished.
func (c *Control) End(status solvers.Status) {
	if c.status == solvers.Running {
		c.status = status
	}
}

// Stalling tells whether the run ends as stalled if the next point is no improvement either.
func (c *Control) Stalling() bool { return c.stall.repeats == stallAfter-1 }

// Turn says that another method continues from the present point. The detection of stalled runs
// begins anew.
func (c *Control) Turn() { c.stall = newStall() }

// Ended tells whether the run is to end after the present iteration.
func (c *Control) Ended() bool { return c.status != solvers.Running }

// Stepped reports one step of a loop that chooses its step sizes.
func (c *Control) Stepped(size, bound, squaredNorm float64) {
	if steps, wanted := c.settings.Recorder.(solvers.StepRecorder); wanted {
		steps.RecordStep(solvers.Step{Epochs: c.epochs(), Size: size, Bound: bound, SquaredNorm: squaredNorm})
	}
}

func (c *Control) epochs() float64 { return float64(c.samples) / float64(c.run.Samples) }

func (c *Control) pause()  { c.seconds += time.Since(c.resumed).Seconds() }
func (c *Control) resume() { c.resumed = time.Now() }

// Reached reports an evaluated point of the run, nil for w = 0, and checks the run's targets. It
// tells whether the run has converged: nobody continues it then, and the result has w itself,
// which the loop has to leave alone. Of other points it keeps a copy at the most.
func (c *Control) Reached(w []float64, e Evaluation) (converged bool) {
	c.pause()
	c.reached(w, e)
	c.resume()
	return c.status == solvers.Converged
}

func (c *Control) reached(w []float64, e Evaluation) {
	p := c.point(w, e)
	if !isFinite(e.Objective) || !e.Opening && !isFinite(e.GradientNorm) {
		c.status = solvers.Diverged
		return
	}
	if m := c.settings.Validation; m != nil {
		value, err := m.Measure(w)
		if err == nil && math.IsNaN(value) {
			err = errors.New("it is not a number")
		}
		if err != nil {
			c.fail(fmt.Errorf("solvers: validation metric %s after %.4g passes: %w", m.Name(), p.Epochs, err))
			return
		}
		p.Metric = value
	}
	c.record(p)
	if e.Opening {
		e.GradientNorm, p.GradientNorm = math.NaN(), math.NaN()
	}
	converged := Reaches(&c.settings, e) && !c.refuted(e)
	if converged {
		if c.status == solvers.BudgetReached {
			c.status = solvers.Running // the last point of the run reached the target
		}
		c.End(solvers.Converged)
	}
	if !e.Opening && !c.repeated && p.Iterations != c.last.Iterations && c.stall.after(p, c.run.Smooth) {
		c.End(solvers.Stalled)
	}
	c.last = p
	better := !c.found || c.better(p) || c.run.Last && c.settings.Validation == nil
	if better || converged && c.settings.Validation == nil {
		c.best, c.found = p, true
		switch {
		case c.status == solvers.Converged:
			direct.Return(c.weights)
			c.weights = w
		case w != nil:
			copy(c.bestWeights(), w)
		}
	}
	if c.settings.Validation != nil {
		if c.impatience++; better {
			c.impatience = 0
		} else if c.impatience >= c.settings.Patience {
			c.End(solvers.StoppedEarly)
		}
	}
}

// point is what is known of a point that the run is at now, without a metric.
func (c *Control) point(w []float64, e Evaluation) solvers.Point {
	p := solvers.Point{
		Epochs: c.epochs(), GradientEvaluations: c.gradients, Iterations: c.iterations, Seconds: c.seconds,
		Objective: e.Objective, ObjectiveError: e.ObjectiveError, GradientNorm: e.GradientNorm, Gap: e.Gap, Metric: math.NaN(),
	}
	if c.run.NonZeros != nil {
		p.NonZeros = c.run.NonZeros(w)
	}
	return p
}

func (c *Control) record(p solvers.Point) {
	if r := c.settings.Recorder; r != nil {
		if err := r.Record(p); err != nil {
			c.fail(fmt.Errorf("solvers: recorder: %w", err))
		}
	}
}

// bestWeights returns the weights of the best point, a vector that may become the result.
func (c *Control) bestWeights() []float64 {
	if c.weights == nil {
		c.weights = direct.BorrowToKeep(c.run.Columns)
	}
	return c.weights
}

// refuted tells whether a point that seems to reach a tolerance is worse, beyond rounding, than
// w = 0. It also tells whether the point is worse than another point of the run by more than its
// gap.
func (c *Control) refuted(e Evaluation) bool {
	const share = 1e-12
	value := e.Objective - e.ObjectiveError
	if c.run.AtZero != nil {
		if zero := c.run.AtZero(); value > zero+float64(share*math.Abs(zero)) {
			return true
		}
	}
	best := c.best.Objective
	return c.found && c.settings.Validation == nil && value-e.Gap > best+c.best.ObjectiveError+float64(share*math.Abs(best))
}

// better compares a point with the best one. If objectives differ by no more than rounding, the
// gradient decides; it is unknown where a run began.
func (c *Control) better(p solvers.Point) bool {
	if m := c.settings.Validation; m != nil {
		if m.HigherIsBetter() {
			return p.Metric > c.best.Metric
		}
		return p.Metric < c.best.Metric
	}
	if level(p.Objective, c.best.Objective) {
		return !(p.GradientNorm > c.best.GradientNorm)
	}
	return p.Objective < c.best.Objective
}

func (c *Control) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.End(solvers.Failed)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
