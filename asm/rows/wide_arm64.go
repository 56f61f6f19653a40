//go:build !purego

package rows

import "unsafe"

var wideNEON = WideKernels{
	MatMul:  matMulNEON,
	Gram:    packedNEON.gram,
	MulRows: wideMulRowsNEON,
	AddRows: wideAddRowsNEON,
}

// matMulNEON multiplies by the kernels of sparse vectors, whose indices are consecutive then.
func matMulNEON(dst, a, w []float64, rows, inner, width, rowStep, termStep int) {
	const most = len(consecutive)
	switch {
	case termStep == 1:
		for i := range rows {
			for k := 0; k < inner; k += most {
				end := min(inner, k+most)
				wideMulNEON(dst[i*width:][:width], consecutive[:end-k], a[i*rowStep+k:][:end-k], w[k*width:])
			}
		}
	case rowStep == 1:
		for k := range inner {
			for i := 0; i < rows; i += most {
				end := min(rows, i+most)
				wideAddNEON(dst[i*width:], consecutive[:end-i], a[k*termStep+i:][:end-i], w[k*width:][:width])
			}
		}
	default:
		matMul(dst, a, w, rows, inner, width, rowStep, termStep)
	}
}

var packedNEON = packedWays{16, tileNEON, packRows, packColumns}

// packRows copies what packedWays.rows copies.
func packRows(dst, x []float64, rows, stride, cols int) {
	for k := range rows {
		copy(dst[k*cols:][:cols], x[k*stride:])
	}
}

// tileNEON is a tileFunc for columns of w that lie one after the other, and terms of a too.
func tileNEON(dst, a, w *float64, rows, inner, cols, next, _, rowStep, _ int) {
	to, from, columns := unsafe.Slice(dst, (rows-1)*next+cols), unsafe.Slice(a, (rows-1)*rowStep+inner), unsafe.Slice(w, inner*cols)
	for i := range rows {
		wideMulNEON(to[i*next:][:cols], consecutive[:inner], from[i*rowStep:][:inner], columns)
	}
}

var consecutive = func() (list [256]uint32) {
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}()

// wideMulNEON computes dst[j] = fma(val[e], w[idx[e]*len(dst)+j], dst[j]), in increasing e.
//
//go:noescape
func wideMulNEON(dst []float64, idx []uint32, val, w []float64)

// wideAddNEON computes w[idx[e]*len(c)+j] = fma(val[e], c[j], w[idx[e]*len(c)+j]), in
// increasing e.
//
//go:noescape
func wideAddNEON(w []float64, idx []uint32, val, c []float64)

//go:noescape
func wideMulRowsNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideAddRowsNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
