package elasticnet

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
)

// Each full step makes the share of the parabolas moreTrust times as large, until it is below
// leastCaution.
const moreTrust, leastCaution = 0.3, 1e-3

// curvatures computes h, the second derivatives of the losses. Huber's is 0 beyond delta, and the
// logistic loss's is next to 0 for a row far on the wrong side. A model by h is then good near
// the minimum alone. Parabolas above the loss touch it at the margins. After a shortened step, h is
// at least a share of their curvatures: caution. Each full step makes the share smaller. For Huber's
// loss it is 1 at first.
func (l *loop) curvatures() {
	l.p.Loss.Curvature(l.h, l.more, l.z, l.p.Y, l.p.SampleWeight)
	if above, is := l.phi.(loss.Majorizer); is && l.caution > 0 {
		above.Parabolas(l.more, l.z, l.p.Y, l.coef, l.p.SampleWeight)
		for i, parabola := range l.more {
			l.h[i] = max(l.h[i], float64(direct.Weight(l.p.SampleWeight, i)*float64(l.caution*parabola)))
		}
	}
	direct.Scale(l.h, 1/float64(l.n), l.h)
}

// straight tells whether the loss is linear far from the targets.
func (l *loop) straight() bool { return loss.Straight(l.phi) != nil }

// solved tells whether the epochs were enough for the model. Without rows beyond delta, Huber's
// model may have next to no curvature along some weights, and coordinate descent never ends
// there. The parabolas above the loss have curvature.
func (l *loop) solved(sweeps int) bool { return !l.straight() || sweeps < l.sweeps }

// short tells whether a step of length t shows that the model was bad.
func (l *loop) short(t float64) bool {
	if l.straight() {
		return t < 1
	}
	return t < 0.125
}

// stepped adapts the caution of the next model to the length of a step.
func (l *loop) stepped(t float64) {
	switch {
	case l.short(t):
		l.restrict()
	case l.caution > leastCaution:
		l.caution *= moreTrust
	default:
		l.caution = 0
	}
}

// restrict raises the caution after a step that shows a bad model.
func (l *loop) restrict() {
	l.caution = min(1, max(10*l.caution, leastCaution))
	if !l.straight() {
		l.caution = 1
	}
}

// hopeless is the same for one that promised nothing: Huber's curvatures may all have been 0.
func (l *loop) hopeless() {
	if l.straight() {
		l.restrict()
	}
}

// share visits a number from 0 to 1.
func share(c *checkpoint.Coder, v *float64) {
	if c.Float64(v); c.Restoring() && !(*v >= 0 && *v <= 1) {
		c.Fail(fmt.Errorf("a share of %v", *v))
	}
}
