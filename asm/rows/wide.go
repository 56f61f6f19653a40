package rows

import "math"

// WideKernels multiply sparse vectors, and MatMul a dense matrix, with a dense matrix w,
// which is stored row after row.
//
// Mul and Add take one vector: entry e has the row idx[e] of w, which must be there. w
// has len(dst) or len(c) columns. idx and val have one length.
//
// MulRows and AddRows take selected rows of a sparse matrix, one entry a layout. w has a
// row for each column of m, and width columns, 1 or more; dst or c has a row of width
// elements for each selected row. An element adds the row's entries one after the
// other, whatever the layout: the values of Ones are Scale[row], or 1.
type WideKernels struct {
	// Mul: dst[j] = fma(val[e], w[idx[e]*len(dst)+j], dst[j]), in increasing e.
	Mul func(dst []float64, idx []uint32, val, w []float64)
	// Add: w[idx[e]*len(c)+j] = fma(val[e], c[j], w[idx[e]*len(c)+j]), in
	// increasing e. w and c do not overlap.
	Add func(w []float64, idx []uint32, val, c []float64)

	// MatMul multiplies dense matrices: dst[i*width+j] = fma(a[i*rowStep+k*termStep],
	// w[k*width+j], dst[i*width+j]) for k < inner, in increasing k, and i < rows. dst
	// overlaps neither a nor w.
	MatMul func(dst, a, w []float64, rows, inner, width, rowStep, termStep int)

	// MulRows: dst[k*width+j] = fma(x, w[column*width+j], dst[k*width+j]) for the
	// entries of row k in order. dst does not overlap w.
	MulRows [Layouts]func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
	// AddRows: w[column*width+j] = fma(x, c[k*width+j], w[column*width+j]) for the
	// entries of all rows in order. w does not overlap c.
	AddRows [Layouts]func(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
}

var wideGeneric = WideKernels{
	MatMul: matMul,
	MulRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: mulWide32, I32F32: mulWide32, I32Ones: mulWide32, I32Decimals: mulWide32, I32Codes: mulWide32,
		I16F64: mulWide16, I16F32: mulWide16, I16Ones: mulWide16, I16Decimals: mulWide16, I16Codes: mulWide16,
	},
	AddRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: addWide32, I32F32: addWide32, I32Ones: addWide32, I32Decimals: addWide32, I32Codes: addWide32,
		I16F64: addWide16, I16F32: addWide16, I16Ones: addWide16, I16Decimals: addWide16, I16Codes: addWide16,
	},
	Mul: func(dst []float64, idx []uint32, val, w []float64) {
		for e, x := range val {
			at := int(idx[e]) * len(dst)
			row := w[at : at+len(dst)]
			for j, v := range row {
				dst[j] = math.FMA(x, v, dst[j])
			}
		}
	},
	Add: func(w []float64, idx []uint32, val, c []float64) {
		for e, x := range val {
			at := int(idx[e]) * len(c)
			row := w[at : at+len(c)]
			for j, v := range c {
				row[j] = math.FMA(x, v, row[j])
			}
		}
	},
}
