//go:build !purego

package rows

import "unsafe"

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:   "avx2",
	Vector: vectorAVX2,
	Lazy:   lazyAVX2,
	Wide:   wideAVX2,
	Full:   fullAVX2,
	Dot:    rowsDotAVX2,
	Dot2:   rowsDot2AVX2,
	Add:    rowsAddAVX2,
	DotMix: mixDotAVX2,

	Descents32: descents32AVX2,
	Descents16: descents16AVX2,
}

// AVX512 holds the AVX2 kernels. 512-bit gathers, gathers with mask registers, and scatters are
// no faster on a Zen 5.
var AVX512 = func() Kernels {
	k := AVX2
	k.Path = "avx512"
	k.Wide = wideAVX512
	return k
}()

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &AVX2, &AVX512}

//go:noescape
func rowsDotAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)

//go:noescape
func rowsDot2AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)

//go:noescape
func rowsAddAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)

//go:noescape
func descents32AVX2(idx []uint32) int

//go:noescape
func descents16AVX2(idx []uint16) int

// The kernels read and write W with Last, and U with S, as pairs.
var (
	_ = [1]int{}[unsafe.Offsetof(Record{}.Last)-unsafe.Offsetof(Record{}.W)-8]
	_ = [1]int{}[unsafe.Offsetof(Record{}.S)-unsafe.Offsetof(Record{}.U)-8]
	_ = [1]int{}[unsafe.Sizeof(Record{})-32]
)

var lazyAVX2 = LazyKernels{
	Dot:      lazyDotAVX2,
	AddU:     lazyAddUAVX2,
	AddS:     lazyAddSAVX2,
	AddW:     lazyAddWAVX2,
	MoveAddU: lazyMoveAddUAVX2,
	Fetch:    lazyFetchAVX2,
	DotMap:   lazyDotMapAVX2,
}

//go:noescape
func lazyDotAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)

//go:noescape
func lazyAddUAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddSAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyAddWAVX2(m *Matrix, list []uint32, rec []Record, c []float64)

//go:noescape
func lazyFetchAVX2(m *Matrix, list []uint32)

//go:noescape
func lazyDotMapAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)

//go:noescape
func lazyMoveAddUAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
