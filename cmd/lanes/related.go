package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// relatedFlags ask for several fits on the same rows.
type relatedFlags struct {
	multiclass bool
	path       bool
	lambdas    string
	folds      int
	oneError   bool

	high, low float64 // of the path, 0 for the default
	points    int
}

// defaultPoints is the length of a path whose ends are given.
const defaultPoints = 20

func (f *relatedFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.multiclass, "multiclass", false, "train every class against the rest")
	flags.BoolVar(&f.path, "path", false, "train for many lambdas, each from the one before; keep the best by --valid or --cv, or else the last")
	flags.StringVar(&f.lambdas, "lambdas", "", fmt.Sprintf("HIGH:LOW[:POINTS] of --path, with %d points (default from where lambda decides all down to 1/n and a 1e4th at least, and on while --valid or --cv improve)", defaultPoints))
	flags.IntVar(&f.folds, "cv", 0, "cross-validate in this many folds by --metric, then train on all rows")
	flags.BoolVar(&f.oneError, "one-se", false, "keep the largest lambda within one standard error of the best by --cv")
}

// several tells whether more than one fit is asked for.
func (f *relatedFlags) several() bool { return f.multiclass || f.path || f.folds != 0 }

func (f *relatedFlags) check(cmd *cobra.Command, all *problemFlags, run *runFlags, solver string) error {
	changed := cmd.Flags().Changed
	switch {
	case f.lambdas != "" && !f.path:
		return usagef("--lambdas goes with --path")
	case f.oneError && !(f.path && f.folds != 0):
		return usagef("--one-se goes with --path and --cv")
	case !f.several() && !changed("cv"):
		return nil
	case special(solver):
		return usagef("--multiclass, --path and --cv fit losses; %s trains something else", solver)
	case changed("cv") && f.folds < 2:
		return usagef("--cv %d: there must be two folds at least", f.folds)
	case f.multiclass && (f.path || f.folds != 0):
		return usagef("--multiclass goes with neither --path nor --cv: look for a lambda with one class against the rest (--positive V)")
	case f.multiclass && all.positive != "":
		return usagef("give --multiclass, or --positive V for one class against the rest, not both")
	case f.multiclass && run.valid != "":
		return usagef("--valid goes with two classes; measure a model of several with lanes eval")
	case f.path && (all.lambdaSet || all.cSet):
		return usagef("--path takes --lambdas HIGH:LOW[:POINTS], not --lambda or --C")
	case f.folds != 0 && run.valid != "":
		return usagef("give --valid DATA or --cv K, not both")
	case f.path && changed("patience"):
		return usagef("--patience goes with one lambda: on a path every fit runs to its target")
	case f.folds != 0 && all.lambdaSet && all.lambda == 0:
		return usagef("--cv needs a positive lambda")
	}
	f.points = defaultPoints
	if f.lambdas == "" {
		return nil
	}
	parts := strings.Split(f.lambdas, ":")
	var err1, err2, err3 error
	if len(parts) == 3 {
		f.points, err3 = strconv.Atoi(parts[2])
	}
	if len(parts) == 2 || len(parts) == 3 {
		f.high, err1 = strconv.ParseFloat(parts[0], 64)
		f.low, err2 = strconv.ParseFloat(parts[1], 64)
	}
	if len(parts) < 2 || len(parts) > 3 || errors.Join(err1, err2, err3) != nil {
		return usagef("--lambdas %s: write HIGH:LOW or HIGH:LOW:POINTS, as in 0.1:1e-5:15", f.lambdas)
	}
	if _, err := related.Lambdas(f.high, f.low, f.points); err != nil {
		return usageError{fmt.Errorf("--lambdas %s: %w", f.lambdas, plain(err))}
	}
	return nil
}

// list returns the lambdas of a path, or the one lambda; the first of them are fitted in
// any case, as many as least says (0 for all).
func (f *relatedFlags) list(p *erm.Problem) (lambdas []float64, least int, err error) {
	switch {
	case !f.path:
		return []float64{p.Lambda}, 0, nil
	case f.high == 0:
		if lambdas, least, err = related.UsualLambdas(p); err != nil {
			err = dataError{plain(err)}
		}
		return lambdas, least, err
	}
	lambdas, err = related.Lambdas(f.high, f.low, f.points)
	return lambdas, 0, err
}

