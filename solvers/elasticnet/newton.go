package elasticnet

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// ProximalNewton minimises P by Newton steps on a working set of columns: the quadratic model
// of the smooth part and the L1 norm are minimised by coordinate descent, and a line search
// finds the step's length (Yuan, Ho and Lin 2012, "An improved GLMNET for L1-regularized logistic
// regression"). The working set grows from the columns with the largest violations (Massias,
// Gramfort and Salmon 2018, "Celer: a fast solver for the lasso with dual extrapolation").
//
// Cost: a look at all columns costs a pass. It finds violations outside the working set, and the
// gap where that may be small enough, so no column is left out for good. A sweep of coordinate
// descent costs the entries of the working set. Up to 2048 columns the model becomes a matrix
// where that costs less than 24 sweeps (package cost); a coordinate then costs as many
// multiplications as the set has columns. Rows whose curvature changed little keep it there.
//
// Slow sweeps are helped by conjugate gradients over the weights that are not 0, with their
// signs kept.
//
// Start: without Settings.Initial, a run on many more rows than columns begins on samples of the
// rows: on about 1024 rows, then on eight times as many, and so on.
//
// End: a small problem whose steps improve no more, or that took a hundred looks, is finished in
// numbers of 512 bits.
type ProximalNewton struct {
	// MaxSweeps bounds the sweeps of a step over the coordinates. 0 means 100, or 10 without a
	// matrix, where a sweep costs about as much as a new model.
	MaxSweeps int
}

// Name returns proximal-newton.
func (ProximalNewton) Name() string { return "proximal-newton" }

func (m ProximalNewton) newton() ProximalNewton { return m }

const (
	// innerShare of the largest violation ends the steps on a working set and the sweeps of
	// a step.
	innerShare = 0.1
	// extrapolateEvery is the number of sweeps between two extrapolations.
	extrapolateEvery = 5
	// futile looks in a row without a step, or violations below progress of the least, end a run.
	futile, progress = 2, 0.5
	// rowsPerColumn is the least number of rows a column for a run to begin on samples, and for
	// working sets to be larger: where rows abound most columns end up with a weight.
	rowsPerColumn = 16
	// hidden is the share of the objective that rounding hides.
	hidden = 8 * direct.Unit
	// noiseShare is the share of the noise of a sample's slopes that its l1 is at least.
	noiseShare = 0.35
)

// stage is what a loop does next.
type stage int

const (
	looking   stage = iota // at all columns
	stepping               // on the working set
	finishing              // in numbers of more bits
)

// knowledge is what belongs to the weights, each with what is above it.
type knowledge int

const (
	stale    knowledge = iota // nothing
	cached                    // the margins and slopes of the losses
	computed                  // margins that are as the product has them
	sloped                    // the gradient
)

// loop begins with a sample of the rows.
type loop struct {
	*objective // of the sample
	pool       *matrix.Pool
	whole      *objective
	level      int // of the sample, 0 for all rows
	sweeps     int
	// sparseSweeps is the same while the model is no matrix.
	sparseSweeps int
	unsolved     int // sweeps that left models without a matrix unsolved

	w        []float64
	h        []float64    // curvatures of the rows, divided by n
	step     []float64    // what a step adds to the margins
	rows     [3][]float64 // what h, step and a part's held are parts of
	list     []uint32     // the working set
	part     *part        // nil: to be made of list
	target   float64      // the largest violation that is left on it
	least    float64      // the least largest violation of all columns so far
	stage    stage
	known    knowledge
	fruitful bool              // a step was taken since all columns were looked at
	stuck    int               // times that none was
	looks    int               // at all columns
	scaled   *matrix.ByColumns // columns of the model before, if it was no matrix
	longest  float64           // root mean square of the entries of a column, where known
	slack    float64           // of the curvatures that the model's matrix is made of
	caution  float64           // share of the curvatures of parabolas above the loss in the model's
}

func newLoop(m ProximalNewton, o *objective, initial []float64) *loop {
	l := &loop{whole: o, pool: o.x.Pool, sweeps: m.MaxSweeps, sparseSweeps: m.MaxSweeps, w: make([]float64, len(o.g))}
	if l.sweeps == 0 {
		l.sweeps, l.sparseSweeps = 100, 10
	}
	copy(l.w, initial)
	if initial == nil && o.d <= o.n/rowsPerColumn {
		l.level = levels(o.n)
	}
	for k := range l.rows {
		l.rows[k] = make([]float64, o.n)
	}
	l.enter()
	return l
}

// enter begins the sample of a level, or of one with more rows where its rows do not pose a
// problem.
func (l *loop) enter() {
	for l.objective = l.whole; l.level > 0; l.level-- {
		if p := l.whole.p.sample(l.level, l.pool); p.check() == nil {
			l.objective = l.whole.of(p)
			break
		}
	}
	l.h, l.step = l.rows[0][:l.n], l.rows[1][:l.n]
	l.list, l.part = nil, nil
	l.stage, l.known, l.fruitful, l.caution = looking, stale, true, 0
	if l.p.Loss == kernels.Huber {
		l.caution = 1
	}
	l.stuck, l.unsolved, l.least, l.slack = 0, 0, math.Inf(1), slackShare
}

// Next looks at all columns, or takes a step on the working set.
func (l *loop) Next(c *run.Control) {
	switch l.stage {
	case finishing:
		l.finish(c)
	case stepping:
		l.newton(c)
	default:
		l.look(c)
	}
}

