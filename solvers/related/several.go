package related

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// ofClasses tells fits of several classes from others.
func (r *Run) ofClasses(what engine.Identity) engine.Identity {
	if r.Classes == 0 {
		return what
	}
	return what.With("classes", r.Classes)
}

// checkRows checks the rows and labels of a path.
func (r *Run) checkRows(p *erm.Problem) error {
	switch {
	case r.Classes == 0:
		return p.Check()
	case r.Begin != nil:
		return errors.New("related: Run.Begin solves one problem a point, not several classes")
	}
	if p == nil || p.X == nil || len(p.Y) != p.X.Rows() {
		return fmt.Errorf("related: classes on a path need a matrix and the class of every row")
	}
	if p.SampleWeight != nil && len(p.SampleWeight) != len(p.Y) {
		return fmt.Errorf("related: %d sample weights for %d rows", len(p.SampleWeight), len(p.Y))
	}
	for i, s := range p.SampleWeight {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("related: row %d has the sample weight %v; it must be 0 or more", i, s)
		}
	}
	for i, y := range p.Y {
		if y != math.Trunc(y) || !(y >= 0 && y < float64(r.Classes)) {
			return fmt.Errorf("related: row %d is of class %v of %d", i, y, r.Classes)
		}
	}
	c := &Classes{X: p.X, Class: numbersOf(p.Y), Count: r.Classes, Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda}
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

// scores are those of every row, of all classes where there are several.
func (r *Run) scores(x *sparse.Matrix, w []float64) ([]float64, error) {
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

// Rest returns what fits every class against the rest at a point of a path, for Run.Classes:
// OneVsRest by solve, on the rows of the point. Of p it takes all but the matrix, the
// classes and lambda. The objective and the gap are the sums over the classes, and the
// recorder is told of them once a point is done.
func (p *Classes) Rest(solve Solve) Solve {
	return func(ctx context.Context, point *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
		all := *p
		all.X, all.Class, all.Lambda = point.X, numbersOf(point.Y), point.Lambda
		recorder := settings.Recorder
		settings.Recorder = nil
		fits, err := OneVsRest(ctx, &all, Run{Solve: solve, Settings: settings})
		if err != nil {
			return nil, err
		}
		sum := Total(fits)
		for _, r := range fits {
			if r == nil {
				return nil, nil // not begun, all of it
			}
			sum.Weights = append(sum.Weights, r.Weights...)
			sum.Minimised, sum.Workers = r.Minimised, max(sum.Workers, r.Workers)
			sum.NonZeros += r.NonZeros
		}
		if recorder != nil && !unfinished(&sum) {
			err = recorder.Record(sum.Point)
		}
		return &sum, err
	}
}

// UsualClassLambdas is UsualLambdas for several classes: the largest decides the solutions
// of every class against the rest, and of the softmax, whose curvature is at most twice
// that of the logistic loss of two classes.
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
	if p.Loss == kernels.Logistic {
		high *= 2
	}
	return usualBelow(high, p.X.Rows())
}
