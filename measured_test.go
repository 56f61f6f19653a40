package lanes_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// picked are the rows that are kept, with their weights.
func picked(t *testing.T, data *sparse.Data, weights []float64, keep func(i int) bool) (*sparse.Data, []float64) {
	t.Helper()
	var list []uint32
	some, w := &sparse.Data{LabelNames: data.LabelNames}, []float64(nil)
	for i, y := range data.Y {
		if keep(i) {
			list, some.Y = append(list, uint32(i)), append(some.Y, y)
			if weights != nil {
				w = append(w, weights[i])
			}
		}
	}
	var err error
	if some.X, err = data.X.PickRows(nil, list); err != nil {
		t.Fatal(err)
	}
	return some, w
}

// lossOf is the mean loss of a model on rows: the logistic loss, or the squared error of targets.
func lossOf(t *testing.T, f *lanes.Fitted, data *sparse.Data, weights []float64) float64 {
	t.Helper()
	scores, err := f.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	sum, total := 0.0, 0.0
	for i, z := range scores {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		total += w
		if f.About().Regression {
			sum += w * (z - data.Y[i]) * (z - data.Y[i])
		} else {
			sum += w * math.Log1p(math.Exp(-data.Y[i]*z))
		}
	}
	return sum / total
}

// What folds measure is what models trained on the other rows show on the rows of a fold: with
// scaling, weights, seeds, and targets.
func TestFoldsAreTrainedWithoutTheirRows(t *testing.T) {
	data := rows(t, "dense:n=240,d=6")
	targets := relabelled(data, func(i int) float64 { return float64(i%17) / 3 })
	weights := make([]float64, 240)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	for name, s := range map[string]lanes.Search{
		"plain":    {Weights: []float64{1, 0.1, 0.01, 1e-3}},
		"minmax":   {Folds: 3, OneStandardError: true, Options: lanes.Options{Normalize: model.NormalizeMinMax, Intercept: lanes.PenalisedIntercept}, Weights: []float64{10, 0.1, 0.01, 1e-3}},
		"std":      {Folds: 4, Options: lanes.Options{Normalize: model.NormalizeStd, Intercept: lanes.FreeIntercept, RowWeights: weights, Settings: solvers.Settings{Seed: 7}}, Weights: []float64{0.3, 0.03}},
		"targets":  {Folds: 3, OneStandardError: true, Options: lanes.Options{Intercept: lanes.FreeIntercept, Kind: lanes.Regression}, Weights: []float64{10, 1, 0.1}},
		"sparse":   {Folds: 3, OverL1: true, Options: lanes.Options{Penalty: lanes.L2(0.02), RowWeights: weights}, Weights: []float64{0.1, 0.01}},
		"huber":    {Folds: 3, Options: lanes.Options{Loss: loss.Huber{Delta: 0.5}, RowWeights: weights, Metric: "mse"}, Weights: []float64{1, 0.1}},
		"one, net": {Folds: 2, One: true, Options: lanes.Options{Penalty: lanes.ElasticNet(0.01, 0.1), Normalize: model.NormalizeStd}},
	} {
		data := data
		if name == "targets" || name == "huber" {
			data = targets
		}
		s.Settings.GapTolerance = 1e-11
		f, err := lanes.CrossValidate(t.Context(), data, s)
		if err != nil {
			t.Fatal(name, err)
		}
		folds := s.Folds
		if folds == 0 {
			folds = 5
		}
		class := make([]uint32, 240)
		for i, y := range data.Y {
			if y > 0 {
				class[i] = 1
			}
		}
		if f.About().Regression {
			class = nil
		}
		of, err := related.Folds(240, class, folds, s.Settings.Seed)
		if err != nil {
			t.Fatal(err)
		}
		points := s.Weights
		if s.One {
			points = []float64{s.Penalty.L1}
		}
		mean, deviation := make([]float64, len(points)), make([]float64, len(points))
		for k, weight := range points {
			var values []float64
			for fold := range folds {
				o := s.Options
				switch {
				case s.One:
				case s.OverL1:
					o.Penalty = lanes.ElasticNet(weight, s.Penalty.L2)
				default:
					o.Penalty = lanes.L2(weight)
				}
				others, w := picked(t, data, o.RowWeights, func(i int) bool { return of[i] != uint32(fold) })
				own, v := picked(t, data, o.RowWeights, func(i int) bool { return of[i] == uint32(fold) })
				o.RowWeights = w
				values = append(values, lossOf(t, train(t, others, o), own, v))
				mean[k] += values[fold] / float64(folds)
			}
			for _, v := range values {
				deviation[k] += (v - mean[k]) * (v - mean[k])
			}
			deviation[k] = math.Sqrt(deviation[k] / float64(folds-1) / float64(folds))
			if !(math.Abs(f.Folds.Mean[k]-mean[k]) <= 1e-5) || !(math.Abs(f.Folds.Error[k]-deviation[k]) <= 1e-5) {
				t.Errorf("%s: at %v the mean is %v and its error %v, not %v and %v", name, weight, f.Folds.Mean[k], f.Folds.Error[k], mean[k], deviation[k])
			}
		}
		best := slices.Index(mean, slices.Min(mean))
		atEdge := len(points) > 1 && (best == 0 || best == len(points)-1)
		if s.OneStandardError {
			most := mean[best] + deviation[best]
			best = slices.IndexFunc(mean, func(v float64) bool { return v <= most })
		}
		metric := "logloss"
		if f.About().Regression {
			metric = "mse"
		}
		if f.Folds.Folds != folds || f.Best != best || f.Folds.Chosen != points[best] || f.AtEdge != atEdge || !(math.Abs(f.Metrics["cv_"+metric]-mean[best]) <= 1e-5) || !(math.Abs(f.Metrics["cv_"+metric+"_standard_error"]-deviation[best]) <= 1e-5) {
			t.Errorf("%s: point %d of %v with errors %v was chosen, at the edge %t, %v", name, f.Best, mean, deviation, f.AtEdge, f.Metrics)
		}
		if f.Made != folds*len(points)+1 || f.Result.Total.Epochs <= f.Folds.Epochs || f.Result.Total.GradientEvaluations <= f.Folds.GradientEvaluations {
			t.Errorf("%s: %d fits were made, in %v passes", name, f.Made, f.Result.Total.Epochs)
		}
	}
}

