package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// Steps of a path aim to leave pathShare of the violations.
const pathShare = innerShare * innerShare

// pathLoop takes the steps of one point of a path. Where the model of the columns that
// count is too large to be kept, the loop of single solutions takes over.
type pathLoop struct {
	*loop
	s     *Path
	plain bool
	sharp bool      // the model of the last step was computed at its first weights
	most  float64   // the largest violation, of the model's columns where not fresh
	hope  float64   // what that lets expect of the gap
	slope []float64 // of the model's columns
}

func (s *Path) newLoop(initial []float64) *pathLoop {
	l := &pathLoop{s: s}
	if initial == nil {
		initial = make([]float64, s.p.X.Cols()) // no samples
	}
	l.loop = newLoop(s.method, s.o, initial)
	s.known = s.known && slices.Equal(l.w, initial) // none was moved to a bound
	l.exact = s.model.exact
	if l.grouped != nil {
		l.plain = true // no models are kept for groups
	}
	return l
}

// Next checks whether the point is found, or takes a step.
func (l *pathLoop) Next(c *run.Control) {
	if l.plain || l.stage == finishing {
		l.loop.Next(c)
		return
	}
	if l.checks++; l.exhausted(c) {
		return
	}
	if l.known == stale {
		if l.s.foresees() && l.estimated(c) {
			return
		}
		l.arrive(c)
	}
	if l.due(c) {
		l.certify(c)
	}
	if !c.Ended() && l.stage != finishing && l.widen() {
		l.take(c)
	}
}

// arrive computes what belongs to the weights, and lists the columns that the strong rule
// does not rule out.
func (l *pathLoop) arrive(c *run.Control) {
	if l.s.foresees() && l.foreseen(c) {
		l.s.w, l.s.known, l.s.had = nil, false, false
		l.known = sloped
		l.violations(l.g[:l.d], nil)
		return
	}
	if !l.s.known {
		l.place(l.w)
	}
	l.s.w = nil
	if moved := l.recentre(l.w, c.Settings().GapTolerance); moved || !l.s.known {
		l.gradient(l.w)
		if moved || !l.s.had {
			c.Gradients(l.n)
		}
	}
	l.s.known, l.s.had = false, false
	l.known = sloped
	l.violations(l.g[:l.d], nil)
	within := l.weight()
	if l.s.before > within {
		within -= l.s.before - within
	}
	k := &l.s.model
	for j := range k.in {
		if l.w[j] != 0 || k.whole || math.Abs(l.g[j]) >= float64(within*l.factor(j)) && within > 0 {
			k.add(uint32(j))
		}
	}
}

// violations computes most and hope from the slopes of the listed columns, or of all columns
// without a list. A dual point scaled down by l1/(l1 + most) loses about most ||w||_1; without
// scaling it loses the squares over 2 lambda.
func (l *pathLoop) violations(slopes []float64, list []uint32) {
	l.most = 0
	squares, norm := 0.0, 0.0
	if list == nil {
		l.setViolations(l.w)
	}
	for a, g := range slopes {
		j, v := a, math.Abs(l.v[a])
		if list != nil {
			j = int(list[a])
			v = math.Abs(l.single.Violation(j, g, l.w[j]))
		}
		l.most = max(l.most, v)
		if c := l.factor(j); v != 0 && c != 1 {
			squares += float64(v*v) / c
		} else {
			squares = math.FMA(v, v, squares)
		}
		norm += math.Abs(l.w[j])
	}
	l.hope = float64(l.most * norm)
	if weight := l.weight(); l.straight() && weight > 0 {
		// Where the loss is linear, a dual point that is made smaller loses what is beyond delta.
		l.hope += float64(l.most / weight * l.mean)
	}
	if l.lambda > 0 {
		l.hope = min(l.hope, squares/(2*l.lambda))
	}
}

// due tells whether a certificate is due.
func (l *pathLoop) due(c *run.Control) bool {
	return !l.fruitful || c.Settings().GapTolerance == 0 || l.hope <= c.Settings().GapTolerance
}

// certify evaluates the weights on all columns.
func (l *pathLoop) certify(c *run.Control) {
	if l.known < sloped {
		l.gradient(l.w)
		c.Gradients(l.n)
		l.known = sloped
	}
	c.Reached(l.offsets.outward(l.w), l.judged(l.w))
	l.violations(l.g[:l.d], nil)
	if c.Ended() {
		return
	}
	switch {
	case l.fruitful || l.most < float64(progress*l.least):
		l.stuck = 0
	case l.sharp:
		l.stuck++
	}
	if l.exact && l.stuck > 0 {
		l.doubt()
	}
	l.least = min(l.least, l.most)
	if l.stuck >= futile || l.most == 0 && (!l.p.Intercept || l.fruitful) {
		l.end(c)
	}
}

