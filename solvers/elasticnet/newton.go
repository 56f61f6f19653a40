package elasticnet

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// ProximalNewton minimises P by Newton steps on a working set of columns. Coordinate descent
// minimises the quadratic model of the smooth part and the rest of the penalty; a line search finds the
// step size. Yuan, Ho and Lin 2012, "An improved GLMNET for L1-regularized logistic
// regression". The working set grows from the columns with the largest violations (Massias,
// Gramfort and Salmon 2018, "Celer: a fast solver for the lasso with dual extrapolation").
//
// Cost: the gradient of all columns costs half a pass. It gives the gap and the violations
// outside the working set, so no column is left out for good. A new working set of at most 2048
// columns copies them from the rows, at the cost of a pass; larger sets share one copy of X by
// columns. An epoch of coordinate descent costs the entries of the set. Up to
// 2048 columns the model becomes a matrix where that costs less than 24 epochs (package cost);
// a coordinate step then costs one multiplication for each column of the set. A row whose
// curvature changed little keeps its curvature in the matrix. A loss with the same curvature
// everywhere takes its steps by the matrix alone, to the tolerance: a run mostly costs the matrix, a
// gradient, and a pass that certifies. With such a loss, full rows of many columns are solved over
// dense copies of the columns of the working set: by epochs, and by the matrix of their products once
// epochs have cost as much. A column of a set stays in later sets.
//
// A squared loss and a squared norm alone make a linear system. Where the matrix and its Cholesky factor
// cost at most 12 epochs (package cost), the factor gives the solution, and Newton's method of package
// erm goes on where rounding hides the certificate.
//
// Extrapolation helps slow coordinate descent: conjugate gradients minimise the model over the
// weights that are not 0, with their signs kept. For groups they give Newton steps on the model with
// the norms of the groups that are not 0.
//
// Soft steps: on a working set of more than 2048 columns with half of the entries, coordinate descent may
// leave models unsolved, or need very short steps: columns of categories nearly depend on one another,
// and many rows have next to no curvature. The run then goes on by Newton steps on a smooth penalty over all
// columns, whose corner at 0 shrinks (Chan, Golub and Mulet 1999; Fountoulakis and
// Gondzio 2016, "A second-order method for strongly convex l1-regularization problems"). A step is solved
// by conjugate residuals on a copy of the columns whose weights move. The preconditioner has the diagonal,
// and the products of columns that have most of their curvature from the same row.
// Once solutions take many products, it has all products of the columns with the most curvature: as many columns as
// a Cholesky factor has that costs no more than a product.
//
// Start: without Settings.Initial, a run on many more rows than columns begins on samples of the
// rows: on about 1024 rows, then on eight times as many, and so on.
//
// End: a small problem whose steps improve no more, or that took a hundred gradients of all
// columns, is finished in numbers of 512 bits.
type ProximalNewton struct {
	// MaxSweeps bounds the epochs of coordinate descent in a step. 0 means 100, or 10 without a
	// matrix, where an epoch costs about as much as a new model.
	MaxSweeps int
}

// Name returns proximal-newton.
func (ProximalNewton) Name() string { return "proximal-newton" }

func (m ProximalNewton) newton() ProximalNewton { return m }

const (
	// innerShare is the share of the largest violation that ends the steps on a working set
	// and the epochs of a step.
	innerShare = 0.1
	// extrapolateEvery is the least number of epochs between two extrapolations. A matrix of many
	// columns has one epoch for columnsPerEpoch of them: an extrapolation costs up to a factor of
	// the matrix, which takes the time of one epoch for 48 columns.
	extrapolateEvery, columnsPerEpoch = 10, 24
	// A run ends after futile checks of all columns in a row without a step. It goes on if the largest
	// violation fell to the share progress of its least value.
	futile, progress = 2, 0.5
	// rowsPerColumn is the least number of rows a column for a run to begin on samples.
	rowsPerColumn = 16
	// hidden bounds the relative rounding of the objective.
	hidden = 8 * direct.Unit
	// noiseShare times the noise of a sample's slopes bounds the weight of its norm from below.
	noiseShare = 0.35
)

// stage is what a loop does next.
type stage int

const (
	checking  stage = iota // evaluates all columns
	stepping               // takes a step on the working set
	finishing              // goes on in numbers of 512 bits
	softening              // takes a soft step
)

// knowledge says what the loop's vectors hold for the weights: each value includes those
// before it.
type knowledge int

