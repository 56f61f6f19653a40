package rows

import "math"

// WideKernels multiply a sparse vector with a matrix w of len(dst) or len(c)
// columns, stored row after row: entry e of the vector has the row idx[e] of w,
// which must be there. idx and val have one length.
type WideKernels struct {
	// Mul: dst[j] = fma(val[e], w[idx[e]*len(dst)+j], dst[j]), in increasing e.
	Mul func(dst []float64, idx []uint32, val, w []float64)
	// Add: w[idx[e]*len(c)+j] = fma(val[e], c[j], w[idx[e]*len(c)+j]), in
	// increasing e. w and c do not overlap.
	Add func(w []float64, idx []uint32, val, c []float64)
}

var wideGeneric = WideKernels{
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
