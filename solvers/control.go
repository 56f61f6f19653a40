package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/dispatch"
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
	State(c *Coder)
}

// Evaluation is what is known of a point.
type Evaluation struct {
	Objective, GradientNorm float64
	Gap                     float64 // NaN where there is no bound
}

// Run describes a run to Drive.
type Run struct {
	// Solver is the solver's name. Identity is a text that is equal for runs that
	// can continue each other's checkpoints.
	Solver, Identity string
	// Samples is the number of rows, Columns the number of weights.
	Samples, Columns int
	Loop             Loop
	// Reports says that the loop itself calls Control.Reached, once before its
	// first step and then regularly. Other loops are evaluated by Drive.
	Reports bool
	// Evaluate evaluates any point; it may not keep or change w.
	Evaluate func(w []float64) Evaluation
	// Begun is when the preparations for the run began, which count as time spent
	// solving; zero if there were none.
	Begun time.Time
}

// Control is the run as its loop sees it.
type Control struct {
	run      Run
	settings Settings
	ctx      context.Context

	samples               int64 // selections of samples
	gradients, iterations int64
	seconds               float64
	resumed, started      time.Time // of solving, of the whole run
	nextRecord            float64   // in passes
	nextSave              time.Time

	status  Status
	err     error
	current []float64 // for evaluations

	best       Point
	weights    []float64 // of best
	found      bool
	last       Point
	repeats    int // successive points with the same evaluation
	impatience int
}

// stallAfter is the number of equal successive evaluations that ends a run.
const stallAfter = 20

// Pass counts one full gradient.
func (c *Control) Pass() { c.Gradients(c.run.Samples) }

// Gradients counts the gradients of some samples, outside of any iteration.
func (c *Control) Gradients(samples int) {
	c.samples += int64(samples)
	c.gradients += int64(samples)
}

// Iteration counts one inner iteration that selected the given number of samples
// and evaluated the given number of their gradients.
func (c *Control) Iteration(samples, gradients int) {
	c.samples += int64(samples)
	c.gradients += int64(gradients)
	c.iterations++
}

// Room returns how many iterations of one sample each may be done, most at most
// and one at least, before the run is to be recorded or its budget is spent.
// Loops whose iterations are too short to be left one by one do so many in a Next,
// and report them with Iterations.
func (c *Control) Room(most int) int {
	room := float64(most)
	n := float64(c.run.Samples)
	room = min(room, math.Ceil(min(c.nextRecord, c.settings.MaxPasses)*n)-float64(c.samples))
	if c.settings.MaxIterations > 0 {
		room = min(room, float64(c.settings.MaxIterations-c.iterations))
	}
	return int(max(room, 1))
}

// Iterations counts iterations that selected one sample each and evaluated the
// given number of gradients in all.
func (c *Control) Iterations(count, gradients int) {
	c.samples += int64(count)
	c.gradients += int64(gradients)
	c.iterations += int64(count)
}

// Target returns the gap that ends the run, 0 for none.
func (c *Control) Target() float64 { return c.settings.GapTolerance }

// Diverge ends the run: a number stopped being finite.
func (c *Control) Diverge() { c.end(Diverged) }

// Finish ends the run: the loop has done all that it was to do, as if its budget
// were spent.
func (c *Control) Finish() { c.end(BudgetReached) }

// Ended tells whether the run is to end after the present iteration.
func (c *Control) Ended() bool { return c.status != Running }

func (c *Control) end(s Status) {
	if c.status == Running {
		c.status = s
	}
}

func (c *Control) passes() float64 { return float64(c.samples) / float64(c.run.Samples) }

func (c *Control) pause()  { c.seconds += time.Since(c.resumed).Seconds() }
func (c *Control) resume() { c.resumed = time.Now() }

// Reached reports an evaluated point of the run. It keeps nothing of w but a
// copy, and checks the run's targets.
func (c *Control) Reached(w []float64, e Evaluation) {
	c.pause()
	c.reached(w, e)
	c.resume()
}

func (c *Control) reached(w []float64, e Evaluation) {
	if !isFinite(e.Objective) || !isFinite(e.GradientNorm) {
		c.status = Diverged
		return
	}
	p := Point{
		Passes: c.passes(), GradientEvaluations: c.gradients, Iterations: c.iterations, Seconds: c.seconds,
		Objective: e.Objective, GradientNorm: e.GradientNorm, Gap: e.Gap, Metric: math.NaN(),
	}
	if m := c.settings.Validation; m != nil {
		value, err := m.Measure(w)
		if err == nil && math.IsNaN(value) {
			err = errors.New("it is not a number")
		}
		if err != nil {
			c.fail(fmt.Errorf("solvers: validation metric %s after %.4g passes: %w", m.Name(), p.Passes, err))
			return
		}
		p.Metric = value
	}
	if r := c.settings.Recorder; r != nil {
		if err := r.Record(p); err != nil {
			c.fail(fmt.Errorf("solvers: recorder: %w", err))
		}
	}
	if p.Objective == c.last.Objective && p.GradientNorm == c.last.GradientNorm && p.Iterations != c.last.Iterations {
		if c.repeats++; c.repeats >= stallAfter {
			c.end(Stalled)
		}
	} else {
		c.repeats = 0
	}
	c.last = p
	converged := c.settings.Reaches(e)
	if converged {
		c.end(Converged)
	}
	better := !c.found || c.better(p)
	if better || converged && c.settings.Validation == nil {
		c.best, c.found = p, true
		copy(c.weights, w)
	}
	if c.settings.Validation != nil {
		if c.impatience++; better {
			c.impatience = 0
		} else if c.impatience >= c.settings.Patience {
			c.end(StoppedEarly)
		}
	}
}

