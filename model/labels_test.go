package model

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// inWords returns a card whose labels are words.
func inWords(c Card, words ...string) *Card {
	c.Meta = &Meta{LabelNames: words}
	return &c
}

func TestTargets(t *testing.T) {
	abc := []string{"apple", "pear", "plum"}
	for name, c := range map[string]struct {
		card *Card
		y    []float64
		of   []string
		want []float64
	}{
		"two":                {&Card{Positive: 3, Negative: 7}, []float64{7, 3, 3, 7}, nil, []float64{-1, 1, 1, -1}},
		"zeros":              {&Card{Positive: 0, Negative: 1}, []float64{0, 1, math.Copysign(0, -1)}, nil, []float64{1, -1, 1}},
		"rest":               {&Card{Positive: 3, Negative: -1, Rest: true}, []float64{8, 3, -1, 2}, nil, []float64{-1, 1, -1, -1}},
		"several":            {&Card{Classes: []float64{9, 2, 5}}, []float64{5, 2, 9, 5}, nil, []float64{2, 1, 0, 2}},
		"targets":            {&Card{Regression: true}, []float64{0.5, -3}, nil, []float64{0.5, -3}},
		"two words":          {inWords(Card{Positive: 1, Negative: -1}, "spam", "ham"), []float64{0, 1, 1}, []string{"ham", "spam"}, []float64{-1, 1, 1}},
		"one word":           {inWords(Card{Positive: 1, Negative: -1}, "spam", "ham"), []float64{0, 0}, []string{"spam"}, []float64{1, 1}},
		"words nobody has":   {inWords(Card{Positive: 1, Negative: -1}, "spam", "ham"), []float64{1, 2}, []string{"eggs", "ham", "spam"}, []float64{-1, 1}},
		"the rest":           {inWords(Card{Positive: 2, Negative: -1, Rest: true}, "pear", "rest"), []float64{0, 1, 2, 1}, abc, []float64{-1, 1, -1, 1}},
		"a row of the rest":  {inWords(Card{Positive: 2, Negative: -1, Rest: true}, "pear", "rest"), []float64{0, 1}, []string{"pear", "rest"}, []float64{1, -1}},
		"several words":      {inWords(Card{Classes: []float64{1, 2, 3}}, abc...), []float64{1, 0, 1}, []string{"apple", "plum"}, []float64{2, 0, 2}},
		"several unordered":  {inWords(Card{Classes: []float64{1, 2, 3}}, "plum", "apple", "pear"), []float64{0, 1, 2}, abc, []float64{1, 2, 0}},
		"no rows":            {&Card{Positive: 3, Negative: 7}, nil, nil, nil},
		"more than a screen": {&Card{Classes: []float64{8, 7, 6, 5, 4, 3, 2, 1, 0}}, []float64{0, 8, 4}, nil, []float64{8, 0, 4}},
	} {
		got, err := c.card.Targets(&sparse.Data{Y: c.y, LabelNames: c.of})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v, %v", name, got, c.want, err)
		}
	}
}

func TestTargetsThatNobodyKnows(t *testing.T) {
	two, words := &Card{Positive: 1, Negative: -1}, inWords(Card{Positive: 1, Negative: -1}, "spam", "ham")
	for says, c := range map[string]struct {
		card *Card
		y    []float64
		of   []string
		row  int
	}{
		"row 3: the label 0.5 is not among the 2 classes of the training: 1, -1": {two, []float64{1, -1, 0.5, 7}, nil, 3},
		"row 2: the label NaN": {two, []float64{1, math.NaN()}, nil, 2},
		"row 2: the label eggs is not among the 2 classes of the training: spam, ham":          {words, []float64{1, 0}, []string{"eggs", "spam"}, 2},
		"row 1: the label 4 is not among the 8 classes of the training: 1, 2, 3, 5, 6, 7, ...": {&Card{Classes: []float64{1, 2, 3, 5, 6, 7, 8, 9}}, []float64{4}, nil, 1},
		"labels are words":                 {two, []float64{0}, []string{"spam"}, 0},
		"words spam, ham":                  {words, []float64{1}, nil, 0},
		"numbers":                          {&Card{Regression: true}, []float64{0}, []string{"spam"}, 0},
		"2 names of 3 labels":              {inWords(Card{Classes: []float64{1, 2, 3}}, "spam", "ham"), []float64{0}, []string{"spam"}, 0},
		"row 1: the label -1 is not among": {words, []float64{-1}, []string{"eggs"}, 1},
	} {
		_, err := c.card.Targets(&sparse.Data{Y: c.y, LabelNames: c.of})
		var wrong *RowError
		if !errors.As(err, &wrong) || wrong.Row != c.row || wrong.Column != -1 || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := two.Targets(nil); err == nil {
		t.Error("no data have labels")
	}
}

// TestReadOptions: rows are read with the columns, the index base and the labels of a model.
func TestReadOptions(t *testing.T) {
	card := inWords(Card{Features: 3, Positive: 1, Negative: -1}, "spam", "ham")
	card.Meta.ZeroBased = true
	data, err := sparse.Read(context.Background(), strings.NewReader("ham 0:1 2:2 3:9\nspam 1:1\n"), "rows", card.ReadOptions())
	if err != nil || data.X.Cols() != 3 || data.X.NNZ() != 3 || data.Dropped != 1 {
		t.Fatalf("%+v, %v", data, err)
	}
	if y, err := card.Targets(data); err != nil || !slices.Equal(y, []float64{-1, 1}) {
		t.Errorf("%v, %v", y, err)
	}
	if o := (&Card{Features: 7}).ReadOptions(); o.ZeroBased || o.Columns != 7 || !o.DropBeyond {
		t.Errorf("%+v", o)
	}
}
