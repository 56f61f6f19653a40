package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// autoName names the choice of a solver by the problem.
const autoName = "auto"

func solverNames() []string {
	names := []string{autoName}
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition { // those are for lanes portfolio
			names = append(names, s.Name)
		}
	}
	return names
}

// description returns the description of a solver; that of auto is what its choices share.
func description(name string) solvers.Description {
	if s, err := registry.Find(name); err == nil {
		return s.Description
	}
	return solvers.Description{Name: autoName, About: autoAbout, Accepts: solvers.Accepts{Losses: true, Weights: true, NoRegulariser: true, Gap: true}}
}

// minimise runs a solver on a prepared data set.
func minimise(ctx context.Context, p *prepared, m registry.Ready, settings solvers.Settings) (*solvers.Result, error) {
	task := &registry.Task{
		X: p.X, Y: p.Y, SampleWeight: p.SampleWeight, Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda,
		Low: p.rates[0], High: p.rates[1], Model: p.model,
	}
	if p.ranks != nil {
		task.M, task.N = p.ranks(len(p.Y))
	}
	return m.Solve(ctx, task, settings)
}

// solver finds a solver by its name, with parameters that were set.
func solver(name string, parameters map[string]string) (registry.Ready, error) {
	if name == autoName {
		if len(parameters) > 0 {
			return registry.Ready{}, usagef("--set: auto has no parameters; name the solver that they are for")
		}
		return registry.Ready{Description: description(name), Text: autoName, Solve: func(ctx context.Context, t *registry.Task, s solvers.Settings) (*solvers.Result, error) {
			return auto.Solve(ctx, erm.ProblemOf(t), s)
		}}, nil
	}
	found, err := registry.Find(name)
	switch {
	case err != nil:
		return registry.Ready{}, usagef("unknown solver %q; there are: %s", name, strings.Join(solverNames(), ", "))
	case found.Objective == solvers.Composition:
		return registry.Ready{}, usagef("%s is for portfolios: lanes portfolio --solver %s", name, name)
	}
	m, err := found.New(parameters)
	if err != nil {
		return m, usageError{fmt.Errorf("--set: %w", plain(err))}
	}
	return m, nil
}

// runFlags control a run.
type runFlags struct {
	passes         float64
	time           time.Duration
	gap, gradient  float64
	batch          int
	set            []string
	recordEvery    float64
	checkpointTime time.Duration
	valid, metric  string
	patience       int
	model, trace   string
	receipt        string
	plot           string
	checkpoint     string
	resume         string
	force          bool
}

// Without budgets and targets train ends at a gap (or gradient norm) of
// defaultTarget, or after defaultPasses, and compare after comparePasses. With a
// target a run may take targetPasses.
const (
	defaultTarget = 1e-6
	defaultPasses = 1000
	comparePasses = 50
	targetPasses  = 10000
)

func (f *runFlags) register(cmd *cobra.Command, passes int) {
	flags := cmd.Flags()
	flags.Float64Var(&f.passes, "passes", 0, fmt.Sprintf("budget in passes over the data (default %d; with a target %d; with --time none)", passes, targetPasses))
	flags.DurationVar(&f.time, "time", 0, "budget of time, as in 30s or 5m")
	flags.Float64Var(&f.gap, "gap", 0, "end at this duality gap, absolute")
	flags.Float64Var(&f.gradient, "grad", 0, "end at this norm of the gradient")
	flags.IntVar(&f.batch, "batch", 64, "rows in a stochastic step")
	flags.StringArrayVar(&f.set, "set", nil, "solver parameter name=value, repeatable (train --list shows them)")
	flags.Float64Var(&f.recordEvery, "record-every", 0, "passes between recorded points (default: where the solver knows the objective anyway)")
	flags.StringVar(&f.plot, "plot", "", "draw the run to FILE.png or FILE.svg")
}

// check fills in the settings that stand in the flags.
func (f *runFlags) check(cmd *cobra.Command, a *app, passes int) (solvers.Settings, error) {
	flags := cmd.Flags()
	s := solvers.Settings{
		MaxPasses: f.passes, MaxTime: f.time, GapTolerance: f.gap, GradientTolerance: f.gradient,
		BatchSize: f.batch, Seed: a.seed, Workers: a.workers, RecordEvery: f.recordEvery,
		Checkpoint: f.checkpoint, CheckpointEvery: f.checkpointTime, Resume: f.resume, Patience: f.patience,
		Overwrite: f.force, Warn: func(err error) { a.note("%v", plain(err)) },
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"passes", f.passes}, {"time", float64(f.time)}, {"gap", f.gap}, {"grad", f.gradient}, {"batch", float64(f.batch)}, {"record-every", f.recordEvery},
		{"patience", float64(f.patience)}, {"checkpoint-every", float64(f.checkpointTime)}} {
		if flags.Changed(v.flag) && !(v.value > 0) {
			return s, usagef("--%s %v: it must be positive", v.flag, flags.Lookup(v.flag).Value)
		}
		if math.IsInf(v.value, 0) && v.flag != "passes" {
			return s, usagef("--%s %v: it must be finite", v.flag, flags.Lookup(v.flag).Value)
		}
	}
	target := f.gap > 0 || f.gradient > 0
	if f.passes == 0 {
		switch {
		case f.time > 0:
			s.MaxPasses = math.Inf(1)
		case target:
			s.MaxPasses = targetPasses
		default:
			s.MaxPasses = float64(passes)
		}
	}
	return s, nil
}

