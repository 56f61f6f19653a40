// Package penalty holds the penalties of linear models, one file a penalty. Whoever needs to know
// something about a penalty asks a method of Penalty, or of an optional interface that a penalty may
// lack. No code outside of this package compares penalties.
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
	// Prox sets w to the point y of the set that minimises the penalty of y plus
	// ||y-w||^2/(2 step), which is the projection onto the set where step is 0.
	Prox(w []float64, step float64)
}

// Squared is a Penalty that may be (lambda/2) ||w||^2 and nothing else.
type Squared interface {
	Penalty
	// Squared returns lambda, and whether the penalty is nothing else.
	Squared() (lambda float64, alone bool)
}

// RidgeOf returns lambda of a penalty that is (lambda/2) ||w||^2, 0 for nil, or a LacksError.
func RidgeOf(p Penalty) (lambda float64, err error) {
	if p == nil {
		return 0, nil
	}
	if r, is := p.(Squared); is {
		if lambda, alone := r.Squared(); alone {
			return lambda, nil
		}
	}
	return 0, &LacksError{p, "gradient lambda w"}
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
