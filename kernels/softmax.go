package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
)

// LogSumExp returns log(sum_i exp(x[i])), computed as m + log(sum_i exp(x[i]-m)) with
// the largest element m, so that nothing overflows: -Inf for no elements or only -Inf,
// +Inf where an element is +Inf, NaN where one is NaN. For up to 10,000 elements the
// error is below 2 units in the last place of the larger of |m| and log n (1.1 measured).
// Cost: 30 operations an element.
func LogSumExp(x []float64) float64 {
	e := &asm.Active().Element
	m := e.Extreme.Max(x)
	if m-m != 0 {
		return m
	}
	return m + LogOf(e.ExpSum(nil, x, m))
}

// Softmax computes dst[i] = exp(x[i]) / sum_j exp(x[j]). It first subtracts the largest element
// from all, so that nothing overflows. The elements are 0 to 1 and add up to 1 but for rounding.
// For up to 10,000 elements the error of an element is below 4 ulp. It is an ulp more for each
// unit that x[i] is below the largest, as that difference is rounded. If the largest element is
// infinite or one is NaN, all are NaN. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 32 operations an element.
func Softmax(dst, x []float64) error {
	if err := pair("Softmax", "dst", dst, "x", x); err != nil {
		return err
	}
	if len(x) == 0 {
		return nil
	}
	k := asm.Active()
	sum := k.Element.ExpSum(dst, x, k.Element.Extreme.Max(x))
	k.Dense.Scale(dst, 1/sum, dst)
	return nil
}

// Tanh computes the hyperbolic tangent dst[i] = tanh(x[i]) with an error below 1 ulp
// (0.79 measured), for x near 0 too: tanh(-0) is -0. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 55 operations and a division an element.
func Tanh(dst, x []float64) error {
	return element.MapTanh(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}
