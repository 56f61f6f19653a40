package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// Search says which weights of the penalty are tried, and how they are judged.
type Search struct {
	// Options are the options of every fit. Their Metric judges; their Penalty is tried alone
	// where One says so, and otherwise only its L2 counts, beside the weights of an L1 norm.
	Options
	// Folds is the number of folds of a cross-validation, 2 at least; 0 means 5.
	Folds int
	// Weights are the weights that are tried, descending: of the squared norm, or with OverL1 of
	// the L1 norm. nil means a range that begins where the penalty decides everything: see
	// related.UsualLambdas, and for the L1 norm 100 weights down to 1e-4 of the first (1e-2 where
	// columns outnumber rows), as in glmnet.
	Weights []float64
	// OverL1 tries weights of the L1 norm, along which models get less sparse.
	OverL1 bool
	// One measures Options.Penalty alone.
	One bool
	// OneStandardError chooses the largest weight whose mean is within one standard error of the
	// best, in place of the best.
	OneStandardError bool

	alongPath bool   // no folds
	searches  bool   // for For
	encoded   bool   // rows are of a table
	inFile    bool   // rows stay in their file
	monotone  string // see Problem
}

// Folds is what a cross-validation found.
type Folds struct {
	// Folds is their number.
	Folds  int
	Metric metrics.Metric
	// Chosen is the weight of the model, as Options say.
	Chosen float64
	*related.Validated
}

// usualFolds is the number of folds that Search and calibrations have if it is not given.
const usualFolds = 5

// points of a path over L1 norms, and its last weight as a share of the first: for more rows
// than columns, and for wide data.
const (
	pathPoints           = 100
	pathShare, wideShare = 1e-4, 1e-2
)

// Path fits a model for each of several falling weights of the penalty, each from the solution
// before. It returns the model that is best by Options.Metric on Options.Validation, or the last
// model without a validation. Fitted.Fits has all of them. Errors are as in Train. If ctx is
// cancelled, the finished fits are returned beside its error.
func Path(ctx context.Context, data *sparse.Data, s Search) (*Fitted, error) {
	s.alongPath, s.Folds = true, 0
	p, err := pose(data, s.Options, &s)
	if err != nil {
		return nil, err
	}
	return p.Path(ctx, s)
}

// CrossValidate fits models for several falling weights of the penalty on all folds but one, and
// measures each on that fold. It trains all rows by the weight of the best mean. Folds hold equal
// shares of the classes; scaling is fitted without the measured fold. If data have groups
// (Data.Query), the rows of a group are in one fold, and the shares are as even as whole groups
// allow; see related.GroupFolds. Fitted.Folds has the measurements. Errors are as in Train.
func CrossValidate(ctx context.Context, data *sparse.Data, s Search) (*Fitted, error) {
	s.Folds = cmp.Or(s.Folds, usualFolds)
	p, err := pose(data, s.Options, &s)
	if err != nil {
		return nil, err
	}
	return p.CrossValidate(ctx, s)
}

// PoseSearch is Pose for a problem that Path (where s.Folds is 0) or CrossValidate is to solve.
func PoseSearch(data *sparse.Data, s Search) (*Problem, error) {
	s.alongPath = s.Folds == 0
	return pose(data, s.Options, &s)
}

// check refuses searches that cannot be made.
func (p *Problem) check(s *Search) error {
	switch {
	case p.ranking():
		return badOption("Solver", p.method.Name, "it ranks; paths and cross-validations fit losses, and For tries solvers that rank")
	case !s.alongPath && s.Folds < 2:
		return badOption("Search.Folds", s.Folds, "there must be two folds at least")
	case p.path != (s.OverL1 || s.One && p.o.Penalty.L1 > 0):
		return badOption("Search.OverL1", s.OverL1, "the problem was made for another search: give PoseSearch this one")
	case s.One && (s.OverL1 || s.Weights != nil):
		return badOption("Search.One", s.One, "it measures {Penalty} alone: leave {Search.Weights} and {Search.OverL1} out")
	case !s.alongPath && s.One && !p.regularised():
		return badOption("Penalty", "none", "a cross-validation needs a penalty")
	case !s.alongPath && p.o.validates():
		return badOption("Validation", "rows", "a cross-validation measures on folds: leave it out")
	}
	for k, w := range s.Weights {
		if !(w > 0) || math.IsInf(w, 0) || k > 0 && w >= s.Weights[k-1] {
			return badOption("Search.Weights", w, "weights are positive, finite, and descend")
		}
	}
	return nil
}

