package loss

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// DualRow is what a dual step needs of a row, in half a cache line.
type DualRow struct {
	// A is the dual variable for s = 1 and y = 1: alpha = s y A for the losses with
	// labels, s A for the others.
	A float64
	// U is log(A/(1-A)) for the logistic loss, where A > 0; the target y for the
	// losses without labels.
	U float64
	Q float64 // s ||x||^2/(lambda n)
	C float64 // s y/(lambda n), or s/(lambda n)
}

const (
	// StepShare is the share of the first residual that a step may leave.
	StepShare = 0.1
	// longRow: above this q a step also needs a residual below 1. On short rows that only costs
	// passes.
	longRow = 1e6
	// Saturated is the logit from which 1-a is taken from u: a has too few digits left.
	Saturated = 32
	// plainSteps is the number of Newton steps after which every other one halves the bracket.
	plainSteps = 30
)

// Before is the part of the gap of a row that has not been moved yet.
func (d *DualRow) Before(m float64) float64 {
	if d.A > 0 {
		return d.Divergence(m)
	}
	return math.Ln2 // of alpha = 0
}

// mirror returns the row with 1-a in place of a.
func (d *DualRow) mirror() DualRow {
	return DualRow{A: kernels.SigmoidOf(-d.U), U: -d.U, Q: d.Q}
}

// Divergence returns the row's part of the gap at a margin m = y z, up to a factor of e: the
// Kullback-Leibler divergence between a and sigma(-m).
func (d *DualRow) Divergence(m float64) float64 {
	if d.U > Saturated {
		mirrored := d.mirror()
		return mirrored.Divergence(-m)
	}
	g := d.U + m
	switch {
	case math.Abs(g) <= 1:
		return float64(float64(0.5*d.A)*(1-d.A)) * float64(g*g)
	case g < -Saturated:
		// exp(-g) may overflow.
		return max(0, float64(d.A*g)+(softplus(-m)-softplus(d.U)))
	}
	// log(1+exp(-m)) - log(1+exp(u)) = log(1 - a + a exp(-g))
	return max(0, float64(d.A*g)+kernels.Log1pOf(float64(d.A*(kernels.ExpOf(-g)-1))))
}

// softplus returns log(1+exp(x)).
func softplus(x float64) float64 {
	value, _ := kernels.LossAt(kernels.Logistic, -x, 1, 0)
	return value
}

// Solve moves a and u to the maximum over a row of margin m = y z, but for a share of the
// residual before.
func (d *DualRow) Solve(m, share float64) {
	if d.U > Saturated {
		mirrored := d.mirror()
		mirrored.Solve(-m, share)
		d.U = -mirrored.U
		d.A = kernels.SigmoidOf(d.U)
		return
	}
	var s Search
	s.Begin(d, m)
	for {
		d.A, d.U = kernels.SigmoidOf(s.U), s.U
		if s.Ends(d.A, share) {
			return
		}
	}
}

// Search finds the maximum over a row of margin m = y z: with the logit u of the new a,
//
//	u + m + q (sigma(u) - a) = 0
//
// whose left side grows at least as fast as u.
type Search struct {
	m, q, old float64
	low, high float64
	U         float64 // the logit to look at next
	first     float64 // residual, +Inf where it is not known
	steps     int
}

// Begin begins at a row whose u is not saturated.
func (s *Search) Begin(d *DualRow, m float64) {
	old := d.A
	s.m, s.q, s.old, s.steps = m, d.Q, old, 0
	s.low, s.high = -m-float64(d.Q*(1-old)), -m+float64(d.Q*old)
	u := -(m + float64(0.5*d.Q)) / (1 + float64(0.25*d.Q))
	s.first = math.Inf(1)
	if old > 0 {
		s.first = d.U + m
		u = d.U - s.first/(1+float64(d.Q*float64(old*(1-old))))
	}
	s.U = max(s.low, min(s.high, u))
}

// Ends takes a = sigma(u) and tells whether the search ends there; otherwise it moves u on. The
// search ends once the residual is within a share of the first one. On long rows the residual
// must also be at most 1: their first residual is unbounded, and steps would overshoot.
func (s *Search) Ends(a, share float64) bool {
	u := s.U
	g := u + s.m + float64(s.q*(a-s.old))
	if math.IsInf(s.first, 0) {
		s.first = g // a smaller share leaves more passes to do
	}
	noise := float64(1e-15 * (math.Abs(u) + math.Abs(s.m)))
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
		next = float64(0.5*s.low) + float64(0.5*s.high)
	}
	if s.steps >= plainSteps && s.steps%2 == 0 {
		next = halfway(s.low, s.high)
	}
	if s.steps++; next == u || s.steps == plainSteps+2*64 {
		return true // no number is nearer: 64 halvings end at neighbours
	}
	s.U = next
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
