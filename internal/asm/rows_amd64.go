//go:build !purego

package asm

var rowsAVX2 = RowsKernels{
	Dot: [Layouts]func([]float64, *Rows, []uint32, int, []float64){
		I32F64: rowsDotI32F64AVX2, I32F32: rowsDotI32F32AVX2, I32Ones: rowsDotI32OnesAVX2,
		I16F64: rowsDotI16F64AVX2, I16F32: rowsDotI16F32AVX2, I16Ones: rowsDotI16OnesAVX2,
	},
	Dot2: [Layouts]func([]float64, []float64, *Rows, []uint32, int, []float64, []float64){
		I32F64: rowsDot2I32F64AVX2, I32F32: rowsDot2I32F32AVX2, I32Ones: rowsDot2I32OnesAVX2,
		I16F64: rowsDot2I16F64AVX2, I16F32: rowsDot2I16F32AVX2, I16Ones: rowsDot2I16OnesAVX2,
	},
	Add: [Layouts]func([]float64, *Rows, []uint32, int, []float64){
		I32F64: rowsAddI32F64AVX2, I32F32: rowsAddI32F32AVX2, I32Ones: rowsAddI32OnesAVX2,
		I16F64: rowsAddI16F64AVX2, I16F32: rowsAddI16F32AVX2, I16Ones: rowsAddI16OnesAVX2,
	},
}

//go:noescape
func rowsDotI32F64AVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32F32AVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32OnesAVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F64AVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F32AVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16OnesAVX2(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2I32F64AVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32F32AVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32OnesAVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F64AVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F32AVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16OnesAVX2(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddI32F64AVX2(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32F32AVX2(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32OnesAVX2(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F64AVX2(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F32AVX2(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16OnesAVX2(w []float64, m *Rows, list []uint32, first int, c []float64)
