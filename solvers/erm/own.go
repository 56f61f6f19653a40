package erm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// Program is a solver of a program outside of lanes: Own makes a Method of it. Its methods may be
// called by several goroutines.
type Program interface {
	// String returns the name that results, checkpoints and messages have. It is to have the
	// solver's own parameters in it.
	String() string
	// Begin returns the loop of a run on p, which it may not change. The run begins at w, a vector of
	// p.X.Cols() numbers that the loop moves: it is the run's current point.
	Begin(p *Problem, w []float64) (Steps, error)
}

// OwnSolver returns a solver of programs for registry.Add, under a name. about is a line about it. Its
// parameters are numbers, which text sets; program makes the Program of those that are set, and says
// which of them it does not take. A Program without parameters has the name alone. It is an error if
// there is no name or no program.
func OwnSolver(name, about string, parameters []solvers.Parameter, program func(set map[string]float64) (Program, error)) (solvers.Solver, error) {
	if name == "" || program == nil {
		return solvers.Solver{}, errors.New("erm: a solver needs a name and a function that makes its program")
	}
	d := solvers.Description{Name: name, Family: "erm", About: about, Objective: solvers.MeanLoss, Accepts: accepts(ownMethod{}), Parameters: slices.Clone(parameters)}
	return solvers.Solver{Description: d, New: func(given map[string]string) (solvers.Ready, error) {
		set := make(map[string]float64)
		for key, text := range given {
			if !slices.ContainsFunc(d.Parameters, func(p solvers.Parameter) bool { return p.Name == key }) {
				return solvers.Ready{}, fmt.Errorf("erm: %s: no parameter %q", name, key)
			}
			var err error
			if set[key], err = catalog.Number(text); err != nil {
				return solvers.Ready{}, fmt.Errorf("erm: %s: %s=%s: %w", name, key, text, err)
			}
		}
		own, err := program(set)
		if err != nil {
			return solvers.Ready{}, fmt.Errorf("erm: %s: %w", name, err)
		}
		method, err := Own(own)
		if err != nil {
			return solvers.Ready{}, err
		}
		return solvers.Ready{Description: d, Text: method.Name(), Method: method, Solve: func(ctx context.Context, t *solvers.Task, settings solvers.Settings) (*solvers.Result, error) {
			if t == nil {
				return nil, fmt.Errorf("erm: %s: no task", name)
			}
			if err := risk.Refuse("erm", name, d.Accepts, t.Asks()|settings.Asks(), &t.Problem); err != nil {
				return nil, err
			}
			r, err := Solve(ctx, &t.Problem, method, settings)
			if r != nil {
				r.Solver = name
			}
			return r, err
		}}, nil
	}}, nil
}

// Steps is the loop of one run of a Program. One goroutine calls it.
type Steps interface {
	// Next does one iteration: it asks r for gradients, and moves w. An iteration without a gradient
	// counts as a pass. For the same bits on all machines, wrap products that are added in float64().
	Next(r *Run)
	// State returns the vectors that later iterations depend on, beside w; nil for none. Checkpoints
	// read and write their numbers, so their lengths stay the same from Begin on.
	State() [][]float64
}

// Own returns the Method of a program. Solve holds its runs to budgets and tolerances. It records,
// measures and saves their points, resumes them, and bounds the gap of the result. The method takes every
// loss, with a ridge or no penalty, weights, offsets and an intercept. It is an error if p
// is nil, or has no name or the name of a solver of this package.
func Own(p Program) (Method, error) {
	if p == nil {
		return nil, errors.New("erm: there is no program to make a method of")
	}
	name := p.String()
	taken := func(s solvers.Solver) bool { return s.Name == name }
	if name == "" || slices.ContainsFunc(Solvers(), taken) {
		return nil, fmt.Errorf("erm: the name %q is not for a solver of your own: give another name", name)
	}
	return ownMethod{p}, nil
}

// ownMethod is the Method of a Program.
type ownMethod struct{ program Program }

func (m ownMethod) Name() string { return m.program.String() }

func (ownMethod) reports() bool { return true }

func (m ownMethod) begin(t *task) (run.Loop, any, error) {
	w := make([]float64, t.p.X.Cols())
	t.initial(w)
	steps, err := m.program.Begin(t.p, w)
	if err == nil && steps == nil {
		err = errors.New("the program's Begin returned no loop")
	}
	return &ownLoop{Run: Run{task: t}, w: w, steps: steps}, "own", err
}

