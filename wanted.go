package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// Metrics that For takes, beside pauc:LOW,HIGH and pauc:LOW,HIGH,TPR.
const (
	AveragePrecision = "ap"
	AUROC            = "auc"
	LogLoss          = "logloss"
)

// For searches for the best way to train two classes for a metric, by cross-validation. It tries
// logistic fits for falling penalties, plain and with class weights. If all rows have the same
// weight and none an offset, it then tries solvers that rank, each from the best fit. It trains all rows by the
// simplest candidate within one standard error of the best: see related.Choose.
// Fitted.Tried lists what was tried.
//
// Folds keep the groups of Data.Query together, as in CrossValidate; folds is 2 at least, or 0
// for 5. These fields of o count: Positive, Normalize, Intercept (penalised unless NoIntercept)
// RowWeights (or Data.Weight) and RowOffsets (or Data.Offset); of o.Settings Seed, Workers, MaxTime and MaxEpochs (both of
// the whole search), Checkpoint and Resume. A field that the search decides is an *OptionError.
// If ctx is cancelled, For returns the error of ctx, and Fitted lists what was tried, without a
// model. If MaxTime or MaxEpochs ends the search, For chooses among the candidates so far.
func For(ctx context.Context, data *sparse.Data, metric string, folds int, o Options) (*Fitted, error) {
	p, err := PoseFor(data, metric, folds, o)
	if err != nil {
		return nil, err
	}
	return p.For(ctx, metric, folds)
}

// PoseFor is Pose for a problem that For is to solve.
func PoseFor(data *sparse.Data, metric string, folds int, o Options) (*Problem, error) {
	if _, err := related.MetricFor(metric); err != nil {
		return nil, badOption("metric", metric, "%v", plain(err))
	}
	if err := suitsSearch(&o); err != nil {
		return nil, err
	}
	if o.Intercept == UsualIntercept {
		o.Intercept = PenalisedIntercept
	}
	o.Kind = TwoClasses
	s := &Search{Folds: cmp.Or(folds, 5), One: true, searches: true}
	p, err := pose(data, o, s)
	if s.monotone != "" {
		return nil, badOption("Monotone", s.monotone, "a search tries solvers without bounds of weights: leave {Monotone} out")
	}
	return p, err
}

// suitsSearch refuses options that For decides by itself.
func suitsSearch(o *Options) error {
	const reason = "a search decides it by itself: leave it out"
	switch {
	case o.Kind > TwoClasses:
		return badOption("Kind", o.Kind, "a search is for two classes")
	case o.Loss != nil:
		return badOption("Loss", o.Loss, reason)
	case o.Penalty.given():
		return badOption("Penalty", o.Penalty, reason)
	case len(o.PenaltyFactors) > 0:
		return badOption("PenaltyFactors", o.factorText(), "a search tries solvers without factors of columns: leave it out")
	case len(o.Bounds) > 0:
		return badOption("Bounds", o.boundText(), "a search tries solvers without bounds of weights: leave it out")
	case o.Intercept == FreeIntercept:
		return badOption("Intercept", o.Intercept, "a search has a penalised one, or none")
	case o.ClassWeight != ClassWeight{}:
		return badOption("ClassWeight", o.ClassWeight, reason)
	case o.Solver != "" && o.Solver != Auto:
		return badOption("Solver", o.Solver, reason)
	case o.Metric != "":
		return badOption("Metric", o.Metric, "the search judges by its own metric: leave it out")
	case o.validates():
		return badOption("Validation", "rows", "a search measures on folds: leave it out")
	case o.Initial != nil || o.Settings.Initial != nil:
		return badOption("Initial", "a model", reason)
	}
	return nil
}

