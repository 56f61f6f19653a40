package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// objective evaluates P, its gradient and the dual.
type objective struct {
	p        *Problem
	phi      loss.Conjugate
	x        direct.Matrix
	distant  *distant // all columns, where x has some of them alone; else nil
	offsets  *offsets // that users' columns have and x has not
	n, d     int      // rows, penalised weights
	rules    penalty.Rules
	single   penalty.Columns  // the rules of single columns, nil for groups
	grouped  penalty.Grouped  // the rules of groups, nil for single columns
	lambda   float64          // of the squared norm in the penalty
	factors  []float64        // of the norm and the squares of each weight, nil for ones
	ridges   []float64        // lambda times these, nil without
	open     *openColumns     // without a penalty and a bound on a side, nil without
	confined penalty.Confined // the rules of single columns with bounds, nil for others
	smooth   bool             // the penalty is a squared norm alone
	steep    bool             // the loss is loss.Steep

	z     []float64    // margins
	base  []float64    // the same without the intercept, as margins has them
	coef  []float64    // s_i phi'(z_i)
	g     []float64    // (1/n) X'coef + lambda w: the gradient without the rest of the penalty
	v     []float64    // violations of the weights, of which g holds the slopes
	point []float64    // X'(s a)/n of a dual point, and bounds of its elements' sizes
	work  []float64    // n numbers
	more  []float64    // n numbers
	steps [3][]float64 // n numbers each, for the one loop that runs
	mean  float64      // the mean loss at the slopes

	losses *risk.Losses

	bounds  *certificate.Bounds
	columns []float64         // ||x_j|| of every column, where known
	squares []float64         // the same for ||x_j||^2
	copied  *matrix.ByColumns // of X, where it was needed
	copies  *copyOnce         // where others have the same, or nil
	entries []int64           // of the columns, where margins may be sums over columns
}

// newObjective poses a problem, centred where that helps.
func newObjective(p *Problem, pool *matrix.Pool) *objective {
	list, offsets := centred([]*Problem{p})
	return offsets.objective(list[0], pool)
}

// objective poses a problem that lacks these offsets.
func (m *offsets) objective(p *Problem, pool *matrix.Pool) *objective {
	o := poseObjective(p, pool)
	o.offsets = m
	o.g, o.v, o.point = make([]float64, o.x.Cols()), make([]float64, o.x.Cols()), make([]float64, 2*o.d)
	for _, v := range o.vectors() {
		*v = make([]float64, o.n)
	}
	return o
}

// poseObjective is newObjective but for the vectors.
func poseObjective(p *Problem, pool *matrix.Pool) *objective {
	n := p.X.Rows()
	o := &objective{p: p, phi: direct.Value(loss.ConjugateOf(p.Loss)), x: direct.Matrix{Matrix: p.X, Pool: pool}, n: n, d: penalised(p), losses: risk.NewLosses(p, pool)}
	_, o.steep = p.Loss.(loss.Steep)
	o.penalise()
	o.bounds = o.newBounds(false)
	return o
}

// penalise takes over the penalty of the problem.
func (o *objective) penalise() {
	o.rules, o.lambda = direct.Value(penalty.RulesOf(o.p.Penalty)), o.p.Ridge()
	o.smooth = smooth(o.p)
	o.confine()
	o.weighUnevenly()
	o.grouped = nil
	if o.single, _ = o.rules.(penalty.Columns); o.single == nil {
		o.grouped = o.rules.(penalty.Grouped)
	}
}

func (o *objective) vectors() []*[]float64 {
	return []*[]float64{&o.z, &o.base, &o.coef, &o.work, &o.more}
}

// of is the objective of a problem of as many rows at most, in the same vectors.
func (o *objective) of(p *Problem) *objective {
	q := poseObjective(p, o.x.Pool)
	q.g, q.v, q.point = o.g, o.v, o.point
	for k, v := range q.vectors() {
		*v = (*o.vectors()[k])[:q.n]
	}
	return q
}

// newBounds returns the bounds of rounding, for margins that are sequential sums or not.
func (o *objective) newBounds(sequential bool) *certificate.Bounds {
	p := *o.p
	p.Penalty = nil
	return certificate.New(certificate.Problem{Problem: p, Pool: o.x.Pool, Sequential: sequential})
}

// slopes computes coef at margins z and returns the mean loss there.
func (o *objective) slopes(z []float64) float64 {
	o.mean = o.losses.Slopes(o.coef, z)
	return o.mean
}

// gradient computes g from coef.
func (o *objective) gradient(w []float64) {
	clear(o.g)
	o.addTrans(o.g)
	o.scaleGradient(w)
}

