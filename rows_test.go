package lanes_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// heavy are rows of several blocks with weights above 1 and offsets, as tables give them.
func heavy(t *testing.T) *sparse.Data {
	t.Helper()
	data := rows(t, "onehot:n=3000,d=40")
	for i := range data.Y {
		data.Weight, data.Offset = append(data.Weight, float64(i%4)), append(data.Offset, float64(i%7)/3-1)
	}
	return data
}

// without are the rows alone, and the options that have their weights and offsets.
func without(data *sparse.Data, o lanes.Options) (*sparse.Data, lanes.Options) {
	bare := *data
	bare.Weight, bare.Offset = nil, nil
	o.RowWeights, o.RowOffsets = data.Weight, data.Offset
	return &bare, o
}

// Weights and offsets give the same bits from the data and from the options, in all that trains.
func TestDataHaveWeightsAndOffsets(t *testing.T) {
	repeat.Skip(t)
	data := heavy(t)
	several := *data
	several.Y, several.Offset = slices.Clone(data.Y), nil
	for i := range several.Y {
		several.Y[i] = float64(i % 7 % 3)
	}
	for name, c := range map[string]struct {
		data *sparse.Data
		s    lanes.Search
	}{
		"two":      {data, lanes.Search{}},
		"balanced": {data, lanes.Search{Options: lanes.Options{ClassWeight: lanes.Balanced, Intercept: lanes.FreeIntercept}}},
		"targets":  {data, lanes.Search{Options: lanes.Options{Kind: lanes.Regression, Loss: loss.Huber{}}}},
		"l1":       {data, lanes.Search{Options: lanes.Options{Penalty: lanes.L1(0.01)}}},
		"classes":  {&several, lanes.Search{}},
		"rest":     {&several, lanes.Search{Options: lanes.Options{ClassWeight: lanes.Balanced}}},
		"softmax":  {&several, lanes.Search{Options: lanes.Options{Kind: lanes.Softmax}}},
	} {
		bare, o := without(c.data, c.s.Options)
		plain := c.s
		plain.Options, c.s.Weights, plain.Weights = o, []float64{0.1, 0.01}, []float64{0.1, 0.01}
		for way, fit := range map[string]func(*sparse.Data, lanes.Search) (*lanes.Fitted, error){
			"train": func(d *sparse.Data, s lanes.Search) (*lanes.Fitted, error) {
				return lanes.Train(t.Context(), d, s.Options)
			},
			"path": func(d *sparse.Data, s lanes.Search) (*lanes.Fitted, error) { return lanes.Path(t.Context(), d, s) },
			"folds": func(d *sparse.Data, s lanes.Search) (*lanes.Fitted, error) {
				return lanes.CrossValidate(t.Context(), d, s)
			},
		} {
			if (name == "l1" || testing.Short() && name != "two" && name != "classes") && way != "train" {
				continue
			}
			got, err := fit(c.data, c.s)
			want, wrong := fit(bare, plain)
			if err != nil || wrong != nil {
				t.Fatalf("%s, %s: %v, %v", name, way, err, wrong)
			}
			if !slices.Equal(got.Result.Weights, want.Result.Weights) || !reflect.DeepEqual(got.Metrics, want.Metrics) {
				t.Errorf("%s, %s: other weights or metrics: %v and %v", name, way, got.Metrics, want.Metrics)
			}
			unweighted := *c.data
			unweighted.Weight = nil
			if other, err := fit(&unweighted, c.s); err != nil || slices.Equal(got.Result.Weights, other.Result.Weights) {
				t.Errorf("%s, %s: weights have no effect (%v)", name, way, err)
			}
		}
	}
}

