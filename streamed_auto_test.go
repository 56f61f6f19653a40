package lanes_test

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestTrainStreamByShape: without the name of a solver the shape of the rows chooses it, in shards in
// memory as in a file.
func TestTrainStreamByShape(t *testing.T) {
	for _, c := range []struct {
		shape, want string
		l           loss.Loss
		penalty     lanes.Penalty
	}{
		{"text:n=400,d=900", "sdca-newton", loss.Logistic{}, lanes.Penalty{}},
		{"text:n=400,d=900", "newton", loss.Logistic{}, lanes.NoPenalty},
		{"text:n=400,d=900", "newton", loss.Probit{}, lanes.Penalty{}},
		{"text:n=900,d=400", "newton", loss.Logistic{}, lanes.Penalty{}},
		{"text:n=900,d=400", "sdca-newton", loss.Hinge{}, lanes.Penalty{}},
	} {
		data := rows(t, c.shape)
		o := lanes.Options{Loss: c.l, Penalty: c.penalty, Settings: solvers.Settings{Shards: 4, Seed: 3, MaxEpochs: 40}}
		inMemory, err := lanes.Train(t.Context(), data, o)
		if err != nil {
			t.Fatalf("%s, %v: %v", c.shape, c.l, err)
		}
		inFile, err := lanes.TrainStream(t.Context(), opened(t, data, len(data.Y)/3), 0, o)
		if err != nil {
			t.Fatalf("%s, %v: %v", c.shape, c.l, err)
		}
		if a, b := inMemory.Result.Solver, inFile.Result.Solver; a != c.want || b != c.want {
			t.Errorf("%s, %v: %s in memory and %s in a file, not %s", c.shape, c.l, a, b, c.want)
		}
		if !slices.Equal(inMemory.Result.Weights, inFile.Result.Weights) {
			t.Errorf("%s, %v: weights in memory and in a file differ", c.shape, c.l)
		}
	}
}

// TestClassesInShards: each class against the rest keeps the shards, with and without the name of a
// solver.
func TestClassesInShards(t *testing.T) {
	data := rows(t, "text:n=400,d=900")
	for i := range data.Y {
		data.Y[i] = float64(i % 3)
	}
	for _, solver := range []string{"", "newton", "sdca-newton", "prox-sdca"} {
		o := lanes.Options{Kind: lanes.OneVsRest, Solver: solver, Settings: solvers.Settings{Shards: 4, Seed: 3, GapTolerance: 1e-7}}
		f, err := lanes.Train(t.Context(), data, o)
		if err != nil {
			t.Fatalf("%q: %v", solver, err)
		}
		for class := range 3 {
			one := *data
			one.Y = make([]float64, len(data.Y))
			for i, y := range data.Y {
				if one.Y[i] = -1; y == float64(class) {
					one.Y[i] = 1
				}
			}
			o.Kind = lanes.TwoClasses
			alone, err := lanes.Train(t.Context(), &one, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Fits[class].Result; got.Solver != alone.Result.Solver || !slices.Equal(got.Weights, alone.Result.Weights) {
				t.Errorf("%q, class %d: %s has other weights than %s alone", solver, class, got.Solver, alone.Result.Solver)
			}
		}
	}
}
