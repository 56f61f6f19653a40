package compositional

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// SCGD is stochastic compositional gradient descent (Wang, Fang and Liu 2017), with a
// proximal step: a moving average y follows g(x), and iteration k = 1, 2, .. does
//
//	y = (1 - b_k) y + b_k g_j(x),   x = prox(x - a_k J_j(x)' grad f_i(y))
//
// with a_k = Step k^-3/4 and b_k = k^-1/2, where g_j, J_j and grad f_i are means over
// samples. No full gradient is ever computed.
type SCGD struct {
	// Step is the first step size; 0 means 1/L of F.
	Step float64
	// InnerSample and OuterSample are the sizes of the samples of g_j and f_i; 0 means 5.
	InnerSample, OuterSample int
}

// Name returns scgd.
func (SCGD) Name() string { return "scgd" }

func (SCGD) reports() bool { return false }

func (m SCGD) begin(t *task) (run.Loop, any, error) {
	l, err := newTracking(t, m.Step, m.InnerSample, m.OuterSample)
	if err != nil {
		return nil, nil, err
	}
	l.stepPower, l.averagePower = 3./4, 1./2
	return l, m, nil
}

// ASCPG is the accelerated method of Wang, Liu and Fang (2017, ASC-PG): SCGD whose
// moving average samples g at an extrapolated point,
//
//	x_{k+1} = prox(x_k - a_k J_j(x_k)' grad f_i(y_k)),   z = (1 - 1/b_k) x_k + x_{k+1}/b_k,
//	y_{k+1} = (1 - b_k) y_k + b_k g_j'(z)
//
// with a_k = Step k^-5/7 and b_k = k^-4/7. The sample j' of an iteration is the sample j
// of the next, so that each counts once.
type ASCPG struct {
	// Step is the first step size; 0 means 1/L of F.
	Step float64
	// InnerSample and OuterSample are the sizes of the samples of g_j and f_i; 0 means 5.
	InnerSample, OuterSample int
	// Ninths takes the powers 5/9 and 4/9 of the code that Problem.UnitThreshold tells of.
	Ninths bool
}

// Name returns asc-pg.
func (ASCPG) Name() string { return "asc-pg" }

func (ASCPG) reports() bool { return false }

func (m ASCPG) begin(t *task) (run.Loop, any, error) {
	l, err := newTracking(t, m.Step, m.InnerSample, m.OuterSample)
	if err != nil {
		return nil, nil, err
	}
	l.extrapolate = true
	l.stepPower, l.averagePower = 5./7, 4./7
	if m.Ninths {
		l.stepPower, l.averagePower = 5./9, 4./9
	}
	return l, m, nil
}

// tracking is the loop of both methods. SCGD's is written so that a sample of g_j
// enters y and gives the Jacobian in the same iteration; ASC-PG's sample enters y at
// the end of an iteration and gives the Jacobian of the next. Both are: draw, move y,
// step, and differ in where g is sampled.
type tracking struct {
	stepper
	t                       *task
	random                  *random.Source
	inner, outer            []uint32
	eta                     float64
	stepPower, averagePower float64
	extrapolate             bool
	spent                   int // full gradients that estimated the step, not yet counted

	x, z    []float64 // iterate, point at which g is sampled next
	y       []float64 // follows g(x)
	average float64   // b of the next sample
	k       int64     // iterations done

	u, v, before []float64
	power        [2]float64
}

func newTracking(t *task, step float64, inner, outer int) (*tracking, error) {
	eta, spent, err := t.stepOr(step, 1)
	if err != nil {
		return nil, err
	}
	k, d := t.shape.Between, t.shape.Columns
	l := &tracking{
		stepper: t.stepper(), t: t, random: t.random, eta: eta, spent: spent, average: 1,
		inner: make([]uint32, sampleOr(inner)), outer: make([]uint32, sampleOr(outer)),
		x: make([]float64, d), z: make([]float64, d), y: make([]float64, k),
		u: make([]float64, k), v: make([]float64, d), before: make([]float64, d),
	}
	copy(l.x, t.start)
	copy(l.z, t.start)
	return l, nil
}

// powers returns k^-stepPower and k^-averagePower.
func (l *tracking) powers(k int64) (step, average float64) {
	log := kernels.LogOf(float64(k))
	l.power = [2]float64{-float64(l.stepPower * log), -float64(l.averagePower * log)}
	direct.Exp(l.power[:], l.power[:])
	return l.power[0], l.power[1]
}

// Next does one iteration.
func (l *tracking) Next(c *run.Control) {
	c.Gradients(l.spent * l.t.shape.samples())
	l.spent = 0
	f, shape := l.t.p.F, l.t.shape
	draw(l.inner, shape.Inner, l.random)
	draw(l.outer, shape.Outer, l.random)
	share := 1 / float64(len(l.inner))
	direct.Scale(l.y, 1-l.average, l.y)
	f.AddInner(l.y, float64(l.average*share), l.inner, l.z)
	clear(l.u)
	f.AddOuter(l.u, 1/float64(len(l.outer)), l.outer, l.y)
	clear(l.v)
	f.AddJacobian(l.v, share, l.inner, l.x, l.u)

	l.k++
	step, average := l.powers(l.k)
	copy(l.before, l.x)
	if !l.step(l.x, l.v, float64(l.eta*step)) {
		c.End(solvers.Diverged)
	}
	copy(l.z, l.x)
	if l.extrapolate {
		direct.ScaleAdd(l.z, 1/average, l.x, 1-1/average, l.before)
	} else {
		_, average = l.powers(l.k + 1)
	}
	l.average = average
	c.Iterations(1, len(l.inner)+len(l.outer), len(l.inner)+len(l.outer))
}

// Current writes the iterate.
func (l *tracking) Current(x []float64) { copy(x, l.x) }

// State visits the loop's state.
func (l *tracking) State(c *checkpoint.Coder) {
	c.Float64(&l.eta)
	c.Floats(l.x)
	c.Floats(l.z)
	c.Floats(l.y)
	c.Float64(&l.average)
	c.Count64(&l.k)
	c.Count(&l.spent, checkpoint.MostPrepared)
	c.Random(l.random)
	if c.Restoring() && !(l.average >= 0 && l.average <= 1) {
		c.Fail(fmt.Errorf("an average of %v", l.average))
	}
}
