package related

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// LargestLambda returns a weight of the regulariser at which it decides the solution:
// the largest second derivative of the loss times the mean of s_i ||x_i||^2. That is
// no less than the largest curvature of the mean loss. A Steep loss counts the second derivatives
// where all weights but an intercept are 0. Of a Kinked loss, its jump over the mean loss there stands for
// the second derivative. A smooth loss and the square of the norm have no weight
// from which on the solution is 0.
func LargestLambda(p *erm.Problem) (float64, error) {
	if err := risk.Check(p); err != nil {
		return 0, err
	}
	sum, peak, weight := 0.0, p.Loss.Peak(), p.SampleWeight
	switch kinked := loss.KinkedOf(p.Loss); {
	case kinked != nil:
		peak = kinked.Jump() / risk.Width(p)
	case math.IsInf(peak, 1):
		peak, weight = 1, make([]float64, p.X.Rows())
		z, b := make([]float64, len(weight)), 0.0
		if p.Intercept {
			b = risk.Constant(p)
		}
		for i := range z {
			z[i] = b + direct.Offset(p.Offset, i)
		}
		p.Loss.Curvature(weight, make([]float64, len(z)), z, p.Y, p.SampleWeight)
	}
	for i, v := range matrix.SquaredNorms(p.X) {
		sum = math.FMA(direct.Weight(weight, i), v, sum)
	}
	return largest(sum, p.X.Rows(), peak)
}

// largest is LargestLambda for a sum of s_i ||x_i||^2 over rows.
func largest(sum float64, rows int, peak float64) (float64, error) {
	sum = sum / float64(rows) * peak
	if math.IsInf(sum, 0) {
		return 0, fmt.Errorf("related: the squared lengths of the rows overflow: give the largest lambda; %w", solvers.ErrTooLarge)
	}
	if !(sum > 0) {
		return 0, fmt.Errorf("related: the rows' squared lengths have the mean %v; give the largest lambda", sum)
	}
	return sum, nil
}

// Lambdas returns count weights from high down to low, in equal ratios.
func Lambdas(high, low float64, count int) ([]float64, error) {
	switch {
	case count < 2 || count > 10000:
		return nil, fmt.Errorf("related: a path of %d points; there must be 2 to 10000", count)
	case !(low > 0) || !(high > low) || math.IsInf(high, 0):
		return nil, fmt.Errorf("related: a path from lambda %v down to %v; they must be positive and descend", high, low)
	}
	list := make([]float64, count)
	step := (kernels.LogOf(low) - kernels.LogOf(high)) / float64(count-1)
	for k := range list {
		list[k] = float64(k) * step
	}
	direct.Exp(list, list)
	for k := range list {
		list[k] *= high
	}
	list[count-1] = low
	return list, checkLambdas(list)
}

func checkLambdas(list []float64) error {
	if len(list) == 0 {
		return errors.New("related: a path of no points")
	}
	for k, v := range list {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("related: point %d of the path has lambda %v; it must be positive", k+1, v)
		}
		if k > 0 && v >= list[k-1] {
			return fmt.Errorf("related: point %d of the path has lambda %v after %v; they must descend", k+1, v, list[k-1])
		}
	}
	return nil
}

const (
	// usualPoints weights of the regulariser lie in usualRange, the largest over the least.
	usualPoints = 20
	usualRange  = 1e4
	// furtherRange is how far below that a path may follow a metric that still improves.
	furtherRange = 1e6
)

// UsualLambdas returns the default lambdas from LargestLambda down: 20 over a factor of 1e4, and on
// in the same ratio until 1/n is passed; these are the first least ones. Smaller lambdas follow,
// over a further factor of 1e6, for paths that are judged by a metric; see Run.Least.
func UsualLambdas(p *erm.Problem) (lambdas []float64, least int, err error) {
	high, err := LargestLambda(p)
	if err != nil {
		return nil, 0, err
	}
	return usualBelow(high, p.X.Rows())
}

// usualBelow returns the weights of UsualLambdas from high down for a number of rows.
func usualBelow(high float64, rows int) (lambdas []float64, least int, err error) {
	if lambdas, err = Lambdas(high, high/usualRange, usualPoints); err != nil {
		return nil, 0, err
	}
	ratio := lambdas[1] / lambdas[0]
	next := func() float64 { return lambdas[len(lambdas)-1] * ratio }
	for n := float64(rows); lambdas[len(lambdas)-1] > 1/n; {
		lambdas = append(lambdas, next())
	}
	least = len(lambdas)
	for end := lambdas[least-1] / furtherRange; next() >= end && next() > math.SmallestNonzeroFloat64; {
		lambdas = append(lambdas, next())
	}
	return lambdas, least, checkLambdas(lambdas)
}

// AtEdge tells whether the best of count points of a path is its first or its last one:
// there may be better ones beyond.
func AtEdge(best, count int) bool { return count > 1 && (best == 0 || best == count-1) }

// goesOn tells whether a path of values continues to a further point: while the last one is the
// best. Fits that no longer reach their tolerances end it.
func goesOn(values []float64, direction metrics.Direction, last solvers.Status) bool {
	return Best(values, direction) == len(values)-1 && (last.Solved() || last == solvers.Stalled)
}

// directionOf returns the direction of a metric.
func directionOf(m solvers.Metric) metrics.Direction {
	if m.HigherIsBetter() {
		return metrics.HigherIsBetter
	}
	return metrics.LowerIsBetter
}

