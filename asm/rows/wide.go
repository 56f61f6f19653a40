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

	// MulRows: dst[k*width+j] = fma(x, w[column*width+j], dst[k*width+j]) for the
	// entries of row k in order. dst does not overlap w.
	MulRows func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
	// AddRows: w[column*width+j] = fma(x, c[k*width+j], w[column*width+j]) for the
	// entries of all rows in order. w does not overlap c.
	AddRows func(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
}

var wideGeneric = WideKernels{
	MatMul: matMul,
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
