package elasticnet

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

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
func share(c *engine.Coder, v *float64) {
	if c.Float64(v); c.Restoring() && !(*v >= 0 && *v <= 1) {
		c.Fail(fmt.Errorf("a share of %v", *v))
	}
}

// hides is the least difference of the objective that the rounding of the mean loss, of the
// margins that it is computed from and of the norms lets see.
func (l *loop) hides(promise float64) float64 {
	least := float64(hidden * (math.Abs(l.mean) + l.penalty(l.w)))
	n := float64(l.n)
	if most := float64(hidden * direct.Norm(l.coef) * direct.Norm(l.z) / n); most < float64(1e-3*decrease)*-promise {
		return least
	}
	sum := 0.0
	for i, c := range l.coef {
		sum += math.Abs(c * l.z[i])
	}
	return least + float64(hidden*sum/n)
}
