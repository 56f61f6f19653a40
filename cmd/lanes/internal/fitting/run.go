package fitting

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

// Trained is a run with all that is reported of it.
type Trained struct {
	*lanes.Fitted
	*solvers.Result
	Problem *Prepared
	Points  []solvers.Point

	Related     *RelatedReport // nil for a single fit
	Traces      []FitTrace     // of several fits
	TraceColumn string
}

// Solve trains as the flags say.
func Solve(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, run *RunFlags) (*Trained, error) {
	search := f.Search(p.Options())
	var fitted *lanes.Fitted
	var err error
	switch {
	case f.For != "":
		fitted, err = p.For(ctx, f.For, f.Folds)
	case f.Folds > 0:
		fitted, err = p.CrossValidate(ctx, search)
	case f.Path:
		fitted, err = p.Path(ctx, search)
	default:
		fitted, err = p.Train(ctx)
	}
	s := p.Settings()
	switch {
	case fitted != nil && fitted.Result == nil:
		return nil, errors.Join(withoutCancel(err), unchosen(fitted.Tried, p.X.Rows(), s.Checkpoint))
	case fitted == nil && errors.Is(err, lanes.ErrNotBegun):
		return nil, notBegun(ctx, s, f.Folds > 0)
	case fitted == nil:
		return nil, f.said(err, p, run)
	}
	return report(a, f, p, run, fitted), withoutCancel(err)
}

// withoutCancel leaves out of an error that the run was cancelled, which its status says.
func withoutCancel(err error) error {
	several, is := err.(interface{ Unwrap() []error })
	switch {
	case is:
		var rest []error
		for _, e := range several.Unwrap() {
			rest = append(rest, withoutCancel(e))
		}
		return errors.Join(rest...)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	}
	return err
}

// SolveBy trains by a solver of a comparison, with the seed of the settings.
func SolveBy(ctx context.Context, f *ProblemFlags, p *Prepared, m solvers.Ready, s solvers.Settings) (*Trained, error) {
	s.Warn, s.Workers = p.Settings().Warn, p.Settings().Workers
	if !m.Accepts.Has(solvers.Batch) {
		s.BatchSize = 0 // of the other solvers
	}
	fitted, err := p.Run(ctx, m, s)
	switch {
	case fitted == nil && errors.Is(err, lanes.ErrNotBegun):
		return nil, notBegun(ctx, s, false)
	case fitted == nil:
		return nil, f.said(err, p, &RunFlags{})
	}
	return &Trained{Fitted: fitted, Result: fitted.Result, Problem: p, Points: p.watch.points(0)}, withoutCancel(err)
}

// ValidationMetrics are the measures of other rows in a comparison: the mean loss, unless scores are
// trained for their order alone, and the metric of the options.
func (p *Prepared) ValidationMetrics(objective solvers.Objective) (list []*model.Validation) {
	v, is := p.Settings().Validation.(*model.Validation)
	if !is {
		return nil
	}
	if !objective.IsRanking() && v.Metric.Name != "loss" {
		list = append(list, &model.Validation{Model: v.Model, Y: v.Y, Weight: v.Weight, Offset: v.Offset, Pool: v.Pool, Metric: p.MeanLoss()})
	}
	return append(list, v)
}

// report makes the report of what was fitted.
func report(a *console.App, f *ProblemFlags, p *Prepared, run *RunFlags, fitted *lanes.Fitted) *Trained {
	posed := &Prepared{fitted.Problem, p.Data, p.Valid, p.watch}
	r := &Trained{Fitted: fitted, Result: fitted.Result, Problem: posed}
	several := len(fitted.Fits) > 0
	if !several {
		r.Points = p.watch.points(0)
	}
	switch {
	case fitted.Tried != nil:
		r.wanted(a)
	case several && f.Path && f.Folds == 0:
		r.alongPath(a, f, run)
	case several:
		r.TraceColumn, r.Related = "class", &RelatedReport{}
		for _, fit := range fitted.Fits {
			one := posed.report(fit.Result)
			one.Label, one.Rows, one.F1 = &fit.Label, fit.Rows, console.Finite(fit.F1)
			r.Related.Classes = append(r.Related.Classes, one)
			r.Traces = append(r.Traces, FitTrace{p.Data.Word(fit.Label), p.watch.points(fit.Number)})
		}
		if fitted.NotBegun > 0 {
			a.Note("%d of %d classes were not begun: their weights are 0", fitted.NotBegun, len(fitted.Fits))
		}
	}
	if fitted.Folds != nil {
		r.folded(a, f)
	}
	if r.Related != nil {
		r.Related.Unsolved = fitted.Unsolved
	}
	return r
}

