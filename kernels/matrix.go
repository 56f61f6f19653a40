package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes/asm/rows"
)

// AddMatMul computes dst += A W for dense matrices stored row after row: A has inner
// columns, W inner rows and width columns, dst a row for each row of A. An element
// adds its terms one after the other, by fused multiply-add, in increasing order.
//
// Error: the lengths do not fit, or dst overlaps A or W. Cost: 2 inner flops an
// element of dst.
func AddMatMul(dst, a, w []float64, inner, width int) error {
	return rows.AddMatMul(unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(w), len(dst), len(a), len(w), inner, width)
}

// AddGram adds the lower triangle of X' diag(c) X to dst, for a dense matrix X that is stored row
// after row: dst[a*d+b] += sum over i of c[i] X[i][a] X[i][b], for b <= a. The rest of dst stays.
// X has d columns and a row for each element of c; dst has d rows of d elements. An element adds
// fma(c[i]*X[i][a], X[i][b], element) in increasing i.
//
// Error: the lengths do not fit, or dst overlaps X or c. Cost: d(d+1) flops a row. It takes no
// memory but 300 KB that calls share.
func AddGram(dst, x, c []float64, d int) error { return rows.AddGram(dst, x, c, d) }

// AddMatTransMul computes W += A'C for dense matrices stored row after row: A has
// inner columns, C as many rows as A and width columns, W inner rows and width
// columns. The rows of A and C count one after the other, by fused multiply-add.
//
// Error: the lengths do not fit, or W overlaps A or C. Cost: 2 inner flops an element
// of C.
func AddMatTransMul(w, a, c []float64, inner, width int) error {
	return rows.AddMatTransMul(unsafe.SliceData(w), unsafe.SliceData(a), unsafe.SliceData(c), len(w), len(a), len(c), inner, width)
}
