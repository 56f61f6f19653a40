//go:build !purego

package asm

var rowsNEON = RowsKernels{
	Dot: [Layouts]func([]float64, *Rows, []uint32, int, []float64){
		I32F64: rowsDotI32F64NEON, I32F32: rowsDotI32F32NEON, I32Ones: rowsDotI32OnesNEON,
		I16F64: rowsDotI16F64NEON, I16F32: rowsDotI16F32NEON, I16Ones: rowsDotI16OnesNEON,
	},
	Dot2: [Layouts]func([]float64, []float64, *Rows, []uint32, int, []float64, []float64){
		I32F64: rowsDot2I32F64NEON, I32F32: rowsDot2I32F32NEON, I32Ones: rowsDot2I32OnesNEON,
		I16F64: rowsDot2I16F64NEON, I16F32: rowsDot2I16F32NEON, I16Ones: rowsDot2I16OnesNEON,
	},
	Add: [Layouts]func([]float64, *Rows, []uint32, int, []float64){
		I32F64: rowsAddI32F64NEON, I32F32: rowsAddI32F32NEON, I32Ones: rowsAddI32OnesNEON,
		I16F64: rowsAddI16F64NEON, I16F32: rowsAddI16F32NEON, I16Ones: rowsAddI16OnesNEON,
	},
}

//go:noescape
func rowsDotI32F64NEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32F32NEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32OnesNEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F64NEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F32NEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16OnesNEON(out []float64, m *Rows, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2I32F64NEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32F32NEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32OnesNEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F64NEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F32NEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16OnesNEON(out1, out2 []float64, m *Rows, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddI32F64NEON(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32F32NEON(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32OnesNEON(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F64NEON(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F32NEON(w []float64, m *Rows, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16OnesNEON(w []float64, m *Rows, list []uint32, first int, c []float64)