// alongPath reports the points of a path.
func (r *Trained) alongPath(a *console.App, f *ProblemFlags, run *RunFlags) {
	p := r.Problem
	r.Related, r.TraceColumn = &RelatedReport{}, "lambda"
	validation := r.Used.Validation
	var weights []float64
	for _, fit := range r.Fits {
		weights = append(weights, fit.Weight)
		one := p.report(fit.Result)
		one.Lambda = &fit.Weight
		if f.sparse {
			count := p.NonZeros(fit.Result.Weights)
			one.NonZeros = &count
		}
		points := p.watch.points(fit.Number)
		if validation != nil {
			one.Metric = console.Finite(fit.Result.Metric)
			if len(points) > 0 {
				points[len(points)-1].Metric = fit.Result.Metric
			}
		}
		r.Related.Path = append(r.Related.Path, one)
		r.Traces = append(r.Traces, FitTrace{number(fit.Weight), points})
	}
	if r.NotBegun > 0 {
		further := "with --checkpoint, --resume makes them"
		if r.Used.Checkpoint != "" {
			further = "--resume makes them"
		}
		a.Note("%d of %d points of the path were not begun: %s", r.NotBegun, r.NotBegun+len(r.Fits), further)
	}
	if f.sparse && (run.Plot != "" || run.Page != "") {
		r.Related.Profiles, r.Related.MoreProfiles = p.profiles(r.Fits, f.Data.Zero)
	}
	if validation != nil {
		r.Related.Metric = "valid_" + validation.Name()
		r.Related.AtEdge = &r.AtEdge
		warnOfEdge(a, r.AtEdge, r.Best, weights, f.lambdas != "")
	}
}

// folded reports a cross-validation.
func (r *Trained) folded(a *console.App, f *ProblemFlags) {
	found := r.Folds
	if r.Related == nil {
		r.Related = &RelatedReport{}
	}
	if r.Traces == nil {
		r.TraceColumn, r.Traces = "lambda", []FitTrace{{number(found.Chosen), r.Points}}
	}
	r.Related.Metric = found.Metric.Name
	one := &FoldsReport{
		Folds: found.Folds, Metric: found.Metric.Name, HigherIsBetter: higher(found.Metric),
		BestLambda: found.Lambdas[found.Best], OneErrorLambda: found.Lambdas[found.OneError], Chosen: found.Chosen,
	}
	for k, weight := range found.Lambdas {
		point := FoldsPoint{Lambda: weight, Mean: console.Finite(found.Mean[k]), Error: console.Finite(found.Error[k]), Values: found.Values[k]}
		if f.sparse || f.l1 > 0 {
			point.NonZeros = console.Finite(found.NonZeros[k])
		}
		one.Points = append(one.Points, point)
	}
	if f.Path {
		r.Related.AtEdge = &r.AtEdge
		warnOfEdge(a, r.AtEdge, found.Best, found.Lambdas, f.lambdas != "")
	}
	r.Related.CrossValidation = one
}

// warnOfEdge tells the user that the best of a path may lie beyond it.
func warnOfEdge(a *console.App, edge bool, best int, weights []float64, given bool) {
	if !edge {
		return
	}
	side, lies := "least", "below"
	if best == 0 {
		side, lies = "largest", "above"
	}
	advice := "give a wider range by --lambdas HIGH:LOW"
	if given {
		advice = "widen --lambdas"
	}
	a.Note("the best lambda, %.4g, is the %s of the path: a better one may lie %s it; %s", weights[best], side, lies, advice)
}

// unchosen tells how far a search was that was broken off.
func unchosen(c *related.Chosen, rows int, checkpoint string) error {
	saved := "there is no model to write, " + goesOn(checkpoint)
	if c.Best < 0 {
		return fmt.Errorf("interrupted before anything was measured on all folds; %s", saved)
	}
	t := &c.Tried[c.Best]
	return fmt.Errorf("interrupted after %d candidates; the best so far is %v with C = %.4g, %s %.6g (standard error %.2g); %s",
		len(c.Tried), t, 1/(t.Lambda*float64(rows)), c.Metric.Name, t.Mean, t.Error, saved)
}
