package model

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func generated(t testing.TB, n, d int) *sparse.Data {
	t.Helper()
	g, err := synthetic.Shape{Name: "imbalanced", N: n, D: d, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: g.X, Y: g.Y}
}

func perceptron(t testing.TB, x *sparse.Matrix, a score.Activation, hidden ...int) *score.Perceptron {
	t.Helper()
	m, err := score.NewPerceptron(x, score.Network{Features: x.Cols(), Hidden: hidden, Activation: a})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func trained(t testing.TB) (*Perceptron, *sparse.Data) {
	t.Helper()
	data := generated(t, 60, 10)
	m := perceptron(t, data.X, score.ReLU, 4, 3)
	w := m.Initial(3)
	w[1], w[2] = math.Copysign(0, -1), 5e-324
	return &Perceptron{
		Network: m.Network(), Weights: w,
		Card: Card{Features: 10, Positive: 2.5, Negative: -1, Rest: true, Meta: &Meta{Program: "test", Solver: "adap", Normalize: NormalizeUnit}},
	}, data
}

func TestFileRoundTrip(t *testing.T) {
	model, data := trained(t)
	var text bytes.Buffer
	if err := model.Write(&text); err != nil {
		t.Fatal(err)
	}
	if !isJSON(text.Bytes()) || isJSON([]byte("solver_type L2R_LR\n")) {
		t.Error("taken for one of LIBLINEAR's, or the other way round")
	}
	read, err := readJSON(bytes.NewReader(text.Bytes()), "x")
	if err != nil {
		t.Fatal(err)
	}
	back := read.(*Perceptron)
	if back.Network.String() != model.Network.String() || solvers.HashWeights(back.Weights) != solvers.HashWeights(model.Weights) ||
		back.Positive != 2.5 || back.Negative != -1 || !back.Rest || back.Meta.Solver != "adap" {
		t.Errorf("%+v came back as %+v", model, back)
	}
	got, err := back.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 60)
	if err := perceptron(t, data.X.NormalizeUnit(), score.ReLU, 4, 3).All(nil, want, model.Weights); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("row %d: %v, in training %v", i, got[i], want[i])
		}
	}
	if _, err := back.Scores(nil, nil, data.X.WithBias(1)); err == nil {
		t.Error("scored rows with a bias")
	}
}

func TestFileRefuses(t *testing.T) {
	model, _ := trained(t)
	var buffer bytes.Buffer
	if err := model.Write(&buffer); err != nil {
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
		"activation": {strings.Replace(text, `"relu"`, `"step"`, 1), "unknown activation", 0},
		"unknown":    {strings.Replace(text, `"features"`, `"extra":1,"features"`, 1), "extra", 0},
		"weight":     {text[:last] + ".5" + text[last:], "checksum", 0},
		"infinite":   {text[:last-1] + "1e999" + text[last:], "cannot unmarshal", 0},
		"word":       {text[:last] + "x" + text[last:], "invalid character", 65},
		"labels":     {strings.Replace(text, `[2.5,-1]`, `[2.5]`, 1), "two labels", 0},
		"same":       {strings.Replace(text, `[2.5,-1]`, `[-1,-1]`, 1), "two different", 0},
		"normalize":  {strings.Replace(text, `"unit"`, `"minmax"`, 1), "scaler", 0},
		"array":      {"[1]", "cannot unmarshal", 1},
	} {
		_, err := readJSON(strings.NewReader(c.text), "file")
		var format *sparse.FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) || c.line > 0 && format.Line != c.line {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, change := range []func(*Perceptron){
		func(t *Perceptron) { t.Weights = t.Weights[1:] }, func(t *Perceptron) { t.Weights[0] = math.NaN() },
		func(t *Perceptron) { t.Negative = t.Positive }, func(t *Perceptron) { t.Network.Activation = 3 },
		func(t *Perceptron) { t.Network.Hidden = nil }, func(t *Perceptron) { t.Features++ }, func(t *Perceptron) { t.Regression = true }, func(t *Perceptron) { t.Meta.Objective = math.Inf(1) },
	} {
		bad, _ := trained(t)
		change(bad)
		if bad.Write(new(bytes.Buffer)) == nil {
			t.Errorf("wrote %+v", bad)
		}
	}
}

// TestFileDamage changes every byte of a file: what is still read is what was written.
func TestFileDamage(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	model, _ := trained(t)
	model.Meta.Normalize = NormalizeMinMax
	model.Meta.Scaler = &sparse.Scaler{Shift: make([]float64, 10), Width: make([]float64, 10)}
	for j := range model.Meta.Scaler.Width {
		model.Meta.Scaler.Width[j] = 1.5 * float64(j)
	}
	var buffer bytes.Buffer
	if err := model.Write(&buffer); err != nil {
		t.Fatal(err)
	}
	text := buffer.Bytes()
	want, err := readJSON(bytes.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	tried, read := 0, 0
	for at, b := range text {
		for k, c := range append([]byte("059-.,e \""), b^1, b^2, b^4, b^8, b^16, b^32, b^64, b^128) {
			if (k+at)%3 > 0 {
				continue
			}
			tried++
			text[at] = c
			if got, err := readJSON(bytes.NewReader(text), "x"); err == nil {
				if read++; !reflect.DeepEqual(got, want) {
					t.Errorf("byte %d as %q was read as %+v", at, c, got)
				}
			}
		}
		text[at] = b
	}
	if t.Logf("%d changes, %d of them read", tried, read); read > tried/10 {
		t.Error("that is not what a checksum does")
	}
}
