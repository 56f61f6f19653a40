package pauc

import (
	"errors"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// agd is AGD-SBCD (algorithms 1 and 2), and with one list the method of algorithm 3:
// gradient descent on the difference of the Moreau envelopes of f^n and f^m, whose
// proximal points are means of inner iterates. The regulariser belongs to f^n.
type agd struct {
	blocks
	lambda [2][]float64 // of f^m and f^n
	first  []float64    // v_m - w
	second []float64    // v_n - w
	drift  []float64    // -regulariser w
	point  []float64    // the last v_n
}

func newAGD(c *common) (*agd, error) {
	b, err := newBlocks(c)
	l := &agd{blocks: b}
	for k := range l.lambda {
		l.lambda[k] = make([]float64, c.lists())
	}
	d := len(c.w)
	for _, v := range []*[]float64{&l.first, &l.second, &l.drift, &l.point} {
		*v = make([]float64, d)
	}
	return l, err
}

func (l *agd) prepare() error {
	if err := l.scoreStart(); err != nil {
		return err
	}
	return l.exactThresholds()
}

func (l *agd) exactThresholds() error {
	return errors.Join(l.thresholds(l.lambda[0], l.m), l.thresholds(l.lambda[1], l.n))
}

// Next looks at the starting point, then does one inner iteration after another.
func (l *agd) Next(c *engine.Control) {
	if l.begin(c) {
		return
	}
	if l.outer >= l.method.Outer {
		c.Finish()
		return
	}
	// f^0 = 0: its proximal point is w itself.
	if l.phase == 0 && l.m == 0 {
		clear(l.first)
		l.phase = 1
	}
	if l.attach() != nil {
		c.Diverge()
		return
	}
	rank, strength := l.m, 1/l.method.Mu
	if l.phase == 1 {
		rank, strength = l.n, strength+l.regulariser
	}
	if l.step(l.lambda[l.phase], rank, strength) != nil {
		c.Diverge()
		return
	}
	c.Iteration(len(l.rows), len(l.rows))
	if l.inner++; l.inner < l.length() {
		return
	}
	if l.close() != nil {
		c.Diverge()
		return
	}
	if l.phase == 0 && l.reached(c) != nil {
		c.Diverge()
	}
}

// attach begins an inner loop, or goes on with one that was restored.
func (l *agd) attach() error {
	if l.inner > 0 && l.attached {
		return nil
	}
	var drift []float64
	if l.phase == 1 && l.regulariser > 0 {
		drift = l.drift
		if err := kernels.Scale(drift, -l.regulariser, l.w); err != nil {
			return err
		}
	}
	return l.blocks.attach(drift, true)
}

// close ends an inner loop, and after the second one takes the outer step
// w - (gamma/mu)(v_m - v_n). The method's output is v_n.
func (l *agd) close() error {
	l.inner = 0
	if l.phase == 0 {
		l.phase = 1
		return l.v.mean(l.first)
	}
	l.phase = 0
	l.outer++
	if err := errors.Join(l.v.mean(l.second), kernels.ScaleAdd(l.point, 1, l.second, 1, l.w)); err != nil {
		return err
	}
	return errors.Join(kernels.Axpy(l.method.Step, l.second, l.w), kernels.Axpy(-l.method.Step, l.first, l.w))
}

// reached reports v_n and prepares the next outer iteration.
func (l *agd) reached(c *engine.Control) error {
	c.Reached(l.point, l.evaluate(l.point))
	if l.outer >= l.method.Outer {
		return nil
	}
	if l.m > 0 || l.method.Step != 1 {
		if err := l.score(l.pool, l.w); err != nil {
			return err
		}
	}
	copy(l.base, l.all)
	if l.loss.scale > 0 {
		return l.exactThresholds()
	}
	return nil
}

// Current writes the last v_n, before there is one the starting point.
func (l *agd) Current(w []float64) {
	if l.outer == 0 {
		copy(w, l.w)
		return
	}
	copy(w, l.point)
}

// State visits the loop's state.
func (l *agd) State(c *engine.Coder) {
	l.blocks.state(c)
	for _, v := range [][]float64{l.first, l.point, l.lambda[0], l.lambda[1]} {
		c.Floats(v)
	}
}
