package elasticnet

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// ProximalNewton minimises P by a working set of columns that grows from where the
// gradient is furthest beyond l1, as in Massias, Gramfort and Salmon 2018, "Celer: a fast
// solver for the lasso with dual extrapolation". On it, Newton steps: the smooth part is
// replaced by its quadratic model, the L1 norm stays, coordinate descent finds the step,
// and a line search how far to go (Yuan, Ho and Lin 2012, "An improved GLMNET for
// L1-regularized logistic regression").
//
// The gap, and whether a column outside has to come in, is decided on all columns, at the
// cost of a pass: no column is left out for good. A working set of up to 2048 columns
// whose rows are short keeps the model as a matrix, so that a step of a coordinate costs as
// many multiplications as the set has columns, whatever the number of rows.
type ProximalNewton struct {
	// MaxSweeps bounds the sweeps over the coordinates that a step may take; 0 means 100.
	MaxSweeps int
}

// Name returns proximal-newton.
func (ProximalNewton) Name() string { return "proximal-newton" }

func (m ProximalNewton) check() error {
	if m.MaxSweeps < 0 {
		return fmt.Errorf("max-sweeps is %d; it must be positive", m.MaxSweeps)
	}
	return nil
}

const (
	// share of the largest violation that a working set is solved to before all columns
	// are looked at again, and the model before the next step.
	workingShare, modelShare = 0.1, 0.1
	// decrease is the share of the promised decrease that the line search asks for.
	decrease = 0.01
	// halvings is the most times that it shortens a step.
	halvings = 40
	// leapEvery is the number of sweeps between two leaps.
	leapEvery = 5
	// futile is the number of times in a row that no step was found that ends a run.
	futile = 2
)

// loop is at one of two stages: about to look at all columns, or to take a step on those
// of the working set.
type loop struct {
	*objective
	sweeps int

	w        []float64
	h        []float64 // curvatures of the rows, divided by n
	step     []float64 // what a step adds to the margins
	list     []uint32  // the working set
	part     *part     // nil: to be made of list
	target   float64   // the largest violation that is left on it
	working  bool      // the stage
	fruitful bool      // a step was taken since all columns were looked at
	stuck    int       // times that none was
	bold     bool      // the last step was taken in full
}

func newLoop(m ProximalNewton, o *objective, initial []float64) *loop {
	l := &loop{objective: o, sweeps: m.MaxSweeps, w: make([]float64, len(o.g)), h: make([]float64, o.n), step: make([]float64, o.n)}
	if l.sweeps == 0 {
		l.sweeps = 100
	}
	copy(l.w, initial)
	l.fruitful = true
	return l
}

// Next looks at all columns, or takes a step on the working set.
func (l *loop) Next(c *engine.Control) {
	if l.working {
		l.newton(c)
		return
	}
	l.x.MulVec(l.z, l.w)
	if l.p.Intercept {
		if b := l.centre(l.w[l.d]); b != l.w[l.d] {
			l.w[l.d] = b
			l.x.MulVec(l.z, l.w)
		}
	}
	e := l.here(l.w)
	c.Pass()
	c.Iteration(0, 0)
	c.Reached(l.w, e)
	if c.Ended() {
		return
	}
	if l.stuck++; l.fruitful {
		l.stuck = 0
	}
	most := 0.0
	for j, g := range l.g[:l.d] {
		most = max(most, math.Abs(violation(g, l.w[j], l.p.L1)))
	}
	if l.stuck >= futile || most == 0 && (!l.p.Intercept || l.fruitful) {
		c.Stall()
		return
	}
	l.target = float64(workingShare * most)
	l.list, l.part = l.choose(), nil
	l.working, l.fruitful = true, false
}

// newton takes a step on the working set, unless its violations are small enough.
func (l *loop) newton(c *engine.Control) {
	if l.part == nil {
		l.part = l.newPart(l.list)
	}
	s := l.part
	mean := l.slopes(l.z)
	clear(s.slope)
	s.x.AddTrans(s.slope, l.coef)
	direct.Scale(s.slope, 1/float64(l.n), s.slope)
	most := 0.0
	for a := range s.slope {
		g, w := s.slope[a], 0.0
		if a < s.k {
			w = l.w[s.list[a]]
			s.slope[a] = math.FMA(l.p.Lambda, w, g)
			most = max(most, math.Abs(violation(s.slope[a], w, l.p.L1)))
		} else {
			most = max(most, math.Abs(g))
		}
	}
	rows := int(float64(l.n) * (float64(s.x.NNZ()) / float64(max(l.x.NNZ(), 1))))
	if !(most > l.target) && l.fruitful {
		l.working = false
		return
	}
	l.curvatures()
	promised := append([]float64(nil), s.slope...)
	s.begin(l.h, l.work, l.w, l.p.Lambda)
	if l.p.Intercept {
		s.to[s.k] = l.w[l.d]
	}
	sweeps := l.descend(c, float64(modelShare*most))
	if sweeps == 0 {
		return // the step will be taken when the run goes on
	}
	c.Iteration(rows, rows*min(sweeps, 2))
	if l.search(mean, promised) {
		l.fruitful = true
	} else {
		l.working = false
	}
}

