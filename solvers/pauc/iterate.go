package pauc

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// iterate is v of an inner loop, which begins at w. All access to the score model
// goes through it.
type iterate interface {
	// begin sets v = w. base holds the scores of all rows at w. drift is the constant
	// part of the negative gradient, nil for 0. All of them are kept, not copied.
	begin(w, base, drift []float64, over average)
	// scores computes dst[k], the score of rows[k] at v.
	scores(dst []float64, rows []uint32) error
	// step sets v - w to q (v - w - eta (sum_k c_k grad h(rows[k]) - drift)). It takes the
	// rows of the call of scores before, and overwrites c.
	step(rows []uint32, c []float64, q, eta float64) error
	// mean writes the mean of v - w over one iterate for each step, and last writes the
	// present v - w.
	mean(dst []float64)
	last(dst []float64)
	// attach is begin for an iterate that state restored.
	attach(w, base, drift []float64, over average)
	state(c *checkpoint.Coder)
}

// average says what a mean is over.
type average uint8

const (
	// overNone computes no mean. overBefore takes the iterates before each step, v^(0) to
	// v^(T-1), and overAfter the iterates after each step, v^(1) to v^(T).
	overNone average = iota
	overBefore
	overAfter
)

// newIterate returns the lazy iterate of a linear model, and the dense iterate of others.
func newIterate(c *common) iterate {
	if linear, is := c.model.(score.Linear); is {
		return newLazy(linear.X, c.pool)
	}
	return newDense(c.model)
}

// lazy is the linear iterate, v = w + a u + b drift: a step costs the non-zeros of
// its rows. The sum of a u over the steps is total + mass u - late.
type lazy struct {
	x direct.Matrix

	w, base, drift []float64 // not its own
	slope          []float64 // the scores of drift
	over           average

	steps          int
	u, total, late []float64
	a, mass        float64
	b, sum         float64 // of drift, and the sum over the steps
}

func newLazy(x *sparse.Matrix, pool *matrix.Pool) *lazy {
	d := x.Cols()
	return &lazy{x: direct.Matrix{Matrix: x, Pool: pool}, slope: make([]float64, x.Rows()), u: make([]float64, d), total: make([]float64, d), late: make([]float64, d)}
}

// smallest is the least a; below it u is rescaled. The sum is a difference of numbers
// that are larger than the sum by 1/a.
const smallest = 1e-4

func (l *lazy) begin(w, base, drift []float64, over average) {
	l.a, l.mass, l.b, l.sum, l.steps = 1, 0, 0, 0, 0
	clear(l.u)
	clear(l.total)
	clear(l.late)
	l.attach(w, base, drift, over)
}

// attach sets what state does not visit.
func (l *lazy) attach(w, base, drift []float64, over average) {
	l.w, l.base, l.drift, l.over = w, base, drift, over
	if drift != nil {
		l.x.MulVec(l.slope, drift)
	}
}

func (l *lazy) scores(dst []float64, rows []uint32) error {
	l.x.MulRows(dst, rows, l.u)
	if l.drift == nil {
		for k, row := range rows {
			dst[k] = float64(l.a*dst[k]) + l.base[row]
		}
		return nil
	}
	for k, row := range rows {
		dst[k] = float64(l.a*dst[k]) + (float64(l.b*l.slope[row]) + l.base[row])
	}
	return nil
}

func (l *lazy) step(rows []uint32, c []float64, q, eta float64) error {
	if l.over == overBefore {
		l.count()
	}
	if l.a = float64(l.a * q); l.a < smallest {
		l.fold(l.a)
	}
	if l.drift != nil {
		l.b = float64((l.b + eta) * q)
	}
	factor := -float64(eta*q) / l.a
	for k := range c {
		if c[k] = float64(c[k] * factor); c[k]-c[k] != 0 {
			return errNotFinite
		}
	}
	l.x.AddRows(l.u, rows, c)
	if l.mass != 0 { // what u has now was not in it so far
		for k := range c {
			c[k] = float64(c[k] * l.mass)
		}
		l.x.AddRows(l.late, rows, c)
	}
	if l.over == overAfter {
		l.count()
	}
	return nil
}

// count adds v - w to the sum.
func (l *lazy) count() {
	l.steps++
	l.mass += l.a
	l.sum += l.b
}

// fold moves the sum into total and writes u with the factor a in it.
func (l *lazy) fold(a float64) {
	if l.over != overNone {
		direct.Axpy(l.mass, l.u, l.total)
		direct.Axpy(-1, l.late, l.total)
		clear(l.late)
	}
	l.a, l.mass = 1, 0
	direct.Scale(l.u, a, l.u)
}

func (l *lazy) mean(dst []float64) {
	share := 1 / float64(max(1, l.steps))
	direct.ScaleAdd(dst, l.mass, l.u, -1, l.late)
	direct.Axpy(1, l.total, dst)
	direct.Scale(dst, share, dst)
	if l.drift != nil {
		direct.Axpy(float64(l.sum*share), l.drift, dst)
	}
}

func (l *lazy) last(dst []float64) {
	direct.Scale(dst, l.a, l.u)
	if l.drift != nil {
		direct.Axpy(l.b, l.drift, dst)
	}
}

func (l *lazy) state(c *checkpoint.Coder) {
	c.Count(&l.steps, checkpoint.MostCount)
	for _, v := range []*float64{&l.a, &l.mass, &l.b, &l.sum} {
		c.Float64(v)
	}
	for _, v := range [][]float64{l.u, l.total, l.late} {
		c.Floats(v)
	}
}