const (
	stale    knowledge = iota // nothing
	cached                    // margins, as a sum of steps, and the slopes of the losses
	computed                  // margins computed from the weights
	sloped                    // the gradient
)

// loop is the state of a run. It begins with a sample of the rows.
type loop struct {
	*objective // of the sample
	pool       *matrix.Pool
	whole      *objective // of all rows
	level      int        // of the sample, 0 for all rows
	sweeps     int        // most epochs of a step
	// sparseSweeps is the most epochs of a step while the model is no matrix.
	sparseSweeps int
	unsolved     int  // epochs that left models without a matrix unsolved
	exact        bool // steps go by statistics where a matrix pays

	w        []float64
	h        []float64    // curvatures of the rows, divided by n
	step     []float64    // what a step adds to the margins
	rows     [3][]float64 // memory of h, step and a part's held
	list     []uint32     // the working set
	part     *part        // the problem on list; nil until it is made
	target   float64      // largest violation at which steps on the set end
	least    float64      // smallest value so far of the largest violation of all columns
	stage    stage
	known    knowledge
	passed   bool              // g is X'coef, not yet the gradient
	fruitful bool              // a step succeeded since the last check of all columns
	stuck    int               // checks in a row without a successful step before
	checks   int               // of all columns
	scaled   *matrix.ByColumns // columns of the last model without a matrix
	longest  float64           // largest root mean square of a column; 0: not computed
	slack    float64           // share of the mean curvature by which held ones may differ
	caution  float64           // share of the curvatures of parabolas above the loss
	soft     soft

	// Columns of full rows that were in a working set, and the places of columns among these, from
	// 1 on; 0 for the others.
	tall   *matrix.DenseColumns
	places []uint32

	settings *solvers.Settings // of a run that may turn to Newton's method
	newtons  run.Loop          // of Newton's method, once the run has turned
}

func newLoop(m ProximalNewton, o *objective, initial []float64) *loop {
	l := &loop{whole: o, pool: o.x.Pool, sweeps: m.MaxSweeps, sparseSweeps: m.MaxSweeps, w: make([]float64, len(o.g))}
	if l.sweeps == 0 {
		l.sweeps, l.sparseSweeps = 100, 10
	}
	copy(l.w, initial)
	o.inside(l.w)
	l.exact = o.phi.Quadratic()
	if initial == nil && !l.comprises() && o.d <= o.n/rowsPerColumn {
		l.level = levels(o.n)
	}
	if _, is := o.rules.(penalty.Weighted); !is {
		l.level = 0 // nothing to raise for the noise of a sample
	}
	if o.steps[0] == nil {
		for k := range o.steps {
			o.steps[k] = make([]float64, o.n)
		}
	}
	l.rows = o.steps
	l.enter()
	return l
}

// enter begins the sample of a level, or of one with more rows where its rows do not pose a
// problem.
func (l *loop) enter() {
	for l.objective = l.whole; l.level > 0; l.level-- {
		if p := sample(l.whole.p, l.level, l.pool); check(p) == nil {
			l.objective = l.whole.of(p)
			break
		}
	}
	l.h, l.step = l.rows[0][:l.n], l.rows[1][:l.n]
	if l.part = nil; !l.all() {
		l.list = nil
	}
	l.tall, l.places, l.passed = nil, nil, false
	l.stage, l.known, l.fruitful, l.caution = checking, stale, true, 0
	if l.straight() {
		l.caution = 1
	}
	l.stuck, l.unsolved, l.least, l.slack = 0, 0, math.Inf(1), slackShare
}

// Next checks all columns, or takes a step on the working set.
func (l *loop) Next(c *run.Control) {
	if l.newtons != nil {
		l.newtons.Next(c)
		return
	}
	switch l.stage {
	case finishing:
		l.finish(c)
	case softening:
		l.soften(c)
	case stepping:
		l.newton(c)
	default:
		l.check(c)
	}
	if l.tall != nil && c.Ended() {
		l.tall.Release()
		l.tall, l.places = nil, nil
	}
}

