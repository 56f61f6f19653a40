package sparse

import (
	"math"
	"math/rand/v2"
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
		{[]float64{3, -1, 2}, v(3), []float64{1, -1, -1}, "3 against the rest"},
	} {
		signs, labels, err := BinaryLabels(c.y, c.positive)
		if err != nil || !slices.Equal(signs, c.signs) || labels.String() != c.text {
			t.Errorf("%v: %v, %v, %v; want %v, %s", c.y, signs, labels, err, c.signs, c.text)
		}
		if labels.Rest && slices.Contains(c.y, labels.Negative) {
			t.Errorf("%v: the rest is called %v, as a class is", c.y, labels.Negative)
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

// TestCountClassesOfManyLabels counts the labels of rows one class at a time.
func TestCountClassesOfManyLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	for _, labels := range [][]float64{{1, -1}, {0, math.Copysign(0, -1), 2}, {3, math.NaN(), math.Float64frombits(0x7ff8000000000009), 3.5, -7, 0}} {
		y := make([]float64, random.IntN(300))
		for i := range y {
			y[i] = labels[random.IntN(len(labels))]
		}
		same := func(a, b float64) bool { return a == b || a != a && b != b }
		rows := 0
		for k, class := range CountClasses(y) {
			count := 0
			for _, v := range y {
				if same(v, class.Label) {
					count++
				}
			}
			if class.Count != count || k > 0 && class.Label <= CountClasses(y)[k-1].Label {
				t.Errorf("labels %v: class %v has %d rows, want %d", labels, class.Label, class.Count, count)
			}
			rows += count
		}
		if rows != len(y) {
			t.Errorf("labels %v: %d rows are counted, of %d", labels, rows, len(y))
		}
	}
}
