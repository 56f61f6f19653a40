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
// Rows whose part of the duality gap is below a tenth of the mean are left out after
// their step until the next pass that takes all rows, one in three: in the manner of
// LIBLINEAR's shrinking, but for every loss. Certificates are over all rows. Against
// NoShrinking, the seconds to a gap of 1e-6 fall by up to a half.
//
// Where Settings.RecordEvery is 0, the gap is certified only when the residues met
// in a pass let expect that the target is reached, and after ten passes: a
// certificate costs about as much as a pass.
type Prox struct {
	// NoShrinking takes every row in every pass.
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
		shrinks: !m.NoShrinking,
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
	l.lastMean = math.Inf(1)
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

	// sum is the sum of the rows' parts of the gap met in this pass, up to second
	// order and times lambda n; mean and lastMean are the gaps that the passes before
	// let expect. Rows whose part is below floor leave.
	sum, mean, lastMean, floor float64
	sinceCertificate           int
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
	visited := l.visit(min(l.active-l.position, c.Room(maxSteps)))
	if math.IsNaN(l.sum) || math.IsInf(l.sum, 0) {
		c.Diverge()
	}
	c.Iterations(visited, visited)
}

const (
	// maxSteps is the most steps of one Next: a millisecond at most, mostly.
	maxSteps = 4096
	// fetchRows is how many rows are fetched together, that many rows ahead.
	fetchRows = 8
	// leaveShare is the share of the mean part of the gap below which a row is left
	// out, fullEvery the number of passes of which one takes all rows. Of the values
	// tried on a9a, w8a and sector.scale these were the quickest to 1e-6 and 1e-9.
	// A row must take its step before it leaves: left out at once, rows of a small
	// part held up news20.multi for hundreds of passes.
	leaveShare = 0.1
	fullEvery  = 3
	// certifyEvery is the most passes between certificates.
	certifyEvery = 10
)

// ends looks back on a pass and certifies the gap where that is due.
func (l *proxLoop) ends(c *solvers.Control) {
	if l.passes > 0 {
		l.lastMean, l.mean = l.mean, float64(l.sum*l.p.Lambda)
		if l.shrinks {
			l.floor = leaveShare * l.sum / float64(len(l.dual))
		}
		l.sum = 0
		l.sinceCertificate++
	}
	// The gap after this pass is about the mean of the next one.
	target := l.settings.GapTolerance
	near := target > 0 && l.mean*min(1, l.mean/l.lastMean) <= target
	if near || l.passes%fullEvery == 0 {
		l.active = len(l.order)
	}
	if !l.reports {
		return
	}
	if l.passes == 0 || near || l.sinceCertificate >= certifyEvery || l.settings.GradientTolerance > 0 || l.settings.Validation != nil {
		c.Reached(l.w, l.full.evaluate(l.w))
		l.sinceCertificate = 0
	}
}

func (l *proxLoop) beginPass(c *solvers.Control) {
	if l.passes%refreshEvery == 0 && l.passes > 0 && l.refresh() != nil {
		c.Diverge()
	}
	if l.active == 0 {
		l.active = len(l.order)
	}
	order := l.order[:l.active]
	for i := len(order) - 1; i > 0; i-- {
		k := l.random.Below(uint64(i + 1))
		order[i], order[k] = order[k], order[i]
	}
	l.position = 0
	l.passes++
}

// visit looks at the next count rows at most, and returns how many there were.
// Each is moved to its maximum; one that is left out gives its place to the last
// active row.
func (l *proxLoop) visit(count int) (visited int) {
	delta := l.p.Threshold()
	for ; visited < count && l.position < l.active; visited++ {
		if visited%fetchRows == 0 {
			l.steps.Fetch(l.order[min(l.position+fetchRows, l.active):min(l.position+2*fetchRows, l.active)])
		}
		i := l.order[l.position]
		d := &l.dual[i]
		z := l.steps.Dot(i)
		old, part := d.a, 0.0
		switch l.p.Loss {
		case kernels.Logistic:
			if d.c < 0 {
				z = -z
			}
			part = math.Ln2
			if old > 0 {
				part = d.divergence(z)
			}
		case kernels.Squared:
			z = old + (z - d.u) // kappa
			part = float64(float64(0.5*z) * z)
		case kernels.Huber:
			z -= d.u
			kappa := old + max(-delta, min(delta, z))
			part = float64(0.5*kappa) * kappa
			z += old
		default:
			if d.c < 0 {
				z = -z
			}
			z = old + (z - 1) // the slope of the function to be minimised
			if old > 0 || z < 0 {
				part = float64(0.5*z) * z
			}
		}
		part = float64(part * math.Abs(d.c))
		l.sum += part
		switch l.p.Loss {
		case kernels.Logistic:
			d.solve(z)
		case kernels.Squared:
			d.a = old - z/(1+d.q)
		case kernels.Huber:
			d.a = max(-delta, min(delta, old-z/(1+d.q)))
		default:
			d.a = max(0, old-z/(1+d.q))
		}
		if step := d.a - old; step != 0 && d.c != 0 {
			l.steps.Add(i, float64(d.c*step))
		}
		if part < l.floor {
			l.active--
			l.order[l.position], l.order[l.active] = l.order[l.active], i
			continue
		}
		l.position++
	}
	return visited
}

// newtonTolerance is the share of the first residual at which a Newton iteration in
// one number ends. What is left costs the step its square; smaller shares take the
// same passes on the data sets at hand, and more evaluations of sigma.
const newtonTolerance = 0.1

// divergence returns the row's part of the gap at a margin m = y z, up to a factor
// of e: that of Kullback and Leibler between a and sigma(-m).
func (d *dualRow) divergence(m float64) float64 {
	g := d.u + m
	if math.Abs(g) <= 1 {
		return float64(float64(0.5*d.a)*(1-d.a)) * float64(g*g)
	}
	// log(1+exp(-m)) - log(1+exp(u)) = log(1 - a + a exp(-g))
	return max(0, float64(d.a*g)+kernels.Log1pOf(float64(d.a*(kernels.ExpOf(-g)-1))))
}

// solve moves a and u to the maximum over a row of margin m = y z: with the logit u
// of the new a,
//
//	u + m + q (sigma(u) - a) = 0
//
// whose left side grows at least as fast as u.
func (d *dualRow) solve(m float64) {
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
		d.a, d.u = a, u
		g := u + m + float64(d.q*(a-old))
		if math.IsInf(first, 0) {
			first = g // a smaller share leaves more passes to do
		}
		if math.Abs(g) <= max(newtonTolerance*math.Abs(first), 1e-15*(math.Abs(u)+math.Abs(m))) {
			return
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
	for _, v := range []*float64{&l.sum, &l.mean, &l.lastMean, &l.floor} {
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
