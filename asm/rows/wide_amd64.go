//go:build !purego

package rows

// wideFar is how many elements a matrix has at least for which MulRows and AddRows ask the
// memory for rows of it ahead: which rows come next is nothing that the hardware foresees.
// Measured on a Zen 5, 105 columns and 40 MB of w: 61 ns an entry of AddRows without, 20 with,
// and 45 and 18 of MulRows; 32 columns or fewer come soon enough, and within the second cache
// it costs a fifth. The assembly reads it.
var wideFar int64 = 1 << 19

var wideAVX2 = WideKernels{
	MatMul:  matMulTo(false),
	Gram:    packedAVX2.gram,
	MulRows: wideMulRowsAVX2,
	AddRows: wideAddRowsAVX2,
}

//go:noescape
func wideMulRowsAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideAddRowsAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

// wideAVX512 differs from AVX2 in products with whole registers or many columns, where w
// lies in the caches. Measured on a Zen 5, with w in the first cache level: 0.62 ns an entry
// at 16 columns, 0.82 with AVX2; at 105 columns in the second 7.0 and 8.1. Other widths are
// as fast with AVX2 or faster; so are matrices from wideFar on (105 columns and 40 MB of w: 18
// ns with AVX2, which fetches ahead, 23 with AVX-512 if it does too), and the transposed
// products, bound by what they write.
var wideAVX512 = WideKernels{
	MatMul: matMulTo(true),
	Gram:   packedAVX512.gram,
	MulRows: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
		if manyColumns(width, len(w)) {
			wideMulRowsAVX512(dst, m, list, first, width, w)
		} else {
			wideMulRowsAVX2(dst, m, list, first, width, w)
		}
	},
	AddRows: wideAVX2.AddRows,
}

func manyColumns(width, elements int) bool {
	if width > 32 {
		return int64(elements) < wideFar
	}
	return width%8 == 0
}

//go:noescape
func wideMulRowsAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
