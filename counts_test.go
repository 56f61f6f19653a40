package lanes_test

import (
	"cmp"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// counted are rows of three groups, a column each, with counts, exposures as offsets, and weights.
func counted(t *testing.T) *sparse.Data {
	t.Helper()
	b, data := sparse.NewBuilder(sparse.BuilderOptions{}), &sparse.Data{}
	for i, y := range []float64{0, 2, 1, 5, 3, 0, 1, 0, 7, 2, 2, 4} {
		if err := b.AddRow([]int{i % 3}, []float64{1}); err != nil {
			t.Fatal(err)
		}
		data.Y, data.Weight = append(data.Y, y), append(data.Weight, float64(1+i%2))
		data.Offset = append(data.Offset, float64(i%5)/4-0.7)
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCounts: without a penalty the rate of a group is its counts over its exposures, each by the
// weights. Predictions, measures and the objective follow from the rates.
func TestCounts(t *testing.T) {
	t.Parallel()
	data := counted(t)
	var counts, exposures [3]float64
	for i, y := range data.Y {
		counts[i%3] += data.Weight[i] * y
		exposures[i%3] += data.Weight[i] * math.Exp(data.Offset[i])
	}
	f := train(t, data, lanes.Options{Loss: loss.Poisson{}, Penalty: lanes.NoPenalty, Intercept: lanes.NoIntercept, Tolerance: 1e-12})
	if f.Result.Status != solvers.Converged || f.Result.Solver != "newton" {
		t.Fatalf("%v by %s", f.Result.Status, f.Result.Solver)
	}
	var deviance, square, mass float64
	for i, y := range data.Y {
		rate := counts[i%3] / exposures[i%3]
		mean := rate * math.Exp(data.Offset[i])
		got, err := f.Model.Predict([]int{i % 3}, []float64{1})
		if err != nil || !(math.Abs(got-rate) <= 1e-6*rate) {
			t.Errorf("group %d: a rate of %v, not %v; error %v", i%3, got, rate, err)
		}
		unit := 2 * (mean - y)
		if y > 0 {
			unit += 2 * y * math.Log(y/mean)
		}
		deviance += data.Weight[i] * unit
		square += data.Weight[i] * (y - mean) * (y - mean)
		mass += data.Weight[i]
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	near("the objective", f.Result.Objective, deviance/2/float64(len(data.Y)))
	near("the training error", f.Metrics["train_mse"], square/mass)
	r, err := lanes.Evaluate(t.Context(), f.Model, data, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	near("the deviance", r.Deviance, deviance/mass)
	// The best constant is the rate of all rows.
	null, rate := 0.0, (counts[0]+counts[1]+counts[2])/(exposures[0]+exposures[1]+exposures[2])
	for i, y := range data.Y {
		mean := rate * math.Exp(data.Offset[i])
		unit := 2 * (mean - y)
		if y > 0 {
			unit += 2 * y * math.Log(y/mean)
		}
		null += data.Weight[i] * unit
	}
	near("D2", r.D2, 1-deviance/null)
	near("the squared error", r.MeanSquaredError, square/mass)
	scores, err := f.Model.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	f.About().Means(scores)
	near("a mean", scores[4], counts[1]/exposures[1])
}

// TestCountsOfExtremeOffsets: an offset whose exponential is no number is nothing in a row of weight
// 0. Where it is one of all rows, the run begins elsewhere, and ends at the minimum or says so.
func TestCountsOfExtremeOffsets(t *testing.T) {
	t.Parallel()
	o := lanes.Options{Loss: loss.Poisson{}, Intercept: lanes.FreeIntercept}
	data := counted(t)
	data.Weight[3] = 0
	want := train(t, data, o)
	data = counted(t)
	data.Weight[3], data.Offset[3] = 0, 800
	got := train(t, data, o)
	if got.Result.Status != solvers.Converged || !(math.Abs(got.Result.Objective-want.Result.Objective) <= 1e-9) || got.Used.GapTolerance != want.Used.GapTolerance {
		t.Errorf("%v at %v, tolerance %v, not %v and %v", got.Result.Status, got.Result.Objective, got.Used.GapTolerance, want.Result.Objective, want.Used.GapTolerance)
	}
	for i := range data.Offset {
		data.Offset[i] = -760
	}
	f, err := lanes.Train(t.Context(), data, o)
	if err == nil && f.Result.Status == solvers.Converged && !(f.Result.Gap <= f.Used.GapTolerance) {
		t.Errorf("offsets of -760: %v, gap %v", f.Result.Status, f.Result.Gap)
	}
}

// TestCountsRefused: targets, kinds and solvers that the loss of counts does not have.
func TestCountsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(d *sparse.Data, o *lanes.Options)
		want string
	}{
		"negative":    {func(d *sparse.Data, o *lanes.Options) { d.Y[4] = -2 }, "row 5: it has the target -2"},
		"infinite":    {func(d *sparse.Data, o *lanes.Options) { d.Y[4] = math.Inf(1) }, "row 5: the target is +Inf"},
		"words":       {func(d *sparse.Data, o *lanes.Options) { d.LabelNames = strings.Fields("a b c d e f g h") }, "poisson"},
		"positive":    {func(d *sparse.Data, o *lanes.Options) { o.Positive = "2" }, "poisson"},
		"no counts":   {func(d *sparse.Data, o *lanes.Options) { clear(d.Y); o.Intercept = lanes.FreeIntercept }, "no row with a weight above 0 has a target above 0"},
		"prox-sdca":   {func(d *sparse.Data, o *lanes.Options) { o.Solver, o.Tolerance = "prox-sdca", 0 }, "the poisson loss has no bound of its second derivative"},
		"stochastic":  {func(d *sparse.Data, o *lanes.Options) { o.Solver = "ai-sarah" }, "the poisson loss has no bound of its second derivative"},
		"class weigh": {func(d *sparse.Data, o *lanes.Options) { o.ClassWeight = lanes.Balanced }, "targets of a regression"},
	} {
		data, o := counted(t), lanes.Options{Loss: loss.Poisson{}}
		c.edit(data, &o)
		if name == "stochastic" || name == "prox-sdca" {
			data.Offset = nil
		}
		if f, err := lanes.Train(t.Context(), data, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v", name, f, err)
		}
	}
	data := counted(t)
	data.Y[7] = -1
	var bad *lanes.DataError
	if _, err := lanes.TrainStream(t.Context(), opened(t, data, 5), 0, lanes.Options{Loss: loss.Poisson{}}); !errors.As(err, &bad) || bad.Row != 8 {
		t.Errorf("in a file: error %v", err)
	}
}

// TestCountsSparse: with an L1 norm, alone, in a path and in folds, counts with weights and offsets have
// certified models, and a group without counts has a finite weight.
func TestCountsSparse(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Poisson{}, loss.NegativeBinomial{Theta: 0.5}, loss.Tweedie{Power: 1.3}} {
		data := counted(t)
		for i := range data.Y {
			if i%3 == 1 {
				data.Y[i] = 0
			}
		}
		o := lanes.Options{Loss: phi, Intercept: lanes.FreeIntercept, Penalty: lanes.L1(0.01)}
		f := train(t, data, o)
		if f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) || f.Result.Solver != "proximal-newton" {
			t.Errorf("%v: %v by %s, with a gap of %v", phi, f.Result.Status, f.Result.Solver, f.Result.Gap)
		}
		o.Penalty = lanes.Penalty{}
		found, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, OverL1: true, Folds: 3})
		if err != nil || found.Folds == nil || !(found.Folds.Chosen > 0) || found.Result.Status != solvers.Converged {
			t.Errorf("%v: a model of folds %v, error %v", phi, found, err)
		}
	}
}