// weights returns the weights of a search; the first of them are fitted in any case, as many
// as least says (0 for all).
func (p *Problem) weights(ctx context.Context, s *Search) (list []float64, least int, err error) {
	switch {
	case s.One && p.l1 > 0:
		return []float64{p.l1}, 0, nil
	case s.One:
		return []float64{p.Ridge()}, 0, nil
	case s.Weights != nil:
		return s.Weights, 0, nil
	case s.OverL1:
		high, err := p.besideSearch(s, pathPoints, 0).largestL1(ctx)
		if err == nil && !(high > 0) {
			return nil, 0, badData(errors.New("all weights are 0 whatever the weight of the L1 norm"))
		}
		if err != nil {
			return nil, 0, badData(plain(err))
		}
		share := pathShare
		if p.columns > p.rows() {
			share = wideShare
		}
		list, err = related.Lambdas(high, share*high, pathPoints)
		return list, 0, err
	case p.several != nil:
		c, _ := p.eachClass()
		list, least, err = related.UsualClassLambdas(c)
	case p.stream != nil:
		list, least, err = related.UsualLambdasInFile(ctx, &p.Problem, p.stream)
		err = shards.Agree(p.settings.Ranks, err)
	default:
		list, least, err = related.UsualLambdas(&p.Problem)
	}
	switch {
	case errors.Is(err, related.ErrNoRange):
		err = badOption("Search.Weights", "none", "%v: give {Search.Weights}", plain(err))
	case err != nil:
		err = badData(plain(err))
	}
	return list, least, err
}

// Path fits the problem, which PoseSearch made, along a path; see the function Path.
func (p *Problem) Path(ctx context.Context, s Search) (*Fitted, error) {
	start := time.Now()
	s.alongPath = true
	if err := errors.Join(p.begins(ctx), p.check(&s)); err != nil {
		return nil, err
	}
	weights, least, err := p.weights(ctx, &s)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, p.noPoint(ctx, nil)
	case err != nil:
		return nil, err
	}
	p = p.besideSearch(&s, len(weights), least)
	q, by := &p.Problem, p.run()
	if p.several != nil {
		q, by = p.jointly(by)
	}
	by.Least = least
	end := p.stage(Stage{What: "lambdas", Fits: len(weights), Least: least, Group: len(weights), Limits: by.Settings})
	defer end()
	fits, err := related.Path(ctx, q, weights, p.watched(by))
	end()
	if fits == nil || fits[0] == nil {
		return nil, p.noPoint(ctx, err)
	}
	f := &Fitted{Used: by.Settings, Method: p.method, Metrics: map[string]float64{}, What: "points of the path"}
	total := related.Total(fits)
	validation := by.Settings.Validation
	var values []float64
	before := 0 // fits before the first that was not begun
	for k, fit := range fits {
		if fit == nil {
			continue
		}
		if len(f.Fits) == k {
			before = k + 1
		}
		f.Fits = append(f.Fits, Fit{Number: k, Weight: weights[k], Result: fit})
	}
	for k, fit := range f.Fits {
		switch {
		case validation != nil:
			values = append(values, fit.Result.Metric)
		case k < before:
			values = append(values, float64(k))
		default:
			values = append(values, math.NaN()) // a model is of the last point that all others lead to
		}
	}
	f.NotBegun = max(min(cmp.Or(least, len(weights)), len(fits))-len(f.Fits), 0)
	direction := metrics.HigherIsBetter // of the place: the last point
	if validation != nil && !validation.HigherIsBetter() {
		direction = metrics.LowerIsBetter
	}
	f.Best = max(related.Best(values, direction), 0)
	chosen := *f.Fits[f.Best].Result
	chosen.Total, chosen.Status = total.Total, total.Status
	f.Result = &chosen
	unfinished := total.Status == solvers.Cancelled || total.Status == solvers.TimeReached
	f.AtEdge = validation != nil && !unfinished && related.AtEdge(f.Best, len(f.Fits))
	f.missed(fits)
	own := p.chosen(f.Fits[f.Best].Weight)
	if wrong := own.measure(ctx, f); p.stream != nil {
		err = errors.Join(err, wrong) // the file may have become unreadable
	}
	if validation != nil {
		f.Metrics["valid_"+validation.Name()] = values[f.Best]
	}
	return own.finish(ctx, f, start, err)
}

