package loss

import "math"

// Hinge is max(0, 1 - y z) for labels -1 and +1: the loss of LIBLINEAR's -s 3 and of support vector
// machines.
type Hinge struct{}

func (Hinge) String() string { return "hinge" }

func (Hinge) Parameter() float64 { return 0 }

func (Hinge) Valid() error { return nil }

func (Hinge) Labels() bool { return true }

func (l Hinge) Check(y []float64) (bad int, err error) { return checkLabels(l, y) }

func (Hinge) Finite(above, others bool) bool { return above && others }

func (Hinge) Odds() bool { return false }

func (Hinge) Quadratic() bool { return false }

func (Hinge) Attained() bool { return true }

// lines: the kink is at the label, and slopes have the sign of -y.
func (Hinge) lines(y float64) lines {
	if y < 0 {
		return lines{high: 1}
	}
	return lines{low: -1}
}

func (Hinge) Jump() float64 { return 1 }

func (l Hinge) Smooth(width float64) Loss { return smoothed{l, width} }

func (l Hinge) Gradient(c, z, y, s []float64) float64 { return gradientOf(l, c, z, y, s) }

func (l Hinge) Sum(z, y, s []float64) float64 { return sumOf(l, z, y, s) }

func (Hinge) Curvature(h, third, z, y, s []float64) { noCurvature(h, third, z, y, s) }

// Start is the best intercept of the squared loss.
func (Hinge) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l Hinge) Slope(z, y float64) float64 { return l.lines(y).slope(z - y) }

func (Hinge) Peak() float64 { return math.Inf(1) }

func (Hinge) Centre(y float64) float64 { return y }

func (l Hinge) Value(r, dr, y float64) (value, err float64) { return valueOf(l, r, dr, y) }

func (l Hinge) SlopeError(z, dz, y, size, c, _ float64) float64 {
	return slopeErrorOf(l, z, dz, y, size, c)
}

// Reach knows nothing: there is no curvature.
func (Hinge) Reach(_, _, _, _, _ float64) (reach, least float64) { return 0, 0 }

func (l Hinge) Part(alpha, z, y, s, _ float64) float64 { return partOf(l, alpha, z, y, s) }

func (l Hinge) Ascend(d *DualRow, z, _ float64) (part float64) {
	if d.C < 0 {
		z = -z
	}
	part = partOf(l, d.A, z, 1, 1)
	l.lines(1).ascend(d, z-1)
	return part
}

func (l Hinge) Warm(d *DualRow, z, y float64) (above float64) {
	return warm(d, -float64(y*l.Slope(z, y)), y)
}

func (Hinge) Logit() bool { return false }

func (l Hinge) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesOf(l, a, y, s)
}