// TestCountsWithoutMinimum: a group without counts has no best rate. The note names its column. Two
// counts, 0 and 1, are targets as well.
func TestCountsWithoutMinimum(t *testing.T) {
	t.Parallel()
	for k, phi := range []loss.Loss{loss.Poisson{}, loss.Poisson{}, loss.NegativeBinomial{Theta: 0.5}, loss.Tweedie{Power: 1.3}} {
		most := []float64{1, 7}[k%2]
		data := counted(t)
		for i := range data.Y {
			if data.Y[i] = min(data.Y[i], most); i%3 == 1 {
				data.Y[i] = 0
			}
		}
		o := lanes.Options{Loss: phi, Penalty: lanes.NoPenalty, Intercept: lanes.NoIntercept}
		f := train(t, data, o)
		if f.Result.Status != solvers.NoMinimum {
			t.Errorf("counts up to %v: %v", most, f.Result.Status)
		}
		found := false
		for _, n := range f.Notes {
			found = found || n.Kind == notes.Separable && strings.Contains(n.Then, "only rows of target 0 change with column 2")
		}
		if !found {
			t.Errorf("counts up to %v: notes %v", most, f.Notes)
		}
		o.Penalty = lanes.L2(1e-3)
		if f := train(t, data, o); f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) {
			t.Errorf("with a penalty: %v, gap %v", f.Result.Status, f.Result.Gap)
		}
	}
}

