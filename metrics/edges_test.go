package metrics

import (
	"math"
	"testing"
)

// TestAccuracyAtZero: a score of 0, of either sign, predicts negative.
func TestAccuracyAtZero(t *testing.T) {
	for _, zero := range []float64{0, math.Copysign(0, -1)} {
		for label, want := range map[float64]float64{1: 0.25, -1: 1} {
			if got, err := Accuracy([]float64{zero, 2}, []float64{label, 1}, []float64{3, 1}); err != nil || got != want {
				t.Errorf("a score of %v and the label %v: %v, %v; want %v", zero, label, got, err, want)
			}
		}
	}
}

// TestCompensatedSum: what large terms swallow comes back with the value.
func TestCompensatedSum(t *testing.T) {
	for _, terms := range [][]float64{{1, 1e100, 1, -1e100}, {1e100, 1, -1e100, 1}, {-1e100, 2, 1e100}} {
		var c compensated
		for _, v := range terms {
			c.add(v)
		}
		if got := c.value(); got != 2 {
			t.Errorf("%v sum up to %v, not 2", terms, got)
		}
	}
}

// TestClassLogLossWeighsRows: rows of weight 0 count for nothing, even those whose
// class was given the probability 0; negative weights are refused.
func TestClassLogLossWeighsRows(t *testing.T) {
	probability, actual := []float64{0.5, 0.5, 1, 0, 0.25, 0.75}, []uint32{0, 1, 1}
	for _, c := range []struct {
		weight []float64
		want   float64
	}{
		{[]float64{1, 0, 0}, math.Ln2}, {[]float64{3, 0, 1}, (3*math.Ln2 - math.Log(0.75)) / 4},
		{[]float64{1, 1e-300, 1}, math.Inf(1)}, {nil, math.Inf(1)},
	} {
		if got, err := ClassLogLoss(probability, actual, c.weight, 2); err != nil || got != c.want && !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("weights %v: %v, %v; want %v", c.weight, got, err, c.want)
		}
	}
	for _, weight := range [][]float64{{1, -1, 1}, {1, math.NaN(), 1}, {1, math.Inf(1), 1}, {0, 0, 0}, {1, 1}} {
		if v, err := ClassLogLoss(probability, actual, weight, 2); err == nil {
			t.Errorf("weights %v: %v", weight, v)
		}
	}
	// One class is the least there can be.
	if table, err := Classify([]uint32{0, 0}, []uint32{0, 0}, nil, 1); err != nil || table.Accuracy() != 1 {
		t.Errorf("one class: %v, %v", table, err)
	}
	if v, err := ClassLogLoss([]float64{1, 1}, []uint32{0, 0}, nil, 1); err != nil || v != 0 {
		t.Errorf("one class: %v, %v", v, err)
	}
}

// TestCalibrationBins: 1 to a million of them.
func TestCalibrationBins(t *testing.T) {
	probability, label := []float64{0.2, 0.4}, []float64{-1, 1}
	for bins, good := range map[int]bool{-1: false, 0: false, 1: true, 1e6: true, 1e6 + 1: false} {
		if table, err := Calibration(probability, label, nil, bins); (err == nil) != good {
			t.Errorf("%d bins: %v, %v", bins, table, err)
		}
	}
}

// TestClassesThatOnlyWerePredicted: they count in the mean of F1, with an F1 of 0, and not in
// the mean of recall; classes of neither count in none.
func TestClassesThatOnlyWerePredicted(t *testing.T) {
	table, err := Classify([]uint32{0, 0, 1}, []uint32{0, 2, 1}, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := table.MacroF1(), (2./3+1)/3; math.Abs(got-want) > 1e-15 {
		t.Errorf("macro F1 is %v, not %v", got, want)
	}
	if got, want := table.BalancedAccuracy(), (0.5+1)/2; math.Abs(got-want) > 1e-15 {
		t.Errorf("balanced accuracy is %v, not %v", got, want)
	}
}
