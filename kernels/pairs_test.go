package kernels_test

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

func TestPairsAgainstFormulas(t *testing.T) {
	s := []float64{-2, -0.4, 0, 0.3, 0.7, 1.5, 2, 3, -1, 0.1}
	const si, parameter = 0.25, 0.8
	for _, loss := range []kernels.PairLoss{kernels.PairSquaredHinge, kernels.PairLogistic} {
		part, c := make([]float64, len(s)), make([]float64, len(s))
		value := func(sj float64) float64 {
			if loss == kernels.PairLogistic {
				return 1 / (1 + math.Exp(-parameter*(sj-si)))
			}
			return math.Pow(max(0, sj-si+parameter), 2)
		}
		sum, err := kernels.PairLosses(loss, part, s, si, parameter)
		if err != nil {
			t.Fatal(err)
		}
		total, err := kernels.PairGradients(loss, c, part, 3, parameter)
		if err != nil {
			t.Fatal(err)
		}
		want, slopes := 0.0, 0.0
		for j, sj := range s {
			want += value(sj)
			const h = 1e-6
			slope := 3 * (value(sj+h) - value(sj-h)) / (2 * h)
			slopes += slope
			if math.Abs(c[j]-slope) > 1e-7 {
				t.Errorf("%v: coefficient %d is %v, finite differences give %v", loss, j, c[j], slope)
			}
		}
		if !near(sum, want) || math.Abs(total-slopes) > 1e-6 {
			t.Errorf("%v: sums %v and %v, want %v and %v", loss, sum, total, want, slopes)
		}
	}
}

func TestPairsRefuse(t *testing.T) {
	v, w := make([]float64, 4), make([]float64, 4)
	for name, call := range map[string]func() (float64, error){
		"length":   func() (float64, error) { return kernels.PairLosses(kernels.PairLogistic, v[:3], w, 0, 1) },
		"overlap":  func() (float64, error) { return kernels.PairLosses(kernels.PairLogistic, v, v, 0, 1) },
		"infinity": func() (float64, error) { return kernels.PairLosses(kernels.PairLogistic, v, w, math.Inf(1), 1) },
		"loss":     func() (float64, error) { return kernels.PairLosses(7, v, w, 0, 1) },
		"lengths":  func() (float64, error) { return kernels.PairGradients(kernels.PairLogistic, v[:3], w, 0, 1) },
		"overlaps": func() (float64, error) { return kernels.PairGradients(kernels.PairLogistic, v, v, 0, 1) },
		"losses":   func() (float64, error) { return kernels.PairGradients(7, v, w, 0, 1) },
	} {
		if _, err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
