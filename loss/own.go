package loss

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/direct"
)

// Function is a convex loss phi(z, y) of a program outside of lanes: Own makes a Loss of it. Its
// methods may be called by several goroutines. Certificates hold if At and Between keep their words.
type Function interface {
	// String returns the name that models, checkpoints and messages have. It is to have the
	// function's own parameters in it, and is not empty nor a name of Names.
	String() string
	// Labels tells whether y is a label, -1 or +1, and not a target.
	Labels() bool
	// At returns phi, 0 or more, and its first two derivatives in z, for finite z. Each has a
	// relative error of 2^-51 at most, except near the smallest numbers. For the same bits on all machines, wrap
	// products that are added in float64().
	At(z, y float64) (value, slope, curvature float64)
	// Between bounds the second derivative from z-dz to z+dz; close bounds make long steps possible
	// where it is next to 0. dz is 0 or more; +Inf stands for all
	// z, where the bounds must hold for every y, and most must be finite.
	Between(z, dz, y float64) (least, most float64)
}

// Own returns the Loss of a function. It is an error if f is nil, or has a name of Names, which a
// model would take for that loss. It is an error if the second derivative has no bound, or a bound
// is negative. Solvers that need the conjugate refuse it by a LacksError. Certificates need a ridge
// (lambda > 0), and beside an unpenalised intercept a least second derivative above 0. Without a
// penalty, and with a least second derivative of 0, a run ends as stalled, as nothing tells whether
// there is a minimum. AI-SARAH takes phi”' as 0.
func Own(f Function) (Loss, error) {
	if f == nil {
		return nil, errors.New("there is no function to make a loss of")
	}
	name := f.String()
	if of, _, _ := strings.Cut(name, ":"); name == "" || slices.Contains(Names(), of) {
		return nil, fmt.Errorf("the name %q is not for a loss of your own: models would take it for lanes' loss; give another name", name)
	}
	least, most := f.Between(0, math.Inf(1), 1)
	if !(least >= 0 && most > 0 && least <= most) || math.IsInf(most, 1) {
		return nil, fmt.Errorf("the second derivative of the %v loss is from %v to %v; want bounds of 0 or more, and the larger one finite and above 0", f, least, most)
	}
	l := own{f, least, most}
	if least > 0 {
		return &ownBeside{l}, nil
	}
	return &l, nil
}

// own is the Loss of a Function whose second derivative is from least to most.
type own struct {
	Function
	least, most float64
}

func (*own) Parameter() float64 { return 0 }

func (*own) Valid() error { return nil }

func (l *own) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		value, slope, _ := l.At(v, y[i])
		s := direct.Weight(s, i)
		c[i] = s * slope
		sum += float64(s * positive(value))
	}
	return sum
}

func (l *own) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	sum := 0.0
	for i, v := range z {
		value, _, _ := l.At(v, y[i])
		sum += float64(direct.Weight(s, i) * positive(value))
	}
	return sum
}

func (l *own) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	clear(third)
	for i, v := range z {
		_, _, curvature := l.At(v, y[i])
		h[i] = direct.Weight(s, i) * curvature
	}
}

// Parabolas: the second derivative is at most most within reach of z. So a parabola of the curvature
// max(most, |phi'|/reach) is above phi as far as its own minimum, which is all that a step needs. Of the
// reaches in powers of 2 the one with the least curvature counts.
func (l *own) Parabolas(h, z, y, _, _ []float64) {
	for i, v := range z {
		_, slope, _ := l.At(v, y[i])
		size := math.Abs(slope)
		h[i] = l.most
		for reach := size / l.most; reach > 0 && reach < math.MaxFloat64/2; {
			reach *= 2
			_, most := l.Between(v, reach, y[i])
			if h[i] = min(h[i], max(most, size/reach)); !(most < size/reach) {
				break
			}
		}
	}
}

// Straight: the second derivative may be 0 far from y.
func (l *own) Straight() bool { return l.least == 0 }

// positive returns NaN for a value below 0, for which bounds of rounding do not hold: the run ends
// without a result.
func positive(value float64) float64 {
	if value < 0 {
		return math.NaN()
	}
	return value
}

// sameLengths panics for slices of several lengths, as the kernels of other losses do.
func sameLengths(n, z, y int, s []float64) {
	if n != z || n != y || s != nil && n != len(s) {
		panic(fmt.Sprintf("loss: slices of %d, %d, %d and %d elements", n, z, y, len(s)))
	}
}

func (l *own) Check(y []float64) (bad int, err error) {
	if l.Labels() {
		return checkLabels(l, y)
	}
	return checkTargets(l, y, math.Inf(-1), "")
}

func (l *own) Finite(above, others bool) bool { return above && others || !l.Labels() }

func (*own) Odds() bool { return false }

func (l *own) Quadratic() bool { return l.least == l.most }

// Attained: a second derivative above 0 everywhere leads to a minimum. Nothing is known of others.
func (l *own) Attained() bool { return l.least > 0 }

// Start is the best intercept of the squared loss.
func (l *own) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l *own) Slope(z, y float64) float64 {
	_, slope, _ := l.At(z, y)
	return slope
}

func (l *own) Peak() float64 { return l.most }

func (*own) Centre(float64) float64 { return 0 }

// Value: |dphi| <= |phi'| dz + phi” dz^2/2 by Taylor.
func (l *own) Value(z, dz, y float64) (value, err float64) {
	value, slope, _ := l.At(z, y)
	_, most := l.Between(z, dz, y)
	moved := float64(float64(0.5*most) * dz)
	return value, float64((float64(math.Abs(slope)*(1+8*direct.Unit))+moved)*dz) + float64(8*direct.Unit*math.Abs(value))
}

func (l *own) SlopeError(z, dz, y, size, c, _ float64) float64 {
	_, most := l.Between(z, dz, y)
	return slopeError(float64(size*most), dz, size, c)
}

// Reach is the longest of some distances within which the second derivative stays above the half of
// h.
func (l *own) Reach(z, dz, y, size, h float64) (reach, least float64) {
	for reach = 4; reach > 1e-3; reach *= 0.25 {
		if low, _ := l.Between(z, Slack*(reach+dz), y); low > 0 && float64(2*size*low) >= h {
			return reach, float64(size*low) * (1 - 1e-9)
		}
	}
	return 0, 0
}

// ownBeside is the Loss of a Function whose second derivative is above 0 everywhere.
type ownBeside struct{ own }

// Bend adds the largest second derivative for each row. Shift takes the least one instead.
func (l *ownBeside) Bend(t Bends, y, _, s []float64) Bends {
	t[0] += float64(l.most * Squared{}.Bend(Bends{}, y, nil, s)[0])
	return t
}

func (l *ownBeside) Shift(_ Bends, rows Rows, slope float64) float64 {
	return slope / float64(l.least*(rows.Mass/rows.N))
}

func (l *ownBeside) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }
