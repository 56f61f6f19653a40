package lanes_test

import (
	"errors"
	"math"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestClassesValidatedInFile: a softmax whose rows, and rows of a validation, stay in files stops where it stops in
// memory, with the same weights and metric, at three limits of memory, by one worker or three. The metric is the
// one of the model.
func TestClassesValidatedInFile(t *testing.T) {
	data, weights := uneven(t)
	other := relabelled(rows(t, "onehot:n=700,d=30,seed=9"), func(i int) float64 { return float64(i * 7 % 4) })
	for i := range other.Y {
		other.Weight = append(other.Weight, weights[i])
	}
	stream, valid := opened(t, data), opened(t, other, 100)
	for _, metric := range []string{"logloss", "accuracy", "balanced_accuracy", "macro_f1"} {
		for _, normalize := range []string{"", model.NormalizeStd} {
			o := lanes.Options{Kind: lanes.Softmax, Metric: metric, Normalize: normalize, Penalty: lanes.L2(1e-5), Intercept: lanes.FreeIntercept}
			o.Settings = solvers.Settings{Shards: 8, Patience: 2}
			inMemory := o
			inMemory.Validation = other
			want := train(t, data, inMemory)
			if want.Result.Status != solvers.StoppedEarly {
				t.Errorf("%s: %v", metric, want.Result.Status)
			}
			o.ValidationStream = valid
			least := leastMemory(t, stream, o)
			for _, memory := range []int64{least, least + 1<<20, 0} {
				for _, workers := range []int{1, 3} {
					own := o
					own.Settings.Workers = workers
					f, err := lanes.TrainStream(t.Context(), stream, memory, own)
					short := new(erm.MemoryError)
					if errors.As(err, &short) && memory > 0 && short.Need <= memory+4<<20 { // groups of the validation for each worker
						f, err = lanes.TrainStream(t.Context(), stream, short.Need, own)
					}
					if err != nil {
						t.Fatalf("%s: %v", metric, err)
					}
					sameClasses(t, metric, f, want)
					if got, in := f.Metrics["valid_"+metric], want.Metrics["valid_"+metric]; got != in {
						t.Errorf("%s: %v, in memory %v", metric, got, in)
					}
				}
			}
			if metric == "macro_f1" {
				continue
			}
			r, err := lanes.Evaluate(t.Context(), want.Model, other, lanes.EvaluateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			measured := map[string]float64{"logloss": r.LogLoss, "accuracy": r.Accuracy, "balanced_accuracy": r.BalancedAccuracy}[metric]
			if got := want.Metrics["valid_"+metric]; !(math.Abs(got-measured) <= 1e-12*math.Abs(measured)) {
				t.Errorf("%s: the run tells %v, and the model has %v", metric, got, measured)
			}
		}
	}
}
