package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Reading returns the weights that were written, with the names of columns whose weights are not 0;
// the text has no other names.
func TestSparseRoundTrip(t *testing.T) {
	for name, text := range damageable(t) {
		want, err := readLinear(strings.NewReader(text), name)
		if err != nil {
			t.Fatal(err)
		}
		few := sparseOf(t, text)
		read, err := Read(strings.NewReader(few), name)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, few)
		}
		got := read.(*Linear)
		nonZeros := 0
		for j, w := range want.Weights {
			if w == 0 {
				want.Weights[j] = 0 // of either sign
			} else if (j+1)%want.Columns() != 0 || want.Bias == 0 {
				nonZeros++
			}
		}
		if count := strings.Count(few, `{"index"`); count != nonZeros {
			t.Errorf("%s: %d weights for %d that are not 0", name, count, nonZeros)
		}
		if got.Meta.WeightsHash != solvers.HashWeights(want.Weights) {
			t.Errorf("%s: another hash", name)
		}
		got.Meta.WeightsHash, got.Meta.Checksum, want.Meta.WeightsHash, want.Meta.Checksum = "", "", "", ""
		want.keepShifted()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v %+v, want %+v %+v", name, got, got.Meta, want, want.Meta)
		}
		var whole bytes.Buffer
		if err := got.Write(&whole); err != nil {
			t.Errorf("%s: cannot be written as text: %v", name, err)
		}
	}
	plain := exampleModel() // one of LIBLINEAR's has no metadata
	plain.Meta = nil
	var out bytes.Buffer
	if err := plain.WriteSparse(&out); err != nil {
		t.Fatal(err)
	}
	if m, err := Read(&out, "plain"); err != nil || m.About().Positive != 2 || m.About().Negative != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	zeros := exampleModel()
	zeros.Weights, zeros.Meta.FeatureNames = make([]float64, 4), []string{"a", "b", "c"}
	if text := sparseTextOf(t, zeros); strings.Contains(text, `"a"`) || strings.Contains(text, "index") {
		t.Errorf("%s", text)
	}
}

func sparseTextOf(t *testing.T, m *Linear) string {
	t.Helper()
	var out bytes.Buffer
	if err := m.WriteSparse(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Files that are made to fit their checksums, and still cannot be.
func TestForgedSparseModels(t *testing.T) {
	names := exampleModel()
	names.Weights = []float64{0, 2, 3, 4}
	names.Meta.FeatureNames = []string{"a", "b", "c"}
	good := sparseTextOf(t, names)
	for what, c := range map[string]struct {
		change func(*sparseText)
		says   string
	}{
		"nothing":     {func(*sparseText) {}, ""},
		"version":     {func(f *sparseText) { f.Version = 2 }, "version 2"},
		"no metadata": {func(f *sparseText) { f.Meta = nil }, "metadata"},
		"names":       {func(f *sparseText) { f.Meta.FeatureNames = []string{"a", "b", "c"} }, "names"},
		"many features": {func(f *sparseText) {
			f.Features = sparse.MaxColumns
			f.Meta.Normalize, f.Meta.Scaler = NormalizeNone, nil
		}, "more than the"},
		"too many":       {func(f *sparseText) { f.Features = math.MaxInt }, "cannot be"},
		"negative":       {func(f *sparseText) { f.Features = -1 }, "cannot be"},
		"bias":           {func(f *sparseText) { f.Bias = -1 }, "cannot be"},
		"type":           {func(f *sparseText) { f.SolverType = "SVM" }, "solver_type"},
		"order":          {func(f *sparseText) { slices.Reverse(f.Classes[0].Weights) }, "ascend"},
		"twice":          {func(f *sparseText) { f.Classes[0].Weights[1].Index = 2 }, "ascend"},
		"index 0":        {func(f *sparseText) { f.Classes[0].Weights[0].Index = 0 }, "ascend"},
		"the constant's": {func(f *sparseText) { f.Classes[0].Weights[1].Index = 4 }, "ascend"},
		"a zero":         {func(f *sparseText) { f.Classes[0].Weights[1].Weight = 0 }, "not 0"},
		"label":          {func(f *sparseText) { f.Classes[0].Label = "1" }, "is called"},
		"same names":     {func(f *sparseText) { f.Classes[0].Weights[1].Name = "b" }, "both named"},
		"control":        {func(f *sparseText) { f.Classes[0].Weights[1].Name = "\n" }, "cannot be the name"},
		"no classes":     {func(f *sparseText) { f.Classes = nil }, "weights of 0 classes"},
		"two classes":    {func(f *sparseText) { f.Classes = append(f.Classes, f.Classes...) }, "weights of 2 classes"},
		"three labels":   {func(f *sparseText) { f.Meta.Labels = []float64{1, 2, 3} }, "weights of 1 classes"},
		"no labels":      {func(f *sparseText) { f.Meta.Labels = nil }, ""},
		"a constant":     {func(f *sparseText) { f.Bias = 0 }, "without a bias"},
		"weights' hash":  {func(f *sparseText) { f.Meta.WeightsHash = "0" }, "damaged"},
		"scaler":         {func(f *sparseText) { f.Meta.Normalize = NormalizeUnit }, "no scaler"},
	} {
		var f sparseText
		if err := json.Unmarshal([]byte(good), &f); err != nil {
			t.Fatal(err)
		}
		c.change(&f)
		if f.Meta != nil {
			var err error
			if f.Meta.Checksum, err = f.sum(); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(bytes.NewReader(text), "forged")
		var format *sparse.FormatError
		if ok := err == nil; ok != (what == "nothing") || !ok && (!errors.As(err, &format) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, text := range []string{good + "1", good[:len(good)/2], strings.Replace(good, `"bias"`, `"more":1,"bias"`, 1), strings.Replace(good, "lanes sparse", "lanes dense", 1), `{"a":1}`, "{}", "PK\x03\x04"} {
		var format *sparse.FormatError
		if _, err := Read(strings.NewReader(text), "bad"); !errors.As(err, &format) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if Recognise([]byte(`{"price": 3, "town": "Ulm"}`)) {
		t.Error("a line of a table in JSON is taken for a model")
	}
	if !Recognise([]byte(good)) {
		t.Error("a sparse model is not recognised")
	}
	bad := exampleModel()
	bad.Weights[0] = math.NaN()
	for _, m := range []*Linear{nil, bad, {}} {
		if err := m.WriteSparse(new(bytes.Buffer)); err == nil {
			t.Errorf("%+v was written", m)
		}
		if err := m.WriteNPZ(new(bytes.Buffer)); err == nil {
			t.Errorf("%+v was written for NumPy", m)
		}
	}
}
