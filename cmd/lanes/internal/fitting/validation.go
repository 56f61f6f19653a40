package fitting

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// MeanSquare is the metric of a regression.
func MeanSquare(score, label, _ []float64) (float64, error) {
	sum := 0.0
	for i, s := range score {
		sum = math.FMA(s-label[i], s-label[i], sum)
	}
	return sum / float64(len(score)), nil
}

// Validate reads the data of --valid, which identify may refuse, and prepares them as the
// training data.
func Validate(a *console.App, f *ProblemFlags, run *RunFlags, p *Prepared, identify func(*input.Dataset) error) (v *model.Validation, err error) {
	v = &model.Validation{Metric: metrics.Metric{Name: "mse", Direction: metrics.LowerIsBetter, Compute: MeanSquare}}
	if !p.Regression {
		v.Metric, err = findMetric(run.Metric)
	} else if run.Metric != "" && run.Metric != "mse" {
		err = console.BadFlag("metric", run.Metric, "the metric of a regression is mse")
	}
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
	if err := data.Relabel([]float64{p.labels.Positive, p.labels.Negative}, p.words(), p.labels.Rest); err != nil {
		return nil, err
	}
	if v.Y, err = input.SignsOf(data, p.labels, p.Regression); err != nil {
		return nil, err
	}
	x, err := (&model.Meta{Normalize: f.Normalize, Scaler: p.scaler}).Prepare(data.X)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s: %w", data.Name, console.Plain(err)))
	}
	x = x.WithBias(p.X.Bias())
	if v.Model, err = f.over(x); err != nil {
		return nil, err
	}
	if v.Model == nil {
		v.Model = score.Linear{X: x}
	}
	v.Pool = sparse.NewPool(a.Workers)
	return v, nil
}

// findMetric finds the metric of --metric.
func findMetric(name string) (metrics.Metric, error) {
	m, err := metrics.Find(cmp.Or(name, "logloss"))
	if err != nil {
		err = console.BadFlag("metric", name, "%s", strings.TrimPrefix(err.Error(), "metrics: "))
	}
	return m, err
}
