package pauc

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// SVMTight is the structural SVM of Narasimhan and Agarwal (2013), by cutting planes; for
// linear scores only. It has no parameters.
type SVMTight struct{}

// Name returns svm-pauc-tight.
func (SVMTight) Name() string { return "svm-pauc-tight" }

func (SVMTight) plan(*task) plan { return plan{heads: 100, tails: 100} }

func (SVMTight) loop(c *common) (loop, error) { return newCutting(c), nil }

// cutting is the structural SVM for partial AUC (Narasimhan and Agarwal 2013,
// "SVMpAUC-tight", KDD),
//
//	minimise J(w) = (lambda/2) ||w||^2 + R(w)
//
// with R the surrogate of type hardest, solved by cutting planes with one slack
// variable: planes below R, one for each most violated ranking, make a model whose
// minimum is below the minimum of J. The next plane touches R near the model's minimiser.
//
// The plain method takes planes at the minimisers themselves, which oscillate if lambda is small.
// This method keeps the best point and searches J between it and the minimiser. It takes a second
// plane a little beyond the point that the search finds (Franc and Sonnenburg 2008, "OCAS").
//
// An iteration costs three products with the matrix, and up to five rankings. The search needs no
// product, because scores between its ends are combinations of the scores at its ends.
type cutting struct {
	*common
	*space
	weight  float64 // lambda
	hardest *hardest
	dual    mixture

	planes []direction // the slopes of the planes of the dual
	idle   []int       // iterations since a plane was in use
	spare  []direction

	best     direction
	value    float64   // J at best
	bestCoef []float64 // of the plane that touches R at best
	lower    float64   // the largest value of the dual, as it was computed
	proven   float64   // the largest lower bound of J, rounding errors taken off; J is 0 or more
	reported float64   // the gap of the last point that was reported
	shown    float64   // J there
	below    float64   // lower there
	longest  float64   // the largest norm of a row
	t, still int       // iterations, and those since value or lower changed

	// Scratch.
	next     direction
	coef, z  []float64
	products []float64
}

const (
	// beyond is where the second plane is taken, with the best point at 0 and the model's
	// minimiser at 1. tries is the number of points that a search evaluates.
	beyond = 0.1
	tries  = 3
	// keptFor is the number of iterations that a plane out of use is kept.
	keptFor = 50
	// stillFor is the number of iterations without any change that ends a run as stalled:
	// its gap is made of rounding errors.
	stillFor = 200
)

func newCutting(c *common) *cutting {
	l := &cutting{common: c, space: newSpace(c.x, c.pool), hardest: newHardest(c.task), weight: c.lambda, lower: math.Inf(-1), reported: math.Inf(1)}
	for _, v := range matrix.Norms(c.x) {
		l.longest = max(l.longest, v)
	}
	l.best, l.next = l.direction(true), l.direction(true)
	for _, v := range []*[]float64{&l.coef, &l.bestCoef, &l.z} {
		*v = make([]float64, len(c.y))
	}
	return l
}

// Next evaluates w = 0 and the starting point in its first call, and does an iteration in
// each later one.
func (l *cutting) Next(c *run.Control) {
	if !l.begun {
		l.begun = true
		if l.start(c) != nil {
			c.End(solvers.Diverged)
		}
		return
	}
	value, lower := l.value, l.lower
	l.lower = max(l.lower, l.dual.solve(0.01*max(l.value-l.lower, 0)))
	gap := l.value - l.lower
	reached := gap <= c.Settings().GapTolerance && (l.value != l.shown || l.lower != l.below)
	if reached || gap <= l.reported/2 && l.value != l.shown {
		if l.report(c); c.Ended() {
			return
		}
	}
	if l.still >= stillFor {
		l.report(c)
		c.End(solvers.Stalled)
		return
	}
	if l.step() != nil {
		c.End(solvers.Diverged)
		return
	}
	c.Iterations(1, len(l.y), len(l.y))
	l.t++
	if l.still++; l.value != value || l.lower != lower {
		l.still = 0
	}
}

// start takes the planes at 0, where the run begins, and at the starting point.
func (l *cutting) start(c *run.Control) error {
	constant, value, err := l.surrogate(l.best.scores)
	if err != nil {
		return err
	}
	copy(l.bestCoef, l.coef)
	l.value = value
	if err := l.add(constant); err != nil {
		return err
	}
	c.Gradients(len(l.y))
	if kernels.MaxAbs(l.w) > 0 {
		if c.Reached(l.w, l.evaluate(l.w)) {
			return nil
		}
		l.matrix.MulVec(l.z, l.w)
		if constant, _, err = l.surrogate(l.z); err != nil {
			return err
		}
		c.Gradients(len(l.y))
		if err := l.add(constant); err != nil {
			return err
		}
	}
	l.report(c)
	return nil
}

