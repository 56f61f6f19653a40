package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// lsvrg is L-SVRG, algorithm 1 of Kovalev, Horvath and Richtarik, "Don't Jump Through Hoops and Remove
// Those Loops: SVRG and Katyusha are Better Without the Outer Loop" (2020), with batches of rows:
//
//	g       = grad f_i(x) - grad f_i(w) + grad f(w), i drawn from all rows
//	x, w    = x - eta g, with probability p the x before this step, else w
type lsvrg struct {
	step  float64 // eta, 0 for 1/(6L), where L is the largest smoothness of a row
	prob  float64 // p, 0 for batch/n
	batch int     // rows of a step
}

// solver is what registry.Add takes.
func solver() (solvers.Solver, error) {
	return erm.OwnSolver("l-svrg", "loopless SVRG: a new reference point with some probability", []solvers.Parameter{
		{Name: "step", Default: "1/(6L)", About: "step size"},
		{Name: "prob", Default: "batch/n", About: "probability of a new reference point"},
		{Name: "batch", Default: "16", About: "rows of a step"},
	}, program)
}

// program makes the solver of the parameters that were set.
func program(set map[string]float64) (erm.Program, error) {
	batch, given := set["batch"]
	if !given {
		batch = 16
	}
	switch step, prob := set["step"], set["prob"]; {
	case !(step >= 0 && step <= math.MaxFloat64):
		return nil, fmt.Errorf("step is %v; it must be positive, or 0 for the default", step)
	case !(prob >= 0 && prob <= 1):
		return nil, fmt.Errorf("prob is %v; it must be positive and at most 1, or 0 for the default", prob)
	case !(batch >= 1 && batch <= 1<<20 && batch == math.Trunc(batch)):
		return nil, fmt.Errorf("batch is %v; it must be a whole number from 1 to 1048576", batch)
	}
	return lsvrg{set["step"], set["prob"], int(batch)}, nil
}

// String names the solver with its parameters, which checkpoints tell apart by it.
func (s lsvrg) String() string {
	return fmt.Sprintf("l-svrg step=%v prob=%v batch=%d", s.step, s.prob, s.batch)
}

// Begin returns the loop of a run from x, whose length is the number of columns.
func (s lsvrg) Begin(p *erm.Problem, x []float64) (erm.Steps, error) {
	if s.prob == 0 {
		s.prob = min(1, float64(s.batch)/float64(p.X.Rows()))
	}
	if s.step == 0 {
		largest := 0.0
		for i := range p.X.Rows() {
			norm := 0.0
			for _, v := range p.X.Row(i) {
				norm += float64(v * v)
			}
			largest = max(largest, norm)
		}
		s.step = 1 / (6 * (float64(p.Loss.Peak()*largest) + p.Ridge()))
	}
	if math.IsInf(1/s.step, 0) {
		return nil, errors.New("the loss has no bound of its second derivative: give a step")
	}
	d := len(x)
	return &loop{lsvrg: s, x: x, w: slices.Clone(x), full: make([]float64, d), known: make([]float64, 1),
		at: make([]float64, d), before: make([]float64, d), rows: make([]uint32, s.batch)}, nil
}

// loop is a run.
type loop struct {
	lsvrg
	x, w, full []float64 // the point, the reference point, the full gradient there
	known      []float64 // 1 once full is known
	at, before []float64 // gradients of a batch at x and at w
	rows       []uint32
}

// State has what later steps depend on, beside x.
func (l *loop) State() [][]float64 { return [][]float64{l.w, l.full, l.known} }

// Next takes a step.
func (l *loop) Next(r *erm.Run) {
	if l.known[0] == 0 {
		r.Gradient(l.full, l.w)
		l.known[0] = 1
	}
	r.Rows(l.rows)
	if r.Batch(l.at, l.x, l.rows) != nil || r.Batch(l.before, l.w, l.rows) != nil {
		return // not with these rows and lengths
	}
	if r.Random() < l.prob {
		copy(l.w, l.x)
		l.known[0] = 0 // full still is of the old one, for this step
	}
	for j, g := range l.full {
		l.x[j] -= float64(l.step * (l.at[j] - l.before[j] + g))
	}
}
