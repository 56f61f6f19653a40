package fitting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// warnOfEdge tells the user that the best of a path may lie beyond it.
func warnOfEdge(a *console.App, best int, lambdas []float64, given bool) bool {
	if !related.AtEdge(best, len(lambdas)) {
		return false
	}
	side, lies := "least", "below"
	if best == 0 {
		side, lies = "largest", "above"
	}
	advice := "give a wider range by --lambdas HIGH:LOW"
	if given {
		advice = "widen --lambdas"
	}
	a.Note("the best lambda, %.4g, is the %s of the path: a better one may lie %s it; %s", lambdas[best], side, lies, advice)
	return true
}

// solveBy is the function that fits use.
func solveBy(m registry.Ready, whole *Prepared) related.Solve {
	return func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return minimise(ctx, whole.posed(p), m, s)
	}
}

// SolveSeveral makes the fits that the flags ask for. Its result is that of the model
// to be saved, with the costs of all.
func SolveSeveral(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, m registry.Ready, run *RunFlags, settings solvers.Settings) (*Trained, error) {
	start := time.Now()
	if settings.GapTolerance == 0 && settings.GradientTolerance == 0 {
		// Without a target, the first fit would take all the time.
		if settings.GapTolerance = defaultTarget; !p.Regularised() {
			settings.GapTolerance, settings.GradientTolerance = 0, defaultTarget
		}
	}
	if run.passes == 0 {
		settings.MaxPasses = targetPasses // with --time too, so that runs can resume each other
	}
	by := related.Run{Solve: solveBy(m, p), Settings: settings, Name: m.Text}
	if p.Several == nil {
		by.Begin = p.seriesBy(m, nil)
	}
	var r *Trained
	var err error
	if p.Several != nil && (f.Path || f.Folds > 0) {
		if by, err = f.jointly(p, m, by); err != nil {
			return nil, err
		}
	}
	switch {
	case f.Folds > 0:
		r, err = solveFolds(ctx, a, f, p, m, run, by)
	case p.Several != nil && !f.Path:
		r, err = solveClasses(ctx, a, f, p, m, by)
	default:
		r, err = solvePath(ctx, a, f, p, run, by)
	}
	if r == nil {
		return nil, err
	}
	r.Used, r.Seconds = settings, time.Since(start).Seconds()
	r.Related.Unsolved = r.Missed
	if r.Status == solvers.Cancelled && ctx.Err() == nil {
		r.Status = solvers.TimeReached
	}
	return r, err
}

// eachClass is the problem of every class against the rest, and the solver for it.
func (f *ProblemFlags) eachClass(p *Prepared, m registry.Ready) (c *related.Classes, solver string) {
	c = &related.Classes{X: p.X, Class: p.Several.of, Count: len(p.Several.labels), Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda, Intercept: p.Intercept}
	switch {
	case f.ClassWeight == "balanced":
		c.Weight = erm.BalancedWeights
	case f.ClassWeight != "":
		c.Weight = func([]float64) (float64, float64, error) { return f.weights[1], f.weights[0], nil }
	}
	if solver = m.Name; solver == AutoName {
		solver = auto.Choose(&p.Problem)
	}
	if solver == (sdca.Hybrid{}).Name() {
		c.Finish = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			return erm.Solve(ctx, p, erm.Newton{}, s)
		}
	}
	c.Together = solver == sdca.Prox{}.Name() || solver == sdca.Hybrid{}.Name()
	return c, solver
}