// A row of weight 2 counts as the row twice, a row of weight 0 not at all.
func TestWeightsAreRepeatedRows(t *testing.T) {
	data := heavy(t)
	data.Offset = nil
	var list []uint32
	again := &sparse.Data{}
	for i, w := range data.Weight {
		for range int(w) {
			list, again.Y = append(list, uint32(i)), append(again.Y, data.Y[i])
		}
	}
	var err error
	if again.X, err = data.X.PickRows(nil, list); err != nil {
		t.Fatal(err)
	}
	const lambda = 0.01
	o := lanes.Options{Penalty: lanes.L2(lambda), Settings: solvers.Settings{GapTolerance: 1e-12}}
	once := train(t, data, o)
	o.Penalty = lanes.L2(lambda * float64(len(data.Y)) / float64(len(again.Y)))
	twice := train(t, again, o)
	for j, w := range once.Result.Weights {
		if !(math.Abs(w-twice.Result.Weights[j]) <= 1e-4) {
			t.Errorf("weight %d is %v with weights of rows, %v with rows that are repeated", j, w, twice.Result.Weights[j])
		}
	}
	a, err := lanes.Evaluate(t.Context(), once, data, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := lanes.Evaluate(t.Context(), once, again, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]float64{"accuracy": {a.Accuracy, b.Accuracy}, "log loss": {a.LogLoss, b.LogLoss}, "AUROC": {a.AUROC, b.AUROC}, "AP": {a.AveragePrecision, b.AveragePrecision}} {
		if !near(pair[0], pair[1]) {
			t.Errorf("%s is %v with weights, %v with repeated rows", name, pair[0], pair[1])
		}
	}
}

// The offset of a row is a shifted score: with squared losses, a shifted target.
func TestOffsetsAreShiftedScores(t *testing.T) {
	data := heavy(t)
	shifted := *data
	shifted.Y, shifted.Offset = slices.Clone(data.Y), nil
	for i, o := range data.Offset {
		shifted.Y[i] -= o
	}
	o := lanes.Options{Kind: lanes.Regression, Loss: loss.Squared{}, Settings: solvers.Settings{GapTolerance: 1e-12}}
	with, moved := train(t, data, o), train(t, &shifted, o)
	for j, w := range with.Result.Weights {
		if !(math.Abs(w-moved.Result.Weights[j]) <= 1e-4) {
			t.Errorf("weight %d is %v with offsets, %v with shifted targets", j, w, moved.Result.Weights[j])
		}
	}
	two := train(t, data, lanes.Options{})
	r, err := lanes.Evaluate(t.Context(), two, data, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := two.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range data.Offset {
		scores[i] += o
	}
	if want, _ := metrics.LogLoss(scores, data.Y, data.Weight); r.LogLoss != want {
		t.Errorf("log loss %v, want %v", r.LogLoss, want)
	}
	if want, _ := metrics.Accuracy(scores, data.Y, data.Weight); r.Accuracy != want || two.Metrics["train_accuracy"] != want {
		t.Errorf("accuracy %v and %v, want %v", r.Accuracy, two.Metrics["train_accuracy"], want)
	}
	o = lanes.Options{Validation: data, Metric: "logloss"}
	valid := train(t, data, o)
	if scores, err = valid.Scores(nil, nil, data.X); err != nil {
		t.Fatal(err)
	}
	for i, o := range data.Offset {
		scores[i] += o
	}
	if want, _ := metrics.LogLoss(scores, data.Y, data.Weight); !near(valid.Metrics["valid_logloss"], want) {
		t.Errorf("log loss of the validation %v, want %v", valid.Metrics["valid_logloss"], want)
	}
}

// Blocks of rows, some of them with weights, are measured as all rows at once.
func TestEvaluateBlocksOfWeights(t *testing.T) {
	data := heavy(t)
	f := train(t, data, lanes.Options{})
	for i := range 1000 {
		data.Weight[i], data.Offset[i] = 1, 0
	}
	want, err := lanes.Evaluate(t.Context(), f, data, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool := sparse.NewPool(1)
	defer pool.Close()
	blocks := func(yield func(*sparse.Data, error) bool) {
		for first := 0; first < len(data.Y); first += 500 {
			list := make([]uint32, 500)
			for k := range list {
				list[k] = uint32(first + k)
			}
			x, err := data.X.PickRows(nil, list)
			block := &sparse.Data{X: x, Y: data.Y[first : first+500]}
			if first >= 1000 {
				block.Weight, block.Offset = data.Weight[first:first+500], data.Offset[first:first+500]
			}
			if !yield(block, err) {
				return
			}
		}
	}
	got, err := lanes.EvaluateBlocks(f, model.ScoreBlocks(t.Context(), f, pool, blocks), lanes.EvaluateOptions{})
	if err != nil || got.String() != want.String() {
		t.Errorf("%v\n%v, want\n%v", err, got, want)
	}
	data.Weight[2600] = -1
	if _, err := lanes.EvaluateBlocks(f, model.ScoreBlocks(t.Context(), f, pool, blocks), lanes.EvaluateOptions{}); err == nil || !strings.Contains(err.Error(), "row 2601: weight") {
		t.Error(err)
	}
}

// For measures by the weights of data.
func TestForHasWeights(t *testing.T) {
	data := rows(t, "onehot:n=500,d=20")
	for i := range data.Y {
		data.Weight = append(data.Weight, float64(i%4))
	}
	bare, o := without(data, lanes.Options{Settings: solvers.Settings{MaxEpochs: 20}})
	want, err := lanes.For(t.Context(), bare, lanes.LogLoss, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	o.RowWeights = nil
	got, err := lanes.For(t.Context(), data, lanes.LogLoss, 3, o)
	if err != nil || !reflect.DeepEqual(got.Metrics, want.Metrics) || !slices.Equal(got.Result.Weights, want.Result.Weights) {
		t.Errorf("%v, want %v (%v)", got.Metrics, want.Metrics, err)
	}
}

// TestWrongRows are weights, offsets, groups and encodings that cannot be.
func TestWrongRows(t *testing.T) {
	good := train(t, heavy(t), lanes.Options{})
	other := heavy(t)
	other.Encoding = []byte(`{"version":2}`)
	encoded := train(t, other, lanes.Options{})
	several := relabelled(heavy(t), func(i int) float64 { return float64(i % 3) })
	several.Offset = make([]float64, 3000)
	for want, c := range map[string]struct {
		spoil func(d *sparse.Data, o *lanes.Options)
		test  func(d *sparse.Data, o lanes.Options) error
	}{
		"RowWeights: the data have":     {func(_ *sparse.Data, o *lanes.Options) { o.RowWeights = make([]float64, 3000) }, nil},
		"RowOffsets: the data have":     {func(_ *sparse.Data, o *lanes.Options) { o.RowOffsets = make([]float64, 3000) }, nil},
		"row 5: weight -1":              {func(d *sparse.Data, _ *lanes.Options) { d.Weight[4] = -1 }, nil},
		"row 6: offset NaN":             {func(d *sparse.Data, _ *lanes.Options) { d.Offset[5] = math.NaN() }, nil},
		"weights 7 numbers":             {func(d *sparse.Data, _ *lanes.Options) { d.Weight = d.Weight[:7] }, nil},
		"offsets 7 numbers":             {func(d *sparse.Data, _ *lanes.Options) { d.Offset = d.Offset[:7] }, nil},
		"all weights are 0":             {func(d *sparse.Data, _ *lanes.Options) { clear(d.Weight) }, nil},
		"groups of 9 rows":              {func(d *sparse.Data, _ *lanes.Options) { d.Query = make([]int64, 9) }, nil},
		"adap takes no weights of rows": {func(d *sparse.Data, o *lanes.Options) { o.Solver = "adap" }, nil},
		"RowOffsets: they go with":      {func(d *sparse.Data, o *lanes.Options) { *d = *several }, nil},
		"RowOffsets: the rows of":       {func(d *sparse.Data, o *lanes.Options) { bare := *d; bare.Offset = nil; o.Validation = &bare }, nil},
		"Validation: row 5: weight":     {func(d *sparse.Data, o *lanes.Options) { v := heavy(t); v.Weight[4] = -1; o.Validation = v }, nil},
		"Validation: they have": {func(d *sparse.Data, o *lanes.Options) {
			*d = *relabelled(d, func(i int) float64 { return float64(i % 3) })
			d.Offset = nil
			o.Validation = several
		}, nil},
		"Validation: the rows were": {func(d *sparse.Data, o *lanes.Options) { d.Encoding = []byte(`{"version":1}`); o.Validation = other }, nil},
		"encoded from a table": {func(d *sparse.Data, o *lanes.Options) {
			d.Encoding = []byte(`{"version":1}`)
			o.Initial = encoded.Model
		}, nil},
		"no JSON object":             {func(d *sparse.Data, o *lanes.Options) { d.Encoding = []byte(`[]`) }, nil},
		"RowWeights: the data have ": {nil, evaluates(good.Model, lanes.EvaluateOptions{RowWeights: make([]float64, 3000)}, nil)},
		"row 8: weight -2":           {nil, evaluates(good.Model, lanes.EvaluateOptions{}, func(d *sparse.Data) { d.Weight[7] = -2 })},
		"rows were encoded":          {nil, evaluates(encoded.Model, lanes.EvaluateOptions{}, func(d *sparse.Data) { d.Encoding = []byte(`{"version":1}`) })},
	} {
		data, o := heavy(t), lanes.Options{Settings: solvers.Settings{MaxEpochs: 1}}
		if c.spoil != nil {
			c.spoil(data, &o)
		}
		if c.test == nil {
			c.test = func(d *sparse.Data, o lanes.Options) error { _, err := lanes.Train(t.Context(), d, o); return err }
		}
		err := c.test(data, o)
		option, reason, found := strings.Cut(want, ": the")
		if !found {
			option, reason, found = strings.Cut(want, ": they")
		}
		var bad *lanes.OptionError
		switch {
		case found && strings.HasPrefix(option, "Row"):
			if !errors.As(err, &bad) || bad.Option != option || !strings.Contains(err.Error(), reason) {
				t.Errorf("want %s: %v", want, err)
			}
		case !errors.As(err, new(*lanes.DataError)) && !strings.Contains(want, "JSON") || err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("want %s: %v", want, err)
		}
	}
}

func evaluates(m model.Model, o lanes.EvaluateOptions, spoil func(*sparse.Data)) func(*sparse.Data, lanes.Options) error {
	return func(d *sparse.Data, _ lanes.Options) error {
		if spoil != nil {
			spoil(d)
		}
		_, err := lanes.Evaluate(context.Background(), m, d, o)
		return err
	}
}

// Rows of a table have a free intercept where nothing else is asked for and the solver takes it.
func TestInterceptOfTables(t *testing.T) {
	data := rows(t, "onehot:n=600,d=20")
	three := relabelled(data, func(i int) float64 { return float64(i % 3) })
	for name, c := range map[string]struct {
		data  *sparse.Data
		o     lanes.Options
		means lanes.Intercept
	}{
		"two":         {data, lanes.Options{}, lanes.FreeIntercept},
		"newton":      {data, lanes.Options{Solver: "newton"}, lanes.FreeIntercept},
		"l1":          {data, lanes.Options{Penalty: lanes.L1(0.01)}, lanes.FreeIntercept},
		"targets":     {data, lanes.Options{Kind: lanes.Regression}, lanes.FreeIntercept},
		"rest":        {three, lanes.Options{}, lanes.FreeIntercept},
		"softmax":     {three, lanes.Options{Kind: lanes.Softmax}, lanes.FreeIntercept},
		"softmax two": {data, lanes.Options{Kind: lanes.Softmax}, lanes.FreeIntercept},
		"no taker":    {data, lanes.Options{Solver: "sarah", Settings: solvers.Settings{MaxEpochs: 3}}, lanes.NoIntercept},
		"ranks":       {data, lanes.Options{Solver: "adap", Settings: solvers.Settings{MaxEpochs: 3}}, lanes.PenalisedIntercept},
		"none":        {data, lanes.Options{Intercept: lanes.NoIntercept}, lanes.NoIntercept},
		"penalised":   {data, lanes.Options{Intercept: lanes.PenalisedIntercept}, lanes.PenalisedIntercept},
	} {
		encoded := *c.data
		encoded.Encoding = []byte("{ \"version\": 1 }")
		got := train(t, &encoded, c.o)
		c.o.Intercept = c.means
		want := train(t, c.data, c.o)
		if !slices.Equal(got.Result.Weights, want.Result.Weights) {
			t.Errorf("%s: the intercept is not %s", name, c.means)
		}
		var text bytes.Buffer
		if err := got.Write(&text); err != nil {
			t.Fatal(err)
		}
		read, err := model.Read(&text, name)
		if err != nil || string(read.About().Meta.Table) != `{"version":1}` || want.About().Meta.Table != nil {
			t.Errorf("%s: the model has the table %s (%v)", name, read.About().Meta.Table, err)
		}
		if _, err := lanes.Evaluate(t.Context(), read, &encoded, lanes.EvaluateOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Folds keep groups together: labels that a group alone tells are not foretold from other groups.
func TestFoldsOfGroups(t *testing.T) {
	data := &sparse.Data{}
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	for i := range 400 {
		group := i % 40
		if err := b.AddRow([]int{group}, nil); err != nil {
			t.Fatal(err)
		}
		data.Y, data.Query = append(data.Y, float64(2*(group*group%7%2)-1)), append(data.Query, int64(group))
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	rows := *data
	rows.Query = nil
	s := lanes.Search{Options: lanes.Options{Metric: "auc"}, Weights: []float64{0.01}}
	apart, err := lanes.CrossValidate(t.Context(), &rows, s)
	if err != nil {
		t.Fatal(err)
	}
	together, err := lanes.CrossValidate(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := apart.Metrics["cv_auc"], together.Metrics["cv_auc"]; a < 0.99 || b != 0.5 {
		t.Errorf("AUC of folds %v, with whole groups %v; want 1 and 0.5", a, b)
	}
	o := lanes.Options{Settings: solvers.Settings{MaxEpochs: 20}}
	found, err := lanes.For(t.Context(), data, lanes.AUROC, 4, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found.Tried.Tried[0].Values {
		if v != 0.5 {
			t.Errorf("For measured an AUC of %v on unknown groups", v)
		}
	}
}

// Words of tables are any text, in options, models and predictions.
func TestAnyWords(t *testing.T) {
	for _, names := range [][]string{{"<=50K", ">50K"}, {"1-5", "very good"}, {"NaN", "inf"}, {" ", "ÄÖ, \"x\": y"}, {"1-5", "\U0001F600", "\uFFFDz"}} {
		data := rows(t, "onehot:n=300,d=20")
		for i := range data.Y {
			data.Y[i] = float64(i % len(names))
		}
		data.LabelNames = names
		for _, positive := range append([]string{""}, names...) {
			f := train(t, data, lanes.Options{Positive: positive})
			var text bytes.Buffer
			if err := f.Write(&text); err != nil {
				t.Fatal(err)
			}
			read, err := model.Read(&text, "model")
			if err != nil {
				t.Fatal(err)
			}
			card := read.About()
			if want := names[len(names)-1]; positive == "" && len(names) == 2 {
				positive = want
			}
			if positive != "" && card.Word(card.Positive) != positive || positive == "" && !slices.Equal(card.Words(), names) {
				t.Errorf("%q: the model's words are %q, positive %q", names, card.Words(), card.Word(card.Positive))
			}
			if _, err := lanes.Evaluate(t.Context(), read, data, lanes.EvaluateOptions{Positive: positive}); err != nil {
				t.Errorf("%q, positive %q: %v", names, positive, err)
			}
		}
	}
}

// Rows without labels are for prediction alone.
func TestUnlabelled(t *testing.T) {
	data := rows(t, "onehot:n=300,d=20")
	f := train(t, data, lanes.Options{})
	none := *data
	none.Y, none.Unlabelled = make([]float64, 300), true
	for name, run := range map[string]func() error{
		"Train":      func() error { _, err := lanes.Train(t.Context(), &none, lanes.Options{}); return err },
		"Validation": func() error { _, err := lanes.Train(t.Context(), data, lanes.Options{Validation: &none}); return err },
		"Evaluate": func() error {
			_, err := lanes.Evaluate(t.Context(), f.Model, &none, lanes.EvaluateOptions{})
			return err
		},
	} {
		var bad *lanes.DataError
		if err := run(); !errors.As(err, &bad) || !strings.Contains(err.Error(), "the rows have no labels: ") || bad.Validation != (name == "Validation") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
