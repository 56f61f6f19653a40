package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
)

const (
	// softUnsolved is the number of epochs without a matrix that left models unsolved before a run goes
	// on by soft steps.
	softUnsolved = 160
	// firstRadius is the first radius, as a share of the root mean square of the weights that are not 0.
	firstRadius = 0.1
	// softRounds bounds how often a step is solved anew for the weights that do not pass 0.
	softRounds = 3
	// leastClipped is the least length of a step whose weights end at 0. Below it all weights pass 0.
	leastClipped = 0.25
	// After a step of at least a share longEnough of its length, which promised at most what the radius
	// costs, the radius becomes softDecrease times as large.
	longEnough, softDecrease = 0.125, 0.2
	// Once the radius costs at most softCost of the tolerance, the largest residual counts too. It falls to
	// softResidual of the violation that the tolerance allows.
	softCost, softResidual = 0.3, 0.5
	// softSteps bounds the soft steps, and softChecks the checks of all columns after them.
	softSteps, softChecks = 100, 5
	// farMove is the change of a margin from which a short step shows a bad model of the losses.
	farMove = 4
	// A check sets weights to 0 up to smallWeight radii. Where the slope is below smallSlope of l1, it does
	// so up to largestSmall radii.
	smallWeight, largestSmall, smallSlope = 10, 1e4, 0.999
)

// soft is the state of soft steps. They minimise P with l1 sum_j ((w_j^2 + r^2)^(1/2) - r) in place of
// the L1 norm, for radii r that fall from step to step.
type soft struct {
	on     bool
	steps  int
	checks int
	radius float64
	heavy  bool      // systems are solved with the matrix of their heavy columns
	pulls  []float64 // the slopes of the penalty, as variables of their own
}

// state visits the state of soft steps for d weights.
func (s *soft) state(c *checkpoint.Coder, d int) {
	c.Bool(&s.on)
	c.Count(&s.steps, softSteps)
	c.Count(&s.checks, softChecks)
	if !s.on || c.Err() != nil {
		return
	}
	if c.Restoring() {
		s.pulls = make([]float64, d)
	}
	c.Float64(&s.radius)
	c.Bool(&s.heavy)
	c.Floats(s.pulls)
}

// softens tells whether a run whose models coordinate descent does not solve goes on by soft steps.
// The working set has too many columns for a matrix. Soft steps go over all columns, so those of the
// set must have half of the entries.
func (l *loop) softens(s *part) bool {
	_, is := l.rules.(penalty.Absolute)
	return is && l.soft.steps == 0 && l.level == 0 && l.weight() > 0 && !l.exact && !l.straight() &&
		len(s.slope) > cost.Columns && s.tall == nil && 2*s.entries >= l.x.NNZ()
}

// beginSoft begins soft steps at the weights.
func (l *loop) beginSoft() {
	square, used := 0.0, 0
	for _, v := range l.w[:l.d] {
		if v != 0 {
			square = math.FMA(v, v, square)
			used++
		}
	}
	l.soft = soft{on: true, radius: float64(firstRadius * math.Sqrt(square/float64(max(used, 1)))), pulls: make([]float64, l.d)}
	for j, w := range l.w[:l.d] {
		l.soft.pulls[j] = float64(l.weight()*w) / l.soft.length(w)
	}
	l.part, l.list, l.scaled = nil, nil, nil
	l.gradient(l.w)
	l.stage, l.known = softening, sloped
}

// length is (w^2 + r^2)^(1/2).
func (s *soft) length(w float64) float64 { return math.Sqrt(float64(w*w) + float64(s.radius*s.radius)) }

// softModel is the model of a soft step.
type softModel struct {
	from             []float64 // the weights
	slope, curvature []float64
	bend             []float64 // what the penalty adds to the curvature
	lengths          []float64
	cost             float64 // of the radius
	system           *softSystem
	held             []bool // weights whose step is fixed
}

// soften takes a soft step: Newton's for the equations of the weights and the pulls together, which
// needs few steps for a radius. Weights that would pass 0 end there, if the objective falls so.
// Sources: Chan, Golub and Mulet 1999, "A nonlinear primal-dual method for total variation-based image
// restoration"; Fountoulakis and Gondzio 2016, "A second-order method for strongly convex l1-regularized
// problems".
func (l *loop) soften(c *run.Control) {
	s := &l.soft
	tolerance := max(c.Settings().GapTolerance, float64(finest*(l.mean+l.penalty(l.w))))
	l.curvatures()
	m := l.softModel()
	last := m.cost <= float64(softCost*tolerance)
	enough := 0.0
	if last {
		enough = float64(softResidual * tolerance / absoluteSum(l.w[:l.d]))
	}
	whole := make([]float64, len(l.w))
	m.beside(whole)
	if l.softDirection(c, m, whole, enough) {
		return
	}
	by := append([]float64(nil), whole...)
	clipped := false
	for range softRounds {
		if !s.clip(m, by) {
			break
		}
		clipped = true
		if l.softDirection(c, m, by, enough) {
			return
		}
	}
	s.clip(m, by)
	c.Iterations(1, l.n, l.n*min(m.system.products, 2))
	s.steps++
	s.heavy = s.heavy || l.heavily(m)
	t, promise := 0.0, 0.0
	if clipped {
		t, promise = l.softSearch(m, by, leastClipped)
	}
	if t == 0 {
		by = whole
		t, promise = l.softSearch(m, by, 0)
	}
	s.pull(m, by, l.weight())
	if t == 1 || float64(t*kernels.MaxAbs(l.step)) > farMove {
		l.stepped(t)
	}
	if t >= longEnough && -promise <= m.cost {
		s.radius *= softDecrease
	}
	l.gradient(l.w)
	if t == 0 || s.steps >= softSteps {
		l.endSoft()
	} else if last && l.softGap() <= tolerance {
		l.round()
	}
}

