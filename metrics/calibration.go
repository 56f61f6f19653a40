package metrics

import (
	"fmt"
	"math"
	"slices"
)

// CalibrationBin is a line of a calibration table: the rows whose predicted
// probability of being positive is above Low and at most High; the first bin holds
// probability 0 too. A bin without rows has Weight 0 and means of 0. It is safe for concurrent
// reading.
type CalibrationBin struct {
	Low, High float64
	Weight    float64 // of its rows
	Predicted float64 // weighted mean of the predicted probabilities
	Observed  float64 // share of positives, by weight
}

// Calibration sorts rows into the given number of bins of equal width by their
// predicted probability. It costs O(n log bins).
//
// Error: a probability outside [0, 1], bins below 1 or above 1e6, and what all
// metrics refuse.
func Calibration(probability, label, weight []float64, bins int) ([]CalibrationBin, error) {
	if err := checkBins("Calibration", bins); err != nil {
		return nil, err
	}
	if err := checkProbabilities("Calibration", probability, label, weight); err != nil {
		return nil, err
	}
	table := make([]CalibrationBin, bins)
	edges := make([]float64, bins)
	for k := range table {
		edges[k] = float64(k+1) / float64(bins)
		table[k].High = edges[k]
		if k > 0 {
			table[k].Low = edges[k-1]
		}
	}
	sums := make([]struct{ weight, predicted, observed compensated }, bins)
	for i, p := range probability {
		k, _ := slices.BinarySearch(edges, p)
		w := weightOf(weight, i)
		s := &sums[k]
		s.weight.add(w)
		s.predicted.add(float64(w * p))
		if label[i] > 0 {
			s.observed.add(w)
		}
	}
	for k := range table {
		if b := &table[k]; sums[k].weight.sum > 0 {
			b.Weight = sums[k].weight.value()
			b.Predicted = sums[k].predicted.value() / b.Weight
			b.Observed = sums[k].observed.value() / b.Weight
		}
	}
	return table, nil
}

// CalibrationError returns the expected calibration error of a table: the mean over
// the rows of |Observed - Predicted| of their bin; 0 for a table without rows.
func CalibrationError(table []CalibrationBin) float64 {
	var sum, total compensated
	for _, b := range table {
		sum.add(float64(b.Weight * math.Abs(b.Observed-b.Predicted)))
		total.add(b.Weight)
	}
	if total.sum == 0 {
		return 0
	}
	return sum.value() / total.value()
}

// Brier returns the weighted mean of (p - y)^2 with y = 0 or 1.
//
// Error: a probability outside [0, 1], and what all metrics refuse.
func Brier(probability, label, weight []float64) (float64, error) {
	if err := checkProbabilities("Brier", probability, label, weight); err != nil {
		return 0, err
	}
	var sum, total compensated
	for i, p := range probability {
		if label[i] > 0 {
			p = 1 - p
		}
		w := weightOf(weight, i)
		sum.add(float64(w * float64(p*p)))
		total.add(w)
	}
	return sum.value() / total.value(), nil
}

func checkProbabilities(op string, probability, label, weight []float64) error {
	if _, err := check(op, probability, label, weight); err != nil {
		return err
	}
	for i, p := range probability {
		if p < 0 || p > 1 {
			return fmt.Errorf("metrics: %s: the probability of row %d is %v; it must lie in [0, 1]", op, i, p)
		}
	}
	return nil
}