// CrossValidate measures the problem, which PoseSearch made, over folds; see the function
// CrossValidate.
func (p *Problem) CrossValidate(ctx context.Context, s Search) (*Fitted, error) {
	start := time.Now()
	s.Folds = cmp.Or(s.Folds, usualFolds)
	if err := errors.Join(p.begins(ctx), p.check(&s)); err != nil {
		return nil, err
	}
	v := related.Validation{Folds: s.Folds, Seed: p.settings.Seed, Group: p.data.Query}
	var err error
	if v.Metric, err = p.metric(); err != nil {
		return nil, err
	}
	weights, least, err := p.weights(ctx, &s)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, p.noPoint(ctx, nil)
	case err != nil:
		return nil, err
	}
	p = p.besideSearch(&s, len(weights), least)
	q, by := &p.Problem, p.run()
	if p.several != nil {
		q, by = p.jointly(by)
	}
	by.Least = least
	if p.stream != nil {
		if err := p.shortOfMemory(by.Settings); err != nil {
			return nil, err
		}
	}
	raw := *q
	switch {
	case p.scaler != nil && p.stream != nil:
		v.PrepareFile = p.scaleByTrainingInFile
	case p.scaler != nil:
		raw.X, v.Prepare = p.data.X.WithBias(p.X.Bias()), p.scaleByTraining
	}
	end := p.stage(Stage{What: fmt.Sprintf("fits of %d folds", s.Folds), Fits: s.Folds * len(weights), Least: s.Folds * least, Group: len(weights), Limits: by.Settings})
	defer end()
	var f *Fitted
	var own *Problem
	best := -1
	v.Then = func(ctx context.Context, found *related.Validated) (err error) {
		end()
		if best = found.Best; s.OneStandardError {
			best = found.OneError
		}
		if best < 0 {
			return fmt.Errorf("lanes: the metric %s is not a number at any weight", v.Metric.Name)
		}
		own = p.chosen(found.Lambdas[best])
		last := by.Settings // of the fit of all rows
		last.Checkpoint, last.Resume = "", ""
		if last.MaxTime > 0 {
			last.MaxTime = max(last.MaxTime-time.Since(start), 1)
		}
		f, err = own.last(ctx, last)
		return err
	}
	found, err := related.CrossValidate(ctx, &raw, weights, v, p.watched(by))
	end()
	switch {
	case f != nil:
	case best >= 0 || err != nil && ctx.Err() == nil:
		return nil, err
	case found == nil:
		return nil, p.noPoint(ctx, nil)
	default:
		return nil, fmt.Errorf("lanes: the cross-validation was broken off (%s) before all folds had been measured: %w", found.Status, p.noPoint(ctx, nil))
	}
	f.Best = best
	f.Folds = &Folds{Folds: s.Folds, Metric: v.Metric, Chosen: found.Lambdas[best], Validated: found}
	f.Result.Total.Epochs += found.Epochs
	f.Result.Total.GradientEvaluations += found.GradientEvaluations
	f.AtEdge = related.AtEdge(found.Best, len(found.Lambdas))
	if f.Made == 0 { // of the chosen point
		f.missed([]*solvers.Result{f.Result})
	}
	f.Unsolved, f.Made, f.What = f.Unsolved+found.Missed, f.Made+found.Fits, "fits"
	if found.Status == solvers.Stalled {
		f.Worst = solvers.Stalled
	}
	f.Metrics["cv_"+v.Metric.Name] = found.Mean[best]
	f.Metrics["cv_"+v.Metric.Name+"_standard_error"] = found.Error[best]
	return own.finish(ctx, f, start, err)
}

// last fits all rows by the weight that folds have chosen.
func (p *Problem) last(ctx context.Context, s solvers.Settings) (*Fitted, error) {
	own := *p
	own.settings, own.o.Settings.MaxEpochs = s, s.MaxEpochs
	switch {
	case p.several != nil && p.several.whole:
		return own.softmax(ctx, s)
	case p.several != nil:
		return own.trainClasses(ctx)
	}
	return own.single(ctx, "all rows", s)
}

// shortOfMemory returns the error of a fit of all rows in a file that needs more memory than it may take. Fits of
// folds, which come first, may need less. A run that is over as it begins plans its memory all the same.
func (p *Problem) shortOfMemory(s solvers.Settings) error {
	over, end := context.WithCancel(context.Background())
	end()
	s.Checkpoint, s.Resume, s.Recorder = "", "", nil
	var short *erm.MemoryError
	if _, err := p.minimise(over, p.method, &p.Problem, s); errors.As(err, &short) {
		return err
	}
	return nil
}

// scaleByTraining fits the scaling to the rows of training alone.
func (p *Problem) scaleByTraining(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
	scaler, err := p.fitScaler(train)
	if err != nil {
		return nil, nil, err
	}
	if p.o.Settings.Shards > 0 { // as rows are scaled that stay in their file
		train, test = train.WithValues(sparse.ValuesFloat64), test.WithValues(sparse.ValuesFloat64)
	}
	if train, err = scaler.Apply(train); err != nil {
		return nil, nil, err
	}
	test, err = scaler.Apply(test)
	return train, test, err
}

// missed counts the fits that ended above their tolerance.
func (f *Fitted) missed(fits []*solvers.Result) {
	for _, fit := range slices.DeleteFunc(slices.Clone(fits), func(r *solvers.Result) bool { return r == nil }) {
		if f.Made++; fit.Missed(&f.Used) {
			f.Unsolved++
			if f.Worst != solvers.NoMinimum && (f.Worst != solvers.Stalled || fit.Status == solvers.NoMinimum) {
				f.Worst = fit.Status
			}
		}
	}
}
