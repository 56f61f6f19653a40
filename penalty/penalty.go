// Package penalty holds the penalties of linear models, one file a penalty. Whoever needs to know
// something about a penalty asks a method of Penalty, or of an optional interface that a penalty may
// lack: Rules, Columns, Grouped, Weighted and others. No code outside of this package compares penalties.
package penalty

import (
	"fmt"
	"math"
)

// Penalty is a convex function of the weights that is added to a mean loss. It is infinite outside of
// a closed set, if it is a constraint. Its methods may be called by several goroutines. They are not
// called before Check.
type Penalty interface {
	// String returns the name with all parameters. It tells penalties apart in checkpoints.
	String() string
	// Check says what is wrong with the parameters, if anything, for a number of weights.
	Check(weights int) error
	// Value returns the penalty of w, which is in the set.
	Value(w []float64) float64
	// Prox sets w to the point y of the set that minimises the penalty of y plus ||y-w||^2/(2
	// step). For a step of 0 it is the projection onto the set.
	Prox(w []float64, step float64)
}

// Squared is a Penalty R(w) + (lambda/2) ||w||^2 with a convex R, the rest.
type Squared interface {
	Penalty
	// Squared returns lambda, and whether the rest is 0.
	Squared() (lambda float64, alone bool)
}

// Rules is what solvers with working sets of columns ask. g is the slope of all but the rest R.
// Slices have as many elements as there are weights.
type Rules interface {
	Squared
	// Violations sets v to the element of least norm of g plus the subdifferential of R at w.
	Violations(v, g, w []float64)
	// Support bounds the conjugate of the penalty from above at every u' with |u'_j - u_j| <=
	// most_j - |u_j|. The value is +Inf where it may be infinite. The conjugate is at most 0 at
	// share u', where share is from 0 to 1; 0 if only w = 0 tells that.
	Support(u, most []float64) (value, share float64)
	// Bounded tells whether Support is finite for value, or above 0 for share, whatever u is.
	Bounded() bool
}

// Columns is a Rules whose R is a sum of functions R_j(w_j) of single weights.
type Columns interface {
	Rules
	// Violation is Violations for one weight.
	Violation(j int, g, w float64) float64
	// Step returns the t that minimises g t + h (t-w)^2/2 + R_j(t), and the size of the violation
	// at w. t is infinite or NaN if h is 0 and no t is a minimum. Or Step tells that w is 0 and
	// stays there, even if g moves by slack.
	Step(j int, g, w, h, slack float64) (t, violation float64, stays bool)
	// Rise returns R_j(to) - R_j(from), without the cancellation of two values.
	Rise(j int, from, to float64) float64
	// Straight tells whether every R_j is linear on both sides of 0, where alone it has a kink, as far as
	// it is finite.
	Straight() bool
}

// Confined is a Rules whose weights have bounds.
type Confined interface {
	Rules
	// Interval returns the bounds of a weight, -Inf and +Inf where there are none.
	Interval(j int) (lower, upper float64)
	// Feasible returns a share of u, from 0 to 1, for which Support is finite, as it is within bounds.
	Feasible(u, most []float64) float64
}

// Grouped is a Rules whose R is a sum of functions R_k of disjoint groups of weights. Slices have the
// elements of one group, in the order of its columns. v may be none of the others.
type Grouped interface {
	Rules
	// Columns returns the columns of every group, which together are all. Nobody may change them.
	Columns() [][]int
	// ViolationGroup is Violations for one group.
	ViolationGroup(k int, v, g, w []float64)
	// ProxGroup sets w to the y that minimises R_k(y) + ||y-w||^2/(2 step).
	ProxGroup(k int, w []float64, step float64)
	// BendGroup sets v to the product of the second derivatives of R_k at w, which is not 0, with direction.
	BendGroup(k int, v, direction, w []float64)
	// RiseGroup returns R_k(to) - R_k(from), without the cancellation of two values.
	RiseGroup(k int, from, to []float64) float64
}

// Weighted is a Rules whose R is a positive multiple of a norm, or of one that leaves out weights, or 0.
type Weighted interface {
	Rules
	// Multiple returns the multiple.
	Multiple() float64
	// WithWeight returns the penalty with another multiple.
	WithWeight(weight float64) Penalty
	// Least returns the least multiple for which w = 0 violates nothing with the slopes g.
	Least(g []float64) float64
}

// Restricted is a Rules that is known of some of its weights, where all others are 0.
type Restricted interface {
	Rules
	// Restrict returns the penalty of the listed weights, which ascend and have whole groups.
	Restrict(columns []uint32) Penalty
}

// RestrictedOf returns the rules of a penalty that are a Restricted, or a LacksError.
func RestrictedOf(p Penalty) (Restricted, error) {
	rules, err := RulesOf(p)
	if err != nil {
		return nil, err
	}
	r, is := rules.(Restricted)
	if !is {
		return nil, &LacksError{p, "form for some of its weights alone"}
	}
	return r, nil
}

