package erm

import (
	"math"
)

// steep is the share of a step's first slope from which on it is worth going on behind its
// end, longest how many times its length it may become.
const steep, longest = 0.2, 4

// stretch goes on from the end of a full step s, where the objective is value and the slopes
// of the losses are known, to where a parabola through the slopes at both ends has its
// minimum. It returns how many times the step's length it went, and leaves margins and
// slopes there: 1 where the slope is not steep, or the objective no less behind. first is
// the slope at the beginning of the step, across w's, here ||w||^2 and there ||s||^2. It
// costs O(rows).
func (l *newtonLoop) stretch(value, first, across, here, there float64) (alpha float64) {
	mean := l.Vectors.Dot(l.full.coef, l.stepMargin) / float64(len(l.z))
	slope := math.FMA(l.p.Lambda, across+there, mean)
	if !(slope < float64(steep*first) && slope > first) {
		return 1
	}
	alpha = min(first/(first-slope), longest)
	l.Vectors.ScaleAdd(l.margin, alpha, l.stepMargin, 1, l.z)
	norm := math.FMA(alpha, math.FMA(alpha, there, float64(2*across)), here)
	if math.FMA(0.5*l.p.Lambda, norm, l.full.slopesAt(l.margin)) < value {
		return alpha
	}
	l.Vectors.ScaleAdd(l.margin, 1, l.stepMargin, 1, l.z)
	l.full.slopesAt(l.margin)
	return 1
}
