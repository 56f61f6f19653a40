package ap

import (
	"cmp"
)

// SmoothAP descends on the average precision of the batch, with the logistic surrogate
// (Brown et al. 2020). It keeps no estimates.
type SmoothAP struct {
	// Paper, Positives, Negatives, Iterations and Dense are as in Common.
	Paper                            bool
	Positives, Negatives, Iterations int
	Dense                            bool
	// Scale is the first scale of the surrogate, one over the temperature, and FinalScale
	// the last; in between it changes linearly. 0 means 4, in the paper's setting 100, and
	// what Scale is.
	Scale, FinalScale float64
	// Step is the first step size; 0 means 2, for models that are not linear 0.25.
	Step float64
}

// Name returns smoothap.
func (SmoothAP) Name() string { return "smoothap" }

func (m SmoothAP) plan(linear bool) plan {
	if m.Paper {
		m.Scale = cmp.Or(m.Scale, 100)
	}
	return m.common().plan(2, linear)
}

func (m SmoothAP) common() Common {
	return Common{
		Paper: m.Paper, Scale: m.Scale, FinalScale: m.FinalScale, Positives: m.Positives, Negatives: m.Negatives,
		Iterations: m.Iterations, Step: m.Step, Dense: m.Dense,
	}
}
