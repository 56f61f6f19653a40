package related

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Validation says how a path is judged by cross-validation.
type Validation struct {
	// Folds is the number of parts of the rows; each is scored by fits on the others.
	Folds int
	// Seed deals the rows.
	Seed uint64
	// Metric measures the scores of a fold.
	Metric metrics.Metric
	// Prepare, where set, prepares the rows of a fold and of all others, such as by a
	// scaling that is fitted to the others alone. The numbers of rows and of columns
	// stay as they are. It is called from several goroutines.
	Prepare func(train, test *sparse.Matrix) (trainOut, testOut *sparse.Matrix, err error)
}

// Validated is what a cross-validation found.
type Validated struct {
	// Lambdas are those that were fitted: fewer than given where Run.Least is set and the
	// metric turned.
	Lambdas []float64
	// Values holds the metric by point of the path and fold, NaN where a fit is missing
	// because the run was broken off.
	Values [][]float64
	// Mean is the mean over the folds, Error its standard error: the standard deviation
	// over the square root of the number of folds.
	Mean, Error []float64
	// Best is the point of the best mean, and OneError the first point of the path, so
	// that of the largest lambda, whose mean is no more than one Error[Best] worse. Both
	// are -1 where no point has a mean.
	Best, OneError int
	// Status is Converged unless a fit ended otherwise.
	Status solvers.Status
	// Passes and GradientEvaluations are those of all fits.
	Passes              float64
	GradientEvaluations int64
}

// CrossValidate fits the path on all folds but one, for each fold, and measures the
// fold. p.X is not prepared yet where Prepare is set; p.Lambda is not used. Folds run
// at the same time, each with a copy of its rows.
func CrossValidate(ctx context.Context, p *erm.Problem, lambdas []float64, v Validation, run Run) (*Validated, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	limit := &budget{time.Now(), run.Settings.MaxTime}
	if err := checkPath(p, lambdas, &run); err != nil {
		return nil, err
	}
	if v.Metric.Compute == nil {
		return nil, errors.New("related: a cross-validation needs a metric")
	}
	run.Settings.Validation = nil
	fold, err := Folds(p.X.Rows(), classesOf(p), v.Folds, v.Seed)
	if err != nil {
		return nil, err
	}
	out := &Validated{Lambdas: lambdas, Values: make([][]float64, len(lambdas)), Status: solvers.Converged}
	for k := range out.Values {
		out.Values[k] = make([]float64, v.Folds)
		for f := range out.Values[k] {
			out.Values[k][f] = math.NaN()
		}
	}
	states := make([]foldState, v.Folds)
	for f := range states {
		states[f].weights = make([]float64, p.X.Cols())
		copy(states[f].weights, run.Settings.Initial)
	}
	named := *p
	named.Lambda = 0
	what := engine.Identity{}.With("kind", "folds").With("folds", v.Folds).With("seed of the folds", v.Seed).
		With("metric", v.Metric.Name).With("prepared", v.Prepare != nil).With("lambdas", lambdas)
	keep, err := newKeeper(&run, what, &named, func(c *engine.Coder) { out.state(c, states) })
	if err != nil {
		return nil, err
	}
	defer keep.file.Close()
	fit := func(until int) error {
		return each(run.Settings.Workers, v.Folds, func(f, workers int) error {
			if states[f].done >= until {
				return nil
			}
			test, train := split(fold, uint32(f))
			inner, outer, err := part(p, train, test, v.Prepare)
			if err != nil {
				return fmt.Errorf("related: fold %d: %w", f+1, err)
			}
			scores := make([]float64, len(test))
			var numbering *engine.Numbering
			inner.X, numbering = numbered(inner.X, workers)
			for s := &states[f]; s.done < until; {
				inner.Lambda = lambdas[s.done]
				r, err := run.fit(ctx, f*len(lambdas)+s.done, workers, inner, numbering, s.initial(&run), limit)
				if r == nil || err != nil || unfinished(r) {
					return err
				}
				if err := outer.X.MulVec(nil, scores, r.Weights); err != nil {
					return err
				}
				value, err := v.Metric.Compute(scores, outer.Y, outer.SampleWeight)
				if err != nil {
					return fmt.Errorf("related: fold %d, lambda %v: %w", f+1, inner.Lambda, err)
				}
				keep.finished(func() {
					out.Values[s.done][f] = value
					s.weights = r.Weights
					s.done++
					s.status = gravest(s.status, r.Status)
					s.passes += r.Total.Passes
					s.gradients += r.Total.GradientEvaluations
				})
			}
			return nil
		})
	}
	points := len(lambdas)
	if run.Least > 0 {
		points = run.Least
	}
	err = fit(points)
	for ; err == nil && points < len(lambdas) && out.goesOn(points, v.Metric.Direction, states); points++ {
		err = fit(points + 1)
	}
	whole := out.summarise(points, v.Metric.Direction, states)
	if !whole && ctx.Err() == nil {
		out.Status = solvers.TimeReached
	}
	err = errors.Join(err, keep.end(whole)) // which saves all points
	out.Lambdas, out.Values = lambdas[:points], out.Values[:points]
	return out, err
}

