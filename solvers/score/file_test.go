package score

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func trained(t testing.TB) (*Trained, *sparse.Data) {
	t.Helper()
	data := generated(t, 60, 10)
	m := perceptron(t, data.X, ReLU, 4, 3)
	w := m.Initial(3)
	w[1], w[2] = math.Copysign(0, -1), 5e-324
	return &Trained{
		Network: m.Network(), Weights: w, Positive: 2.5, Negative: -1, Rest: true,
		Meta: solvers.ModelMeta{Program: "test", Solver: "adap", Normalize: solvers.NormalizeUnit},
	}, data
}

func TestFileRoundTrip(t *testing.T) {
	model, data := trained(t)
	var text bytes.Buffer
	if err := Write(&text, model); err != nil {
		t.Fatal(err)
	}
	if !Recognise(text.Bytes()) || Recognise([]byte("solver_type L2R_LR\n")) {
		t.Error("taken for one of LIBLINEAR's, or the other way round")
	}
	back, err := Read(bytes.NewReader(text.Bytes()), "x")
	if err != nil {
		t.Fatal(err)
	}
	if back.Network.String() != model.Network.String() || solvers.HashWeights(back.Weights) != solvers.HashWeights(model.Weights) ||
		back.Positive != 2.5 || back.Negative != -1 || !back.Rest || back.Meta.Solver != "adap" {
		t.Errorf("%+v came back as %+v", model, back)
	}
	got, err := back.Scores(nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 60)
	if err := perceptron(t, data.X.NormalizeUnit(), ReLU, 4, 3).All(nil, want, model.Weights); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("row %d: %v, in training %v", i, got[i], want[i])
		}
	}
	if _, err := back.Scores(nil, data.X.WithBias(1)); err == nil {
		t.Error("scored rows with a bias")
	}
}

func TestFileRefuses(t *testing.T) {
	model, _ := trained(t)
	var buffer bytes.Buffer
	if err := Write(&buffer, model); err != nil {
		t.Fatal(err)
	}
	text := buffer.String()
	last := strings.LastIndex(text, "\n]")
	for name, c := range map[string]struct {
		text, want string
		line       int64
	}{
		"empty":      {"", "truncated", 1},
		"half":       {text[:len(text)/2], "truncated", 0},
		"more":       {text + "1", "more text", 0},
		"format":     {strings.Replace(text, "lanes perceptron", "other", 1), "format", 0},
		"version":    {strings.Replace(text, `"version":1`, `"version":2`, 1), "version 2", 0},
		"hidden":     {strings.Replace(text, `"hidden":[4,3]`, `"hidden":[4,2]`, 1), "which has 57", 0},
		"negative":   {strings.Replace(text, `"hidden":[4,3]`, `"hidden":[4,-3]`, 1), "-3 units", 0},
		"huge":       {strings.Replace(text, `"features":10`, `"features":1000000000`, 1), "63 weights", 0},
		"activation": {strings.Replace(text, `"relu"`, `"step"`, 1), "no activation", 0},
		"unknown":    {strings.Replace(text, `"features"`, `"extra":1,"features"`, 1), "extra", 0},
		"weight":     {text[:last] + ".5" + text[last:], "checksum", 0},
		"infinite":   {text[:last-1] + "1e999" + text[last:], "cannot unmarshal", 0},
		"word":       {text[:last] + "x" + text[last:], "invalid character", 65},
		"labels":     {strings.Replace(text, `[2.5,-1]`, `[2.5]`, 1), "two labels", 0},
		"same":       {strings.Replace(text, `[2.5,-1]`, `[-1,-1]`, 1), "two different", 0},
		"normalize":  {strings.Replace(text, `"unit"`, `"minmax"`, 1), "scaler", 0},
		"array":      {"[1]", "cannot unmarshal", 1},
	} {
		_, err := Read(strings.NewReader(c.text), "file")
		var format *sparse.FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) || c.line > 0 && format.Line != c.line {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, change := range []func(*Trained){
		func(t *Trained) { t.Weights = t.Weights[1:] }, func(t *Trained) { t.Weights[0] = math.NaN() },
		func(t *Trained) { t.Negative = t.Positive }, func(t *Trained) { t.Network.Activation = identity },
		func(t *Trained) { t.Network.Hidden = nil }, func(t *Trained) { t.Meta.Objective = math.Inf(1) },
	} {
		bad, _ := trained(t)
		change(bad)
		if Write(new(bytes.Buffer), bad) == nil {
			t.Errorf("wrote %+v", bad)
		}
	}
}