// warnOfEdge tells the user that the best of a path may lie beyond it.
func (a *app) warnOfEdge(best int, lambdas []float64, given bool) bool {
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
	a.note("the best lambda, %.4g, is the %s of the path: a better one may lie %s it; %s", lambdas[best], side, lies, advice)
	return true
}

// classSet is what several classes add to a problem.
type classSet struct {
	labels []float64
	of     []uint32 // the class of each row
	counts []int
}

// findClasses sorts the labels of more than two classes; fewer leave it to the
// ordinary training of two.
func (f *problemFlags) findClasses(p *prepared) bool {
	list := sparse.CountClasses(p.data.Y)
	if !f.multiclass || len(list) <= 2 {
		return false
	}
	p.several = &classSet{}
	for _, c := range list {
		p.several.labels, p.several.counts = append(p.several.labels, c.Label), append(p.several.counts, c.Count)
	}
	p.several.of, _ = classesOf(p.data, p.several.labels)
	return true
}

func (c *classSet) String() string {
	return fmt.Sprintf("%d classes, each against the rest", len(c.labels))
}

// solveBy is the function that fits use.
func solveBy(m registry.Ready) related.Solve {
	return func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return minimise(ctx, &prepared{Problem: *p}, m, s)
	}
}

// solveSeveral makes the fits that the flags ask for. Its result is that of the model
// to be saved, with the costs of all.
func (a *app) solveSeveral(ctx context.Context, f *problemFlags, p *prepared, m registry.Ready, run *runFlags, settings solvers.Settings) (*trained, error) {
	start := time.Now()
	if settings.GapTolerance == 0 && settings.GradientTolerance == 0 {
		// Without a target, the first fit would take all the time.
		if settings.GapTolerance = defaultTarget; p.Lambda == 0 {
			settings.GapTolerance, settings.GradientTolerance = 0, defaultTarget
		}
	}
	if run.passes == 0 {
		settings.MaxPasses = targetPasses // with --time too, so that runs can resume each other
	}
	by := related.Run{Solve: solveBy(m), Settings: settings, Name: m.Text}
	var r *trained
	var err error
	switch {
	case p.several != nil:
		r, err = a.solveClasses(ctx, f, p, m, by)
	case f.folds > 0:
		r, err = a.solveFolds(ctx, f, p, run, by)
	default:
		r, err = a.solvePath(ctx, f, p, by)
	}
	if r == nil {
		return nil, err
	}
	r.used, r.seconds = settings, time.Since(start).Seconds()
	if r.Status == solvers.Cancelled && ctx.Err() == nil {
		r.Status = solvers.TimeReached
	}
	return r, err
}

var errNotBegun = errors.New("the run ended before the first fit was begun; there is no model to write")

func (a *app) solveClasses(ctx context.Context, f *problemFlags, p *prepared, m registry.Ready, by related.Run) (*trained, error) {
	several := p.several
	c := &related.Classes{X: p.X, Class: several.of, Count: len(several.labels), Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda}
	switch {
	case f.classWeight == "balanced":
		c.Weight = erm.BalancedWeights
	case f.classWeight != "":
		c.Weight = func([]float64) (float64, float64, error) { return f.weights[1], f.weights[0], nil }
	}
	name := m.Name
	if name == autoName {
		name = auto.Choose(&p.Problem)
	}
	if name == (sdca.Hybrid{}).Name() {
		c.Finish = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			return erm.Solve(ctx, p, erm.Newton{}, s)
		}
	}
	c.Together = name == sdca.Prox{}.Name() || name == sdca.Hybrid{}.Name()
	watch := a.watchFits("classes", c.Count, 1, by.Settings)
	defer watch.stop()
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
	r := &trained{Result: &total, problem: p, metrics: map[string]float64{}, related: &relatedReport{}}
	columns, missing := p.X.Cols(), 0
	for k, fit := range fits {
		if fit == nil {
			fit = &solvers.Result{Weights: make([]float64, columns), Point: solvers.Point{Objective: math.NaN(), GradientNorm: math.NaN(), Gap: math.NaN()}, Status: solvers.Cancelled}
			missing++
		}
		r.Weights = append(r.Weights, fit.Weights...)
		r.related.Classes = append(r.related.Classes, fitReport{
			Label: &several.labels[k], Rows: several.counts[k], Solver: fit.Solver, Status: fit.Status.String(),
			Objective: finite(fit.Objective), GradientNorm: finite(fit.GradientNorm), Gap: finite(fit.Gap), Passes: fit.Total.Passes,
		})
		r.traces = append(r.traces, fitTrace{p.data.word(several.labels[k]), watch.points(k)})
	}
	r.traceColumn = "class"
	if missing == len(fits) {
		return nil, cmp.Or(err, errNotBegun)
	}
	if missing > 0 {
		a.note("%d of %d classes were not begun: their weights are 0", missing, len(fits))
	}
	pool := sparse.NewPool(a.workers)
	defer pool.Close()
	r.Workers = pool.Workers()
	if classes, wrong := classesOfRows(pool, p, r.Weights); wrong == nil {
		r.metrics["train_accuracy"] = r.related.measureClasses(several.of, classes)
	}
	return r, err
}

