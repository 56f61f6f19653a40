package kernels

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/asm/dense"
)

// A call takes longer than a few elements, so these functions are inlined into the caller. Go
// inlines functions of a cost up to 80, and a call costs 57. Two ways keep the cost below that.
// First, the call of a parameter costs 17, and its argument is inlined as well: the last
// parameter of these functions is the function for more elements. (The assembly itself, passed as
// a value, would have its arguments copied from registers to memory.) Second, a closure at the
// place of its call is inlined up to a cost of 800. If it costs more than 160, its call costs 57.
// Axpy, ScaleAdd, Mul and the losses use such closures. A compiler with other costs is only
// slower.

func shortDot[V Value](x, y []V, long func(x, y []V) float64) (sum float64) {
	switch len(x) {
	case 2:
		sum += float64(float64(x[1]) * float64(y[1])) // +0 where it is -0
		fallthrough
	case 1:
		return float64(float64(x[0])*float64(y[0])) + sum
	}
	return long(x, y)
}

func longDot(x, y []float64) float64 { return dense.Dot(x, unsafe.SliceData(y)) }

func shortSum[V Value](x []V, long func(x []V) float64) float64 {
	if len(x) < 3 {
		switch len(x) {
		case 1:
			return float64(x[0]) + 0
		case 2:
			return float64(x[0]) + float64(x[1]) + 0
		}
	}
	return long(x)
}

func longSum(x []float64) float64 { return dense.Sum(x) }

func shortArgMax(x []float64, long func([]float64) int) int {
	if len(x) > shortExtreme {
		return long(x)
	}
	at := min(len(x)-1, 0)
	for i, v := range x {
		// Also where v is NaN and the best one is not.
		if best := x[at]; !(v <= best) && best == best {
			at = i
		}
	}
	return at
}

// shortLoss is phi and its derivative of Squared, and of SquaredHinge for a label of -1 or +1.
// The product with such a label is exact and need not be fused.
func shortLoss(loss Loss, z, y float64) (phi, derivative float64, known bool) {
	if loss == Squared {
		r := z - y
		return float64(float64(0.5*r) * r), r, true
	}
	m := 1 - float64(y*z)
	if m < 0 {
		m = 0
	}
	return float64(float64(0.5*m) * m), -float64(y * m), y*y == 1
}

// shortHuber returns Huber's loss and derivative. Halving is exact unless phi underflows to 0.
func shortHuber(z, y, delta float64) (phi, derivative float64, known bool) {
	r := z - y
	c := max(-delta, min(delta, r))
	return float64((r-float64(0.5*c))*c) + 0, c, delta > 0 && delta <= math.MaxFloat64
}
