package ap

import (
	"cmp"
	"fmt"
)

// ADAP is MOAPV2 with the steps of Adam (algorithm 3 with the first line of (13)). Its
// usual step is 0.04.
type ADAP struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1, in the paper's
	// setting Beta. Second is beta', the share of a new squared gradient; 0 means 0.001.
	Momentum, Second float64
	// Bound is M, as for MOAPV1.
	Bound float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns adap.
func (ADAP) Name() string { return "adap" }

func (m ADAP) plan(linear bool) plan { return m.styled(0.04, linear, adam{corrected: !m.Paper}) }

// styled is algorithm 3 with one of the lines of (13).
func (m ADAP) styled(step float64, linear bool, r rule) plan {
	p := m.tracking(step, linear).projecting(m.Momentum, m.Bound)
	p.all, p.rule = true, r
	return p.adaptive(p.momentum, m.Second, m.Delta)
}

// ADAPAdaGrad is ADAP that divides by the root of the mean of all squared gradients. Its
// usual step is 0.02.
type ADAPAdaGrad struct {
	Common
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1, in the paper's
	// setting Beta.
	Momentum float64
	// Bound is M, as for MOAPV1.
	Bound float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns adap-adagrad.
func (ADAPAdaGrad) Name() string { return "adap-adagrad" }

func (m ADAPAdaGrad) plan(linear bool) plan { return m.adap().styled(0.02, linear, adaGrad{}) }

func (m ADAPAdaGrad) adap() ADAP {
	return ADAP{Common: m.Common, Momentum: m.Momentum, Bound: m.Bound, Delta: m.Delta}
}

// ADAPAMSGrad is ADAP that divides by the root of the largest second moment so far. Its
// usual step is 0.02.
type ADAPAMSGrad struct {
	Common
	// Momentum and Second are as for ADAP.
	Momentum, Second float64
	// Bound is M, as for MOAPV1.
	Bound float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
}

// Name returns adap-amsgrad.
func (ADAPAMSGrad) Name() string { return "adap-amsgrad" }

func (m ADAPAMSGrad) plan(linear bool) plan {
	return ADAP(m).styled(0.02, linear, bounded{largest: true})
}

// ADAPAdaBound is ADAP that keeps what it multiplies a gradient with between bounds. Its
// usual step is 0.02.
type ADAPAdaBound struct {
	Common
	// Momentum and Second are as for ADAP.
	Momentum, Second float64
	// Bound is M, as for MOAPV1.
	Bound float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
	// Low and High, c_l and c_u, bound what a gradient is multiplied with; 0 means 1 and
	// 1000.
	Low, High float64
}

// Name returns adap-adabound.
func (ADAPAdaBound) Name() string { return "adap-adabound" }

func (m ADAPAdaBound) check() error {
	if r := m.clip(); r.low > r.high {
		return fmt.Errorf("low is %v and high %v", r.low, r.high)
	}
	return m.Common.check()
}

func (m ADAPAdaBound) clip() bounded {
	return bounded{low: cmp.Or(m.Low, 1), high: cmp.Or(m.High, 1000)}
}

func (m ADAPAdaBound) plan(linear bool) plan {
	adap := ADAP{Common: m.Common, Momentum: m.Momentum, Second: m.Second, Bound: m.Bound, Delta: m.Delta}
	return adap.styled(0.02, linear, m.clip())
}
