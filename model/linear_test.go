package model

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func exampleModel() *Linear {
	gap := 0x1p-40
	return &Linear{
		SolverType: "L2R_LR", Bias: 1,
		Weights: []float64{math.SmallestNonzeroFloat64, -math.MaxFloat64, 1.0 / 3, math.Copysign(0, -1)},
		Card: Card{Positive: 2, Negative: 1, Features: 3, Meta: &Meta{
			Program: "test", Solver: "ai-sarah", Loss: "logistic", Lambda: 0.1, Rows: 9, Seed: 7, Status: "converged",
			Objective: 0.25, Gap: &gap, Normalize: NormalizeMinMax,
			Scaler: &sparse.Scaler{Shift: []float64{0, 1, 0}, Width: []float64{1, 2, 0}},
		}},
	}
}

func TestModelRoundTrip(t *testing.T) {
	plain := exampleModel()
	plain.Meta = nil
	fractions := exampleModel()
	fractions.Positive, fractions.Negative, fractions.Rest = 0.5, -1, true
	regression := exampleModel()
	regression.SolverType, regression.Regression, regression.Bias = "L2R_L2LOSS_SVR", true, 0
	regression.Positive, regression.Negative, regression.Weights = 0, 0, regression.Weights[:3]
	classes := exampleModel()
	classes.Positive, classes.Negative, classes.Classes = 0, 0, []float64{3, 1, 0.5}
	classes.Weights = append(append(classes.Weights, 1, 2, 3, 4), 5, 6, 7, 8)
	for name, want := range map[string]*Linear{"whole": exampleModel(), "plain": plain, "fractions": fractions, "regression": regression, "classes": classes} {
		path := filepath.Join(t.TempDir(), "model")
		if err := WriteFile(path, want); err != nil {
			t.Fatal(err)
		}
		read, err := ReadFile(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := read.(*Linear)
		if got.Meta != nil {
			if got.Meta.WeightsHash != solvers.HashWeights(want.Weights) {
				t.Errorf("%s: another hash", name)
			}
			got.Meta.WeightsHash, got.Meta.Checksum, got.Meta.Labels, got.Meta.Rest = "", "", nil, false
		}
		want.keepShifted()
		if solvers.HashWeights(got.Weights) != solvers.HashWeights(want.Weights) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

const liblinearText = "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.5 \n-0.25 \n"

func TestReadModelOfLIBLINEAR(t *testing.T) {
	m, err := readLinear(strings.NewReader(liblinearText), "m")
	if err != nil || m.Features != 2 || m.Bias != 0 || m.Positive != 1 || m.Negative != -1 || m.Weights[1] != -0.25 {
		t.Fatalf("%+v, %v", m, err)
	}
	zero := strings.Replace(strings.Replace(liblinearText, "bias -1", "bias 0", 1), "-0.25", "-0.25\n3", 1)
	if m, err = readLinear(strings.NewReader(zero), "m"); err != nil || len(m.Weights) != 2 || m.Bias != 0 {
		t.Fatalf("bias 0: %+v, %v", m, err)
	}
}

const classesText = "solver_type L2R_LR\nnr_class 3\nlabel 7 -1 2\nnr_feature 2\nbias 1\nw\n1 2 3 \n4 5 6 \n7 8 9 \n"

func TestModelOfClasses(t *testing.T) {
	m, err := readLinear(strings.NewReader(classesText), "m")
	if err != nil || !slices.Equal(m.Classes, []float64{7, -1, 2}) || !slices.Equal(m.Weights, []float64{1, 4, 7, 2, 5, 8, 3, 6, 9}) {
		t.Fatalf("%+v, %v", m, err)
	}
	var text bytes.Buffer
	if err := m.Write(&text); err != nil || text.String() != strings.ReplaceAll(classesText, " \n", "\n") {
		t.Errorf("written as %q, %v", text.String(), err)
	}
	if m, err = readLinear(strings.NewReader(strings.Replace(classesText, "bias 1", "bias 0", 1)), "m"); err != nil || !slices.Equal(m.Weights, []float64{1, 4, 2, 5, 3, 6}) {
		t.Fatalf("bias 0: %+v, %v", m, err)
	}

	x, err := sparse.NewCSR(2, []int64{0, 1, 2, 2}, []uint32{0, 1}, []float64{1, -100})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Scores(nil, nil, x)
	if err != nil || !slices.Equal(scores, []float64{1, 2, 3, -400, -500, -600, 0, 0, 0}) {
		t.Fatalf("scores %v, %v", scores, err)
	}
	if a, b, c := m.Label(scores[:3]...), m.Label(scores[3:6]...), m.Label(scores[6:]...); a != 2 || b != 7 || c != 7 {
		t.Errorf("labels %v, %v and %v", a, b, c)
	}
	scores = append(scores, -1e9, -1e8, -1e9)
	if err := m.Probabilities(scores); err != nil {
		t.Fatal(err)
	}
	sum := 1/(1+math.Exp(-1)) + 1/(1+math.Exp(-2)) + 1/(1+math.Exp(-3))
	if got, want := scores[1], 1/(1+math.Exp(-2))/sum; !(math.Abs(got-want) <= 1e-15) {
		t.Errorf("probability %v, not %v", got, want)
	}
	if scores[3] < 1-1e-15 || scores[6] != 1.0/3 || scores[10] != 1 {
		t.Errorf("probabilities %v", scores)
	}
	if err := m.Probabilities(scores[:4]); err == nil {
		t.Error("four scores of three classes were taken")
	}
}

func TestReadModelRefuses(t *testing.T) {
	var whole bytes.Buffer
	if err := exampleModel().Write(&whole); err != nil {
		t.Fatal(err)
	}
	change := func(text, from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("%q is not in %q", from, text)
		}
		return strings.Replace(text, from, to, 1)
	}
	for _, c := range []struct{ text, says string }{
		{"", "truncated or not a model"},
		{"1 1:0.5\n", "m:1: the file begins with \"1\", so it is not a model"},
		{"solver_type L2R_LR\nx", "\"x\" is not known in the head"},
		{change(liblinearText, "L2R_LR", "MCSVM_CS"), "m:1: solver_type \"MCSVM_CS\" cannot be used"},
		{change(liblinearText, "nr_class 2", "nr_class 1"), "m:2: the model has one class"},
		{change(liblinearText, "nr_class 2", "nr_class 3"), "m:4: label 3 is \"nr_feature\""},
		{change(classesText, "7 -1 2", "7 -1 7"), "two classes have the label 7"},
		{change(change(liblinearText, "nr_class 2", "nr_class 3"), "1 -1", "1 2 3"), "the file ends where weight 3"},
		{change(classesText, "L2R_LR", "L2R_L2LOSS_SVR"), "a regression model has 3 classes"},
		{change(liblinearText, "label 1 -1\n", ""), "label is missing"},
		{change(liblinearText, "label 1 -1", "label 1 1"), "not two different"},
		{change(liblinearText, "label 1 -1", "label 1"), "second label is \"nr_feature\""},
		{change(liblinearText, "nr_feature 2", "nr_feature -2"), "whole number from 0"},
		{change(liblinearText, "nr_feature 2", "nr_feature 1e18"), "whole number from 0"},
		{change(liblinearText, "nr_feature 2", "nr_feature 2147483646"), "m:9: the file ends where weight 3"},
		{change(liblinearText, "nr_feature 2", "nr_feature 1"), "\"-0.25\" stands after the last weight"},
		{change(liblinearText, "bias -1", "bias -1\nbias 1"), "twice"},
		{change(liblinearText, "0.5", "nan"), "m:7: weight 1 is \"nan\""},
		{change(liblinearText, "0.5", "1e999"), "not a finite number"},
		{change(liblinearText, "0.5", "0x1p3"), "not a finite number"},
		{change(liblinearText, "0.5", strings.Repeat("1", 1000)), "too long"},
		{liblinearText[:len(liblinearText)-9], "truncated"},
		{liblinearText + "lanes 2\n{}\n", "version 2"},
		{liblinearText + "lanes 1\n{}\n", "checksum"},
		{liblinearText + "lanes 1\n{]\n", "damaged"},
		{whole.String()[:whole.Len()-40], "truncated"},
		{whole.String() + "x", "more text"},
		{change(whole.String(), "0.3333333333333333", "0.3333333333333334"), "checksum"},
		{change(whole.String(), `"minmax"`, `"other"`), "normalize"},
		{change(whole.String(), `"shift":[0,1,0]`, `"shift":[0,1]`), "the scaler has 2 shifts"},
	} {
		_, err := readLinear(strings.NewReader(c.text), "m")
		var format *sparse.FormatError
		if err == nil || !strings.Contains(err.Error(), c.says) || !errors.As(err, &format) {
			t.Errorf("error %v, want one that says %q, of %q", err, c.says, c.text)
		}
	}
}

func TestWriteModelRefuses(t *testing.T) {
	for says, spoil := range map[string]func(*Linear){
		"weight 2 is NaN": func(m *Linear) { m.Weights[1] = math.NaN() },
		"3 weights":       func(m *Linear) { m.Weights = m.Weights[:3] },
		"bias -1":         func(m *Linear) { m.Bias = -1 },
		"labels":          func(m *Linear) { m.Negative = 2 },
		"0 weights": func(m *Linear) { // 2^32 would be needed
			m.Features, m.Bias, m.Meta, m.Weights, m.Classes = 1<<30, 0, nil, nil, []float64{1, 2, 3, 4}
		},
		"metadata": func(m *Linear) { m.Meta.Objective = math.Inf(1) },
	} {
		m := exampleModel()
		spoil(m)
		path := filepath.Join(t.TempDir(), "model")
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(path, m); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
		if old, err := os.ReadFile(path); string(old) != "old" {
			t.Errorf("%s: the old file holds %q, %v", says, old, err)
		}
	}
}

func TestModelScores(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 2, 2}, []uint32{0, 2}, []float64{3, 4})
	if err != nil {
		t.Fatal(err)
	}
	m := &Linear{SolverType: "L2R_LR", Bias: 2, Weights: []float64{1, 5, 2, 0.25},
		Card: Card{Positive: 1, Negative: 0, Features: 3, Meta: &Meta{Normalize: NormalizeUnit}}}
	scores, err := m.Scores(nil, nil, x)
	if err != nil || !(math.Abs(scores[0]-2.7) <= 1e-15) || scores[1] != 0.5 {
		t.Errorf("unit: %v, %v", scores, err)
	}
	m.Meta.Normalize, m.Meta.Scaler = NormalizeMinMax, &sparse.Scaler{Shift: []float64{1, 0, 0}, Width: []float64{2, 1, 0}}
	if scores, err = m.Scores(nil, nil, x); err != nil || scores[0] != 1.5 || scores[1] != 0 {
		t.Errorf("minmax: %v, %v", scores, err)
	}
	m.Meta.Normalize, m.Meta.Scaler = NormalizeStd, &sparse.Scaler{Shift: make([]float64, 3), Width: []float64{2, 1, 0.5}}
	if scores, err = m.Scores(nil, nil, x); err != nil || scores[0] != 18 {
		t.Errorf("std: %v, %v", scores, err)
	}
	if _, err = m.Scores(nil, nil, x.WithBias(1)); err == nil {
		t.Error("a matrix with a bias was accepted")
	}
	for says, spoil := range map[string]func(*Linear){
		"4 weights":             func(m *Linear) { m.Classes = []float64{1, 2, 3} },
		"3 weights":             func(m *Linear) { m.Weights = m.Weights[:3] },
		"minmax needs a scaler": func(m *Linear) { m.Meta = &Meta{Normalize: NormalizeMinMax} },
		"std needs a scaler":    func(m *Linear) { m.Meta = &Meta{Normalize: NormalizeStd} },
	} {
		bad := *m
		spoil(&bad)
		if _, err := bad.Scores(nil, nil, x); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	if err := (&Linear{Card: Card{Classes: []float64{}}}).Probabilities(scores); err == nil {
		t.Error("probabilities of no classes")
	}
	if m.Label(0) != 0 || m.Label(1e-300) != 1 {
		t.Error("labels")
	}
}
