package compositional

import (
	"cmp"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// SCVRG is the stochastic compositional variance-reduced gradient (algorithm 1). The lengths of
// its epochs double, and each epoch refers to the average iterate of the epoch before. An
// iteration draws InnerSample of the g_j and OuterSample of the f_i with replacement, and
// evaluates each at two points. It counts as InnerSample + OuterSample samples.
//
// There are S = Epochs epochs, of lengths FirstEpoch 2^s for s = 0 .. S-1, and so
// T = FirstEpoch (2^S - 1) iterations. Iteration l = 1 .. T has the step
// Step sqrt(T) / sqrt(2T - l), which grows from Step/sqrt(2) to Step. A whole run takes
// S(m+n) + T (InnerSample + OuterSample) samples, which is theorem 3's
// S(m+n) + 2^S k_0 (a+b) with the 1 that its bound leaves out. (The paper prints epochs
// twice as long: the last of the 2T iterations would have an infinite step,
// and its proof halves k_0.)
//
// The run ends with its last epoch. It reports the reference points; between them the
// current iterate is what stands for it.
type SCVRG struct {
	// Step is eta; 0 means half of what the samples' scatter around the starting point
	// bears: 1/(2L) where they do not differ, less where they do.
	Step float64
	// FirstEpoch is k_0, the length of the first epoch, 10 in theorem 3; 0 means that it
	// takes as many samples as the full gradient it begins with, (m+n)/(a+b) iterations,
	// and 10 at least. Shorter ones spend their time on full gradients.
	FirstEpoch int
	// Epochs is S; 0 means 16.
	Epochs int
	// InnerSample and OuterSample are a and b; 0 means 5.
	InnerSample, OuterSample int
	// Auto, where positive, is the accuracy epsilon of theorem 3, which then gives all
	// of the above. See Theory.
	Auto float64
	// Paper selects the setting of the paper's section V, for the problem that the function
	// PaperProblem poses: Step 0.01, samples of 5, and the first epoch of theorem 3, 10, where they
	// are 0.
	Paper bool
}

// leastFirst is the least first epoch of theorem 3.
const leastFirst = 10

// Name returns scvrg.
func (SCVRG) Name() string { return "scvrg" }

func (SCVRG) reports() bool { return true }

func (m SCVRG) begin(t *task) (run.Loop, any, error) {
	parameters := m
	var spent int
	var err error
	if m.Auto > 0 {
		var theory Theory
		if theory, spent, err = t.theory(m.Auto); err != nil {
			return nil, nil, err
		}
		m = theory.Method(t.shape)
	}
	if m.Paper {
		m.Step = cmp.Or(m.Step, 0.01)
		m.FirstEpoch = cmp.Or(m.FirstEpoch, leastFirst)
	}
	if m.FirstEpoch == 0 {
		full := t.shape.Inner + t.shape.Outer
		m.FirstEpoch = min(max(full/(sampleOr(m.InnerSample)+sampleOr(m.OuterSample)), leastFirst), maxSize)
	}
	if m.Epochs == 0 {
		m.Epochs = 16
	}
	l := &scvrgLoop{
		stepper: t.stepper(), at: newReference(t), random: t.random, spent: spent,
		x: make([]float64, t.shape.Columns), sum: make([]float64, t.shape.Columns),
		inner: make([]uint32, sampleOr(m.InnerSample)), outer: make([]uint32, sampleOr(m.OuterSample)),
		first: m.FirstEpoch, epochs: m.Epochs,
	}
	l.total = int64(l.first) * (1<<l.epochs - 1)
	var estimates int
	if l.eta, estimates, err = l.at.stepOr(m.Step, l.inner, l.inner, l.outer); err != nil {
		return nil, nil, err
	}
	l.spent += estimates
	copy(l.x, t.start)
	return l, parameters, nil
}

type scvrgLoop struct {
	stepper
	at           *reference
	random       *random.Source
	inner, outer []uint32
	first        int   // k_0
	epochs       int   // S
	total        int64 // T
	eta          float64
	spent        int // full gradients that estimated constants, not yet counted

	x, sum []float64 // iterate, sum of the iterates of this epoch
	epoch  int       // begun
	done   int64     // l
	left   int64     // iterations of this epoch
}

// Next begins an epoch or does one inner iteration.
func (l *scvrgLoop) Next(c *run.Control) {
	c.Gradients(l.spent * l.at.t.shape.samples())
	l.spent = 0
	if l.left == 0 {
		if l.epoch == l.epochs {
			c.End(solvers.BudgetReached)
			return
		}
		l.at.set(c)
		clear(l.sum)
		l.left = int64(l.first) << l.epoch
		l.epoch++
		return
	}
	direct.Axpy(1, l.x, l.sum)
	draw(l.inner, l.at.t.shape.Inner, l.random)
	draw(l.outer, l.at.t.shape.Outer, l.random)
	v := l.at.direction(l.x, l.inner, l.inner, l.outer)
	l.done++
	step := l.eta * math.Sqrt(float64(l.total)/float64(2*l.total-l.done))
	if !l.step(l.x, v, step) {
		c.End(solvers.Diverged)
	}
	c.Iterations(1, len(l.inner)+len(l.outer), len(l.inner)+len(l.outer))
	if l.left--; l.left == 0 {
		direct.Scale(l.at.x, 1/float64(int64(l.first)<<(l.epoch-1)), l.sum)
	}
}

// Current writes the iterate; between two epochs, the average of the one before.
func (l *scvrgLoop) Current(x []float64) {
	if l.left == 0 {
		copy(x, l.at.x)
		return
	}
	copy(x, l.x)
}

// State visits the loop's state.
func (l *scvrgLoop) State(c *checkpoint.Coder) {
	l.at.state(c)
	l.plan(c)
	c.Floats(l.x)
	c.Floats(l.sum)
	c.Count(&l.epoch, l.epochs)
	c.Int64(&l.done)
	c.Int64(&l.left)
	c.Count(&l.spent, checkpoint.MostPrepared)
	c.Random(l.random)
	if c.Restoring() && c.Err() == nil && (l.left < 0 || l.left > int64(l.first)<<max(l.epoch-1, 0) || l.done < 0 || l.done != int64(l.first)<<l.epoch-int64(l.first)-l.left) {
		c.Fail(fmt.Errorf("%d iterations left, %d done, in epoch %d of %d", l.left, l.done, l.epoch, l.epochs))
	}
}

// plan visits what may have been made of the starting point, which a resumed run does
// not know.
func (l *scvrgLoop) plan(c *checkpoint.Coder) {
	inner, outer := len(l.inner), len(l.outer)
	c.Float64(&l.eta)
	for _, v := range []*int{&l.first, &l.epochs, &inner, &outer} {
		c.Int(v)
	}
	if !c.Restoring() || c.Err() != nil {
		return
	}
	for _, v := range []int{l.first, inner, outer} {
		if v < 1 || v > maxSize {
			c.Fail(fmt.Errorf("a size of %d", v))
			return
		}
	}
	if l.epochs < 1 || l.epochs > 40 {
		c.Fail(fmt.Errorf("%d epochs", l.epochs))
		return
	}
	l.total = int64(l.first) * (1<<l.epochs - 1)
	l.inner, l.outer = make([]uint32, inner), make([]uint32, outer)
}