// checkpoints finds out before a long run what cannot be resumed or replaced.
func (f *runFlags) checkpoints() error {
	if f.resume != "" {
		if _, err := os.Stat(f.resume); err != nil {
			return dataError{fileTrouble(err, f.resume)}
		}
	}
	if info, err := os.Stat(f.checkpoint); err == nil && info.Mode().IsRegular() && !f.force && !sameFile(f.checkpoint, f.resume) {
		return usagef("--checkpoint %s exists: --resume %[1]s continues its run, --force replaces it", f.checkpoint)
	}
	return nil
}

// checkTarget refuses a target that the problem does not have.
func (f *runFlags) checkTarget(lambda float64) error {
	if f.gap > 0 && lambda == 0 {
		return usagef("--gap: with lambda = 0 there is no duality gap; use --grad")
	}
	return nil
}

// defaultTarget sets the target of a run for which nothing was asked but, perhaps, a
// limit of its time.
func (f *runFlags) defaultTarget(s *solvers.Settings, lambda float64) {
	switch {
	case f.passes > 0 || f.gap > 0 || f.gradient > 0 || f.valid != "":
	case lambda > 0:
		s.GapTolerance = defaultTarget
	default:
		s.GradientTolerance = defaultTarget
	}
}

// parseSet reads name=value settings; in compare, solver.name=value is meant for
// one solver.
func parseSet(set []string) (map[string]string, error) {
	parameters := make(map[string]string)
	for _, text := range set {
		name, value, found := strings.Cut(text, "=")
		if !found || name == "" {
			return nil, usagef("--set %s: write name=value, as in --set gamma=1/32", text)
		}
		if _, twice := parameters[name]; twice {
			return nil, usagef("--set: %s is set twice", name)
		}
		parameters[name] = value
	}
	return parameters, nil
}

// meanSquare is the metric of a regression.
func meanSquare(score, label, _ []float64) (float64, error) {
	sum := 0.0
	for i, s := range score {
		sum = math.FMA(s-label[i], s-label[i], sum)
	}
	return sum / float64(len(score)), nil
}

// validate reads the data of --valid and prepares them as the training data.
func (a *app) validate(f *problemFlags, run *runFlags, p *prepared) (v *model.Validation, identity source, err error) {
	v = &model.Validation{Metric: metrics.Metric{Name: "mse", Direction: metrics.LowerIsBetter, Compute: meanSquare}}
	if !p.regression {
		v.Metric, err = findMetric(run.metric)
	} else if run.metric != "" && run.metric != "mse" {
		err = usagef("--metric %s: the metric of a regression is mse", run.metric)
	}
	if err != nil {
		return nil, identity, err
	}
	data, err := a.read(run.valid, &f.data, sparse.ReadOptions{Columns: p.columns})
	if err != nil {
		return nil, identity, err
	}
	if identity, err = a.identify("--valid", data, run); err != nil {
		return nil, identity, err
	}
	if err := a.fit(data, p.columns); err != nil {
		return nil, identity, err
	}
	if err := data.relabel([]float64{p.labels.Positive, p.labels.Negative}, p.words(), p.labels.Rest); err != nil {
		return nil, identity, err
	}
	if v.Y, err = signsOf(data, p.labels, p.regression); err != nil {
		return nil, identity, err
	}
	x, err := (&model.Meta{Normalize: f.normalize, Scaler: p.scaler}).Prepare(data.X)
	if err != nil {
		return nil, identity, dataError{fmt.Errorf("%s: %w", data.name, plain(err))}
	}
	x = x.WithBias(p.X.Bias())
	if v.Model, err = f.over(x); err != nil {
		return nil, identity, err
	}
	if v.Model == nil {
		v.Model = score.Linear{X: x}
	}
	v.Pool = sparse.NewPool(a.workers)
	return v, identity, nil
}

// findMetric finds the metric of --metric.
func findMetric(name string) (metrics.Metric, error) {
	m, err := metrics.Find(cmp.Or(name, "logloss"))
	if err != nil {
		err = usageError{fmt.Errorf("--metric %s", strings.TrimPrefix(err.Error(), "metrics: "))}
	}
	return m, err
}

// signsOf maps the labels of data as those of the training were.
func signsOf(data *dataset, labels sparse.LabelMap, regression bool) ([]float64, error) {
	if regression {
		return data.Y, nil
	}
	signs := make([]float64, len(data.Y))
	for i, y := range data.Y {
		sign, err := labels.Sign(y)
		if err != nil {
			return nil, dataError{fmt.Errorf("%s: row %d: %w, the labels of the training", data.name, i+1, err)}
		}
		signs[i] = sign
	}
	return signs, nil
}
