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
	"github.com/lanes-go/lanes/solvers/registry"
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
	L1         float64 // weight of the L1 norm
	// FeatureNames are the names of the columns, nil where they have none.
	FeatureNames []string
	// Streamed are rows that stay in their file; X is nil then.
	Streamed *registry.Rows
	path     bool    // what a path or folds choose is a weight of the L1 norm
	ridge    float64 // lambda beside it
}

// lambdaOf is the weight of the regulariser for so many rows.
func (f *ProblemFlags) lambdaOf(rows int) float64 {
	switch {
	case f.cSet:
		return 1 / (f.c * float64(rows))
	case f.lambdaSet:
		return f.lambda
	}
	return 1 / float64(rows)
}

// Shape is that of the rows that were prepared: their number, that of the columns with the
// bias and of the entries, and the bias.
func (p *Prepared) Shape() (n, d int, nonZeros int64, bias float64) {
	if p.Streamed != nil {
		s := p.Streamed.Stream
		return s.Rows(), s.Cols(), s.NNZ(), s.Bias()
	}
	return p.X.Rows(), p.X.Cols(), p.X.NNZ(), p.X.Bias()
}

// Prepare scales the rows, sorts the labels into classes and fixes lambda.
func (f *ProblemFlags) Prepare(data *input.Dataset, run *RunFlags) (*Prepared, error) {
	if data.Stream != nil {
		return f.prepareStreamed(data, run)
	}
	p := &Prepared{Data: data, rates: f.rates, ranks: f.ranks, Columns: data.X.Cols()}
	p.Loss, p.Delta, p.Lambda = f.Kind, f.huber, f.lambdaOf(data.X.Rows())
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
	if err := f.checkRoom(p, run); err != nil {
		return nil, err
	}
	p.X = data.X
	switch f.Normalize {
	case model.NormalizeUnit:
		p.X = p.X.NormalizeUnit()
	case model.NormalizeMinMax, model.NormalizeStd:
		from := p.X
		if run.Shards > 0 { // as rows are scaled that stay in their file
			from = from.Keep(sparse.ValuesFloat64)
		}
		scaler, err := f.fitScaler(p.X)
		if err == nil {
			var scaled *sparse.Matrix
			if scaled, err = scaler.Apply(from); scaled != from {
				p.X = scaled
			}
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

// fitScaler fits the scaling of columns that --normalize names.
func (f *ProblemFlags) fitScaler(x *sparse.Matrix) (*sparse.Scaler, error) {
	if f.Normalize == model.NormalizeStd {
		return sparse.FitStd(x)
	}
	return sparse.FitMinMax(x)
}

// NewModel is the model of a result.
func (f *ProblemFlags) NewModel(p *Prepared, r *solvers.Result) (model.Model, error) {
	return model.New(r, f.training(p))
}

// Start reads the model of --initial, and returns the weights that a run begins with.
func (f *ProblemFlags) Start(run *RunFlags, p *Prepared) ([]float64, error) {
	m, err := input.ReadModel(run.Initial)
	if err != nil {
		return nil, err
	}
	w, err := model.Start(m, f.training(p))
	if err != nil {
		return nil, console.BadData(fmt.Errorf("the run cannot begin at the model %s: %w", run.Initial, console.Plain(err)))
	}
	if p.FeatureNames == nil {
		p.FeatureNames = m.About().FeatureNames()
	}
	return w, nil
}

// Named gives the columns the names that were read from the file of --names.
func (p *Prepared) Named(names []string, path string) error {
	if len(names) != p.Columns {
		return console.BadData(fmt.Errorf("%s has %d names, %s has %d columns: give one name for every column, up to the largest index", path, len(names), p.Data.Name, p.Columns))
	}
	p.FeatureNames = names
	return nil
}

// training is what a model has to know of a run.
func (f *ProblemFlags) training(p *Prepared) model.Training {
	t := model.Training{
		X: p.X, Labels: p.labels, Regression: p.Regression, LabelNames: p.words(),
		Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda, L1: p.L1, Intercept: p.Intercept, Normalize: f.Normalize, Scaler: p.scaler,
		FeatureNames: p.FeatureNames, ZeroBased: f.Data.Zero, Program: "lanes " + console.Version(),
	}
	if p.Streamed != nil {
		t.Rows = p.Streamed.Stream
	}
	if p.Several != nil {
		t.Classes, t.Softmax = p.Several.labels, p.Several.whole
	}
	if p.Model != nil {
		t.Network = &f.Network
	}
	return t
}
