package vector

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/asm/vector"
)

// Quantise writes the int8 that stands for x[i] to dst[i]: x[i]/scale, rounded to float32 and then to
// an integer, half to even, plus zero. A sum beyond int8 is -128 or 127, as for an infinite x[i]. NaN
// becomes zero, as 0 does: Max(x) tells whether there is a NaN.
//
// Error: dst and x differ in length or overlap, or scale is not finite and above 0; dst is as before
// then. Cost: n divisions and 3n operations, 4n bytes read, n written.
func Quantise(dst []int8, x []float32, scale float32, zero int8) error {
	if !apart(dst, x) || !isScale(scale) {
		return unconverted("Quantise", dst, x, scale)
	}
	vector.Quantise(dst, x, scale, zero)
	return nil
}

// Dequantise writes the number that x[i] stands for to dst[i]: x[i] - zero times scale, rounded once.
//
// Error: as in Quantise. Cost: 2n operations, n bytes read, 4n written.
func Dequantise(dst []float32, x []int8, scale float32, zero int8) error {
	if !apart(dst, x) || !isScale(scale) {
		return unconverted("Dequantise", dst, x, scale)
	}
	vector.Dequantise(dst, x, scale, zero)
	return nil
}

// ToFloat16 writes x[i] in half precision to dst[i] (IEEE 754 binary16), rounded to nearest, half to
// even: infinite from 65,520 on, subnormal below 2^-14, and 0 up to 2^-25. A NaN becomes quiet, and
// keeps its sign and the first ten bits of its payload.
//
// Error: dst and x differ in length or overlap; dst is as before then. Cost: an operation an element,
// 4n bytes read, 2n written.
func ToFloat16(dst []uint16, x []float32) error {
	if !apart(dst, x) {
		return unconverted("ToFloat16", dst, x, 1)
	}
	vector.ToFloat16(dst, x)
	return nil
}

// FromFloat16 writes the number of half precision x[i] to dst[i], exactly. A NaN becomes quiet, and
// keeps its sign and payload. Errors are as in ToFloat16. Cost: an operation an element, 2n bytes
// read, 4n written.
func FromFloat16(dst []float32, x []uint16) error {
	if !apart(dst, x) {
		return unconverted("FromFloat16", dst, x, 1)
	}
	vector.FromFloat16(dst, x)
	return nil
}

// ToBFloat16 writes x[i] as bfloat16 to dst[i], the first 16 bits of a float32, rounded to nearest,
// half to even: infinite from 2^128 - 2^119 on, and subnormal numbers as others. A NaN becomes quiet,
// and keeps its sign and the first seven bits of its payload. Errors are as in ToFloat16.
//
// Cost: 5 operations an element, 4n bytes read, 2n written.
func ToBFloat16(dst []uint16, x []float32) error {
	if !apart(dst, x) {
		return unconverted("ToBFloat16", dst, x, 1)
	}
	vector.ToBFloat16(dst, x)
	return nil
}

// FromBFloat16 writes the bfloat16 x[i] to dst[i], bit for bit. Errors are as in ToFloat16. Cost: an
// operation an element, 2n bytes read, 4n written.
func FromBFloat16(dst []float32, x []uint16) error {
	if !apart(dst, x) {
		return unconverted("FromBFloat16", dst, x, 1)
	}
	vector.FromBFloat16(dst, x)
	return nil
}

// apart tells whether dst and x have one length and do not overlap.
func apart[D, X any](dst []D, x []X) bool {
	d, from := uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	n := uintptr(len(x))
	return len(dst) == len(x) && (d-from >= n*unsafe.Sizeof(*new(X)) && from-d >= n*unsafe.Sizeof(*new(D)))
}

func isScale(scale float32) bool { return scale > 0 && scale <= math.MaxFloat32 }

// unconverted is the error for slices that are not apart, or for a number that is no scale.
func unconverted[D, X any](function string, dst []D, x []X, scale float32) error {
	switch {
	case len(dst) != len(x):
		return fmt.Errorf("vector.%s: dst has %d elements and x has %d; lengths must be equal", function, len(dst), len(x))
	case !isScale(scale):
		return fmt.Errorf("vector.%s: scale is %v; it must be finite and above 0", function, scale)
	}
	return fmt.Errorf("vector.%s: dst and x overlap", function)
}
