package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Prox is dual coordinate ascent (Shalev-Shwartz and Zhang 2014, Prox-SDCA with
// option I; Yu, Huang and Lin 2011 for the logistic loss): every step maximises
// the dual over one variable, in closed form or, for the logistic loss, by a
// safeguarded Newton iteration in one number. A pass takes the rows in a new
// random order, where the first paper draws every row from all: see WithReplacement.
// There is no step size.
//
// Shrinking (Hsieh and others 2008) works for every loss. A row whose part of the duality gap is
// below a tenth of the mean is left out until the next pass over all rows. That pass comes once
// the gap of the active rows is small beside the gap of the rows left out. It also comes once
// passes over active rows have taken as many steps, or after twenty of them. Certificates are
// over all rows.
//
// Beside an unpenalised intercept b the dual variables sum to 0 at the optimum, by the method of
// multipliers: b moves with every step and after every pass.
//
// With Settings.Shards, or rows in a file, steps take the rows from buffers. A pass cuts the rows into 1,024
// runs, draws an order of the runs, and mixes the rows of 16 of them in a buffer. So the order of a file does no
// harm, and a buffer needs 1/64 of the rows in memory. No row is left out then, and Settings.Ranks is refused.
// Weights have the same bits wherever the rows are. Memory: 16 bytes a row, 72 a column, the buffer, and the
// sums of a certificate, 16 bytes a column and shard at work.
//
// If Settings.RecordEvery is 0, the gap is certified after sixteen passes over all rows, and
// earlier if the last passes suggest convergence. A certificate costs about a pass, or a third of
// a pass if the margins show that the tolerance is missed.
type Prox struct {
	// NoShrinking takes every row in every pass.
	NoShrinking bool

	// WithReplacement draws every row from all rows with equal probabilities, as Shalev-Shwartz
	// and Zhang do. A pass is then as many draws as there are rows, and no row is left out. Such
	// steps need about twice the passes. Settings.Shards and rows in a file are refused.
	WithReplacement bool

	groups bool // of rows that do not go too far: see group
}

// Name returns prox-sdca.
func (Prox) Name() string { return "prox-sdca" }

func (Prox) checkProblem(p *erm.Problem) error { return risk.Check(p) }

func (m Prox) begin(t *task) (dualLoop, any, error) {
	n := t.p.X.Rows()
	l := &proxLoop{
		p: t.p, x: t.matrix(), full: t.full, settings: t.settings, reports: t.reports, random: t.random, share: loss.StepShare,
		dual: direct.Lend[loss.DualRow](t.full.lent, n), order: passes.NewOrder(n), w: t.weights(), shrinks: !m.NoShrinking && !m.WithReplacement, draws: m.WithReplacement,
	}
	l.unit = 1 / (t.p.Ridge() * float64(n))
	squares := t.full.bounds.Squares()
	features := t.p.X
	if t.p.Intercept {
		features = features.WithBias(0)
		squares = matrix.SquaredNorms(features)
	}
	l.features = direct.Matrix{Matrix: features, Pool: t.pool}
	mean := 0.0 // of q
	labels := t.full.dual.Labels()
	for i, v := range squares {
		d := &l.dual[i]
		s := direct.Weight(t.p.SampleWeight, i)
		d.Q = float64(float64(s*v) * l.unit)
		d.C = float64(s * l.unit)
		if labels {
			d.C *= t.p.Y[i]
		} else {
			d.U = t.p.Y[i]
		}
		if math.IsInf(d.Q, 0) || math.IsInf(d.C, 0) {
			return nil, nil, tooLong(i)
		}
		mean += d.Q / float64(n)
	}
	if t.p.Intercept {
		l.setIntercept()
	}
	l.mostSquare = 2 * t.full.atZero() / t.p.Ridge()
	l.lastMean = math.Inf(1)
	var err error
	if l.steps, err = matrix.NewSteps(features, risk.Held(t.p, l.w)); err != nil {
		return nil, nil, err
	}
	if m.groups && t.full.dual.Logit() && mean <= groupMean {
		l.group = &group{fetches: features.Bytes() >= groupFetch}
	}
	switch {
	case t.settings.Initial != nil:
		l.given = true
		l.warm(t.settings.Initial)
	case l.intercept != nil:
		l.balancedStart()
	case l.group != nil:
		l.equalStart()
	}
	return l, m, nil
}

// tooLong is the error of a row that no dual step can be taken on.
func tooLong(row int) error {
	return fmt.Errorf("row %d, counted from 0, is too long: ||x||^2/(lambda n) overflows; %w", row, solvers.ErrTooLarge)
}

type proxLoop struct {
	p          *erm.Problem
	x          direct.Matrix
	features   direct.Matrix // without the column of an intercept
	full       *objective
	settings   solvers.Settings
	reports    bool
	shrinks    bool
	draws      bool // rows with replacement
	steps      *matrix.Steps
	group      *group  // nil for rows one by one
	*intercept         // nil without one
	unit       float64 // 1/(lambda n)
	share      float64 // of its first residual that a step may leave

	random *random.Source
	dual   []loss.DualRow
	w      []float64
	order  passes.Order
	passes int // begun
	// whole tells that this pass takes all rows. short counts the passes over active rows since the
	// last such pass, taken their steps.
	whole        bool
	short, taken int

	// opens tells that Hybrid takes over where these steps have strayed: a sum is not finite, or
	// ||w||^2 is above twice mostSquare, which is checked around passes over all rows. The dual
	// rises from 0, is P(0) at most, and is at least (lambda/2) ||w||^2 below P(0): exact steps
	// stay below mostSquare.
	opens, strayed bool
	mostSquare     float64
	given          bool // the run began at a point that was given, perhaps before it was resumed

	// sum is the gap met in this pass, up to second order and times lambda n; leaving is the
	// part of the rows shrunk in it, and left the part of the rows shrunk earlier, since all
	// rows were taken. mean and lastMean are the gaps that the last two passes let expect.
	// A row whose part is below floor is shrunk.
	sum, left, leaving, mean, lastMean, floor float64
	sinceCertificate                          int
}

// warm sets alpha = -f'(Xw) and w to match. The dual is not 0 then: mostSquare grows by
// what it may be below.
func (l *proxLoop) warm(w []float64) {
	z := l.full.z
	l.full.margins(w)
	for i := range l.dual {
		d := &l.dual[i]
		above := l.full.dual.Warm(d, z[i], l.p.Y[i])
		l.mostSquare = math.FMA(2*direct.Weight(l.p.SampleWeight, i)*l.unit, above, l.mostSquare)
	}
	if l.intercept != nil {
		*l.b = w[len(w)-1]
	}
	l.refresh()
	l.mostSquare += kernels.SquaredNorm(risk.Held(l.p, l.w))
}

// refresh computes w = X'alpha/(lambda n).
func (l *proxLoop) refresh() {
	l.duals(l.full.alpha)
	w := risk.Held(l.p, l.w)
	clear(w)
	l.features.AddTrans(w, l.full.alpha)
	direct.Scale(w, l.unit, w)
}

// Next begins a pass, or does steps until the run wants to look at them.
func (l *proxLoop) Next(c *run.Control) {
	if l.order.Ended() {
		before := *l
		if l.ends(c); l.strayed {
			return
		}
		if c.Ended() {
			*l = before // a run that failed looks back on this pass again when it is resumed
			return
		}
		if l.begins(); l.opens {
			return // whoever goes on where this method ends judges the pass before any step of the next
		}
	}
	count, visited := c.IterationsLeft(risk.Block), 0
	if l.group != nil {
		visited = l.group.run(l, count)
	} else {
		visited = l.single(count)
	}
	c.Iterations(visited, visited, visited)
}

// single does up to count steps of the pass, row by row, and returns how many it did.
func (l *proxLoop) single(count int) (visited int) {
	for ; visited < count && !l.order.Ended(); visited++ {
		if visited%direct.Ahead == 0 {
			l.steps.Fetch(l.order.Ahead(direct.Ahead, direct.Ahead))
		}
		part := l.step(l.order.Row())
		stays := !(part < l.floor)
		if !stays {
			l.leaving += part
		}
		l.order.Next(stays)
	}
	return visited
}

// step moves row i to its maximum, and returns its part of the gap before.
func (l *proxLoop) step(i uint32) (part float64) {
	part, change := l.maximise(i, l.margin(i, l.steps.Dot(i)))
	if change != 0 {
		l.steps.Add(i, change)
		l.moveIntercept(change)
	}
	return part
}

// margin returns the margin of row i, whose product with w is z.
func (l *proxLoop) margin(i uint32, z float64) float64 {
	if l.intercept != nil {
		z += *l.b
	}
	if l.p.Offset != nil {
		z += l.p.Offset[i]
	}
	return z
}

// maximise moves the dual variable of row i, of margin z, to its maximum. It returns
// the row's part of the gap before, and what times the row is to be added to w.
func (l *proxLoop) maximise(i uint32, z float64) (part, change float64) {
	d := &l.dual[i]
	old := d.A
	part = float64(l.full.dual.Ascend(d, z, l.share) * math.Abs(d.C))
	l.sum += part
	if step := d.A - old; step != 0 && d.C != 0 {
		change = float64(d.C * step)
	}
	return part, change
}

// stray ends the run, or the part of it that is left to dual steps.
func (l *proxLoop) stray(c *run.Control) {
	if l.strayed = true; !l.opens {
		c.End(solvers.Diverged)
	}
}

// restShare is the share of the gap of the rows left out at which passes that leave rows out end.
// There are mostShort such passes at most.
const restShare, mostShort = 0.3, 20

// ends looks back on a pass and certifies the gap where that is due.
func (l *proxLoop) ends(c *run.Control) {
	rest, whole := 0.0, l.whole
	if math.IsNaN(l.sum) || math.IsInf(l.sum, 0) {
		l.stray(c)
		return
	}
	if l.passes > 0 {
		l.lastMean, l.mean = l.mean, float64((l.sum+l.left)*l.p.Ridge())
		if l.shrinks {
			l.floor = passes.LeaveShare * l.sum / float64(len(l.dual))
		}
		l.left += l.leaving
		rest = l.sum
		l.sum, l.leaving = 0, 0
		if whole || l.order.Active() == len(l.dual) {
			l.sinceCertificate++
		}
		l.whole = false
	}
	near := l.near()
	all := near || l.passes == 0 || l.due(rest)
	if l.opens && l.passes > 0 && (all || whole || !l.reports) && !(kernels.SquaredNorm(risk.Held(l.p, l.w)) <= 2*l.mostSquare) {
		l.stray(c)
		return
	}
	if all {
		l.all()
	}
	if !l.reports {
		return
	}
	if l.passes == 0 && !l.given && run.GapAlone(c.Settings()) && l.full.observe == nil {
		c.Reached(nil, l.full.opening(c.Settings().Recorder != nil))
		return
	}
	due := l.passes == 0 || l.sinceCertificate >= refreshEvery || l.settings.GradientTolerance > 0 || l.settings.Validation != nil
	if due || near {
		square := l.full.measure(l.w)
		// Steps that hardly converge any more may stall: that shows in evaluated points.
		if !due && float64(2*l.mean) < l.lastMean && l.full.misses() {
			return
		}
		e := l.full.conclude(l.w, square)
		if sum := e.Objective + e.GradientNorm; l.opens && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
			l.stray(c)
			return
		}
		c.Reached(l.w, e)
		l.sinceCertificate = 0
	}
}

