package related

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Validation says how a path is judged by cross-validation. Calls may share it, as far as its
// functions may be.
type Validation struct {
	// Folds is the number of parts of the rows; each is scored by fits on the others.
	Folds int
	// Seed deals the rows.
	Seed uint64
	// Group has the number of each row's group, nil for none: the rows of a group are in one
	// fold, as GroupFolds deals them.
	Group []int64
	// Metric measures the scores of a fold.
	Metric metrics.Metric
	// Prepare, where set, prepares the rows of a fold and of all others, such as by a
	// scaling that is fitted to the others alone. The numbers of rows and of columns
	// stay as they are. It is called from several goroutines.
	Prepare func(train, test *sparse.Matrix) (trainOut, testOut *sparse.Matrix, err error)
	// PrepareFile is Prepare for the rows of Run.File. It is called from one goroutine at a time.
	PrepareFile func(ctx context.Context, train, test *sparse.Stream) (trainOut, testOut *sparse.Stream, err error)
	// Then, where set, is called once all folds are measured, as for a fit of all rows: the
	// checkpoint of the cross-validation keeps the states of fits that take its context. Its
	// error is the error of CrossValidate.
	Then func(ctx context.Context, found *Validated) error
}

// Validated is what a cross-validation found. It is safe for concurrent reading.
type Validated struct {
	// Lambdas are the lambdas that were fitted: fewer than given if Run.Least is set and the metric
	// stopped improving.
	Lambdas []float64
	// Values holds the metric by point of the path and fold, NaN where a fit is missing
	// because the run was broken off.
	Values [][]float64
	// Mean is the mean over the folds, Error its standard error: the standard deviation
	// over the square root of the number of folds.
	Mean, Error []float64
	// NonZeros is the mean number of weights that are not 0, over the folds; constant
	// columns are not counted.
	NonZeros []float64
	// Best is the point of the best mean. OneError is the first point of the path (the largest
	// lambda) whose mean is at most Error[Best] worse. Both are -1 if no point has a mean.
	Best, OneError int
	// Status is Converged unless a fit ended otherwise.
	Status solvers.Status
	// Missed counts the fits that ended without meeting a tolerance (Result.Missed), of Fits.
	Missed, Fits int
	// Epochs and GradientEvaluations are sums over all fits.
	Epochs              float64
	GradientEvaluations int64
}

// CrossValidate fits the path on all folds but one, for each fold, and measures the
// fold. p.X is not prepared yet where Prepare is set; p.Penalty is as for Path. Folds run at the
// same time, each with a copy of its rows. With Run.File there is no copy: rows are chosen as they are
// read, one fold after the other. A measurement then reads the file once. It holds 4 bytes a row for the
// folds, and of the measured fold the labels, weights, offsets and scores. To deal takes 16 bytes a row.
func CrossValidate(ctx context.Context, p *erm.Problem, lambdas []float64, v Validation, run Run) (*Validated, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	limit := &budget{time.Now(), run.Settings.MaxTime}
	fold, err := v.deal(ctx, p, &run)
	if err != nil {
		return nil, err
	}
	certain := len(lambdas)
	if run.Least > 0 {
		certain = run.Least
	}
	c, err := newCrossing(p, lambdas, fold, v, run, run.chains(certain))
	if err != nil {
		return nil, err
	}
	named := *p
	named.Penalty = penalty.Ridge{Lambda: 0}
	what := ofChains(c.chains, run.ofPoints(run.ofClasses(checkpoint.Identity{}.With("kind", "folds").With("folds", v.Folds).With("seed of the folds", v.Seed).
		With("metric", v.Metric.Name).With("prepared", v.Prepare != nil || v.PrepareFile != nil)), lambdas))
	what = v.ofGroups(what, fold)
	keep, ctx, err := newKeeper(ctx, &run, what, &named, c.state)
	if err != nil {
		return nil, err
	}
	defer keep.file.Close()
	whole, err := c.fit(ctx, limit, keep)
	err = errors.Join(err, keep.file.Save())
	found := c.trimmed()
	if whole && err == nil && v.Then != nil {
		err = v.Then(checkpoint.InSubrun(ctx, len(lambdas)*v.Folds), found)
		err = errors.Join(err, keep.file.Save())
	}
	return found, err
}

