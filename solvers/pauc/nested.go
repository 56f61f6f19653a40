package pauc

import (
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// nested is the frame of all methods but the structural SVM: outer iterations, each of one
// or two inner loops over v, which begin at w.
type nested struct {
	*common
	scheme scheme

	// State.
	outer, inner int
	v            iterate

	base []float64 // the scores of all rows at w
	// attached tells that v has w, base and the drift. A restored v lacks them.
	attached bool
	// every is the number of inner iterations between two evaluations; 0 evaluates at the
	// end of outer iterations only.
	every int
	point []float64 // scratch
}

// scheme holds the parts that differ between methods.
type scheme interface {
	// open begins an inner loop, or continues a restored one. drift is the constant part of
	// the negative gradient, nil for 0; over selects the mean of v that close takes.
	open(c *run.Control) (drift []float64, over average, err error)
	// step is an inner iteration.
	step() error
	// close ends an inner loop. It returns the point that an outer iteration ends with, or
	// nil if the outer iteration has one more inner loop.
	close() []float64
	// current writes where the run stands.
	current(w []float64)
	state(c *checkpoint.Coder)
}

func newNested(c *common) *nested {
	return &nested{common: c, v: newIterate(c), base: make([]float64, len(c.y)), point: make([]float64, len(c.w))}
}

// Next evaluates the starting point in its first call, and does an inner iteration in each
// later one.
func (l *nested) Next(c *run.Control) {
	switch {
	case l.begin(c):
	case l.outer >= l.Outer:
		c.End(solvers.BudgetReached)
	case l.iteration(c) != nil:
		c.End(solvers.Diverged)
	}
}

func (l *nested) iteration(c *run.Control) error {
	if err := l.attach(c); err != nil {
		return err
	}
	if err := l.scheme.step(); err != nil {
		return err
	}
	c.Iterations(1, len(l.rows), len(l.rows))
	if l.inner++; l.inner < l.length() {
		if l.every > 0 && (l.outer*l.length()+l.inner)%l.every == 0 {
			l.Current(l.point)
			c.Reached(l.point, l.evaluate(l.point))
		}
		return nil
	}
	l.inner = 0
	point := l.scheme.close()
	if point == nil {
		return nil
	}
	l.outer++
	c.Reached(point, l.evaluate(point))
	var err error
	if l.outer < l.Outer && !slices.Equal(point, l.w) {
		err = l.score(l.pool, l.w)
	}
	copy(l.base, l.all)
	return err
}

// attach begins an inner loop, or continues a restored one.
func (l *nested) attach(c *run.Control) error {
	if l.inner > 0 && l.attached {
		return nil
	}
	if !l.attached {
		if err := l.scoreStart(); err != nil {
			return err
		}
		copy(l.base, l.all)
	}
	drift, over, err := l.scheme.open(c)
	if err != nil {
		return err
	}
	begin := l.v.begin
	if l.inner > 0 {
		begin = l.v.attach
	}
	l.attached = true
	begin(l.w, l.base, drift, over)
	return nil
}

// rank sets c.all to the scores at w and gathers the scores of the negatives.
func (l *nested) rank() {
	copy(l.all, l.base)
	l.gather()
}

// shrunk writes -weight w, the drift of a regulariser, to drift. It returns nil if the
// weight is 0.
func (l *nested) shrunk(drift []float64, weight float64) []float64 {
	if weight == 0 {
		return nil
	}
	direct.Scale(drift, -weight, l.w)
	return drift
}

// length is the number of inner iterations of an inner loop of the present outer one.
func (l *nested) length() int {
	if l.Constant {
		return l.Length
	}
	return l.Length * (l.outer + 1) * (l.outer + 1)
}

// Current writes where the run stands.
func (l *nested) Current(w []float64) { l.scheme.current(w) }

// State visits the run's state.
func (l *nested) State(c *checkpoint.Coder) {
	l.common.state(c)
	c.Count(&l.outer, l.Outer)
	c.Count(&l.inner, l.length())
	l.v.state(c)
	l.scheme.state(c)
}
