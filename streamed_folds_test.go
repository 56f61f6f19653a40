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
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// sameFolds compares two cross-validations, to the bit.
func sameFolds(t *testing.T, what string, got, want *lanes.Fitted) {
	t.Helper()
	a, b := got.Folds, want.Folds
	same := slices.EqualFunc(a.Values, b.Values, slices.Equal[[]float64]) && slices.Equal(a.Lambdas, b.Lambdas) &&
		slices.Equal(a.Mean, b.Mean) && slices.Equal(a.Error, b.Error) && slices.Equal(a.NonZeros, b.NonZeros)
	if !same || a.Best != b.Best || a.OneError != b.OneError || a.Chosen != b.Chosen || a.Epochs != b.Epochs || a.GradientEvaluations != b.GradientEvaluations {
		t.Errorf("%s: values %v, chosen %v, %v passes; in memory %v, %v, %v", what, a.Values, a.Chosen, a.Epochs, b.Values, b.Chosen, b.Epochs)
	}
	if !slices.Equal(got.Result.Weights, want.Result.Weights) || got.Result.Gap != want.Result.Gap || got.Result.Status != want.Result.Status ||
		got.Made != want.Made || got.Unsolved != want.Unsolved {
		t.Errorf("%s: other weights: gap %v, %v, %d fits; in memory %v, %v, %d", what, got.Result.Gap, got.Result.Status, got.Made, want.Result.Gap, want.Result.Status, want.Made)
	}
}

