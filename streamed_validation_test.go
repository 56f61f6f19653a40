package lanes_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// halves cuts rows into the rows of even numbers and the rows of odd numbers.
func halves(t *testing.T, data *sparse.Data) (even, odd *sparse.Data) {
	t.Helper()
	for k, half := range []**sparse.Data{&even, &odd} {
		own := *data
		var list []uint32
		own.Y, own.Weight, own.Offset = nil, nil, nil
		for i := k; i < len(data.Y); i += 2 {
			list, own.Y = append(list, uint32(i)), append(own.Y, data.Y[i])
			if data.Weight != nil {
				own.Weight = append(own.Weight, data.Weight[i])
			}
			if data.Offset != nil {
				own.Offset = append(own.Offset, data.Offset[i])
			}
		}
		var err error
		if own.X, err = data.X.PickRows(nil, list); err != nil {
			t.Fatal(err)
		}
		*half = &own
	}
	return even, odd
}

// wide returns data with d columns.
func wide(t *testing.T, data *sparse.Data, d int) *sparse.Data {
	t.Helper()
	fitted, err := data.WithColumns(d)
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

// A run with rows in a file ends where validation ends it in memory: with the same weights and measure, by rows
// of the validation in memory or in a file, at three limits of memory and by one worker or three. The
// measure is the one that the model has on these rows, measured by Evaluate.
func TestTrainStreamOnValidation(t *testing.T) {
	whole := tabled(t)
	plain := rows(t, "text:n=7000,d=300")
	for i := 0; i < len(plain.Y); i += 3 {
		plain.Y[i] = -plain.Y[i] // more would be learned by heart
	}
	targets := *plain
	targets.Y = slices.Clone(plain.Y)
	for i := range targets.Y {
		targets.Y[i] += float64(i%31) / 7
	}
	d := plain.X.Cols()
	for name, c := range map[string]struct {
		data    *sparse.Data
		columns int // of the validation, 0 for as many
		metric  string
		o       lanes.Options
	}{
		"words":    {whole, 0, "logloss", lanes.Options{Positive: ">50K", Penalty: lanes.L2(1e-7)}},
		"scaled":   {plain, d / 2, "auc", lanes.Options{Normalize: model.NormalizeStd, Intercept: lanes.PenalisedIntercept, Penalty: lanes.L2(1e-9)}},
		"unit":     {plain, d - 7, "logloss", lanes.Options{Normalize: model.NormalizeUnit, Intercept: lanes.FreeIntercept, Penalty: lanes.L2(1e-9)}},
		"balanced": {plain, d + 9, "ap", lanes.Options{ClassWeight: lanes.Balanced, Penalty: lanes.L2(1e-9)}},
		"dual":     {plain, 0, "logloss", lanes.Options{Solver: "sdca-newton", Penalty: lanes.L2(1e-6)}},
		"targets":  {&targets, 0, "mse", lanes.Options{Kind: lanes.Regression, Penalty: lanes.L2(1e-9)}},
	} {
		data, valid := halves(t, c.data)
		if c.columns > 0 {
			valid = wide(t, valid, c.columns)
		}
		o := c.o
		o.Metric, o.Settings.GapTolerance, o.Settings.Patience, o.Settings.MaxEpochs = c.metric, 1e-9, 2, 400
		if c.o.Solver == "" {
			o.Solver = "newton"
		}
		o.Settings.Shards, o.Validation = 8, valid
		want := train(t, data, o)
		if c.o.Solver == "" && !want.Problem.Targets() && want.Result.Status != solvers.StoppedEarly {
			t.Errorf("%s: %v in memory: nothing is ended early", name, want.Result.Status)
		}
		stream, inFile := opened(t, data, 700), opened(t, valid, 500)
		least := leastMemory(t, stream, o)
		for k, memory := range []int64{least, least + 1<<20, 0} {
			for _, workers := range []int{1, 3} {
				own := o
				if own.Settings.Workers = workers; k > 0 || workers == 1 {
					own.Validation, own.ValidationStream = nil, inFile
				}
				f, err := lanes.TrainStream(t.Context(), stream, memory, own)
				short := new(erm.MemoryError)
				if errors.As(err, &short) && memory > 0 && short.Need <= memory+4<<20 { // groups of the validation for each worker
					f, err = lanes.TrainStream(t.Context(), stream, short.Need, own)
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !slices.Equal(f.Result.Weights, want.Result.Weights) || f.Result.Status != want.Result.Status || f.Result.Total.Epochs != want.Result.Total.Epochs ||
					f.Metrics["valid_"+c.metric] != want.Metrics["valid_"+c.metric] {
					t.Errorf("%s, %d bytes, %d workers: %v after %v passes, %v; in memory %v after %v, %v",
						name, memory, workers, f.Result.Status, f.Result.Total.Epochs, f.Metrics, want.Result.Status, want.Result.Total.Epochs, want.Metrics)
				}
				r, err := lanes.Evaluate(t.Context(), f.Model, wide(t, valid, data.X.Cols()), lanes.EvaluateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				measured := map[string]float64{"logloss": r.LogLoss, "auc": r.AUROC, "ap": r.AveragePrecision, "mse": r.MeanSquaredError}[c.metric]
				if got := f.Metrics["valid_"+c.metric]; !(math.Abs(got-measured) <= 1e-12*math.Abs(measured)) {
					t.Errorf("%s: the run tells %v, and the model has %v", name, got, measured)
				}
			}
		}
	}
}

// Rows of a validation count in the limit of memory, and what does not suit is refused.
func TestStreamedValidationRefusals(t *testing.T) {
	data, valid := halves(t, rows(t, "onehot:n=4000,d=40"))
	stream, inFile := opened(t, data), opened(t, valid)
	o := lanes.Options{Settings: solvers.Settings{Shards: 4, Workers: 1}}
	least := leastMemory(t, stream, o)
	with := o
	with.ValidationStream = inFile
	if more := leastMemory(t, stream, with) - least; more < 80*2000 || more > 100*2000+1<<20 {
		t.Errorf("2,000 rows of a validation in a file take %d bytes", more)
	}
	with.Validation, with.ValidationStream = valid, nil
	if more := leastMemory(t, stream, with) - least; more < 80*2000+valid.X.Bytes() || more > 100*2000+valid.X.Bytes() {
		t.Errorf("2,000 rows of a validation in memory take %d bytes", more)
	}
	refused := func(what, want string, o lanes.Options, training *sparse.Stream) {
		t.Helper()
		if f, err := lanes.TrainStream(t.Context(), training, 0, o); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("both", "not both", lanes.Options{Validation: valid, ValidationStream: inFile}, stream)
	three := *valid
	three.Y = slices.Clone(valid.Y)
	three.Y[5] = 7
	refused("other labels", "the rows of Validation: row 6: ", lanes.Options{ValidationStream: opened(t, &three)}, stream)
	words := *valid
	words.Y, words.LabelNames = make([]float64, len(valid.Y)), []string{"no"}
	refused("words", "the labels are words", lanes.Options{ValidationStream: opened(t, &words)}, stream)
	encoded, other := *data, *valid
	encoded.Encoding, other.Encoding = []byte(`{"version":1}`), []byte(`{"version":1,"columns":[]}`)
	refused("another encoder", "the rows of Validation", lanes.Options{ValidationStream: opened(t, &other)}, opened(t, &encoded))
	offset := *data
	offset.Offset = make([]float64, len(data.Y))
	refused("no offsets", "RowOffsets", lanes.Options{ValidationStream: inFile}, opened(t, &offset))
	if _, err := lanes.Train(t.Context(), data, lanes.Options{ValidationStream: inFile}); err == nil || !strings.Contains(err.Error(), "TrainStream") {
		t.Errorf("in memory: %v", err)
	}
}

// Damage of the validation's rows ends a run with an error that names their file and rows.
func TestDamagedValidation(t *testing.T) {
	data, valid := halves(t, rows(t, "onehot:n=9000,d=40"))
	path := filepath.Join(t.TempDir(), "valid")
	if err := sparse.WriteCacheFile(path, valid); err != nil {
		t.Fatal(err)
	}
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bytes[len(bytes)*2/3] ^= 1
	if err := os.WriteFile(path, bytes, 0o666); err != nil {
		t.Fatal(err)
	}
	damaged, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer damaged.Close()
	format := new(sparse.FormatError)
	f, err := lanes.TrainStream(t.Context(), opened(t, data), 0, lanes.Options{ValidationStream: damaged})
	if !errors.As(err, &format) || !strings.Contains(fmt.Sprint(err), path+": the cache is damaged: the checksum of rows ") || f != nil {
		t.Errorf("%v, %v", f, err)
	}
}
