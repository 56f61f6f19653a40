package related

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
)

// ofClasses tells fits of several classes from others.
func (r *Run) ofClasses(what checkpoint.Identity) checkpoint.Identity {
	if r.Classes == 0 {
		return what
	}
	return what.With("classes", r.Classes)
}

// checkRows checks the rows and labels of a path.
func (r *Run) checkRows(p *erm.Problem) error {
	switch {
	case r.File != nil:
		return r.checkFile(p)
	case r.Classes == 0:
		return risk.Check(p)
	}
	if p == nil || p.X == nil || len(p.Y) != p.X.Rows() {
		return fmt.Errorf("related: classes on a path need a matrix and the class of every row")
	}
	if p.Offset != nil {
		return errors.New("related: no offsets of rows with several classes")
	}
	if p.SampleWeight != nil && len(p.SampleWeight) != len(p.Y) {
		return fmt.Errorf("related: %d sample weights for %d rows", len(p.SampleWeight), len(p.Y))
	}
	if err := risk.CheckWeights("related", p.SampleWeight); err != nil {
		return err
	}
	for i, y := range p.Y {
		if y != math.Trunc(y) || !(y >= 0 && y < float64(r.Classes)) {
			return fmt.Errorf("related: row %d is of class %v of %d", i, y, r.Classes)
		}
	}
	c := &Classes{Problem: *p, Class: numbersOf(p.Y), Count: r.Classes}
	return c.check()
}

// numbersOf are the classes of rows that stand as labels.
func numbersOf(y []float64) []uint32 {
	class := make([]uint32, len(y))
	for i, v := range y {
		class[i] = uint32(v)
	}
	return class
}

// scores returns the score of every row that a fold measures, or with several classes one score a class
// for every row.
func (r *Run) scores(fold *foldRows, workers int, w []float64) ([]float64, error) {
	x := fold.outer.X
	if fold.test != nil {
		pool := matrix.NewPool(workers)
		defer pool.Close()
		all := make([]float64, fold.test.Rows())
		return all, (&score.Streamed{Rows: fold.test}).All(pool, all, w)
	}
	count, d := max(r.Classes, 1), x.Cols()
	all, one := make([]float64, x.Rows()*count), make([]float64, x.Rows())
	for k := range count {
		if err := x.MulVec(nil, one, w[k*d:(k+1)*d]); err != nil {
			return nil, err
		}
		for i, s := range one {
			all[i*count+k] = s
		}
	}
	return all, nil
}

// Rest returns a Solve that fits every class against the rest at a point of a path, for
// Run.Classes. It is OneVsRest by solve, on the rows of the point. It takes all of p but the
// matrix, the classes and the penalty. The objective and the gap are the sums over the classes, and
// the recorder receives them once a point is done.
func (p *Classes) Rest(solve Solve) Solve {
	return func(ctx context.Context, point *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
		all := p.at(point)
		all.Penalty = point.Penalty
		recorder := settings.Recorder
		settings.Recorder = nil
		fits, err := OneVsRest(ctx, all, Run{Solve: solve, Settings: settings})
		if err != nil {
			return nil, err
		}
		return joined(fits, recorder)
	}
}

// at returns the problem on the rows of a point. Weights and offsets that the point lacks stay.
// Their number is checked later: rows of a fold are fewer, and need weights and offsets of their own.
func (p *Classes) at(point *erm.Problem) *Classes {
	all := *p
	all.X, all.Class = point.X, numbersOf(point.Y)
	if p.SampleWeight != nil && point.SampleWeight != nil {
		all.SampleWeight = point.SampleWeight
	}
	if point.Offset != nil {
		all.Offset = point.Offset
	}
	return &all
}

// joined is the result of all classes at a point, nil where one of them was not begun.
func joined(fits []*solvers.Result, recorder solvers.Recorder) (*solvers.Result, error) {
	sum := Total(fits)
	for _, r := range fits {
		if r == nil {
			return nil, nil
		}
		sum.Weights = append(sum.Weights, r.Weights...)
		sum.Minimised, sum.Workers = r.Minimised, max(sum.Workers, r.Workers)
		sum.NonZeros += r.NonZeros
	}
	if recorder != nil && !unfinished(&sum) {
		return &sum, recorder.Record(sum.Point)
	}
	return &sum, nil
}

// RestSparse returns what fits every class against the rest along a path, for Run.Begin with
// Run.Classes: as Rest does, each class by a SparsePath.
func (p *Classes) RestSparse(by SparsePath) func(*erm.Problem) (Series, error) {
	return func(point *erm.Problem) (Series, error) {
		if p == nil || point == nil {
			return nil, errors.New("related: there is no problem")
		}
		all := p.at(point)
		if err := all.check(); err != nil {
			return nil, err
		}
		var list []*erm.Problem
		for k := range all.Count {
			one, err := all.of(k)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		lines, err := by.several(list)
		if err != nil {
			return nil, err
		}
		return &sparseClasses{lines: lines}, nil
	}
}

// sparseClasses are paths of several classes, point by point.
type sparseClasses struct {
	lines []Series
	saved []byte // after the last point that all have
}

func (s *sparseClasses) Solve(ctx context.Context, p penalty.Penalty, settings solvers.Settings) (*solvers.Result, error) {
	limit := &budget{time.Now(), settings.MaxTime}
	fits := make([]*solvers.Result, len(s.lines))
	err := each(ctx, settings.Workers, len(s.lines), func(ctx context.Context, k, workers int) (err error) {
		own := settings
		if own.Workers, own.Recorder = workers, nil; ctx.Err() != nil || !limit.left(&own) {
			return nil
		}
		if d := len(settings.Initial) / len(s.lines); d > 0 {
			own.Initial = settings.Initial[k*d : (k+1)*d]
		}
		fits[k], err = s.lines[k].Solve(ctx, p, own)
		return err
	})
	if err != nil {
		return nil, err
	}
	sum, err := joined(fits, settings.Recorder)
	if err == nil && !unfinished(sum) {
		s.saved = checkpoint.Encode(s.state)
	}
	return sum, err
}

func (s *sparseClasses) Save() []byte { return s.saved }

// state visits what each class saves.
func (s *sparseClasses) state(c *checkpoint.Coder) {
	for _, one := range s.lines {
		saved := one.Save()
		if visitSaved(c, &saved); c.Restoring() && c.Err() == nil {
			if err := one.Restore(saved); err != nil {
				c.Fail(err)
			}
		}
	}
}

func (s *sparseClasses) Restore(saved []byte) error {
	if err := checkpoint.Decode(saved, s.state); err != nil {
		return fmt.Errorf("related: the saved state of %d paths: %w", len(s.lines), err)
	}
	s.saved = slices.Clone(saved)
	return nil
}

// UsualClassLambdas is UsualLambdas for several classes: the largest lambda determines the
// solutions of one-vs-rest and of the softmax, whose curvature is at most twice the curvature of
// the logistic loss.
func UsualClassLambdas(p *Classes) (lambdas []float64, least int, err error) {
	if err := p.check(); err != nil {
		return nil, 0, err
	}
	high := 0.0
	for k := range p.Count {
		one, err := p.of(k)
		if err != nil {
			return nil, 0, err
		}
		largest, err := LargestLambda(one)
		if err != nil {
			return nil, 0, err
		}
		if high = max(high, largest); p.Weight == nil {
			break // all have the same
		}
	}
	if p.Loss.Odds() {
		high *= 2
	}
	return usualBelow(high, p.X.Rows())
}
