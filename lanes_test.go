package lanes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func rows(t *testing.T, spec string) *sparse.Data {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: data.X, Y: data.Y}
}

func train(t *testing.T, data *sparse.Data, o lanes.Options) *lanes.Fitted {
	t.Helper()
	f, err := lanes.Train(t.Context(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The model that Train returns has, by a plain sum over the rows, the objective that its result
// tells: with every kind of penalty and intercept, and weights of rows and classes.
func TestTrainedModelHasItsObjective(t *testing.T) {
	data := rows(t, "onehot:n=700,d=40")
	weights := make([]float64, 700)
	for i := range weights {
		weights[i] = float64(i%5) * 0.75
	}
	offsets := make([]float64, 700)
	for i := range offsets {
		offsets[i] = float64(i%3) - 1.25
	}
	for name, o := range map[string]lanes.Options{
		"zero":        {},
		"offsets":     {RowOffsets: offsets, RowWeights: weights, Intercept: lanes.FreeIntercept},
		"penalised":   {Intercept: lanes.PenalisedIntercept, Penalty: lanes.L2(0.01)},
		"free":        {Intercept: lanes.FreeIntercept, Penalty: lanes.Penalty{C: 0.5}},
		"tight":       {Settings: solvers.Settings{GapTolerance: 1e-9}},
		"l1":          {Penalty: lanes.L1(0.003), Intercept: lanes.FreeIntercept},
		"elastic net": {Penalty: lanes.ElasticNet(0.003, 0.02)},
		"weighted":    {RowWeights: weights, ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}},
		"balanced":    {RowWeights: weights, ClassWeight: lanes.Balanced, Intercept: lanes.FreeIntercept},
		"hinge":       {Loss: loss.SquaredHinge{}, RowWeights: weights},
		"unit":        {Normalize: model.NormalizeUnit},
		"std":         {Normalize: model.NormalizeStd, Positive: "-1"},
	} {
		f := train(t, data, o)
		if f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) {
			t.Errorf("%s: %v, gap %v", name, f.Result.Status, f.Result.Gap)
		}
		scores, err := f.Scores(nil, nil, data.X)
		if err != nil {
			t.Fatal(err)
		}
		positives := 0.0
		for _, y := range data.Y {
			if (y > 0) != (o.Positive == "-1") {
				positives++
			}
		}
		sum := 0.0
		for i, z := range scores {
			y, w := data.Y[i], 1.0
			if o.RowOffsets != nil {
				z += o.RowOffsets[i]
			}
			if o.Positive == "-1" {
				y = -y
			}
			if o.RowWeights != nil {
				w = o.RowWeights[i]
			}
			switch c := o.ClassWeight; {
			case c.Balanced && y > 0:
				w *= 700 / (2 * positives)
			case c.Balanced:
				w *= 700 / (2 * (700 - positives))
			case c.Positive > 0 && y > 0:
				w *= c.Positive
			case c.Positive > 0:
				w *= c.Negative
			}
			if phi := math.Log1p(math.Exp(-y * z)); o.Loss == nil {
				sum += w * phi
			} else {
				sum += w * max(0, 1-y*z) * max(0, 1-y*z) / 2
			}
		}
		l1, l2 := o.Penalty.L1, o.Penalty.L2
		switch {
		case o.Penalty.C > 0:
			l2 = 1 / (0.5 * 700)
		case o.Penalty == lanes.Penalty{}:
			l2 = 1. / 700
		}
		want := sum / 700
		for j, w := range f.Result.Weights {
			if o.Intercept == lanes.FreeIntercept && j == len(f.Result.Weights)-1 {
				continue
			}
			want += l1*math.Abs(w) + l2/2*w*w
		}
		if !(math.Abs(f.Result.Objective-want) <= 1e-12) {
			t.Errorf("%s: the objective is %v, not %v", name, f.Result.Objective, want)
		}
	}
}

// relabelled are rows with other labels.
func relabelled(data *sparse.Data, label func(i int) float64) *sparse.Data {
	other := *data
	other.Y = make([]float64, len(data.Y))
	for i := range other.Y {
		other.Y[i] = label(i)
	}
	return &other
}

// Labels and options say what is trained.
func TestTrainByLabels(t *testing.T) {
	data := rows(t, "dense:n=200,d=8")
	three := relabelled(data, func(i int) float64 { return float64(3 + i%3) })
	words := *relabelled(data, func(i int) float64 { return float64(i % 3) })
	words.LabelNames = []string{"bird", "cat", "dog"}
	two := *relabelled(data, func(i int) float64 { return float64(i % 2) })
	two.LabelNames = []string{"ham", "spam"}
	halves := relabelled(data, func(i int) float64 { return float64(i%7) / 2 })
	counts := relabelled(data, func(i int) float64 { return float64(i % 30) })
	for name, c := range map[string]struct {
		data   *sparse.Data
		o      lanes.Options
		labels string
	}{
		"two numbers":     {data, lanes.Options{}, "[1 -1]"},
		"two words":       {&two, lanes.Options{}, "[spam ham]"},
		"a chosen word":   {&two, lanes.Options{Positive: "ham"}, "[ham spam]"},
		"three numbers":   {three, lanes.Options{}, "[3 4 5]"},
		"three words":     {&words, lanes.Options{}, "[bird cat dog]"},
		"softmax":         {&words, lanes.Options{Kind: lanes.Softmax, ClassWeight: lanes.Balanced}, "[bird cat dog]"},
		"one of three":    {&words, lanes.Options{Positive: "cat"}, "[cat rest]"},
		"halves":          {halves, lanes.Options{}, "[]"},
		"many":            {counts, lanes.Options{}, "[]"},
		"many classes":    {counts, lanes.Options{Kind: lanes.OneVsRest, Settings: solvers.Settings{MaxEpochs: 2}}, fmt.Sprint(sequence(30))},
		"squared targets": {three, lanes.Options{Loss: loss.Squared{}}, "[]"},
		"squared classes": {three, lanes.Options{Loss: loss.Squared{}, Kind: lanes.OneVsRest}, "[3 4 5]"},
		"regression":      {data, lanes.Options{Kind: lanes.Regression}, "[]"},
	} {
		f := train(t, c.data, c.o)
		about := f.About()
		var called []string
		for _, label := range about.Labels() {
			called = append(called, about.Word(label))
		}
		if fmt.Sprint(called) != c.labels || about.Regression != (c.labels == "[]") {
			t.Errorf("%s: labels %v, regression %t", name, called, about.Regression)
		}
		if about.Regression && about.Meta.Loss != "squared" {
			t.Errorf("%s: the loss is %s", name, about.Meta.Loss)
		}
		if about.Meta.Softmax != (c.o.Kind == lanes.Softmax) {
			t.Errorf("%s: softmax %t", name, about.Meta.Softmax)
		}
		if _, err := f.Evaluate(t.Context(), c.data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := lanes.Train(t.Context(), three, lanes.Options{Kind: lanes.TwoClasses})
	if labels := (*lanes.LabelsError)(nil); !errors.As(err, &labels) || labels.Count != 3 {
		t.Errorf("three classes where two are asked for: %v", err)
	}
	if words.Y[1] != 1 || words.LabelNames == nil {
		t.Error("the labels of the caller changed")
	}
}

func sequence(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// cancels cancels a run at a point of it.
type cancels struct {
	at     int
	cancel context.CancelFunc
}

func (c *cancels) Record(solvers.Point) error {
	if c.at--; c.at == 0 {
		c.cancel()
	}
	return nil
}

// A run that is cancelled says so, beside the model that it has.
func TestCancelled(t *testing.T) {
	data := rows(t, "onehot:n=2000,d=100")
	ctx, cancel := context.WithCancel(t.Context())
	o := lanes.Options{Solver: "svrg", Settings: solvers.Settings{MaxEpochs: 1000, Recorder: &cancels{3, cancel}}}
	f, err := lanes.Train(ctx, data, o)
	if f == nil || !errors.Is(err, context.Canceled) || f.Result.Status != solvers.Cancelled || f.Model == nil {
		t.Fatalf("%v, %v", f, err)
	}
	o.Settings.Recorder = nil
	if f, err := lanes.Train(ctx, data, o); f != nil || !errors.Is(err, context.Canceled) || !errors.Is(err, lanes.ErrNotBegun) {
		t.Errorf("cancelled before the call: %v, %v", f, err)
	}
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	if f, err := lanes.Train(late, data, o); f != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past its deadline: %v, %v", f, err)
	}
	for name, run := range map[string]func() (*lanes.Fitted, error){
		"path":  func() (*lanes.Fitted, error) { return lanes.Path(ctx, data, lanes.Search{}) },
		"folds": func() (*lanes.Fitted, error) { return lanes.CrossValidate(ctx, data, lanes.Search{}) },
		"for": func() (*lanes.Fitted, error) {
			return lanes.For(ctx, data, lanes.AveragePrecision, 3, lanes.Options{})
		},
	} {
		if f, err := run(); !errors.Is(err, context.Canceled) || f != nil && f.Model != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// Every option that cannot be is named.
func TestOptionErrors(t *testing.T) {
	data := rows(t, "onehot:n=60,d=10")
	inf := math.Inf(1)
	for _, c := range []struct {
		option string
		o      lanes.Options
	}{
		{"Penalty.L1", lanes.Options{Penalty: lanes.L1(-1)}}, {"Penalty.L2", lanes.Options{Penalty: lanes.L2(inf)}},
		{"Penalty.C", lanes.Options{Penalty: lanes.Penalty{C: math.NaN()}}}, {"Penalty.C", lanes.Options{Penalty: lanes.Penalty{C: 1, L2: 1}}},
		{"Penalty.C", lanes.Options{Penalty: lanes.Penalty{C: math.MaxFloat64}}}, {"Penalty.C", lanes.Options{Penalty: lanes.Penalty{C: 5e-324}}},
		{"Loss", lanes.Options{Loss: loss.Huber{Delta: -1}}}, {"Kind", lanes.Options{Kind: 9}}, {"Intercept", lanes.Options{Intercept: 9}},
		{"ClassWeight", lanes.Options{ClassWeight: lanes.ClassWeight{Balanced: true, Positive: 1}}},
		{"ClassWeight", lanes.Options{ClassWeight: lanes.ClassWeight{Positive: -1}}}, {"ClassWeight", lanes.Options{ClassWeight: lanes.Balanced, Kind: lanes.Regression}},
		{"Positive", lanes.Options{Positive: "spam"}}, {"Positive", lanes.Options{Positive: "NaN"}},
		{"RowWeights", lanes.Options{RowWeights: make([]float64, 3)}}, {"FeatureNames", lanes.Options{FeatureNames: []string{"a"}}},
		{"RowOffsets", lanes.Options{RowOffsets: make([]float64, 3)}}, {"RowOffsets", lanes.Options{RowOffsets: make([]float64, 60), Solver: "adap"}},
		{"RowOffsets", lanes.Options{RowOffsets: make([]float64, 60), Validation: data}},
		{"Solver", lanes.Options{Solver: "nobody"}}, {"Solver", lanes.Options{Solver: "scvrg"}}, {"Solver", lanes.Options{Solver: "adap", Kind: lanes.Regression}},
		{"Parameters", lanes.Options{Solver: "svrg", Parameters: map[string]string{"step": "x"}}}, {"Parameters", lanes.Options{Parameters: map[string]string{"step": "1"}}},
		{"Paper", lanes.Options{Solver: "newton", Paper: true}}, {"Rates", lanes.Options{Solver: "agd-sbcd", Rates: [2]float64{0.5, 0.1}}},
		{"Rates", lanes.Options{Rates: [2]float64{0, 0.1}}}, {"RankedRange", lanes.Options{Solver: "sorr-agd", RankedRange: lanes.RankRange{Low: 3, High: 2}}},
		{"RankedRange", lanes.Options{RankedRange: lanes.RankRange{High: 2}}}, {"RankedRange", lanes.Options{Solver: "sorr-agd", RankedRange: lanes.RankRange{High: 100}}},
		{"Hidden", lanes.Options{Hidden: []int{3}}}, {"Hidden", lanes.Options{Solver: "adap", Hidden: []int{0}}},
		{"Hidden", lanes.Options{Solver: "adap", Hidden: []int{3}, Intercept: lanes.PenalisedIntercept}},
		{"Activation", lanes.Options{Solver: "adap", Hidden: []int{3}, Activation: "step"}}, {"Activation", lanes.Options{Activation: "tanh"}},
		{"Loss", lanes.Options{Solver: "adap", Loss: loss.Squared{}}}, {"Normalize", lanes.Options{Normalize: "rank"}},
		{"Penalty.L1", lanes.Options{Solver: "newton", Penalty: lanes.L1(1)}}, {"Settings.Shards", lanes.Options{Solver: "svrg", Settings: solvers.Settings{Shards: 2}}},
		{"Settings.Shards", lanes.Options{Settings: solvers.Settings{Shards: 128}}},
		{"Settings.GapTolerance", lanes.Options{Penalty: lanes.NoPenalty, Settings: solvers.Settings{GapTolerance: 1}}},
		{"Settings.GapTolerance", lanes.Options{Solver: "adap", Settings: solvers.Settings{GapTolerance: 1}}},
		{"Metric", lanes.Options{Validation: data, Metric: "beauty"}},
	} {
		f, err := lanes.Train(t.Context(), data, c.o)
		var wrong *lanes.OptionError
		if f != nil || !errors.As(err, &wrong) || wrong.Option != c.option {
			t.Errorf("%s: %v, %v", c.option, f, err)
			continue
		}
		if strings.Contains(err.Error(), "--") || strings.ContainsAny(err.Error(), "{}") && !strings.Contains(fmt.Sprint(wrong.Value), "{") {
			t.Errorf("%v", err)
		}
	}
	if _, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Folds: 1}); err == nil {
		t.Error("one fold")
	}
	if _, err := lanes.For(t.Context(), data, "beauty", 0, lanes.Options{}); err == nil {
		t.Error("a search for nothing")
	}
	var wrong *lanes.DataError
	if _, err := lanes.Train(t.Context(), nil, lanes.Options{}); !errors.As(err, &wrong) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := lanes.Train(t.Context(), relabelled(data, func(int) float64 { return 1 }), lanes.Options{}); !errors.As(err, &wrong) {
		t.Errorf("one class: %v", err)
	}
	var tooLarge *lanes.MemoryError
	if _, err := lanes.Train(t.Context(), data, lanes.Options{MaxMemory: 100}); !errors.As(err, &tooLarge) || tooLarge.Limit != 100 {
		t.Errorf("no memory: %v", err)
	}
}

// A path and a cross-validation choose the best measured penalty, and Train with that penalty gives
// the same models.
func TestSearches(t *testing.T) {
	data := rows(t, "onehot:n=600,d=50")
	valid := rows(t, "onehot:n=300,d=50")
	s := lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01, 0.001}}
	s.Settings.GapTolerance, s.Intercept = 1e-9, lanes.FreeIntercept
	f, err := lanes.CrossValidate(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for k, mean := range f.Folds.Mean {
		if mean < f.Folds.Mean[best] {
			best = k
		}
	}
	if len(f.Folds.Mean) != 3 || f.Best != best || f.Folds.Chosen != s.Weights[best] || f.Metrics["cv_logloss"] != f.Folds.Mean[best] {
		t.Errorf("%v: %d was chosen, %v", f.Folds.Mean, f.Best, f.Metrics)
	}
	near := func(got *lanes.Fitted, want lanes.Options) {
		t.Helper()
		want.Settings.GapTolerance = 1e-9
		again := train(t, data, want)
		if !(math.Abs(again.Result.Objective-got.Result.Objective) <= 2e-9) {
			t.Errorf("the objective is %v, not %v", got.Result.Objective, again.Result.Objective)
		}
	}
	near(f, lanes.Options{Penalty: lanes.L2(s.Weights[best]), Intercept: lanes.FreeIntercept})

	s.Validation, s.Metric = valid, "roc_auc"
	if f, err = lanes.Path(t.Context(), data, s); err != nil {
		t.Fatal(err)
	}
	best = 0
	for k, fit := range f.Fits {
		if fit.Result.Metric > f.Fits[best].Result.Metric {
			best = k
		}
	}
	if f.Best != best || len(f.Fits) != 3 || f.Metrics["valid_auc"] != f.Fits[best].Result.Metric {
		t.Errorf("%d of %d was chosen, %v", f.Best, len(f.Fits), f.Metrics)
	}
	near(f, lanes.Options{Penalty: lanes.L2(f.Fits[best].Weight), Intercept: lanes.FreeIntercept})

	sparsely := lanes.Search{OverL1: true, Weights: []float64{0.02, 0.005}}
	sparsely.Settings.GapTolerance = 1e-9
	if f, err = lanes.Path(t.Context(), data, sparsely); err != nil {
		t.Fatal(err)
	}
	near(f, lanes.Options{Penalty: lanes.L1(0.005)})
	if meta := f.About().Meta; meta.L1 != 0.005 || meta.Lambda != 0 {
		t.Errorf("the model's weights are %v and %v", meta.L1, meta.Lambda)
	}

	one := lanes.Search{One: true, Folds: 2}
	one.Penalty = lanes.ElasticNet(0.004, 0.03)
	one.Settings.GapTolerance = 1e-9
	if f, err = lanes.CrossValidate(t.Context(), data, one); err != nil {
		t.Fatal(err)
	}
	near(f, lanes.Options{Penalty: one.Penalty})

	three := relabelled(data, func(i int) float64 { return float64(i % 3) })
	for _, kind := range []lanes.Kind{lanes.ByLabels, lanes.Softmax} {
		several := lanes.Search{Folds: 2, Weights: []float64{0.1, 0.01}}
		several.Kind = kind
		if f, err = lanes.CrossValidate(t.Context(), three, several); err != nil || len(f.About().Classes) != 3 || f.Folds.Metric.Name != "logloss" {
			t.Errorf("%v: %v", kind, err)
		}
	}
	if f, err = lanes.For(t.Context(), data, lanes.AveragePrecision, 2, lanes.Options{Settings: solvers.Settings{MaxEpochs: 50}}); err != nil || f.Tried == nil || f.Model == nil {
		t.Errorf("%v, %v", f, err)
	}
}

// Rows in a file give the bits of rows in memory with as many shards.
func TestTrainStream(t *testing.T) {
	data := rows(t, "onehot:n=5000,d=60")
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, data); err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []lanes.Options{{}, {Normalize: model.NormalizeMinMax, Intercept: lanes.PenalisedIntercept, ClassWeight: lanes.Balanced}, {Intercept: lanes.FreeIntercept}} {
		f, err := lanes.TrainStream(t.Context(), stream, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Settings.Shards = f.Used.Shards
		if memory := train(t, data, o); !slices.Equal(memory.Result.Weights, f.Result.Weights) || memory.Metrics["train_accuracy"] != f.Metrics["train_accuracy"] {
			t.Errorf("%+v: other bits than in memory", o)
		}
	}
}

// A model is saved, read, and measured on a file with fewer columns and words as labels.
func TestFilesOfAModel(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data, err := lanes.Read(t.Context(), write("train", "spam 1:2 3:1\nham 2:1 4:2\nspam 1:1\nham 4:1\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := train(t, data, lanes.Options{})
	test, err := f.Read(t.Context(), write("test", "ham 2:1\nspam 1:1 9:5\n"))
	if err != nil {
		t.Fatal(err)
	}
	report, err := f.Evaluate(t.Context(), test)
	if err != nil || test.X.Cols() != 4 || test.Dropped != 1 || !strings.Contains(report.String(), "accuracy") {
		t.Errorf("%v, %v: %d columns, %d entries dropped", report, err, test.X.Cols(), test.Dropped)
	}
	path := filepath.Join(dir, "model")
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	again, err := model.ReadFile(path)
	if err != nil || !reflect.DeepEqual(again.About().Labels(), f.About().Labels()) {
		t.Error(err)
	}
	if _, err := lanes.Read(t.Context(), filepath.Join(dir, "nothing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A training that begins at the model of another one, of the same problem, is at its end.
func TestTrainBeginsAtAModel(t *testing.T) {
	data := rows(t, "onehot:n=500,d=40")
	first := train(t, data, lanes.Options{Intercept: lanes.PenalisedIntercept})
	f := train(t, data, lanes.Options{Intercept: lanes.PenalisedIntercept, Initial: first.Model})
	if f.Result.Status != solvers.Converged || f.Result.Total.Iterations > 1 {
		t.Errorf("%+v", f.Result)
	}
	if _, err := lanes.Train(t.Context(), data, lanes.Options{Initial: first.Model}); err == nil || !strings.Contains(err.Error(), "the training has none") {
		t.Errorf("without the intercept of the model: %v", err)
	}
}

// Options come back from JSON as they were.
func TestOptionsAsJSON(t *testing.T) {
	for _, o := range []lanes.Options{{}, {
		Kind: lanes.Softmax, Loss: loss.Huber{Delta: 2}, Penalty: lanes.NoPenalty, Intercept: lanes.FreeIntercept, Normalize: "std", Positive: "a", ClassWeight: lanes.Balanced,
		Solver: "newton", Parameters: map[string]string{"a": "b"}, Paper: true, Rates: [2]float64{0, 1}, RankedRange: lanes.RankRange{Low: 1, High: 2}, Hidden: []int{3}, Activation: "relu", Metric: "ap",
	}} {
		type options struct {
			lanes.Options
			loss.Text
		}
		text, err := json.Marshal(options{o, loss.TextOf(o.Loss)})
		if err != nil {
			t.Fatal(err)
		}
		var read options
		err = json.Unmarshal(text, &read)
		again := read.Options
		if err == nil {
			again.Loss, err = read.Text.Parse()
		}
		if err != nil || !reflect.DeepEqual(o, again) {
			t.Errorf("%s: %+v, %v", text, again, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"kind": "all"}`), new(lanes.Options)); err == nil {
		t.Error("a kind that is not there was read")
	}
}

// Errors of labels that are words name the words.
func TestWordsAreNotTwoClasses(t *testing.T) {
	data := rows(t, "dense:n=30,d=4")
	for want, c := range map[string]struct {
		words  []string
		labels int
		o      lanes.Options
	}{
		"3 classes where two are needed: name the positive class; the labels are the words bird, cat, dog":                                    {[]string{"bird", "cat", "dog"}, 3, lanes.Options{Kind: lanes.TwoClasses}},
		"the target of a regression is a number, and 1 of 3 values are no numbers: dog; --missing=dog leaves their rows out (Wanted.Missing)": {[]string{"-2", "1e3", "dog"}, 3, lanes.Options{Loss: loss.Squared{}}},
		"3 classes where two are needed: name the positive class; the labels are the words 1, cat, dog":                                       {[]string{"1", "cat", "dog"}, 3, lanes.Options{Loss: loss.Squared{}, Kind: lanes.TwoClasses}},
		"every row has the label bird: two classes are needed; the labels are the words bird":                                                 {[]string{"bird"}, 1, lanes.Options{}},
		"no row has the label dog, which is to be the positive class; the labels are the words bird, cat, dog":                                {[]string{"bird", "cat", "dog"}, 2, lanes.Options{Positive: "dog"}},
	} {
		words := relabelled(data, func(i int) float64 { return float64(i % c.labels) })
		words.LabelNames = c.words
		if _, err := lanes.Train(t.Context(), words, c.o); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	half := relabelled(data, func(i int) float64 { return float64(i % 4) })
	half.LabelNames = []string{"1", "2", "cat", "dog"} // as many words as numbers: none strays
	if _, err := lanes.Pose(half, lanes.Options{Loss: loss.Squared{}}); err != nil && strings.Contains(err.Error(), "are no numbers") {
		t.Error(err)
	}
}
