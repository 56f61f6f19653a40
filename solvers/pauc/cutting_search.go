package pauc

import (
	"github.com/lanes-go/lanes/internal/direct"
)

// tangent is a line that touches R at a point between best, 0, and next, 1.
type tangent struct{ at, value, slope float64 }

// start returns the value of the line at best.
func (v tangent) start() float64 { return v.value - float64(v.slope*v.at) }

// parabola is the regulariser between best and next.
type parabola struct{ value, slope, curvature float64 }

// total returns J at the point of v. slopeAt returns the derivative of the parabola and of v at a
// point. lowest returns the point where this derivative is 0.
func (p parabola) total(v tangent) float64 {
	return p.value + float64(v.at*(p.slope+float64(v.at*(p.curvature/2)))) + v.value
}
func (p parabola) slopeAt(t float64, v tangent) float64 {
	return p.slope + float64(t*p.curvature) + v.slope
}
func (p parabola) lowest(v tangent) float64 { return -(p.slope + v.slope) / p.curvature }

// tangentAt sets coef to the plane that touches R at a point between best and next.
func (l *cutting) tangentAt(t float64) (constant float64, v tangent, err error) {
	direct.ScaleAdd(l.z, 1-t, l.best.scores, t, l.next.scores)
	constant, value, err := l.surrogate(l.z)
	return constant, tangent{t, value, l.slopeOf(l.coef)}, err
}

// slopeOf returns the slope of a plane from best to next.
func (l *cutting) slopeOf(coef []float64) float64 {
	from, to := direct.Dot(coef, l.best.scores), direct.Dot(coef, l.next.scores)
	return to - from
}

// search moves best to the lowest point found on the way to next, and adds the planes at
// next and a little beyond best. It tries the points at which the two neighbouring
// tangents make J least.
func (l *cutting) search() error {
	bb, bn, nn := l.dot(l.best, l.best), l.dot(l.best, l.next), l.dot(l.next, l.next)
	p := parabola{value: float64(l.weight / 2 * bb), slope: float64(l.weight * (bn - bb)), curvature: float64(l.weight * ((bb - bn) - (bn - nn)))}
	left := tangent{0, l.value - p.value, l.slopeOf(l.bestCoef)}
	constant, right, err := l.tangentAt(1)
	if err != nil {
		return err
	}
	if err := l.add(constant); err != nil {
		return err
	}
	found := 0.0
	keep := func(v tangent) {
		if value := p.total(v); value < l.value {
			found, l.value = v.at, value
			copy(l.bestCoef, l.coef)
		}
	}
	keep(right)
	for range tries {
		if !(p.slopeAt(right.at, right) > 0) {
			break
		}
		at := (right.start() - left.start()) / (left.slope - right.slope)
		if p.slopeAt(at, left) >= 0 {
			at = p.lowest(left)
		} else if p.slopeAt(at, right) <= 0 {
			at = p.lowest(right)
		}
		if !(at > left.at && at < right.at) {
			break
		}
		_, v, err := l.tangentAt(at)
		if err != nil {
			return err
		}
		keep(v)
		if p.slopeAt(at, v) < 0 {
			left = v
		} else {
			right = v
		}
	}
	if found > 0 {
		l.best.toward(l.next, found)
	}
	if constant, _, err = l.tangentAt(beyond); err != nil {
		return err
	}
	return l.add(constant)
}
