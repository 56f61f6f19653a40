package ap

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// step moves the weights along the gradient g by the method's rule, O(columns).
// The first gradient fills the moments, except in the paper's setting, where they
// begin at 0.
func (l *loop) step(rate, momentum float64) error {
	m := &l.method
	if m.Algorithm == SOAPAdam || m.Algorithm == ADAP {
		settings := kernels.AdamSettings{Rate: rate, Beta1: 1 - momentum, Beta2: 1 - m.Second, Epsilon: m.Delta, Lambda: l.lambda}
		l.power1 = float64(l.power1 * settings.Beta1)
		l.power2 = float64(l.power2 * settings.Beta2)
		if m.Paper && m.Algorithm == ADAP {
			// Algorithm 3 does not correct its moments for their start at 0.
			return kernels.Adam(l.w, l.m, l.v, l.g, settings, 0, 0)
		}
		return kernels.Adam(l.w, l.m, l.v, l.g, settings, l.power1, l.power2)
	}
	first := l.t == 1 && !m.Paper
	if first {
		momentum = 1
	}
	switch m.Algorithm {
	case SOAP, SmoothAP:
		for j, w := range l.w {
			l.w[j] = math.FMA(-rate, math.FMA(l.lambda, w, l.g[j]), w)
		}
	case MOAPV1, MOAPV2:
		for j, w := range l.w {
			l.m[j] = math.FMA(momentum, math.FMA(l.lambda, w, l.g[j])-l.m[j], l.m[j])
			l.w[j] = math.FMA(-rate, l.m[j], w)
		}
	default:
		l.adaptive(rate, momentum, first)
	}
	return nil
}

func (l *loop) adaptive(rate, momentum float64, first bool) {
	m := &l.method
	second := m.Second
	if first {
		second = 1
	}
	if m.Algorithm == ADAPAdaGrad {
		second = 1 / float64(l.t+1)
		if first {
			second = 1
		}
	}
	low, high := 1/float64(m.High*m.High), 1/float64(m.Low*m.Low)
	for j, w := range l.w {
		g := math.FMA(l.lambda, w, l.g[j])
		l.m[j] = math.FMA(momentum, g-l.m[j], l.m[j])
		l.v[j] = math.FMA(second, float64(g*g)-l.v[j], l.v[j])
		v := l.v[j]
		switch m.Algorithm {
		case ADAPAMSGrad:
			l.top[j] = max(l.top[j], v)
			v = l.top[j]
		case ADAPAdaBound:
			v = min(max(v, low), high)
		}
		l.w[j] = w - float64(rate*l.m[j])/(math.Sqrt(max(v, 0))+m.Delta)
	}
}
