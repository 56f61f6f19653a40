package model

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// TestClassMetrics measures weights of three classes on rows whose scores and metrics are
// known. Of equal scores the first class is predicted.
func TestClassMetrics(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 1, 2, 3, 4, 4}, []uint32{0, 1, 2, 2}, []float64{1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{2, 0, 0, 0, 2, 1, 0, 0, 0} // scores (2, 0, 0), (0, 2, 0), (0, 1, 0), (0, 1, 0), (0, 0, 0)
	y := []float64{0, 1, 2, 1, 0}
	share := func(own, other, third float64) float64 { return own / (own + other + third) }
	e, s := math.Exp, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	soft := -(2*math.Log(share(e(2), 1, 1)) + math.Log(share(1, e(1), 1)) + math.Log(share(e(1), 1, 1)) + math.Log(share(1, 1, 1))) / 5
	rest := -(2*math.Log(share(s(2), s(0), s(0))) + math.Log(share(s(0), s(1), s(0))) + math.Log(share(s(1), s(0), s(0))) + math.Log(share(1, 1, 1))) / 5
	for _, c := range []struct {
		name    string
		softmax bool
		want    float64
		higher  bool
	}{
		{"accuracy", false, 0.8, true}, {"balanced_accuracy", false, 2. / 3, true}, {"macro_f1", false, (1 + 0.8) / 3, true},
		{"logloss", true, soft, false}, {"logloss", false, rest, false},
	} {
		m, err := ClassMetric(c.name, []float64{1, 2, 3}, c.softmax)
		if err != nil {
			t.Fatal(err)
		}
		v := &Validation{Metric: m, Model: score.Linear{X: x}, Y: y, Classes: 3}
		got, err := v.Measure(w)
		if err != nil || !(math.Abs(got-c.want) <= 1e-12) || v.HigherIsBetter() != c.higher || v.Name() != c.name {
			t.Errorf("%s, softmax %t: %v, want %v: %v", c.name, c.softmax, got, c.want, err)
		}
		v.Weight = []float64{1, 2, 0, 0, 0} // of rows that are right
		if c.name != "logloss" {
			if got, err := v.Measure(w); err != nil || !(math.Abs(got-map[string]float64{"accuracy": 1, "balanced_accuracy": 1, "macro_f1": 1}[c.name]) <= 1e-12) {
				t.Errorf("%s of rows that are right: %v, %v", c.name, got, err)
			}
		}
		if v.Weight = []float64{0, 0, 3, 0, 3}; c.name == "accuracy" {
			if got, err := v.Measure(w); err != nil || got != 0.5 {
				t.Errorf("accuracy of half of the weights: %v, %v", got, err)
			}
		}
		if v.Weight = []float64{2, 1, 0, 0, 0}; c.softmax {
			if got, err := v.Measure(w); err != nil || !(math.Abs(got+math.Log(share(e(2), 1, 1))) <= 1e-12) {
				t.Errorf("logloss of rows with weights: %v, %v", got, err)
			}
		}
		v.Weight = nil
		if _, err := v.Measure(w[:6]); err == nil {
			t.Errorf("%s: weights of two classes are measured as of three", c.name)
		}
	}
	// The largest score of a row is looked for among its own scores alone.
	best, err := ClassMetric("accuracy", []float64{1, 2, 3}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := best.Compute([]float64{5, 1, 0, 0, 2, 1, 1, 0, 2}, []float64{0, 1, 2}, nil); got != 1 || err != nil {
		t.Errorf("the accuracy is %v, %v; want 1", got, err)
	}
	if _, err := ClassMetric("ap", []float64{1, 2, 3}, false); err == nil {
		t.Error("ap is a metric of several classes")
	}
}
