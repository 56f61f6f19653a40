//go:build !purego

package rows

import "unsafe"

// NEON holds the kernels of arm64.
var NEON = Kernels{
	Path:   "neon",
	Vector: vectorNEON,
	Lazy:   lazyNEON,
	Wide:   wideNEON,
	Dot: [Layouts]func([]float64, *Matrix, []uint32, int, []float64){
		I32F64: rowsDotI32F64NEON, I32F32: rowsDotI32F32NEON, I32Ones: rowsDotI32OnesNEON,
		I32Decimals: rowsDotI32DecimalsNEON, I32Codes: rowsDotI32CodesNEON,
		I16F64: rowsDotI16F64NEON, I16F32: rowsDotI16F32NEON, I16Ones: rowsDotI16OnesNEON,
		I16Decimals: rowsDotI16DecimalsNEON, I16Codes: rowsDotI16CodesNEON,
	},
	Dot2: [Layouts]func([]float64, []float64, *Matrix, []uint32, int, []float64, []float64){
		I32F64: rowsDot2I32F64NEON, I32F32: rowsDot2I32F32NEON, I32Ones: rowsDot2I32OnesNEON,
		I32Decimals: rowsDot2I32DecimalsNEON, I32Codes: rowsDot2I32CodesNEON,
		I16F64: rowsDot2I16F64NEON, I16F32: rowsDot2I16F32NEON, I16Ones: rowsDot2I16OnesNEON,
		I16Decimals: rowsDot2I16DecimalsNEON, I16Codes: rowsDot2I16CodesNEON,
	},
	Add: [Layouts]func([]float64, *Matrix, []uint32, int, []float64){
		I32F64: rowsAddI32F64NEON, I32F32: rowsAddI32F32NEON, I32Ones: rowsAddI32OnesNEON,
		I32Decimals: rowsAddI32DecimalsNEON, I32Codes: rowsAddI32CodesNEON,
		I16F64: rowsAddI16F64NEON, I16F32: rowsAddI16F32NEON, I16Ones: rowsAddI16OnesNEON,
		I16Decimals: rowsAddI16DecimalsNEON, I16Codes: rowsAddI16CodesNEON,
	},
}

func init() { Paths = append(Paths, &NEON) }

//go:noescape
func rowsDotI32F64NEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32F32NEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32OnesNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32DecimalsNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32CodesNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F64NEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F32NEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16OnesNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16DecimalsNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16CodesNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2I32F64NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32F32NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32OnesNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32DecimalsNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32CodesNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F64NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F32NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16OnesNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16DecimalsNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16CodesNEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddI32F64NEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32F32NEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32OnesNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32DecimalsNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32CodesNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F64NEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F32NEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16OnesNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16DecimalsNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16CodesNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

var vectorNEON = VectorKernels{
	Dot: VectorDots{
		I32F64:  vectorDotI32F64NEON,
		I32F32:  vectorDotI32F32NEON,
		I32Ones: vectorDotI32OnesNEON,
		I16F64:  vectorDotI16F64NEON,
		I16F32:  vectorDotI16F32NEON,
		I16Ones: vectorDotI16OnesNEON,
	},
	MaxU32: maxU32NEON,
	MaxU16: maxU16NEON,
}

