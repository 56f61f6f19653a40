package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// smoothed is Kinked.Smooth of a loss: its slopes rise by 1/width where they rise. The kinks are
// parabolas, as of Huber's loss.
type smoothed struct {
	of    lined
	width float64
}

func (l smoothed) String() string { return "smoothed " + l.of.String() }

func (l smoothed) Parameter() float64 { return l.of.Parameter() }

func (l smoothed) Valid() error { return l.of.Valid() }

func (smoothed) Labels() bool { return false }

func (l smoothed) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, math.Inf(-1), "")
}

func (smoothed) Finite(_, _ bool) bool { return true }

func (smoothed) Odds() bool { return false }

func (smoothed) Quadratic() bool { return false }

func (smoothed) Attained() bool { return true }

// at returns value, slope and second derivative of a row.
func (l smoothed) at(z, y float64) (value, slope, bend float64) {
	k := l.of.lines(y)
	far := beyond(z, y, k.dead)
	if slope, bend = far/l.width, 1/l.width; far == 0 {
		return 0, 0, 0
	}
	if slope <= k.low || slope >= k.high {
		slope, bend = max(k.low, min(k.high, slope)), 0
	}
	return float64(slope * (far - float64(0.5*float64(l.width*slope)))), slope, bend
}

func (l smoothed) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		value, slope, _ := l.at(v, y[i])
		weight := direct.Weight(s, i)
		sum += float64(weight * value)
		c[i] = float64(weight * slope)
	}
	return sum
}

func (l smoothed) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		value, _, _ := l.at(v, y[i])
		sum += float64(direct.Weight(s, i) * value)
	}
	return sum
}

func (l smoothed) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	clear(third)
	for i, v := range z {
		_, _, bend := l.at(v, y[i])
		h[i] = float64(direct.Weight(s, i) * bend)
	}
}

func (smoothed) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l smoothed) Slope(z, y float64) float64 {
	_, slope, _ := l.at(z, y)
	return slope
}

func (l smoothed) Peak() float64 { return 1 / l.width }

func (smoothed) Centre(y float64) float64 { return y }

func (l smoothed) Value(r, dr, y float64) (value, err float64) {
	value, slope, _ := l.at(r+y, y)
	return value, float64((math.Abs(slope)+float64(dr/l.width))*dr) + float64(8*direct.Unit*value)
}

func (l smoothed) SlopeError(_, dz, _, size, c, _ float64) float64 {
	return slopeError(size/l.width, dz, size, c)
}

// Reach knows nothing.
func (smoothed) Reach(_, _, _, _, _ float64) (reach, least float64) { return 0, 0 }

// Parabolas: phi is the sum of a loss that rises on the right and one that rises on the left, each
// half of a Huber's loss beside a line.
func (l smoothed) Parabolas(h, z, y, _, _ []float64) {
	for i, v := range z {
		k, r := l.of.lines(y[i]), v-y[i]
		h[i] = min(1/l.width, l.parabola(k.high, r-k.dead)+l.parabola(-k.low, -r-k.dead))
	}
}

// parabola returns the curvature above the side of slopes from 0 to jump that begins at 0.
func (l smoothed) parabola(jump, r float64) float64 {
	half := 0.5 * jump
	far := math.Abs(r - float64(l.width*half))
	if half == 0 {
		return 0
	}
	if far <= float64(l.width*half) {
		return 1 / l.width
	}
	return half / far
}

func (smoothed) Straight() bool { return true }

// Bend adds the second derivatives to the first element, by the slopes.
func (l smoothed) Bend(t Bends, y, c, s []float64) Bends {
	for i, v := range c {
		k, weight := l.of.lines(y[i]), direct.Weight(s, i)
		if v != 0 && v > float64(weight*k.low) && v < float64(weight*k.high) {
			t[0] += weight / l.width
		}
	}
	return t
}

// Shift knows nothing: the second derivatives may end anywhere.
func (smoothed) Shift(_ Bends, _ Rows, _ float64) float64 { return math.Inf(1) }

func (l smoothed) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }
