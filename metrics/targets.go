package metrics

import (
	"fmt"
	"math"
)

// MeanSquaredError returns the weighted mean of (score - target)^2, which is infinite where it
// exceeds float64. Targets are finite.
func MeanSquaredError(score, target, weight []float64) (float64, error) {
	total, err := checkTargets("MeanSquaredError", score, target, weight)
	if err != nil {
		return 0, err
	}
	return meanSquare(target, weight, total, func(i int) float64 { return score[i] }), nil
}

// R2 returns the coefficient of determination: 1 - MSE / V, where MSE is the weighted mean of
// (score - target)^2 and V the weighted variance of the targets. It is at most 1, and below 0
// where the mean of the targets would be the better prediction. It needs two different targets.
func R2(score, target, weight []float64) (float64, error) {
	total, err := checkTargets("R2", score, target, weight)
	if err != nil {
		return 0, err
	}
	var sum compensated
	low, high := math.Inf(1), math.Inf(-1)
	for i, t := range target {
		if w := weightOf(weight, i); w > 0 {
			sum.add(float64(w * t))
			low, high = min(low, t), max(high, t)
		}
	}
	mean := sum.value() / total
	variance := meanSquare(target, weight, total, func(int) float64 { return mean })
	switch {
	case low == high:
		return 0, fmt.Errorf("metrics: R2: all targets are %v", low)
	case !(variance > 0 && variance <= math.MaxFloat64):
		return 0, fmt.Errorf("metrics: R2: the variance of the targets is %v in float64", variance)
	}
	return 1 - meanSquare(target, weight, total, func(i int) float64 { return score[i] })/variance, nil
}

// meanSquare returns the weighted mean of the squared distances of targets from predictions.
func meanSquare(target, weight []float64, total float64, prediction func(i int) float64) float64 {
	var sum compensated
	for i, t := range target {
		if w := weightOf(weight, i); w > 0 {
			d := prediction(i) - t
			sum.add(float64(w * float64(d*d)))
		}
	}
	if math.IsInf(sum.sum, 0) {
		return sum.sum
	}
	return sum.value() / total
}

// checkTargets refuses what no metric of a regression can be computed from and returns the sum
// of the weights.
func checkTargets(op string, score, target, weight []float64) (float64, error) {
	for i, t := range target {
		if t-t != 0 {
			return 0, fmt.Errorf("metrics: %s: the target of row %d is %v; targets are finite", op, i, t)
		}
	}
	return checkRows(op, score, target, weight)
}

// MeanAbsoluteError returns the weighted mean of |score - target|. Targets are finite.
func MeanAbsoluteError(score, target, weight []float64) (float64, error) {
	total, err := checkTargets("MeanAbsoluteError", score, target, weight)
	if err != nil {
		return 0, err
	}
	var sum compensated
	for i, t := range target {
		if w := weightOf(weight, i); w > 0 {
			sum.add(float64(w * math.Abs(score[i]-t)))
		}
	}
	if math.IsInf(sum.sum, 0) {
		return sum.sum, nil
	}
	return sum.value() / total, nil
}
