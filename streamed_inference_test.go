package lanes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestInferenceStreamed: errors of weights of rows in a file have the bits of rows in memory with as many shards, with
// weights, offsets, scaled columns and bounds, in one process and in several. A limit that is too small for them alone
// is refused before the training.
func TestInferenceStreamed(t *testing.T) {
	t.Parallel()
	data := rows(t, "dense:n=2500,d=12,seed=4")
	for i := range data.Y {
		data.Weight, data.Offset = append(data.Weight, float64(i%4)), append(data.Offset, float64(i%7)/3-1)
		if i%5 == 0 {
			data.Y[i] = -data.Y[i]
		}
	}
	stream := opened(t, data, 700, 1900)
	for name, o := range map[string]lanes.Options{
		"fisher": {},
		"hc3":    {Normalize: model.NormalizeStd, Inference: &inference.Options{Covariance: inference.HC3}},
		"hc1":    {Normalize: model.NormalizeMinMax, Intercept: lanes.PenalisedIntercept, Inference: &inference.Options{Covariance: inference.HC1}},
		"bounds": {Bounds: map[string]lanes.Interval{"*": {Lower: -50, Upper: 50}}, Inference: &inference.Options{Covariance: inference.HC2}},
	} {
		if o.Inference == nil {
			o.Inference = new(inference.Options)
		}
		if o.Intercept != lanes.PenalisedIntercept {
			o.Intercept = lanes.FreeIntercept
		}
		o.Penalty, o.Settings.Shards = lanes.NoPenalty, 16
		in, err := lanes.Train(t.Context(), data, o)
		if err != nil || in.Inference == nil {
			t.Fatalf("%s: %v, %+v", name, err, in)
		}
		want := fmt.Sprint(*in.Inference)
		for _, memory := range []int64{18 << 20, 0} {
			for workers := 1; workers <= 2; workers++ {
				o.Settings.Workers = workers
				got, err := lanes.TrainStream(t.Context(), stream, memory, o)
				if err != nil || fmt.Sprint(*got.Inference) != want {
					t.Errorf("%s, %d bytes, %d workers: %v, %v\nin memory %v", name, memory, workers, err, got, want)
				}
			}
		}
		if o.Bounds != nil {
			continue
		}
		found, errs := onRanks(t, 2, o.Settings, func(s solvers.Settings) (*lanes.Fitted, error) {
			own := o
			own.Settings = s
			return lanes.TrainStream(t.Context(), stream, 0, own)
		})
		for k, got := range found {
			if errs[k] != nil || fmt.Sprint(*got.Inference) != want {
				t.Errorf("%s, rank %d: %v, %v\nin memory %v", name, k, errs[k], got, want)
			}
		}
	}
	wide := rows(t, "text:n=3000,d=700")
	o := lanes.Options{Penalty: lanes.NoPenalty, Inference: new(inference.Options)}
	before, rows := int64(0), opened(t, wide)
	_, err := lanes.TrainStream(t.Context(), rows, 9<<20, o)
	var short *erm.MemoryError
	if after, _ := rows.Progress(); !errors.As(err, &short) || short.Need < 8*5*700*700 || after != before {
		t.Errorf("9 MB for 700 columns: %v, after %d rows were read", err, after)
	}
	// One process that is short of memory ends all of them.
	_, errs := onRanks(t, 2, solvers.Settings{Shards: 4}, func(s solvers.Settings) (*lanes.Fitted, error) {
		own := o
		own.Settings = s
		return lanes.TrainStream(t.Context(), rows, []int64{1 << 30, 28 << 20}[s.Ranks.Rank()], own)
	})
	if errs[0] == nil || !strings.Contains(errs[0].Error(), "rank 1: ") || !errors.As(errs[1], &short) {
		t.Errorf("28 MB on rank 1 for 700 columns: %v", errs)
	}
	wide.Query = make([]int64, len(wide.Y))
	for i := range wide.Query {
		wide.Query[i] = int64(i / 300)
	}
	o.Inference = &inference.Options{Covariance: inference.Cluster}
	if _, err := lanes.TrainStream(t.Context(), opened(t, wide), 8*3000-1, o); !errors.As(err, &short) || short.Need != 8*3000 {
		t.Errorf("less memory than groups of rows take: %v", err)
	}
	if _, err := lanes.TrainStream(t.Context(), stream, 0, o); err == nil || !strings.Contains(err.Error(), "the rows have no groups") {
		t.Errorf("rows without groups: %v", err)
	}
}
