package lanes_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// tabled are rows as tables give them, in more than a group: words that do not come in their
// order, weights above 1, offsets and an encoder.
func tabled(t *testing.T) *sparse.Data {
	t.Helper()
	data := rows(t, repeat.Size("onehot:n=9000,d=40", "onehot:n=5500,d=40"))
	for i, y := range data.Y {
		data.Weight, data.Offset = append(data.Weight, float64(i%4)), append(data.Offset, float64(i%7)/3-1)
		if data.Y[i] = 0; y > 0 {
			data.Y[i] = 2
		}
		if i%9 == 0 {
			data.Y[i] = 1
		}
	}
	data.LabelNames, data.Encoding = []string{"1-5", "<=50K", ">50K"}, []byte(`{"version":1}`)
	return data
}

// opened writes parts of rows to files, and opens them as one.
func opened(t *testing.T, data *sparse.Data, cuts ...int) *sparse.Stream {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	first := 0
	for k, end := range append(cuts, len(data.Y)) {
		part := *data
		list := make([]uint32, end-first)
		for i := range list {
			list[i] = uint32(first + i)
		}
		var err error
		if part.X, err = data.X.PickRows(nil, list); err != nil {
			t.Fatal(err)
		}
		for _, v := range []*[]float64{&part.Y, &part.Weight, &part.Offset} {
			if *v != nil {
				*v = (*v)[first:end]
			}
		}
		paths, first = append(paths, filepath.Join(dir, fmt.Sprint(k))), end
		if err := sparse.WriteCacheFile(paths[k], &part); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := sparse.OpenStream(t.Context(), paths[0], paths[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	return stream
}

// inBlocks writes rows to a file by blocks, whose ends are the ends of groups, and opens it.
func inBlocks(t *testing.T, data *sparse.Data, rows int) *sparse.Stream {
	t.Helper()
	path := filepath.Join(t.TempDir(), "blocks")
	_, err := sparse.WriteCacheBlocks(t.Context(), path, func(yield func(*sparse.Data, error) bool) {
		for first := 0; first < len(data.Y); first += rows {
			block, list := *data, []uint32(nil)
			end := min(first+rows, len(data.Y))
			for i := first; i < end; i++ {
				list = append(list, uint32(i))
			}
			var err error
			block.X, err = data.X.PickRows(nil, list)
			for _, v := range []*[]float64{&block.Y, &block.Weight, &block.Offset} {
				if *v != nil {
					*v = (*v)[first:end]
				}
			}
			if !yield(&block, err) {
				return
			}
		}
	}, sparse.Storage{})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	return stream
}

// Weights, offsets, words and the encoder of a file give the bits of rows in memory: from one
// file or several, written at once or by blocks, with much memory and little, on one process and
// on several.
func TestTrainStreamOfTables(t *testing.T) {
	repeat.Skip(t)
	data := tabled(t)
	targets := *data
	targets.LabelNames, targets.Y = nil, slices.Clone(data.Y)
	for i := range targets.Y {
		targets.Y[i] += float64(i%31) / 7
	}
	counts := targets
	counts.Y = slices.Clone(targets.Y)
	for i, y := range counts.Y {
		counts.Y[i] = math.Floor(y)
	}
	two := *data
	two.LabelNames, two.Y = []string{"1-5", "very good"}, slices.Clone(data.Y)
	for i := range two.Y {
		two.Y[i] = min(data.Y[i], 1)
	}
	unweighted, fixed := two, two
	unweighted.Weight, fixed.Offset = nil, nil
	for name, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"rest":       {data, lanes.Options{Positive: ">50K"}},
		"balanced":   {data, lanes.Options{Positive: "1-5", ClassWeight: lanes.Balanced, Normalize: model.NormalizeStd}},
		"two":        {&two, lanes.Options{Intercept: lanes.NoIntercept}},
		"first":      {&two, lanes.Options{Positive: "1-5", ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}}},
		"targets":    {&targets, lanes.Options{}},
		"huber":      {&targets, lanes.Options{Loss: loss.Huber{Delta: 0.5}, Intercept: lanes.PenalisedIntercept}},
		"counts":     {&counts, lanes.Options{Loss: loss.Poisson{}}},
		"unweighted": {&unweighted, lanes.Options{}},
		"no offsets": {&fixed, lanes.Options{ClassWeight: lanes.Balanced}},
	} {
		if testing.Short() && name != "balanced" && name != "first" && name != "huber" && name != "counts" {
			continue
		}
		for files, stream := range map[string]*sparse.Stream{"one": opened(t, c.data), "three": opened(t, c.data, 100, 5000), "blocks": inBlocks(t, c.data, 77)} {
			if testing.Short() && files == "one" {
				continue
			}
			f, err := lanes.TrainStream(t.Context(), stream, 0, c.o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o := c.o
			o.Settings.Shards = f.Used.Shards
			memory := train(t, c.data, o)
			if !slices.Equal(memory.Result.Weights, f.Result.Weights) {
				t.Errorf("%s, %s: other bits than in memory", name, files)
			}
			for metric, v := range memory.Metrics {
				if !(math.Abs(f.Metrics[metric]-v) <= 1e-12*math.Abs(v)) {
					t.Errorf("%s, %s: %s is %v, not %v", name, files, metric, f.Metrics[metric], v)
				}
			}
			a, b := *f.About().Meta, *memory.About().Meta
			if fmt.Sprint(a.LabelNames, a.Labels, a.Rest, string(a.Table), a.Intercept) != fmt.Sprint(b.LabelNames, b.Labels, b.Rest, string(b.Table), b.Intercept) {
				t.Errorf("%s, %s: the model is %+v, in memory %+v", name, files, a, b)
			}
			least := leastMemory(t, stream, o)
			if small, err := lanes.TrainStream(t.Context(), stream, least, o); err != nil || !slices.Equal(small.Result.Weights, f.Result.Weights) {
				t.Errorf("%s, %s: other bits in %d bytes (%v)", name, files, least, err)
			}
			for _, err := range shardstest.Run(3, func(ranks solvers.Ranks) error {
				o := o
				o.Settings.Ranks = ranks
				got, err := lanes.TrainStream(t.Context(), stream, 0, o)
				if err == nil && !slices.Equal(got.Result.Weights, f.Result.Weights) {
					err = errors.New("other bits")
				}
				return err
			}) {
				if err != nil {
					t.Errorf("%s, %s, on three processes: %v", name, files, err)
				}
			}
		}
	}
}

// leastMemory is the least memory in which a training runs.
func leastMemory(t *testing.T, stream *sparse.Stream, o lanes.Options) int64 {
	t.Helper()
	_, err := lanes.TrainStream(t.Context(), stream, 1, o)
	short := new(erm.MemoryError)
	if !errors.As(err, &short) {
		t.Fatalf("a training in one byte: %v", err)
	}
	return short.Need
}