// A cross-validation over rows in a file has the values, the choice and the weights of one in memory, at three
// limits of memory, by one worker, two and three.
func TestCrossValidateInFile(t *testing.T) {
	whole := tabled(t)
	plain := rows(t, repeat.Size("text:n=2000,d=150", "text:n=1200,d=60"))
	targets := *plain
	targets.Y = slices.Clone(plain.Y)
	for i := range targets.Y {
		targets.Y[i] += float64(i%31) / 7
	}
	for name, c := range map[string]struct {
		data *sparse.Data
		s    lanes.Search
	}{
		"one":     {plain, lanes.Search{Options: lanes.Options{Penalty: lanes.L2(0.02)}, One: true}},
		"wide":    {rows(t, "text:n=400,d=900"), lanes.Search{Folds: 4, Weights: []float64{1, 0.1, 0.01}}}, // by sdca-newton
		"usual":   {plain, lanes.Search{Folds: 3, OneStandardError: true, Options: lanes.Options{Metric: "auc"}}},
		"unit":    {plain, lanes.Search{Folds: 2, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Normalize: model.NormalizeUnit, Intercept: lanes.FreeIntercept}}},
		"std":     {plain, lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Normalize: model.NormalizeStd, Intercept: lanes.PenalisedIntercept, ClassWeight: lanes.Balanced}}},
		"minmax":  {plain, lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Normalize: model.NormalizeMinMax}}},
		"dual":    {plain, lanes.Search{Folds: 3, Options: lanes.Options{Solver: "sdca-newton"}, Weights: []float64{0.1, 0.01}}},
		"words":   {whole, lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Positive: ">50K", ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}}}},
		"targets": {&targets, lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Kind: lanes.Regression}}},
		"shards":  {plain, lanes.Search{Folds: 2, Weights: []float64{1, 0.1}}},
	} {
		s := c.s
		s.Settings.Shards, s.Settings.Seed = 8, 7
		if name == "shards" {
			s.Settings.Shards = 256
		}
		want, err := lanes.CrossValidate(t.Context(), c.data, s)
		if err != nil {
			t.Fatal(err)
		}
		stream := opened(t, c.data, 300, 305)
		// First of all rows, then of the rows of each fold.
		short := &erm.MemoryError{Need: 1}
		for asked := 0; errors.As(err, &short) || asked == 0; asked++ {
			if _, err = lanes.CrossValidateStream(t.Context(), stream, short.Need, s); asked == 0 && err == nil || asked > 8 {
				t.Fatalf("%s, in %d bytes: %v", name, short.Need, err)
			}
		}
		for k, memory := range []int64{short.Need, short.Need + 1<<20, 0} {
			own := s
			own.Settings.Workers = 1 + k
			f, err := lanes.CrossValidateStream(t.Context(), stream, memory, own)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameFolds(t, name, f, want)
		}
		for _, err := range want.FoldScores(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestFoldsInFileByDefinition measures the folds by fits of their own: each is a training on a file of the rows of
// all other folds, and its value a plain mean of the losses of the rows that were left out.
func TestFoldsInFileByDefinition(t *testing.T) {
	data := rows(t, "text:n=600,d=80")
	s := lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{Metric: "logloss"}}
	s.Settings.Seed, s.Settings.Shards, s.Settings.GapTolerance = 5, 4, 1e-12
	f, err := lanes.CrossValidateStream(t.Context(), opened(t, data, 250), 0, s)
	if err != nil {
		t.Fatal(err)
	}
	class := make([]uint32, len(data.Y))
	for i, y := range data.Y {
		if y > 0 {
			class[i] = 1
		}
	}
	fold, err := related.Folds(len(class), class, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	for k, lambda := range s.Weights {
		for which := range uint32(3) {
			var train []uint32
			for i, own := range fold {
				if own != which {
					train = append(train, uint32(i))
				}
			}
			part := sparse.Data{}
			if part.X, err = data.X.PickRows(nil, train); err != nil {
				t.Fatal(err)
			}
			for _, i := range train {
				part.Y = append(part.Y, data.Y[i])
			}
			o := s.Options
			o.Metric, o.Penalty, o.Settings.Shards = "", lanes.L2(lambda), 0
			one, err := lanes.Train(t.Context(), &part, o)
			if err != nil {
				t.Fatal(err)
			}
			sum, count := 0.0, 0.0
			for i, own := range fold {
				if own == which {
					score := 0.0
					for j, x := range data.X.Row(i) {
						score += x * one.Result.Weights[j]
					}
					sum, count = sum+math.Log1p(math.Exp(-data.Y[i]*score)), count+1
				}
			}
			if got := f.Folds.Values[k][which]; math.Abs(got-sum/count) > 1e-6 {
				t.Errorf("lambda %v, fold %d: %v, by definition %v", lambda, which, got, sum/count)
			}
		}
	}
}

// A cross-validation that is broken off anywhere is resumed with another limit and other workers, to the same bits. It
// does not resume on other rows, other folds, another seed, another scaling or other shards.
func TestResumedFoldsInFile(t *testing.T) {
	data := rows(t, "text:n=900,d=60")
	stream := opened(t, data)
	s := lanes.Search{Folds: 3, Weights: []float64{1, 0.1, 0.01, 1e-3}, Options: lanes.Options{Normalize: model.NormalizeStd}}
	s.Settings.Shards, s.Settings.Overwrite, s.Settings.Seed = 8, true, 1
	want, err := lanes.CrossValidate(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	for _, at := range []int{1, 4, 6, 11} {
		ctx, cancel := context.WithCancel(t.Context())
		broken := s
		broken.Settings.Resume, broken.Watch = "", breaking{cancel, at}
		f, err := lanes.CrossValidateStream(ctx, stream, 0, broken)
		if cancel(); f != nil || !errors.Is(err, context.Canceled) || !errors.Is(err, lanes.ErrNotBegun) {
			t.Fatalf("broken off at %d: %v", at, err)
		}
		resumed := s
		resumed.Settings.Checkpoint, resumed.Settings.Resume, resumed.Settings.Workers = "", s.Settings.Checkpoint, 3
		if at == 6 {
			resumesAlone(t, lanes.CrossValidateStream, resumed, stream, data, map[string]func(o *lanes.Search){
				"seeds":   func(o *lanes.Search) { o.Settings.Seed = 2 },
				"folds":   func(o *lanes.Search) { o.Folds = 4 },
				"metrics": func(o *lanes.Search) { o.Metric = "auc" },
			})
		}
		f, err = lanes.CrossValidateStream(t.Context(), stream, 16<<20, resumed)
		if err != nil {
			t.Fatal(err)
		}
		sameFolds(t, "resumed", f, want)
	}
}

// A path in a file does not resume with rows that are normalised otherwise.
func TestPathInFileKnowsItsView(t *testing.T) {
	stream := opened(t, rows(t, "text:n=900,d=60"))
	s := lanes.Search{Weights: []float64{1, 0.1}}
	s.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	broken := s
	broken.Watch = breaking{cancel, 1}
	if _, err := lanes.PathStream(ctx, stream, 0, broken); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.Settings.Resume, s.Settings.Checkpoint = s.Settings.Checkpoint, ""
	unit := s
	unit.Normalize = model.NormalizeUnit
	if _, err := lanes.PathStream(t.Context(), stream, 0, unit); !errors.Is(err, solvers.ErrResume) {
		t.Errorf("resumed on rows of unit length: %v", err)
	}
	if _, err := lanes.PathStream(t.Context(), stream, 0, s); err != nil {
		t.Errorf("resumed on the same rows: %v", err)
	}
}

// What folds over rows in a file do not have is refused, and the plan of memory knows what they take.
func TestFoldsInFileRefusals(t *testing.T) {
	data := rows(t, "onehot:n=600,d=40")
	stream := opened(t, data)
	grouped, few := *data, *data
	for i := range data.Y {
		grouped.Query = append(grouped.Query, int64(i/3))
	}
	few.Y = slices.Repeat([]float64{1}, len(data.Y))
	few.Y[5] = -1
	for want, c := range map[string]struct {
		stream *sparse.Stream
		s      lanes.Search
	}{
		"there must be two folds":        {stream, lanes.Search{Folds: 1}},
		"Kind":                           {stream, lanes.Search{Options: lanes.Options{Kind: lanes.OneVsRest}}},
		"(qid) together":                 {opened(t, &grouped), lanes.Search{}},
		"fewer than the 5 folds":         {opened(t, &few), lanes.Search{}},
		"measures on folds":              {stream, lanes.Search{Options: lanes.Options{Validation: data}}},
		"weights are positive":           {stream, lanes.Search{Weights: []float64{1, 2}}},
		"a cross-validation needs a pen": {stream, lanes.Search{One: true, Options: lanes.Options{Penalty: lanes.Penalty{None: true}}}},
	} {
		if f, err := lanes.CrossValidateStream(t.Context(), c.stream, 0, c.s); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	s := lanes.Search{Folds: 4, Weights: []float64{1, 0.5, 0.1}}
	s.Settings.Workers = 1
	need := func(s lanes.Search) int64 {
		_, err := lanes.CrossValidateStream(t.Context(), stream, 1, s)
		short := new(erm.MemoryError)
		if !errors.As(err, &short) {
			t.Fatalf("in a byte: %v", err)
		}
		return short.Need
	}
	saved, more := s, s
	saved.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	if extra := need(saved) - need(s); extra != 8*40*4 {
		t.Errorf("a checkpoint takes %d bytes, and the weights of 4 folds %d", extra, 8*40*4)
	}
	more.Weights, _ = related.Lambdas(1, 0.1, 16) // three chains
	if extra := need(more) - need(s); extra != 8*40*4*2 {
		t.Errorf("two more chains take %d bytes, and their weights %d", extra, 8*40*4*2)
	}
	f, err := lanes.CrossValidateStream(t.Context(), stream, 0, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range f.FoldScores(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "stay in their file") {
			t.Errorf("scores of folds: %v", err)
		}
	}
	for _, err := range shardstest.Run(2, func(ranks solvers.Ranks) error {
		s := lanes.Search{}
		s.Settings.Ranks = ranks
		_, err := lanes.CrossValidateStream(t.Context(), stream, 0, s)
		return err
	}) {
		if err == nil || !strings.Contains(err.Error(), "several processes") {
			t.Errorf("on two processes: %v", err)
		}
	}
}
