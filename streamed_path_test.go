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
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// samePath compares the points of two paths, to the bit.
func samePath(t *testing.T, what string, got, want *lanes.Fitted) {
	t.Helper()
	if len(got.Fits) != len(want.Fits) || got.Best != want.Best || !slices.Equal(got.Result.Weights, want.Result.Weights) {
		t.Errorf("%s: %d points, the best is %d; in memory %d and %d", what, len(got.Fits), got.Best, len(want.Fits), want.Best)
		return
	}
	for k, fit := range got.Fits {
		own, other := fit.Result, want.Fits[k].Result
		if fit.Weight != want.Fits[k].Weight || !slices.Equal(own.Weights, other.Weights) || own.Status != other.Status || own.Gap != other.Gap ||
			own.Objective != other.Objective || own.Total.Epochs != other.Total.Epochs || math.Float64bits(own.Metric) != math.Float64bits(other.Metric) {
			t.Errorf("%s, point %d: lambda %v, %v, gap %v, metric %v; in memory %v, %v, %v, %v", what, k, fit.Weight, own.Status, own.Gap, own.Metric, want.Fits[k].Weight, other.Status, other.Gap, other.Metric)
			return
		}
	}
}

// A path over rows in a file has the points of a path in memory, at three limits of memory, by one worker or three.
// Its points have the objective of their weights, by a plain sum, and are certified.
func TestPathInFile(t *testing.T) {
	whole := tabled(t)
	plain := rows(t, repeat.Size("text:n=2000,d=150", "text:n=1200,d=60"))
	targets := *plain
	targets.Y = slices.Clone(plain.Y)
	for i := range targets.Y {
		targets.Y[i] += float64(i%31) / 7
	}
	many := rows(t, "text:n=8000,d=300") // with so many columns that a path in memory would number the columns by frequency
	many = wide(t, many, 1<<18)
	if many.X.NNZ() < 1<<18 {
		t.Fatalf("%d entries are too few", many.X.NNZ())
	}
	for name, c := range map[string]struct {
		data *sparse.Data
		s    lanes.Search
	}{
		"wide":     {rows(t, "text:n=400,d=900"), lanes.Search{Weights: []float64{1, 0.1, 0.01}}}, // by sdca-newton
		"columns":  {many, lanes.Search{Weights: []float64{1, 0.1}}},
		"usual":    {plain, lanes.Search{}},
		"valid":    {plain, lanes.Search{Options: lanes.Options{Normalize: model.NormalizeUnit, Intercept: lanes.FreeIntercept}}},
		"scaled":   {plain, lanes.Search{Options: lanes.Options{Normalize: model.NormalizeStd, Intercept: lanes.PenalisedIntercept, ClassWeight: lanes.Balanced}}},
		"dual":     {plain, lanes.Search{Options: lanes.Options{Solver: "sdca-newton"}, Weights: []float64{0.1, 0.01, 1e-3, 1e-4}}},
		"words":    {whole, lanes.Search{Options: lanes.Options{Positive: ">50K", ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}}}},
		"targets":  {&targets, lanes.Search{Options: lanes.Options{Kind: lanes.Regression}}},
		"one":      {plain, lanes.Search{Options: lanes.Options{Penalty: lanes.L2(0.02)}, One: true}},
		"few rows": {plain, lanes.Search{Weights: []float64{1, 0.1}}},
	} {
		s := c.s
		s.Settings.Shards = 8
		if name == "few rows" {
			s.Settings.Shards = 256
		}
		data := c.data
		if name == "valid" {
			data, s.Validation = halves(t, c.data)
		}
		want, err := lanes.Path(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		stream := opened(t, data, 300)
		_, err = lanes.PathStream(t.Context(), stream, 1, s)
		short := new(erm.MemoryError)
		if !errors.As(err, &short) {
			t.Fatalf("%s, in one byte: %v", name, err)
		}
		for k, memory := range []int64{short.Need, short.Need + 1<<20, 0} {
			own := s
			own.Settings.Workers = 1 + k
			f, err := lanes.PathStream(t.Context(), stream, memory, own)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			samePath(t, name, f, want)
		}
		if name != "usual" {
			continue
		}
		for _, fit := range want.Fits {
			sum := 0.0
			for i, y := range data.Y {
				score := 0.0
				for j, x := range data.X.Row(i) {
					score += x * fit.Result.Weights[j]
				}
				sum += math.Log1p(math.Exp(-y * score))
			}
			sum /= float64(len(data.Y))
			for _, w := range fit.Result.Weights {
				sum += fit.Weight / 2 * w * w
			}
			if !(math.Abs(fit.Result.Objective-sum) <= 1e-12) || !(fit.Result.Gap <= want.Used.GapTolerance) || want.Used.GapTolerance == 0 {
				t.Errorf("lambda %v: objective %v, by a sum %v; gap %v of %v", fit.Weight, fit.Result.Objective, sum, fit.Result.Gap, want.Used.GapTolerance)
			}
		}
	}
}

// breaking cancels a path when a fit of a number begins.
type breaking struct {
	cancel context.CancelFunc
	at     int
}