// check evaluates the weights on all columns, and chooses the working set.
func (l *loop) check(c *run.Control) {
	moved := l.known == cached || l.known == computed // by a step, the intercept with the others
	if l.known < computed {
		l.refresh()
	}
	if exact := l.part != nil && l.part.exact; !moved || exact || l.confined != nil {
		l.recentre(l.w, c.Settings().GapTolerance)
	}
	c.Gradients(l.n)
	c.Iterations(1, 0, 0)
	if l.level > 0 {
		l.weigh(max(l.whole.weight(), noiseShare*l.noise()))
	}
	l.gradient(l.w)
	opens := l.opens()
	if opens {
		l.setViolations(l.w)
		opens = kernels.MaxAbs(l.v[:l.d]) > 0 // else the run ends here
	}
	if opens {
		if c.Reached(l.offsets.outward(l.w), run.Evaluation{Opening: true, Objective: l.mean, Gap: float64(l.mean * (1 + 1e-6))}); c.Ended() {
			return
		}
	} else if l.level == 0 {
		if c.Reached(l.offsets.outward(l.w), l.judged(l.w)); c.Ended() {
			return
		}
	} else {
		l.setViolations(l.w)
	}
	l.known = sloped
	if l.checks++; l.exhausted(c) || l.checkedSoft() {
		return
	}
	most := kernels.MaxAbs(l.v[:l.d])
	if l.stuck++; l.fruitful || most < float64(progress*l.least) {
		l.stuck = 0
	}
	if l.stuck > 0 && l.part != nil && l.part.exact {
		if l.turn(c) {
			return
		}
		l.doubt()
	}
	l.least = min(l.least, most)
	done := l.stuck >= futile || most == 0 && (!l.p.Intercept || l.fruitful)
	if l.level > 0 && (done || most <= l.weight()) {
		l.level--
		l.enter()
		return
	}
	if done {
		l.end(c)
		return
	}
	l.target = float64(innerShare * most)
	if !l.all() {
		if list := l.choose(); !slices.Equal(list, l.list) {
			l.list, l.part = list, nil
		}
	}
	l.stage, l.fruitful = stepping, false
}

// gradient computes g from coef, or from what a pass left.
func (l *loop) gradient(w []float64) {
	if l.passed {
		l.passed = false
		l.scaleGradient(w)
		return
	}
	l.objective.gradient(w)
}

// recentre is the objective's: what a pass left does not belong to other slopes.
func (l *loop) recentre(w []float64, target float64) bool {
	moved := l.objective.recentre(w, target)
	l.passed = l.passed && !moved
	return moved
}

// refresh computes the margins of the weights, and the slopes there: from the rows of the
// working set if it has its own, as all weights that are not 0 are in it.
func (l *loop) refresh() {
	s := l.part
	if s == nil || l.all() || s.rows.Matrix == nil {
		l.place(l.w)
		return
	}
	by := make([]float64, len(s.slope))
	for a, j := range s.list {
		by[a] = l.w[j]
	}
	s.rows.MulVec(l.base, by)
	if l.p.Offset != nil {
		direct.Axpy(1, l.p.Offset, l.base)
	}
	l.shift(l.w)
	l.slopes(l.z)
}

// weight is the weight of the norm in the penalty, 0 without one.
func (o *objective) weight() float64 {
	if norm, is := o.rules.(penalty.Weighted); is {
		return norm.Multiple()
	}
	return 0
}

// weigh sets the weight of the norm in the penalty.
func (o *objective) weigh(weight float64) {
	if norm, is := o.rules.(penalty.Weighted); is && weight != norm.Multiple() {
		o.p.Penalty = norm.WithWeight(weight)
		o.penalise()
	}
}

// noise returns one standard deviation of the difference between the gradient of the sample
// and the gradient of all rows, for the longest column.
func (l *loop) noise() float64 {
	return l.longestColumn() * direct.Norm(l.coef) / float64(l.n)
}

// longestColumn returns the root mean square of the longest column's entries.
func (l *loop) longestColumn() float64 {
	if l.longest == 0 {
		l.longest = kernels.MaxAbs(l.whole.lengths()[:l.d]) / math.Sqrt(float64(l.whole.n))
	}
	return l.longest
}