// ofGroups names the folds where groups have decided them.
func (v *Validation) ofGroups(what checkpoint.Identity, fold []uint32) checkpoint.Identity {
	if v.Group == nil {
		return what
	}
	return what.With("the folds' checksum", checkpoint.Checksum(fold))
}

// deal checks the rows of p and deals them into folds.
func (v *Validation) deal(ctx context.Context, p *erm.Problem, run *Run) ([]uint32, error) {
	if err := run.checkRows(p); err != nil {
		return nil, err
	}
	switch {
	case v.Metric.Compute == nil:
		return nil, errors.New("related: a cross-validation needs a metric")
	case run.File != nil:
		return v.dealInFile(ctx, run)
	}
	return v.Deal(p, run.Classes)
}

// Deal returns the fold of each row of p, from 0 on, as CrossValidate and Choose deal them. classes
// is Run.Classes.
func (v *Validation) Deal(p *erm.Problem, classes int) ([]uint32, error) {
	if p == nil || p.X == nil || len(p.Y) != p.X.Rows() {
		return nil, errors.New("related: folds need a matrix, and a label for each of its rows")
	}
	of := classesOf(p)
	if classes > 0 {
		of = numbersOf(p.Y)
	}
	if v.Group != nil {
		if len(v.Group) != p.X.Rows() {
			return nil, fmt.Errorf("related: groups of %d rows, and %d rows", len(v.Group), p.X.Rows())
		}
		return GroupFolds(v.Group, of, v.Folds, v.Seed)
	}
	return Folds(p.X.Rows(), of, v.Folds, v.Seed)
}

// crossing is a cross-validation under way.
type crossing struct {
	*Validated
	p      *erm.Problem
	fold   []uint32 // of each row
	v      Validation
	run    Run
	chains []chain     // of the path of every fold
	folds  []foldState // fold after fold, the chains of each
	costs  [][]cost    // by point and fold
	used   [][]float64 // weights that are not 0, by point and fold
	points int         // that are fitted in all folds, or are about to be
}

// cost is what a fit took.
type cost struct{ passes, seconds float64 }

// newCrossing is one over paths in such chains, nil for whole ones.
func newCrossing(p *erm.Problem, lambdas []float64, fold []uint32, v Validation, run Run, chains []chain) (*crossing, error) {
	if err := checkPath(p, lambdas, &run); err != nil {
		return nil, err
	}
	run.Settings.Validation = nil
	c := &crossing{
		Validated: &Validated{Lambdas: lambdas, Values: make([][]float64, len(lambdas)), Status: solvers.Converged},
		p:         p, fold: fold, v: v, run: run, chains: chains,
	}
	if chains == nil {
		c.chains = []chain{{0, len(lambdas)}}
	}
	c.folds = make([]foldState, v.Folds*len(c.chains))
	c.costs, c.used = make([][]cost, len(lambdas)), make([][]float64, len(lambdas))
	for k := range c.Values {
		c.Values[k], c.costs[k], c.used[k] = make([]float64, v.Folds), make([]cost, v.Folds), make([]float64, v.Folds)
		for f := range c.Values[k] {
			c.Values[k][f], c.used[k][f] = math.NaN(), math.NaN()
		}
	}
	for i := range c.folds {
		s := &c.folds[i]
		s.chain = c.chains[i%len(c.chains)]
		if i%len(c.chains) == len(c.chains)-1 {
			s.end = len(lambdas) // what follows the least number of points goes on from there
		}
		s.done = s.begin
		s.weights = make([]float64, run.columns(p))
		copy(s.weights, run.Settings.Initial)
	}
	return c, nil
}

