package penalty

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Function is a convex function R of one weight of a program outside of lanes: Own makes a Penalty of
// it. R(0) is finite. Its methods may be called by several goroutines. Certificates hold if Value and
// Slopes keep their words.
type Function interface {
	// String returns the name that checkpoints and messages have, with the function's own
	// parameters in it.
	String() string
	// Value returns R(w), 0 or more, for a w at which it is finite, with a relative error of 2^-51
	// at most.
	Value(w float64) float64
	// Slopes returns the least and the most slope at w, with relative errors of 2^-51 at most:
	// equal ones where R is smooth, -Inf or +Inf at the ends of the weights at which R is finite.
	Slopes(w float64) (least, most float64)
	// Prox returns the t that minimises R(t) + (t-w)^2/(2 step), for step > 0.
	Prox(w, step float64) float64
}

// Own returns the penalty sum_j R(w_j) + (lambda/2) ||w||^2. Certificates need a ridge (lambda > 0);
// without, a run has no gap. A nil function and a lambda that is negative or infinite are errors of
// Check.
func Own(f Function, lambda float64) Penalty { return &own{f, lambda} }

type own struct {
	Function
	lambda float64
}

func (p *own) String() string { return fmt.Sprintf("own %v, ridge %v", p.Function, p.lambda) }

func (p *own) Check(weights int) error {
	if p.Function == nil {
		return errors.New("there is no function to make a penalty of")
	}
	if v := p.Function.Value(0); !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("the penalty %v is %v for a weight of 0; it must be finite, and 0 or more", p.Function, v)
	}
	return Ridge{p.lambda}.Check(weights)
}

func (p *own) Squared() (lambda float64, alone bool) { return p.lambda, false }

func (p *own) Value(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += p.Function.Value(v)
	}
	return sum + Ridge{p.lambda}.Value(w)
}

func (p *own) Prox(w []float64, step float64) {
	whole := 1 + float64(step*p.lambda)
	for j, v := range w {
		w[j] = p.Function.Prox(v/whole, step/whole)
	}
}

func (p *own) Violations(v, g, w []float64) {
	for j := range v {
		v[j] = p.Violation(j, g[j], w[j])
	}
}

func (p *own) Violation(_ int, g, w float64) float64 {
	switch least, most := p.Slopes(w); {
	case g+least > 0:
		return g + least
	case g+most < 0:
		return g + most
	}
	return 0
}

func (p *own) Step(j int, g, w, h, slack float64) (t, violation float64, stays bool) {
	if w == 0 {
		if least, most := p.Slopes(0); g+slack < -least && g-slack > -most {
			return 0, 0, true
		}
	}
	if !(h > 0) {
		return math.NaN(), math.Abs(p.Violation(j, g, w)), false
	}
	return p.Function.Prox(w-g/h, 1/h), math.Abs(p.Violation(j, g, w)), false
}

func (p *own) Rise(_ int, from, to float64) float64 {
	return p.Function.Value(to) - p.Function.Value(from)
}

func (*own) Straight() bool { return false }

func (p *own) Bounded() bool { return p.lambda > 0 }

// Support: the conjugate is convex, and so largest at an end of what u may be.
func (p *own) Support(u, most []float64) (value, share float64) {
	if !(p.lambda > 0) {
		return math.Inf(1), 0
	}
	rounding := 0.0
	for j, v := range u {
		off := most[j] - math.Abs(v)
		off += float64(4 * direct.Unit * most[j])
		low, lowErr := p.conjugate(v - off)
		high, highErr := p.conjugate(v + off)
		value += max(low, high)
		rounding += max(lowErr, highErr) + float64(float64(float64(len(u)+8)*direct.Unit)*max(math.Abs(low), math.Abs(high)))
	}
	return value + float64(1.01*rounding), 0
}

// conjugate returns max_w t w - R(w) - (lambda/2) w^2 at the w that Prox finds, and bounds what is
// missing: r^2/(2 lambda), by strong convexity, where the slope r is left.
func (p *own) conjugate(t float64) (value, err float64) {
	w := p.Function.Prox(t/p.lambda, 1/p.lambda)
	pull := float64(p.lambda * w)
	least, most := p.Slopes(w)
	r, size := 0.0, math.Abs(t)+math.Abs(pull)
	switch slope := t - pull; {
	case slope < least:
		r, size = least-slope, size+math.Abs(least)
	case slope > most:
		r, size = slope-most, size+math.Abs(most)
	}
	r += float64(8 * direct.Unit * size)
	rest, along, square := p.Function.Value(w), float64(t*w), float64(0.5*pull*w)
	return along - rest - square, float64(0.5*r*r)/p.lambda + float64(8*direct.Unit*(math.Abs(along)+rest+square)) + direct.Tiny
}