// classesOfRows gives each training row the class of its largest score.
func classesOfRows(pool *sparse.Pool, p *prepared, w []float64) ([]uint32, error) {
	n, d := p.X.Rows(), p.X.Cols()
	best, scores, predicted := make([]float64, n), make([]float64, n), make([]uint32, n)
	for k := range p.several.labels {
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

// measureClasses puts the F1 of every class into the report and returns the accuracy.
// It needs no table of all classes against all.
func (r *relatedReport) measureClasses(actual, predicted []uint32) float64 {
	tables := make([]metrics.Confusion, len(r.Classes))
	right := 0.0
	for i, k := range actual {
		if predicted[i] == k {
			tables[k].TruePositive++
			right++
			continue
		}
		tables[k].FalseNegative++
		tables[predicted[i]].FalsePositive++
	}
	for k, table := range tables {
		r.Classes[k].F1 = finite(table.F1())
	}
	return right / float64(len(actual))
}

func (a *app) solvePath(ctx context.Context, f *problemFlags, p *prepared, by related.Run) (*trained, error) {
	lambdas, least, err := f.list(&p.Problem)
	if err != nil {
		return nil, err
	}
	watch := a.watchFits("lambdas", len(lambdas), len(lambdas), by.Settings)
	watch.least = least
	defer watch.stop()
	by.Watch, by.Solve, by.Least = watch.of, watch.counted(by.Solve), least
	fits, err := related.Path(ctx, &p.Problem, lambdas, by)
	if fits == nil || fits[0] == nil {
		return nil, refused(cmp.Or(err, errNotBegun))
	}
	validation := by.Settings.Validation
	values := make([]float64, 0, len(fits))
	for k, r := range fits {
		if r == nil {
			break
		}
		values = append(values, float64(k))
		if validation != nil {
			values[k] = r.Metric
		}
	}
	direction := metrics.HigherIsBetter // of the place: the last point
	if validation != nil && !validation.HigherIsBetter() {
		direction = metrics.LowerIsBetter
	}
	best := max(related.Best(values, direction), 0)
	chosen := *fits[best]
	chosen.Total, chosen.Status = related.Total(fits).Total, related.Total(fits).Status
	p.Lambda = lambdas[best]
	r := &trained{Result: &chosen, problem: p, related: &relatedReport{}, traceColumn: "lambda"}
	for k, fit := range fits[:len(values)] {
		report := fitReport{
			Lambda: &lambdas[k], Solver: fit.Solver, Status: fit.Status.String(), Objective: finite(fit.Objective),
			GradientNorm: finite(fit.GradientNorm), Gap: finite(fit.Gap), Passes: fit.Total.Passes,
		}
		points := watch.points(k)
		if validation != nil {
			report.Metric = finite(fit.Metric)
			if len(points) > 0 {
				points[len(points)-1].Metric = fit.Metric
			}
		}
		r.related.Path = append(r.related.Path, report)
		r.traces = append(r.traces, fitTrace{number(lambdas[k]), points})
	}
	if validation != nil {
		r.related.metric = "valid_" + validation.Name()
		edge := a.warnOfEdge(best, lambdas[:len(values)], f.lambdas != "")
		r.related.AtEdge = &edge
	}
	a.measure(r, registry.Ready{})
	if validation != nil {
		r.metrics[r.related.metric] = values[best]
	}
	return r, err
}

func (a *app) solveFolds(ctx context.Context, f *problemFlags, p *prepared, run *runFlags, by related.Run) (*trained, error) {
	v := related.Validation{Folds: f.folds, Seed: a.seed, Metric: metrics.Metric{Name: "mse", Compute: meanSquare}}
	var err error
	if !p.regression {
		if v.Metric, err = findMetric(run.metric); err != nil {
			return nil, err
		}
	} else if run.metric != "" && run.metric != "mse" {
		return nil, usagef("--metric %s: the metric of a regression is mse", run.metric)
	}
	lambdas, least, err := f.list(&p.Problem)
	if err != nil {
		return nil, err
	}
	raw := p.Problem
	if p.scaler != nil {
		raw.X, v.Prepare = p.data.X.WithBias(p.X.Bias()), scaleByTraining
	}
	begun := time.Now()
	watch := a.watchFits(fmt.Sprintf("fits of %d folds", f.folds), f.folds*len(lambdas), len(lambdas), by.Settings)
	watch.least = f.folds * least
	folds := by
	folds.Watch, folds.Solve, folds.Least = watch.of, watch.counted(by.Solve), least
	found, err := related.CrossValidate(ctx, &raw, lambdas, v, folds)
	watch.stop()
	switch {
	case err != nil && found == nil:
		return nil, refused(err)
	case err != nil:
		return nil, err
	case found.Status == solvers.Cancelled || found.Status == solvers.TimeReached:
		return nil, fmt.Errorf("the cross-validation was broken off (%s) before all folds had been measured; with --checkpoint it can be resumed", found.Status)
	case found.Best < 0:
		return nil, fmt.Errorf("the metric %s is not a number at any lambda", v.Metric.Name)
	}
	lambdas = found.Lambdas
	best := found.Best
	if f.oneError {
		best = found.OneError
	}
	p.Lambda = lambdas[best]
	own := by.Settings
	own.Checkpoint, own.Resume = "", ""
	if own.MaxTime > 0 {
		own.MaxTime = max(own.MaxTime-time.Since(begun), 1)
	}
	final := a.newProgress("all rows", own)
	own.Recorder = final
	result, err := by.Solve(ctx, &p.Problem, own)
	final.stop()
	if result == nil {
		return nil, refused(err)
	}
	result.Total.Passes += found.Passes
	result.Total.GradientEvaluations += found.GradientEvaluations
	r := &trained{Result: result, problem: p, related: &relatedReport{metric: v.Metric.Name}, traceColumn: "lambda"}
	r.points = final.points()
	r.traces = []fitTrace{{number(p.Lambda), r.points}}
	report := &foldsReport{
		Folds: f.folds, Metric: v.Metric.Name, HigherIsBetter: v.Metric.Direction == metrics.HigherIsBetter,
		BestLambda: lambdas[found.Best], OneErrorLambda: lambdas[found.OneError], Chosen: p.Lambda,
	}
	for k, lambda := range lambdas {
		report.Points = append(report.Points, foldsPoint{lambda, finite(found.Mean[k]), finite(found.Error[k]), found.Values[k]})
	}
	if f.path {
		edge := a.warnOfEdge(found.Best, lambdas, f.lambdas != "")
		r.related.AtEdge = &edge
	}
	r.related.CrossValidation = report
	a.measure(r, registry.Ready{})
	r.metrics["cv_"+v.Metric.Name] = found.Mean[best]
	r.metrics["cv_"+v.Metric.Name+"_standard_error"] = found.Error[best]
	return r, err
}

// scaleByTraining fits the scaling to the rows of training alone.
func scaleByTraining(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
	scaler, err := sparse.FitMinMax(train)
	if err != nil {
		return nil, nil, err
	}
	if train, err = scaler.Apply(train); err != nil {
		return nil, nil, err
	}
	test, err = scaler.Apply(test)
	return train, test, err
}
