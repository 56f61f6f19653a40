package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Probit is -log P(y z), for labels -1 and +1, where P is the distribution of a normal variable of mean 0
// and variance 1: the probability of the label +1 is P(z). Its second derivative is from 0 to 1, and falls
// with y z.
type Probit struct{ labelLink }

// probitTurn bounds the size of the third derivative, which is largest at y z = 1.
const probitTurn = 0.3

func (Probit) String() string { return "probit" }

func (l Probit) Check(y []float64) (bad int, err error) { return checkLabels(l, y) }

func (l Probit) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return sumByRows(l, c, z, y, s)
}

func (l Probit) Sum(z, y, s []float64) float64 { return sumByRows(l, nil, z, y, s) }

func (l Probit) Curvature(h, third, z, y, s []float64) { curvatureByRows(l, h, third, z, y, s) }

// at: with r = P'/P and m = y z, the slope is -y r, phi” is r (r + m), and phi”' is y r (1 - (r + m)(2r +
// m)).
func (Probit) at(z, y float64) (value, slope, bend, third float64) {
	m := float64(y * z)
	n := normalAt(m)
	third = float64(y*n.ratio) * (1 - float64(n.rest*(n.ratio+n.rest)))
	return n.minusLog, -float64(y * n.ratio), min(float64(n.ratio*n.rest), 1), third
}

// between: phi” falls with y z, by its share y z + 1 of a small distance.
func (l Probit) between(z, dz, y float64) (least, most float64) {
	_, _, least, _ = l.at(y*(float64(y*z)+dz), y)
	_, _, most, _ = l.at(y*(float64(y*z)-dz), y)
	least, most = widened(least, most)
	return least, min(most, 1)
}

func (l Probit) Start(mean, offset float64, n int) float64 { return startOf(l, mean, n) - offset }

func (l Probit) Slope(z, y float64) float64 {
	_, slope, _, _ := l.at(z, y)
	return slope
}

func (Probit) Peak() float64 { return 1 }

func (l Probit) Value(z, dz, y float64) (value, err float64) { return valueByRow(l, z, dz, y) }

func (l Probit) SlopeError(z, dz, y, size, c, _ float64) float64 {
	_, most := l.between(z, dz, y)
	return slopeError(float64(size*most), dz, size, c)
}

func (l Probit) Reach(z, dz, y, size, h float64) (reach, least float64) {
	return reachByRow(l, z, dz, y, size, h)
}

// Bend adds phi” of the margins that have the slopes.
func (Probit) Bend(t Bends, _, c, s []float64) Bends {
	for i, v := range c {
		if weight := direct.Weight(s, i); weight != 0 && v != 0 {
			t[0] += float64(weight * probitBend(math.Abs(v)/weight))
		}
	}
	return t
}

// probitBend returns phi” where |phi'| = r > 0.
func probitBend(r float64) float64 {
	if m := probitMargin(r); m-m == 0 {
		return min(float64(r*normalAt(m).rest), 1)
	}
	return 0
}

// probitMargin returns m where |phi'| = r > 0, by Newton's method for log r: its slope is -(r + m), and it
// is concave, so that steps lead to m from above, where phi” is less. It is NaN if they do not.
func probitMargin(r float64) float64 {
	log, m := kernels.LogOf(r), 1/r-r
	if r < 0.8 {
		m = math.Sqrt(max(-2*(log+0.9), 0))
	}
	for range 60 {
		n := normalAt(m)
		step := (kernels.LogOf(n.ratio) - log) / n.rest
		if m += step; math.Abs(step) <= 1e-9*(1+math.Abs(m)) {
			return m
		}
	}
	return math.NaN()
}

// Shift: |phi”'| is at most probitTurn.
func (Probit) Shift(t Bends, rows Rows, slope float64) float64 {
	h := t[0]/(Slack*rows.N) - rows.Lost - float64(probitTurn*rows.Moved)
	return turningShift(slope, h, float64(probitTurn*rows.Mass/rows.N))
}

func (l Probit) Most(t Bends, rows Rows, far float64) float64 {
	here := float64(Slack*t[0]/rows.N) + rows.Lost + float64(probitTurn*rows.Moved)
	return min(mostPeak(l, rows), here+float64(float64(probitTurn*far)*(rows.Mass/rows.N)))
}

func (Probit) Probability(z float64) float64 { return normalAt(z).share }

func (l Probit) LogOdds(z float64) float64 { return oddsOf(l, z) }

func (l Probit) Information(h, z, s []float64) { informationOf(l, h, z, s) }

func (l Probit) LogLikelihood(z, y, s []float64, _ Totals) float64 { return -l.Sum(z, y, s) }
