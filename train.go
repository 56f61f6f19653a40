package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Train fits a model to data: two classes, several, or targets, by their labels and the
// options. The result tells how the run went: read its Status and its Gap.
//
// If ctx is cancelled, or its deadline passes, Train returns the best model so far beside the
// error of ctx. It returns nil if there was no point yet (ErrNotBegun). Settings.MaxTime ends a
// run without an error. An impossible option is an *OptionError, data that cannot be trained on
// are a *DataError.
func Train(ctx context.Context, data *sparse.Data, o Options) (*Fitted, error) {
	p, err := Pose(data, o)
	if err != nil {
		return nil, err
	}
	return p.Train(ctx)
}

// Train fits a model to the problem; see the function Train.
func (p *Problem) Train(ctx context.Context) (*Fitted, error) {
	start := time.Now()
	if err := p.begins(ctx); err != nil {
		return nil, err
	}
	if p.path {
		return nil, errPosedForPath
	}
	var f *Fitted
	var err error
	switch {
	case p.several != nil && p.several.whole:
		f, err = p.softmax(ctx, p.settings)
	case p.several != nil:
		f, err = p.trainClasses(ctx)
	default:
		f, err = p.single(ctx, "", p.settings)
	}
	return p.finish(ctx, f, start, err)
}

// begins refuses problems that nobody posed, and runs that are over before they begin.
func (p *Problem) begins(ctx context.Context) error {
	switch {
	case p.called == nil:
		return errNotPosed
	case ctx == nil:
		return errors.New("lanes: the context is nil: give context.Background()")
	case ctx.Err() != nil:
		return p.noPoint(ctx, nil)
	}
	return nil
}

// finish makes the model of what was fitted, and says where a run was cancelled.
func (p *Problem) finish(ctx context.Context, f *Fitted, start time.Time, err error) (*Fitted, error) {
	if f == nil || f.Result == nil {
		return nil, p.lacking(p.noPoint(ctx, err))
	}
	f.Problem, f.Seconds = p, time.Since(start).Seconds()
	f.Notes = notes.Merge(p.data.Notes, f.Notes)
	if n := len(p.data.Query); n > 0 && p.data.Encoding == nil && f.Folds == nil && f.Tried == nil {
		f.Notes = append(f.Notes, notes.Note{Kind: notes.NoQuery, Count: int64(n), Then: "the training does not use it; only folds do, which keep the rows of a qid together"})
	}
	if p.Loss != nil && !loss.IsConvex(p.Loss) {
		f.Notes = append(f.Notes, notes.Note{Kind: notes.Nonconvex, Then: fmt.Sprintf("the %v loss is not convex: the run looks for a stationary point, which may not be the minimum", p.Loss)})
	}
	if f.Result.Status == solvers.Cancelled && ctx.Err() == nil && len(f.Fits) > 0 {
		f.Result.Status = solvers.TimeReached // of several fits
	}
	if f.Result.Status == solvers.Cancelled {
		err = errors.Join(err, ctx.Err())
	}
	m, wrong := p.modelOf(f.Result)
	if wrong != nil {
		return f, errors.Join(err, wrong)
	}
	f.Model = m
	if p.o.Calibrate != "" && f.Result.Status != solvers.Cancelled && ctx.Err() == nil {
		err = errors.Join(err, f.calibrate(ctx))
	}
	if p.o.Inference != nil && f.Result.Status.Solved() {
		f.Inference, wrong = p.infer(ctx, f.Result.Weights)
	}
	return f, errors.Join(err, wrong, p.measureHeldOut(ctx, f))
}

// noPoint is the error of a run that has nothing to return.
func (p *Problem) noPoint(ctx context.Context, err error) error {
	switch {
	case err != nil && !errors.Is(err, ErrNotBegun):
		return err
	case ctx.Err() != nil:
		return errors.Join(ErrNotBegun, ctx.Err())
	}
	return errors.Join(ErrNotBegun, context.DeadlineExceeded) // of Settings.MaxTime
}

// Run fits a model by the given solver and settings, in place of the solver and settings of the
// options: for comparisons. It takes two classes or targets.
func (p *Problem) Run(ctx context.Context, solver solvers.Ready, s solvers.Settings) (*Fitted, error) {
	if err := p.begins(ctx); err != nil {
		return nil, err
	}
	switch {
	case p.path:
		return nil, errPosedForPath
	case solver.Solve == nil:
		return nil, badOption("Solver", solver.Name, "it has no Solve; solvers/registry makes solvers")
	case p.several != nil || p.stream != nil:
		return nil, badOption("Solver", solver.Name, "comparisons are for two classes and targets")
	}
	own := *p
	own.method = solver
	if err := own.checkMemory(&Search{}); err != nil {
		return nil, err
	}
	start := time.Now()
	f, err := own.single(ctx, "", s)
	return own.finish(ctx, f, start, err)
}

