package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Prox is dual coordinate ascent (Shalev-Shwartz and Zhang 2014, Prox-SDCA with
// option I; Yu, Huang and Lin 2011 for the logistic loss): every step maximises
// the dual over one variable, in closed form or, for the logistic loss, by a
// safeguarded Newton iteration in one number. A pass takes the rows in a new
// random order. There is no step size.
//
// For the squared hinge loss, rows whose variable is 0 and seems to stay so are
// left out for some passes, as LIBLINEAR shrinks; the other losses have no such
// rows.
//
// Where Settings.RecordEvery is 0, the gap is certified only when the residues met
// in a pass let expect that the target is reached or the gap tenfold smaller, and
// after ten passes: a certificate costs as much as a pass.
type Prox struct {
	// NoShrinking visits every row in every pass.
	NoShrinking bool
}

// Name returns prox-sdca.
func (Prox) Name() string { return "prox-sdca" }

func (Prox) check() error { return nil }

func (Prox) checkProblem(p *erm.Problem) error { return convex(p) }

func (m Prox) begin(t *task) (dualLoop, string, error) {
	l := &proxLoop{
		p: t.p, pool: t.pool, full: t.full, settings: t.settings, reports: t.reports, random: t.random,
		dual: make([]dualRow, t.p.X.Rows()), order: make([]uint32, t.p.X.Rows()), w: make([]float64, t.p.X.Cols()),
		shrinks: t.p.Loss == kernels.SquaredHinge && !m.NoShrinking,
	}
	l.unit = 1 / (t.p.Lambda * float64(t.p.X.Rows()))
	for i, v := range t.p.X.SquaredNorms() {
		d := &l.dual[i]
		s := weight(t.p, i)
		d.q = float64(float64(s*v) * l.unit)
		d.c = float64(s * l.unit)
		if l.labels() {
			d.c *= t.p.Y[i]
		} else {
			d.u = t.p.Y[i]
		}
		if math.IsInf(d.q, 0) {
			return nil, "", fmt.Errorf("row %d is too long: ||x||^2/(lambda n) overflows", i)
		}
		l.order[i] = uint32(i)
	}
	l.active, l.position = len(l.order), len(l.order)
	l.bound, l.lastMean = math.Inf(1), math.Inf(1)
	var err error
	if l.steps, err = t.p.X.Steps(l.w); err != nil {
		return nil, "", err
	}
	if t.settings.Initial != nil {
		if err := l.warm(t.settings.Initial); err != nil {
			return nil, "", err
		}
	}
	return l, fmt.Sprintf("%+v", m), nil
}

// dualRow is what a step needs of a row, in half a cache line.
type dualRow struct {
	// a is the dual variable for s = 1 and y = 1: alpha = s y a for the losses with
	// labels, s a for the others.
	a float64
	// u is log(a/(1-a)) for the logistic loss, where a > 0; the target y for the
	// losses without labels.
	u float64
	q float64 // s ||x||^2/(lambda n)
	c float64 // s y/(lambda n), or s/(lambda n)
}

type proxLoop struct {
	p        *erm.Problem
	pool     *sparse.Pool
	full     *objective
	settings solvers.Settings
	reports  bool
	shrinks  bool
	steps    *sparse.Steps
	unit     float64 // 1/(lambda n)

	random   *solvers.Random
	dual     []dualRow
	w        []float64
	order    []uint32 // the active rows in the order of this pass, then the others
	active   int
	position int
	passes   int // begun

	// sum is the sum of the Fenchel-Young losses met in this pass, up to second
	// order; mean and lastMean are those of the passes before, by row.
	sum, mean, lastMean float64
	certified           float64 // mean at the last certificate
	sinceCertificate    int

	// bound is the largest projected gradient of the pass before, largest that of
	// this pass: rows at 0 whose gradient is above it are left out.
	bound, largest float64
}

func (l *proxLoop) labels() bool {
	return l.p.Loss == kernels.Logistic || l.p.Loss == kernels.SquaredHinge
}

// warm sets alpha = -f'(Xw) and w to match.
func (l *proxLoop) warm(w []float64) error {
	z := l.full.z
	if err := l.p.X.MulVec(l.pool, z, w); err != nil {
		return err
	}
	for i := range l.dual {
		d := &l.dual[i]
		_, slope := kernels.LossAt(l.p.Loss, z[i], l.p.Y[i], l.p.Threshold())
		switch {
		case l.p.Loss == kernels.Logistic:
			d.u = -float64(l.p.Y[i] * z[i])
			d.a = kernels.SigmoidOf(d.u)
		case l.labels():
			d.a = -float64(l.p.Y[i] * slope)
		default:
			d.a = -slope
		}
	}
	return l.refresh()
}

// refresh computes w = X'alpha/(lambda n).
func (l *proxLoop) refresh() error {
	l.duals(l.full.alpha)
	clear(l.w)
	if err := l.p.X.AddTrans(l.pool, l.w, l.full.alpha); err != nil {
		return err
	}
	return kernels.Scale(l.w, l.unit, l.w)
}

// Next begins a pass, or does steps until the run wants to look at them.
func (l *proxLoop) Next(c *solvers.Control) {
	if l.position == l.active {
		if l.ends(c); c.Ended() {
			return
		}
		l.beginPass(c)
	}
	rows := l.order[l.position:min(l.active, l.position+c.Room(maxSteps))]
	visited := len(rows)
	end := l.position + visited
	switch l.p.Loss {
	case kernels.Logistic:
		l.logistic(rows)
	case kernels.Squared:
		l.squared(rows)
	case kernels.Huber:
		l.huber(rows)
	default:
		visited, end = l.squaredHinge(rows)
	}
	l.position = end
	if math.IsNaN(l.sum) || math.IsInf(l.sum, 0) {
		c.Diverge()
	}
	c.Iterations(visited, visited)
}

// maxSteps is the most steps of one Next: some ten microseconds to milliseconds.
const maxSteps = 4096

// ends looks back on a pass and certifies the gap where that is due.
func (l *proxLoop) ends(c *solvers.Control) {
	if l.passes > 0 {
		l.lastMean, l.mean, l.sum = l.mean, l.sum/float64(len(l.dual)), 0
		l.sinceCertificate++
	}
	if l.shrinks {
		l.bound = math.Inf(1)
		if l.largest > 0 {
			l.bound = l.largest
		}
		l.largest = math.Inf(-1)
	}
	target := l.settings.GapTolerance
	// The gap after this pass is about the mean of the next one.
	expected := l.mean * min(1, l.mean/l.lastMean)
	near := target > 0 && !(expected > target)
	if near && l.active < len(l.order) {
		l.active, l.bound = len(l.order), math.Inf(1)
	}
	if !l.reports {
		return
	}
	if l.passes == 0 {
		l.mean = math.Inf(1)
	}
	if l.passes == 0 || near || !(l.mean > 0.1*l.certified) || l.sinceCertificate >= 10 ||
		l.settings.GradientTolerance > 0 || l.settings.Validation != nil {
		c.Reached(l.w, l.full.evaluate(l.w))
		l.certified, l.sinceCertificate = l.mean, 0
	}
}

func (l *proxLoop) beginPass(c *solvers.Control) {
	if l.passes%refreshEvery == 0 && l.passes > 0 {
		l.active, l.bound = len(l.order), math.Inf(1)
		if l.refresh() != nil {
			c.Diverge()
		}
	}
	if l.active == 0 {
		l.active, l.bound = len(l.order), math.Inf(1)
	}
	order := l.order[:l.active]
	for i := len(order) - 1; i > 0; i-- {
		k := l.random.Below(uint64(i + 1))
		order[i], order[k] = order[k], order[i]
	}
	l.position = 0
	l.passes++
}

// fetchRows is how many rows are fetched together, that many rows ahead.
const fetchRows = 8

// squared: the dual over one variable is a parabola.
func (l *proxLoop) squared(rows []uint32) {
	for k, i := range rows {
		l.fetch(rows, k)
		d := &l.dual[i]
		residue := d.a + (l.steps.Dot(i) - d.u)
		l.sum = math.FMA(float64(0.5*residue), residue, l.sum)
		l.move(i, d, -residue/(1+d.q))
	}
}

// huber: the same within the bounds of the dual variable.
func (l *proxLoop) huber(rows []uint32) {
	delta := l.p.Threshold()
	for k, i := range rows {
		l.fetch(rows, k)
		d := &l.dual[i]
		z := l.steps.Dot(i)
		residue := d.a + max(-delta, min(delta, z-d.u))
		l.sum = math.FMA(float64(0.5*residue), residue, l.sum)
		l.move(i, d, max(-delta, min(delta, d.a-(d.a+(z-d.u))/(1+d.q)))-d.a)
	}
}

// squaredHinge: a parabola over a >= 0. It takes rows out of the pass that seem
// to stay at 0, puts active ones in their place, and returns how many rows it has
// looked at and the position it has reached.
func (l *proxLoop) squaredHinge(rows []uint32) (visited, position int) {
	position = l.position
	for ; visited < len(rows) && position < l.active; visited++ {
		i := l.order[position]
		if visited%fetchRows == 0 {
			l.steps.Fetch(l.order[min(position+fetchRows, l.active):min(position+2*fetchRows, l.active)])
		}
		d := &l.dual[i]
		z := l.steps.Dot(i)
		if d.c < 0 {
			z = -z
		}
		gradient := d.a + (z - 1) // of the function to be minimised
		switch {
		case d.a == 0 && l.shrinks && gradient > l.bound:
			l.active--
			l.order[position], l.order[l.active] = l.order[l.active], i
			continue
		case d.a > 0 || gradient < 0:
			l.largest = max(l.largest, gradient)
			l.sum = math.FMA(float64(0.5*gradient), gradient, l.sum)
			l.move(i, d, max(0, d.a-gradient/(1+d.q))-d.a)
		}
		position++
	}
	return visited, position
}

// logistic solves u + m + q (sigma(u) - a) = 0, m = y z, for the logit u of the
// new dual variable. The left side grows at least as fast as u.
func (l *proxLoop) logistic(rows []uint32) {
	for k, i := range rows {
		l.fetch(rows, k)
		d := &l.dual[i]
		m := l.steps.Dot(i)
		if d.c < 0 {
			m = -m
		}
		old := d.a
		if old > 0 {
			g := d.u + m
			l.sum = math.FMA(float64(float64(0.5*old)*(1-old)), min(g*g, math.Abs(g)), l.sum)
		} else {
			l.sum += math.Ln2
		}
		if d.solve(m) {
			l.steps.Add(i, float64(d.c*(d.a-old)))
		}
	}
}

// newtonTolerance is the share of the first residual at which a Newton iteration
// in one number ends. What is left costs the step its square.
const newtonTolerance = 1e-2

// solve moves a and u to the maximum over this row, and tells whether they moved.
func (d *dualRow) solve(m float64) bool {
	old := d.a
	low, high := -m-float64(d.q*(1-old)), -m+float64(d.q*old)
	var u, first float64
	if old > 0 {
		first = d.u + m
		u = d.u - first/(1+float64(d.q*float64(old*(1-old))))
	} else {
		first = math.Inf(1)
		u = -(m + 0.5*d.q) / (1 + 0.25*d.q)
	}
	u = max(low, min(high, u))
	for range 60 {
		a := kernels.SigmoidOf(u)
		g := u + m + float64(d.q*(a-old))
		if math.IsInf(first, 0) {
			first = g
		}
		if math.Abs(g) <= newtonTolerance*math.Abs(first) || math.Abs(g) <= 1e-15*(math.Abs(u)+math.Abs(m)) {
			d.a, d.u = a, u
			return a != old
		}
		if g > 0 {
			high = u
		} else {
			low = u
		}
		next := u - g/(1+float64(d.q*float64(a*(1-a))))
		if !(next > low && next < high) {
			next = 0.5*low + 0.5*high
		}
		u = next
	}
	d.u, d.a = u, kernels.SigmoidOf(u)
	return d.a != old
}

func (l *proxLoop) fetch(rows []uint32, k int) {
	if k%fetchRows == 0 {
		l.steps.Fetch(rows[min(k+fetchRows, len(rows)):min(k+2*fetchRows, len(rows))])
	}
}

// move changes a dual variable, and w with it.
func (l *proxLoop) move(i uint32, d *dualRow, step float64) {
	if step == 0 || d.c == 0 {
		return
	}
	old := d.a
	d.a += step
	l.steps.Add(i, float64(d.c*(d.a-old)))
}

func (l *proxLoop) duals(alpha []float64) {
	for i := range alpha {
		d := &l.dual[i]
		alpha[i] = float64(weight(l.p, i) * d.a)
		if l.labels() {
			alpha[i] *= l.p.Y[i]
		}
	}
}

// Current writes the iterate.
func (l *proxLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *proxLoop) State(c *solvers.Coder) {
	for i := range l.dual {
		c.Float64(&l.dual[i].a)
		c.Float64(&l.dual[i].u)
	}
	c.Floats(l.w)
	c.Uint32s(l.order)
	l.random.State(c)
	for _, v := range []*int{&l.active, &l.position, &l.passes, &l.sinceCertificate} {
		c.Int(v)
	}
	for _, v := range []*float64{&l.sum, &l.mean, &l.lastMean, &l.certified, &l.bound, &l.largest} {
		c.Float64(v)
	}
	if c.Restoring() && c.Err() == nil {
		n := len(l.order)
		if l.active < 0 || l.active > n || l.position < 0 || l.position > l.active {
			c.Fail(fmt.Errorf("position %d of %d active rows of %d", l.position, l.active, n))
		}
		for _, i := range l.order {
			if int(i) >= n {
				c.Fail(fmt.Errorf("row %d of %d", i, n))
				return
			}
		}
	}
}
