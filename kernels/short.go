package kernels

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/asm/dense"
	"github.com/lanes-go/lanes/asm/element"
)

// One element, and of what only reads two, are done where the caller is: a call takes longer
// than they do. Go inlines a function with one other call at most, but takes the call of a
// parameter for less of one, and inlines what stands for it, too. So each of these has what
// does more elements as its last parameter. (The assembly itself, passed as a value, would
// have its arguments copied from registers to memory.)

func shortDot(x, y []float64, long func(x, y []float64) float64) (sum float64) {
	switch len(x) {
	case 2:
		sum += float64(x[1] * y[1]) // +0 where it is -0
		fallthrough
	case 1:
		return float64(x[0]*y[0]) + sum
	}
	return long(x, y)
}

func longDot(x, y []float64) float64 { return dense.Dot(x, unsafe.SliceData(y)) }

func shortSum(x []float64, long func(x []float64) float64) float64 {
	if len(x) < 3 {
		switch len(x) {
		case 1:
			return x[0] + 0
		case 2:
			return x[0] + x[1] + 0
		}
	}
	return long(x)
}

func longSum(x []float64) float64 { return dense.Sum(x) }

// One element overlaps another or does not.
func shortAxpy(a float64, x, y []float64, long func(a float64, x, y []float64) error) error {
	if len(x) == 1 && len(y) == 1 {
		y[0] = math.FMA(a, x[0], y[0])
		return nil
	}
	return long(a, x, y)
}

func longAxpy(a float64, x, y []float64) error {
	return dense.Axpy(a, unsafe.SliceData(x), unsafe.SliceData(y), len(x), len(y))
}

func shortScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64, long func(dst []float64, a float64, x []float64, b float64, y []float64) error) error {
	if len(dst) == 1 && len(x) == 1 && len(y) == 1 {
		dst[0] = math.FMA(a, x[0], float64(b*y[0]))
		return nil
	}
	return long(dst, a, x, b, y)
}

func longScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64) error {
	return dense.ScaleAdd(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), a, b, len(dst), len(x), len(y))
}

func shortMul(dst, x, y []float64, long func(dst, x, y []float64) error) error {
	if len(dst) == 1 && len(x) == 1 && len(y) == 1 {
		dst[0] = x[0] * y[0]
		return nil
	}
	return long(dst, x, y)
}

func longMul(dst, x, y []float64) error {
	return dense.Mul(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst), len(x), len(y))
}

func shortSparseDotOnes[I Index](idx []I, w []float64, long func() (float64, error)) (sum float64, err error) {
	if len(idx) == 1 && int(idx[0]) < len(w) {
		sum = w[idx[0]] + 0
	} else {
		sum, err = long()
	}
	return
}

func shortPositions(dst []uint32, s []float64, t float64, few func(dst *uint32, s []float64, t float64) int, long func(dst []uint32, s []float64, t float64) (int, error)) (number int, err error) {
	if len(s) < 5 && len(s) <= len(dst) {
		number = few(unsafe.SliceData(dst), s, t)
	} else {
		number, err = long(dst, s, t)
	}
	return
}

func longPositions(dst []uint32, s []float64, t float64) (number int, err error) {
	number, err = element.PositionsAbove(unsafe.SliceData(dst), unsafe.SliceData(s), t, len(s), len(dst))
	return
}
