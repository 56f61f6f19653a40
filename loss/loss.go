// Package loss holds the losses phi(z, y) of linear models, one file a loss. z is the margin or
// prediction of a row, y its label or target. Whoever needs to know something about a loss asks a
// method of Loss, or of an optional interface that a loss may lack: Beside, Exact, Dual and others.
// No code outside of this package compares losses.
package loss

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/direct"
)

// Slack covers what bounds leave out that is of second order, and their own rounding.
const Slack = 1.01

// Loss is a loss, convex unless it is Nonconvex. Its methods may be called by several
// goroutines. Slices of one call have one length, the number of rows; a method panics for others.
// s holds weights, nil for ones. Elsewhere dz bounds the error of the margin z, and size is the weight
// of the row, 0 or more.
type Loss interface {
	// String returns the name that Parse reads.
	String() string
	// Parameter returns the loss's own parameter, above 0, such as Huber's threshold; 0 for none.
	Parameter() float64
	// Valid returns an error if the parameter is out of its range.
	Valid() error
	// Gradient sets c[i] to s_i phi'(z_i), and returns the sum of s_i phi(z_i). c may be z.
	Gradient(c, z, y, s []float64) float64
	// Sum returns the sum of s_i phi(z_i).
	Sum(z, y, s []float64) float64
	// Curvature sets h[i] to s_i phi”(z_i), and third[i] to s_i phi”'(z_i). Of a loss that is not convex,
	// positive numbers take the place of the second derivatives, as their expected values.
	Curvature(h, third, z, y, s []float64)
	// Labels tells whether each y is a label, -1 or +1, and not a target.
	Labels() bool
	// Check returns the first y that the loss does not take, with an error that says what it takes;
	// -1 and nil for none.
	Check(y []float64) (bad int, err error)
	// Finite tells whether the best intercept is finite, where there are rows of y above 0, or
	// others.
	Finite(above, others bool) bool
	// Odds tells whether the margin is the logarithm of the odds of the label +1.
	Odds() bool
	// Quadratic tells whether the second derivative is the same everywhere.
	Quadratic() bool
	// Attained tells whether the mean loss of any rows has a minimum. The mean logistic loss has
	// none if a plane separates the labels.
	Attained() bool
	// Start returns an intercept to begin with, for n rows of the given mean y. offset is the mean
	// offset, or of a Linked loss the mean of what Mean makes of offsets.
	Start(mean, offset float64, n int) float64
	// Slope returns the first derivative in z.
	Slope(z, y float64) float64
	// Peak returns the largest second derivative anywhere, +Inf for a Steep loss and a Kinked one.
	Peak() float64
	// Centre returns what Value takes off the margin.
	Centre(y float64) float64
	// Value returns phi where r is z - Centre(y) with an error of at most dr. Times Slack and
	// within a few units of direct.Tiny, err bounds the error of phi.
	Value(r, dr, y float64) (value, err float64)
	// SlopeError bounds the error of the slope c that the kernels compute at z. h is the second
	// derivative that they compute. Both c and h have the row's weight in them.
	SlopeError(z, dz, y, size, c, h float64) float64
	// Reach returns how far the true margin may move from z and the least second derivative on the
	// way. It returns 0 and 0 if it knows no such bounds. h is as for SlopeError.
	Reach(z, dz, y, size, h float64) (reach, least float64)
}

// Levels is the number of elements of Bends.
const Levels = 6

// Bends holds sums over rows of second derivatives, as a loss defines them. The sum of all
// elements is about the sum of the second derivatives. Bends of disjoint rows may be added element
// by element.
type Bends [Levels]float64

// Rows is what the bounds of Beside have to know of the rows and their margins.
type Rows struct {
	N, Mass float64 // number of rows; sum of their weights
	Lost    float64 // bounds the mean of what sums over slopes lose
	Moved   float64 // bounds the weighted mean of the errors of margins; of a Steep loss, the largest
}

// Beside is a Loss with bounds beside an unpenalised intercept. docs/certificates.md derives them.
type Beside interface {
	Loss
	// Bend adds rows with labels y, slopes c and weights s, nil for ones, to t.
	Bend(t Bends, y, c, s []float64) Bends
	// Shift bounds the distance of the intercept from the best one for the same weights, where
	// slope bounds the slope along it. It is +Inf or NaN if the curvature is too small to tell.
	Shift(t Bends, rows Rows, slope float64) float64
	// Most bounds the mean second derivative within far of the intercept.
	Most(t Bends, rows Rows, far float64) float64
}