// For searches on a problem that PoseFor made; see the function For.
func (p *Problem) For(ctx context.Context, metric string, folds int) (*Fitted, error) {
	start := time.Now()
	if err := p.begins(ctx); err != nil {
		return nil, err
	}
	if p.several != nil || p.stream != nil || p.regression || p.ranking() {
		return nil, badOption("Kind", p.o.Kind, "For is for two classes in memory")
	}
	if p.path {
		return nil, errPosedForPath
	}
	if folds == 0 {
		folds = 5
	}
	s := p.settings
	s.MaxEpochs, s.GapTolerance, s.GradientTolerance = targetPasses, p.tolerances.gap, 0
	w := related.Wanted{For: metric, Folds: folds, Seed: s.Seed, Group: p.data.Query, Epochs: p.o.Settings.MaxEpochs}
	if math.IsInf(w.Epochs, 1) {
		w.Epochs = 0
	}
	raw := p.Problem
	if p.scaler != nil {
		raw.X, w.Prepare = p.data.X.WithBias(p.X.Bias()), p.scaleByTraining
	}
	end := p.stage(Stage{What: "candidates", Limits: s, Rows: p.X.Rows()})
	defer end()
	if watch := p.o.Watch; watch != nil {
		w.Watch = watch.Trying
		s.Recorder = watch.Fit(0)
	}
	c, err := related.Choose(ctx, &raw, w, s)
	end()
	if c == nil {
		return nil, err
	}
	f := &Fitted{Tried: c, Used: s, Problem: p, Best: c.Best, Metrics: map[string]float64{}, Seconds: time.Since(start).Seconds()}
	if c.Result == nil {
		return f, errors.Join(err, ctx.Err())
	}
	best := &c.Tried[c.Best]
	result := *c.Result
	result.Total.Epochs += c.Epochs()
	if c.Status == solvers.TimeReached && result.Status != solvers.Cancelled {
		result.Status = solvers.TimeReached
	}
	f.Result, f.Method = &result, solvers.Ready{Description: Solver(best.Solver), Text: best.String()}
	own := *p
	own.Penalty, own.rates, own.minTPR = penalty.Ridge{Lambda: best.Lambda}, [2]float64{best.Low, best.High}, best.MinTPR
	err = errors.Join(err, own.measure(ctx, f))
	pool := sparse.NewPool(s.Workers)
	defer pool.Close()
	scores := make([]float64, len(p.Y))
	if p.X.MulVec(pool, scores, result.Weights) == nil {
		for i, o := range p.Offset {
			scores[i] += o
		}
		if v, wrong := c.Metric.Compute(scores, p.Y, p.rowWeights); wrong == nil {
			f.Metrics["train_"+c.Metric.Name] = v
			if strings.HasPrefix(c.Metric.Name, "pauc:") {
				delete(f.Metrics, "train_pauc") // the same area, without the rates in its name
			}
		}
	}
	f.Metrics["cv_"+c.Metric.Name] = best.Mean
	f.Metrics["cv_"+c.Metric.Name+"_standard_error"] = best.Error
	if best.Solver == related.Logistic {
		f.missed([]*solvers.Result{f.Result})
	}
	f.Unsolved, f.Made, f.What = f.Unsolved+c.Missed, f.Made+c.Fits, "logistic fits of the search"
	f.noteChosen(c)
	return own.finish(ctx, f, start, err)
}

// noteChosen says what a search gave up for a simpler model: the candidate of the best mean.
func (f *Fitted) noteChosen(c *related.Chosen) {
	means := make([]float64, len(c.Tried))
	for k, t := range c.Tried {
		means[k] = t.Mean
	}
	best := related.Best(means, c.Metric.Direction)
	if best < 0 || best == c.Best {
		return
	}
	text := func(t *related.Trial) string {
		return fmt.Sprintf("%v, lambda %.3g: %s %.6g", t, t.Lambda, c.Metric.Name, t.Mean)
	}
	f.Notes = append(f.Notes, notes.Note{Kind: notes.Chosen, Then: fmt.Sprintf("the simplest candidate within one standard error (%.2g) of the best is trained (%s); the best is given up (%s)",
		c.Tried[best].Error, text(&c.Tried[c.Best]), text(&c.Tried[best]))})
}
