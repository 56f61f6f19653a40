package pauc

import (
	"cmp"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
)

// DCA makes f^m linear, outer iteration by outer iteration (algorithm 4, (37)).
type DCA struct {
	// Loops has Length 100 in the paper's setting.
	Loops
	// Positives and Negatives are the rows of each class in a batch; 0 means 100 each. A
	// class with fewer rows puts all its rows into each batch.
	Positives, Negatives int
}

// Name returns dca.
func (DCA) Name() string { return "dca" }

func (m DCA) plan(t *task) plan { return m.Loops.plan(t, 100, m.Positives, m.Negatives) }

func (DCA) loop(c *common) (loop, error) { return newDCA(c) }

// ProxDCA is DCA that stays near the last outer iterate (38).
type ProxDCA struct {
	// Loops has Length 100 in the paper's setting.
	Loops
	// Mu is one over the weight of the proximal term, the paper's L divided by P N; 0
	// means 1000, in the paper's setting P N.
	Mu float64
	// Positives and Negatives are the rows of each class in a batch; 0 means 100 each. A
	// class with fewer rows puts all its rows into each batch.
	Positives, Negatives int
}

// Name returns prox-dca.
func (ProxDCA) Name() string { return "prox-dca" }

func (m ProxDCA) plan(t *task) plan {
	p := m.Loops.plan(t, 100, m.Positives, m.Negatives)
	p.mu = cmp.Or(m.Mu, t.proximity(m.Paper))
	return p
}

// proximity is the usual mu of the proximal term; the paper's L is 1 then.
func (t *task) proximity(paper bool) float64 {
	if paper {
		return float64(t.lists()) * float64(len(t.negatives))
	}
	return 1000
}

func (ProxDCA) loop(c *common) (loop, error) { return newDCA(c) }

// SoRRDCA is DCA for the sum of ranked range; SolveRange runs it.
type SoRRDCA struct {
	// Loops has, with Constant, Inner 0.5 and Length 2000 in the paper's setting.
	Loops
	// Rows is the number of rows in a batch; 0 means 100. Data with fewer rows are one batch.
	Rows int
}

// Name returns sorr-dca.
func (SoRRDCA) Name() string { return "sorr-dca" }

func (m SoRRDCA) plan(t *task) plan {
	if m.Paper && m.Constant {
		m.Loops = m.usually(0.5, 1, 5, 2000)
	}
	return m.Loops.plan(t, 50, 0, m.Rows)
}

func (SoRRDCA) loop(c *common) (loop, error) { return newDCA(c) }

// SoRRProxDCA is ProxDCA for the sum of ranked range; SolveRange runs it.
type SoRRProxDCA struct {
	Loops
	// Mu is one over the weight of the proximal term, the paper's L divided by N; 0 means
	// 1000, in the paper's setting N.
	Mu float64
	// Rows is the number of rows in a batch; 0 means 100. Data with fewer rows are one batch.
	Rows int
}

// Name returns sorr-prox-dca.
func (SoRRProxDCA) Name() string { return "sorr-prox-dca" }

func (m SoRRProxDCA) plan(t *task) plan {
	p := m.Loops.plan(t, 50, 0, m.Rows)
	p.mu = cmp.Or(m.Mu, t.proximity(m.Paper))
	return p
}

func (SoRRProxDCA) loop(c *common) (loop, error) { return newDCA(c) }

// dca is the difference-of-convex algorithm. Outer iteration k minimises the sum of f^n, the
// regulariser and the linear part of -f^m at w^(k) (37), by algorithm 4. The proximal one adds
// 1/(2 mu) ||w - w^(k)||^2 (38). Its gradient of f^m is exact and takes p m losses.
type dca struct {
	*blocks
	lambda thresholds // of f^n: state
	drift  []float64  // xi - regulariser w
	last   []float64  // w^(k+1) - w^(k)
}

func newDCA(c *common) (loop, error) {
	b, err := newBlocks(c)
	d := len(c.w)
	b.scheme = &dca{blocks: b, lambda: newThresholds(c, false), drift: make([]float64, d), last: make([]float64, d)}
	return b.nested, err
}

// open computes xi.
func (l *dca) open(c *run.Control) (drift []float64, over average, err error) {
	l.rank()
	if l.outer == 0 && l.inner == 0 {
		if err := l.lambda.exact(l.common, l.n); err != nil {
			return nil, overNone, err
		}
	}
	if l.m == 0 {
		return l.shrunk(l.drift, l.regulariser), overNone, nil
	}
	if l.inner == 0 {
		c.Gradients(len(l.y))
	}
	if err := l.gradient(l.drift, l.w, 0, l.m); err != nil {
		return nil, overNone, err
	}
	direct.Axpy(-l.regulariser, l.w, l.drift)
	return l.drift, overNone, nil
}

func (l *dca) step() error {
	strength := l.regulariser
	if l.mu > 0 {
		strength += 1 / l.mu
	}
	return l.blocks.step(&l.lambda, l.n, strength)
}

// close is line 11 of algorithm 4.
func (l *dca) close() []float64 {
	l.v.last(l.last)
	direct.Axpy(1, l.last, l.w)
	return l.w
}

func (l *dca) current(w []float64) { copy(w, l.w) }

func (l *dca) state(c *checkpoint.Coder) { l.lambda.state(c) }
