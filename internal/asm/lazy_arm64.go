//go:build !purego

package asm

import "unsafe"

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyNEON = LazyKernels{
	Dot: [Layouts]func([]float64, []float64, *Rows, []uint32, []uint32, []Record, float64){
		I32F64: lazyDotI32F64NEON, I32F32: lazyDotI32F32NEON, I32Ones: lazyDotI32OnesNEON,
		I16F64: lazyDotI16F64NEON, I16F32: lazyDotI16F32NEON, I16Ones: lazyDotI16OnesNEON,
	},
	AddU: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64){
		I32F64: lazyAddUI32F64NEON, I32F32: lazyAddUI32F32NEON, I32Ones: lazyAddUI32OnesNEON,
		I16F64: lazyAddUI16F64NEON, I16F32: lazyAddUI16F32NEON, I16Ones: lazyAddUI16OnesNEON,
	},
	AddS: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64){
		I32F64: lazyAddSI32F64NEON, I32F32: lazyAddSI32F32NEON, I32Ones: lazyAddSI32OnesNEON,
		I16F64: lazyAddSI16F64NEON, I16F32: lazyAddSI16F32NEON, I16Ones: lazyAddSI16OnesNEON,
	},
	AddW: [Layouts]func(*Rows, []uint32, []Record, []float64){
		I32F64: lazyAddWI32F64NEON, I32F32: lazyAddWI32F32NEON, I32Ones: lazyAddWI32OnesNEON,
		I16F64: lazyAddWI16F64NEON, I16F32: lazyAddWI16F32NEON, I16Ones: lazyAddWI16OnesNEON,
	},
	MoveAddU: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64, float64){
		I32F64: lazyMoveAddUI32F64NEON, I32F32: lazyMoveAddUI32F32NEON, I32Ones: lazyMoveAddUI32OnesNEON,
		I16F64: lazyMoveAddUI16F64NEON, I16F32: lazyMoveAddUI16F32NEON, I16Ones: lazyMoveAddUI16OnesNEON,
	},
	Fetch: lazyGeneric.Fetch,
	DotMap: [Layouts]func([]float64, *Rows, []uint32, []Record, float64, [][4]float64){
		I32F64: lazyDotMapI32F64NEON, I32F32: lazyDotMapI32F32NEON, I32Ones: lazyDotMapI32OnesNEON,
		I16F64: lazyDotMapI16F64NEON, I16F32: lazyDotMapI16F32NEON, I16Ones: lazyDotMapI16OnesNEON,
	},
}

//go:noescape
func lazyDotI32F64NEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32F32NEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32OnesNEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F64NEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F32NEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16OnesNEON(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUI32F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F64NEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F32NEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32OnesNEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F64NEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F32NEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16OnesNEON(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyDotMapI32F64NEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32F32NEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32OnesNEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F64NEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F32NEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16OnesNEON(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUI32F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F64NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F32NEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16OnesNEON(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)
