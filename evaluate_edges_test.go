package lanes_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// TestEvaluateBlocks: blocks give the report of all rows, also where words come in another order
// in every block.
func TestEvaluateBlocks(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]model.Model{
		"two":     linear(model.Card{Features: 9, Positive: 1, Negative: -1, Rest: true, Meta: &model.Meta{LabelNames: []string{"pear", "rest"}}}, "L2R_LR", 1),
		"several": linear(model.Card{Features: 9, Classes: []float64{1, 2, 3}, Meta: &model.Meta{LabelNames: []string{"pear", "apple", "plum"}}}, "L2R_LR", 1),
	} {
		rows := makeRows(2000, 9, "apple", "pear", "plum")
		for i := range 100 {
			rows.labels[i], rows.labels[i+100] = "plum", "pear"
		}
		o := lanes.EvaluateOptions{RowWeights: rows.weight}
		want, err := lanes.Evaluate(context.Background(), m, rows.data(t), o)
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		read := func(yield func(*sparse.Data, error) bool) {
			for block, err := range sparse.Blocks(context.Background(), strings.NewReader(rows.text()), "rows", m.About().ReadOptions(), 2000) {
				blocks++
				if !yield(block, err) {
					return
				}
			}
		}
		got, err := lanes.EvaluateBlocks(m, model.ScoreBlocks(context.Background(), m, nil, read), o)
		if err != nil || blocks < 10 || got.String() != want.String() || !strings.Contains(got.String(), "2000, ") {
			t.Errorf("%s: %d blocks, %v:\n%v\nwant\n%v", name, blocks, err, got, want)
		}
		rows.labels[1500], rows.values[1700][2] = "cherry", 1e300
		weights := m.(*model.Linear).Weights
		weights[2] = 1e300
		if name == "two" { // which takes all labels
			rows.labels[1500] = "apple"
		}
		_, err = lanes.EvaluateBlocks(m, model.ScoreBlocks(context.Background(), m, nil, read), lanes.EvaluateOptions{})
		var wrong *lanes.DataError
		if row := map[string]int{"two": 1701, "several": 1501}[name]; !errors.As(err, &wrong) || wrong.Row != row {
			t.Errorf("%s: %v, want one of row %d", name, err, row)
		}
	}
}

