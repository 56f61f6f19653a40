package lanes_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
)

// Sparse models of rows in a file have the bits of shards in memory: alone, scaled, with groups, factors and
// bounds, and of classes.
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
}

// Without weights of the L1 norm a path over rows in a file has those of shards in memory: it begins where all weights are
// 0, and the next point has some. So have folds. A path that is broken off goes on to the same bits.
func TestSparsePathInFile(t *testing.T) {
	data := rows(t, "text:n=500,d=100")
	stream := opened(t, data)
	s := lanes.Search{OverL1: true, Options: lanes.Options{Tolerance: 1e-4, Intercept: lanes.FreeIntercept, Settings: solvers.Settings{Shards: 4, Overwrite: true}}}
	for name, change := range map[string]func(*lanes.Search){
		"alone": func(*lanes.Search) {}, "given": func(s *lanes.Search) { s.Weights = []float64{3e-2, 1e-2} },
		"elastic": func(s *lanes.Search) { s.Penalty.L2, s.ClassWeight = 1e-2, lanes.Balanced },
		"factors": func(s *lanes.Search) {
			s.PenaltyFactors, s.Normalize = map[string]float64{"2": 0, "3": 2}, model.NormalizeStd
		},
	} {
		own := s
		change(&own)
		want, err := lanes.Path(t.Context(), data, own)
		if err != nil {
			t.Fatal(err)
		}
		_, err = lanes.PathStream(t.Context(), stream, 1, own)
		short := new(erm.MemoryError)
		if !errors.As(err, &short) {
			t.Fatalf("%s, in one byte: %v", name, err)
		}
		if given := new(erm.MemoryError); name == "alone" {
			s := own
			s.Weights, _ = related.Lambdas(1, 0.1, 100)
			if _, err := lanes.PathStream(t.Context(), stream, 1, s); !errors.As(err, &given) || given.Need != short.Need {
				t.Errorf("the usual weights need %v, as many given ones %v", short, err)
			}
		}
		for k, memory := range []int64{short.Need + 8<<20, 60 << 20, 0} {
			own.Settings.Workers = 1 + k%2
			got, err := lanes.PathStream(t.Context(), stream, memory, own)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			samePath(t, name, got, want)
		}
		if first, second := want.Fits[0].Result, want.Fits[1].Result; name == "alone" && (first.NonZeros != 0 || second.NonZeros == 0) || len(want.Fits) != 100 && own.Weights == nil {
			t.Errorf("%s: %d points, the first with %d weights, the second with %d", name, len(want.Fits), first.NonZeros, second.NonZeros)
		}
	}
	broken := s
	broken.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	broken.Watch = breaking{cancel, 7}
	if _, err := lanes.PathStream(ctx, stream, 0, broken); !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	resumed := s
	resumed.Settings.Resume = broken.Settings.Checkpoint
	want, err := lanes.PathStream(t.Context(), stream, 0, s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := lanes.PathStream(t.Context(), stream, 30<<20, resumed)
	if err != nil {
		t.Fatal(err)
	}
	samePath(t, "resumed", got, want)
	s.Folds, s.OneStandardError = 3, true
	if want, err = lanes.CrossValidate(t.Context(), data, s); err != nil {
		t.Fatal(err)
	}
	if got, err = lanes.CrossValidateStream(t.Context(), stream, 60<<20, s); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Folds.Mean, want.Folds.Mean) || got.Folds.Chosen != want.Folds.Chosen || !slices.Equal(got.Result.Weights, want.Result.Weights) {
		t.Errorf("folds choose %v, in memory %v", got.Folds.Chosen, want.Folds.Chosen)
	}
}
