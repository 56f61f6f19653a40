package erm

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
)

// straight tells whether the loss of a problem is linear far from the targets.
func straight(p *Problem) bool { return loss.Straight(p.Loss) != nil }

// majorizerCurvature writes the curvatures of the parabolas above a straight loss at margins z to
// h. A model of linear losses alone may have no minimum.
func majorizerCurvature(p *Problem, h, z, y, s []float64) {
	loss.Straight(p.Loss).Parabolas(h, z, y, nil, s)
	if s != nil {
		direct.Mul(h, h, s)
	}
}
