package vector

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes/asm/vector"
)

// Scale writes a x[i] to dst[i]. dst may be x; otherwise the two may not overlap.
//
// Error: dst and x differ in length, or overlap without being the same slice; dst is as before then.
// Cost: n flops, 4n bytes read, 4n written.
func Scale(dst []float32, a float32, x []float32) error {
	if !fits(dst, x) {
		return misfit("Scale", dst, "x", x)
	}
	vector.Scale(dst, a, x)
	return nil
}

// Add writes x[i] + y[i] to dst[i]. dst may be x or y; otherwise it may overlap neither.
//
// Error: lengths differ, or dst overlaps an operand without being the same slice; dst is as before
// then. Cost: n flops, 8n bytes read, 4n written.
func Add(dst, x, y []float32) error {
	if !fits(dst, x) || !fits(dst, y) {
		return misfits("Add", dst, x, y)
	}
	vector.Add(dst, x, y)
	return nil
}

// Sub writes x[i] - y[i] to dst[i]. Slices, errors and cost are as in Add.
func Sub(dst, x, y []float32) error {
	if !fits(dst, x) || !fits(dst, y) {
		return misfits("Sub", dst, x, y)
	}
	vector.Sub(dst, x, y)
	return nil
}

// Mul writes x[i] y[i] to dst[i]. Slices, errors and cost are as in Add.
func Mul(dst, x, y []float32) error {
	if !fits(dst, x) || !fits(dst, y) {
		return misfits("Mul", dst, x, y)
	}
	vector.Mul(dst, x, y)
	return nil
}

// MulAdd writes x[i] y[i] + z[i], rounded once, to dst[i]. dst may be one of the others; otherwise
// it may overlap none.
//
// Error: as in Add. Cost: 2n flops, 12n bytes read, 4n written.
func MulAdd(dst, x, y, z []float32) error {
	if !fits(dst, x) || !fits(dst, y) {
		return misfits("MulAdd", dst, x, y)
	}
	if !fits(dst, z) {
		return misfit("MulAdd", dst, "z", z)
	}
	vector.MulAdd(dst, x, y, z)
	return nil
}

// AddScaled writes a x[i] + y[i], rounded once, to dst[i]: axpy, where dst is y. dst may be x or y;
// otherwise it may overlap neither.
//
// Error: as in Add. Cost: 2n flops, 8n bytes read, 4n written.
func AddScaled(dst []float32, a float32, x, y []float32) error {
	if !fits(dst, x) || !fits(dst, y) {
		return misfits("AddScaled", dst, x, y)
	}
	vector.AddScaled(dst, a, x, y)
	return nil
}

// Clamp writes x[i] to dst[i], or lo where it is below lo, or hi where it is above hi. NaN stays NaN,
// and a zero keeps its sign. dst may be x; otherwise the two may not overlap. lo and hi may be
// infinite.
//
// Error: dst and x differ in length, or overlap without being the same slice, or lo <= hi does not
// hold; dst is as before then. Cost: 2n operations, 4n bytes read, 4n written.
func Clamp(dst, x []float32, lo, hi float32) error {
	if !fits(dst, x) {
		return misfit("Clamp", dst, "x", x)
	}
	if !(lo <= hi) {
		return fmt.Errorf("vector.Clamp: lo is %v and hi is %v; lo <= hi must hold", lo, hi)
	}
	vector.Clamp(dst, x, lo, hi)
	return nil
}

// fits tells whether dst and an operand have one length, and are one slice or do not overlap.
func fits(dst, x []float32) bool {
	gap, bytes := address(dst)-address(x), uintptr(len(dst))*4
	return len(dst) == len(x) && (gap == 0 || gap >= bytes && -gap >= bytes)
}

func address(x []float32) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }

// misfit is the error for an operand that does not fit dst.
func misfit(function string, dst []float32, name string, x []float32) error {
	if len(dst) != len(x) {
		return fmt.Errorf("vector.%s: dst has %d elements and %s has %d; lengths must be equal", function, len(dst), name, len(x))
	}
	return fmt.Errorf("vector.%s: dst and %s overlap without being the same slice", function, name)
}

// misfits is the error for x and y, one of which does not fit dst.
func misfits(function string, dst, x, y []float32) error {
	if !fits(dst, x) {
		return misfit(function, dst, "x", x)
	}
	return misfit(function, dst, "y", y)
}