// Run is a run of a Program. It serves its loop, one goroutine, during Next.
type Run struct {
	task    *task
	control *run.Control
	since   int      // samples since a point was evaluated
	asked   bool     // of the present iteration: for a gradient
	rows    []uint32 // of the last batch of the present iteration
}

// Rows fills a slice with numbers of rows of X, each drawn from all rows. They follow from
// Settings.Seed, and a resumed run goes on with them.
func (r *Run) Rows(rows []uint32) {
	for k := range rows {
		rows[k] = uint32(r.task.random.Below(uint64(r.task.p.X.Rows())))
	}
}

// Random draws a number from 0, included, to 1, as Rows draws rows.
func (r *Run) Random() float64 { return r.task.random.Float64() }

// Source is what Rows draws from, for the distributions of package sampling.
func (r *Run) Source() *sampling.Random { return (*sampling.Random)(r.task.random) }

// Gradient writes the gradient of the objective at w to g, and returns the objective. w and g have
// X.Cols() numbers each; it panics for others. It costs one pass. w becomes a point of the run: the
// result, if no other point is better, and the last point, if it reaches a tolerance.
func (r *Run) Gradient(g, w []float64) (objective float64) {
	d := r.task.p.X.Cols()
	if len(g) != d || len(w) != d {
		panic(fmt.Sprintf("erm: slices of %d and %d numbers for %d columns", len(g), len(w), d))
	}
	r.count(r.task.p.X.Rows())
	return r.reach(g, w)
}

// reach evaluates a point and reports it.
func (r *Run) reach(g, w []float64) (objective float64) {
	e := r.task.full.gradient(g, w)
	if r.since = 0; run.Reaches(r.control.Settings(), e) {
		w = slices.Clone(w) // which the run keeps
	}
	r.control.Reached(w, e)
	return e.Objective
}

// count counts samples.
func (r *Run) count(samples int) {
	r.control.Gradients(samples)
	r.asked, r.since = true, r.since+samples
}

// Batch writes the gradient of the mean loss of the listed rows, and of the penalty, at w to g. It
// costs their entries and X.Cols(). Rows may be listed twice. Rows that are not of X, no rows, and
// slices of other lengths than X.Cols() are errors. It counts as a selection of the rows, unless the
// last batch of this iteration had the same rows: a gradient at another point. The run evaluates its
// point after every pass of batches.
func (r *Run) Batch(g, w []float64, rows []uint32) error {
	p, n := r.task.p, len(rows)
	if n == 0 {
		return errors.New("erm: a batch without rows")
	}
	z := make([]float64, n)
	if err := matrix.MulRows(p.X, z, rows, w); err != nil {
		return fmt.Errorf("erm: %w", err)
	}
	for k, i := range rows {
		z[k] += direct.Offset(p.Offset, int(i))
	}
	p.Loss.Gradient(z, z, direct.Listed(p.Y, rows), direct.Listed(p.SampleWeight, rows))
	clear(g)
	if err := matrix.AddRows(p.X, g, rows, z); err != nil {
		return fmt.Errorf("erm: %w", err)
	}
	direct.Scale(g, 1/float64(n), g)
	direct.Axpy(p.Ridge(), risk.Held(p, w), risk.Held(p, g))
	if slices.Equal(rows, r.rows) {
		r.control.Iterations(0, 0, n)
		return nil
	}
	r.rows = append(r.rows[:0], rows...)
	r.count(n)
	return nil
}

// ownLoop is the loop of a Program.
type ownLoop struct {
	Run
	w     []float64
	steps Steps
}

// Next does one iteration of the program.
func (l *ownLoop) Next(c *run.Control) {
	l.control, l.asked, l.rows = c, false, l.rows[:0]
	l.steps.Next(&l.Run)
	if n := l.task.p.X.Rows(); !l.asked {
		l.count(n)
	}
	if c.Iterations(1, 0, 0); !finite(l.w) {
		c.End(solvers.Diverged)
	} else if !c.Ended() && l.since >= l.task.p.X.Rows() {
		l.reach(l.task.full.spare(), l.w)
	}
}

// finite tells whether all numbers are finite.
func finite(w []float64) bool { size := kernels.MaxAbs(w); return size-size == 0 }

// Current writes the point.
func (l *ownLoop) Current(w []float64) { copy(w, l.w) }

// State visits the point and the program's own vectors.
func (l *ownLoop) State(c *checkpoint.Coder) {
	c.Floats(l.w)
	c.Count(&l.since, checkpoint.MostCount)
	c.Random(l.task.random)
	for _, v := range l.steps.State() {
		c.Floats(v)
	}
}
