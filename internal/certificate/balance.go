package certificate

import "github.com/lanes-go/lanes/internal/direct"

// Balance returns the shares of the positive and of the negative numbers of v with which v sums
// to 0. One share is 1. v are dual variables beside an intercept. Rounding leaves a part of the
// sum. Times the best intercept, this part is at most rest times 1 + |b| + the largest |margin|
// of a row with a weight. This takes the best intercept to be at most Farthest times 1 + |b| +
// that margin.
func Balance(v []float64) (above, below, rest float64) {
	above, below = 1, 1
	positive, negative := sumsBySign(v)
	switch {
	case positive > negative:
		above = negative / positive
	case negative > positive:
		below = positive / negative
	}
	return above, below, float64(8*direct.Unit*min(positive, negative)) * Farthest
}

// Farthest bounds an unpenalised weight at the minimum, in sizes that the weights at hand and their margins
// have: a supposition.
const Farthest = 1 << 10

// sumsBySign adds up the positive and the negative numbers of v, each with the rounding
// errors added up beside the sum (Neumaier 1974).
func sumsBySign(v []float64) (positive, negative float64) {
	var lostP, lostN float64
	for _, x := range v {
		if x >= 0 {
			sum := positive + x
			lostP += max(positive, x) - sum + min(positive, x)
			positive = sum
			continue
		}
		sum := negative - x
		lostN += max(negative, -x) - sum + min(negative, -x)
		negative = sum
	}
	return positive + lostP, negative + lostN
}
