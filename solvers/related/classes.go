package related

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Classes is a problem of several classes: for each one, rows of the class against
// all others, over one matrix.
type Classes struct {
	X *sparse.Matrix
	// Class holds the class of each row, from 0 to Count-1.
	Class []uint32
	Count int
	Loss  kernels.Loss
	Delta float64
	// Lambda is the same in all problems.
	Lambda float64
	// Weight, where set, gives the weights of the rest and of a class by the signs of
	// the rows, as erm.BalancedWeights does.
	Weight func(signs []float64) (negative, positive float64, err error)
	// Share starts every class from the solution of one more problem, in which all
	// rows are negative, as almost all are in each. Prox-SDCA then takes 0.57 of the
	// passes on sector.scale (105 classes) and 0.7 on news20.multi (20 classes); Newton's
	// method takes 1.2 times as many. It is left out below 8 classes and with weights.
	Share bool
}

// leastShared is the least number of classes that make up for one more problem.
const leastShared = 8

func (p *Classes) check() error {
	switch {
	case p == nil || p.X == nil:
		return errors.New("related: the problem has no matrix")
	case len(p.Class) != p.X.Rows():
		return fmt.Errorf("related: classes of %d rows for a matrix of %d", len(p.Class), p.X.Rows())
	case p.Count < 2:
		return fmt.Errorf("related: %d classes; one against the rest needs two at least", p.Count)
	}
	rows := make([]int, p.Count)
	for i, k := range p.Class {
		if int64(k) >= int64(p.Count) {
			return fmt.Errorf("related: row %d is of class %d of %d", i, k, p.Count)
		}
		rows[k]++
	}
	for k, count := range rows {
		if count == 0 || count == len(p.Class) {
			return fmt.Errorf("related: %d of %d rows are of class %d; there must be rows of it and of others", count, len(p.Class), k)
		}
	}
	one, err := p.of(0)
	if err != nil {
		return err
	}
	return one.Check()
}

// of returns the problem of class k: +1 for its rows, -1 for all others.
func (p *Classes) of(k int) (*erm.Problem, error) {
	one := &erm.Problem{X: p.X, Y: make([]float64, len(p.Class)), Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda}
	for i, class := range p.Class {
		one.Y[i] = -1
		if int(class) == k {
			one.Y[i] = 1
		}
	}
	if p.Weight == nil {
		return one, nil
	}
	negative, positive, err := p.Weight(one.Y)
	if err == nil {
		one.SampleWeight, err = erm.ClassWeight(one.Y, nil, negative, positive)
	}
	return one, err
}

// whole is a problem that tells these problems from others.
func (p *Classes) whole() *erm.Problem {
	one := &erm.Problem{X: p.X, Y: make([]float64, len(p.Class)), Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda}
	for i, class := range p.Class {
		one.Y[i] = float64(class)
	}
	return one
}

// OneVsRest fits every class against the rest and returns one result a class. Classes
// run at the same time; budgets of passes and iterations, and the targets, are those
// of each class.
//
// A cancelled context or the end of the time leaves the finished classes as they are
// and the others at their best points, nil for those that were not begun. Errors are
// as those of erm.Solve; what is finished is returned with them.
//
// The matrix and what is derived from it is shared. Each worker takes the memory of
// one solve beside it, and each class that of its weights.
func OneVsRest(ctx context.Context, p *Classes, run Run) ([]*solvers.Result, error) {
	limit := &budget{time.Now(), run.Settings.MaxTime}
	if err := p.check(); err != nil {
		return nil, err
	}
	whole := p.whole()
	if err := run.check(whole); err != nil {
		return nil, err
	}
	columns := p.X.Cols()
	fits := make([]*solvers.Result, p.Count)
	share := p.Share && p.Weight == nil && p.Count >= leastShared && run.Settings.Initial == nil
	what := fmt.Sprintf("%d classes, shared start %t", p.Count, share)
	keep, err := newKeeper(&run, what, whole, func(c *solvers.Coder) { results(c, fits, columns) })
	if err != nil {
		return nil, err
	}
	initial := run.Settings.Initial
	if share {
		if initial, err = p.start(ctx, &run, limit); err != nil {
			return nil, err
		}
	}
	err = each(run.Settings.Workers, p.Count, func(k, workers int) error {
		if fits[k] != nil {
			return nil
		}
		one, err := p.of(k)
		if err != nil {
			return err
		}
		r, err := run.fit(ctx, k, workers, one, initial, limit)
		return errors.Join(err, keep.finished(func() { fits[k] = r }))
	})
	done := true
	for _, r := range fits {
		done = done && !unfinished(r)
	}
	return fits, errors.Join(err, keep.end(done))
}

// start returns the point that all classes share, nil where it was not finished: then
// no class will be either.
func (p *Classes) start(ctx context.Context, run *Run, limit *budget) ([]float64, error) {
	one := p.whole()
	for i := range one.Y {
		one.Y[i] = -1
	}
	plain := *run
	plain.Watch, plain.Settings.Validation = nil, nil
	r, err := plain.fit(ctx, 0, run.Settings.Workers, one, nil, limit)
	if r == nil {
		return nil, err
	}
	return r.Weights, err
}
