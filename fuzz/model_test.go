package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// FuzzReadModel: whatever the text, the reader gives a model that survives being
// written and read again, or an error.
func FuzzReadModel(f *testing.F) {
	f.Add([]byte("solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.5 \n-0.25 \n"))
	f.Add([]byte("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias 1\nw\n1e-300 \n5\n"))
	f.Add([]byte("solver_type L2R_LR\nnr_class 2\nlabel 2 1\nnr_feature 1\nbias 0\nw\n-0 3\n"))
	f.Add([]byte("solver_type L2R_LR_DUAL\nnr_class 3\nlabel 7 -1 2\nnr_feature 1\nbias 1\nw\n1 2 3 \n7 8 9 \n"))
	var whole bytes.Buffer
	if err := (&model.Linear{
		SolverType: "L2R_LR", Weights: []float64{1, -2},
		Card: model.Card{Positive: 1.5, Negative: -1, Rest: true, Features: 2, Meta: &model.Meta{Normalize: model.NormalizeUnit}},
	}).Write(&whole); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	var classes bytes.Buffer
	if err := (&model.Linear{
		SolverType: "L2R_L2LOSS_SVC", Bias: 1, Weights: []float64{1, -2, 3, 4, 5, 6},
		Card: model.Card{Classes: []float64{1.5, -1, 8}, Features: 1, Meta: &model.Meta{Normalize: model.NormalizeNone}},
	}).Write(&classes); err != nil {
		f.Fatal(err)
	}
	f.Add(classes.Bytes())
	var few bytes.Buffer
	if err := (&model.Linear{
		SolverType: "L1R_LR", Bias: 1, Weights: []float64{0, -2, 3},
		Card: model.Card{Positive: 1, Negative: -1, Features: 2, Meta: &model.Meta{Normalize: model.NormalizeNone, FeatureNames: []string{"a", "b"}}},
	}).WriteSparse(&few); err != nil {
		f.Fatal(err)
	}
	f.Add(few.Bytes())
	f.Fuzz(readModel)
}

// readModel reads a model; what it reads it writes, and reads again.
func readModel(t *testing.T, text []byte) {
	read, err := model.Read(bytes.NewReader(text), "fuzz")
	if err != nil {
		return
	}
	var again bytes.Buffer
	if err := read.Write(&again); err != nil {
		t.Fatalf("a model that was read cannot be written: %v", err)
	}
	back, err := model.Read(bytes.NewReader(again.Bytes()), "again")
	if err != nil {
		t.Fatalf("a model that was written cannot be read: %v\n%s", err, again.Bytes())
	}
	same := false
	switch m := read.(type) {
	case *model.Linear:
		b := back.(*model.Linear)
		same = solvers.HashWeights(b.Weights) == solvers.HashWeights(m.Weights) && slices.Equal(b.Classes, m.Classes) && b.Bias == m.Bias && b.Features == m.Features
	case *model.Perceptron:
		b := back.(*model.Perceptron)
		same = solvers.HashWeights(b.Weights) == solvers.HashWeights(m.Weights) && b.Network.String() == m.Network.String()
	}
	if !same {
		t.Fatalf("%+v came back as %+v", read, back)
	}
}
