package rows

import "math"

// WideKernels multiply with a dense matrix w, which is stored row after row.
//
// MulRows and AddRows take selected rows of a sparse matrix. w has a row for each column of m,
// and width columns, 1 or more; dst or c has a row of width elements for each selected row. An
// element adds the row's entries one after the other, whatever the layout: the values of Ones
// are Scale[row], or 1.
type WideKernels struct {
	// MatMul multiplies dense matrices: dst[i*width+j] = fma(a[i*rowStep+k*termStep],
	// w[k*width+j], dst[i*width+j]) for k < inner, in increasing k, and i < rows. dst
	// overlaps neither a nor w.
	MatMul func(dst, a, w []float64, rows, inner, width, rowStep, termStep int)
	// Gram adds rows low to high-1 of the lower triangle of X' diag(c) X, for the dense rows of x
	// that begin stride elements apart: dst[(a-low)*next+b] = fma(c[k]*x[k*stride+a],
	// x[k*stride+b], dst[(a-low)*next+b]) for b <= a, in increasing k. What is above the
	// diagonal stays. dst does not overlap x or c. Columns are less than high <= stride, next.
	Gram func(dst []float64, next int, x []float64, stride int, c []float64, low, high int)

	// MulRows: dst[k*width+j] = fma(x, w[column*width+j], dst[k*width+j]) for the
	// entries of row k in order. dst does not overlap w.
	MulRows func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
	// AddRows: w[column*width+j] = fma(x, c[k*width+j], w[column*width+j]) for the
	// entries of all rows in order. w does not overlap c.
	AddRows func(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
}

var wideGeneric = WideKernels{
	MatMul: matMul,
	Gram:   gram,
	MulRows: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
		for k := range len(dst) / width {
			i := rowOf(list, first, k)
			out := dst[k*width:][:width]
			for e := m.Begin[i]; e < m.End[i]; e++ {
				x := m.Value(i, e)
				for j, v := range w[m.Column(e)*width:][:width] {
					out[j] = math.FMA(x, v, out[j])
				}
			}
		}
	},
	AddRows: func(w []float64, m *Matrix, list []uint32, first, width int, c []float64) {
		for k := range len(c) / width {
			i := rowOf(list, first, k)
			in := c[k*width:][:width]
			for e := m.Begin[i]; e < m.End[i]; e++ {
				x, row := m.Value(i, e), w[m.Column(e)*width:][:width]
				for j, v := range in {
					row[j] = math.FMA(x, v, row[j])
				}
			}
		}
	},
}
