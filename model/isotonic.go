package model

import (
	"errors"
	"math"
	"sort"

	"github.com/lanes-go/lanes/kernels"
)

// Isotonic is a rising function from scores to probabilities: Shares[k] at Scores[k], straight between
// them, and constant beyond. It does not change, and is safe for concurrent use.
type Isotonic struct {
	Scores []float64 `json:"scores"` // ascending
	Shares []float64 `json:"shares"` // ascending or equal, above 0 and below 1
}

// At returns the probability of a score, NaN for NaN, and where there are no scores or not a share for
// each.
func (f *Isotonic) At(score float64) float64 {
	if score != score || len(f.Scores) == 0 || len(f.Shares) != len(f.Scores) {
		return math.NaN()
	}
	last := len(f.Scores) - 1
	k := sort.SearchFloat64s(f.Scores, score)
	switch {
	case k == 0:
		return f.Shares[0]
	case k > last:
		return f.Shares[last]
	}
	low, high := f.Scores[k-1], f.Scores[k]
	return f.Shares[k-1] + float64((f.Shares[k]-f.Shares[k-1])*((score-low)/(high-low)))
}

// Odds returns the log odds of the probability of a score.
func (f *Isotonic) Odds(score float64) float64 {
	p := f.At(score)
	return kernels.LogOf(p / (1 - p))
}

// check says what is wrong with the function, nil for none and for nothing.
func (f *Isotonic) check() error {
	if f == nil {
		return nil
	}
	if len(f.Scores) == 0 || len(f.Scores) != len(f.Shares) {
		return errors.New("the isotonic calibration has no scores, or not a share for each")
	}
	for k, s := range f.Scores {
		p := f.Shares[k]
		if s-s != 0 || !(p > 0 && p < 1) || k > 0 && !(s > f.Scores[k-1] && p >= f.Shares[k-1]) {
			return errors.New("the scores or shares of the isotonic calibration do not rise")
		}
	}
	return nil
}
