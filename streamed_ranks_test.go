package lanes_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// onRanks has each of several processes do something with the same settings, and returns what each found.
func onRanks(t *testing.T, size int, s solvers.Settings, do func(s solvers.Settings) (*lanes.Fitted, error)) ([]*lanes.Fitted, []error) {
	t.Helper()
	found := make([]*lanes.Fitted, size)
	errs := shardstest.Run(size, func(ranks solvers.Ranks) (err error) {
		own := s
		own.Ranks, own.Workers = ranks, 1
		found[ranks.Rank()], err = do(own)
		return err
	})
	return found, errs
}

// A path on several processes, and a run that a validation ends, have the bits of one process: with rows of the
// validation in memory or in a file.
func TestPathsAndValidationOnRanks(t *testing.T) {
	whole := rows(t, "text:n=1600,d=120")
	for i := 0; i < len(whole.Y); i += 3 {
		whole.Y[i] = -whole.Y[i]
	}
	data, valid := halves(t, whole)
	stream, other := opened(t, data, 300), opened(t, valid)
	for name, s := range map[string]lanes.Search{
		"path":       {},
		"validated":  {Options: lanes.Options{Metric: "auc", ValidationStream: other, Normalize: model.NormalizeStd, Intercept: lanes.FreeIntercept}},
		"in memory":  {Weights: []float64{1, 0.1, 0.01}, Options: lanes.Options{Metric: "logloss", Validation: valid}},
		"one lambda": {One: true, Options: lanes.Options{Metric: "logloss", Penalty: lanes.L2(1e-9), ValidationStream: other}},
	} {
		s.Settings.Shards, s.Solver = 8, "newton"
		fit := func(own solvers.Settings) (*lanes.Fitted, error) {
			s := s
			s.Settings = own
			if s.One {
				return lanes.TrainStream(t.Context(), stream, 0, s.Options)
			}
			return lanes.PathStream(t.Context(), stream, 0, s)
		}
		want, err := fit(s.Settings)
		if err != nil {
			t.Fatal(err)
		}
		if s.One && want.Result.Status != solvers.StoppedEarly {
			t.Fatalf("%v: the validation ends nothing", want.Result.Status)
		}
		for size := 1; size <= 4; size++ {
			found, errs := onRanks(t, size, s.Settings, fit)
			for k, f := range found {
				if errs[k] != nil {
					t.Fatalf("%s, rank %d of %d: %v", name, k, size, errs[k])
				}
				samePath(t, name, f, want)
				if f.Result.Metric != want.Result.Metric && f.Result.Metric == f.Result.Metric || f.Result.Status != want.Result.Status {
					t.Errorf("%s, rank %d of %d: metric %v, %v, not %v, %v", name, k, size, f.Result.Metric, f.Result.Status, want.Result.Metric, want.Result.Status)
				}
			}
		}
	}
}

// firstBreaks cancels a path when the first process begins a fit.
type firstBreaks struct {
	breaking
	first bool
}

func (b firstBreaks) Fit(k int) solvers.Recorder {
	if b.first {
		return b.breaking.Fit(k)
	}
	return nil
}

// A path that is broken off on some processes goes on with other numbers of them, to the same bits.
func TestResumedPathOnRanks(t *testing.T) {
	stream := opened(t, rows(t, "text:n=900,d=60"))
	s := lanes.Search{Weights: []float64{1, 0.1, 0.01, 1e-3}}
	s.Settings.Shards, s.Settings.Overwrite, s.Solver = 8, true, "newton"
	want, err := lanes.PathStream(t.Context(), stream, 0, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, sizes := range [][2]int{{2, 3}, {3, 1}, {1, 4}} {
		s.Settings.Checkpoint, s.Settings.Resume = filepath.Join(t.TempDir(), "run"), ""
		_, errs := onRanks(t, sizes[0], s.Settings, func(own solvers.Settings) (*lanes.Fitted, error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := s
			s.Settings, s.Watch = own, firstBreaks{breaking{cancel, 2}, own.Ranks.Rank() == 0}
			return lanes.PathStream(ctx, stream, 0, s)
		})
		if !errors.Is(errs[0], context.Canceled) {
			t.Fatalf("%d processes are broken off: %v", sizes[0], errs)
		}
		s.Settings.Checkpoint, s.Settings.Resume = "", s.Settings.Checkpoint
		var mu sync.Mutex
		begun := map[int]bool{}
		found, errs := onRanks(t, sizes[1], s.Settings, func(own solvers.Settings) (*lanes.Fitted, error) {
			s := s
			s.Settings, s.Watch = own, begins{&mu, begun}
			return lanes.PathStream(t.Context(), stream, 0, s)
		})
		for k, f := range found {
			if errs[k] != nil {
				t.Fatalf("rank %d of %d: %v", k, sizes[1], errs[k])
			}
			samePath(t, "resumed", f, want)
		}
		if begun[0] || begun[1] || !begun[3] {
			t.Errorf("%d processes after %d made the fits %v", sizes[1], sizes[0], begun)
		}
	}
}

// begins notes the fits that are made.
type begins struct {
	mu   *sync.Mutex
	fits map[int]bool
}

func (b begins) Begin(lanes.Stage)       {}
func (b begins) Running(int)             {}
func (b begins) Trying(related.Progress) {}
func (b begins) Sweep(rows, bytes int64) {}
func (b begins) End()                    {}
func (b begins) Fit(k int) solvers.Recorder {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fits[k] = true
	return nil
}

// Processes that have other rows of a validation, or cannot measure them, end together.
func TestRanksDisagreeOnValidation(t *testing.T) {
	data, valid := halves(t, rows(t, "text:n=600,d=60"))
	stream := opened(t, data)
	few, _ := halves(t, valid)
	for want, rows := range map[string][2]*sparse.Data{
		"rank 1 has other rows": {valid, few},
		"have no label":         {valid, {X: valid.X, Y: valid.Y, Unlabelled: true}},
	} {
		_, errs := onRanks(t, 2, solvers.Settings{Shards: 4}, func(own solvers.Settings) (*lanes.Fitted, error) {
			o := lanes.Options{Validation: rows[own.Ranks.Rank()], Settings: own}
			return lanes.TrainStream(t.Context(), stream, 0, o)
		})
		if !slices.ContainsFunc(errs, func(err error) bool { return err != nil && strings.Contains(err.Error(), want) }) || slices.Contains(errs, nil) {
			t.Errorf("%s: %v", want, errs)
		}
	}
}
