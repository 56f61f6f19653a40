package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Cloglog is the loss of labels -1 and +1 with the complementary log-log link: exp(z) for the label -1, and
// -log(1 - exp(-exp(z))) for the label +1, whose probability is 1 - exp(-exp(z)): a Poisson variable of the
// mean exp(z) is above 0 with this probability.
type Cloglog struct{ labelLink }

// Of the label +1, cloglogTurn bounds the size of the third derivative, which is largest at exp(z) = 4.2,
// and cloglogPeak the second one, which rises to exp(z) = 1.86 and falls beyond.
const cloglogTurn, cloglogPeak = 0.4261, 0.4126

// mostRate is where exp(-v) is 0.
const mostRate = 746

func (Cloglog) String() string { return "cloglog" }

func (l Cloglog) Check(y []float64) (bad int, err error) { return checkLabels(l, y) }

func (l Cloglog) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return sumByRows(l, c, z, y, s)
}

func (l Cloglog) Sum(z, y, s []float64) float64 { return sumByRows(l, nil, z, y, s) }

func (l Cloglog) Curvature(h, third, z, y, s []float64) { curvatureByRows(l, h, third, z, y, s) }

// at: with v = exp(z) and g = v/(exp(v) - 1), of the label +1 the slope is -g, phi” is g k with k = g + v -
// 1, and phi”' is phi” (v/k - 2g - v + 1). All is 0 where exp(-v) is.
func (Cloglog) at(z, y float64) (value, slope, bend, third float64) {
	v := kernels.ExpOf(z)
	switch {
	case y < 0:
		return v, v, v, v
	case !(v <= math.Ln2):
		if v > mostRate {
			return 0, 0, 0, 0
		}
		e := kernels.ExpOf(v)
		g := v / (e - 1)
		k := g + (v - 1)
		bend = float64(g * k)
		return -kernels.Log1pOf(-1 / e), -g, bend, float64(bend * (v/k - (2*g + (v - 1))))
	}
	first, second := exponentials(v)
	g, k := 1/first, float64(v*second)/first
	bend = float64(g * k)
	return (v - kernels.LogOf(first)) - z, -g, bend, float64(bend * (first/second - (g + k)))
}

// terms is the number of terms of the series of exponentials.
const terms = 19

// firstTerms and secondTerms are 1/(k+1)! and 1/(k! (k+2)).
var firstTerms, secondTerms = func() (first, second [terms]float64) {
	factorial := 1.0 // exact
	for k := range terms {
		second[k] = 1 / float64(factorial*float64(k+2))
		factorial *= float64(k + 1)
		first[k] = 1 / factorial
	}
	return first, second
}()

// exponentials returns (exp(v) - 1)/v and (1 + (v-1) exp(v))/v^2 for v from 0 to log 2, by their series,
// each to a unit.
func exponentials(v float64) (first, second float64) {
	for k := terms - 1; k >= 0; k-- {
		first = math.FMA(first, v, firstTerms[k])
		second = math.FMA(second, v, secondTerms[k])
	}
	return first, second
}

// between: of the label -1 phi” is exp(z). Of the label +1 it rises and then falls; what rounding takes of
// exp(z) moves it by its share exp(z) of that.
func (l Cloglog) between(z, dz, y float64) (least, most float64) {
	_, _, low, _ := l.at(z-dz, y)
	_, _, high, _ := l.at(z+dz, y)
	least, most = min(low, high), max(low, high)
	if y > 0 && z-dz < 0.63 && z+dz > 0.61 {
		most = cloglogPeak
	}
	return widened(least, most)
}

// Start: the odds are exp(v) - 1.
func (Cloglog) Start(mean, offset float64, n int) float64 {
	return kernels.LogOf(softplus(Logistic{}.Start(mean, 0, n))) - offset
}

func (l Cloglog) Slope(z, y float64) float64 {
	_, slope, _, _ := l.at(z, y)
	return slope
}

// Peak: of the label -1 the second derivative has no bound; see Level.
func (Cloglog) Peak() float64 { return math.Inf(1) }

