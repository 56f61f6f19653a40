package related

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Wanted says what a model is for, and how Choose finds out how to train it. Searches may share
// it.
type Wanted struct {
	// For is the metric to optimise: ap, auc, pauc:LO,HI, pauc:LO,HI,TPR or logloss, or another
	// name of these that metrics.Name understands. pauc:LO,HI is the area under the ROC curve
	// between two false-positive rates; with TPR, only above this true-positive rate.
	For string
	// Folds is the number of parts of the rows, each scored by fits on the others; 0 means
	// 5. Seed deals the rows.
	Folds int
	Seed  uint64
	// Group has the number of each row's group, nil for none: see Validation.
	Group []int64
	// Prepare is Validation.Prepare. All rows are prepared by Prepare(x, x).
	Prepare func(train, test *sparse.Matrix) (trainOut, testOut *sparse.Matrix, err error)
	// Epochs is the budget of the search: passes over the rows of a fold, summed over all fits; 0
	// means no limit. The stage that is running when the budget is spent is finished, at least one
	// path of logistic fits.
	Epochs float64
	// Watch, where set, is called after every fit with the progress. Calls do not overlap.
	Watch func(Progress)
}

// Progress is how far a search is. It is safe for concurrent reading.
type Progress struct {
	// Fits is the number of finished fits, Expected the expected total: later candidates depend on
	// earlier results.
	Fits, Expected int
	// Trying is what is tried.
	Trying string
	// Best is the best candidate so far, by its mean, nil before there is any.
	Best *Trial
}

// Trial is what came of a candidate. It is safe for concurrent reading.
type Trial struct {
	Candidate
	// Values holds the metric by fold. Mean is their mean, Error its standard error.
	Values      []float64
	Mean, Error float64
	// Epochs and Seconds are the cost of its fits on all folds.
	Epochs, Seconds float64
}

// Chosen is what a search found. It is safe for concurrent reading.
type Chosen struct {
	// Metric is the one that was wanted.
	Metric metrics.Metric
	// Tried lists the candidates in the order in which they were tried, those alone that
	// were measured on all folds.
	Tried []Trial
	// Best is the index of the chosen candidate, Logistic the index of the logistic fit of the best
	// mean; -1 if nothing was measured.
	Best, Logistic int
	// Status is Converged where the search came to its end, BudgetReached, TimeReached or
	// Cancelled elsewhere.
	Status solvers.Status
	// Missed counts the logistic fits of the search that ended without meeting a tolerance
	// (Result.Missed), of Fits. Solvers that rank have none.
	Missed, Fits int
	// Result is the chosen candidate's fit of all rows, nil where the search was cancelled.
	// Result.Total has its own costs.
	Result *solvers.Result
}

// Epochs is what the search took.
func (c *Chosen) Epochs() float64 {
	sum := 0.0
	for k := range c.Tried {
		sum += c.Tried[k].Epochs
	}
	return sum
}

// Gain tells by how much a candidate is better than another one: the mean of the
// differences on the same folds, positive for better, and its standard error; NaN where one
// of the numbers is of none.
func (c *Chosen) Gain(of, than int) (mean, wrong float64) {
	if min(of, than) < 0 || max(of, than) >= len(c.Tried) || len(c.Tried[of].Values) != len(c.Tried[than].Values) {
		return math.NaN(), math.NaN()
	}
	differences := make([]float64, len(c.Tried[of].Values))
	for f, v := range c.Tried[of].Values {
		differences[f] = v - c.Tried[than].Values[f]
		if c.Metric.Direction == metrics.LowerIsBetter {
			differences[f] = -differences[f]
		}
	}
	return moments(differences)
}

// searchShare is the share of the time for the search; the fit of all rows has the rest.
const searchShare = 0.75

// Choose searches for the best way to train a model of two classes for a metric, by
// cross-validation on stratified folds. It trains that model on all rows. p has the rows; its
// Lambda, Loss and Delta are not used. Sample weights count in the metric and in logistic fits.
// Ranking solvers take no weights and no offsets: they are tried if all weights are equal and all
// offsets 0.
//
// What it tries, the cheapest first:
//
//   - logistic fits for lambdas that fall by a factor of ten, down to 1/n and further while the
//     metric improves. Two lambdas around the best one follow.
//   - the same with balanced class weights; more lambdas only if their first fits are within two
//     standard errors of the best;
//   - ranking solvers, each from the best of these fits, if the metric is a ranking metric. All rows
//     must have the same weight and no offset. They are adap and mb-pauc for the average precision;
//     auc-m and mb-pauc for the area under the ROC curve; mb-pauc, agd-sbcd and adap for a part of
//     it. If the best of them is better than the fit, its other steps, lengths and ranges of
//     false-positive rates follow.
//
// The simplest candidate within one standard error of the best wins: its mean is worse than the best
// mean by at most the standard error of the best. Plain logistic fits are simpler than fits with
// class weights, and these than solvers that rank. Within each of these three kinds a larger lambda
// is simpler, then the earlier candidate.
//
// Every fit uses settings, without Initial, Validation and Recorder. Workers and MaxTime are for
// all fits together, and the search has three quarters of the time. Checkpoint keeps finished
// fits of the search, and Resume continues from it to the same bits. A gap of 1e-6 ends logistic
// fits if settings have no tolerance.
//
// The result is the same bits for any number of workers unless MaxTime ends the search. It
// is an error if the time ended before the first candidate was measured on all folds. A
// cancelled context returns what was found so far, without a fit of all rows.
//
// It takes the memory of the rows once more for each worker.
func Choose(ctx context.Context, p *erm.Problem, w Wanted, settings solvers.Settings) (*Chosen, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	s, err := newSearch(ctx, p, w, settings)
	if err != nil {
		return nil, err
	}
	defer s.keep.file.Close()
	err = s.search()
	switch {
	case err != nil:
		return nil, errors.Join(err, s.keep.end(false))
	case s.Status == solvers.Cancelled:
		return s.Chosen, s.keep.end(false)
	case s.Best < 0 && s.Status == solvers.TimeReached:
		err = fmt.Errorf("related: %w: no way to train was measured on all %d folds", ErrNoTime, s.v.Folds)
		return nil, errors.Join(err, s.keep.end(false))
	case s.Best < 0:
		return nil, fmt.Errorf("related: %s is not a number on some fold, whatever was tried", w.For)
	}
	own := s.settings
	if own.MaxTime > 0 {
		own.MaxTime = max(own.MaxTime-time.Since(s.begun), 1)
	}
	own.Recorder = settings.Recorder
	s.Result, err = s.Tried[s.Best].Solve(checkpoint.InSubrun(s.ctx, mostStages), s.whole, own)
	return s.Chosen, errors.Join(err, s.keep.end(s.Status == solvers.Converged && !unfinished(s.Result)))
}

