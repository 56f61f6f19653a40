package vector

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// Scale writes a x[i] to dst[i]. dst may be x; otherwise the two may not overlap.
//
// Error: dst and x differ in length, or overlap without being the same slice; dst is as before then.
// Cost: n flops, 4n bytes read, 4n written.
func Scale(dst []float32, a float32, x []float32) error {
	if err := operand("Scale", dst, "x", x); err != nil {
		return err
	}
	vector.Scale(dst, a, x)
	return nil
}

// Add writes x[i] + y[i] to dst[i]. dst may be x or y; otherwise it may overlap neither.
//
// Error: lengths differ, or dst overlaps an operand without being the same slice; dst is as before
// then. Cost: n flops, 8n bytes read, 4n written.
func Add(dst, x, y []float32) error {
	if err := twoOperands("Add", dst, x, y); err != nil {
		return err
	}
	vector.Add(dst, x, y)
	return nil
}

// Sub writes x[i] - y[i] to dst[i]. Slices, errors and cost are as in Add.
func Sub(dst, x, y []float32) error {
	if err := twoOperands("Sub", dst, x, y); err != nil {
		return err
	}
	vector.Sub(dst, x, y)
	return nil
}

// Mul writes x[i] y[i] to dst[i]. Slices, errors and cost are as in Add.
func Mul(dst, x, y []float32) error {
	if err := twoOperands("Mul", dst, x, y); err != nil {
		return err
	}
	vector.Mul(dst, x, y)
	return nil
}

// MulAdd writes x[i] y[i] + z[i], rounded once, to dst[i]. dst may be one of the others; otherwise
// it may overlap none.
//
// Error: as in Add. Cost: 2n flops, 12n bytes read, 4n written.
func MulAdd(dst, x, y, z []float32) error {
	if err := twoOperands("MulAdd", dst, x, y); err != nil {
		return err
	}
	if err := operand("MulAdd", dst, "z", z); err != nil {
		return err
	}
	vector.MulAdd(dst, x, y, z)
	return nil
}

// AddScaled writes a x[i] + y[i], rounded once, to dst[i]: axpy, where dst is y. dst may be x or y;
// otherwise it may overlap neither.
//
// Error: as in Add. Cost: 2n flops, 8n bytes read, 4n written.
func AddScaled(dst []float32, a float32, x, y []float32) error {
	if err := twoOperands("AddScaled", dst, x, y); err != nil {
		return err
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
	if err := operand("Clamp", dst, "x", x); err != nil {
		return err
	}
	if !(lo <= hi) {
		return fmt.Errorf("vector.Clamp: lo is %v and hi is %v; lo <= hi must hold", lo, hi)
	}
	vector.Clamp(dst, x, lo, hi)
	return nil
}

// operand checks that dst and an operand have one length, and are one slice or do not overlap.
func operand(function string, dst []float32, name string, x []float32) error {
	if len(dst) != len(x) {
		return fmt.Errorf("vector.%s: dst has %d elements and %s has %d; lengths must be equal", function, len(dst), name, len(x))
	}
	if unsafe.SliceData(dst) != unsafe.SliceData(x) && arguments.Overlap(dst, x) {
		return fmt.Errorf("vector.%s: dst and %s overlap without being the same slice", function, name)
	}
	return nil
}

func twoOperands(function string, dst, x, y []float32) error {
	if err := operand(function, dst, "x", x); err != nil {
		return err
	}
	return operand(function, dst, "y", y)
}
