//go:build !purego

package asm

import "unsafe"

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyAVX2 = LazyKernels{
	Dot: [Layouts]func([]float64, []float64, *Rows, []uint32, []uint32, []Record, float64){
		I32F64: lazyDotI32F64AVX2, I32F32: lazyDotI32F32AVX2, I32Ones: lazyDotI32OnesAVX2,
		I16F64: lazyDotI16F64AVX2, I16F32: lazyDotI16F32AVX2, I16Ones: lazyDotI16OnesAVX2,
	},
	AddU: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64){
		I32F64: lazyAddUI32F64AVX2, I32F32: lazyAddUI32F32AVX2, I32Ones: lazyAddUI32OnesAVX2,
		I16F64: lazyAddUI16F64AVX2, I16F32: lazyAddUI16F32AVX2, I16Ones: lazyAddUI16OnesAVX2,
	},
	AddS: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64){
		I32F64: lazyAddSI32F64AVX2, I32F32: lazyAddSI32F32AVX2, I32Ones: lazyAddSI32OnesAVX2,
		I16F64: lazyAddSI16F64AVX2, I16F32: lazyAddSI16F32AVX2, I16Ones: lazyAddSI16OnesAVX2,
	},
	AddW: [Layouts]func(*Rows, []uint32, []Record, []float64){
		I32F64: lazyAddWI32F64AVX2, I32F32: lazyAddWI32F32AVX2, I32Ones: lazyAddWI32OnesAVX2,
		I16F64: lazyAddWI16F64AVX2, I16F32: lazyAddWI16F32AVX2, I16Ones: lazyAddWI16OnesAVX2,
	},
	MoveAddU: [Layouts]func([]float64, *Rows, []uint32, []Record, []float64, float64){
		I32F64: lazyMoveAddUI32F64AVX2, I32F32: lazyMoveAddUI32F32AVX2, I32Ones: lazyMoveAddUI32OnesAVX2,
		I16F64: lazyMoveAddUI16F64AVX2, I16F32: lazyMoveAddUI16F32AVX2, I16Ones: lazyMoveAddUI16OnesAVX2,
	},
	Fetch: [Layouts]func(*Rows, []uint32){
		I32F64: lazyFetchI32F64AVX2, I32F32: lazyFetchI32F32AVX2, I32Ones: lazyFetchI32OnesAVX2,
		I16F64: lazyFetchI16F64AVX2, I16F32: lazyFetchI16F32AVX2, I16Ones: lazyFetchI16OnesAVX2,
	},
	DotMap: [Layouts]func([]float64, *Rows, []uint32, []Record, float64, [][4]float64){
		I32F64: lazyDotMapI32F64AVX2, I32F32: lazyDotMapI32F32AVX2, I32Ones: lazyDotMapI32OnesAVX2,
		I16F64: lazyDotMapI16F64AVX2, I16F32: lazyDotMapI16F32AVX2, I16Ones: lazyDotMapI16OnesAVX2,
	},
}

//go:noescape
func lazyDotI32F64AVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32F32AVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32OnesAVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F64AVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F32AVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16OnesAVX2(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUI32F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F64AVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F32AVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32OnesAVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F64AVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F32AVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16OnesAVX2(m *Rows, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyFetchI32F64AVX2(m *Rows, list []uint32)

//go:noescape
func lazyFetchI32F32AVX2(m *Rows, list []uint32)

//go:noescape
func lazyFetchI32OnesAVX2(m *Rows, list []uint32)

//go:noescape
func lazyFetchI16F64AVX2(m *Rows, list []uint32)

//go:noescape
func lazyFetchI16F32AVX2(m *Rows, list []uint32)

//go:noescape
func lazyFetchI16OnesAVX2(m *Rows, list []uint32)

//go:noescape
func lazyDotMapI32F64AVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32F32AVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32OnesAVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F64AVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F32AVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16OnesAVX2(outW []float64, m *Rows, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUI32F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F64AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F32AVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16OnesAVX2(change []float64, m *Rows, list []uint32, rec []Record, c []float64, now float64)
