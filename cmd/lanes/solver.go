package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// autoName names the choice of a solver by the problem.
const autoName = "auto"

func solverNames() []string {
	names := []string{autoName}
	for _, d := range solvers.Catalog() {
		if d.Family != "compositional" { // those are for lanes portfolio
			names = append(names, d.Name)
		}
	}
	return names
}

// method is a solver of one of the families, with its parameters.
type method interface{ Name() string }

// autoMethod stands for the solver that suits the problem, until there is one.
type autoMethod struct{}

func (autoMethod) Name() string { return autoName }

// minimise runs a method on its family's Solve.
func minimise(ctx context.Context, p *prepared, m method, settings solvers.Settings) (*solvers.Result, error) {
	if dual, is := m.(sdca.Method); is {
		return sdca.Solve(ctx, &p.Problem, dual, settings)
	}
	switch m := m.(type) {
	case ap.Method:
		return ap.Solve(ctx, &ap.Problem{X: p.X, Y: p.Y, Lambda: p.Lambda, Model: p.model}, m, settings)
	case partial:
		return minimiseRange(ctx, p, m, settings)
	}
	return erm.Solve(ctx, &p.Problem, m.(erm.Method), settings)
}

// solver finds a solver by its name, with parameters that were set.
func solver(name string, parameters map[string]string) (method, error) {
	if name == autoName {
		if len(parameters) > 0 {
			return nil, usagef("--set: auto has no parameters; name the solver that they are for")
		}
		return autoMethod{}, nil
	}
	if _, err := compositional.ByName(name, nil); err == nil {
		return nil, usagef("%s is for portfolios: lanes portfolio --solver %s", name, name)
	}
	if !slices.Contains(solverNames(), name) {
		return nil, usagef("unknown solver %q; there are: %s", name, strings.Join(solverNames(), ", "))
	}
	var m method
	var err error
	if slices.ContainsFunc(sdca.Names(), func(d solvers.Description) bool { return d.Name == name }) {
		m, err = sdca.ByName(name, parameters)
	} else if kind := kindOf(name); kind == kindPrecision {
		m, err = ap.ByName(name, parameters)
	} else if kind != kindLoss {
		m, err = pauc.ByName(name, parameters)
	} else {
		m, err = erm.ByName(name, parameters)
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("--set: %w", plain(err))}
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
	plot           string
	checkpoint     string
	resume         string
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
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"passes", f.passes}, {"time", float64(f.time)}, {"gap", f.gap}, {"grad", f.gradient}, {"batch", float64(f.batch)}, {"record-every", f.recordEvery}} {
		if flags.Changed(v.flag) && !(v.value > 0) {
			return s, usagef("--%s %v: it must be positive", v.flag, flags.Lookup(v.flag).Value)
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

// checkTarget refuses a target that the problem does not have.
func (f *runFlags) checkTarget(lambda float64) error {
	if f.gap > 0 && lambda == 0 {
		return usagef("--gap: with lambda = 0 there is no duality gap; use --grad")
	}
	return nil
}

// defaultTarget sets the target of a run for which nothing was asked.
func (f *runFlags) defaultTarget(s *solvers.Settings, lambda float64) {
	switch {
	case f.passes > 0 || f.time > 0 || f.gap > 0 || f.gradient > 0 || f.valid != "":
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

// validation measures weights on data of their own.
type validation struct {
	name    string
	higher  bool
	pool    *sparse.Pool
	x       *sparse.Matrix
	model   score.Model
	y       []float64
	scores  []float64
	compute func(score, label, weight []float64) (float64, error)
}

func (v *validation) Name() string         { return v.name }
func (v *validation) HigherIsBetter() bool { return v.higher }

func (v *validation) Measure(w []float64) (float64, error) {
	if err := v.model.All(v.pool, v.scores, w); err != nil {
		return 0, err
	}
	return v.compute(v.scores, v.y, nil)
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
func (a *app) validate(f *problemFlags, run *runFlags, p *prepared) (*validation, error) {
	v := &validation{name: cmp.Or(run.metric, "logloss"), compute: meanSquare}
	if p.regression {
		if run.metric != "" && run.metric != "mse" {
			return nil, usagef("--metric %s: the metric of a regression is mse", run.metric)
		}
		v.name = "mse"
	} else {
		m, err := findMetric(v.name)
		if err != nil {
			return nil, err
		}
		v.compute, v.higher = m.Compute, m.Direction == metrics.HigherIsBetter
	}
	data, err := a.read(run.valid, &f.data, sparse.ReadOptions{Columns: p.columns})
	if err != nil {
		return nil, err
	}
	if err := a.fit(data, p.columns); err != nil {
		return nil, err
	}
	if v.y, err = signsOf(data, p.labels, p.regression); err != nil {
		return nil, err
	}
	switch v.x = data.X; {
	case p.scaler != nil:
		if v.x, err = p.scaler.Apply(v.x); err != nil {
			return nil, dataError{fmt.Errorf("%s: %w", data.name, err)}
		}
	case f.normalize == solvers.NormalizeUnit:
		v.x = v.x.NormalizeUnit()
	}
	v.x = v.x.WithBias(p.X.Bias())
	if v.model, err = f.over(v.x); err != nil {
		return nil, err
	}
	if v.model == nil {
		v.model = score.Linear{X: v.x}
	}
	v.scores = make([]float64, v.x.Rows())
	v.pool = sparse.NewPool(a.workers)
	return v, nil
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
