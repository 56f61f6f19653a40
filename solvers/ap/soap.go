package ap

import "cmp"

// SOAP updates the estimates of sampled rows and takes plain gradient steps (5). Its usual
// step is 2.
type SOAP struct{ Common }

// Name returns soap.
func (SOAP) Name() string { return "soap" }

func (m SOAP) plan(linear bool) plan { return m.tracking(2, linear) }

// SOAPAdam is SOAP with the steps of Adam. Its usual step is 0.04.
type SOAPAdam struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1. Second is the share
	// of a new squared gradient; 0 means 0.001.
	Momentum, Second float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns soap-adam.
func (SOAPAdam) Name() string { return "soap-adam" }

func (m SOAPAdam) plan(linear bool) plan { return m.styled(0.04, linear, adam{corrected: true}) }

// styled is SOAP with adaptive steps.
func (m SOAPAdam) styled(step float64, linear bool, r rule) plan {
	p := m.tracking(step, linear)
	p.rule = r
	return p.adaptive(cmp.Or(m.Momentum, p.momentum), m.Second, m.Delta)
}

// SOAPAMSGrad is SOAP that divides by the root of the largest second moment so far, the third
// line of (13) with the estimates of (5). Its usual step is 0.02.
type SOAPAMSGrad struct {
	Common
	// Momentum and Second are as for SOAPAdam.
	Momentum, Second float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns soap-amsgrad.
func (SOAPAMSGrad) Name() string { return "soap-amsgrad" }

func (m SOAPAMSGrad) plan(linear bool) plan {
	return SOAPAdam(m).styled(0.02, linear, bounded{largest: true})
}