// Path minimises p, or the problems of Run.Classes, for every lambda of a descending list, with the
// penalty of Run.Penalty. p.Penalty is not used; without Run.Penalty, another one than a ridge is
// refused by a *penalty.LacksError. Path returns one result a lambda. Each begins at the solution
// before, the first at Settings.Initial. If at least 16 points are always fitted, the points at 8/25 and 4/5 of them
// also begin at Settings.Initial: the path is cut into three chains that run at the same time, each
// in the memory of one solve. With Run.Begin there is one chain.
//
// Settings.Validation does not end a fit: it is measured at the end of each fit, and
// Result.Metric holds it. If Run.Least is set, the path ends at the first point after the first
// Run.Least points that does not improve the metric. There are then fewer results.
//
// A cancelled context or the end of the time ends each chain at its best point so far; results of
// fits that were not begun are nil.
func Path(ctx context.Context, p *erm.Problem, lambdas []float64, run Run) ([]*solvers.Result, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	limit := &budget{time.Now(), run.Settings.MaxTime}
	if err := checkPath(p, lambdas, &run); err != nil {
		return nil, err
	}
	validation := run.Settings.Validation
	run.Settings.Validation = nil
	fits := make([]*solvers.Result, len(lambdas))
	columns := run.columns(p)
	named := *p
	named.Penalty = penalty.Ridge{Lambda: 0}
	certain := len(lambdas)
	if run.Least > 0 {
		certain = run.Least
	}
	chains := run.chains(certain)
	what := ofChains(chains, run.ofPoints(run.ofClasses(checkpoint.Identity{}.With("kind", "path")), lambdas))
	var saved []byte
	keep, ctx, err := newKeeper(ctx, &run, what, &named, func(c *checkpoint.Coder) {
		results(c, fits, columns)
		if run.Begin != nil {
			visitSaved(c, &saved)
		}
	})
	if err != nil {
		return nil, err
	}
	defer keep.file.Close()
	inner := *p
	x, numbering := numbered(p.X, &run.Settings, run.penalties(lambdas)...)
	inner.X = x
	solve, series, err := run.begin(&inner, saved, lambdas)
	if err != nil {
		return nil, err
	}
	// fitted makes fit k, if that is missing, and tells whether there is one to go on from.
	fitted := func(ctx context.Context, k, workers int, initial []float64) (bool, error) {
		if fits[k] == nil {
			point := inner
			point.Penalty = run.at(lambdas[k])
			r, err := run.fit(ctx, solve, k, workers, &point, numbering, initial, limit)
			keep.finished(func() {
				fits[k], saved = r, save(series)
				ended(ctx, k, r)
			})
			if err != nil {
				return false, err
			}
		}
		return !unfinished(fits[k]), nil
	}
	// measured gives a fit its metric. What was saved may have been measured by something else.
	measured := func(k int) error {
		if fits[k] == nil || validation == nil {
			return nil
		}
		var err error
		if fits[k].Metric, err = validation.Measure(fits[k].Weights); err != nil {
			return fmt.Errorf("related: validation metric %s at lambda %v: %w", validation.Name(), lambdas[k], err)
		}
		return nil
	}
	all := newCrew(run.Settings.Workers, len(chains))
	err = each(ctx, run.together(), len(chains), func(ctx context.Context, c, workers int) error {
		defer all.end()
		workers = run.ofFit(workers)
		initial := run.Settings.Initial
		for k := chains[c].begin; k < chains[c].end; k++ {
			if goesOn, err := fitted(ctx, k, all.share(workers), initial); err != nil || !goesOn {
				return err
			}
			initial = fits[k].Weights
		}
		return nil
	})
	whole := !slices.ContainsFunc(fits[:certain], unfinished)
	var values []float64
	for k := 0; k < certain; k++ {
		if wrong := measured(k); wrong != nil {
			return fits, errors.Join(err, wrong, keep.end(whole && certain == len(lambdas)))
		}
		if fits[k] != nil {
			values = append(values, fits[k].Metric)
		}
	}
	for k := certain; whole && err == nil && k < len(lambdas); k++ {
		if validation == nil || !goesOn(values, directionOf(validation), fits[k-1].Status) {
			return fits[:k], keep.end(true)
		}
		whole, err = fitted(ctx, k, run.Settings.Workers, fits[k-1].Weights)
		if err = errors.Join(err, measured(k)); whole {
			values = append(values, fits[k].Metric)
		}
	}
	return fits, errors.Join(err, keep.end(whole))
}

func checkPath(p *erm.Problem, lambdas []float64, run *Run) error {
	if err := checkLambdas(lambdas); err != nil {
		return err
	}
	if err := run.checkRows(p); err != nil {
		return err
	}
	if err := run.checkPenalty(p); err != nil {
		return err
	}
	if run.Least < 0 || run.Least > len(lambdas) {
		return fmt.Errorf("related: at least %d points of a path of %d", run.Least, len(lambdas))
	}
	return run.check(p)
}

// Best returns the number of the value that is best, the first of equal ones, and -1
// where none is a number.
func Best(values []float64, direction metrics.Direction) int {
	best := -1
	for k, v := range values {
		if !math.IsNaN(v) && (best < 0 || direction.Better(v, values[best])) {
			best = k
		}
	}
	return best
}
