package model

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestLargest(t *testing.T) {
	m := &Linear{
		Card:    Card{Features: 4, Classes: []float64{1, 2, 3}, Meta: &Meta{FeatureNames: []string{"a", "", "c", "d"}}},
		Bias:    2,
		Weights: []float64{0, -3, 3, 1, 9, math.Copysign(0, -1), 0, 0, 0, -1, 0.25, -4, 4, -5, 0.5},
	}
	for _, c := range []struct {
		class, k int
		want     []Weight
	}{
		{0, 2, []Weight{{1, "", -3}, {2, "c", 3}}},
		{0, 9, []Weight{{1, "", -3}, {2, "c", 3}, {3, "d", 1}}},
		{1, 9, nil}, {0, 0, nil}, {0, -1, nil}, {3, 1, nil}, {-1, 1, nil},
		{2, 1, []Weight{{3, "d", -5}}}, {2, 4, []Weight{{3, "d", -5}, {1, "", -4}, {2, "c", 4}, {0, "a", 0.25}}},
	} {
		if got := m.Largest(c.class, c.k); len(got)+len(c.want) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("class %d, %d: %v, not %v", c.class, c.k, got, c.want)
		}
	}
	for k, want := range []float64{18, -2, 1, 0} {
		if got := m.Constant(k); got != want {
			t.Errorf("constant %d is %v, not %v", k, got, want)
		}
	}
}

func TestNamesOfColumns(t *testing.T) {
	for want, names := range map[string][]string{
		"":                 {"a", "b", ""},
		"2 names of 3":     {"a", "b"},
		"0 names of 3":     {},
		"columns 1 and 3":  {"a", "b", "a"},
		"name of column 2": {"a", "b\n", "c"},
		"name of column 3": {"a", "b", "\xff"},
	} {
		m := exampleModel()
		m.Meta.FeatureNames = names
		if err := m.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", names, err)
		}
	}
}
