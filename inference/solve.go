package inference

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
)

// Steps to the minimum: the first one may lead as far as farthest, in standard errors, and the last one
// is at most nearest long. There are mostSteps at most.
const (
	farthest  = 0.5
	nearest   = 1e-8
	mostSteps = 30
)

// ErrNotMinimum is the error of weights that are no minimum of the mean loss without a penalty.
var ErrNotMinimum = errors.New("the weights are no minimum of the mean loss")

// estimate is the work on a table.
type estimate struct {
	p        *Problem
	o        *Options
	likely   loss.Likelihood
	clusters *clusters // nil without groups of rows
	n, d     int

	pool  *matrix.Pool
	from  shards.Rows
	how   shards.Options
	group *shards.Group
	work  []buffers // one a worker
	sums  []float64 // what a sweep is summed to

	at      []float64 // weights of the last visit, one a column
	totals  loss.Totals
	labels  risk.Labels
	kept    []int     // columns that are no references, the intercept first
	places  []int     // of the columns of X in kept, -1 for none
	w       []float64 // weights of kept columns
	v       []float64 // A^-1 of the kept columns, then the covariance
	meat    []float64 // what A^-1 stands before and behind, as a lower triangle; nil for Fisher's covariance
	pearson float64
	groups  int

	likelihood, null float64 // logarithm, and the deviance of an intercept alone
}

// solve chooses the columns that are kept, moves the weights of the others to them, and steps to the
// minimum.
func (e *estimate) solve() error {
	e.at = slices.Clone(e.p.W)
	for step := range mostSteps {
		a, g, err := e.visit()
		if err != nil {
			return err
		}
		if step == 0 {
			e.keep(a)
		}
		k := len(e.kept)
		if e.totals.Rows <= float64(k) {
			return fmt.Errorf("inference: %v rows count, for %d weights: errors need more rows than weights", e.totals.Rows, k)
		}
		e.pearson /= e.totals.Rows - float64(k)
		u := pick(a, e.kept)
		if cholesky.FactorBy(e.pool, u, k) != nil {
			return errors.New("inference: columns depend on one another as far as rounding tells: leave out columns that say nearly the same")
		}
		if step == 0 {
			e.move(a, u)
		}
		e.invert(u)
		length, longest := e.step(g)
		switch {
		case step == 0 && !(length <= farthest):
			return fmt.Errorf("inference: %w: the weight of %s is %.2g standard errors off. Errors of weights are for models without a penalty, trained to the end on these rows", ErrNotMinimum, e.name(longest), length)
		case length <= nearest:
			return nil
		}
		clear(e.at)
		for i, j := range e.kept {
			e.at[j] = e.w[i]
		}
	}
	return fmt.Errorf("inference: %w: %d steps did not end near one; separable rows have none, and a run with all rows in memory names the columns to leave out", ErrNotMinimum, mostSteps)
}

// keep lists the columns that do not depend on those before them, where the lower triangle of A is in a.
func (e *estimate) keep(a []float64) {
	e.kept = e.order()
	dependent := cholesky.FactorBy(e.pool, pick(a, e.kept), e.d)
	for k := len(dependent) - 1; k >= 0; k-- {
		e.kept = slices.Delete(e.kept, dependent[k], dependent[k]+1)
	}
	e.places = slices.Repeat([]int{-1}, e.d)
	for k, j := range e.kept {
		e.places[j] = k
	}
}

// move sets the weights of kept columns so that all margins stay, where u is the factor of A of these.
func (e *estimate) move(a, u []float64) {
	e.w = make([]float64, len(e.kept))
	for k, i := range e.kept {
		for j, w := range e.p.W {
			e.w[k] += float64(a[cell(i, j)] * w)
		}
	}
	cholesky.Solve(e.w, u, e.w)
}

// invert sets v to the inverse of A of the kept columns, by its factor.
func (e *estimate) invert(u []float64) {
	k := len(e.kept)
	e.v = make([]float64, k*k)
	for i := range k {
		row := e.v[i*k : (i+1)*k]
		row[i] = 1
		cholesky.Solve(row, u, row)
	}
}

// step takes Newton's step, with expected second derivatives. It returns the largest change of a weight
// in standard errors, and the column.
func (e *estimate) step(g []float64) (length float64, longest int) {
	k := len(e.kept)
	slopes := make([]float64, k)
	for i, j := range e.kept {
		slopes[i] = g[j]
	}
	for i, j := range e.kept {
		row := e.v[i*k : (i+1)*k]
		move := direct.Dot(row, slopes)
		err := max(math.Sqrt(e.dispersion()*row[i]), 1e-9*math.Abs(e.w[i]))
		if size := math.Abs(move) / err; move != 0 && !(size <= length) {
			length, longest = size, j
		}
		e.w[i] -= move
	}
	return length, longest
}

// dispersion is what the covariance by Fisher has as a factor.
func (e *estimate) dispersion() float64 {
	if e.likely.Dispersed() {
		return e.pearson
	}
	return 1
}

// order lists all columns: the intercept, other columns, and the columns that give way.
func (e *estimate) order() []int {
	order := make([]int, 0, e.d)
	if e.p.Intercept {
		order = append(order, e.d-1)
	}
	last := make([]bool, e.d)
	for _, j := range e.p.Last {
		last[j] = true
	}
	for _, late := range []bool{false, true} {
		for j := range e.d {
			if last[j] == late && !(e.p.Intercept && j == e.d-1) {
				order = append(order, j)
			}
		}
	}
	return order
}

// cell is the place of an element of a symmetric matrix whose lower triangle is stored, row after row.
func cell(i, j int) int {
	i, j = max(i, j), min(i, j)
	return i*(i+1)/2 + j
}

// pick returns the lower triangle of a symmetric matrix, whose lower triangle is a, for some columns in their
// order.
func pick(a []float64, columns []int) []float64 {
	k := len(columns)
	b := make([]float64, k*k)
	for i, row := range columns {
		for j, column := range columns[:i+1] {
			b[i*k+j] = a[cell(row, column)]
		}
	}
	return b
}

func (e *estimate) name(j int) string {
	switch {
	case e.p.Intercept && j == e.d-1:
		return "(intercept)"
	case j < len(e.p.Names) && e.p.Names[j] != "":
		return e.p.Names[j]
	}
	return fmt.Sprintf("column %d", j+1)
}