// A path takes the point whose model is best on rows of their own, which are prepared as the
// rows of the training. Its edges are the first point and the last.
func TestPathOnValidation(t *testing.T) {
	data, valid := rows(t, "dense:n=200,d=12"), rows(t, "dense:n=150,d=12")
	valid = relabelled(valid, func(i int) float64 { return valid.Y[i] * []float64{1, 1, -1, 1}[i%4] })
	seen := map[bool]int{}
	for _, o := range []lanes.Options{{}, {Normalize: model.NormalizeMinMax, Intercept: lanes.PenalisedIntercept}, {Normalize: model.NormalizeUnit, Intercept: lanes.FreeIntercept}, {Kind: lanes.Regression, Normalize: model.NormalizeStd}} {
		for _, weights := range [][]float64{{10, 1}, {100, 3, 0.3, 1e-4}, {1e-3, 1e-4}, {0.5}} {
			s := lanes.Search{Options: o, Weights: weights}
			s.Validation, s.Settings.GapTolerance = valid, 1e-10
			f, err := lanes.Path(t.Context(), data, s)
			if err != nil {
				t.Fatal(err)
			}
			var losses []float64
			for _, weight := range weights {
				one := o
				one.Penalty, one.Settings.GapTolerance = lanes.L2(weight), 1e-10
				losses = append(losses, lossOf(t, train(t, data, one), valid, nil))
			}
			best := slices.Index(losses, slices.Min(losses))
			name := "valid_logloss"
			if o.Kind == lanes.Regression {
				name = "valid_mse"
			}
			if f.Best != best || f.AtEdge != (len(weights) > 1 && (best == 0 || best == len(weights)-1)) || !(math.Abs(f.Metrics[name]-losses[best]) <= 1e-4) {
				t.Errorf("%+v: point %d of %v was chosen, at the edge %t, %v", o, f.Best, losses, f.AtEdge, f.Metrics)
			}
			if again := lossOf(t, f, valid, nil); !(math.Abs(again-losses[best]) <= 1e-4) || len(f.Metrics) != 2 {
				t.Errorf("%+v: the model has %v, not %v; %v", o, again, losses[best], f.Metrics)
			}
			seen[f.AtEdge]++
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("at the edge or not: %v", seen)
	}
}

// A run with rows of their own for validation tells the metric that its best model has there.
func TestValidationMeasuresTheModel(t *testing.T) {
	data, valid := rows(t, "onehot:n=600,d=30"), rows(t, "onehot:n=400,d=30")
	valid.Y = slices.Clone(valid.Y)
	for i := 0; i < 400; i += 5 {
		valid.Y[i] = -valid.Y[i]
	}
	for name, c := range map[string]struct {
		o      lanes.Options
		metric string
	}{
		"loss": {lanes.Options{Intercept: lanes.PenalisedIntercept, Normalize: model.NormalizeStd}, "logloss"}, "auc": {lanes.Options{Metric: "roc_auc"}, "auc"},
		"ranking": {lanes.Options{Solver: "adap"}, "ap"}, "range": {lanes.Options{Solver: "agd-sbcd", Rates: [2]float64{0.1, 0.4}}, "pauc:0.1,0.4"},
	} {
		c.o.Validation, c.o.Settings = valid, solvers.Settings{MaxEpochs: 6}
		f := train(t, data, c.o)
		got, is := f.Metrics["valid_"+c.metric]
		for _, of := range []struct {
			data  *sparse.Data
			value float64
		}{{valid, got}, {data, f.Metrics["train_ap"]}} {
			r, err := lanes.Evaluate(t.Context(), f.Model, of.data, lanes.EvaluateOptions{Rates: [2]float64{0.1, 0.4}})
			if err != nil {
				t.Fatal(err)
			}
			want := r.AveragePrecision
			if of.data == valid {
				want = map[string]float64{"logloss": r.LogLoss, "auc": r.AUROC, "ap": r.AveragePrecision, "pauc:0.1,0.4": r.NormalisedPartialAUC}[c.metric]
			} else if c.o.Solver == "" {
				continue
			} else if !(math.Abs(f.Metrics["train_auc"]-r.AUROC) <= 1e-12) || c.metric != "ap" && !(math.Abs(f.Metrics["train_pauc"]-r.NormalisedPartialAUC) <= 1e-12) {
				t.Errorf("%s: %v and %+v", name, f.Metrics, r)
			}
			if !is || !(math.Abs(of.value-want) <= 1e-12) {
				t.Errorf("%s: %v, not %v; %v", name, of.value, want, f.Metrics)
			}
		}
	}
}

// The ranges of rates and ranks decide what is minimised.
func TestRangesDecide(t *testing.T) {
	data := rows(t, "onehot:n=400,d=20")
	for name, options := range map[string][3]lanes.Options{
		"dca":      {{}, {Rates: [2]float64{0, 0.05}}, {Rates: [2]float64{0.2, 0.9}}},
		"sorr-agd": {{}, {RankedRange: lanes.RankRange{Low: 8, High: 240}}, {RankedRange: lanes.RankRange{Low: 100, High: 300}}},
	} {
		var all []float64
		for _, o := range options {
			o.Solver, o.Settings.MaxEpochs = name, 40
			all = append(all, train(t, data, o).Result.Objective)
		}
		if all[0] != all[1] || all[0] == all[2] {
			t.Errorf("%s: the objectives are %v", name, all)
		}
	}
}

// A model keeps what its file has to say: names of columns, the base of indices, the program.
func TestModelKeepsNames(t *testing.T) {
	data := rows(t, "onehot:n=200,d=6")
	names := []string{"a", "b", "c", "d", "e", "f"}
	for _, o := range []lanes.Options{{}, {Kind: lanes.Regression}, {Intercept: lanes.FreeIntercept}} {
		o.FeatureNames, o.ZeroBased, o.Program = names, true, "test"
		f := train(t, data, o)
		meta := f.About().Meta
		if !slices.Equal(f.About().FeatureNames(), names) || !meta.ZeroBased || meta.Program != "test" {
			t.Errorf("%+v", meta)
		}
		o.FeatureNames, o.Initial = nil, f.Model
		if again := train(t, data, o); !slices.Equal(again.About().FeatureNames(), names) {
			t.Errorf("names %q after a model with names", again.About().FeatureNames())
		}
		want := 0
		for j, w := range f.Result.Weights {
			if w != 0 && (o.Intercept != lanes.FreeIntercept || j < 6) {
				want++
			}
		}
		if got := f.Problem.NonZeros(f.Result.Weights); got != want {
			t.Errorf("%d weights are not 0, not %d", got, want)
		}
	}
}

// TestStreamedOptions: rows in a file have the bits of rows in memory. Options are weights of
// classes, rows of length 1, targets and an initial model.
func TestStreamedOptions(t *testing.T) {
	data := rows(t, "onehot:n=5000,d=40")
	targets := relabelled(data, func(i int) float64 { return float64(i%29)/4 - data.Y[i] })
	initial := train(t, data, lanes.Options{Penalty: lanes.L2(0.1)})
	for k, c := range []struct {
		data *sparse.Data
		o    lanes.Options
	}{
		{data, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 5, Negative: 0.25}, Normalize: model.NormalizeUnit}},
		{data, lanes.Options{ClassWeight: lanes.Balanced, Positive: "-1", Normalize: model.NormalizeStd, Intercept: lanes.FreeIntercept}},
		{targets, lanes.Options{Intercept: lanes.FreeIntercept}}, {targets, lanes.Options{Loss: loss.Huber{Delta: 0.5}}},
		{data, lanes.Options{Initial: initial.Model, Settings: solvers.Settings{MaxIterations: 1}}},
	} {
		path := filepath.Join(t.TempDir(), fmt.Sprint(k))
		if err := sparse.WriteCacheFile(path, c.data); err != nil {
			t.Fatal(err)
		}
		stream, err := sparse.OpenStream(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := lanes.TrainStream(t.Context(), stream, 0, c.o)
		if err != nil {
			t.Fatal(err)
		}
		c.o.Settings.Shards = f.Used.Shards
		memory := train(t, c.data, c.o)
		if !slices.Equal(memory.Result.Weights, f.Result.Weights) {
			t.Errorf("%d: other bits than in memory", k)
		}
		for name, v := range memory.Metrics {
			if !(math.Abs(f.Metrics[name]-v) <= 1e-12) {
				t.Errorf("%d: %s is %v, not %v", k, name, f.Metrics[name], v)
			}
		}
		if _, err := lanes.TrainStream(t.Context(), stream, 1, c.o); err == nil {
			t.Errorf("%d: a run in one byte", k)
		}
	}
}
