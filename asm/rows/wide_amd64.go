//go:build !purego

package rows

// wideFar is how many elements a matrix has at least for which MulRows and AddRows ask the
// memory for rows of it ahead: which rows come next is nothing that the hardware foresees.
// Measured on a Zen 5, 105 columns and 40 MB of w: 61 ns an entry of AddRows without, 20 with,
// and 45 and 18 of MulRows; 32 columns or fewer come soon enough, and within the second cache
// it costs a fifth. The assembly reads it.
var wideFar int64 = 1 << 19

var wideAVX2 = WideKernels{
	Mul:    wideMulAVX2,
	Add:    wideAddAVX2,
	MatMul: matMulTo(false),
	MulRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: wideMulRowsI32F64AVX2, I32F32: wideMulRowsI32F32AVX2, I32Ones: wideMulRowsI32OnesAVX2,
		I32Decimals: wideMulRowsI32DecimalsAVX2, I32Codes: wideMulRowsI32CodesAVX2,
		I16F64: wideMulRowsI16F64AVX2, I16F32: wideMulRowsI16F32AVX2, I16Ones: wideMulRowsI16OnesAVX2,
		I16Decimals: wideMulRowsI16DecimalsAVX2, I16Codes: wideMulRowsI16CodesAVX2,
	},
	AddRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: wideAddRowsI32F64AVX2, I32F32: wideAddRowsI32F32AVX2, I32Ones: wideAddRowsI32OnesAVX2,
		I32Decimals: wideAddRowsI32DecimalsAVX2, I32Codes: wideAddRowsI32CodesAVX2,
		I16F64: wideAddRowsI16F64AVX2, I16F32: wideAddRowsI16F32AVX2, I16Ones: wideAddRowsI16OnesAVX2,
		I16Decimals: wideAddRowsI16DecimalsAVX2, I16Codes: wideAddRowsI16CodesAVX2,
	},
}

//go:noescape
func wideMulAVX2(dst []float64, idx []uint32, val, w []float64)

//go:noescape
func wideAddAVX2(w []float64, idx []uint32, val, c []float64)

//go:noescape
func wideMulRowsI32F64AVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32F32AVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32OnesAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32DecimalsAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32CodesAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F64AVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F32AVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16OnesAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16DecimalsAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16CodesAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideAddRowsI32F64AVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32F32AVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32OnesAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32DecimalsAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32CodesAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16F64AVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16F32AVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16OnesAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16DecimalsAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16CodesAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

// wideAVX512 differs from AVX2 in products with whole registers or many columns, where w
// lies in the caches. Measured on a Zen 5, with w in the first cache level: 0.62 ns an entry
// at 16 columns, 0.82 with AVX2; at 105 columns in the second 7.0 and 8.1. Other widths are
// as fast with AVX2 or faster; so are matrices from wideFar on (105 columns and 40 MB of w: 18
// ns with AVX2, which fetches ahead, 23 with AVX-512 if it does too), and the transposed
// products, bound by what they write.
var wideAVX512 = WideKernels{
	Mul:    wideMulAVX2,
	Add:    wideAddAVX2,
	MatMul: matMulTo(true),
	MulRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI32F64AVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI32F64AVX2(dst, m, list, first, width, w)
			}
		},
		I32F32: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI32F32AVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI32F32AVX2(dst, m, list, first, width, w)
			}
		},
		I32Ones: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI32OnesAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI32OnesAVX2(dst, m, list, first, width, w)
			}
		},
		I32Decimals: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI32DecimalsAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI32DecimalsAVX2(dst, m, list, first, width, w)
			}
		},
		I32Codes: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI32CodesAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI32CodesAVX2(dst, m, list, first, width, w)
			}
		},
		I16F64: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI16F64AVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI16F64AVX2(dst, m, list, first, width, w)
			}
		},
		I16F32: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI16F32AVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI16F32AVX2(dst, m, list, first, width, w)
			}
		},
		I16Ones: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI16OnesAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI16OnesAVX2(dst, m, list, first, width, w)
			}
		},
		I16Decimals: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI16DecimalsAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI16DecimalsAVX2(dst, m, list, first, width, w)
			}
		},
		I16Codes: func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
			if manyColumns(width, len(w)) {
				wideMulRowsI16CodesAVX512(dst, m, list, first, width, w)
			} else {
				wideMulRowsI16CodesAVX2(dst, m, list, first, width, w)
			}
		},
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
func wideMulRowsI32F64AVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32F32AVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32OnesAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32DecimalsAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32CodesAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F64AVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F32AVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16OnesAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16DecimalsAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16CodesAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
