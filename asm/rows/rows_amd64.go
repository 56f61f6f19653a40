//go:build !purego

package rows

import "unsafe"

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:   "avx2",
	Vector: vectorAVX2,
	Lazy:   lazyAVX2,
	Wide:   wideAVX2,
	Dot: [Layouts]func([]float64, *Matrix, []uint32, int, []float64){
		I32F64: rowsDotI32F64AVX2, I32F32: rowsDotI32F32AVX2, I32Ones: rowsDotI32OnesAVX2,
		I32Decimals: rowsDotI32DecimalsAVX2, I32Codes: rowsDotI32CodesAVX2,
		I16F64: rowsDotI16F64AVX2, I16F32: rowsDotI16F32AVX2, I16Ones: rowsDotI16OnesAVX2,
		I16Decimals: rowsDotI16DecimalsAVX2, I16Codes: rowsDotI16CodesAVX2,
	},
	Dot2: [Layouts]func([]float64, []float64, *Matrix, []uint32, int, []float64, []float64){
		I32F64: rowsDot2I32F64AVX2, I32F32: rowsDot2I32F32AVX2, I32Ones: rowsDot2I32OnesAVX2,
		I32Decimals: rowsDot2I32DecimalsAVX2, I32Codes: rowsDot2I32CodesAVX2,
		I16F64: rowsDot2I16F64AVX2, I16F32: rowsDot2I16F32AVX2, I16Ones: rowsDot2I16OnesAVX2,
		I16Decimals: rowsDot2I16DecimalsAVX2, I16Codes: rowsDot2I16CodesAVX2,
	},
	Add: [Layouts]func([]float64, *Matrix, []uint32, int, []float64){
		I32F64: rowsAddI32F64AVX2, I32F32: rowsAddI32F32AVX2, I32Ones: rowsAddI32OnesAVX2,
		I32Decimals: rowsAddI32DecimalsAVX2, I32Codes: rowsAddI32CodesAVX2,
		I16F64: rowsAddI16F64AVX2, I16F32: rowsAddI16F32AVX2, I16Ones: rowsAddI16OnesAVX2,
		I16Decimals: rowsAddI16DecimalsAVX2, I16Codes: rowsAddI16CodesAVX2,
	},
}

// AVX512 holds those of AVX2, which serve AVX-512 as well. Measured on a Zen 5, in ns an entry of float64
// values with 32-bit indices: at 14 entries a row 0.27, against 0.37 with
// 512-bit gathers and 0.30 with mask registers for the tail; at 76, 0.23 against
// 0.28 and 0.24; with w beyond the second cache level all are the same. AVX2
// gathers take 0.45 and 0.35, and an AVX-512 scatter 0.52 where two stores an
// entry pair take 0.31.
var AVX512 = func() Kernels {
	k := AVX2
	k.Path = "avx512"
	k.Wide = wideAVX512
	return k
}()

func init() { Paths = append(Paths, &AVX2, &AVX512) }

