// Package fitting poses the problem that flags and data describe, chooses the solver and
// runs it: once, for every class, along a path, or over folds.
package fitting

import (
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Prepared is a data set made ready for a solver.
type Prepared struct {
	erm.Problem
	Data       *input.Dataset
	Columns    int // without the bias
	labels     sparse.LabelMap
	Regression bool
	Positives  int
	scaler     *sparse.Scaler
	Model      score.Model // nil for a linear one
	Several    *classSet   // nil for two classes or a regression
	rates      [2]float64  // of false positives, for solvers that take them
	ranks      func(rows int) (m, n int)
	// L1 is the weight of the L1 norm, Intercept says that the bias of X is free.
	L1        float64
	Intercept bool
	path      bool    // what a path or folds choose is a weight of the L1 norm
	ridge     float64 // lambda beside it
}

// Prepare scales the rows, sorts the labels into classes and fixes lambda.
func (f *ProblemFlags) Prepare(data *input.Dataset) (*Prepared, error) {
	p := &Prepared{Data: data, rates: f.rates, ranks: f.ranks, Columns: data.X.Cols()}
	p.Loss, p.Delta = f.Kind, f.huber
	n := float64(data.X.Rows())
	switch {
	case f.cSet:
		p.Lambda = 1 / (f.c * n)
	case f.lambdaSet:
		p.Lambda = f.lambda
	default:
		p.Lambda = 1 / n
	}
	p.L1, p.Intercept, p.ridge = f.l1, f.intercept, p.Lambda
	p.path = f.sparse || f.Folds > 0 && f.l1 > 0
	if p.Columns == 0 && !f.Bias {
		return nil, console.BadData(fmt.Errorf("%s has no features: there is nothing to train on", data.Name))
	}
	if err := f.FindPositive(data); err != nil {
		return nil, err
	}
	if err := f.classes(p); err != nil {
		return nil, err
	}
	if p.ranks != nil {
		if _, last := p.ranks(data.X.Rows()); last > data.X.Rows() {
			return nil, console.BadFlag("range", f.rankRange, "%s has %d rows, and no more ranks", data.Name, data.X.Rows())
		}
	}
	if err := f.checkRoom(p); err != nil {
		return nil, err
	}
	p.X = data.X
	switch f.Normalize {
	case model.NormalizeUnit:
		p.X = p.X.NormalizeUnit()
	case model.NormalizeMinMax:
		scaler, err := sparse.FitMinMax(p.X)
		if err == nil {
			p.X, err = scaler.Apply(p.X)
		}
		if err != nil {
			return nil, console.BadData(fmt.Errorf("%s: %w", data.Name, err))
		}
		p.scaler = scaler
	}
	if f.Bias || f.intercept {
		p.X = p.X.WithBias(1)
	}
	var err error
	p.Model, err = f.over(p.X)
	return p, err
}

// NewModel is the model of a result.
func (f *ProblemFlags) NewModel(p *Prepared, r *solvers.Result) (model.Model, error) {
	t := model.Training{
		X: p.X, Labels: p.labels, Regression: p.Regression, LabelNames: p.words(),
		Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda, L1: p.L1, Intercept: p.Intercept, Normalize: f.Normalize, Scaler: p.scaler,
		ZeroBased: f.Data.Zero, Program: "lanes " + console.Version(),
	}
	if p.Several != nil {
		t.Classes, t.Softmax = p.Several.labels, p.Several.whole
	}
	if p.Model != nil {
		t.Network = &f.Network
	}
	return model.New(r, t)
}
