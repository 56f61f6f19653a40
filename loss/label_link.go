package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Binomial is a Loss of labels that is minus the logarithm of their probability, where this is another
// function of the margin than the sigmoid.
type Binomial interface {
	Loss
	// Probability returns the probability of the label +1 at a margin, from 0 to 1.
	Probability(z float64) float64
	// LogOdds returns the logarithm of the odds of the label +1 at a margin, with which it rises. The
	// label +1 is the likelier one where it is above 0.
	LogOdds(z float64) float64
}

// ParseBinomial returns the loss of a name if it is Binomial, else nil. It allocates nothing. Models ask for
// every row that they predict: most names differ by their length, which costs a tenth of a row less.
func ParseBinomial(name string) Binomial {
	if binomialLengths>>(len(name)&63)&1 == 0 {
		return nil
	}
	return binomialOf(name)
}

func binomialOf(name string) Binomial {
	for _, l := range binomials {
		if l.String() == name {
			return l
		}
	}
	return nil
}

// binomials are the Binomial losses of all, and binomialLengths has a bit for the length of each name.
var binomials, binomialLengths = func() (list []Binomial, lengths uint64) {
	for _, l := range all {
		if b, is := l.(Binomial); is {
			list = append(list, b)
			lengths |= 1 << (len(l.String()) & 63)
		}
	}
	return list, lengths
}()

// labelLink is what Binomial losses have in common.
type labelLink struct{}

func (labelLink) Labels() bool { return true }

func (labelLink) Finite(above, others bool) bool { return above && others }

func (labelLink) Odds() bool { return false }

func (labelLink) Parameter() float64 { return 0 }

func (labelLink) Valid() error { return nil }

func (labelLink) Quadratic() bool { return false }

func (labelLink) Attained() bool { return false }

func (labelLink) Centre(float64) float64 { return 0 }

// Side is the label.
func (labelLink) Side(y float64) int { return int(y) }

func (labelLink) Dispersed() bool { return false }

// curve is a loss of a row as its formula has it.
type curve interface {
	// at returns phi and its first three derivatives in z.
	at(z, y float64) (value, slope, bend, third float64)
	// between bounds the second derivative within dz of z.
	between(z, dz, y float64) (least, most float64)
}

// widened moves bounds of a second derivative by what rounding takes of it, below the least normal number
// too.
func widened(least, most float64) (low, high float64) {
	const lost = 64 * direct.Tiny
	return max(float64(least*(1-1e-11))-lost, 0), float64(most*(1+1e-11)) + lost
}

// sumByRows is Sum, and Gradient if c is not nil.
func sumByRows(l curve, c, z, y, s []float64) float64 {
	sameLengths(max(len(c), len(z)), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		weight, slope := direct.Weight(s, i), 0.0
		if weight != 0 {
			value, rise, _, _ := l.at(v, y[i])
			slope = weight * rise
			sum += float64(weight * value)
		}
		if c != nil {
			c[i] = slope
		}
	}
	return sum
}

// curvatureByRows is Curvature.
func curvatureByRows(l curve, h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	for i, v := range z {
		weight := direct.Weight(s, i)
		if h[i], third[i] = 0, 0; weight != 0 {
			_, _, bend, turn := l.at(v, y[i])
			h[i], third[i] = weight*bend, weight*turn
		}
	}
}

// valueByRow is Value: by Taylor, where what rounding takes of a margin's function is as good as an error of
// the margin of 4 units.
func valueByRow(l curve, z, dz, y float64) (value, err float64) {
	value, slope, _, _ := l.at(z, y)
	_, most := l.between(z, dz, y)
	return value, float64((math.Abs(slope)+float64(float64(0.5*most)*dz))*dz) + float64(4*direct.Unit*math.Abs(slope)) + float64(8*direct.Unit*value)
}

// reachByRow is Reach: the longest of some distances within which the second derivative stays above half
// of h.
func reachByRow(l curve, z, dz, y, size, h float64) (reach, least float64) {
	if !(h > 1e-290) {
		return 0, 0
	}
	for reach = 1; reach > 1e-3; reach *= 0.5 {
		if low, _ := l.between(z, Slack*(reach+dz), y); float64(2*size*low) >= h {
			return reach, float64(size*low) * (1 - 1e-9)
		}
	}
	return 0, 0
}

// informationOf is Information: p'^2/(p (1-p)) for the probability p of the label +1. The slopes of the two
// labels are those of -log p and -log(1-p).
func informationOf(l curve, h, z, s []float64) {
	for i, v := range z {
		_, above, _, _ := l.at(v, 1)
		_, below, _, _ := l.at(v, -1)
		if h[i] = 0; above != 0 && below != 0 {
			h[i] = -float64(above * below)
		}
	}
	weighAll(h, s)
}

// oddsOf is LogOdds.
func oddsOf(l curve, z float64) float64 {
	above, _, _, _ := l.at(z, 1)
	below, _, _, _ := l.at(z, -1)
	return below - above
}

// startOf returns the best intercept without offsets, by Newton's method for the log odds; a class
// without rows counts as half a row.
func startOf(l curve, mean float64, n int) float64 {
	want := Logistic{}.Start(mean, 0, n)
	z := 0.5 * want
	for range 50 {
		_, above, _, _ := l.at(z, 1)
		_, below, _, _ := l.at(z, -1)
		step := (oddsOf(l, z) - want) / (below - above)
		if !(math.Abs(step) > float64(1e-15*(1+math.Abs(z)))) {
			break
		}
		z -= max(-1, min(1, step))
	}
	return z
}

// turningShift is Shift where the mean second derivative is at least h at the intercept, and falls by at
// most turn times a distance: (h - turn D) D reaches the slope at D.
func turningShift(slope, h, turn float64) float64 {
	rest := float64(h*h) - float64(float64(4*turn)*slope)
	if !(h > 0) || !(rest > 0) {
		return math.Inf(1)
	}
	return float64(2*slope) / (h + math.Sqrt(rest)) * (1 + 1e-12)
}