// Linked is a Loss whose margin is a function of the expected target.
type Linked interface {
	Loss
	// Mean returns the expected target of a margin. Means writes the expected targets of margins z to means,
	// which may be z.
	Mean(z float64) float64
	Means(means, z []float64)
}

// Means turns margins into expected targets, in place, where l is Linked; others are their own.
func Means(l Loss, z []float64) {
	if linked, is := l.(Linked); is {
		linked.Means(z, z)
	}
}

// MeansOf writes the expected targets of margins z, nil for zeros, to means.
func MeansOf(l Linked, means, z []float64) {
	if z != nil {
		l.Means(means, z)
		return
	}
	mean := l.Mean(0)
	for i := range means {
		means[i] = mean
	}
}

// Values writes phi of rows to values, which may be r: for residuals r, as Loss.Value takes them, without
// errors. parts are the Parts of a Recurring loss, or nil.
func Values(l Loss, values, r, y, parts []float64) {
	if of, is := l.(interface {
		values(values, z, y, parts []float64)
	}); is {
		of.values(values, r, y, parts)
		return
	}
	for i, y := range y {
		values[i], _ = l.Value(r[i], 0, y)
	}
}

// Nonconvex is a Loss that may not be convex. Where it is not, a run ends at a stationary point and has no gap.
type Nonconvex interface {
	Loss
	// Convex tells whether the loss is convex.
	Convex() bool
}

// IsConvex tells whether a loss is convex.
func IsConvex(l Loss) bool {
	n, is := l.(Nonconvex)
	return !is || n.Convex()
}

// Steep is a Loss whose second derivative has no bound anywhere.
type Steep interface {
	Loss
	// Levels writes a level of each row with |phi''| <= Rate (|phi'| + level) at all margins. Slopes of
	// Gradient may err by 8 units of that and 4 of themselves, for weights of 1. Its values may err by 8 units
	// of that times 1 + |z| + far, at all rows whose weight in s is not 0. levels may be y.
	// Within x of z, |phi''| is at most exp(Rate x) Rate (|phi'(z)| + level).
	Levels(levels, y, s []float64) (far float64)
	// Rate is 1 or more.
	Rate() float64
	// Even tells whether the logarithm of phi'' changes by the change of the margin at most.
	Even() bool
}

// Recurring is a Loss whose values have a part that depends on the target alone: a run computes it once.
type Recurring interface {
	Loss
	// Parts writes that part of each row to parts, which may be y.
	Parts(parts, y []float64)
	// Weigh is Gradient where parts are known, or Sum for a nil c, to the same bits.
	Weigh(c, z, y, parts, s []float64) float64
}

// Summed is a Recurring loss whose second derivatives follow from its values and slopes.
type Summed interface {
	Recurring
	// BendSum is Beside.Bend where sum is the sum of s_i phi, and parts are known.
	BendSum(t Bends, sum float64, parts, c, s []float64) Bends
}

// Receding is a Loss that has no minimum on rows whose margins may all move to their Side.
type Receding interface {
	Loss
	// Side returns the sign of the movements of a margin along which phi falls forever; 0 if it
	// grows in the end on both sides.
	Side(y float64) int
}

// ConvexOf returns a LacksError for a loss that is not convex.
func ConvexOf(l Loss) error {
	if IsConvex(l) {
		return nil
	}
	return &LacksError{l, "certificate, as it is not convex"}
}

// PeakOf returns Peak where it is finite, or a LacksError.
func PeakOf(l Loss) (float64, error) {
	peak := l.Peak()
	switch {
	case KinkedOf(l) != nil:
		return 0, &LacksError{l, "second derivative"}
	case math.IsInf(peak, 1):
		return 0, &LacksError{l, "bound of its second derivative"}
	}
	return peak, nil
}

// Exact is a Loss in numbers of any precision, which is the precision of the arguments.
type Exact interface {
	Loss
	// ExactWork is the cost of a row in multiplications of 512 bits.
	ExactWork() int
	// ExactValue returns phi.
	ExactValue(z, y *big.Float) *big.Float
	// ExactSlope sets first and second to the first two derivatives of phi in z.
	ExactSlope(first, second, z, y *big.Float)
	// ExactSlopeError takes the second derivative at z. It sets second to a bound of the error of the
	// first one in units, but for one unit of itself, where z errs by size units. It may be +Inf.
	ExactSlopeError(second, size, unit *big.Float)
	// ExactReach takes a bound of phi in v. It sets v to a bound of -y z for labels, and of
	// |z - y| - 1 for targets, from above alone where Side is -1.
	ExactReach(v, y *big.Float)
}