// better compares a point with the best one. Objectives that differ by no more
// than rounding are told apart by the gradient.
func (c *Control) better(p Point) bool {
	if m := c.settings.Validation; m != nil {
		if m.HigherIsBetter() {
			return p.Metric > c.best.Metric
		}
		return p.Metric < c.best.Metric
	}
	if math.Abs(p.Objective-c.best.Objective) <= 1e-12*math.Abs(c.best.Objective) {
		return p.GradientNorm <= c.best.GradientNorm
	}
	return p.Objective < c.best.Objective
}

func (c *Control) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.end(Cancelled)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Drive runs a loop until a target is reached, a budget is spent, ctx is done or
// the loop cannot go on. settings are as Settings.Check returned them. An error
// of a recorder, of validation or of a checkpoint ends the run; the result is
// valid then as well, unless it is nil.
func Drive(ctx context.Context, run Run, settings Settings) (*Result, error) {
	if run.Begun.IsZero() {
		run.Begun = time.Now()
	}
	c := &Control{
		run: run, settings: settings, ctx: ctx, started: run.Begun,
		current: make([]float64, run.Columns), weights: make([]float64, run.Columns),
		last: Point{Objective: math.NaN()},
	}
	if settings.Resume != "" {
		if err := loadCheckpoint(settings.Resume, run.Identity, c.state); err != nil {
			return nil, err
		}
	}
	c.scheduleRecord()
	c.nextSave = c.started.Add(settings.CheckpointEvery)
	c.resumed = run.Begun
	for c.between(); c.status == Running; c.between() {
		run.Loop.Next(c)
	}
	c.pause()
	c.finish()
	if !c.found {
		if c.err == nil {
			c.err = errors.New("solvers: the objective or its gradient is not finite at the starting point; the data are too large in magnitude")
		}
		return nil, c.err
	}
	return c.result(), c.err
}

// between is what happens between two iterations.
func (c *Control) between() {
	if c.status != Running {
		return
	}
	if c.passes() >= c.nextRecord {
		c.pause()
		c.evaluate()
		c.scheduleRecord()
		c.resume()
	}
	limits := &c.settings
	switch {
	case c.status != Running:
	case c.ctx.Err() != nil:
		c.status = Cancelled
	case c.passes() >= limits.MaxPasses, limits.MaxIterations > 0 && c.iterations >= limits.MaxIterations:
		c.status = BudgetReached
	case limits.MaxTime > 0 && time.Since(c.started) >= limits.MaxTime:
		c.status = TimeReached
	case limits.Checkpoint != "" && !time.Now().Before(c.nextSave):
		c.pause()
		c.save()
		c.resume()
		c.nextSave = time.Now().Add(limits.CheckpointEvery)
	}
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
		c.nextRecord = float64((math.Floor(c.passes()/every) + 1) * every)
	}
}

func (c *Control) evaluate() {
	c.run.Loop.Current(c.current)
	c.reached(c.current, c.run.Evaluate(c.current))
}

func (c *Control) save() {
	if err := saveCheckpoint(c.settings.Checkpoint, c.run.Identity, c.state); err != nil {
		c.fail(err)
	}
}

// finish saves a run that may be continued, and evaluates where it stands. It
// saves first, so that the evaluation leaves no mark on what continues.
func (c *Control) finish() {
	switch c.status {
	case Cancelled, BudgetReached, TimeReached:
		if c.settings.Checkpoint != "" {
			c.save()
		}
		if !c.found || c.last.Iterations != c.iterations {
			c.evaluate()
		}
	}
}

func (c *Control) result() *Result {
	r := &Result{
		Weights: c.weights, Point: c.best, Status: c.status, Solver: c.run.Solver,
		Seed: c.settings.Seed, Workers: c.settings.Workers, CPUPath: dispatch.Current(),
	}
	r.Total.Passes, r.Total.GradientEvaluations = c.passes(), c.gradients
	r.Total.Iterations, r.Total.Seconds = c.iterations, c.seconds
	return r
}

func (c *Control) state(k *Coder) {
	k.Int64(&c.samples)
	k.Int64(&c.gradients)
	k.Int64(&c.iterations)
	k.Float64(&c.seconds)
	k.Bool(&c.found)
	c.best.state(k)
	c.last.state(k)
	k.Floats(c.weights)
	k.Int(&c.repeats)
	k.Int(&c.impatience)
	c.run.Loop.State(k)
}

func (p *Point) state(k *Coder) {
	k.Float64(&p.Passes)
	k.Int64(&p.GradientEvaluations)
	k.Int64(&p.Iterations)
	for _, v := range []*float64{&p.Seconds, &p.Objective, &p.GradientNorm, &p.Gap, &p.Metric} {
		k.Float64(v)
	}
}
