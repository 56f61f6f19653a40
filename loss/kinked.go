package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Kinked is a Loss of straight lines: the largest of u (z - y) - dead |u| over the slopes u of a row,
// with dead of 0 or more. It has no second derivative, and Peak is +Inf.
type Kinked interface {
	Dual
	// Jump returns the largest slope of a row less its least one. No slope is larger than that.
	Jump() float64
	// Smooth returns the largest of u z - phi*(u) - (width/2) u^2 over u, a loss of targets. At the
	// targets y - width c it is, but for a constant, the largest of u z - phi*(u) - (width/2) (u - c)^2.
	// Its slopes are slopes of the loss at one margin or another.
	Smooth(width float64) Loss
}

// KinkedOf returns a loss as a Kinked, nil if it has second derivatives.
func KinkedOf(l Loss) Kinked {
	k, _ := l.(Kinked)
	return k
}

// lines are the slopes of a row: low, 0 or less, below -dead, 0 or high, 0 or more, above dead.
type lines struct{ low, high, dead float64 }

// lined is a loss of lines.
type lined interface {
	Kinked
	lines(y float64) lines
}

// beyond returns how far z is from y, less e: 0 within e. What the first difference lost is added
// again, so that the result is good near the kinks too.
func beyond(z, y, e float64) float64 {
	r := z - y
	if e == 0 {
		return r
	}
	back := z - r
	lost := (z - (r + back)) + (back - y)
	if lost-lost != 0 {
		lost = 0 // beyond float64
	}
	return max((r-e)+lost, 0) + min((r+e)+lost, 0)
}

// slope returns the slope at a residual beyond the dead zone.
func (k lines) slope(beyond float64) float64 {
	switch {
	case beyond > 0:
		return k.high
	case beyond < 0:
		return k.low
	}
	return 0
}

// gradientOf is Gradient.
func gradientOf(l lined, c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		k, weight := l.lines(y[i]), direct.Weight(s, i)
		far := beyond(v, y[i], k.dead)
		slope := k.slope(far)
		if c[i] = 0; slope != 0 {
			sum += float64(weight * float64(slope*far))
			c[i] = float64(weight * slope)
		}
	}
	return sum
}

// sumOf is Sum.
func sumOf(l lined, z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		k := l.lines(y[i])
		if far := beyond(v, y[i], k.dead); far != 0 {
			sum += float64(direct.Weight(s, i) * float64(k.slope(far)*far))
		}
	}
	return sum
}

// noCurvature is Curvature.
func noCurvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	clear(h)
	clear(third)
}

// valueOf is Value: phi changes by the largest slope within dr times dr at most.
func valueOf(l lined, r, dr, y float64) (value, err float64) {
	k := l.lines(y)
	if far := beyond(r, 0, k.dead); far != 0 {
		value = float64(k.slope(far) * far)
	}
	most, near := 0.0, dr+float64(4*direct.Unit*(math.Abs(r)+k.dead))
	if r+near > k.dead {
		most = k.high
	}
	if r-near < -k.dead {
		most = max(most, -k.low)
	}
	return value, float64(most*dr) + float64(4*direct.Unit*value)
}

// slopeErrorOf is SlopeError: 0 but for a product where no kink is near, else the whole jump.
func slopeErrorOf(l lined, z, dz, y, size, c float64) float64 {
	k := l.lines(y)
	if math.Abs(math.Abs(z-y)-k.dead) > doubt(z, dz, y, k.dead) {
		return slopeError(0, 0, size, c)
	}
	return slopeError(float64(size*l.Jump()), 1, size, c)
}

// partOf is Part. u = -alpha/s may be beyond the slopes by a few units, from the product with s.
func partOf(l lined, alpha, z, y, s float64) float64 {
	k, u := l.lines(y), -(alpha / s)
	within := max(k.low, min(k.high, u))
	if !(math.Abs(u-within) <= float64(4*direct.Unit*math.Abs(u))) {
		return math.Inf(1)
	}
	far := beyond(z, y, k.dead)
	twice := float64(2 * k.dead * math.Abs(within))
	switch {
	case far > 0 && within >= 0:
		return float64(s * float64((k.high-within)*far))
	case far > 0:
		return float64(s * (float64((k.high-within)*far) + twice))
	case far < 0 && within <= 0:
		return float64(s * float64((k.low-within)*far))
	case far < 0:
		return float64(s * (float64((k.low-within)*far) + twice))
	}
	r := z - y
	if within < 0 {
		r = -r
	}
	return float64(s * float64(math.Abs(within)*max(k.dead-r, 0)))
}

// ascend is Ascend for a row with slopes of k at a residual r, and u = -A. Beyond the dead zone the
// best u would be the residual without the row's own part, over q.
func (k lines) ascend(d *DualRow, r float64) {
	u := float64(-d.A)
	alone := r + float64(d.Q*u)
	far := beyond(alone, 0, k.dead)
	switch {
	case far == 0 && (d.Q > 0 || k.dead > 0 && math.Abs(alone) < k.dead):
		u = 0
	case far != 0:
		u = max(k.low, min(k.high, far/d.Q))
	}
	d.A = -u
}

// conjugatesOf is Conjugates: phi*(-a) is dead |a| - a y.
func conjugatesOf(l lined, a, y, s []float64) (sum, absolute float64) {
	for i, v := range a {
		s, own := direct.Weight(s, i), float64(l.lines(y[i]).dead*math.Abs(v))
		sum += float64(s * math.FMA(-v, y[i], own))
		absolute += float64(s*own) + math.Abs(float64(s*v)*y[i])
	}
	return sum, absolute
}