// Conjugate is a Loss whose conjugate phi*(a) = max_z a z - phi(z) is known.
type Conjugate interface {
	Loss
	// Conjugates sums bounds of s_i phi*(-a_i) from above, and bounds the sizes of the terms. -a_i is a
	// share, from 0 to 1, of the slope c_i/s_i, rounded, and 0 where c_i is 0. It overwrites a and work.
	Conjugates(a, work, c, y, s []float64) (sum, absolute float64)
}

// Dual is a Conjugate with the best step in one dual variable.
type Dual interface {
	Conjugate
	// Part returns f(z) + f*(-alpha) + alpha z for f = s phi, s > 0: 0 where alpha = -f'(z),
	// positive elsewhere, +Inf where alpha is not feasible. The formulas subtract nothing that is
	// nearly equal, so that small values are exact. slope is f'(z).
	Part(alpha, z, y, s, slope float64) float64
	// Ascend moves the row to the maximum of the dual over its variable, given its margin z. It
	// returns the row's part of the gap before the step, up to second order and times lambda n/s.
	// share is the share of the first residual that the step may leave.
	Ascend(d *DualRow, z, share float64) (part float64)
	// Warm sets the dual variable to -phi'(z). It returns a bound of phi* there, 0 or more.
	Warm(d *DualRow, z, y float64) (above float64)
	// Logit tells whether A is from 0 to 1 and U its logit. Ascend is then DualRow.Before and
	// DualRow.Solve.
	Logit() bool
}

// Scaled is a Conjugate whose sum costs two products for a_i = -keep c_i and weights of 1.
type Scaled interface {
	Conjugate
	Conjugated(keep float64, c, y []float64) (sum, absolute float64)
}

// Majorizer is a Loss below parabolas. A model of the second derivatives is good near its point
// alone if they are next to 0 there.
type Majorizer interface {
	Loss
	// Parabolas sets h to the curvatures of the parabolas above phi that touch it at margins z, for
	// weights of 1. c holds the slopes there for weights s, nil for ones. Of a Straight loss c may be
	// nil.
	Parabolas(h, z, y, c, s []float64)
	// Straight tells whether the loss is linear, but not 0, far from y. A model of its second
	// derivatives may then have no minimum.
	Straight() bool
}

// Straight returns l if it is a Majorizer and Straight, else nil.
func Straight(l Loss) Majorizer {
	if m, is := l.(Majorizer); is && m.Straight() {
		return m
	}
	return nil
}

// Peaked is a Loss whose largest second derivative has a known place.
type Peaked interface {
	Loss
	// PassesPeak tells whether that place is between margins a and b, where the second derivative
	// may have its largest value at neither.
	PassesPeak(a, b, y float64) bool
}

// ConjugateOf returns a loss as a Conjugate, or a LacksError.
func ConjugateOf(l Loss) (Conjugate, error) {
	if c, is := l.(Conjugate); is {
		return c, nil
	}
	return nil, &LacksError{l, "conjugate"}
}

// DualOf returns a loss as a Dual, or a LacksError.
func DualOf(l Loss) (Dual, error) {
	if d, is := l.(Dual); is {
		return d, nil
	}
	if _, err := ConjugateOf(l); err != nil {
		return nil, err
	}
	return nil, &LacksError{l, "step in a dual variable"}
}

// LacksError is the error of a loss without an optional part that a solver needs.
type LacksError struct {
	Loss Loss
	Part string
}

func (e *LacksError) Error() string { return fmt.Sprintf("the %v loss has no %s", e.Loss, e.Part) }

// all lists the losses.
var all = [...]Loss{Logistic{}, Squared{}, SquaredHinge{}, Huber{}, Poisson{}, Gamma{}, Tweedie{}, NegativeBinomial{}, Expectile{}, SquaredInsensitive{}, Hinge{}, Insensitive{}, Quantile{}, Probit{}, Cloglog{}, InverseGaussian{}}

// At returns phi(z, y) and its slope in z.
func At(l Loss, z, y float64) (value, slope float64) {
	c := []float64{z}
	value = l.Gradient(c, c, []float64{y}, nil)
	return value, c[0]
}