// addTrans adds X'coef to g, which is 0, of all columns.
func (o *objective) addTrans(g []float64) {
	if o.distant != nil {
		o.distant.addTrans(g, o.coef)
		return
	}
	o.x.AddTrans(g, o.coef)
}

// scaleGradient makes the gradient of X'coef.
func (o *objective) scaleGradient(w []float64) {
	direct.Scale(o.g, 1/float64(o.n), o.g)
	o.addRidge(o.g, w)
}

// penalty is the penalty of w.
func (o *objective) penalty(w []float64) float64 { return o.rules.Value(w[:o.d]) }

// ridge is what a squared norm counts, which may be above all numbers where lambda is 0.
func (o *objective) ridge(square float64) float64 {
	if o.lambda == 0 {
		return 0
	}
	return float64(0.5 * o.lambda * square)
}

// balanced is the share of the slopes' sizes that their sum may be for the intercept to be the
// best one.
const balanced = 0x1p-32

// margins computes X w without the intercept, in a way that depends on w alone: over the
// columns with a weight where they have few entries.
func (o *objective) margins(to, w []float64) {
	o.products(to, w)
	if o.p.Offset != nil {
		direct.Axpy(1, o.p.Offset, to)
	}
}

// passes tells whether pass can do the work of margins and gradient.
func (o *objective) passes() bool {
	return o.entries == nil && (o.p.Intercept || o.x.Bias() == 0)
}

// pass computes margins of w, slopes there and X'coef, in one sweep over the rows.
func (o *objective) pass(w []float64) {
	b := 0.0
	if o.p.Intercept {
		b = w[o.d]
	}
	clear(o.g)
	direct.Must(matrix.AddSlopes(o.x.Matrix, o.x.Pool, o.g, o.base, o.coef, w, func(first, end int) {
		if o.p.Offset != nil {
			direct.Axpy(1, o.p.Offset[first:end], o.base[first:end])
		}
		direct.AddScalar(o.z[first:end], b, o.base[first:end])
		o.p.Loss.Gradient(o.coef[first:end], o.z[first:end], o.p.Y[first:end], direct.Weights(o.p.SampleWeight, first, end))
	}))
}

// products is margins without the offsets.
func (o *objective) products(to, w []float64) {
	if o.distant != nil {
		o.distant.products(to, w)
		return
	}
	x := direct.Matrix{Matrix: features(o.p), Pool: o.x.Pool}
	var list []uint32
	var by []float64
	entries := int64(0)
	for j, length := range o.entries {
		if v := w[j]; v != 0 {
			entries += length
			list, by = append(list, uint32(j)), append(by, v)
		}
	}
	if o.entries == nil || 4*entries >= x.NNZ() {
		x.MulVec(to, w[:o.d])
		return
	}
	start := 0.0
	if x.Bias() != 0 {
		start = float64(x.Bias() * w[len(o.entries)])
	}
	for i := range to {
		to[i] = start
	}
	direct.Must(o.byColumns().AddColumns(to, list, by))
}

// shift adds the intercept of w to the margins in base.
func (o *objective) shift(w []float64) {
	b := 0.0
	if o.p.Intercept {
		b = w[o.d]
	}
	direct.AddScalar(o.z, b, o.base)
}

// place computes the margins of w, and the slopes there.
func (o *objective) place(w []float64) {
	o.margins(o.base, w)
	o.shift(w)
	o.slopes(o.z)
}

// recentre moves the intercept to its best place, as near as a gap needs it, and tells whether
// it moved. The margins and slopes belong to w before and after the call.
func (o *objective) recentre(w []float64, target float64) bool {
	if !o.p.Intercept {
		return false
	}
	b := o.centre(w[o.d], max(1e-15, min(balanced, float64(0.01*target/o.mean))))
	moved := b != w[o.d]
	w[o.d] = b
	return moved
}

// centre returns the best intercept, and moves margins and slopes there. It takes Newton's method
// within the interval where the slope changes sign. It ends when the sum of the slopes is at most
// limit times the sum of their absolute values. Margins and slopes belong to b at first. Of a steep loss
// a step past the best intercept takes as many steps back as it is long.
func (o *objective) centre(b, limit float64) float64 {
	const steps = 60
	low, high, reach, far := math.Inf(-1), math.Inf(1), 1.0, 64.0
	if o.steep {
		far = 1
	}
	for range steps {
		slope := kernels.Sum(o.coef)
		if math.Abs(slope) <= float64(limit*absoluteSum(o.coef)) {
			break
		}
		o.p.Loss.Curvature(o.work, o.more, o.z, o.p.Y, o.p.SampleWeight)
		next := b - slope/kernels.Sum(o.work)
		if next == b && o.steep {
			break // of other losses the interval may be halved further, which their bits depend on
		}
		if slope > 0 {
			high = b
		} else {
			low = b
		}
		switch inside := next > low && next < high && math.Abs(next-b) <= float64(far*reach); {
		case inside:
		case math.IsInf(low, 0):
			next, reach = b-reach, 2*reach
		case math.IsInf(high, 0):
			next, reach = b+reach, 2*reach
		default:
			next = low + float64(0.5*(high-low))
		}
		if next == b || next <= low || next >= high {
			break
		}
		b = next
		direct.AddScalar(o.z, b, o.base)
		o.slopes(o.z)
	}
	return b
}