func solveClasses(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, m registry.Ready, by related.Run) (*Trained, error) {
	several := p.Several
	c, name := f.eachClass(p, m)
	watch := watchFits(a, "classes", c.Count, 1, by.Settings)
	defer watch.Stop()
	by.Watch, by.Solve = watch.of, watch.counted(by.Solve)
	if c.Finish != nil {
		c.Finish = watch.counted(c.Finish)
	}
	fits, err := related.OneVsRest(ctx, c, by)
	if fits == nil {
		return nil, refused(err)
	}
	total := related.Total(fits)
	total.Solver = name
	r := &Trained{Result: &total, Problem: p, Metrics: map[string]float64{}, Related: &RelatedReport{}}
	columns, missing := p.X.Cols(), 0
	for k, fit := range fits {
		if fit == nil {
			fit = &solvers.Result{Weights: make([]float64, columns), Point: solvers.Point{Objective: math.NaN(), GradientNorm: math.NaN(), Gap: math.NaN()}, Status: solvers.Cancelled}
			missing++
		}
		r.Weights = append(r.Weights, fit.Weights...)
		report := p.report(fit)
		report.Label, report.Rows = &several.labels[k], several.counts[k]
		r.Related.Classes = append(r.Related.Classes, report)
		r.Traces = append(r.Traces, FitTrace{p.Data.Word(several.labels[k]), watch.points(k)})
	}
	r.TraceColumn = "class"
	r.missed("classes", fits, by.Settings)
	if missing == len(fits) {
		return nil, cmp.Or(err, notBegun(ctx, by.Settings))
	}
	if missing > 0 {
		a.Note("%d of %d classes were not begun: their weights are 0", missing, len(fits))
	}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	r.Workers = pool.Workers()
	if classes, wrong := classesOfRows(pool, p, r.Weights); wrong == nil {
		r.Metrics["train_accuracy"] = r.Related.measureClasses(several.of, classes)
	}
	return r, err
}

// classesOfRows gives each training row the class of its largest score.
func classesOfRows(pool *sparse.Pool, p *Prepared, w []float64) ([]uint32, error) {
	n, d := p.X.Rows(), p.X.Cols()
	best, scores, predicted := make([]float64, n), make([]float64, n), make([]uint32, n)
	for k := range p.Several.labels {
		if err := p.X.MulVec(pool, scores, w[k*d:(k+1)*d]); err != nil {
			return nil, err
		}
		for i, s := range scores {
			if k == 0 || s > best[i] {
				best[i], predicted[i] = s, uint32(k)
			}
		}
	}
	return predicted, nil
}

// list returns the lambdas of a path, or the one lambda; the first of them are fitted in
// any case, as many as least says (0 for all).
func (f *ProblemFlags) list(p *Prepared) (lambdas []float64, least int, err error) {
	switch {
	case !f.Path && p.path:
		return []float64{p.L1}, 0, nil
	case !f.Path:
		return []float64{p.Lambda}, 0, nil
	case f.high == 0 && !f.sparse && p.Several != nil:
		c, _ := f.eachClass(p, registry.Ready{})
		if lambdas, least, err = related.UsualClassLambdas(c); err != nil {
			err = console.BadData(console.Plain(err))
		}
		return lambdas, least, err
	case f.high == 0 && f.sparse:
		lambdas, err = f.sparseList(p)
		return lambdas, 0, err
	case f.high == 0:
		if lambdas, least, err = related.UsualLambdas(&p.Problem); err != nil {
			err = console.BadData(console.Plain(err))
		}
		return lambdas, least, err
	}
	lambdas, err = related.Lambdas(f.high, f.low, f.points)
	return lambdas, 0, err
}

