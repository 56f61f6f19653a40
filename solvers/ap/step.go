package ap

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// vectors are the weights, what a method remembers of their gradients, and the
// gradient: of all columns, or of those that a batch touched.
type vectors struct {
	w []float64
	// m is the mean of the gradients; for MOAP divided by the share of the last one,
	// as kernels.Momentum keeps it.
	m, v []float64
	top  []float64 // of ADAPAMSGrad only
	g    []float64
}

// step moves the weights along the gradient by the method's rule. The first gradient
// fills the moments, except in the paper's setting, where they begin at 0.
func (l *loop) step(x vectors, rate, momentum float64) error {
	m := &l.method
	first := l.t == 1 && !m.Paper
	switch m.Algorithm {
	case SOAP, SmoothAP:
		return kernels.ScaleAdd(x.w, 1-float64(rate*l.lambda), x.w, -rate, x.g)
	case MOAPV1, MOAPV2:
		if first {
			if err := kernels.Momentum(x.w, x.m, x.g, rate, 0, l.lambda); err != nil {
				return err
			}
			return kernels.Scale(x.m, 1/momentum, x.m)
		}
		before := m.share(m.Momentum, max(l.t-1, 1))
		return kernels.Momentum(x.w, x.m, x.g, float64(rate*momentum), float64((1-momentum)*before)/momentum, l.lambda)
	case SOAPAdam, ADAP, ADAPAdaGrad:
		settings := kernels.AdamSettings{Rate: rate, Beta1: 1 - momentum, Beta2: 1 - m.Second, Epsilon: m.Delta, Lambda: l.lambda}
		if m.Algorithm == ADAPAdaGrad {
			settings.Beta2 = float64(l.t) / float64(l.t+1)
			if first {
				settings.Beta1, settings.Beta2 = 0, 0
			}
			return kernels.Adam(x.w, x.m, x.v, x.g, settings, 0, 0)
		}
		if m.Paper && m.Algorithm == ADAP {
			// Algorithm 3 does not correct its moments for their start at 0.
			return kernels.Adam(x.w, x.m, x.v, x.g, settings, 0, 0)
		}
		l.power1 = float64(l.power1 * settings.Beta1)
		l.power2 = float64(l.power2 * settings.Beta2)
		return kernels.Adam(x.w, x.m, x.v, x.g, settings, l.power1, l.power2)
	}
	l.bounded(x, rate, momentum, first)
	return nil
}

// bounded is the step of the methods that bound the second moment.
func (l *loop) bounded(x vectors, rate, momentum float64, first bool) {
	m := &l.method
	second := m.Second
	if first {
		momentum, second = 1, 1
	}
	low, high := 1/float64(m.High*m.High), 1/float64(m.Low*m.Low)
	for j, w := range x.w {
		g := math.FMA(l.lambda, w, x.g[j])
		x.m[j] = math.FMA(momentum, g-x.m[j], x.m[j])
		x.v[j] = math.FMA(second, float64(g*g)-x.v[j], x.v[j])
		v := x.v[j]
		if m.Algorithm == ADAPAMSGrad {
			v = max(x.top[j], v)
			x.top[j] = v
		} else {
			v = min(max(v, low), high)
		}
		x.w[j] = w - float64(rate*x.m[j])/(math.Sqrt(max(v, 0))+m.Delta)
	}
}