// surrogate writes the plane that touches R at scores z to coef, and returns its
// constant and R.
func (l *cutting) surrogate(z []float64) (constant, value float64, err error) {
	if constant, err = l.hardest.plane(l.coef, z); err != nil {
		return 0, 0, err
	}
	if value = constant + direct.Dot(l.coef, z); value-value != 0 {
		return 0, 0, errNotFinite
	}
	return constant, value, nil
}

// add gives the dual the plane in coef.
func (l *cutting) add(constant float64) error {
	var v direction
	if last := len(l.spare) - 1; last >= 0 {
		v, l.spare = l.spare[last], l.spare[:last]
	} else {
		v = l.direction(false)
	}
	l.transposed(v, l.coef)
	l.products = l.products[:0]
	for _, u := range l.planes {
		l.products = append(l.products, l.dot(v, u)/l.weight)
	}
	l.products = append(l.products, l.dot(v, v)/l.weight)
	for _, p := range l.products {
		if p-p != 0 {
			return errNotFinite
		}
	}
	l.dual.add(constant, l.products)
	l.planes, l.idle = append(l.planes, v), append(l.idle, 0)
	return nil
}

// step moves to the best point that it finds on the way to the model's minimiser, adds
// planes and drops those long out of use.
func (l *cutting) step() error {
	l.combine(l.next, -1/l.weight, l.dual.used, l.dual.a, l.planes)
	for _, u := range l.dual.used {
		l.idle[u] = -1
	}
	if err := l.search(); err != nil {
		return err
	}
	for t := len(l.idle) - 1; t >= 0; t-- {
		if l.idle[t]++; l.idle[t] > keptFor {
			l.drop(t)
		}
	}
	return nil
}

func (l *cutting) drop(t int) {
	l.dual.drop(t)
	last := len(l.planes) - 1
	l.spare = append(l.spare, l.planes[t])
	l.planes[t], l.idle[t] = l.planes[last], l.idle[last]
	l.planes, l.idle = l.planes[:last], l.idle[:last]
}

func (l *cutting) report(c *run.Control) {
	l.reported, l.shown, l.below = l.value-l.lower, l.value, l.lower
	l.Current(l.w)
	c.Reached(l.w, l.evaluate(l.w))
}

// Current writes the best point.
func (l *cutting) Current(w []float64) { l.current(w, l.best) }

// evaluate computes J at w, the norm of a subgradient, and the gap to the largest
// value of the dual so far, rounding errors included.
func (l *cutting) evaluate(w []float64) run.Evaluation {
	e := run.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	l.matrix.MulVec(l.all, w)
	_, value, err := l.surrogate(l.all)
	if err != nil {
		return e
	}
	clear(l.g)
	l.matrix.AddTrans(l.g, l.coef)
	direct.Axpy(l.weight, w, l.g)
	e.Objective = float64(l.weight/2*kernels.SquaredNorm(w)) + value
	e.GradientNorm = direct.Norm(l.g)
	e.ObjectiveError = l.above(kernels.MaxAbs(l.all), direct.Norm(w), e.Objective)
	l.prove()
	e.Gap = math.Inf(1)
	// An objective below the bound would show that the errors' bounds are wrong.
	if gap := (e.Objective - l.proven) + e.ObjectiveError; gap >= 0 {
		e.Gap = gap
	}
	return e
}

// State visits the planes, the dual and the best point.
func (l *cutting) State(c *checkpoint.Coder) {
	l.common.state(c)
	count := len(l.planes)
	c.Count(&l.t, math.MaxInt32/4)
	c.Count(&l.still, checkpoint.MostCount)
	c.Count(&count, 2*l.t+2)
	if c.Restoring() && l.begun && count == 0 {
		c.Fail(errors.New("no plane, of which a run has one from its beginning on"))
	}
	for k := range count {
		if c.Err() != nil {
			return
		}
		if c.Restoring() {
			l.planes, l.idle = append(l.planes, l.direction(false)), append(l.idle, 0)
		}
		c.Floats(l.planes[k].weights)
		c.Floats(l.planes[k].scores)
		c.Count(&l.idle[k], checkpoint.MostCount)
	}
	l.dual.state(c, count)
	for _, v := range [][]float64{l.best.weights, l.best.scores, l.bestCoef} {
		c.Floats(v)
	}
	for _, v := range []*float64{&l.value, &l.lower, &l.proven, &l.reported, &l.shown, &l.below} {
		c.Float64(v)
	}
}
