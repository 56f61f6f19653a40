package compositional

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/arguments"
	"github.com/lanes-go/lanes/penalty"
)

// Theory holds the parameters that theorem 3 gives for an accuracy, and what it
// makes them of. It is safe for concurrent reading.
type Theory struct {
	Accuracy   float64 // epsilon, of Phi
	Smoothness float64 // l
	Distance   float64 // D_x, a bound of ||x0 - x*||
	Decrease   float64 // D_Phi, a bound of Phi(x0) - Phi*

	FirstEpoch int     // k_0 = 10
	Epochs     int     // S
	Step       float64 // eta
	// InnerSample and OuterSample are the smallest a and b, whole numbers.
	InnerSample, OuterSample float64
}

// NewTheory computes the parameters:
//
//	S   = floor(log2((6 D_Phi + 15 l D_x^2) / epsilon)) + 1
//	eta = D_x^2 / (10 D_Phi + 25 l D_x^2)
//	a   = 1620 l^2 D_x^4 / epsilon^2,   b = 810 l^2 D_x^4 / epsilon^2
//
// Error: a constant is not positive and finite (decrease may be 0), or S would be
// above 40.
func NewTheory(accuracy, smoothness, distance, decrease float64) (Theory, error) {
	t := Theory{Accuracy: accuracy, Smoothness: smoothness, Distance: distance, Decrease: decrease, FirstEpoch: leastFirst}
	if err := cmp.Or(arguments.Positive("the accuracy", accuracy), arguments.Positive("the smoothness", smoothness),
		arguments.Positive("the distance", distance)); err != nil {
		return t, err
	}
	if !(decrease >= 0) || math.IsInf(decrease, 0) {
		return t, fmt.Errorf("the decrease is %v; it must be 0 or more", decrease)
	}
	square := float64(distance * distance)
	curved := float64(smoothness * square)
	_, exponent := math.Frexp((float64(6*decrease) + float64(15*curved)) / accuracy)
	t.Epochs = max(exponent, 1) // Frexp's exponent is floor(log2)+1
	t.Step = square / (float64(10*decrease) + float64(25*curved))
	ratio := curved / accuracy
	t.OuterSample = math.Ceil(810 * float64(ratio*ratio))
	t.InnerSample = math.Ceil(1620 * float64(ratio*ratio))
	if t.Epochs > 40 {
		return t, fmt.Errorf("accuracy %v would take %d epochs of doubling length; 40 is the most", accuracy, t.Epochs)
	}
	return t, nil
}

// Samples returns S(m+n) + 2^S k_0 (a+b), the theorem's bound of what a run takes.
func (t Theory) Samples(shape Shape) float64 {
	full := float64(shape.Inner + shape.Outer)
	return float64(float64(t.Epochs)*full) + math.Ldexp(float64(t.FirstEpoch)*(t.InnerSample+t.OuterSample), t.Epochs)
}

// Method returns SCVRG with these parameters. Samples larger than there are functions
// are cut to their number, or 2^20, which the theorem does not cover.
func (t Theory) Method(shape Shape) SCVRG {
	return SCVRG{
		Step: t.Step, FirstEpoch: t.FirstEpoch, Epochs: t.Epochs,
		InnerSample: int(min(t.InnerSample, float64(shape.Inner), maxSize)), OuterSample: int(min(t.OuterSample, float64(shape.Outer), maxSize)),
	}
}

// theory finds the constants at the starting point: the smoothness as the other
// methods do, the distance from the set, the decrease from the gap. It tells how many
// full gradients that took.
func (t *task) theory(accuracy float64) (Theory, int, error) {
	bounded, ok := t.full.r.(penalty.Compact)
	if !ok {
		return Theory{}, 0, errors.New("auto needs a bounded set, such as that of L1Box")
	}
	l, spent := t.full.smoothness(t.start)
	e := t.full.evaluate(t.start)
	theory, err := NewTheory(accuracy, l, bounded.Reach(t.start), max(e.Gap, 0))
	return theory, spent + 1, err
}