// goesOn tells whether all folds have so many points, of which the last is the best.
func (v *Validated) goesOn(points int, direction metrics.Direction, states []foldState) bool {
	status := solvers.Converged
	for _, s := range states {
		if s.done < points {
			return false
		}
		status = gravest(status, s.status)
	}
	means := make([]float64, points)
	for k := range means {
		means[k], _ = moments(v.Values[k])
	}
	return goesOn(means, direction, status)
}

// classesOf returns classes by the sign, or nil for a regression.
func classesOf(p *erm.Problem) []uint32 {
	class := make([]uint32, len(p.Y))
	for i, y := range p.Y {
		if y != 1 && y != -1 {
			return nil
		}
		if y > 0 {
			class[i] = 1
		}
	}
	return class
}

// part returns the problem on the rows of train, and the rows of test.
func part(p *erm.Problem, train, test []uint32, prepare func(a, b *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error)) (inner, outer *erm.Problem, err error) {
	inner, outer = new(erm.Problem), new(erm.Problem)
	for _, side := range []struct {
		to   *erm.Problem
		list []uint32
	}{{inner, train}, {outer, test}} {
		*side.to = *p
		side.to.Y, side.to.SampleWeight = pick(p.Y, side.list), pick(p.SampleWeight, side.list)
		if side.to.X, err = p.X.PickRows(side.list); err != nil {
			return nil, nil, err
		}
	}
	if prepare == nil {
		return inner, outer, nil
	}
	if inner.X, outer.X, err = prepare(inner.X, outer.X); err != nil {
		return nil, nil, err
	}
	for _, side := range []struct {
		x    *sparse.Matrix
		rows int
	}{{inner.X, len(train)}, {outer.X, len(test)}} {
		if side.x == nil || side.x.Rows() != side.rows || side.x.Cols() != p.X.Cols() {
			return nil, nil, fmt.Errorf("the matrices of Prepare are not of %d and %d rows and of %d columns", len(train), len(test), p.X.Cols())
		}
	}
	return inner, outer, nil
}

// foldState is how far a fold is.
type foldState struct {
	done      int
	weights   []float64 // of the last point
	status    solvers.Status
	passes    float64
	gradients int64
}

func (s *foldState) initial(run *Run) []float64 {
	if s.done == 0 {
		return run.Settings.Initial
	}
	return s.weights
}

func (v *Validated) state(c *engine.Coder, states []foldState) {
	for _, row := range v.Values {
		c.Floats(row)
	}
	for f := range states {
		s := &states[f]
		c.Count(&s.done, len(v.Values))
		c.Floats(s.weights)
		c.Status(&s.status)
		c.Float64(&s.passes)
		c.Count64(&s.gradients)
	}
}

// summarise fills in what follows from the values of so many points, and tells whether
// all are there.
func (v *Validated) summarise(points int, direction metrics.Direction, states []foldState) (whole bool) {
	whole = true
	for _, s := range states {
		v.Passes += s.passes
		v.GradientEvaluations += s.gradients
		v.Status = gravest(v.Status, s.status)
		if s.done < points {
			whole, v.Status = false, solvers.Cancelled
		}
	}
	for _, values := range v.Values[:points] {
		mean, wrong := moments(values)
		v.Mean = append(v.Mean, mean)
		v.Error = append(v.Error, wrong)
	}
	v.Best = Best(v.Mean, direction)
	v.OneError = v.Best
	for k := v.Best - 1; k >= 0; k-- {
		worse := v.Mean[k] - v.Mean[v.Best]
		if direction == metrics.HigherIsBetter {
			worse = -worse
		}
		if worse <= v.Error[v.Best] {
			v.OneError = k
		}
	}
	return whole
}

// moments returns the mean and its standard error.
func moments(values []float64) (mean, wrong float64) {
	n, square := float64(len(values)), 0.0
	for _, x := range values {
		mean += x
	}
	mean /= n
	for _, x := range values {
		square = math.FMA(x-mean, x-mean, square)
	}
	return mean, math.Sqrt(square / (n - 1) / n)
}