func absoluteSum(v []float64) float64 {
	var a, b, c, d float64 // four sums, as each addition waits for the one before
	for ; len(v) >= 4; v = v[4:] {
		a += math.Abs(v[0])
		b += math.Abs(v[1])
		c += math.Abs(v[2])
		d += math.Abs(v[3])
	}
	for _, x := range v {
		a += math.Abs(x)
	}
	return (a + b) + (c + d)
}

// evaluate is run.Run.Evaluate.
func (o *objective) evaluate(w []float64) run.Evaluation {
	w = o.offsets.inward(w)
	o.place(w)
	return o.here(w)
}

// here evaluates w where its margins are in z and its slopes in coef.
func (o *objective) here(w []float64) run.Evaluation {
	o.gradient(w)
	return o.judged(w)
}

// judged is here where the gradient is in g. Users get w with an intercept that differs by e,
// from rounding: by Taylor |dP| <= |e| |sum s_i phi'| / n + e^2 sum s_i / n, as phi” <= 2. Of a steep
// loss the mean of phi” replaces that of s_i, which grows by less than twice where e is below 1/2.
func (o *objective) judged(w []float64) run.Evaluation {
	mean, penalty := o.mean, o.penalty(w)
	o.setViolations(w)
	e := run.Evaluation{Objective: mean + penalty, GradientNorm: direct.Norm(o.v)}
	slopes := direct.Norm(o.coef)
	var value float64
	e.GradientError, value = o.bounds.Rounding(slopes, direct.Norm(w), direct.Norm(o.g)+e.GradientNorm, mean)
	if value > float64(0x1p-40*math.Abs(e.Objective)) {
		spread := 0.0
		lengths := o.lengths()
		for j, x := range w {
			if x != 0 {
				spread = math.FMA(lengths[j], math.Abs(x), spread)
			}
		}
		if o.p.Offset != nil { // one more column, whose weight is 1
			spread += float64(direct.Norm(o.p.Offset) * (1 + float64(float64(o.n)*direct.Unit)))
		}
		value = min(value, o.bounds.ByColumns(slopes, float64(spread*(1+float64(float64(len(w)+2)*direct.Unit))), mean))
	}
	e.ObjectiveError = value + float64(float64(o.d+16)*2*direct.Unit*penalty) + float64(float64(direct.Tiny*float64(o.d))*o.heaviest())
	if by := o.offsets.rounding(w); by != 0 {
		weight, slope := 1.0, math.Abs(kernels.Sum(o.coef))+float64(float64(o.n)*direct.Unit*absoluteSum(o.coef))
		if o.p.SampleWeight != nil {
			weight = kernels.Sum(o.p.SampleWeight) / float64(o.n)
		}
		if o.steep {
			weight = math.Inf(1)
			if by <= 0.5 {
				weight = o.bounds.Bend(slopes, direct.Norm(w))
			}
		}
		e.ObjectiveError += float64(1.01 * by * (slope/float64(o.n) + float64(by*weight)))
	}
	e.Gap = math.NaN()
	if lower := o.dual(w, slopes); !math.IsNaN(lower) {
		e.Gap = max(e.Objective+e.ObjectiveError-lower, 0)
	}
	return e
}

// settle is run.Run.Settle for a problem.
func settle(p *Problem) func([]float64, run.Evaluation) run.Evaluation {
	return func(w []float64, e run.Evaluation) run.Evaluation { return compensated(p, w, e, true) }
}

// compensated puts P(w) by compensated sums into an evaluation. The gap follows if it is from
// the value there.
func compensated(p *Problem, w []float64, e run.Evaluation, fromValue bool) run.Evaluation {
	q := certificate.Problem{Problem: *p}
	q.Objective(&e, w, fromValue)
	return e
}

// setViolations computes v from g.
func (o *objective) setViolations(w []float64) {
	o.rules.Violations(o.v[:o.d], o.g[:o.d], w[:o.d])
	copy(o.v[o.d:], o.g[o.d:])
}

// atZero returns P(0), whatever the vectors hold.
func (o *objective) atZero() float64 { return o.losses.At(nil) }
