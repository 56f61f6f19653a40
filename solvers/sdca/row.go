package sdca

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

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

const (
	// stepShare is the share of the first residual that a step may leave.
	stepShare = 0.1
	// longRow: above this q a step also needs a residual below 1. On short rows that only costs
	// passes.
	longRow = 1e6
	// saturated is the logit from which 1-a is taken from u: a has too few digits left.
	saturated = 32
	// plainSteps is the number of Newton steps after which every other one halves the bracket.
	plainSteps = 30
)

// maximise moves the row to the maximum of the dual over its variable, given the product z of the
// row with w. It returns the row's part of the gap before the step, up to second order and times
// lambda n/s. delta is Huber's threshold.
func (d *dualRow) maximise(loss kernels.Loss, z, delta, share float64) (part float64) {
	switch loss {
	case kernels.Logistic:
		if d.c < 0 {
			z = -z
		}
		return d.logistic(z, share)
	case kernels.Squared:
		kappa := d.a + (z - d.u)
		d.a -= kappa / (1 + d.q)
		return float64(float64(0.5*kappa) * kappa)
	case kernels.Huber:
		z -= d.u
		kappa := d.a + max(-delta, min(delta, z))
		d.a = max(-delta, min(delta, d.a-(z+d.a)/(1+d.q)))
		return float64(0.5*kappa) * kappa
	}
	if d.c < 0 {
		z = -z
	}
	slope := d.a + (z - 1) // of the function to be minimised
	if d.a > 0 || slope < 0 {
		part = float64(0.5*slope) * slope
	}
	d.a = max(0, d.a-slope/(1+d.q))
	return part
}

// logistic is maximise for the logistic loss and a margin m = y z.
func (d *dualRow) logistic(m, share float64) (part float64) {
	part = d.before(m)
	d.solve(m, share)
	return part
}

// before is the part of the gap of a row that has not been moved yet.
func (d *dualRow) before(m float64) float64 {
	if d.a > 0 {
		return d.divergence(m)
	}
	return math.Ln2 // of alpha = 0
}

// mirror returns the row with 1-a in place of a.
func (d *dualRow) mirror() dualRow {
	return dualRow{a: kernels.SigmoidOf(-d.u), u: -d.u, q: d.q}
}

// divergence returns the row's part of the gap at a margin m = y z, up to a factor of e: the
// Kullback-Leibler divergence between a and sigma(-m).
func (d *dualRow) divergence(m float64) float64 {
	if d.u > saturated {
		mirrored := d.mirror()
		return mirrored.divergence(-m)
	}
	g := d.u + m
	switch {
	case math.Abs(g) <= 1:
		return float64(float64(0.5*d.a)*(1-d.a)) * float64(g*g)
	case g < -saturated:
		// exp(-g) may overflow.
		return max(0, float64(d.a*g)+(softplus(-m)-softplus(d.u)))
	}
	// log(1+exp(-m)) - log(1+exp(u)) = log(1 - a + a exp(-g))
	return max(0, float64(d.a*g)+kernels.Log1pOf(float64(d.a*(kernels.ExpOf(-g)-1))))
}

// softplus returns log(1+exp(x)).
func softplus(x float64) float64 {
	value, _ := kernels.LossAt(kernels.Logistic, -x, 1, 0)
	return value
}

// solve moves a and u to the maximum over a row of margin m = y z, but for a share of the
// residual before.
func (d *dualRow) solve(m, share float64) {
	if d.u > saturated {
		mirrored := d.mirror()
		mirrored.solve(-m, share)
		d.u = -mirrored.u
		d.a = kernels.SigmoidOf(d.u)
		return
	}
	var s search
	s.begin(d, m)
	for {
		d.a, d.u = kernels.SigmoidOf(s.u), s.u
		if s.ends(d.a, share) {
			return
		}
	}
}

// search finds the maximum over a row of margin m = y z: with the logit u of the new a,
//
//	u + m + q (sigma(u) - a) = 0
//
// whose left side grows at least as fast as u.
type search struct {
	m, q, old    float64
	low, high, u float64
	first        float64 // residual, +Inf where it is not known
	steps        int
}

// begin begins at a row whose u is not saturated.
func (s *search) begin(d *dualRow, m float64) {
	old := d.a
	s.m, s.q, s.old, s.steps = m, d.q, old, 0
	s.low, s.high = -m-float64(d.q*(1-old)), -m+float64(d.q*old)
	u := -(m + 0.5*d.q) / (1 + 0.25*d.q)
	s.first = math.Inf(1)
	if old > 0 {
		s.first = d.u + m
		u = d.u - s.first/(1+float64(d.q*float64(old*(1-old))))
	}
	s.u = max(s.low, min(s.high, u))
}

// ends takes a = sigma(u) and tells whether the search ends there; otherwise it moves u on. The
// search ends once the residual is within a share of the first one. On long rows the residual
// must also be at most 1: their first residual is unbounded, and steps would overshoot.
func (s *search) ends(a, share float64) bool {
	u := s.u
	g := u + s.m + float64(s.q*(a-s.old))
	if math.IsInf(s.first, 0) {
		s.first = g // a smaller share leaves more passes to do
	}
	noise := 1e-15 * (math.Abs(u) + math.Abs(s.m))
	if math.Abs(g) <= max(share*math.Abs(s.first), noise) &&
		(s.q < longRow || math.Abs(g) <= max(1, noise+float64(1e-15*float64(s.q*max(a, s.old))))) {
		return true
	}
	if g > 0 {
		s.high = u
	} else {
		s.low = u
	}
	next := u - g/(1+float64(s.q*float64(a*(1-a))))
	if !(next > s.low && next < s.high) {
		next = 0.5*s.low + 0.5*s.high
	}
	if s.steps >= plainSteps && s.steps%2 == 0 {
		next = halfway(s.low, s.high)
	}
	if s.steps++; next == u || s.steps == plainSteps+2*64 {
		return true // no number is nearer: 64 halvings end at neighbours
	}
	s.u = next
	return false
}

// halfway returns the number with as many float64s between it and low as between it
// and high.
func halfway(low, high float64) float64 {
	place := func(x float64) int64 {
		k := int64(math.Float64bits(x))
		if k < 0 {
			k = math.MinInt64 - k
		}
		return k
	}
	a, b := place(low), place(high)
	k := a>>1 + b>>1 + a&b&1
	if k < 0 {
		k = math.MinInt64 - k
	}
	return math.Float64frombits(uint64(k))
}