func (b breaking) Begin(lanes.Stage)       {}
func (b breaking) Running(int)             {}
func (b breaking) Trying(related.Progress) {}
func (b breaking) Sweep(rows, bytes int64) {}
func (b breaking) End()                    {}
func (b breaking) Fit(k int) solvers.Recorder {
	if k == b.at {
		b.cancel()
	}
	return nil
}

// A path that is broken off anywhere is resumed with another limit and other workers, to the same bits. It does not
// resume on other rows, other labels, another scaling or other shards.
func TestResumedPathInFile(t *testing.T) {
	data := rows(t, "text:n=1200,d=60")
	stream := opened(t, data)
	s := lanes.Search{Options: lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 2, Negative: 1}}}
	s.Settings.Shards, s.Settings.Overwrite = 8, true
	want, err := lanes.Path(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Settings.Checkpoint = filepath.Join(t.TempDir(), "run")
	for _, at := range []int{0, 3, 7, 19} {
		ctx, cancel := context.WithCancel(t.Context())
		broken := s
		broken.Settings.Resume, broken.Watch = "", breaking{cancel, at}
		f, err := lanes.PathStream(ctx, stream, 0, broken)
		if cancel(); !errors.Is(err, context.Canceled) {
			t.Fatalf("broken off at %d: %v", at, err)
		}
		if f != nil && len(f.Fits) >= len(want.Fits) {
			t.Errorf("broken off at %d: %d points", at, len(f.Fits))
		}
		resumed := s
		resumed.Settings.Checkpoint, resumed.Settings.Resume, resumed.Settings.Workers = "", s.Settings.Checkpoint, 3
		if at == 7 {
			resumesAlone(t, lanes.PathStream, resumed, stream, data, map[string]func(o *lanes.Search){
				"labels":  func(o *lanes.Search) { o.Positive = "-1" },
				"lambdas": func(o *lanes.Search) { o.Weights = []float64{1, 0.5} },
			})
		}
		f, err = lanes.PathStream(t.Context(), stream, 16<<20, resumed)
		if err != nil {
			t.Fatal(err)
		}
		samePath(t, "resumed", f, want)
	}
}

// resumesAlone wants a search to resume neither with other settings nor with other rows.
func resumesAlone(t *testing.T, fit func(context.Context, *sparse.Stream, int64, lanes.Search) (*lanes.Fitted, error), resumed lanes.Search, stream *sparse.Stream, data *sparse.Data, changes map[string]func(o *lanes.Search)) {
	t.Helper()
	changes["shards"] = func(o *lanes.Search) { o.Settings.Shards = 16 }
	changes["classes"] = func(o *lanes.Search) { o.ClassWeight.Positive = 3 }
	changes["scaling"] = func(o *lanes.Search) { o.Normalize = model.NormalizeMinMax }
	for what, change := range changes {
		other := resumed
		change(&other)
		if _, err := fit(t.Context(), stream, 0, other); !errors.Is(err, solvers.ErrResume) {
			t.Errorf("other %s: %v", what, err)
		}
	}
	less, _ := halves(t, data)
	if _, err := fit(t.Context(), opened(t, less), 0, resumed); !errors.Is(err, solvers.ErrResume) {
		t.Errorf("other rows: %v", err)
	}
}

// What paths over rows in a file do not have is refused, before rows are read.
func TestPathInFileRefusals(t *testing.T) {
	data := rows(t, "onehot:n=600,d=40")
	stream := opened(t, data)
	counts := *data
	counts.Y = make([]float64, len(data.Y))
	for i := range counts.Y {
		counts.Y[i] = float64(i % 5)
	}
	for want, c := range map[string]struct {
		stream *sparse.Stream
		s      lanes.Search
	}{
		"Kind":                 {stream, lanes.Search{Options: lanes.Options{Kind: lanes.OneVsRest}}},
		"give Search.Weights":  {opened(t, &counts), lanes.Search{Options: lanes.Options{Loss: loss.Poisson{}}}},
		"weights are positive": {stream, lanes.Search{Weights: []float64{1, 2}}},
		"Validation":           {stream, lanes.Search{Options: lanes.Options{Validation: data, ValidationStream: stream}}},
	} {
		if f, err := lanes.PathStream(t.Context(), c.stream, 0, c.s); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := lanes.PathStream(t.Context(), opened(t, &counts), 0, lanes.Search{Weights: []float64{1, 0.1}, Options: lanes.Options{Loss: loss.Poisson{}}}); err != nil {
		t.Errorf("lambdas of the Poisson loss: %v", err)
	}
	s := lanes.Search{Weights: []float64{1, 0.5, 0.1}}
	for copies, file := range []string{"", filepath.Join(t.TempDir(), "run")} {
		s.Settings.Checkpoint = file
		_, err := lanes.PathStream(t.Context(), stream, 1, s)
		short := new(erm.MemoryError)
		if more := int64(3 * 8 * 40 * (copies + 1)); !errors.As(err, &short) || short.Need-leastMemory(t, stream, lanes.Options{}) != more {
			t.Errorf("the weights of three points take %v, and should take %d", err, more)
		}
	}
}
