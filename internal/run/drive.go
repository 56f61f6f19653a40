package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Drive runs a loop until a target is reached, a budget is spent, ctx is done or
// the loop cannot go on. settings are as Check returned them. An error
// of a recorder, of validation or of a checkpoint ends the run; the result is
// valid then as well, unless it is nil.
func Drive(ctx context.Context, run Run, settings solvers.Settings) (*solvers.Result, error) {
	if run.Begun.IsZero() {
		run.Begun = time.Now()
	}
	c := &Control{
		run: run, settings: settings, ctx: ctx, started: run.Begun,
		last: solvers.Point{Iterations: -1}, stall: newStall(),
	}
	if settings.Ranks != nil && settings.Ranks.Rank() > 0 {
		settings.Checkpoint = "" // one file for all
	}
	var err error
	if c.checkpoint, err = checkpoint.Open(&settings, run.Identity, c.state); err == nil {
		defer c.checkpoint.Close()
		err = c.checkpoint.Within(run.within, run.identify)
	}
	if err := shards.Agree(settings.Ranks, err); err != nil {
		return nil, err
	}
	c.scheduleRecord()
	c.resumed = run.Begun
	for c.between(); c.status == solvers.Running; c.between() {
		run.Loop.Next(c)
	}
	c.pause()
	c.finish()
	if c.found && math.IsNaN(c.best.GradientNorm) {
		c.best.GradientNorm = c.run.Evaluate(c.bestWeights()).GradientNorm
	}
	c.certify()
	c.settle()
	if c.broken {
		return nil, c.err
	}
	if !c.found {
		if c.err == nil && (c.status == solvers.Cancelled || c.status == solvers.TimeReached) {
			c.err = ErrNotBegun
		}
		if c.err == nil {
			c.err = fmt.Errorf("solvers: the objective or its gradient is not finite at the starting point; %w", solvers.ErrTooLarge)
		}
		return nil, c.err
	}
	return c.result(), c.err
}

// ErrNotBegun is why a run has no result. Its checkpoint, if it has one, can be resumed.
var ErrNotBegun = errors.New("solvers: the run ended before its starting point was evaluated")

// between is what happens between two iterations.
func (c *Control) between() {
	if c.status != solvers.Running {
		return
	}
	if c.epochs() >= c.nextRecord {
		c.pause()
		c.evaluate()
		c.scheduleRecord()
		c.resume()
	}
	if c.status != solvers.Running {
		return
	}
	cancelled, late, due := c.agree(c.ctx.Err() != nil, c.settings.MaxTime > 0 && time.Since(c.started) >= c.settings.MaxTime, c.checkpoint.Due())
	limits := &c.settings
	switch {
	case c.status != solvers.Running:
	case cancelled:
		c.status = solvers.Cancelled
	case c.epochs() >= limits.MaxEpochs, limits.MaxIterations > 0 && c.iterations >= limits.MaxIterations:
		c.status = solvers.BudgetReached
	case late:
		c.status = solvers.TimeReached
	case due:
		c.pause()
		c.checkpoint.Try()
		c.resume()
	}
}

// agree has all ranks go by what the clock and the caller of rank 0 say.
func (c *Control) agree(cancelled, late, due bool) (bool, bool, bool) {
	ranks := c.settings.Ranks
	if ranks == nil || ranks.Size() == 1 {
		return cancelled, late, due
	}
	said := []byte{0, 0, 0}
	for k, v := range []bool{cancelled, late, due} {
		if v {
			said[k] = 1
		}
	}
	if err := ranks.Broadcast(said); err != nil {
		c.Break(err)
		return false, false, false
	}
	return said[0] != 0, said[1] != 0, said[2] != 0
}

func (c *Control) scheduleRecord() {
	every := c.settings.RecordEvery
	switch {
	case c.samples == 0 && !c.found && !c.run.Reports:
		c.nextRecord = 0
	case every == 0 && c.run.Reports:
		c.nextRecord = math.Inf(1)
	default:
		if every == 0 {
			every = 1
		}
		c.nextRecord = float64((math.Floor(c.epochs()/every) + 1) * every)
	}
}