// TestMissing: what cannot be computed has a reason, and is NaN.
func TestMissing(t *testing.T) {
	t.Parallel()
	rows := makeRows(50, 9, "1")
	m := linear(model.Card{Features: 9, Positive: 1, Negative: -1}, "L2R_LR", 1)
	r, err := lanes.Evaluate(context.Background(), m, rows.data(t), lanes.EvaluateOptions{Rates: [2]float64{0, 0.1}})
	if err != nil || r.AveragePrecision != 1 || r.AUROC == r.AUROC || r.PartialAUC == r.PartialAUC || r.Positives != 50 || strings.Join(r.Missing, "; ") != "AUC cannot be computed: there are no negatives; partial AUC 0,0.1 cannot be computed: there are no negatives" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = lanes.Evaluate(context.Background(), m, rows.data(t), lanes.EvaluateOptions{Positive: "-1"})
	if err != nil || r.AveragePrecision == r.AveragePrecision || len(r.Missing) != 2 || r.LogLoss != r.LogLoss {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = lanes.Evaluate(context.Background(), linear(model.Card{Features: 9, Regression: true}, "L2R_L2LOSS_SVR", 0), rows.data(t), lanes.EvaluateOptions{})
	if err != nil || r.MeanSquaredError != r.MeanSquaredError || r.R2 == r.R2 || len(r.Missing) != 1 || r.Missing[0] != "R2 cannot be computed: all targets are 1" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReadFor: a file is read with the columns, the index base and the labels of the model.
func TestReadFor(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(path, []byte("ham 0:1 2:2 9:1\nspam 1:3 8:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m := linear(model.Card{Features: 9, Positive: 1, Negative: -1, Meta: &model.Meta{ZeroBased: true, LabelNames: []string{"spam", "ham"}}}, "L2R_LR", 0)
	data, err := lanes.ReadFor(context.Background(), path, m)
	if err != nil || data.X.Cols() != 9 || data.Dropped != 1 {
		t.Fatalf("%+v, %v", data, err)
	}
	r, err := lanes.Evaluate(context.Background(), m, data, lanes.EvaluateOptions{Workers: 2})
	if err != nil || r.Positives != 1 || r.Rows != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := lanes.ReadFor(ended, path, m); !errors.Is(err, context.Canceled) {
		t.Errorf("reading after the end: %v", err)
	}
	if _, err := lanes.Evaluate(ended, m, data, lanes.EvaluateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("measuring after the end: %v", err)
	}
	if _, err := lanes.ReadFor(context.Background(), path, nil); err == nil {
		t.Error("there is no model")
	}
}

// TestEvaluateRefusals: errors say which option, or which row.
func TestEvaluateRefusals(t *testing.T) {
	t.Parallel()
	rows := makeRows(60, 9, "1", "-1").data(t)
	two := linear(model.Card{Features: 9, Positive: 1, Negative: -1}, "L2R_LR", 0)
	three := linear(model.Card{Features: 9, Classes: []float64{1, -1, 3}}, "L2R_LR", 0)
	words := linear(model.Card{Features: 9, Positive: 1, Negative: -1, Rest: true, Meta: &model.Meta{LabelNames: []string{"ham", "rest"}}}, "L2R_LR", 0)
	targets := linear(model.Card{Features: 9, Regression: true}, "L2R_L2LOSS_SVR", 0)
	large := linear(model.Card{Features: 9, Positive: 1, Negative: -1}, "L2R_LR", 0)
	several := linear(model.Card{Features: 9, Classes: []float64{1, -1, 3}}, "L2R_LR", 0)
	for _, weights := range [][]float64{large.Weights, several.Weights} {
		for j := range weights {
			weights[j] = math.MaxFloat64
		}
	}
	huge := (&plainRows{labels: []string{"1", "1"}, values: [][]float64{{1, 0, 0}, {1, 1, 1}}}).data(t)
	picky := linear(model.Card{Features: 3, Positive: 1, Negative: -1, RefuseUnknown: true}, "L2R_LR", 0)
	type options = lanes.EvaluateOptions
	evaluate := func(m model.Model, data *sparse.Data, o options) error {
		_, err := lanes.Evaluate(context.Background(), m, data, o)
		return err
	}
	scores := func(labels, scores []float64, o options) error {
		_, err := lanes.EvaluateScores(labels, scores, o)
		return err
	}
	other := *rows
	other.Y = append([]float64{1, -1, 7}, rows.Y[3:]...)
	heavy := ones(60)
	heavy[4] = -1
	for says, c := range map[string]struct {
		err    error
		option string // of an OptionError
		row    int    // of a DataError, -1 for others
	}{
		"Positive = x: a label is a finite number":             {evaluate(two, rows, options{Positive: "x"}), "Positive", 0},
		"Positive = 7: the model has no such class; name":      {evaluate(three, rows, options{Positive: "7"}), "Positive", 0},
		"no such class, only ham":                              {evaluate(words, rows, options{Positive: "rest"}), "Positive", 0},
		"Positive = 1: it goes with classes":                   {evaluate(targets, rows, options{Positive: "1"}), "Positive", 0},
		"they go with classes":                                 {evaluate(targets, rows, options{Rates: [2]float64{0, 1}}), "Rates", 0},
		"put one of the 3 against the rest with Positive":      {evaluate(three, rows, options{Rates: [2]float64{0, 1}}), "Rates", 0},
		"Rates = [0.5 0.2]: give two rates":                    {evaluate(two, rows, options{Rates: [2]float64{0.5, 0.2}}), "Rates", 0},
		"Rates = [0 1.5]":                                      {scores([]float64{0, 1}, []float64{0, 1}, options{Rates: [2]float64{0, 1.5}}), "Rates", 0},
		"59 numbers: there are 60 rows":                        {evaluate(two, rows, options{RowWeights: ones(59)}), "RowWeights", 0},
		"the weight of row 5":                                  {evaluate(three, rows, options{RowWeights: heavy}), "RowWeights", 0},
		"their sum is 0":                                       {evaluate(targets, rows, options{RowWeights: make([]float64, 60)}), "RowWeights", 0},
		"RowWeights = 1 numbers: there are 2 rows":             {scores([]float64{0, 1}, []float64{0, 1}, options{RowWeights: ones(1)}), "RowWeights", 0},
		"Positive = z: a label is":                             {scores([]float64{0, 1}, []float64{0, 1}, options{Positive: "z"}), "Positive", 0},
		"lanes: row 3: the label 7 is not among the 2 classes": {evaluate(two, &other, options{}), "", 3},
		"lanes: row 3: the label 7 is not among the 3 classes": {evaluate(three, &other, options{}), "", 3},
		"the labels are numbers":                               {evaluate(words, rows, options{}), "", 0},
		"lanes: row 2: its score is +Inf":                      {evaluate(large, huge, options{}), "", 2},
		"lanes: row 2: its score is +Inf: its values are":      {evaluate(several, huge, options{}), "", 2},
		"is unknown to the model":                              {evaluate(picky, rows, options{}), "", 1},
		"there are no rows":                                    {evaluate(two, &sparse.Data{X: new(sparse.Matrix)}, options{}), "", 0},
		"2 labels of 1 scores":                                 {scores([]float64{0, 1}, []float64{0}, options{}), "", 0},
		"lanes: row 2: its score is NaN":                       {scores([]float64{0, 1}, []float64{0, math.NaN()}, options{}), "", 2},
		"no row has the label 4":                               {scores([]float64{0, 1}, []float64{0, 1}, options{Positive: "4"}), "", 0},
		"another number of scores than":                        {evaluate(two, &sparse.Data{X: rows.X, Y: rows.Y[:3]}, options{}), "", 0},
		"lanes: there is no model":                             {evaluate(nil, rows, options{}), "", -1},
		"a block without data":                                 {evaluate(two, nil, options{}), "", -1},
		"weights":                                              {evaluate(&model.Linear{Card: model.Card{Features: 2, Positive: 1}, SolverType: "L2R_LR"}, rows, options{}), "", -1},
	} {
		var option *lanes.OptionError
		var data *lanes.DataError
		is := errors.As(c.err, &option) && option.Option == c.option || c.option == "" && c.row >= 0 && errors.As(c.err, &data) && data.Row == c.row || c.row < 0 && c.err != nil
		if !is || !strings.Contains(c.err.Error(), says) {
			t.Errorf("%v; want %q, option %q, row %d", c.err, says, c.option, c.row)
		}
	}
	if _, err := lanes.EvaluateBlocks(two, nil, options{}); err == nil {
		t.Error("there are no blocks")
	}
}