// softModel makes the model at the weights.
func (l *loop) softModel() *softModel {
	s, weight := &l.soft, l.weight()
	m := &softModel{
		from: append([]float64(nil), l.w...), slope: append([]float64(nil), l.g...), curvature: make([]float64, len(l.w)),
		bend: make([]float64, l.d), lengths: make([]float64, l.d), held: make([]bool, len(l.w)),
	}
	l.x.AddSquares(m.curvature, l.h)
	for j, w := range l.w[:l.d] {
		r := s.length(w)
		m.lengths[j] = r
		m.cost += float64(weight * (r - math.Abs(w)))
		m.bend[j] = float64((weight-float64(s.pulls[j]*w)/r)/r) + l.lambda
		m.slope[j] += float64(weight*w) / r
	}
	m.system = l.newSoftSystem(m)
	return m
}

// beside writes the steps of the weights outside the system.
func (m *softModel) beside(by []float64) {
	for j, bend := range m.bend {
		if bend > 0 {
			by[j] = -m.slope[j] / (m.curvature[j] + bend)
		}
	}
	for _, j := range m.system.columns {
		by[j] = 0
	}
}

// softDirection moves a step towards the minimum of the model over the weights of the system that are not
// held. It tells whether the run is over.
func (l *loop) softDirection(c *run.Control, m *softModel, by []float64, enough float64) (over bool) {
	s := m.system
	live := make([]float64, len(s.columns))
	for a, j := range s.columns {
		live[a], s.held[a] = by[j], m.held[j]
	}
	over = l.solveSoft(c, s, live, enough)
	for a, j := range s.columns {
		by[j] = live[a]
	}
	return over
}

// clip ends the steps of weights that would pass 0 there, and holds them. It tells whether there were
// any.
func (s *soft) clip(m *softModel, by []float64) bool {
	clipped := false
	for j, from := range m.from[:len(s.pulls)] {
		if to := from + by[j]; !m.held[j] && to*from < 0 && math.Abs(from) > s.radius && math.Abs(to) > s.radius {
			by[j], m.held[j], clipped = -from, true, true
		}
	}
	return clipped
}

// softSearch goes along a step, or half of it and so on, until the objective with the radius falls by
// a share of what the slope promises. It returns the share of the way, 0 where that is below least, and
// the promise.
func (l *loop) softSearch(m *softModel, by []float64, least float64) (t, promise float64) {
	s, weight, mean := &l.soft, l.weight(), l.mean
	copy(l.w, m.from)
	if promise = direct.Dot(m.slope, by); !(promise < 0) {
		return 0, promise
	}
	l.x.MulVec(l.step, by)
	hides := l.hides(promise)
	t = 1
	for range truncated.Halvings {
		if t < least {
			break
		}
		rise, square := 0.0, 0.0
		for j, from := range m.from {
			v := math.FMA(t, by[j], from)
			if l.w[j] = v; j < l.d {
				both := float64((v - from) * (v + from))
				square += both
				rise += float64(weight*both) / (m.lengths[j] + s.length(v))
			}
		}
		l.z, l.more = l.more, l.z
		direct.ScaleAdd(l.z, t, l.step, 1, l.more)
		if l.slopes(l.z)-mean+l.ridge(square)+rise <= float64(truncated.Decrease*t*promise)+hides {
			return t, promise
		}
		l.z, l.more = l.more, l.z
		t *= 0.5
	}
	copy(l.w, m.from)
	l.slopes(l.z)
	return 0, promise
}

// pull moves the pulls by a step.
func (s *soft) pull(m *softModel, by []float64, weight float64) {
	for j, pull := range s.pulls {
		r, from := m.lengths[j], m.from[j]
		pull = float64((weight-float64(pull*from)/r)*by[j])/r + float64(weight*from)/r
		s.pulls[j] = max(-weight, min(weight, pull))
	}
}

// softGap estimates the gap by the largest slope of the mean loss.
func (l *loop) softGap() float64 {
	excess, squares := 0.0, 0.0
	for j, g := range l.g[:l.d] {
		by := max(0, math.Abs(math.FMA(-l.lambda, l.w[j], g))-l.weight())
		excess = max(excess, by)
		squares = math.FMA(by, by, squares)
	}
	gap := float64(excess * absoluteSum(l.w[:l.d]))
	if l.lambda > 0 {
		gap = min(gap, squares/(2*l.lambda))
	}
	return gap
}

// round sets the weights to 0 that the radius alone keeps from it, for a check of all columns.
func (l *loop) round() {
	least, most := float64(smallWeight*l.soft.radius), float64(largestSmall*l.soft.radius)
	for j, w := range l.w[:l.d] {
		size, slope := math.Abs(w), math.Abs(math.FMA(-l.lambda, w, l.g[j]))
		if size <= least || size <= most && slope <= float64(smallSlope*l.weight()) {
			l.w[j] = 0
		}
	}
	l.stage, l.known, l.fruitful = checking, stale, true
}

// checkedSoft goes on with soft steps after a check of all columns, and tells whether it does.
func (l *loop) checkedSoft() bool {
	if !l.soft.on {
		return false
	}
	if l.soft.checks++; l.soft.checks >= softChecks {
		l.endSoft() // the gradient is that of the weights
		return true
	}
	l.stage = softening
	return true
}

// endSoft ends soft steps.
func (l *loop) endSoft() {
	l.round()
	l.soft.on, l.soft.pulls = false, nil
}
