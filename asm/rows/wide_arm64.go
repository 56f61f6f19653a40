//go:build !purego

package rows

var wideNEON = WideKernels{
	Mul:    wideMulNEON,
	Add:    wideAddNEON,
	MatMul: matMulFrom(wideMulNEON, wideAddNEON),
	MulRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: wideMulRowsI32F64NEON, I32F32: wideMulRowsI32F32NEON, I32Ones: wideMulRowsI32OnesNEON,
		I32Decimals: wideMulRowsI32DecimalsNEON, I32Codes: wideMulRowsI32CodesNEON,
		I16F64: wideMulRowsI16F64NEON, I16F32: wideMulRowsI16F32NEON, I16Ones: wideMulRowsI16OnesNEON,
		I16Decimals: wideMulRowsI16DecimalsNEON, I16Codes: wideMulRowsI16CodesNEON,
	},
	AddRows: [Layouts]func([]float64, *Matrix, []uint32, int, int, []float64){
		I32F64: wideAddRowsI32F64NEON, I32F32: wideAddRowsI32F32NEON, I32Ones: wideAddRowsI32OnesNEON,
		I32Decimals: wideAddRowsI32DecimalsNEON, I32Codes: wideAddRowsI32CodesNEON,
		I16F64: wideAddRowsI16F64NEON, I16F32: wideAddRowsI16F32NEON, I16Ones: wideAddRowsI16OnesNEON,
		I16Decimals: wideAddRowsI16DecimalsNEON, I16Codes: wideAddRowsI16CodesNEON,
	},
}

//go:noescape
func wideMulNEON(dst []float64, idx []uint32, val, w []float64)

//go:noescape
func wideAddNEON(w []float64, idx []uint32, val, c []float64)

//go:noescape
func wideMulRowsI32F64NEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32F32NEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32OnesNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32DecimalsNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI32CodesNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F64NEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16F32NEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16OnesNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16DecimalsNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideMulRowsI16CodesNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)

//go:noescape
func wideAddRowsI32F64NEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32F32NEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32OnesNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32DecimalsNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI32CodesNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16F64NEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16F32NEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16OnesNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16DecimalsNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)

//go:noescape
func wideAddRowsI16CodesNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