// minimise runs the solver on a problem that a path or folds may have chosen.
func (p *Problem) minimise(ctx context.Context, m solvers.Ready, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	t := &solvers.Task{Problem: *q, Rows: p.stream, Low: p.rates[0], High: p.rates[1], MinTPR: p.minTPR}
	if p.network != nil {
		var err error
		if t.Model, err = p.over(p.X); err != nil {
			return nil, err
		}
	}
	if p.ranks != nil {
		t.M, t.N = p.ranks(len(q.Y))
	}
	r, err := m.Solve(ctx, t, s)
	if r == nil || err != nil || p.ranking() {
		return r, err
	}
	b, bounded := t.Penalty.(*penalty.Bounded)
	bounded = bounded && b.L1 == 0 && b.L2 == 0
	lambda, alone := penalty.Alone(t.Penalty)
	switch {
	case !bounded && (lambda > 0 || !alone):
		return r, nil
	case p.stream != nil || s.Ranks != nil:
		p.sayUnchecked(q, s, r)
		return r, nil
	case bounded:
		return p.receding(ctx, m, q, s, r)
	}
	return p.unpenalised(ctx, m, q, s, r)
}

// single makes one fit of all rows, as a stage that is called what; "" calls it by its solver.
func (p *Problem) single(ctx context.Context, what string, s solvers.Settings) (*Fitted, error) {
	m := p.method
	if m.Name == Auto {
		var err error
		if m, err = findSolver(p.standsFor(s), nil); err != nil {
			return nil, err
		}
	}
	taking := struct { // in one allocation
		Problem
		found notes.List
	}{Problem: *p}
	own := &taking.Problem
	own.found = &taking.found
	f, err := p.alone(ctx, cmp.Or(what, m.Name), m, s, func(s solvers.Settings) (*solvers.Result, error) {
		return own.minimise(ctx, m, &p.Problem, s)
	})
	if f != nil {
		f.Notes = own.found.All()
	}
	return f, err
}

// alone makes a fit that is a stage by itself, and measures it.
func (p *Problem) alone(ctx context.Context, what string, m solvers.Ready, s solvers.Settings, solve func(solvers.Settings) (*solvers.Result, error)) (*Fitted, error) {
	stage := Stage{What: what, Alone: true, Fits: 1, Group: 1, Limits: s}
	if p.stream != nil {
		stage.Rows = p.stream.Stream.Rows()
	}
	end := p.stage(stage)
	defer end()
	if w := p.o.Watch; w != nil {
		s.Recorder = w.Fit(0)
	}
	result, err := solve(s)
	end()
	if result == nil {
		return nil, err
	}
	f := &Fitted{Result: result, Used: s, Method: m, Metrics: map[string]float64{}}
	if s.Validation != nil && result.Metric-result.Metric == 0 {
		f.Metrics["valid_"+s.Validation.Name()] = result.Metric
	}
	return f, errors.Join(err, p.measure(ctx, f))
}

// measure adds the metrics of the training rows to a fit.
func (p *Problem) measure(ctx context.Context, f *Fitted) (err error) {
	result, weight := f.Result, p.rowWeights
	if p.stream != nil {
		return p.measureStreamed(ctx, f)
	}
	pool := sparse.NewPool(p.settings.Workers)
	defer pool.Close()
	if p.several != nil {
		if predicted, wrong := p.classesOfRows(pool, result.Weights); wrong == nil {
			f.Metrics["train_accuracy"] = p.several.share(predicted, weight)
		}
		return nil
	}
	scores := direct.Borrow(p.X.Rows()) // the run's vectors are free again
	defer direct.Return(scores)
	if scorer, wrong := p.over(p.X); wrong != nil || scorer.All(pool, scores, result.Weights) != nil {
		return nil
	}
	for i, o := range p.Offset {
		scores[i] += o
	}
	if p.regression {
		if m, err := p.targetMetric("mse"); err == nil {
			f.Metrics["train_"+m.Name], _ = m.Compute(scores, p.Y, weight)
		}
		return nil
	}
	if accuracy, wrong := metrics.Accuracy(scores, p.Y, weight); wrong == nil {
		f.Metrics["train_accuracy"] = accuracy
	}
	if !result.Minimised.IsRanking() {
		return nil
	}
	r, err := metrics.Rank(scores, p.Y, weight)
	if err != nil {
		return err
	}
	add := func(name string, value float64, wrong error) {
		if f.Metrics[name] = value; wrong != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, wrong))
		}
	}
	value, wrong := r.AveragePrecision()
	add("train_ap", value, wrong)
	value, wrong = r.AUROC()
	add("train_auc", value, wrong)
	if p.rates[1] > 0 {
		_, value, wrong = r.PartialAUC(p.rates[0], p.rates[1], p.minTPR)
		add("train_pauc", value, wrong)
	}
	return err
}