//go:noescape
func rowsDotI32F64AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32F32AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32OnesAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32DecimalsAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI32CodesAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F64AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16F32AVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16OnesAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16DecimalsAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDotI16CodesAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2I32F64AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32F32AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32OnesAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32DecimalsAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I32CodesAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F64AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16F32AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16OnesAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16DecimalsAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsDot2I16CodesAVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddI32F64AVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32F32AVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32OnesAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32DecimalsAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI32CodesAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F64AVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16F32AVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16OnesAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16DecimalsAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func rowsAddI16CodesAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyAVX2 = LazyKernels{
	Dot: [Layouts]func([]float64, []float64, *Matrix, []uint32, []uint32, []Record, float64){
		I32F64: lazyDotI32F64AVX2, I32F32: lazyDotI32F32AVX2, I32Ones: lazyDotI32OnesAVX2,
		I32Decimals: lazyDotI32DecimalsAVX2, I32Codes: lazyDotI32CodesAVX2,
		I16F64: lazyDotI16F64AVX2, I16F32: lazyDotI16F32AVX2, I16Ones: lazyDotI16OnesAVX2,
		I16Decimals: lazyDotI16DecimalsAVX2, I16Codes: lazyDotI16CodesAVX2,
	},
	AddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddUI32F64AVX2, I32F32: lazyAddUI32F32AVX2, I32Ones: lazyAddUI32OnesAVX2,
		I32Decimals: lazyAddUI32DecimalsAVX2, I32Codes: lazyAddUI32CodesAVX2,
		I16F64: lazyAddUI16F64AVX2, I16F32: lazyAddUI16F32AVX2, I16Ones: lazyAddUI16OnesAVX2,
		I16Decimals: lazyAddUI16DecimalsAVX2, I16Codes: lazyAddUI16CodesAVX2,
	},
	AddS: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddSI32F64AVX2, I32F32: lazyAddSI32F32AVX2, I32Ones: lazyAddSI32OnesAVX2,
		I32Decimals: lazyAddSI32DecimalsAVX2, I32Codes: lazyAddSI32CodesAVX2,
		I16F64: lazyAddSI16F64AVX2, I16F32: lazyAddSI16F32AVX2, I16Ones: lazyAddSI16OnesAVX2,
		I16Decimals: lazyAddSI16DecimalsAVX2, I16Codes: lazyAddSI16CodesAVX2,
	},
	AddW: [Layouts]func(*Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddWI32F64AVX2, I32F32: lazyAddWI32F32AVX2, I32Ones: lazyAddWI32OnesAVX2,
		I32Decimals: lazyAddWI32DecimalsAVX2, I32Codes: lazyAddWI32CodesAVX2,
		I16F64: lazyAddWI16F64AVX2, I16F32: lazyAddWI16F32AVX2, I16Ones: lazyAddWI16OnesAVX2,
		I16Decimals: lazyAddWI16DecimalsAVX2, I16Codes: lazyAddWI16CodesAVX2,
	},
	MoveAddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64, float64){
		I32F64: lazyMoveAddUI32F64AVX2, I32F32: lazyMoveAddUI32F32AVX2, I32Ones: lazyMoveAddUI32OnesAVX2,
		I32Decimals: lazyMoveAddUI32DecimalsAVX2, I32Codes: lazyMoveAddUI32CodesAVX2,
		I16F64: lazyMoveAddUI16F64AVX2, I16F32: lazyMoveAddUI16F32AVX2, I16Ones: lazyMoveAddUI16OnesAVX2,
		I16Decimals: lazyMoveAddUI16DecimalsAVX2, I16Codes: lazyMoveAddUI16CodesAVX2,
	},
	Fetch: [Layouts]func(*Matrix, []uint32){
		I32F64: lazyFetchI32F64AVX2, I32F32: lazyFetchI32F32AVX2, I32Ones: lazyFetchI32OnesAVX2,
		I32Decimals: lazyFetchI32DecimalsAVX2, I32Codes: lazyFetchI32CodesAVX2,
		I16F64: lazyFetchI16F64AVX2, I16F32: lazyFetchI16F32AVX2, I16Ones: lazyFetchI16OnesAVX2,
		I16Decimals: lazyFetchI16DecimalsAVX2, I16Codes: lazyFetchI16CodesAVX2,
	},
	DotMap: [Layouts]func([]float64, *Matrix, []uint32, []Record, float64, [][4]float64){
		I32F64: lazyDotMapI32F64AVX2, I32F32: lazyDotMapI32F32AVX2, I32Ones: lazyDotMapI32OnesAVX2,
		I32Decimals: lazyDotMapI32DecimalsAVX2, I32Codes: lazyDotMapI32CodesAVX2,
		I16F64: lazyDotMapI16F64AVX2, I16F32: lazyDotMapI16F32AVX2, I16Ones: lazyDotMapI16OnesAVX2,
		I16Decimals: lazyDotMapI16DecimalsAVX2, I16Codes: lazyDotMapI16CodesAVX2,
	},
}

//go:noescape
func lazyDotI32F64AVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32F32AVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32OnesAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32DecimalsAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI32CodesAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F64AVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16F32AVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16OnesAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16DecimalsAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyDotI16CodesAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUI32F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI32CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddUI16CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI32CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSI16CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F64AVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32F32AVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32OnesAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32DecimalsAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI32CodesAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F64AVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16F32AVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16OnesAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16DecimalsAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWI16CodesAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyFetchI32F64AVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI32F32AVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI32OnesAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI32DecimalsAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI32CodesAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI16F64AVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI16F32AVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI16OnesAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI16DecimalsAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyFetchI16CodesAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyDotMapI32F64AVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32F32AVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32OnesAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32DecimalsAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI32CodesAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F64AVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16F32AVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16OnesAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16DecimalsAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyDotMapI16CodesAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUI32F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI32CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F64AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16F32AVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16OnesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16DecimalsAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)

//go:noescape
func lazyMoveAddUI16CodesAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
