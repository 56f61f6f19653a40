package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// wide tells whether the next step has to come from the model that majorizerCurvature makes of
// Huber's loss. alpha is the length of the last step. That step was too long, or flat: without
// any curvature.
func wide(loss kernels.Loss, flat bool, alpha float64) bool {
	return loss == kernels.Huber && (flat || alpha < 1)
}

// majorizerCurvature writes the curvatures of Huber's loss at margins z to h. A row whose loss is
// linear at z gets delta/|r|: the curvature of the parabola above the loss that touches it at z
// (Huber 1981, "Robust statistics", section 7.8). A model of linear losses alone may have no
// minimum.
func majorizerCurvature(h, z, y, s []float64, delta float64) {
	for i, v := range z {
		h[i] = 1
		if r := math.Abs(v - y[i]); r > delta {
			h[i] = delta / r
		}
	}
	if s != nil {
		direct.Mul(h, h, s)
	}
}
