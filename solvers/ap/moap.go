package ap

import ()

// MOAPV1 is SOAP with estimates that are projected onto Omega, and momentum (algorithm
// 1). Its usual step is 2.
type MOAPV1 struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1, in the paper's
	// setting Beta.
	Momentum float64
	// Bound is M, the largest loss of a pair that Omega allows for; 0 means 1 for the
	// logistic surrogate, (1+Margin)^2 for the squared hinge of the paper's scores, which are
	// in (0, 1). The squared hinge of raw scores is unbounded and has no Bound.
	Bound float64
}

// Name returns moap-v1.
func (MOAPV1) Name() string { return "moap-v1" }

func (m MOAPV1) plan(linear bool) plan {
	p := m.tracking(2, linear).projecting(m.Momentum, m.Bound)
	p.rule = momentum{}
	return p
}

// MOAPV2 is MOAPV1 whose steps decay the estimates of all rows (algorithm 2). Its usual
// step is 2.
type MOAPV2 struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1, in the paper's
	// setting Beta.
	Momentum float64
	// Bound is M, as for MOAPV1.
	Bound float64
}

// Name returns moap-v2.
func (MOAPV2) Name() string { return "moap-v2" }

func (m MOAPV2) plan(linear bool) plan {
	p := MOAPV1(m).plan(linear)
	p.all = true
	return p
}