// ErrNoTime is why nothing was chosen.
var ErrNoTime = errors.New("the time ended too early")

// search is a search under way.
type search struct {
	*Chosen
	ctx      context.Context
	p, whole *erm.Problem // as given, and prepared
	w        Wanted
	v        Validation
	fold     []uint32
	settings solvers.Settings
	begun    time.Time
	limit    budget
	keep     *keeper
	stages   []*stage
	saved    []*stage // that were restored

	mu    sync.Mutex
	told  Progress
	ahead int // expected number of fits after the present stage
}

func newSearch(ctx context.Context, p *erm.Problem, w Wanted, settings solvers.Settings) (*search, error) {
	s := &search{
		Chosen: &Chosen{Best: -1, Logistic: -1, Status: solvers.Converged},
		ctx:    ctx, w: w, settings: settings, begun: time.Now(),
	}
	var err error
	if s.Metric, err = MetricFor(w.For); err != nil {
		return nil, err
	}
	if w.Epochs < 0 || w.Epochs != w.Epochs {
		return nil, fmt.Errorf("related: a budget of %v passes; it must be above 0, or 0 for none", w.Epochs)
	}
	s.limit = budget{s.begun, time.Duration(searchShare * float64(settings.MaxTime))}
	s.settings.Initial, s.settings.Validation, s.settings.Recorder = nil, nil, nil
	if s.settings.GapTolerance == 0 && s.settings.GradientTolerance == 0 {
		s.settings.GapTolerance = 1e-6
	}
	if p == nil {
		return nil, errors.New("related: there is no problem")
	}
	logistic := *p
	logistic.Loss, logistic.Penalty = loss.Logistic{}, penalty.Ridge{Lambda: 0}
	s.p = &logistic
	s.v = Validation{Folds: w.Folds, Seed: w.Seed, Group: w.Group, Metric: s.Metric, Prepare: w.Prepare}
	s.v.Folds = cmp.Or(s.v.Folds, 5)
	if s.fold, err = s.v.deal(ctx, s.p, &Run{}); err != nil {
		return nil, err
	}
	if !slices.Contains(p.Y, 1) || !slices.Contains(p.Y, -1) {
		return nil, fmt.Errorf("related: all %d rows are of one class", len(p.Y))
	}
	run := s.run(Candidate{Solver: Logistic})
	if err := run.check(s.p); err != nil {
		return nil, err
	}
	whole := logistic
	s.whole = &whole
	if w.Prepare != nil {
		if whole.X, _, err = w.Prepare(p.X, p.X); err != nil {
			return nil, err
		}
	}
	what := checkpoint.Identity{}.With("kind", "search").With("wanted", s.Metric.Name).With("folds", s.v.Folds).With("seed of the folds", w.Seed).
		With("prepared", w.Prepare != nil)
	what = s.v.ofGroups(what, s.fold)
	s.keep, s.ctx, err = newKeeper(ctx, &run, what, s.p, s.state)
	s.settings.Checkpoint, s.settings.Resume = "", "" // the candidates' fits have none of their own
	return s, err
}

// MetricFor returns the metric of Wanted.For.
func MetricFor(name string) (m metrics.Metric, err error) {
	if m, err = metrics.Find(name); err != nil && strings.HasPrefix(name, "pauc") {
		return m, fmt.Errorf("related: %w", err)
	}
	if err != nil || m.Name == "accuracy" {
		near := nearest.Suggest(name, "", []string{"ap", "auc", "logloss", "average_precision", "auroc", "roc_auc", "log_loss"})
		return m, fmt.Errorf("related: cannot choose a model by %q: want ap, auc, pauc:LO,HI, pauc:LO,HI,TPR or logloss%s", name, near)
	}
	return m, nil
}

// run makes the fits of a candidate, for lambdas of its own.
func (s *search) run(c Candidate) Run {
	return Run{Settings: s.settings, Name: "search", Solve: func(ctx context.Context, p *erm.Problem, own solvers.Settings) (*solvers.Result, error) {
		one := c
		one.Lambda = p.Ridge()
		r, err := one.Solve(ctx, p, own)
		if err == nil && !unfinished(r) {
			s.tell()
		}
		return r, err
	}}
}

func (s *search) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told.Fits++
	s.told.Expected = max(s.told.Expected, s.told.Fits+s.ahead)
	if s.w.Watch != nil {
		s.w.Watch(s.told)
	}
}