// Names returns the names of all losses, as Parse reads them.
func Names() []string {
	names := make([]string, len(all))
	for k, l := range all {
		names[k] = l.String()
	}
	return names
}

// Parse returns the loss of a name with a parameter, 0 for the usual one. The name may have the
// parameter in it, as tweedie:1.9. Losses without a parameter do not read it. The error of an unknown name
// lists the names; a bad parameter has the error of Valid.
func Parse(name string, parameter float64) (Loss, error) {
	if of, text, in := strings.Cut(name, ":"); in {
		return parseWith(of, text, parameter)
	}
	for _, l := range all {
		if l.String() != name {
			continue
		}
		if p, has := l.(parametric); has {
			l = p.with(parameter)
		}
		return l, l.Valid()
	}
	return nil, fmt.Errorf("there is no loss %q; there are %s", name, strings.Join(Names(), ", "))
}

// parseWith is Parse for a name with a parameter behind it.
func parseWith(name, text string, parameter float64) (Loss, error) {
	v, err := strconv.ParseFloat(text, 64)
	l, unknown := Parse(name, 0)
	_, has := l.(parametric)
	switch {
	case unknown != nil:
		return nil, unknown
	case !has:
		return nil, fmt.Errorf("the %v loss has no parameter, and is not %q", l, name+":"+text)
	case parameter != 0:
		return nil, fmt.Errorf("the loss %q has the parameter %v too; give it once", name+":"+text, parameter)
	case err != nil || v == 0:
		return nil, fmt.Errorf("the parameter of the %v loss is %q, and not a number above 0", l, text)
	}
	return Parse(name, v)
}

// NameOf returns the name of a loss with its parameter, as Parse reads it.
func NameOf(l Loss) string {
	if v := l.Parameter(); v != 0 {
		return l.String() + ":" + strconv.FormatFloat(v, 'g', -1, 64)
	}
	return l.String()
}

// ParseLinked returns Parse's loss of a name if it is Linked, else nil. It allocates nothing.
func ParseLinked(name string, parameter float64) Linked {
	for _, l := range all {
		linked, is := l.(Linked)
		if !is || l.String() != name {
			continue
		}
		if p, has := l.(parametric); has {
			linked, _ = p.with(parameter).(Linked)
		}
		return linked
	}
	return nil
}

// Text is a loss in JSON: a name that Parse reads, with its parameter.
type Text struct {
	Name  string  `json:"loss"`
	Delta float64 `json:"delta,omitempty"` // the parameter of the loss; 0 means the usual one
}

// TextOf returns the Text of a loss, without a name for nil.
func TextOf(l Loss) Text {
	if l == nil {
		return Text{}
	}
	return Text{l.String(), l.Parameter()}
}

// Parse returns the loss, nil for no name.
func (t Text) Parse() (Loss, error) {
	if t.Name == "" && t.Delta == 0 {
		return nil, nil
	}
	return Parse(t.Name, t.Delta)
}

// parametric is a Loss with a parameter.
type parametric interface{ with(parameter float64) Loss }

// checkLabels is Check for labels.
func checkLabels(l Loss, y []float64) (bad int, err error) {
	for i, v := range y {
		if math.Abs(v) != 1 {
			return i, fmt.Errorf("the label %v; the %v loss needs -1 and +1", v, l)
		}
	}
	return -1, nil
}

// checkTargets is Check for targets of at least least, -Inf for all; want says so.
func checkTargets(l Loss, y []float64, least float64, want string) (bad int, err error) {
	for i, v := range y {
		switch {
		case v-v != 0:
			return i, fmt.Errorf("the target %v", v)
		case v < least:
			return i, fmt.Errorf("the target %v; the %v loss needs targets %s", v, l, want)
		}
	}
	return -1, nil
}

// slopeError bounds the error of a slope c where the second derivative is at most steepest within
// the error of the margin.
func slopeError(steepest, dz, size, c float64) float64 {
	return float64(Slack*(float64(steepest*dz)+float64(4*direct.Unit*math.Abs(c)))) + float64(4*direct.Tiny*(1+size))
}

// doubt bounds the error of the distance of a margin from a kink, which is width from y or 0.
func doubt(z, dz, y, width float64) float64 {
	return float64(Slack*dz) + float64(8*direct.Unit*(1+width+math.Abs(z)+math.Abs(y)))
}
