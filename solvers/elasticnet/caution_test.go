package elasticnet

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/loss"
)

// TestCautiousModels: with all caution, the parabola of a row touches its loss and is above it
// everywhere, and no parabola of less curvature is.
func TestCautiousModels(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Huber{Delta: 0.4}} {
		p := randomProblem(t, phi, 60, 5, 3)
		p.SampleWeight = make([]float64, 60)
		for i := range p.SampleWeight {
			p.SampleWeight[i] = 0.5 + float64(i%4)
		}
		l := newLoop(ProximalNewton{}, newObjective(p, nil), nil)
		for i := range l.z {
			l.z[i] = 8 * math.Sin(float64(i))
		}
		l.slopes(l.z)
		l.caution = 1
		l.curvatures()
		for i, z := range l.z {
			s := p.SampleWeight[i]
			above := func(h, at float64) float64 {
				from, slope := loss.At(phi, z, p.Y[i])
				to, _ := loss.At(phi, at, p.Y[i])
				return s*(from+slope*(at-z)-to) + h*(at-z)*(at-z)/2
			}
			h, touches := l.h[i]*60, false
			for k := range 4001 {
				at := -20 + float64(k)/100
				if above(h, at) < -1e-9 {
					t.Fatalf("%v: the parabola at %v is below the loss at %v", phi, z, at)
				}
				touches = touches || above(0.98*h, at) < 0
			}
			if !touches {
				t.Errorf("%v: a curvature of %v at %v is more than is needed", phi, h, z)
			}
		}
	}
}