func solvePath(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, run *RunFlags, by related.Run) (*Trained, error) {
	lambdas, least, err := f.list(p)
	if err != nil {
		return nil, err
	}
	watch := watchFits(a, "lambdas", len(lambdas), len(lambdas), by.Settings)
	watch.least = least
	defer watch.Stop()
	by.Watch, by.Solve, by.Begin, by.Least = watch.of, watch.counted(by.Solve), watch.countedSeries(by.Begin), least
	fits, err := related.Path(ctx, &p.Problem, lambdas, by)
	switch {
	case err != nil && (fits == nil || fits[0] == nil):
		return nil, refused(err)
	case fits[0] == nil:
		return nil, notBegun(ctx, by.Settings)
	}
	total := related.Total(fits)
	places, first := begun(fits)
	if certain := min(cmp.Or(least, len(lambdas)), len(fits)); len(places) < certain {
		further := "with --checkpoint, --resume makes them"
		if by.Settings.Checkpoint != "" {
			further = "--resume makes them"
		}
		a.Note("%d of %d points of the path were not begun: %s", certain-len(places), certain, further)
	}
	fits, lambdas = at(fits, places), at(lambdas, places)
	unfinished := total.Status == solvers.Cancelled || total.Status == solvers.TimeReached
	validation := by.Settings.Validation
	values := make([]float64, len(fits))
	for k, r := range fits {
		switch {
		case validation != nil:
			values[k] = r.Metric
		case k < first:
			values[k] = float64(k)
		default:
			values[k] = math.NaN() // a model is of the last point that all others lead to
		}
	}
	direction := metrics.HigherIsBetter // of the place: the last point
	if validation != nil && !validation.HigherIsBetter() {
		direction = metrics.LowerIsBetter
	}
	best := max(related.Best(values, direction), 0)
	chosen := *fits[best]
	chosen.Total, chosen.Status = total.Total, total.Status
	p.choose(lambdas[best])
	r := &Trained{Result: &chosen, Problem: p, Related: &RelatedReport{}, TraceColumn: "lambda"}
	for k, fit := range fits {
		report := p.report(fit)
		report.Lambda = &lambdas[k]
		points := watch.points(places[k])
		if validation != nil {
			report.Metric = console.Finite(fit.Metric)
			if len(points) > 0 {
				points[len(points)-1].Metric = fit.Metric
			}
		}
		r.Related.Path = append(r.Related.Path, report)
		r.Traces = append(r.Traces, FitTrace{number(lambdas[k]), points})
	}
	if p.path && run.Plot != "" {
		r.Related.Profiles, r.Related.MoreProfiles = p.profiles(fits, f.Data.Zero)
	}
	if validation != nil {
		r.Related.Metric = "valid_" + validation.Name()
		edge := !unfinished && warnOfEdge(a, best, lambdas, f.lambdas != "")
		r.Related.AtEdge = &edge
	}
	r.missed("points of the path", fits, by.Settings)
	measure(ctx, a, r, registry.Ready{})
	if validation != nil {
		r.Metrics[r.Related.Metric] = values[best]
	}
	return r, err
}

// begun returns the places of the fits that are not nil, and how many of them stand before
// the first that is. The parts of a long path run at the same time: one that was broken off
// may lack points in the middle.
func begun(fits []*solvers.Result) (places []int, first int) {
	for k, r := range fits {
		if r != nil {
			places = append(places, k)
			if len(places) == k+1 {
				first = k + 1
			}
		}
	}
	return places, first
}

// at picks those at some places.
func at[T any](list []T, places []int) []T {
	picked := make([]T, len(places))
	for k, place := range places {
		picked[k] = list[place]
	}
	return picked
}

