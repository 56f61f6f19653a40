package fitting

import (
	"cmp"
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Validate reads the data of --valid, which identify may refuse, and prepares them as the
// training data.
func Validate(a *console.App, f *ProblemFlags, run *RunFlags, p *Prepared, identify func(*input.Dataset) error) (solvers.Metric, error) {
	metric, err := f.metricOf(p, run.Metric)
	if err != nil {
		return nil, err
	}
	data, err := input.Read(a, run.Valid, &f.Data, sparse.ReadOptions{Columns: p.Columns})
	if err != nil {
		return nil, err
	}
	if err := identify(data); err != nil {
		return nil, err
	}
	if err := input.FitColumns(a, data, p.Columns); err != nil {
		return nil, err
	}
	x, err := (&model.Meta{Normalize: f.Normalize, Scaler: p.scaler}).Prepare(data.X)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s: %w", data.Name, console.Plain(err)))
	}
	x = x.WithBias(p.X.Bias())
	v := &model.Validation{Metric: metric, Pool: sparse.NewPool(a.Workers)}
	if p.Several != nil {
		if err := data.Relabel(p.Several.labels, p.words(), false); err != nil {
			return nil, err
		}
		class, err := input.ClassesOf(data, p.Several.labels)
		v.Classes, v.Model = len(p.Several.labels), score.Linear{X: x}
		for _, k := range class {
			v.Y = append(v.Y, float64(k))
		}
		return v, err
	}
	if err := data.Relabel([]float64{p.labels.Positive, p.labels.Negative}, p.words(), p.labels.Rest); err != nil {
		return nil, err
	}
	if v.Y, err = input.SignsOf(data, p.labels, p.Regression); err != nil {
		return nil, err
	}
	if v.Model, err = f.over(x); err != nil {
		return nil, err
	}
	if v.Model == nil {
		v.Model = score.Linear{X: x}
	}
	return v, nil
}

// metricOf is the metric of a name, "" for the usual one: a function of the score and the
// label of every row, or of the scores of all classes and of the row's.
func (f *ProblemFlags) metricOf(p *Prepared, name string) (metrics.Metric, error) {
	switch {
	case p.Several != nil:
		return f.classMetric(p, name)
	case p.Regression && name != "" && name != "mse":
		return metrics.Metric{}, console.BadFlag("metric", name, "the metric of a regression is mse")
	case p.Regression:
		return metrics.Metric{Name: "mse", Direction: metrics.LowerIsBetter, Compute: metrics.MeanSquaredError}, nil
	}
	m, err := metrics.Find(cmp.Or(name, "logloss"))
	if err != nil {
		err = console.BadFlag("metric", name, "%v", console.Plain(err))
	}
	return m, err
}
