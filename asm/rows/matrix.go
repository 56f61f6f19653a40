package rows

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// A matMulFunc is WideKernels.MatMul.
type matMulFunc func(dst, a, w []float64, rows, inner, width, rowStep, termStep int)

func matMul(dst, a, w []float64, rows, inner, width, rowStep, termStep int) {
	for i := range rows {
		sums := dst[i*width:][:width]
		for k := range inner {
			x := a[i*rowStep+k*termStep]
			for j, v := range w[k*width:][:width] {
				sums[j] = math.FMA(x, v, sums[j])
			}
		}
	}
}

// The entry points of package kernels to MatMul: they check, and call the kernel of the active
// path.

// AddMatMul computes dst += A W for matrices of nd, na and nw elements. Pointers and lengths fit
// into registers; slices would not.
func AddMatMul(dst, a, w *float64, nd, na, nw, inner, width int) error {
	if (nd^1)|(na^1)|(nw^1)|(inner^1)|(width^1) == 0 && apart(dst, a) && apart(dst, w) {
		*dst = math.FMA(*a, *w, *dst)
		return nil
	}
	n, fit := rowsOf(nd, na, nw, inner, width)
	if !fit || n > 0 && (arguments.Meet(dst, nd, a, na) || arguments.Meet(dst, nd, w, nw)) {
		return matricesError("AddMatMul", nd, na, nw, inner, width)
	}
	switch {
	case uint(n-1) < fewRows && nw <= fewElements:
		matMulFew(dst, a, w, n, inner, width, width, width, inner, 1)
	case n > 0:
		matMulOfPath(dst, a, w, n, inner, width, inner, 1)
	}
	return nil
}

// AddMatTransMul is W += A'C.
func AddMatTransMul(w, a, c *float64, nw, na, nc, inner, width int) error {
	if (nw^1)|(na^1)|(nc^1)|(inner^1)|(width^1) == 0 && apart(w, a) && apart(w, c) {
		*w = math.FMA(*a, *c, *w)
		return nil
	}
	n, fit := rowsOf(nc, na, nw, inner, width)
	if !fit || n > 0 && (arguments.Meet(w, nw, a, na) || arguments.Meet(w, nw, c, nc)) {
		return matricesError("AddMatTransMul", nc, na, nw, inner, width)
	}
	switch {
	case uint(n-1) < fewRows && nw <= fewElements:
		matMulFew(w, a, c, inner, n, width, width, width, 1, inner)
	case n > 0:
		matMulOfPath(w, a, c, inner, n, width, 1, inner)
	}
	return nil
}

// AddGram adds the lower triangle of X' diag(c) X to dst, for rows of d columns.
func AddGram(dst, x, c []float64, d int) error {
	size, square := bits.Mul(uint(d), uint(d))
	high, all := bits.Mul(uint(len(c)), uint(d))
	if d < 1 || size|high != 0 || square != uint(len(dst)) || all != uint(len(x)) {
		return fmt.Errorf("kernels.AddGram: %d, %d and %d elements do not fit a matrix of %d columns, and its Gram matrix", len(dst), len(x), len(c), d)
	}
	if arguments.Overlap(dst, x) || arguments.Overlap(dst, c) {
		return errors.New("kernels.AddGram: the result overlaps the matrix or the factors")
	}
	if len(c) > 0 {
		Paths[path.Load()].Wide.Gram(dst, d, x, d, c, 0, d)
	}
	return nil
}

// Products of at most this many rows and elements take a shorter path.
const (
	fewRows     = 8
	fewElements = 48
)

// apart tells that two numbers share no byte.
func apart(p, q *float64) bool {
	return uintptr(unsafe.Pointer(p))-uintptr(unsafe.Pointer(q))+7 >= 15
}

// rowsOf returns n if the lengths fit matrices of n x width, n x inner and inner x width elements.
func rowsOf(long, a, w, inner, width int) (n int, fit bool) {
	if inner < 1 || width < 1 {
		return 0, false
	}
	if high, elements := bits.Mul(uint(inner), uint(width)); high != 0 || elements != uint(w) {
		return 0, false
	}
	if uint64(a|inner)>>32 == 0 {
		n = int(uint32(a) / uint32(inner)) // a division of 64 bits takes longer
	} else {
		n = a / inner
	}
	return n, n*inner == a && n*width == long
}

// matricesError says what was wrong.
func matricesError(kernel string, long, a, w, inner, width int) error {
	switch {
	case inner < 1 || width < 1:
		return fmt.Errorf("kernels.%s: the matrices have %d and %d columns; they must have 1 or more", kernel, inner, width)
	case long%width != 0 || a%inner != 0 || long/width != a/inner || w%width != 0 || w/width != inner:
		return fmt.Errorf("kernels.%s: %d, %d and %d elements do not fit matrices of %d and %d columns", kernel, long, a, w, inner, width)
	}
	return fmt.Errorf("kernels.%s: the result overlaps one of the other matrices", kernel)
}
