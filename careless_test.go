package lanes_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// numbered are weights of 60 rows.
func numbered(weight func(i int) float64) []float64 {
	list := make([]float64, 60)
	for i := range list {
		list[i] = weight(i)
	}
	return list
}

// Options that say nothing, or what cannot be, are refused before a run.
func TestOptionsThatWouldBeIgnored(t *testing.T) {
	data := rows(t, "onehot:n=60,d=4")
	nan := math.NaN()
	for _, c := range []struct {
		option string
		o      lanes.Options
	}{
		{"RowWeights", lanes.Options{RowWeights: numbered(func(i int) float64 { return []float64{1, nan}[i/59] })}},
		{"RowWeights", lanes.Options{RowWeights: numbered(func(i int) float64 { return float64(58 - i) })}},
		{"RowWeights", lanes.Options{RowWeights: numbered(func(int) float64 { return math.Inf(1) })}},
		{"RowOffsets", lanes.Options{RowOffsets: numbered(func(i int) float64 { return math.Log(float64(i)) })}},
		{"RowWeights", lanes.Options{RowWeights: make([]float64, 60)}}, {"Loss", lanes.Options{Loss: loss.Huber{Delta: -1}}}, {"Metric", lanes.Options{Metric: "beauty"}},
		{"Positive", lanes.Options{Kind: lanes.Regression, Positive: "1"}}, {"Positive", lanes.Options{Kind: lanes.Softmax, Positive: "1"}},
		{"Positive", lanes.Options{Kind: lanes.OneVsRest, Positive: "1"}}, {"Settings.MaxEpochs", lanes.Options{Settings: solvers.Settings{MaxEpochs: -1}}},
		{"Settings.MaxEpochs", lanes.Options{Settings: solvers.Settings{MaxEpochs: nan}}}, {"FeatureNames", lanes.Options{FeatureNames: []string{"a", "b", "a", "c"}}},
	} {
		f, err := lanes.Train(t.Context(), data, c.o)
		var wrong *lanes.OptionError
		if f != nil || !errors.As(err, &wrong) || wrong.Option != c.option {
			t.Errorf("%s: %v, %v", c.option, f, err)
		}
	}
	initial := train(t, data, lanes.Options{Intercept: lanes.PenalisedIntercept})
	for _, c := range []struct {
		option string
		o      lanes.Options
	}{
		{"Kind", lanes.Options{Kind: lanes.Softmax}}, {"Loss", lanes.Options{Loss: loss.SquaredHinge{}}}, {"Penalty", lanes.Options{Penalty: lanes.L1(1)}},
		{"Intercept", lanes.Options{Intercept: lanes.FreeIntercept}}, {"ClassWeight", lanes.Options{ClassWeight: lanes.Balanced}}, {"Solver", lanes.Options{Solver: "newton"}},
		{"Metric", lanes.Options{Metric: "auc"}}, {"Validation", lanes.Options{Validation: data}}, {"Initial", lanes.Options{Initial: initial.Model}},
	} {
		f, err := lanes.For(t.Context(), data, lanes.AUROC, 2, c.o)
		var wrong *lanes.OptionError
		if f != nil || !errors.As(err, &wrong) || wrong.Option != c.option {
			t.Errorf("a search with %s: %v, %v", c.option, f, err)
		}
	}
}

// TestLabelsThatAreNone: labels that are neither numbers nor places of words are refused. So are
// validation rows without labels.
func TestLabelsThatAreNone(t *testing.T) {
	data := rows(t, "onehot:n=60,d=4")
	named := func(label func(i int) float64) *sparse.Data {
		d := relabelled(data, label)
		d.LabelNames = []string{"a", "b"}
		return d
	}
	for name, d := range map[string]*sparse.Data{
		"infinite": relabelled(data, func(i int) float64 { return math.Inf(i%2 - 1) }), "beyond": named(func(i int) float64 { return float64(i % 3) }),
		"between": named(func(i int) float64 { return float64(i%2) / 2 }), "below": named(func(i int) float64 { return float64(-i % 2) }),
		"nan": named(func(i int) float64 { return math.NaN() }), "target": relabelled(data, func(i int) float64 { return math.Log(float64(i)) }),
	} {
		f, err := lanes.Train(t.Context(), d, lanes.Options{})
		var wrong *lanes.DataError
		if f != nil || !errors.As(err, &wrong) || name == "target" && wrong.Row != 1 {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for name, d := range map[string]*sparse.Data{"short": {X: data.X, Y: data.Y[:5]}, "nothing": {}} {
		f, err := lanes.Train(t.Context(), data, lanes.Options{Validation: d})
		var wrong *lanes.DataError
		if f != nil || !errors.As(err, &wrong) || !wrong.Validation {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// A problem that was made for weights of the L1 norm is for no other run, and the reverse.
func TestProblemsOfOtherSearches(t *testing.T) {
	data := rows(t, "onehot:n=60,d=4")
	along, err := lanes.PoseSearch(data, lanes.Search{OverL1: true})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := lanes.Pose(data, lanes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var none context.Context // of a careless caller
	for name, run := range map[string]func() (*lanes.Fitted, error){
		"train": func() (*lanes.Fitted, error) { return along.Train(t.Context()) }, "for": func() (*lanes.Fitted, error) { return along.For(t.Context(), "ap", 2) },
		"path":  func() (*lanes.Fitted, error) { return along.Path(t.Context(), lanes.Search{}) },
		"l1":    func() (*lanes.Fitted, error) { return plain.Path(t.Context(), lanes.Search{OverL1: true}) },
		"folds": func() (*lanes.Fitted, error) { return plain.CrossValidate(t.Context(), lanes.Search{OverL1: true}) },
		"nil":   func() (*lanes.Fitted, error) { return plain.Train(none) },
	} {
		if f, err := run(); f != nil || err == nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// Runs of one problem at the same time do not disturb each other, and cancelled runs
// have a model or say that they have none.
func TestProblemIsShared(t *testing.T) {
	data := rows(t, "onehot:n=300,d=12")
	three := relabelled(data, func(i int) float64 { return float64(i % 3) })
	for name, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"two": {data, lanes.Options{Validation: data, Normalize: "std"}}, "rest": {three, lanes.Options{ClassWeight: lanes.Balanced}}, "softmax": {three, lanes.Options{Kind: lanes.Softmax, Validation: three}},
		"hidden": {data, lanes.Options{Solver: "adap", Hidden: []int{3}, Validation: data, Settings: solvers.Settings{MaxEpochs: 4}}},
	} {
		p, err := lanes.Pose(c.data, c.o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.Train(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for k := range 6 {
			wait.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if k >= 4 {
					go cancel()
				}
				f, err := p.Train(ctx)
				switch {
				case err == nil && !slices.Equal(f.Result.Weights, want.Result.Weights):
					t.Errorf("%s: other bits", name)
				case err != nil && (k < 4 || !errors.Is(err, context.Canceled) || (f == nil) != errors.Is(err, lanes.ErrNotBegun) || f != nil && f.Model == nil):
					t.Errorf("%s: %v, %v", name, f, err)
				}
			})
		}
		wait.Wait()
	}
}
