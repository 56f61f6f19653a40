package lanes_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// sameClasses compares the fits of all classes, to the bit.
func sameClasses(t *testing.T, what string, got, want *lanes.Fitted) {
	t.Helper()
	own, other := got.Result, want.Result
	if !slices.Equal(own.Weights, other.Weights) || own.Status != other.Status || own.Objective != other.Objective || own.Gap != other.Gap || own.Total.Epochs != other.Total.Epochs || own.Solver != other.Solver ||
		got.Metrics["train_accuracy"] != want.Metrics["train_accuracy"] || len(got.Fits) != len(want.Fits) {
		t.Errorf("%s: %s, %v, gap %v after %v, %v; in memory %s, %v, %v, %v, %v", what, own.Solver, own.Status, own.Gap, own.Total.Epochs, got.Metrics, other.Solver, other.Status, other.Gap, other.Total.Epochs, want.Metrics)
		return
	}
	for k, fit := range got.Fits {
		if in := want.Fits[k]; fit.Label != in.Label || fit.Rows != in.Rows || fit.F1 != in.F1 || fit.Result.Gap != in.Result.Gap || !(fit.Result.Gap <= got.Used.GapTolerance) {
			t.Errorf("%s, class %v: %d rows, F1 %v, gap %v; in memory %v: %d, %v, %v", what, fit.Label, fit.Rows, fit.F1, fit.Result.Gap, in.Label, in.Rows, in.F1, in.Result.Gap)
		}
	}
}

// Several classes of rows in a file have the fits of rows in memory, at three limits of memory, by one worker or
// three. Their objective is the one of their weights, by a plain sum, and they are certified.
func TestClassesInFile(t *testing.T) {
	plain, weights := uneven(t)
	weighted := *plain
	weighted.Weight = weights
	words := tabled(t)
	words.Offset = nil
	columns := relabelled(rows(t, "text:n=300,d=900"), func(i int) float64 { return float64(i*i%3) - 1 })
	for name, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"rest":          {plain, lanes.Options{}},
		"free":          {plain, lanes.Options{Kind: lanes.OneVsRest, Intercept: lanes.FreeIntercept}},
		"balanced":      {plain, lanes.Options{ClassWeight: lanes.Balanced, Intercept: lanes.PenalisedIntercept, Normalize: model.NormalizeUnit}},
		"weighted":      {&weighted, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}, Loss: loss.SquaredHinge{}}},
		"both":          {&weighted, lanes.Options{ClassWeight: lanes.Balanced}},
		"class weights": {plain, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 30, Negative: 5}}},
		"dual":          {plain, lanes.Options{Solver: "sdca-newton", Penalty: lanes.L2(0.05)}},
		"wide":          {columns, lanes.Options{}}, // by sdca-newton
		"words":         {words, lanes.Options{Normalize: model.NormalizeStd, Penalty: lanes.Penalty{C: 1}}},
		"softmax":       {&weighted, lanes.Options{Kind: lanes.Softmax, ClassWeight: lanes.Balanced, Intercept: lanes.FreeIntercept}},
		"words softmax": {words, lanes.Options{Kind: lanes.Softmax, Normalize: model.NormalizeStd, Penalty: lanes.Penalty{C: 1}}},
		"valid":         {plain, lanes.Options{Kind: lanes.Softmax, Validation: plain, Metric: "logloss"}},
		"initial":       {plain, lanes.Options{Initial: train(t, plain, lanes.Options{Penalty: lanes.L2(1)}).Model}},
	} {
		c.o.Settings.Shards = 8
		want := train(t, c.data, c.o)
		stream := opened(t, c.data, 100)
		least := leastMemory(t, stream, c.o)
		for _, memory := range []int64{least, least + 1<<20, 0} {
			for _, workers := range []int{1, 3} {
				o := c.o
				o.Settings.Workers = workers
				f, err := lanes.TrainStream(t.Context(), stream, memory, o)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				sameClasses(t, name, f, want)
			}
		}
		if strings.HasPrefix(name, "words") || name == "wide" || c.o.Normalize != "" {
			continue
		}
		o, l2 := c.o, c.o.Penalty.L2
		if o.RowWeights = c.data.Weight; l2 == 0 {
			l2 = 1. / float64(len(c.data.Y))
		}
		if sum := objective(c.data, want.Result.Weights, o) + norms(want.Result.Weights, 4, o.Intercept == lanes.FreeIntercept, 0, l2); !(math.Abs(want.Result.Objective-sum) <= 1e-11*sum) {
			t.Errorf("%s: the objective is %v, and %v by a sum", name, want.Result.Objective, sum)
		}
		countsOfClasses(t, name, c.data, o.RowWeights, want)
	}
}