// Absolute is a Weighted whose norm is ||w||_1.
type Absolute interface {
	Weighted
	Absolute()
}

// Lengths is a Rules whose R is a sum of multiples of the lengths ||w_k|| of disjoint groups of weights.
type Lengths interface {
	Rules
	// Lengths returns the columns and the positive multiple of each group, none where R is 0.
	Lengths(weights int) (groups [][]int, multiples []float64)
}

// Compensated is a Penalty that can be summed in double length.
type Compensated interface {
	Penalty
	// Compensated returns the value, and bounds its error but for three roundings of it.
	Compensated(w []float64) (value, err float64)
}

// Compact is a Penalty that is infinite outside of a bounded set.
type Compact interface {
	Penalty
	// Descent returns the maximum over y in the set of -g'y less the penalty of y.
	Descent(g []float64) float64
	// Reach returns the largest distance of a point of the set from w.
	Reach(w []float64) float64
}

// ruled is a Penalty that is a case of another one, which has its rules.
type ruled interface{ rules() Rules }

// RulesOf returns the rules of a penalty, which are Columns or Grouped, or a LacksError. nil has the
// rules of Ridge{}.
func RulesOf(p Penalty) (Rules, error) {
	if p == nil {
		return Ridge{}.rules(), nil
	}
	if r, is := p.(ruled); is {
		return r.rules(), nil
	}
	switch r := p.(type) {
	case Columns:
		return r, nil
	case Grouped:
		return r, nil
	}
	return nil, &LacksError{p, "rules for columns or groups"}
}

// Alone returns lambda of a penalty that is (lambda/2) ||w||^2, 0 for nil, and whether it is that.
func Alone(p Penalty) (lambda float64, alone bool) {
	if p == nil {
		return 0, true
	}
	if r, is := p.(Squared); is {
		if lambda, alone := r.Squared(); alone {
			return lambda, true
		}
	}
	return 0, false
}

// RidgeOf is Alone with a LacksError for others.
func RidgeOf(p Penalty) (lambda float64, err error) {
	lambda, alone := Alone(p)
	if !alone {
		err = &LacksError{p, "gradient lambda w"}
	}
	return lambda, err
}

// Lambda returns the weight of the squared norm in a penalty, 0 for none.
func Lambda(p Penalty) float64 {
	switch r := p.(type) {
	case Ridge: // the usual one, without a call
		return r.Lambda
	case Squared:
		lambda, _ := r.Squared()
		return lambda
	}
	return 0
}

// WeightOf returns the weight of the norm that a Weighted penalty is a multiple of, 0 for others.
func WeightOf(p Penalty) float64 {
	if r, err := RulesOf(p); err == nil {
		if w, is := r.(Weighted); is {
			return w.Multiple()
		}
	}
	return 0
}

// Norms returns the weights of a penalty l1 ||w||_1 + (lambda/2) ||w||^2, or a LacksError.
func Norms(p Penalty) (l1, lambda float64, err error) {
	if lambda, alone := Alone(p); alone {
		return 0, lambda, nil
	}
	r, err := RulesOf(p)
	if err != nil {
		return 0, 0, err
	}
	a, is := r.(Absolute)
	if !is {
		return 0, 0, &LacksError{p, "form of an L1 norm and a squared norm"}
	}
	lambda, _ = a.Squared()
	return a.Multiple(), lambda, nil
}

// Multiples returns the weights of a penalty's norm and of its squares, whatever their factors are.
func Multiples(p Penalty) (l1, l2 float64) {
	if r, err := RulesOf(p); err == nil {
		if u, is := r.(Uneven); is {
			return WeightOf(p), u.Squares()
		}
	}
	return WeightOf(p), Lambda(p)
}

// LengthsOf returns the groups and multiples of a penalty sum_k c_k ||w_k|| + (lambda/2) ||w||^2, or a
// LacksError.
func LengthsOf(p Penalty, weights int) (groups [][]int, multiples []float64, lambda float64, err error) {
	r, err := RulesOf(p)
	if err != nil {
		return nil, nil, 0, err
	}
	l, is := r.(Lengths)
	if !is {
		return nil, nil, 0, &LacksError{p, "form of lengths of groups and a squared norm"}
	}
	groups, multiples = l.Lengths(weights)
	lambda, _ = l.Squared()
	return groups, multiples, lambda, nil
}

// LacksError is the error of a penalty without an optional part that a solver needs.
type LacksError struct {
	Penalty Penalty
	Part    string
}

func (e *LacksError) Error() string {
	return fmt.Sprintf("the penalty %v has no %s", e.Penalty, e.Part)
}

// checkWeight says what is wrong with the weight of a norm.
func checkWeight(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v; it must be 0 or more", name, v)
	}
	return nil
}
