package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// origin is the point of weights of 0 and the best intercept, where the slopes of points ahead begin.
type origin struct {
	b    float64
	g    []float64 // the gradient of all columns
	mean float64   // the mean loss
}

// estimates tells whether statistics give a certificate: for the squared loss, of columns that are
// not shifted, without offsets.
func (o *objective) estimates() bool {
	return loss.IsSquared(o.p.Loss) && o.p.Offset == nil && o.offsets == nil && o.grouped == nil && o.open == nil
}

// opens tells whether a run begins whose first step statistics can certify: the gap at weights of 0
// need not be known.
func (l *loop) opens() bool {
	return l.checks == 0 && l.exact && l.level == 0 && l.estimates() && l.comprises() && kernels.MaxAbs(l.w[:l.d]) == 0
}

// reached goes to the weights of the part, and ends the run there, if statistics certify them: of all
// columns, after a first step from weights of 0.
func (l *loop) reached(c *run.Control) bool {
	s := l.part
	if !s.exact || s.gram == nil || s.k < l.d || l.known != sloped || !l.estimates() || kernels.MaxAbs(l.w[:l.d]) != 0 {
		return false
	}
	from := &origin{g: slices.Clone(l.g), mean: l.mean}
	if l.p.Intercept {
		from.b = l.w[l.d]
	}
	e := l.estimate(s, from, s.to[len(s.to)-1])
	if !certifies(c, e) {
		copy(l.g, from.g)
		return false
	}
	s.put(l.w)
	copy(l.w[l.d:], s.to[s.k:])
	c.Iterations(1, 0, 0)
	l.known = stale
	c.Reached(l.w, e)
	return true
}

// certifies tells whether an evaluation ends a run by its gap, and none by rows would end it nearer.
func certifies(c *run.Control, e run.Evaluation) bool {
	target := c.Settings().GapTolerance
	p := solvers.Point{Objective: e.Objective, ObjectiveError: e.ObjectiveError, Gap: e.Gap}
	return target > 0 && e.Gap <= target && !p.RoundingShows(target)
}

// leastSquare is the least squared length that a column counts with: products below underflow.
const leastSquare = 0x1p-900

// estimate evaluates the weights of a part and an intercept by its matrix C = X'SX/n of centred
// columns, with no look at the rows, and writes the gradient. The squared loss at weights w and
// their best intercept is
//
//	f(w) = f(0) + w'(q + c)/2, c = q + Cw
//
// of the gradients q at 0 and c at w. Residuals share times as large are a dual point, whose value
// is below the objective by
//
//	(1 - share)^2 f + R(w) + share w'c + R*(-share c)
//
// Rounding: let l_j^2 be sum s_i x_ij^2 / n, and r^2 the same of the residuals at 0. For the unit u of
// rounding, an element of X'SX/n errs by (n + 3) u l_j l_k at most. To be centred it takes three more
// sums like that. The same holds for q with r in the place of l_k. So C and q err by e l_j l_k and e l_j r,
// for e = 4 (n + d + 96) u, and f by e (r + sum |w_j| l_j)^2 / 2.
func (o *objective) estimate(s *part, from *origin, b float64) run.Evaluation {
	size, unit := len(s.slope), float64(4*float64(o.n+o.d+96)*direct.Unit)
	weight, sum := 1.0, 0.0 // the mean weight of rows, and the slope of the intercept at 0
	if o.p.Intercept {
		weight, sum = s.diagonal[size-1], from.g[o.d]
	}
	all := math.Sqrt(2 * from.mean) // r + sum |w_j| l_j
	lengths, w := make([]float64, s.k), s.whole(o.d)
	turned, rise := 0.0, 0.0 // w'c, w'(q + c)/2
	clear(o.g)
	for a, j := range s.list {
		square, q, by := s.diagonal[a]-o.square(int(j)), from.g[j], s.to[a]
		if o.p.Intercept {
			mean := s.means[a]
			square += float64(float64(mean*mean) * weight)
			q -= float64(mean * sum)
		}
		lengths[a] = math.Sqrt(max(square, leastSquare)) * (1 + unit)
		o.g[j] = q + direct.Dot(s.gram[a*size:][:s.k], s.to[:s.k])
		c := o.g[j] - o.pull(int(j), by)
		all = math.FMA(math.Abs(by), lengths[a], all)
		turned = math.FMA(by, c, turned)
		rise = math.FMA(float64(0.5*by), q+c, rise)
	}
	o.setViolations(w)
	mean, penalty := max(from.mean-float64(float64(0.5*sum*sum)/weight)+rise, 0), o.rules.Value(w)
	// tilt bounds the slope of the intercept, which is not 0 because b and the means are rounded.
	tilt := float64(float64(unit*math.Sqrt(weight))*all) + float64(float64(unit*weight)*(math.Abs(b)+math.Abs(from.b)))
	e := run.Evaluation{Objective: mean + penalty, GradientNorm: direct.Norm(o.v)}
	u, most := o.point[:o.d], o.point[o.d:]
	clear(most)
	for a, j := range s.list {
		u[j] = o.pull(int(j), w[j]) - o.g[j]
		off := float64(float64(unit*lengths[a]) * all)
		most[j] = math.Abs(u[j]) + off
		e.GradientError = math.FMA(off, off, e.GradientError)
	}
	e.GradientError = math.Sqrt(e.GradientError) + tilt
	value, share, shared := o.support(u, most)
	rounding := float64(float64(o.d+16) * 2 * direct.Unit)
	e.ObjectiveError = float64(0.5*unit*float64(all*all)) + float64(rounding*penalty) + float64(float64(direct.Tiny*float64(o.d))*o.heaviest())
	e.ObjectiveError += float64(tilt*tilt) / weight
	rest := 1 - share
	e.Gap = min(float64(float64(rest*rest)*mean)+penalty+float64(share*turned)+shared, penalty+turned+max(float64(value*(1+rounding)), float64(value*(1-rounding))))
	e.Gap = max(e.Gap, 0) + float64(3*e.ObjectiveError)
	return e
}

// whole returns the weights of a part among d of all columns.
func (s *part) whole(d int) []float64 {
	w := make([]float64, d)
	s.put(w)
	return w
}

// put writes the weights of a part among those of all columns.
func (s *part) put(w []float64) {
	for a, j := range s.list {
		w[j] = s.to[a]
	}
}
