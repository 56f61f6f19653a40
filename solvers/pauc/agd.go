package pauc

import (
	"cmp"
	"errors"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
)

// AGDSBCD descends on the difference of the Moreau envelopes of f^n and f^m (algorithms 1
// and 2).
type AGDSBCD struct {
	// With the sigmoid loss the defaults of Loops are: Inner 5 N/n P/p (100 up to a
	// false-positive rate of 0.05), Threshold 0.001, Outer 2, Length 50.
	Loops
	// Scale is k of the loss sigmoid(k (h_j-h_i)), near to 0 and 1 for a right and a wrong
	// pair; 0 means 7. With the sigmoid loss the thresholds are set to their exact values
	// at the start of each outer iteration. Otherwise they start at their means over the
	// outer iteration before, as in the paper. Logistic selects the logistic loss.
	Scale    float64
	Logistic bool
	// Mu is the parameter of the Moreau envelopes, the paper's times P N (its
	// experiments: 100 and 1000); 0 means 1000.
	Mu float64
	// Step is the outer step as a share of the distance between the two proximal points,
	// gamma/mu (the paper's experiments: 2 to 50); 0 means 1, in the paper's setting 5.
	Step float64
	// Positives and Negatives are the rows of each class in a batch; 0 means 100 each. A
	// class with fewer rows puts all its rows into each batch.
	Positives, Negatives int
}

// Name returns agd-sbcd.
func (AGDSBCD) Name() string { return "agd-sbcd" }

func (m AGDSBCD) plan(t *task) plan {
	p, step := m.Loops.plan(t, 50, m.Positives, m.Negatives), 1.0
	if m.Paper {
		step = 5
	}
	if !m.Logistic && !m.Paper {
		// The gradient of f^n grows with the share of the pairs that count, p n/(P N). The
		// step makes up for that.
		p.Loops = m.Loops.usually(t.curved(float64(5*float64(len(t.negatives))/float64(t.n))/t.hardShare()), 0.001, 2, 50)
		p.loss.scale = cmp.Or(m.Scale, 7)
	}
	p.mu, p.step = cmp.Or(m.Mu, 1000), cmp.Or(m.Step, step)
	return p
}

func (AGDSBCD) loop(c *common) (loop, error) { return newAGD(c) }

// SoRRAGD is AGDSBCD for the sum of ranked range, with one list of losses and one
// threshold for each rank (algorithm 3); SolveRange runs it.
type SoRRAGD struct {
	Loops
	// Mu is the parameter of the Moreau envelopes, the paper's times N (its experiments:
	// 200 and 1000); 0 means 1000.
	Mu float64
	// Step is gamma/mu (the paper's experiments: 0.2 to 100); 0 means 3, in the paper's
	// setting 4.
	Step float64
	// Rows is the number of rows in a batch; 0 means 100. Data with fewer rows are one batch.
	Rows int
}

// Name returns sorr-agd.
func (SoRRAGD) Name() string { return "sorr-agd" }

func (m SoRRAGD) plan(t *task) plan {
	p, step := m.Loops.plan(t, 50, 0, m.Rows), 3.0
	if m.Paper {
		step = 4
	}
	p.mu, p.step = cmp.Or(m.Mu, 1000), cmp.Or(m.Step, step)
	return p
}

func (SoRRAGD) loop(c *common) (loop, error) { return newAGD(c) }

// agd is algorithm 2: gradient descent on the difference of the Moreau envelopes of f^n
// and f^m, whose proximal points are means of inner iterates. The regulariser belongs to
// f^n.
type agd struct {
	*blocks
	// State.
	phase    int           // 0 in line 3, 1 in line 4
	lambda   [2]thresholds // of f^m and f^n
	vm       []float64     // v_m - w
	proximal []float64     // the last v_n

	anew      bool      // thresholds are exact at the start of every outer iteration
	vn, drift []float64 // v_n - w, -regulariser w
}

func newAGD(c *common) (loop, error) {
	b, err := newBlocks(c)
	// With the sigmoid loss each outer iteration computes its thresholds afresh.
	anew := c.loss.scale > 0
	l := &agd{blocks: b, anew: anew, lambda: [2]thresholds{newThresholds(c, !anew), newThresholds(c, !anew)}}
	d := len(c.w)
	for _, v := range []*[]float64{&l.vm, &l.vn, &l.drift, &l.proximal} {
		*v = make([]float64, d)
	}
	b.scheme = l
	return b.nested, err
}

// open is line 2 of algorithm 1.
func (l *agd) open(*run.Control) (drift []float64, over average, err error) {
	if l.phase == 0 && l.inner == 0 && (l.outer == 0 || l.anew) {
		l.rank()
		err = errors.Join(l.lambda[0].exact(l.common, l.m), l.lambda[1].exact(l.common, l.n))
	}
	if l.phase == 0 && l.m == 0 { // f^0 = 0: its proximal point is w itself
		clear(l.vm)
		l.phase = 1
	}
	if l.phase == 1 && err == nil {
		drift = l.shrunk(l.drift, l.regulariser)
	}
	return drift, overBefore, err
}

func (l *agd) step() error {
	if l.phase == 0 {
		return l.blocks.step(&l.lambda[0], l.m, 1/l.mu)
	}
	return l.blocks.step(&l.lambda[1], l.n, 1/l.mu+l.regulariser)
}

// close is line 10 of algorithm 1 and line 5 of algorithm 2. The method's output is v_n.
func (l *agd) close() []float64 {
	l.lambda[l.phase].average(l.length())
	if l.phase == 0 {
		l.phase = 1
		l.v.mean(l.vm)
		return nil
	}
	l.phase = 0
	l.v.mean(l.vn)
	direct.ScaleAdd(l.proximal, 1, l.vn, 1, l.w)
	direct.Axpy(l.plan.step, l.vn, l.w)
	direct.Axpy(-l.plan.step, l.vm, l.w)
	return l.proximal
}

// current writes the last v_n, or the starting point before the first outer iteration ends.
func (l *agd) current(w []float64) {
	if l.outer == 0 {
		copy(w, l.w)
		return
	}
	copy(w, l.proximal)
}

func (l *agd) state(c *checkpoint.Coder) {
	c.Count(&l.phase, 1)
	l.lambda[0].state(c)
	l.lambda[1].state(c)
	c.Floats(l.vm)
	c.Floats(l.proximal)
}