// curvatures computes h: the second derivatives of the losses. Huber's has none beyond
// delta, where a model by it is good near the minimum alone: after a step that had to be
// shortened those of the parabola above the loss that touches it at the margin take their
// place, as in the beginning.
func (l *loop) curvatures() {
	if l.p.Loss == kernels.Huber && !l.bold {
		delta := l.p.Threshold()
		for i, z := range l.z {
			l.h[i] = l.p.weight(i)
			if r := math.Abs(z - l.p.Y[i]); r > delta {
				l.h[i] *= delta / r
			}
		}
	} else {
		direct.LossCurvature(l.p.Loss, l.h, l.step, l.z, l.p.Y, l.p.SampleWeight, l.p.Threshold())
	}
	direct.Scale(l.h, 1/float64(l.n), l.h)
}

// search goes from the weights towards those of the model, as far as the objective falls by
// a share of what the slopes promise. It tells whether it fell by more than rounding. mean
// is the mean loss at the weights, slope the smooth part's gradient.
func (l *loop) search(mean float64, slope []float64) bool {
	s := l.part
	by := make([]float64, len(s.slope))
	size := len(by)
	var promise, norm, square, across, there float64 // of the steps and of the norms
	for a := range size {
		if a == s.k {
			by[a] = s.to[a] - l.w[l.d]
			promise += float64(by[a] * slope[a])
			continue
		}
		w := l.w[s.list[a]]
		by[a] = s.to[a] - w
		promise += float64(by[a] * slope[a])
		norm += math.Abs(s.to[a]) - math.Abs(w)
		square = math.FMA(w, w, square)
		across = math.FMA(w, by[a], across)
		there = math.FMA(by[a], by[a], there)
	}
	promise += float64(l.p.L1 * norm)
	if !(promise < 0) {
		return false
	}
	s.x.MulVec(l.step, by)
	for t, attempt := 1.0, 0; attempt < halvings; t, attempt = 0.5*t, attempt+1 {
		direct.ScaleAdd(l.more, t, l.step, 1, l.z)
		change := l.loss(l.more) - mean
		change += float64(0.5 * l.p.Lambda * float64(t*math.FMA(t, there, 2*across)))
		bends := 0.0 // of the L1 norm, which is less than in proportion to t
		for a := range s.k {
			w := l.w[s.list[a]]
			bends += math.Abs(math.FMA(t, by[a], w)) - math.Abs(w)
		}
		change += float64(l.p.L1 * bends)
		if !(change <= float64(decrease*t*promise)+float64(4*unit*math.Abs(mean))) {
			continue
		}
		l.bold = t == 1
		for a := range size {
			j := l.d
			if a < s.k {
				j = int(s.list[a])
			}
			to := s.to[a]
			if t != 1 {
				to = math.FMA(t, by[a], l.w[j])
			}
			l.w[j] = to
		}
		l.z, l.more = l.more, l.z
		return change < -8*unit*math.Abs(mean)
	}
	l.bold = false
	return false
}

// Current writes the iterate.
func (l *loop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *loop) State(c *engine.Coder) {
	c.Floats(l.w)
	c.Floats(l.z)
	c.Float64(&l.target)
	c.Bool(&l.working)
	c.Bool(&l.fruitful)
	c.Bool(&l.bold)
	c.Count(&l.stuck, engine.MostCount)
	count := len(l.list)
	c.Count(&count, l.d)
	if c.Err() != nil {
		return
	}
	if c.Restoring() {
		l.list, l.part = make([]uint32, count), nil
	}
	c.Uint32s(l.list)
	for k, j := range l.list {
		if int(j) >= l.d || k > 0 && j <= l.list[k-1] {
			c.Fail(fmt.Errorf("column %d at place %d of a working set of %d columns", j, k, l.d))
			return
		}
	}
}
