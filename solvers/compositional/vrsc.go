package compositional

import (
	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// VRSCPG is VRSC-PG (Huo, Gu, Liu and Huang 2018, algorithm 2): reference points at
// every Inner iterations, a constant step, and one sample of the g_j for their values
// and another for their Jacobians. An iteration counts as twice InnerSample plus
// OuterSample samples.
type VRSCPG struct {
	// Step is the step size; 0 means what SCVRG takes.
	Step float64
	// Inner is the number of iterations between reference points; 0 means the cube root
	// of n, rounded down.
	Inner int
	// InnerSample and OuterSample are the sizes of the samples of g_j and f_i; 0 means 5.
	InnerSample, OuterSample int
}

// Name returns vrsc-pg.
func (VRSCPG) Name() string { return "vrsc-pg" }

func (VRSCPG) reports() bool { return true }

func (m VRSCPG) begin(t *task) (run.Loop, any, error) {
	l := &vrscLoop{
		stepper: t.stepper(), at: newReference(t), random: t.random, length: m.Inner,
		x: make([]float64, t.shape.Columns), inner: make([]uint32, sampleOr(m.InnerSample)),
		jacobian: make([]uint32, sampleOr(m.InnerSample)), outer: make([]uint32, sampleOr(m.OuterSample)),
	}
	if m.Inner == 0 {
		l.length = cubeRoot(t.shape.Outer)
	}
	copy(l.x, t.start)
	var err error
	if l.eta, l.spent, err = l.at.stepOr(m.Step, l.inner, l.jacobian, l.outer); err != nil {
		return nil, nil, err
	}
	return l, m, nil
}

// cubeRoot rounds down.
func cubeRoot(n int) int {
	root := int64(1)
	for (root+1)*(root+1)*(root+1) <= int64(n) {
		root++
	}
	return int(root)
}

type vrscLoop struct {
	stepper
	at                     *reference
	random                 *random.Source
	inner, jacobian, outer []uint32
	eta                    float64
	length                 int
	spent                  int // full gradients that estimated the step, not yet counted

	x    []float64
	left int
}

// Next sets a reference point or does one inner iteration.
func (l *vrscLoop) Next(c *run.Control) {
	c.Gradients(l.spent * l.at.t.shape.samples())
	l.spent = 0
	if l.left == 0 {
		copy(l.at.x, l.x)
		l.at.set(c)
		l.left = l.length
		return
	}
	shape := l.at.t.shape
	draw(l.inner, shape.Inner, l.random)
	draw(l.jacobian, shape.Inner, l.random)
	draw(l.outer, shape.Outer, l.random)
	if !l.step(l.x, l.at.direction(l.x, l.inner, l.jacobian, l.outer), l.eta) {
		c.End(solvers.Diverged)
	}
	size := len(l.inner) + len(l.jacobian) + len(l.outer)
	c.Iterations(1, size, size)
	l.left--
}

// Current writes the iterate.
func (l *vrscLoop) Current(x []float64) { copy(x, l.x) }

// State visits the loop's state.
func (l *vrscLoop) State(c *checkpoint.Coder) {
	l.at.state(c)
	c.Float64(&l.eta)
	c.Floats(l.x)
	c.Count(&l.left, l.length)
	c.Count(&l.spent, checkpoint.MostPrepared)
	c.Random(l.random)
}