// Levels: of the label -1 phi” is phi'; of the label +1 it is below 1/2 everywhere.
func (Cloglog) Levels(levels, y, _ []float64) (far float64) {
	for i, v := range y {
		if levels[i] = 0; v > 0 {
			levels[i] = 0.5
		}
	}
	return 0
}

func (Cloglog) Rate() float64 { return 1 }

// Even: of the label +1 the logarithm of phi” falls as -exp(z).
func (Cloglog) Even() bool { return false }

func (l Cloglog) Value(z, dz, y float64) (value, err float64) { return valueByRow(l, z, dz, y) }

func (l Cloglog) SlopeError(z, dz, y, size, c, h float64) float64 {
	_, most := l.between(z, dz, y)
	return slopeError(float64(size*most), dz, size, c) + float64(4*direct.Unit*math.Abs(h))
}

func (l Cloglog) Reach(z, dz, y, size, h float64) (reach, least float64) {
	return reachByRow(l, z, dz, y, size, h)
}

// Bend adds the second derivatives of rows of the label -1 to the first element, and of the others to the
// second one.
func (Cloglog) Bend(t Bends, y, c, s []float64) Bends {
	for i, v := range c {
		weight := direct.Weight(s, i)
		switch {
		case weight == 0:
		case y[i] < 0:
			t[0] += v
		default:
			t[1] += float64(weight * cloglogBend(math.Abs(v)/weight))
		}
	}
	return t
}

// cloglogBend returns g (g + v - 1) for the v of cloglogRate.
func cloglogBend(g float64) float64 {
	if v := cloglogRate(g); v-v == 0 {
		_, _, bend, _ := Cloglog{}.at(kernels.LogOf(v), 1)
		return bend
	}
	return 0
}

// cloglogRate returns v where g = v/(exp(v) - 1), above 0 and below 1: by Newton's method for log g, which is
// concave in v and falls by (g + v - 1)/v, so that steps lead to v from above. It is NaN for another g.
func cloglogRate(g float64) float64 {
	if !(g > 0) || g >= 1 {
		return math.NaN()
	}
	log := kernels.LogOf(g)
	v := min(-2*log, 700) // exp(v) is finite
	for range 100 {
		_, slope, bend, _ := Cloglog{}.at(kernels.LogOf(v), 1)
		step := (kernels.LogOf(-slope) - log) / (bend / float64(-slope*v))
		v = max(v+step, 0.5*v)
		if math.Abs(step) <= float64(1e-9*v)+1e-15 {
			return v
		}
	}
	return math.NaN()
}

// Shift: the part of the label -1 falls by exp(-D) at most, and the part of the label +1 by cloglogTurn D.
func (Cloglog) Shift(t Bends, rows Rows, slope float64) float64 {
	if !(rows.Moved < 1) {
		return math.Inf(1)
	}
	turn := float64(cloglogTurn * rows.Mass / rows.N)
	below := t[0] / (Slack * rows.N)
	h := float64(below*(1-rows.Moved)) + t[1]/(Slack*rows.N) - rows.Lost - float64(turn*rows.Moved)
	return turningShift(slope, h, below+turn)
}

// Most: exp(x) <= 1+2x for x up to 1.
func (Cloglog) Most(t Bends, rows Rows, far float64) float64 {
	if far += rows.Moved; !(far <= 1) {
		return math.Inf(1)
	}
	below := float64((float64(Slack*t[0]/rows.N) + rows.Lost) * (1 + float64(2*far)))
	return below + float64(Slack*t[1]/rows.N) + float64(cloglogTurn*far*rows.Mass/rows.N)
}

// Probability is 1 - exp(-v) with v = exp(z).
func (Cloglog) Probability(z float64) float64 {
	v := kernels.ExpOf(z)
	if v > math.Ln2 {
		return 1 - kernels.ExpOf(-v)
	}
	first, _ := exponentials(v)
	return float64(float64(v*first) * kernels.ExpOf(-v))
}

func (l Cloglog) LogOdds(z float64) float64 { return oddsOf(l, z) }

func (l Cloglog) Information(h, z, s []float64) { informationOf(l, h, z, s) }

func (l Cloglog) LogLikelihood(z, y, s []float64, _ Totals) float64 { return -l.Sum(z, y, s) }
