package kernels

import (
	"fmt"

	"github.com/lanes-go/lanes/asm"
)

// consecutive are the indices of rows that follow one another.
var consecutive = func() (list [256]uint32) {
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}()

// AddMatMul computes dst += A W for dense matrices stored row after row: A has inner
// columns, W inner rows and width columns, dst a row for each row of A. An element
// adds its terms one after the other, by fused multiply-add, in increasing order.
//
// Error: the lengths do not fit, or dst overlaps A or W. Cost: 2 inner flops an
// element of dst.
func AddMatMul(dst, a, w []float64, inner, width int) error {
	if err := matrices("AddMatMul", dst, a, w, inner, width, overlap(dst, a) || overlap(dst, w)); err != nil {
		return err
	}
	mul := asm.Active().Rows.Wide.Mul
	for len(dst) > 0 {
		for i := 0; i < inner; i += len(consecutive) {
			end := min(inner, i+len(consecutive))
			mul(dst[:width], consecutive[:end-i], a[i:end], w[i*width:])
		}
		dst, a = dst[width:], a[inner:]
	}
	return nil
}

// AddMatTransMul computes W += A'C for dense matrices stored row after row: A has
// inner columns, C as many rows as A and width columns, W inner rows and width
// columns. The rows of A and C count one after the other, by fused multiply-add.
//
// Error: the lengths do not fit, or W overlaps A or C. Cost: 2 inner flops an element
// of C.
func AddMatTransMul(w, a, c []float64, inner, width int) error {
	if err := matrices("AddMatTransMul", c, a, w, inner, width, overlap(w, a) || overlap(w, c)); err != nil {
		return err
	}
	add := asm.Active().Rows.Wide.Add
	for len(c) > 0 {
		for i := 0; i < inner; i += len(consecutive) {
			end := min(inner, i+len(consecutive))
			add(w[i*width:], consecutive[:end-i], a[i:end], c[:width])
		}
		c, a = c[width:], a[inner:]
	}
	return nil
}

// matrices checks three matrices of n x width, n x inner and inner x width elements,
// of which the result may not overlap the others.
func matrices(kernel string, long, a, w []float64, inner, width int, overlaps bool) error {
	switch {
	case inner < 1 || width < 1:
		return fmt.Errorf("kernels.%s: the matrices have %d and %d columns; they must have 1 or more", kernel, inner, width)
	case len(long)%width != 0 || len(a)%inner != 0 || len(long)/width != len(a)/inner || len(w)%width != 0 || len(w)/width != inner:
		return fmt.Errorf("kernels.%s: %d, %d and %d elements do not fit matrices of %d and %d columns", kernel, len(long), len(a), len(w), inner, width)
	case overlaps:
		return fmt.Errorf("kernels.%s: the result overlaps one of the other matrices", kernel)
	}
	return nil
}