// fit makes the fits that are missing, and tells whether all are there then.
func (c *crossing) fit(ctx context.Context, limit *budget, keep *keeper) (whole bool, err error) {
	c.points = len(c.Lambdas)
	if c.run.Least > 0 {
		c.points = c.run.Least
	}
	err = c.until(ctx, c.points, limit, keep)
	for ; err == nil && c.points < len(c.Lambdas) && c.goesOn(c.points, c.v.Metric.Direction, c.folds); c.points++ {
		err = c.until(ctx, c.points+1, limit, keep)
	}
	whole = c.summarise(c.points, c.v.Metric.Direction, c.folds)
	for _, row := range c.used[:c.points] {
		mean, _ := moments(row)
		c.NonZeros = append(c.NonZeros, mean)
	}
	if !whole && ctx.Err() == nil {
		c.Status = solvers.TimeReached
	}
	return whole, err
}

// until makes the fits of the first points points.
func (c *crossing) until(ctx context.Context, points int, limit *budget, keep *keeper) error {
	rows := make([]once[*foldRows], c.v.Folds)
	var missing []int
	for i := range c.folds {
		if c.folds[i].short(points) {
			missing = append(missing, i)
			rows[i/len(c.chains)].users++
		}
	}
	all := newCrew(c.run.Settings.Workers, len(missing))
	return each(ctx, c.run.together(), len(missing), func(ctx context.Context, i, workers int) error {
		defer all.end()
		workers = c.run.ofFit(workers)
		s, f := &c.folds[missing[i]], missing[i]/len(c.chains)
		defer rows[f].end()
		fold, err := rows[f].get(func() (*foldRows, error) { return c.rowsOf(ctx, f) })
		switch {
		case err != nil && ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		inner, outer := *fold.inner, fold.outer
		own := c.run
		if fold.solve != nil {
			own.Solve = fold.solve
		}
		solve, series, err := own.begin(&inner, s.saved, c.Lambdas[:points])
		if err != nil {
			return fmt.Errorf("related: fold %d: %w", f+1, err)
		}
		for s.short(points) {
			inner.Penalty = c.run.at(c.Lambdas[s.done])
			begun := time.Now()
			fit := f*len(c.Lambdas) + s.done
			r, err := c.run.fit(ctx, solve, fit, all.share(workers), &inner, fold.numbering, s.initial(&c.run), limit)
			if r == nil || err != nil || unfinished(r) {
				return err
			}
			scores, err := c.run.scores(fold, workers, r.Weights)
			if err != nil {
				return err
			}
			for i, o := range outer.Offset {
				scores[i] += o
			}
			value, err := c.v.Metric.Compute(scores, outer.Y, outer.SampleWeight)
			if err != nil {
				return fmt.Errorf("related: fold %d, lambda %v: %w", f+1, c.Lambdas[s.done], err)
			}
			keep.finished(func() {
				c.Values[s.done][f], c.used[s.done][f] = value, nonZeros(fold.width, r.Weights)
				c.costs[s.done][f] = cost{r.Total.Epochs, time.Since(begun).Seconds()}
				s.weights, s.saved = r.Weights, save(series)
				s.done++
				s.status = gravest(s.status, r.Status)
				if r.Missed(&c.run.Settings) {
					s.missed++
				}
				s.passes += r.Total.Epochs
				s.gradients += r.Total.GradientEvaluations
				checkpoint.DropSubrun(ctx, fit)
			})
		}
		return nil
	})
}

// trimmed is without the points that were not fitted because the metric turned.
func (c *crossing) trimmed() *Validated {
	v := *c.Validated
	v.Lambdas, v.Values = v.Lambdas[:c.points], v.Values[:c.points]
	return &v
}

func (c *crossing) state(coder *checkpoint.Coder) {
	c.Validated.state(coder, c.folds)
	for _, row := range c.used {
		coder.Floats(row)
	}
	for f := range c.folds {
		if c.run.Begin != nil {
			visitSaved(coder, &c.folds[f].saved)
		}
	}
}

// nonZeros counts the weights that are not 0 of columns that are not constant.
func nonZeros(x width, w []float64) float64 {
	count, d := 0.0, x.Cols()
	for j, v := range w {
		if v != 0 && (x.Bias() == 0 || (j+1)%d != 0) {
			count++
		}
	}
	return count
}

// goesOn tells whether all folds have fitted the first points points, and the last of them is the
// best.
func (v *Validated) goesOn(points int, direction metrics.Direction, states []foldState) bool {
	status := solvers.Converged
	for _, s := range states {
		if s.short(points) {
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
	return appendSigns(make([]uint32, 0, len(p.Y)), p.Y)
}

// appendSigns appends the classes of labels of 1 and -1. It returns nil for other labels, and for nil.
func appendSigns(class []uint32, labels []float64) []uint32 {
	for _, y := range labels {
		if class == nil || y != 1 && y != -1 {
			return nil
		}
		class = append(class, uint32((1+y)/2))
	}
	return class
}

// foldState is how far a chain of a fold's path is.
type foldState struct {
	chain
	done      int       // points of the path, up to where it is
	weights   []float64 // of the last point
	saved     []byte    // of a series
	status    solvers.Status
	missed    int // fits that met no tolerance
	passes    float64
	gradients int64
}

// short tells whether some of the first points points are missing in the chain.
func (s *foldState) short(points int) bool { return s.done < min(s.end, points) }

func (s *foldState) initial(run *Run) []float64 {
	if s.done == s.begin {
		return run.Settings.Initial
	}
	return s.weights
}

func (v *Validated) state(c *checkpoint.Coder, states []foldState) {
	for _, row := range v.Values {
		c.Floats(row)
	}
	for f := range states {
		states[f].state(c, len(v.Values))
	}
}

func (s *foldState) state(c *checkpoint.Coder, points int) {
	if c.Count(&s.done, points); s.done < s.begin {
		c.Fail(fmt.Errorf("%d points of a part of the path that begins after %d", s.done, s.begin))
	}
	c.Floats(s.weights)
	c.Status(&s.status)
	c.Count(&s.missed, points)
	c.Float64(&s.passes)
	c.Count64(&s.gradients)
}

// summarise computes means, errors and best points from the values of the first points points, and
// tells whether all values are there.
func (v *Validated) summarise(points int, direction metrics.Direction, states []foldState) (whole bool) {
	whole = true
	for _, s := range states {
		v.Missed += s.missed
		v.Fits += s.done - s.begin
		v.Epochs += s.passes
		v.GradientEvaluations += s.gradients
		v.Status = gravest(v.Status, s.status)
		if s.short(points) {
			whole, v.Status = false, solvers.Cancelled
		}
	}
	for _, values := range v.Values[:points] {
		mean, wrong := moments(values)
		v.Mean = append(v.Mean, mean)
		v.Error = append(v.Error, wrong)
	}
	v.Best = Best(v.Mean, direction)
	path := make([]int, points)
	for k := range path {
		path[k] = k
	}
	v.OneError = withinOneError(v.Mean, v.Error, v.Best, direction, path)
	return whole
}

// withinOneError is the rule of one standard error. Candidates have means and standard errors, and
// best has the best mean; order lists candidates, the simplest first. It returns the first of them
// whose mean is worse than the best mean by at most the standard error of the best, or best.
func withinOneError(means, errors []float64, best int, direction metrics.Direction, order []int) int {
	for _, k := range order {
		if best < 0 {
			break
		}
		worse := means[k] - means[best]
		if direction == metrics.HigherIsBetter {
			worse = -worse
		}
		if worse <= errors[best] {
			return k
		}
	}
	return best
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
