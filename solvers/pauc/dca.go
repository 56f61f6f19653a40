package pauc

import (
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// dca is the difference-of-convex algorithm: outer iteration k minimises f^n and the
// regulariser plus the linear part of -f^m at w^(k) (37), the proximal one with
// 1/(2 mu) ||w - w^(k)||^2 beside it (38), by algorithm 4. Its gradient of f^m is
// exact and takes P m losses.
type dca struct {
	blocks
	lambda []float64
	drift  []float64 // xi - regulariser w
	last   []float64
}

func newDCA(c *common) (*dca, error) {
	d := len(c.w)
	b, err := newBlocks(c)
	return &dca{blocks: b, lambda: make([]float64, c.lists()), drift: make([]float64, d), last: make([]float64, d)}, err
}

func (l *dca) prepare() error {
	if err := l.scoreStart(); err != nil {
		return err
	}
	return l.thresholds(l.lambda, l.n)
}

// Next looks at the starting point, then does one inner iteration after another.
func (l *dca) Next(c *engine.Control) {
	if l.begin(c) {
		return
	}
	if l.outer >= l.method.Outer {
		c.Finish()
		return
	}
	if l.attach(c) != nil {
		c.Diverge()
		return
	}
	strength := l.regulariser
	if l.method.Algorithm.proximal() {
		strength += 1 / l.method.Mu
	}
	if l.step(l.lambda, l.n, strength) != nil {
		c.Diverge()
		return
	}
	c.Iteration(len(l.rows), len(l.rows))
	if l.inner++; l.inner < l.length() {
		return
	}
	if l.v.last(l.last) != nil || kernels.Axpy(1, l.last, l.w) != nil {
		c.Diverge()
		return
	}
	l.inner = 0
	l.outer++
	l.reached(c)
}

// attach begins an inner loop with a new xi, or goes on with one that was restored.
func (l *dca) attach(c *engine.Control) error {
	if l.inner > 0 && l.attached {
		return nil
	}
	if l.m > 0 && l.inner == 0 {
		c.Pass()
	}
	return l.linearise()
}

// linearise computes xi and begins an inner loop with it.
func (l *dca) linearise() error {
	if l.m == 0 && l.regulariser == 0 {
		return l.blocks.attach(nil, false)
	}
	clear(l.drift)
	if l.m > 0 {
		if err := l.score(l.pool, l.w); err != nil {
			return err
		}
		if err := l.gradient(l.drift, l.w, 0, l.m); err != nil {
			return err
		}
	}
	if err := kernels.Axpy(-l.regulariser, l.w, l.drift); err != nil {
		return err
	}
	return l.blocks.attach(l.drift, false)
}

// State visits the loop's state.
func (l *dca) State(c *engine.Coder) {
	l.blocks.state(c)
	c.Floats(l.lambda)
}