func solveFolds(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, m registry.Ready, run *RunFlags, by related.Run) (*Trained, error) {
	v := related.Validation{Folds: f.Folds, Seed: a.Seed}
	var err error
	if v.Metric, err = f.metricOf(p, run.Metric); err != nil {
		return nil, err
	}
	lambdas, least, err := f.list(p)
	if err != nil {
		return nil, err
	}
	raw := p.Problem
	if p.scaler != nil {
		raw.X, v.Prepare = p.Data.X.WithBias(p.X.Bias()), f.scaleByTraining
	}
	begun := time.Now()
	watch := watchFits(a, fmt.Sprintf("fits of %d folds", f.Folds), f.Folds*len(lambdas), len(lambdas), by.Settings)
	watch.least = f.Folds * least
	folds := by
	folds.Watch, folds.Solve, folds.Begin, folds.Least = watch.of, watch.counted(by.Solve), watch.countedSeries(by.Begin), least
	stop := sync.OnceFunc(watch.Stop)
	defer stop()
	var r *Trained
	var chosen float64
	own, best := by.Settings, -1 // of the fit of all rows
	v.Then = func(ctx context.Context, found *related.Validated) error {
		stop()
		if best = found.Best; f.oneError {
			best = found.OneError
		}
		if best < 0 {
			return fmt.Errorf("the metric %s is not a number at any lambda", v.Metric.Name)
		}
		chosen = found.Lambdas[best]
		p.Lambda = chosen // for the fit; see posed
		own.Checkpoint, own.Resume = "", ""
		if own.MaxTime > 0 {
			own.MaxTime = max(own.MaxTime-time.Since(begun), 1)
		}
		var err error
		r, err = solveChosen(ctx, a, f, p, m, by.Solve, own)
		return err
	}
	found, err := related.CrossValidate(ctx, &raw, lambdas, v, folds)
	stop()
	switch {
	case r != nil:
	case best >= 0 || found != nil && err != nil && !errors.Is(err, solvers.ErrTooLarge):
		return nil, err
	case err != nil:
		return nil, refused(err)
	default:
		return nil, fmt.Errorf("the cross-validation was broken off (%s) before all folds had been measured; there is no model to write, %s", found.Status, goesOn(by.Settings.Checkpoint))
	}
	lambdas = found.Lambdas
	p.choose(chosen)
	r.Total.Passes += found.Passes
	r.Total.GradientEvaluations += found.GradientEvaluations
	if r.Traces == nil {
		r.TraceColumn, r.Traces = "lambda", []FitTrace{{number(chosen), r.Points}}
	}
	if r.Related == nil {
		r.Related = &RelatedReport{}
	}
	r.Related.Metric = v.Metric.Name
	report := &FoldsReport{
		Folds: f.Folds, Metric: v.Metric.Name, HigherIsBetter: v.Metric.Direction == metrics.HigherIsBetter,
		BestLambda: lambdas[found.Best], OneErrorLambda: lambdas[found.OneError], Chosen: chosen,
	}
	for k, lambda := range lambdas {
		point := FoldsPoint{Lambda: lambda, Mean: console.Finite(found.Mean[k]), Error: console.Finite(found.Error[k]), Values: found.Values[k]}
		if p.path {
			point.NonZeros = console.Finite(found.NonZeros[k])
		}
		report.Points = append(report.Points, point)
	}
	if f.Path {
		edge := warnOfEdge(a, found.Best, lambdas, f.lambdas != "")
		r.Related.AtEdge = &edge
	}
	r.Related.CrossValidation = report
	if r.Fits == 0 { // of the chosen point
		r.missed("", []*solvers.Result{r.Result}, own)
	}
	r.Missed, r.Fits, r.What = r.Missed+found.Missed, r.Fits+found.Fits, "fits"
	if found.Status == solvers.Stalled {
		r.Worst = solvers.Stalled
	}
	if p.Several == nil {
		measure(ctx, a, r, registry.Ready{})
	}
	r.Metrics["cv_"+v.Metric.Name] = found.Mean[best]
	r.Metrics["cv_"+v.Metric.Name+"_standard_error"] = found.Error[best]
	return r, err
}

// missed counts the fits that ended above their tolerance.
func (r *Trained) missed(what string, fits []*solvers.Result, s solvers.Settings) {
	r.What = what
	for _, fit := range fits {
		if fit == nil {
			continue
		}
		if r.Fits++; fit.Missed(&s) {
			r.Missed++
			if r.Worst != solvers.Stalled {
				r.Worst = fit.Status
			}
		}
	}
}

// solveChosen fits all rows at the weight that folds have chosen.
func solveChosen(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, m registry.Ready, solve related.Solve, s solvers.Settings) (*Trained, error) {
	switch {
	case p.Several != nil && f.Softmax:
		return SolveSoftmax(ctx, a, f, p, s)
	case p.Several != nil:
		return solveClasses(ctx, a, f, p, m, related.Run{Solve: solveBy(m, p), Settings: s, Name: m.Text})
	}
	watch := NewProgress(a, "all rows", s)
	s.Recorder = watch
	result, err := solve(ctx, &p.Problem, s)
	watch.Stop()
	if result == nil {
		return nil, refused(err)
	}
	return &Trained{Result: result, Problem: p, Points: watch.Points()}, err
}

// scaleByTraining fits the scaling to the rows of training alone.
func (f *ProblemFlags) scaleByTraining(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
	scaler, err := f.fitScaler(train)
	if err != nil {
		return nil, nil, err
	}
	if train, err = scaler.Apply(train); err != nil {
		return nil, nil, err
	}
	test, err = scaler.Apply(test)
	return train, test, err
}
