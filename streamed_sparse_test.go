package lanes_test

import (
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// Sparse models of rows in a file have the bits of shards in memory: alone, scaled, with groups, factors and
// bounds, of classes, on a path and in folds.
func TestSparseInFile(t *testing.T) {
	data := tabled(t)
	stream := opened(t, data)
	shards := stream.Rows() / 1500
	for shards&(shards-1) != 0 {
		shards &= shards - 1
	}
	sparse := lanes.Options{Positive: ">50K", Penalty: lanes.L1(3e-3), Intercept: lanes.FreeIntercept, Settings: solvers.Settings{Shards: shards}}
	elastic, scaled, grouped, bounded, classes := sparse, sparse, sparse, sparse, sparse
	elastic.Penalty.L2 = 1e-3
	scaled.Normalize = model.NormalizeStd
	grouped.Penalty, grouped.ColumnGroups = lanes.GroupLasso(3e-3), [][]int{{0, 1, 2, 3, 4}, {5, 6, 7}}
	bounded.Bounds, bounded.PenaltyFactors = map[string]lanes.Interval{"1": {Lower: 0, Upper: 1}}, map[string]float64{"2": 0, "3": 2}
	classes.Kind, classes.Positive = lanes.OneVsRest, ""
	plain := *data
	plain.Offset, plain.Encoding = nil, nil // columns are named by their numbers
	for name, o := range map[string]lanes.Options{"alone": sparse, "an elastic net": elastic, "scaled": scaled, "groups": grouped, "bounds and factors": bounded, "classes": classes} {
		rows, in := data, stream
		if name == "classes" || o.Bounds != nil {
			rows, in = &plain, opened(t, &plain)
		}
		want := train(t, rows, o)
		got, err := lanes.TrainStream(t.Context(), in, 60<<20, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !want.Result.Status.Solved() || want.Result.NonZeros == 0 && want.Fits == nil {
			t.Errorf("%s: %v, %d weights", name, want.Result.Status, want.Result.NonZeros)
		}
		if a, b := solvers.HashWeights(got.Result.Weights), solvers.HashWeights(want.Result.Weights); a != b || got.Result.Gap != want.Result.Gap {
			t.Errorf("%s: weights %s with a gap of %v, in memory %s with %v", name, a, got.Result.Gap, b, want.Result.Gap)
		}
	}
	s := lanes.Search{Options: sparse, OverL1: true, Weights: []float64{3e-2, 1e-2, 3e-3}}
	s.Penalty = lanes.Penalty{}
	want, err := lanes.Path(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := lanes.PathStream(t.Context(), stream, 60<<20, s)
	if err != nil {
		t.Fatal(err)
	}
	for k := range s.Weights {
		if solvers.HashWeights(got.Fits[k].Result.Weights) != solvers.HashWeights(want.Fits[k].Result.Weights) {
			t.Errorf("point %d of a path has other weights", k)
		}
	}
	s.Folds = 3
	if want, err = lanes.CrossValidate(t.Context(), data, s); err != nil {
		t.Fatal(err)
	}
	if got, err = lanes.CrossValidateStream(t.Context(), stream, 60<<20, s); err != nil {
		t.Fatal(err)
	}
	for k := range s.Weights {
		if a, b := got.Folds.Mean[k], want.Folds.Mean[k]; a != b {
			t.Errorf("weight %d has %v over folds, in memory %v", k, a, b)
		}
	}
	s.Folds, s.Weights = 0, nil
	if _, err = lanes.Path(t.Context(), data, s); err == nil || !strings.Contains(err.Error(), "give the weights") {
		t.Errorf("usual weights: %v", err)
	}
}
