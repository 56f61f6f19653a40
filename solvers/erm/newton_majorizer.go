package erm

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
)

// straight tells whether the loss of a problem is linear far from the targets.
func straight(p *Problem) bool { return loss.Straight(p.Loss) != nil }

// curvatureOf writes the curvatures of rows at margins z to h, divided by n: of the loss, or wide ones
// of majorizerCurvature. It overwrites rest.
func curvatureOf(p *Problem, wide bool, n int, h, rest, z, y, s []float64) {
	if wide {
		majorizerCurvature(p, h, z, y, s)
	} else {
		p.Loss.Curvature(h, rest, z, y, s)
	}
	direct.Scale(h, 1/float64(n), h)
}

// majorizerCurvature writes the curvatures of the parabolas above a straight loss at margins z to
// h. A model of linear losses alone may have no minimum.
func majorizerCurvature(p *Problem, h, z, y, s []float64) {
	loss.Straight(p.Loss).Parabolas(h, z, y, nil, s)
	if s != nil {
		direct.Mul(h, h, s)
	}
}
