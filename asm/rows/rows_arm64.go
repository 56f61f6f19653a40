//go:build !purego

package rows

import "unsafe"

// NEON holds the kernels of arm64.
var NEON = Kernels{
	Path:   "neon",
	Vector: vectorNEON,
	Lazy:   lazyNEON,
	Wide:   wideNEON,
	Full:   fullGeneric,
	Dot:    rowsDotNEON,
	Dot2:   rowsDot2NEON,
	Add:    rowsAddNEON,
	DotMix: dotMix,

	Descents32: descents[uint32],
	Descents16: descents[uint16],
}

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &NEON}

//go:noescape
func rowsDotNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)

var vectorNEON = VectorKernels{
	Dot: VectorDots{
		I32F64:  vectorDotI32F64NEON,
		I32F32:  vectorDotI32F32NEON,
		I32Ones: vectorDotI32OnesNEON,
		I16F64:  vectorDotI16F64NEON,
		I16F32:  vectorDotI16F32NEON,
		I16Ones: vectorDotI16OnesNEON,
	},
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

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyNEON = LazyKernels{
	Dot:      lazyDotNEON,
	AddU:     lazyAddUNEON,
	AddS:     lazyAddSNEON,
	AddW:     lazyAddWNEON,
	MoveAddU: lazyMoveAddUNEON,
	Fetch:    lazyGeneric.Fetch,
	DotMap:   lazyDotMapNEON,
}

//go:noescape
func lazyDotNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWNEON(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyDotMapNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
