package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// threeColumns are rows of three columns and a bias.
func threeColumns(t *testing.T, bias float64) *sparse.Matrix {
	t.Helper()
	x, err := sparse.NewCSR(3, []int64{0, 2, 3}, []uint32{0, 2, 1}, []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	return x.WithBias(bias)
}

func TestStart(t *testing.T) {
	wide, err := sparse.NewCSR(5, []int64{0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"ham", "spam", "eggs"}
	two := &Linear{Card: Card{Features: 3, Positive: 2, Negative: 1, Meta: &Meta{Normalize: NormalizeUnit}}, SolverType: "L2R_LR", Bias: 1, Weights: []float64{1, 2, 3, 4}}
	plain := *two
	plain.Meta = nil
	classes := &Linear{Card: Card{Features: 3, Classes: []float64{5, 1, 3}}, SolverType: "L2R_LR", Weights: []float64{51, 52, 53, 11, 12, 13, 31, 32, 33}}
	named := *classes
	named.Classes, named.Meta = []float64{1, 2, 3}, &Meta{Normalize: NormalizeNone, LabelNames: words, Labels: []float64{1, 2, 3}}
	target := &Linear{Card: Card{Features: 3, Regression: true}, SolverType: "L2R_L2LOSS_SVR", Weights: []float64{7, 8, 9}}
	net := score.Network{Features: 3, Hidden: []int{2}}
	units := &Perceptron{Card: Card{Features: 3, Positive: 1, Negative: -1}, Network: net, Weights: make([]float64, net.Parameters())}
	other := score.Network{Features: 3, Hidden: []int{3}}

	pair := Training{Loss: loss.Logistic{}, X: threeColumns(t, 1), Labels: sparse.LabelMap{Positive: 2, Negative: 1}, Normalize: NormalizeUnit}
	several := Training{Loss: loss.Logistic{}, X: threeColumns(t, 0), Classes: []float64{1, 3, 5}}
	spelled := Training{Loss: loss.Logistic{}, X: threeColumns(t, 0), Classes: []float64{1, 2, 3}, LabelNames: []string{"eggs", "ham", "spam"}}
	signs := Training{Loss: loss.Logistic{}, X: threeColumns(t, 0), Labels: sparse.LabelMap{Positive: 1, Negative: -1}, Network: &net}
	with := func(t Training, change func(*Training)) Training {
		change(&t)
		return t
	}
	for name, c := range map[string]struct {
		m    Model
		t    Training
		want []float64 // nil for an error
		says string
	}{
		"two":                {two, pair, two.Weights, ""},
		"another loss":       {two, with(pair, func(t *Training) { t.Loss, t.Penalty, t.Intercept = loss.SquaredHinge{}, penalty.L1{Lambda: 0.1}, true }), two.Weights, ""},
		"no metadata":        {&plain, pair, two.Weights, ""},
		"classes":            {classes, several, []float64{11, 12, 13, 31, 32, 33, 51, 52, 53}, ""},
		"words":              {&named, spelled, []float64{31, 32, 33, 51, 52, 53, 11, 12, 13}, ""},
		"targets":            {target, Training{Loss: loss.Logistic{}, X: threeColumns(t, 0), Regression: true}, target.Weights, ""},
		"units":              {units, signs, units.Weights, ""},
		"a nil model":        {(*Linear)(nil), pair, nil, "needed"},
		"nil units":          {(*Perceptron)(nil), pair, nil, "needed"},
		"no model":           {nil, pair, nil, "needed"},
		"no rows":            {two, Training{}, nil, "needed"},
		"broken":             {&Linear{}, pair, nil, "solver_type"},
		"columns":            {two, with(pair, func(t *Training) { t.X = wide.WithBias(1) }), nil, "3 columns, the data have 5"},
		"no bias":            {two, with(pair, func(t *Training) { t.X = t.X.WithBias(0) }), nil, "the training has none"},
		"a bias":             {classes, with(several, func(t *Training) { t.X = t.X.WithBias(1) }), nil, "the training has one"},
		"another bias":       {two, with(pair, func(t *Training) { t.X = t.X.WithBias(2) }), nil, "bias of the model is 1"},
		"swapped":            {two, with(pair, func(t *Training) { t.Labels = sparse.LabelMap{Positive: 1, Negative: 2} }), nil, "2 (positive) from 1; the training separates 1 (positive) from 2"},
		"rest":               {two, with(pair, func(t *Training) { t.Labels.Rest = true }), nil, "2 from the rest"},
		"words for numbers":  {&named, several, nil, "the model separates 3 classes: ham, spam, eggs; the training separates 3 classes: 1, 3, 5"},
		"fewer classes":      {classes, with(pair, func(t *Training) { t.X, t.Normalize = t.X.WithBias(0), "" }), nil, "3 classes"},
		"other classes":      {classes, with(several, func(t *Training) { t.Classes = []float64{1, 3, 6} }), nil, "1, 3, 6"},
		"more classes":       {classes, with(several, func(t *Training) { t.Classes = []float64{1, 3, 5, 6} }), nil, "4 classes"},
		"a regression":       {two, with(pair, func(t *Training) { t.Regression = true }), nil, "the training a regression"},
		"of a regression":    {target, several, nil, "the model is a regression"},
		"scaling":            {two, with(pair, func(t *Training) { t.Normalize = "" }), nil, "scaled by unit, the training rows by none"},
		"a linear model":     {units, with(signs, func(t *Training) { t.Network = nil }), nil, "one of a linear model"},
		"another network":    {units, with(signs, func(t *Training) { t.Network = &other }), nil, "3-3-1"},
		"units for a linear": {&plain, with(pair, func(t *Training) { t.Network = &net }), nil, "the model is linear"},
	} {
		got, err := Start(c.m, c.t)
		if c.want != nil && (err != nil || !slices.Equal(got, c.want)) || c.want == nil && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	got, err := Start(two, pair)
	if err != nil {
		t.Fatal(err)
	}
	if got[0] = 77; two.Weights[0] == 77 {
		t.Error("the start is the model's own memory")
	}
}
