package ap

import (
	"cmp"

	"github.com/lanes-go/lanes/internal/engine"
)

// SOAP updates the estimates of sampled rows and takes plain gradient steps (5). Its usual
// step is 2.
type SOAP struct{ Common }

// Name returns soap.
func (SOAP) Name() string { return "soap" }

func (m SOAP) check() error { return m.Common.check() }

func (m SOAP) plan(linear bool) plan { return m.tracking(2, linear) }

func (m *SOAP) fields() []engine.Field { return m.Common.fields("2", "0.3") }

// SOAPAdam is SOAP with the steps of Adam. Its usual step is 0.04.
type SOAPAdam struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1. Second is that of
	// a new squared gradient; 0 means 0.001.
	Momentum, Second float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns soap-adam.
func (SOAPAdam) Name() string { return "soap-adam" }

func (m SOAPAdam) check() error {
	return m.Common.check(momentumOf(m.Momentum), secondOf(m.Second), deltaOf(m.Delta))
}

func (m SOAPAdam) plan(linear bool) plan {
	p := m.tracking(0.04, linear)
	p.rule = adam{corrected: true}
	return p.adaptive(cmp.Or(m.Momentum, usualMomentum), m.Second, m.Delta)
}

func (m *SOAPAdam) fields() []engine.Field {
	return append(m.Common.fields("0.04", "0.3"), momentumField(&m.Momentum), secondField(&m.Second), deltaField(&m.Delta))
}
