package vector

import (
	"github.com/lanes-go/lanes/asm/vector"
)

// Exp writes exp(x[i]) to dst[i], within 1 unit in the last place: subnormal and 0 below -87.3, +Inf
// above 88.7, NaN for NaN. dst may be x; otherwise the two may not overlap.
//
// Error: dst and x differ in length, or overlap without being the same slice; dst is as before then.
// Cost: 27 operations an element, 4n bytes read, 4n written.
func Exp(dst, x []float32) error {
	if !fits(dst, x) {
		return misfit("Exp", dst, "x", x)
	}
	vector.Exp(dst, x)
	return nil
}

// Log writes the natural logarithm of x[i] to dst[i], within 1 unit in the last place: -Inf for 0 and
// -0, NaN below and for NaN, +Inf for +Inf. Slices and errors are as in Exp.
//
// Cost: 34 operations an element, 4n bytes read, 4n written.
func Log(dst, x []float32) error {
	if !fits(dst, x) {
		return misfit("Log", dst, "x", x)
	}
	vector.Log(dst, x)
	return nil
}

// Sigmoid writes 1/(1+exp(-x[i])) to dst[i], within 3 units in the last place: subnormal and 0 below
// -87.3, NaN for NaN. Slices and errors are as in Exp.
//
// Cost: 29 operations and a division an element, 4n bytes read, 4n written.
func Sigmoid(dst, x []float32) error {
	if !fits(dst, x) {
		return misfit("Sigmoid", dst, "x", x)
	}
	vector.Sigmoid(dst, x)
	return nil
}

// Tanh writes the hyperbolic tangent of x[i] to dst[i], within 3 units in the last place, and NaN for
// NaN. Slices and errors are as in Exp.
//
// Cost: 26 operations and a division an element, 4n bytes read, 4n written.
func Tanh(dst, x []float32) error {
	if !fits(dst, x) {
		return misfit("Tanh", dst, "x", x)
	}
	vector.Tanh(dst, x)
	return nil
}
