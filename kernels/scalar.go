package kernels

import (
	"math"

	"github.com/lanes-go/lanes/asm/element"
)

// The functions of one number serve loops whose next element depends on the last;
// they have the bits of the slice functions, at several times the cost an element.

// SigmoidOf returns 1/(1+exp(-x)), as Sigmoid computes it.
func SigmoidOf(x float64) float64 { return element.Sigmoid(x) }

// ExpOf returns exp(x), as Exp computes it.
func ExpOf(x float64) float64 { return element.Exp(x) }

// LogOf returns the natural logarithm of x, as Log computes it.
func LogOf(x float64) float64 { return element.Log(x) }

// LossAt returns phi(z, y) and its derivative in z, as LossGradient computes them with a weight
// of 1. It returns NaN if l is not a loss of this package. delta is read for Huber only.
func LossAt(l Loss, z, y, delta float64) (phi, slope float64) {
	if l >= element.Losses {
		return math.NaN(), math.NaN()
	}
	return element.LossAt(element.Loss(l), z, y, delta)
}

// Log1pOf returns log(1+x), as Log1p computes it.
func Log1pOf(x float64) float64 { return element.Log1p(x) }
