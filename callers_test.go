package lanes_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestCallersObjectsStay: no way to train or to measure changes the slices that a caller gives.
func TestCallersObjectsStay(t *testing.T) {
	n := 120
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	data, o := &sparse.Data{}, lanes.Options{Settings: solvers.Settings{Seed: 2, MaxEpochs: 50}, FeatureNames: []string{"c", "a", "b"}}
	weights, offsets, by := []float64{}, []float64{}, []float64{}
	for i := range n {
		columns, values = append(columns, uint32(i%2), 2), append(values, float64(i%7), float64(i*i%11)-5)
		ptr = append(ptr, int64(len(columns)))
		data.Y, data.Query = append(data.Y, []float64{3, -2}[i*i%5%2]), append(data.Query, int64(n-i/3))
		weights, offsets, by = append(weights, float64(i%3)+0.5), append(offsets, float64(i%4)/4), append(by, float64((7*i)%n))
	}
	var err error
	if data.X, err = sparse.NewCSR(3, ptr, columns, values); err != nil {
		t.Fatal(err)
	}
	path := []float64{0.1, 0.01}
	given := []any{ptr, columns, values, data.Y, data.Query, weights, offsets, by, path, o.FeatureNames}
	before := []any{slices.Clone(ptr), slices.Clone(columns), slices.Clone(values), slices.Clone(data.Y), slices.Clone(data.Query),
		slices.Clone(weights), slices.Clone(offsets), slices.Clone(by), slices.Clone(path), slices.Clone(o.FeatureNames)}
	o.RowWeights, o.RowOffsets = weights, offsets
	m, err := lanes.Train(t.Context(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	scores := slices.Clone(offsets)
	given, before = append(given, scores), append(before, slices.Clone(scores))
	tried := 0
	for name, call := range map[string]func(o lanes.Options) error{
		"Train": func(o lanes.Options) error { _, err := lanes.Train(t.Context(), data, o); return err },
		"unit": func(o lanes.Options) error {
			o.Normalize = "unit"
			_, err := lanes.Train(t.Context(), data, o)
			return err
		},
		"std": func(o lanes.Options) error {
			o.Normalize = "std"
			_, err := lanes.Train(t.Context(), data, o)
			return err
		},
		"Path": func(o lanes.Options) error {
			_, err := lanes.Path(t.Context(), data, lanes.Search{Options: o, Weights: path})
			return err
		},
		"CrossValidate": func(o lanes.Options) error {
			_, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, Weights: path, Folds: 3})
			return err
		},
		"For":       func(o lanes.Options) error { _, err := lanes.For(t.Context(), data, "auc", 3, o); return err },
		"Holdout":   func(o lanes.Options) error { o.Holdout = 0.3; _, err := lanes.Train(t.Context(), data, o); return err },
		"HoldoutBy": func(o lanes.Options) error { o.HoldoutBy = by; _, err := lanes.Train(t.Context(), data, o); return err },
		"Evaluate": func(lanes.Options) error {
			_, err := lanes.Evaluate(t.Context(), m, data, lanes.EvaluateOptions{RowWeights: weights})
			return err
		},
		"EvaluateScores": func(lanes.Options) error {
			_, err := lanes.EvaluateScores(data.Y, scores, lanes.EvaluateOptions{RowWeights: weights, Rates: [2]float64{0, 0.5}})
			return err
		},
		"Scores": func(lanes.Options) error { _, err := m.Scores(nil, nil, data.X); return err },
	} {
		if err := call(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if tried++; !reflect.DeepEqual(given, before) {
			t.Fatalf("%s changed what the caller gave", name)
		}
	}
	if tried != 11 {
		t.Errorf("%d calls", tried)
	}
}
