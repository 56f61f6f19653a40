package elasticnet

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// curvatures computes h: the second derivatives of the losses. Huber's has none beyond
// delta, and that of a row which the logistic loss finds far on the wrong side is next to
// nothing, where a model by it is good near the minimum alone: after a step that had to be
// shortened those of the parabola above the loss that touches it at the margin take their
// place (Jaakkola and Jordan 2000 for the logistic loss). For Huber's they do in the beginning,
// and then a share of them, which each full step makes smaller.
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

// solved tells whether so many sweeps were enough for the model. Of Huber's loss without the
// rows beyond delta it may have next to no curvature along some weights, which sweeps follow
// for ever; the parabolas above the loss have.
func (l *loop) solved(sweeps int) bool { return l.p.Loss != kernels.Huber || sweeps < l.sweeps }

// short tells whether a step that went a share t of the way says that its model was none.
func (l *loop) short(t float64) bool {
	if l.p.Loss == kernels.Huber {
		return t < 1
	}
	return t < 0.125
}

// stepped has the next model heed how far a step went.
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

// restrict is stepped for a step that says that its model was none.
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