// all makes the next pass take all rows.
func (l *proxLoop) all() {
	l.order.All()
	l.whole, l.left, l.short, l.taken = true, 0, 0, 0
}

// due tells whether it is time for a pass over all rows, after one that met the gap rest.
func (l *proxLoop) due(rest float64) bool {
	n := len(l.dual)
	switch {
	case l.order.Active() == n:
		return l.short >= passes.AllEvery
	case l.taken >= n || l.short >= mostShort:
		return true
	}
	return rest <= float64(restShare*l.left)
}

// near tells whether the gap after a pass is likely to be within the target.
func (l *proxLoop) near() bool {
	target := l.settings.GapTolerance
	if !(target > 0) || l.passes == 0 {
		return false
	}
	// The gap after this pass is about the mean of the next one.
	return float64(l.mean*min(1, l.mean/l.lastMean)) <= target
}

// begins begins a pass.
func (l *proxLoop) begins() {
	l.recentre()
	if l.passes%refreshEvery == 0 && l.passes > 0 {
		l.refresh()
	}
	if l.order.Active() == 0 {
		l.all()
	}
	if active := l.order.Active(); active < len(l.dual) {
		l.taken += active
	}
	if l.draws {
		l.order.Draw(l.random)
	} else {
		l.order.Begin(l.random)
	}
	l.passes++
	l.short++
}