// widen adds the columns with a violation to the model, and tells whether the model of
// all of them fits in memory.
func (l *pathLoop) widen() bool {
	k := &l.s.model
	if l.known == sloped {
		for j := range k.in {
			if l.v[j] != 0 {
				k.add(uint32(j))
			}
		}
	}
	if len(k.order) > l.s.mostColumns {
		k.drop()
		for j := range k.in {
			if l.w[j] != 0 || l.v[j] != 0 {
				k.add(uint32(j))
			}
		}
	}
	if len(k.order) <= l.s.mostColumns/2 || k.whole {
		return true
	}
	k.drop()
	l.plain, l.known = true, stale
	l.enter()
	return false
}

// model returns the part of the cached model, which is computed anew if that pays.
func (l *pathLoop) model() *part {
	k := &l.s.model
	k.pick(l.objective)
	if float64(k.cost) < k.spent {
		k.forget()
	}
	switch {
	case k.at == nil:
		k.at, k.caution, k.fresh = slices.Clone(l.w), l.caution, true
		l.curvatures()
		copy(k.h, l.h)
	case k.formed == 0: // restored
		l.curvaturesAt(k.at, k.caution)
	}
	k.form(l.objective)
	s := &part{list: k.list(l.objective), dense: true, exact: k.exact, means: k.means, gram: k.gram, cost: k.cost, entries: k.entries}
	s.k = len(s.list)
	s.unevenly(l.objective)
	size := k.rows.Cols()
	s.slope, s.to, s.diagonal = make([]float64, size), make([]float64, size), make([]float64, size)
	for a := range size {
		s.diagonal[a] = k.gram[a*size+a]
	}
	s.extra = l.p.X.Bias()
	if l.p.Intercept {
		s.gram[size*size-1] = k.pure[size-1]
		s.diagonal[size-1] = k.pure[size-1]
	}
	return s
}

// curvaturesAt computes the curvatures of the model at other weights.
func (l *pathLoop) curvaturesAt(w []float64, caution float64) {
	z, coef, now := slices.Clone(l.z), slices.Clone(l.coef), l.caution
	mean := l.mean
	base := slices.Clone(l.base)
	l.place(w)
	l.caution = caution
	l.curvatures()
	copy(l.s.model.h, l.h)
	copy(l.z, z)
	copy(l.base, base)
	copy(l.coef, coef)
	l.caution, l.mean = now, mean
}

// take takes a step with the cached model.
func (l *pathLoop) take(c *run.Control) {
	s := l.model()
	k := &l.s.model
	l.part = s
	for a, j := range s.list {
		s.to[a] = l.w[j]
	}
	if l.p.Intercept {
		s.to[s.k] = l.w[l.d]
	}
	if l.known == sloped {
		for a, j := range s.list {
			s.slope[a] = l.g[j]
		}
		copy(s.slope[s.k:], l.g[l.d:])
		l.violations(s.slope[:s.k], s.list)
	} else {
		copy(s.slope, l.slope)
	}
	most := l.most
	promised := slices.Clone(s.slope)
	target := float64(pathShare * most)
	if c.Settings().GapTolerance > 0 && l.hope > 0 {
		target = max(target, float64(0.25*c.Settings().GapTolerance/l.hope*most))
	}
	sweeps := l.minimise(c, target)
	if sweeps == 0 {
		return // the step will be taken when the run goes on
	}
	rows := int(float64(l.n) * (float64(k.entries) / float64(max(l.x.NNZ(), 1))))
	c.Iterations(1, rows, rows)
	var t float64
	if t, l.fruitful = l.search(promised, true); t > 0 {
		l.recentre(l.w, c.Settings().GapTolerance)
	}
	if s.exact && t < 1 {
		l.doubt()
	}
	if l.fruitful {
		l.stuck = 0
	}
	if !l.solved(sweeps) {
		l.restrict()
	}
	if k.whole || s.exact {
		l.gradient(l.w)
		c.Gradients(l.n)
		l.known = sloped
		l.violations(l.g[:l.d], nil)
	} else {
		l.known = cached
		l.slope = make([]float64, len(s.slope))
		s.columns, s.rows, s.numbers = k.columns, k.rows, ascending(len(k.order))
		l.inner(s)
		copy(l.slope, s.slope)
		l.violations(s.slope[:s.k], s.list)
	}
	l.wear(t, l.most/most)
}

// wear adds up the cost of steps with an old model, beyond the steps with a new one. A step that
// leaves a share of the violations has done the work of log share / log pathShare steps with a
// new model. Once the sum reaches the cost of a new model, the model is computed anew: at most
// twice the cost of the best choice.
func (l *pathLoop) wear(t, share float64) {
	k := &l.s.model
	l.sharp = k.fresh || l.phi.Quadratic()
	k.fresh = false
	if l.phi.Quadratic() {
		return
	}
	if !l.sharp && t < 1 {
		k.spent = math.Inf(1)
		return
	}
	done := 1.0
	if share > pathShare {
		done = max(0, kernels.LogOf(share)/kernels.LogOf(pathShare))
	}
	k.spent += float64((1 - done) * float64(cost.Pass(k.entries, l.n)))
}

// State is not visited: points are saved whole.
func (l *pathLoop) State(*checkpoint.Coder) {}

// doubt ends steps by statistics, for all points that follow too.
func (l *pathLoop) doubt() {
	l.loop.doubt()
	l.s.model.exact = false
	l.s.model.forget()
}
