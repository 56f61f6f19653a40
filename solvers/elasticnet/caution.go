package elasticnet

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// curvatures computes h, the second derivatives of the losses. Huber's is 0 beyond delta, and the
// logistic loss's is next to 0 for a row far on the wrong side. A model by h is then good near
// the minimum alone. After a shortened step, h holds the curvatures of the parabolas above the
// loss that touch it at the margins. Jaakkola and Jordan 2000 give the parabola of the logistic
// loss. For Huber's loss these count in full at first; each full step makes their share smaller.
func (l *loop) curvatures() {
	switch {
	case l.caution == 0 || l.p.Loss != kernels.Huber && l.p.Loss != kernels.Logistic:
		direct.LossCurvature(l.p.Loss, l.h, l.more, l.z, l.p.Y, l.p.SampleWeight, l.p.Threshold())
	case l.p.Loss == kernels.Huber:
		delta := l.p.Threshold()
		for i, z := range l.z {
			l.h[i] = direct.Weight(l.p.SampleWeight, i)
			if r := math.Abs(z - l.p.Y[i]); r > delta {
				l.h[i] *= l.caution * (delta / r)
			}
		}
	default:
		for i, z := range l.z {
			s, u := direct.Weight(l.p.SampleWeight, i), z*l.p.Y[i]
			if l.h[i] = 0.25 * s; s > 0 && math.Abs(u) > 0x1p-10 {
				l.h[i] = s * ((0.5 - math.Abs(l.coef[i])/s) / u)
			}
		}
	}
	direct.Scale(l.h, 1/float64(l.n), l.h)
}

// solved tells whether the epochs were enough for the model. Without rows beyond delta, Huber's
// model may have next to no curvature along some weights, and coordinate descent never ends
// there. The parabolas above the loss have curvature.
func (l *loop) solved(sweeps int) bool { return l.p.Loss != kernels.Huber || sweeps < l.sweeps }

// short tells whether a step of length t shows that the model was bad.
func (l *loop) short(t float64) bool {
	if l.p.Loss == kernels.Huber {
		return t < 1
	}
	return t < 0.125
}

// stepped adapts the caution of the next model to the length of a step.
func (l *loop) stepped(t float64) {
	switch {
	case l.short(t):
		l.restrict()
	case l.p.Loss == kernels.Huber && l.caution > 1e-6:
		l.caution *= 0.1
	default:
		l.caution = 0
	}
}

// restrict raises the caution after a step that shows a bad model.
func (l *loop) restrict() {
	l.caution = min(1, max(10*l.caution, 1e-3))
	if l.p.Loss != kernels.Huber {
		l.caution = 1
	}
}

// hopeless is the same for one that promised nothing: Huber's curvatures may all have been 0.
func (l *loop) hopeless() {
	if l.p.Loss == kernels.Huber {
		l.restrict()
	}
}

// share visits a number from 0 to 1.
func share(c *checkpoint.Coder, v *float64) {
	if c.Float64(v); c.Restoring() && !(*v >= 0 && *v <= 1) {
		c.Fail(fmt.Errorf("a share of %v", *v))
	}
}