func (l *proxLoop) duals(alpha []float64) {
	labels := l.full.dual.Labels()
	for i := range alpha {
		d := &l.dual[i]
		alpha[i] = float64(direct.Weight(l.p.SampleWeight, i) * d.A)
		if labels {
			alpha[i] *= l.p.Y[i]
		}
	}
}

// drift bounds ||w - w(alpha)||, +Inf where it knows nothing. At 0, and wherever w was computed
// afresh, the two agree but for certificate.Combination; the rounding of at most refreshEvery
// passes of n steps since moves them apart: see Drift. Dual variables lie between 0 and s for
// the logistic loss; for other losses they have no such bound.
func (l *proxLoop) drift(b *certificate.Bounds) float64 {
	if !l.full.dual.Logit() {
		return math.Inf(1)
	}
	steps := (refreshEvery + 1) * len(l.dual)
	if l.group != nil || l.intercept != nil {
		steps += 2 * len(l.dual) // of equalStart or balancedStart
	}
	return b.Drift(float64(steps), stepUnits)
}

// stepUnits is the rounding of a step in units of s ||x||/(lambda n): two of its
// coefficient and the addition, and five of what alpha, as it is certified, makes of it.
const stepUnits = 8

// Current writes the iterate.
func (l *proxLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *proxLoop) State(c *checkpoint.Coder) {
	for i := range l.dual {
		c.Float64(&l.dual[i].A)
		c.Float64(&l.dual[i].U)
	}
	c.Floats(l.w)
	l.order.State(c)
	c.Random(l.random)
	c.Bool(&l.whole)
	c.Bool(&l.given)
	for _, v := range []*int{&l.passes, &l.sinceCertificate, &l.short, &l.taken} {
		c.Count(v, checkpoint.MostCount)
	}
	if l.group != nil {
		l.group.state(c, len(l.dual))
	}
	for _, v := range []*float64{&l.sum, &l.left, &l.leaving, &l.mean, &l.lastMean, &l.floor, &l.mostSquare} {
		c.Float64(v)
	}
}
