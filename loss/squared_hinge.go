package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// SquaredHinge is max(0, 1 - y z)^2/2, which is max(0, -y (z-y))^2/2 for labels -1 and +1.
type SquaredHinge struct{}

func (SquaredHinge) String() string { return "squared-hinge" }

func (SquaredHinge) Labels() bool { return true }

func (l SquaredHinge) Check(y []float64) (bad int, err error) { return checkLabels(l, y) }

func (SquaredHinge) Finite(above, others bool) bool { return above && others }

func (SquaredHinge) Odds() bool { return false }

func (SquaredHinge) Parameter() float64 { return 0 }

func (SquaredHinge) Valid() error { return nil }

func (SquaredHinge) Gradient(c, z, y, s []float64) float64 {
	return direct.Value(kernels.LossGradient(kernels.SquaredHinge, c, z, y, s, 0))
}

func (SquaredHinge) Sum(z, y, s []float64) float64 {
	return direct.Value(kernels.LossSum(kernels.SquaredHinge, z, y, s, 0))
}

func (SquaredHinge) Curvature(h, third, z, y, s []float64) {
	direct.Must(kernels.LossCurvature(kernels.SquaredHinge, h, third, z, y, s, 0))
}

func (SquaredHinge) Quadratic() bool { return false }

func (SquaredHinge) Attained() bool { return true }

// Start is the best intercept of the squared loss.
func (SquaredHinge) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (SquaredHinge) Slope(z, y float64) float64 {
	_, slope := kernels.LossAt(kernels.SquaredHinge, z, y, 0)
	return slope
}

func (SquaredHinge) Peak() float64 { return 1 }

func (SquaredHinge) Centre(y float64) float64 { return y }

func (SquaredHinge) Value(r, dr, y float64) (value, err float64) {
	m := -float64(y * r) // 1 - yz
	return quadratic(max(m, 0), max(m+dr, 0), dr)
}

// SlopeError is 0 where the slope is surely 0.
func (SquaredHinge) SlopeError(z, dz, y, size, c, _ float64) float64 {
	if float64(y*z)-1 > doubt(z, dz, y, 1) {
		return 0
	}
	return slopeError(size, dz, size, c)
}

func (SquaredHinge) Reach(z, dz, y, size, _ float64) (reach, least float64) {
	return inside(1-float64(y*z), doubt(z, dz, y, 1), size)
}

// Bend adds weights by the distance of margins from the kink, |c_i|/s_i.
func (SquaredHinge) Bend(t Bends, _, c, s []float64) Bends {
	return bend(t, 1, 0, 1, c, s)
}

func (SquaredHinge) Shift(t Bends, rows Rows, slope float64) float64 {
	return shift(t, 1, rows, slope)
}

func (l SquaredHinge) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (SquaredHinge) ExactWork() int { return residualWork }

func (SquaredHinge) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	if r.Sub(z, y); r.Sign() == y.Sign() {
		r.SetInt64(0)
	}
	return halfSquare(r)
}

func (SquaredHinge) ExactSlope(first, second, z, y *big.Float) {
	second.SetInt64(1)
	first.Sub(z, y) // of labels -1 and +1, y (yz-1)
	if first.Sign() == 0 || first.Sign() == y.Sign() {
		first.SetInt64(0)
		second.SetInt64(0)
	}
}

func (SquaredHinge) ExactSlopeError(second, size, _ *big.Float) { second.Set(size) }

// ExactReach: m <= m^2/2 + 1/2.
func (SquaredHinge) ExactReach(_, _ *big.Float) {}

func (SquaredHinge) Part(alpha, z, y, s, _ float64) float64 {
	a, m := float64(y*(alpha/s)), 1-float64(y*z)
	switch {
	case a < 0:
		return math.Inf(1)
	case m > 0:
		return float64(float64(0.5*s)*(a-m)) * (a - m)
	}
	return float64(float64(s*a) * (float64(0.5*a) - m))
}

func (SquaredHinge) Ascend(d *DualRow, z, _ float64) (part float64) {
	if d.C < 0 {
		z = -z
	}
	slope := d.A + (z - 1) // of the function to be minimised
	if d.A > 0 || slope < 0 {
		part = float64(0.5*slope) * slope
	}
	d.A = max(0, d.A-slope/(1+d.Q))
	return part
}

func (l SquaredHinge) Warm(d *DualRow, z, y float64) (above float64) {
	return warm(d, -float64(y*l.Slope(z, y)), y)
}

func (SquaredHinge) Logit() bool { return false }

func (SquaredHinge) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return halfSquares(a, y, s)
}

// Conjugated: all c_i have the sign of -y_i, so the sum is keep^2/2 ||c||^2 - keep sum |c_i|.
func (SquaredHinge) Conjugated(keep float64, c, y []float64) (sum, absolute float64) {
	half, rest := float64(0.5*kernels.SquaredNorm(c)), -direct.Dot(c, y)
	half, rest = float64(half*float64(keep*keep)), float64(rest*keep)
	return half - rest, half + rest
}

func (SquaredHinge) PassesPeak(_, _, _ float64) bool { return false }

// inside returns the reach of a margin that is distance from a kink, within the quadratic part,
// less the doubt, and the second derivative there.
func inside(distance, doubt, size float64) (reach, least float64) {
	if distance -= doubt; !(distance > 0) {
		return 0, 0
	}
	return distance, size
}

// Within returns how far margins may move at a level of the Bends of a loss with a quadratic and a
// linear part. width is the scale of the quadratic part: 1, or Huber's threshold.
func Within(width float64, level int) float64 { return math.Ldexp(width, -3-5*level) }

// bend is Bend for such a loss. Element k gets the weights of rows by the distance of their margins
// inside the quadratic part: above 2 Within(k), and at most 2 Within(k-1). That distance is
// from + sign |c_i|/s_i, where sign is 1 or -1.
func bend(t Bends, width, from, sign float64, c, s []float64) Bends {
	var least Bends
	for k := range least {
		least[k] = 2 * Within(width, k)
	}
	for i, v := range c {
		weight := direct.Weight(s, i)
		distance := from + float64(sign*(math.Abs(v)/weight))
		for k, far := range least {
			if distance > far {
				t[k] += weight
				break
			}
		}
	}
	return t
}

// shift is Shift for such a loss: the least bound of all levels.
func shift(t Bends, width float64, rows Rows, slope float64) float64 {
	best, sum := math.Inf(1), 0.0
	for k, v := range t {
		sum += v
		far := Within(width, k)
		if h := sum/(Slack*rows.N) - rows.Moved/far; h > 0 && slope <= float64(h*far) {
			best = min(best, slope/h)
		}
	}
	return best
}

// mostPeak is Most by the largest second derivative anywhere.
func mostPeak(l Loss, rows Rows) float64 { return float64(l.Peak() * rows.Mass / rows.N) }