// newton takes a step on the working set, unless its violations are small enough.
func (l *loop) newton(c *run.Control) {
	if l.part == nil {
		l.part = l.newPart(l.list)
	}
	s := l.part
	if l.known == sloped {
		for a, j := range s.list {
			s.slope[a] = l.g[j]
		}
		copy(s.slope[s.k:], l.g[l.d:])
	} else {
		l.inner(s)
	}
	most := l.worst(s, func(a int) float64 { return l.w[s.list[a]] })
	if !(most > l.target) && l.fruitful {
		l.stage = checking
		return
	}
	l.curvatures()
	promised := append([]float64(nil), s.slope...)
	s.begin(l.h, l.work, l.w, l.slack, l.lambda, &l.scaled)
	if l.p.Intercept {
		s.to[s.k] = l.w[l.d]
	}
	sweeps := l.minimise(c, float64(innerShare*most))
	if sweeps == 0 {
		return // the step will be taken when the run goes on
	}
	if l.reached(c) {
		return
	}
	rows := int(float64(l.n) * (float64(s.entries) / float64(max(l.x.NNZ(), 1))))
	c.Iterations(1, rows, rows*min(sweeps, 2))
	var t float64
	t, l.fruitful = l.search(promised, s.tall != nil || s.dense && l.all())
	if s.exact && t < 1 {
		l.doubt()
	}
	if !l.solved(sweeps) {
		l.restrict()
	}
	if s.tall != nil {
		l.unsolved += s.spent
		s.spent = 0
	}
	if s.tall == nil && !s.dense && sweeps >= l.sparseSweeps {
		if l.unsolved += sweeps; l.densely(s) {
			s.dense, s.columns, s.moved, s.last, s.along = true, nil, nil, nil, nil
		}
	}
	if (l.short(t) || l.unsolved >= softUnsolved) && l.softens(s) {
		l.beginSoft()
		return
	}
	if s.formed {
		if s.formed, l.slack = false, float64(slackShare*l.slack); !l.fruitful {
			l.slack = 0 // the model may be too coarse
		}
	}
	if !l.fruitful || l.all() || s.exact {
		l.stage = checking
	}
}

// inner computes the gradient of the smooth part of P on the columns of a part.
func (l *loop) inner(s *part) {
	s.gradient(l.coef)
	direct.Scale(s.slope, 1/float64(l.n), s.slope)
	for a, j := range s.list {
		s.slope[a] = math.FMA(l.square(int(j)), l.w[j], s.slope[a])
	}
}

// all tells whether the working set is all columns.
func (l *loop) all() bool { return len(l.list) == l.d }

// Current writes the iterate.
func (l *loop) Current(w []float64) {
	if l.newtons != nil {
		l.newtons.Current(w)
		return
	}
	copy(w, l.offsets.outward(l.w))
}

// State visits the loop's state.
func (l *loop) State(c *checkpoint.Coder) {
	if l.turned(c) {
		return
	}
	if c.Floats(l.w); c.Restoring() {
		l.inside(l.w)
	}
	level := l.level
	c.Count(&level, levels(l.whole.n))
	if c.Restoring() && c.Err() == nil && level != l.level {
		l.level = level
		l.enter()
	}
	c.Floats(l.z)
	c.Floats(l.base)
	if l.level > 0 {
		weight := l.weight()
		c.Float64(&weight)
		l.weigh(weight)
	}
	c.Float64(&l.target)
	c.Float64(&l.least)
	share(c, &l.caution)
	c.Count((*int)(&l.stage), int(softening))
	c.Count((*int)(&l.known), int(sloped))
	c.Bool(&l.fruitful)
	c.Bool(&l.exact)
	c.Count(&l.checks, checkpoint.MostCount)
	c.Count(&l.stuck, checkpoint.MostCount)
	c.Count(&l.unsolved, checkpoint.MostCount)
	l.soft.state(c, l.d)
	count := len(l.list)
	c.Count(&count, l.d)
	if c.Err() != nil {
		return
	}
	if c.Restoring() {
		l.list, l.part = make([]uint32, count), nil
	}
	c.Uint32s(l.list)
	c.Float64(&l.slack)
	placed := l.part != nil
	matrix := placed && l.part.gram != nil && !l.part.exact // statistics are made anew
	c.Bool(&placed)
	c.Bool(&matrix)
	if matrix && !placed && c.Err() == nil {
		c.Fail(errors.New("a Gram matrix without the columns of its working set"))
		return
	}
	for k, j := range l.list {
		if int(j) >= l.d || k > 0 && j <= l.list[k-1] {
			c.Fail(fmt.Errorf("column %d at place %d of a working set of %d columns", j, k, l.d))
			return
		}
	}
	if placed && c.Restoring() && c.Err() == nil {
		l.part = l.newPart(l.list)
	}
	if matrix && c.Restoring() && c.Err() == nil {
		if len(l.part.slope) > cost.Columns {
			c.Fail(fmt.Errorf("a matrix for a working set of %d columns, which is too many", count))
			return
		}
		l.part.hold(l.lambda)
	}
	if matrix && c.Err() == nil {
		l.part.state(c)
	}
	if c.Restoring() && c.Err() == nil && l.known > stale {
		l.slopes(l.z)
		if l.known == sloped {
			l.gradient(l.w)
		}
	}
}