func (c *Control) evaluate() {
	if c.current == nil {
		c.current = make([]float64, c.run.Columns)
	}
	c.run.Loop.Current(c.current)
	e := c.run.Evaluate(c.current)
	if e.Err != nil {
		c.Break(e.Err)
		return
	}
	// Records that lie closer than a pass would end a run sooner.
	c.repeated = c.last.Iterations >= 0 && math.Floor(c.epochs()) == math.Floor(c.last.Epochs)
	c.reached(c.current, e)
	c.repeated = false
}

// finish saves a run that may be continued, and evaluates where it stands. It
// saves first, so that the evaluation leaves no mark on what continues.
func (c *Control) finish() {
	switch c.status {
	case solvers.Cancelled, solvers.BudgetReached, solvers.TimeReached, solvers.Failed:
		// A larger run keeps the result of a part whose budget is spent.
		if c.run.within == nil || c.status != solvers.BudgetReached {
			if err := c.checkpoint.Save(); err != nil {
				c.fail(err)
			}
		}
		if !c.broken && (!c.found || c.last.Iterations != c.iterations) {
			ended := c.status
			if c.evaluate(); ended != solvers.BudgetReached {
				c.status = ended // a run that is left alone need not look here
			}
		}
	}
}

// certify improves on what is known of the best point of a run that reached no target. If
// that turns out to be within one, the run converged.
func (c *Control) certify() {
	if !c.found || c.run.Certify == nil || c.status != solvers.Stalled && c.status != solvers.BudgetReached {
		return
	}
	c.tighten(c.run.Certify(c.bestWeights(), evaluationOf(&c.best), c.settings.GapTolerance, c.status == solvers.Stalled))
}

// settle has the objective of the weights that are returned computed anew where rounding shows.
func (c *Control) settle() {
	if !c.found || c.broken || c.run.Settle == nil || !c.best.RoundingShows(c.settings.GapTolerance) {
		return
	}
	e := c.run.Settle(c.bestWeights(), evaluationOf(&c.best))
	c.best.Objective, c.best.ObjectiveError = e.Objective, e.ObjectiveError
	c.tighten(e)
}

// tighten takes a smaller gap of the best point.
func (c *Control) tighten(e Evaluation) {
	if e.Gap < c.best.Gap {
		c.best.Gap = e.Gap
		if (c.status == solvers.Stalled || c.status == solvers.BudgetReached) &&
			c.settings.GapTolerance > 0 && e.Gap <= c.settings.GapTolerance && !c.refuted(e) {
			c.status = solvers.Converged
		}
	}
}

// evaluationOf is what a point keeps of its evaluation.
func evaluationOf(p *solvers.Point) Evaluation {
	return Evaluation{Objective: p.Objective, ObjectiveError: p.ObjectiveError, GradientNorm: p.GradientNorm, Gap: p.Gap}
}

// Settled returns the evaluation of a point that a run ends with outside of Drive: settle is as
// Run.Settle.
func Settled(s *solvers.Settings, e Evaluation, settle func(Evaluation) Evaluation) Evaluation {
	p := solvers.Point{Objective: e.Objective, ObjectiveError: e.ObjectiveError, Gap: e.Gap}
	if p.RoundingShows(s.GapTolerance) {
		return settle(e)
	}
	return e
}

func (c *Control) result() *solvers.Result {
	r := &solvers.Result{
		Weights: c.bestWeights(), Point: c.best, Status: c.status, Solver: c.run.Solver,
		Seed: c.settings.Seed, Workers: c.settings.Workers, CPUPath: dispatch.Current(),
	}
	if r.Status == solvers.Converged && c.run.Nonconvex {
		r.Status = solvers.Stationary
	}
	r.Total.Epochs, r.Total.GradientEvaluations = c.epochs(), c.gradients
	r.Total.Iterations, r.Total.Seconds = c.iterations, c.seconds
	return r
}

func (c *Control) state(k *checkpoint.Coder) {
	k.Count64(&c.samples)
	k.Count64(&c.gradients)
	k.Count64(&c.iterations)
	k.Float64(&c.seconds)
	k.Bool(&c.found)
	checkpoint.VisitPoint(&c.best, k)
	checkpoint.VisitPoint(&c.last, k)
	k.Floats(c.bestWeights())
	c.stall.state(k)
	k.Count(&c.impatience, checkpoint.MostCount)
	c.run.Loop.State(k)
}