// TestCountsInFolds: folds are measured by the deviance, or by the squared error of means.
func TestCountsInFolds(t *testing.T) {
	t.Parallel()
	o := lanes.Options{Loss: loss.Poisson{}}
	for name, want := range map[string]float64{"": 2 - 3 + 3*math.Log(1.5), "deviance": 2 - 3 + 3*math.Log(1.5), "mse": 0.5} {
		o.Metric = name
		f, err := lanes.CrossValidate(t.Context(), counted(t), lanes.Search{Options: o, Folds: 3, Weights: []float64{1, 0.1}})
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		m := f.Folds.Metric
		got, err := m.Compute([]float64{0, math.Log(2)}, []float64{1, 3}, nil)
		if m.Name != cmp.Or(name, "deviance") || m.Direction != metrics.LowerIsBetter || !(math.Abs(got-want) <= 1e-14) || err != nil {
			t.Errorf("%q: %s of %v, not %v; error %v", name, m.Name, got, want, err)
		}
		if got, _ := m.Compute([]float64{0, math.Log(2)}, []float64{1, 3}, []float64{3, 1}); !(math.Abs(got-want/2) <= 1e-14) {
			t.Errorf("%q: %v by weights, not %v", name, got, want/2)
		}
	}
	o.Metric = "auc"
	if _, err := lanes.CrossValidate(t.Context(), counted(t), lanes.Search{Options: o, Folds: 3}); !errors.As(err, new(*lanes.OptionError)) {
		t.Errorf("error %v", err)
	}
}

// TestOwnLossInFolds: numbers are judged by the loss that is trained, or by another one on request.
func TestOwnLossInFolds(t *testing.T) {
	t.Parallel()
	score, target := []float64{0, 4}, []float64{1, 1}
	for _, c := range []struct {
		loss       loss.Loss
		name, want string
		value      float64
	}{
		{loss.Squared{}, "", "mse", 5}, {loss.Squared{}, "mae", "mae", 2}, {loss.Squared{}, "loss", "loss", 2.5},
		{loss.Huber{Delta: 1}, "", "loss", 1.5}, {loss.Expectile{Level: 0.75}, "", "loss", 1.5}, {loss.Huber{Delta: 1}, "mse", "mse", 5},
		{loss.Poisson{}, "mae", "mae", (math.Exp(4) - 1) / 2},
	} {
		o := lanes.Options{Loss: c.loss, Metric: c.name, Kind: lanes.Regression}
		data := counted(t)
		data.Offset = nil
		f, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, Folds: 3, Weights: []float64{1, 0.1}})
		if err != nil {
			t.Fatalf("%v by %q: %v", c.loss, c.name, err)
		}
		m := f.Folds.Metric
		if got, err := m.Compute(score, target, nil); m.Name != c.want || !(math.Abs(got-c.value) <= 1e-12) || err != nil {
			t.Errorf("%v by %q: %s of %v, not %s of %v; error %v", c.loss, c.name, m.Name, got, c.want, c.value, err)
		}
	}
}