// look evaluates the weights on all columns, and chooses the working set.
func (l *loop) look(c *run.Control) {
	moved := l.known == cached || l.known == computed // by a step, the intercept with the others
	if l.known < computed {
		l.place(l.w)
	}
	if !moved {
		l.recentre(l.w, c.Settings().GapTolerance)
	}
	c.Gradients(l.n)
	c.Iterations(1, 0, 0)
	if l.level > 0 {
		l.p.L1 = max(l.whole.p.L1, noiseShare*l.noise())
	}
	l.gradient(l.w)
	if l.level == 0 {
		if c.Reached(l.offsets.outward(l.w), l.judged(l.w)); c.Ended() {
			return
		}
	}
	l.known = sloped
	if l.looks++; l.exhausted(c) {
		return
	}
	most := 0.0
	for j, g := range l.g[:l.d] {
		most = max(most, math.Abs(violation(g, l.w[j], l.p.L1)))
	}
	if l.stuck++; l.fruitful || most < float64(progress*l.least) {
		l.stuck = 0
	}
	l.least = min(l.least, most)
	done := l.stuck >= futile || most == 0 && (!l.p.Intercept || l.fruitful)
	if l.level > 0 && (done || most <= l.p.L1) {
		l.level--
		l.enter()
		return
	}
	if done {
		l.end(c)
		return
	}
	l.target = float64(innerShare * most)
	if list := l.choose(); !slices.Equal(list, l.list) {
		l.list, l.part = list, nil
	}
	l.stage, l.fruitful = stepping, false
}

// noise is by how much the mean slope of a column of the sample differs from that of all
// rows, for the longest column and slopes of the mean square: one standard deviation.
func (l *loop) noise() float64 {
	return l.longestColumn() * direct.Norm(l.coef) / float64(l.n)
}

// longestColumn is the root mean square of the longest column.
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
		l.stage = looking
		return
	}
	l.curvatures()
	promised := append([]float64(nil), s.slope...)
	s.begin(l.h, l.work, l.w, l.slack, l.p.Lambda, &l.scaled)
	if l.p.Intercept {
		s.to[s.k] = l.w[l.d]
	}
	sweeps := l.descend(c, float64(innerShare*most))
	if sweeps == 0 {
		return // the step will be taken when the run goes on
	}
	rows := int(float64(l.n) * (float64(s.entries) / float64(max(l.x.NNZ(), 1))))
	c.Iterations(1, rows, rows*min(sweeps, 2))
	_, l.fruitful = l.search(promised, s.dense && l.all())
	if !l.solved(sweeps) {
		l.restrict()
	}
	if !s.dense && sweeps >= l.sparseSweeps {
		if l.unsolved += sweeps; l.densely(s) {
			l.part = nil // to be made anew, as a matrix
		}
	}
	if s.formed {
		if s.formed, l.slack = false, float64(slackShare*l.slack); !l.fruitful {
			l.slack = 0 // it may be the model that is too coarse
		}
	}
	if !l.fruitful || l.all() {
		l.stage = looking
	}
}

// inner computes the slopes of the columns of a part, of all but the L1 norm.
func (l *loop) inner(s *part) {
	s.gradient(l.coef)
	direct.Scale(s.slope, 1/float64(l.n), s.slope)
	for a, j := range s.list {
		s.slope[a] = math.FMA(l.p.Lambda, l.w[j], s.slope[a])
	}
}

// all tells whether the working set is all columns.
func (l *loop) all() bool { return len(l.list) == l.d }

// Current writes the iterate.
func (l *loop) Current(w []float64) { copy(w, l.offsets.outward(l.w)) }

// State visits the loop's state.
func (l *loop) State(c *checkpoint.Coder) {
	c.Floats(l.w)
	level := l.level
	c.Count(&level, levels(l.whole.n))
	if c.Restoring() && c.Err() == nil && level != l.level {
		l.level = level
		l.enter()
	}
	c.Floats(l.z)
	if l.level > 0 {
		c.Float64(&l.p.L1)
	}
	c.Float64(&l.target)
	c.Float64(&l.least)
	share(c, &l.caution)
	c.Count((*int)(&l.stage), int(finishing))
	c.Count((*int)(&l.known), int(sloped))
	c.Bool(&l.fruitful)
	c.Count(&l.looks, checkpoint.MostCount)
	c.Count(&l.stuck, checkpoint.MostCount)
	c.Count(&l.unsolved, checkpoint.MostCount)
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
	matrix := l.part != nil && l.part.gram != nil
	c.Bool(&matrix)
	for k, j := range l.list {
		if int(j) >= l.d || k > 0 && j <= l.list[k-1] {
			c.Fail(fmt.Errorf("column %d at place %d of a working set of %d columns", j, k, l.d))
			return
		}
	}
	if matrix && c.Restoring() && c.Err() == nil {
		if l.part = l.newPart(l.list); len(l.part.slope) > cost.Columns {
			c.Fail(fmt.Errorf("a matrix for a working set of %d columns, which is too many", count))
			return
		}
		l.part.hold(l.p.Lambda)
	}
	if matrix && c.Err() == nil {
		l.part.state(c)
	}
	if c.Restoring() && c.Err() == nil && l.known > stale {
		if l.known >= computed {
			l.place(l.w)
		}
		l.slopes(l.z)
		if l.known == sloped {
			l.gradient(l.w)
		}
	}
}
