package sparse

import (
	"slices"
	"strings"
	"testing"
)

func TestBinaryLabels(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		y        []float64
		positive *float64
		signs    []float64
		text     string
	}{
		{[]float64{1, -1, 1}, nil, []float64{1, -1, 1}, "1 against -1"},
		{[]float64{1, 0, 1}, nil, []float64{1, -1, 1}, "1 against 0"},
		{[]float64{1, 2, 1}, nil, []float64{-1, 1, -1}, "2 against 1"},
		{[]float64{1, 2, 1}, v(1), []float64{1, -1, 1}, "1 against 2"},
		{[]float64{1, 2, 3}, v(2), []float64{-1, 1, -1}, "2 against the rest"},
	} {
		signs, labels, err := BinaryLabels(c.y, c.positive)
		if err != nil || !slices.Equal(signs, c.signs) || labels.String() != c.text {
			t.Errorf("%v: %v, %v, %v; want %v, %s", c.y, signs, labels, err, c.signs, c.text)
		}
		for i, y := range c.y {
			if sign, err := labels.Sign(y); sign != signs[i] || err != nil {
				t.Errorf("%v: sign of %v is %v, %v", labels, y, sign, err)
			}
		}
	}
	for _, c := range []struct {
		y        []float64
		positive *float64
		want     string
	}{
		{nil, nil, "no rows"},
		{[]float64{3, 3}, nil, "every row has the label 3: two classes are needed"},
		{[]float64{3, 3}, v(3), "every row has the label 3: two classes are needed"},
		{[]float64{1, 2, 3}, nil, "3 classes (labels 1, 2, 3) where two are needed"},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, nil, "7 classes (labels 1, 2, 3, 4, 5, 6, ...)"},
		{[]float64{1, 2}, v(4), "no row has the label 4"},
	} {
		_, _, err := BinaryLabels(c.y, c.positive)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.y, err, c.want)
		}
	}
	if _, err := (LabelMap{Positive: 1, Negative: -1}).Sign(0); err == nil || err.Error() != "label 0 is neither 1 nor -1" {
		t.Errorf("unknown label: error %v", err)
	}
}