// Classes that are broken off anywhere are resumed with another limit and other workers, to the same bits. They do not
// resume on other labels, weights of classes, or shards.
func TestResumedClassesInFile(t *testing.T) {
	data, _ := uneven(t)
	stream := opened(t, data)
	o := lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 2, Negative: 1}}
	o.Settings.Shards, o.Settings.Overwrite = 8, true
	want := train(t, data, o)
	o.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	for _, at := range []int{1, 2, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		broken := o
		broken.Watch = breaking{cancel, at}
		f, err := lanes.TrainStream(ctx, stream, 0, broken)
		if cancel(); !errors.Is(err, context.Canceled) {
			t.Fatalf("broken off at %d: %v", at, err)
		}
		if f == nil || f.NotBegun != len(want.Fits)-at-1 && f.NotBegun != len(want.Fits)-at {
			t.Errorf("broken off at %d: %+v", at, f)
		}
		resumed := o
		resumed.Settings.Checkpoint, resumed.Settings.Resume, resumed.Settings.Workers = "", o.Settings.Checkpoint, 3
		for what, change := range map[string]func(o *lanes.Options){
			"shards":  func(o *lanes.Options) { o.Settings.Shards = 16 },
			"classes": func(o *lanes.Options) { o.ClassWeight.Positive = 3 },
			"scaling": func(o *lanes.Options) { o.Normalize = model.NormalizeUnit },
			"lambda":  func(o *lanes.Options) { o.Penalty = lanes.L2(0.5) },
			"class":   func(o *lanes.Options) { o.Positive = "1" },
		} {
			other := resumed
			change(&other)
			if _, err := lanes.TrainStream(t.Context(), stream, 0, other); !errors.Is(err, solvers.ErrResume) {
				t.Errorf("other %s: %v", what, err)
			}
		}
		again := relabelled(data, func(i int) float64 { return 2 * data.Y[i] })
		if _, err := lanes.TrainStream(t.Context(), opened(t, again), 0, resumed); !errors.Is(err, solvers.ErrResume) {
			t.Errorf("other labels: %v", err)
		}
		if f, err = lanes.TrainStream(t.Context(), stream, leastMemory(t, stream, o), resumed); err != nil {
			t.Fatal(err)
		}
		sameClasses(t, "resumed", f, want)
	}
}

// What several classes of rows in a file do not have is refused, with a way out.
func TestClassesInFileRefusals(t *testing.T) {
	data, _ := uneven(t)
	stream := opened(t, data)
	offsets := *data
	offsets.Offset = make([]float64, len(data.Y))
	offsets.Offset[1] = 1
	for want, c := range map[string]struct {
		stream *sparse.Stream
		o      lanes.Options
	}{
		"leave Solver out":        {stream, lanes.Options{Kind: lanes.Softmax, Solver: "newton"}},
		"softmax needs one":       {stream, lanes.Options{Kind: lanes.Softmax, Penalty: lanes.Penalty{None: true}}},
		"write a cache without":   {opened(t, &offsets), lanes.Options{}},
		"takes a ridge alone":     {stream, lanes.Options{Kind: lanes.Softmax, Penalty: lanes.L1(0.1)}},
		"cannot judge them all":   {stream, lanes.Options{Validation: data}},
		"name the positive class": {stream, lanes.Options{Kind: lanes.TwoClasses}},
	} {
		if f, err := lanes.TrainStream(t.Context(), c.stream, 0, c.o); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, s := range []lanes.Search{{}, {Options: lanes.Options{Kind: lanes.OneVsRest}}} {
		if _, err := lanes.PathStream(t.Context(), stream, 0, s); err == nil || !strings.Contains(err.Error(), "a path or folds of several classes") {
			t.Errorf("a path: %v", err)
		}
	}
	for _, kind := range []lanes.Kind{lanes.OneVsRest, lanes.Softmax, lanes.ByLabels} {
		for _, err := range shardstest.Run(2, func(ranks solvers.Ranks) error {
			o := lanes.Options{Kind: kind}
			o.Settings.Ranks = ranks
			_, err := lanes.TrainStream(t.Context(), stream, 0, o)
			return err
		}) {
			if err == nil || !strings.Contains(err.Error(), "ositive") && kind != lanes.Softmax {
				t.Errorf("kind %v on two processes: %v", kind, err)
			}
		}
	}
	less, o := leastMemory(t, stream, lanes.Options{Positive: "1"}), lanes.Options{}
	for copies, file := range []string{"", filepath.Join(t.TempDir(), "run")} {
		o.Settings.Checkpoint = file
		if more, want := leastMemory(t, stream, o)-less, int64(8*2*4*30*(copies+1)); more != want {
			t.Errorf("the weights of four classes take %d, and should take %d", more, want)
		}
	}
}

// MeasureClasses refuses what it cannot measure.
func TestMeasureClassesRefuses(t *testing.T) {
	data, _ := uneven(t)
	s := &erm.Streamed{Rows: opened(t, data)}
	w := make([]float64, 4*30)
	for _, c := range []struct {
		s         *erm.Streamed
		w, labels []float64
	}{
		{nil, w, []float64{0, 1, 2, 3}}, {new(erm.Streamed), w, []float64{0, 1, 2, 3}}, {s, w, nil}, {s, w[1:], []float64{0, 1, 2, 3}}, {s, w[:3*30], []float64{0, 1, 2}},
	} {
		if _, err := c.s.MeasureClasses(t.Context(), c.w, c.labels, solvers.Settings{}); err == nil {
			t.Errorf("%d weights of the classes %v are measured", len(c.w), c.labels)
		}
	}
	tables, err := s.MeasureClasses(t.Context(), w, []float64{0, 1, 2, 3}, solvers.Settings{})
	if err != nil || tables[0].FalsePositive+tables[0].TruePositive != 1200 || tables[0].FalseNegative != 0 {
		t.Errorf("rows of equal scores are not of the first class: %v, %v", tables, err)
	}
}