//go:noescape
func vectorDotI32F64NEON(idx []uint32, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDotI32F32NEON(idx []uint32, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDotI32OnesNEON(idx []uint32, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDotI16F64NEON(idx []uint16, val []float64, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDotI16F32NEON(idx []uint16, val []float32, w []float64) (sum float64, ok bool)

//go:noescape
func vectorDotI16OnesNEON(idx []uint16, val []struct{}, w []float64) (sum float64, ok bool)

//go:noescape
func maxU32NEON(x []uint32) uint32

//go:noescape
func maxU16NEON(x []uint16) uint16

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyNEON = LazyKernels{
	Dot: [Layouts]func([]float64, []float64, *Matrix, []uint32, []uint32, []Record, float64){
		I32F64: lazyDotI32F64NEON, I32F32: lazyDotI32F32NEON, I32Ones: lazyDotI32OnesNEON,
		I32Decimals: lazyDotI32DecimalsNEON, I32Codes: lazyDotI32CodesNEON,
		I16F64: lazyDotI16F64NEON, I16F32: lazyDotI16F32NEON, I16Ones: lazyDotI16OnesNEON,
		I16Decimals: lazyDotI16DecimalsNEON, I16Codes: lazyDotI16CodesNEON,
	},
	AddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddUI32F64NEON, I32F32: lazyAddUI32F32NEON, I32Ones: lazyAddUI32OnesNEON,
		I32Decimals: lazyAddUI32DecimalsNEON, I32Codes: lazyAddUI32CodesNEON,
		I16F64: lazyAddUI16F64NEON, I16F32: lazyAddUI16F32NEON, I16Ones: lazyAddUI16OnesNEON,
		I16Decimals: lazyAddUI16DecimalsNEON, I16Codes: lazyAddUI16CodesNEON,
	},
	AddS: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddSI32F64NEON, I32F32: lazyAddSI32F32NEON, I32Ones: lazyAddSI32OnesNEON,
		I32Decimals: lazyAddSI32DecimalsNEON, I32Codes: lazyAddSI32CodesNEON,
		I16F64: lazyAddSI16F64NEON, I16F32: lazyAddSI16F32NEON, I16Ones: lazyAddSI16OnesNEON,
		I16Decimals: lazyAddSI16DecimalsNEON, I16Codes: lazyAddSI16CodesNEON,
	},
	AddW: [Layouts]func(*Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddWI32F64NEON, I32F32: lazyAddWI32F32NEON, I32Ones: lazyAddWI32OnesNEON,
		I32Decimals: lazyAddWI32DecimalsNEON, I32Codes: lazyAddWI32CodesNEON,
		I16F64: lazyAddWI16F64NEON, I16F32: lazyAddWI16F32NEON, I16Ones: lazyAddWI16OnesNEON,
		I16Decimals: lazyAddWI16DecimalsNEON, I16Codes: lazyAddWI16CodesNEON,
	},
	MoveAddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64, float64){
		I32F64: lazyMoveAddUI32F64NEON, I32F32: lazyMoveAddUI32F32NEON, I32Ones: lazyMoveAddUI32OnesNEON,
		I32Decimals: lazyMoveAddUI32DecimalsNEON, I32Codes: lazyMoveAddUI32CodesNEON,
		I16F64: lazyMoveAddUI16F64NEON, I16F32: lazyMoveAddUI16F32NEON, I16Ones: lazyMoveAddUI16OnesNEON,
		I16Decimals: lazyMoveAddUI16DecimalsNEON, I16Codes: lazyMoveAddUI16CodesNEON,
	},
	Fetch: lazyGeneric.Fetch,
	DotMap: [Layouts]func([]float64, *Matrix, []uint32, []Record, float64, [][4]float64){
		I32F64: lazyDotMapI32F64NEON, I32F32: lazyDotMapI32F32NEON, I32Ones: lazyDotMapI32OnesNEON,
		I32Decimals: lazyDotMapI32DecimalsNEON, I32Codes: lazyDotMapI32CodesNEON,
		I16F64: lazyDotMapI16F64NEON, I16F32: lazyDotMapI16F32NEON, I16Ones: lazyDotMapI16OnesNEON,
		I16Decimals: lazyDotMapI16DecimalsNEON, I16Codes: lazyDotMapI16CodesNEON,
	},
}

//go:noescape
func lazyDotI32F64NEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32F32NEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32OnesNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32DecimalsNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32CodesNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F64NEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F32NEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16OnesNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16DecimalsNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16CodesNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUI32F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F64NEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F32NEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32OnesNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32DecimalsNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32CodesNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F64NEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F32NEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16OnesNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16DecimalsNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16CodesNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyDotMapI32F64NEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32F32NEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32OnesNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32DecimalsNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32CodesNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F64NEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F32NEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16OnesNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16DecimalsNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16CodesNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUI32F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F64NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F32NEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16OnesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16DecimalsNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16CodesNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
