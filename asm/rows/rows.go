// Package rows holds the kernels on sparse rows. Kernels take many rows in a call; VectorKernels
// take one vector as raw slices; LazyKernels take the records of lazily updated solvers;
// WideKernels multiply sparse rows and dense matrices.
//
// Package asm says what callers promise.
package rows

import (
	"math"
	"sync/atomic"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// Layout tells how the rows of a matrix are stored: the width of the column
// indices and what stands for the values.
type Layout uint8

// The layouts. I16 serves up to 65536 columns. Ones stores no values: every
// entry of row i is Scale[i], or 1 where Scale is nil. Decimals stores whole numbers of
// a unit, Codes places in a table. Caches on disk have the first six by these numbers.
const (
	I32F64 Layout = iota
	I32F32
	I32Ones
	I16F64
	I16F32
	I16Ones
	I32Decimals
	I32Codes
	I16Decimals
	I16Codes
	Layouts = iota
)

// The layouts of rows whose entries are 1 but in a few columns. Their values are in Mix. No kernel
// takes them.
const (
	I32Mixed Layout = Layouts + iota
	I16Mixed
)

// Narrow tells whether column indices have 16 bits.
func (l Layout) Narrow() bool {
	switch l {
	case I16F64, I16F32, I16Ones, I16Decimals, I16Codes, I16Mixed:
		return true
	}
	return false
}

// Narrowed returns the layout with 16-bit indices that keeps values as l does.
func (l Layout) Narrowed() Layout {
	switch {
	case l.Narrow():
		return l
	case l < I16F64:
		return l + I16F64
	case l == I32Mixed:
		return I16Mixed
	}
	return l + I16Decimals - I32Decimals
}

// A Unit is a power of ten, 10^-k, as the sum of two float64s, each of them four times. High is
// the nearest float64, Low the nearest to the remainder.
type Unit struct {
	High, Low [4]float64
}

// Of returns the value of n units: fma(n, High, n*Low), which is the float64 nearest to n 10^-k
// for every k to MostPlaces. n Low has an error of 2^-105 of the result. Unless n/10^k is a
// float64, its relative distance from where rounding changes is at least 2^-53/5^k.
func (u *Unit) Of(n int32) float64 {
	return math.FMA(float64(n), u.High[0], float64(float64(n)*u.Low[0]))
}

// MostPlaces is the largest k of a Unit.
const MostPlaces = 18

// Matrix holds compressed sparse rows. Row i has the entries Begin[i] to End[i]-1 of the index
// and value slices that its layout names; the others are nil. Within a row the column indices
// increase strictly. Begin and End have one element a row. They may come from one pointer array
// (Ptr[:n], Ptr[1:]) or cut a column range out of every row.
//
// The index slice and the value slice have one length. Every index in the slice
// is a column, whether or not a row has it: kernels may read entries behind a
// row's end, so long as these are in the slice.
//
// A float32 value means the float64 it converts to. An element n of Decimals means Unit.Of(n);
// Unit is then not nil. A code means an element of Table, which must exist.
type Matrix struct {
	Begin, End []int64
	Idx32      []uint32
	Idx16      []uint16
	Val64      []float64
	Val32      []float32
	Decimals   []int32
	Codes      []uint16
	Unit       *Unit
	Table      []float64
	Scale      []float64
	Layout     Layout
	Mix        *Mix // of I32Mixed and I16Mixed, nil for other layouts
	// Full is the number of columns where every row has an entry in each, the first row begins at entry
	// 0, and there are no indices; otherwise 0. Such rows go to FullKernels alone.
	Full int
}

// Row selection of all row-batch kernels: result k belongs to row list[k], or,
// where list is nil, to row first+k.

// Kernels are the kernels of one CPU path. No entry is nil. Kernels that take a Matrix choose their
// loop by its Layout, and work on many rows in a call.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path string

	// Dot: out[k] = x_row·w. Entry e of the row (counted from Begin) goes to lane e mod 8,
	// acc = fma(x, w, acc) in increasing e from +0. The lanes are summed as
	//	((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)).
	// For Ones, lanes sum w itself and the row's sum is multiplied by Scale.
	Dot func(out []float64, m *Matrix, list []uint32, first int, w []float64)
	// Dot2: out1[k] = x_row·w1, out2[k] = x_row·w2, each exactly as Dot.
	Dot2 func(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)
	// Add: w += sum over k of c[k] x_row, one row after the other:
	// w[j] = fma(c[k], x, w[j]); for Ones, w[j] += c[k]*Scale[row].
	Add func(w []float64, m *Matrix, list []uint32, first int, c []float64)

	// DotMix is Dot for rows of the layouts I32Mixed and I16Mixed. It returns how many rows it did, from
	// the first on: it stops before a row without a plan, and may stop before a row of the matrix's
	// last.
	DotMix func(out []float64, m *Matrix, list []uint32, first int, w []float64) int

	// Descents32 and Descents16 count the indices from the second on that are not larger than the
	// index before.
	Descents32 func(idx []uint32) int
	Descents16 func(idx []uint16) int

	Vector VectorKernels
	Lazy   LazyKernels
	Wide   WideKernels
	Full   FullKernels
}

// Generic holds the portable kernels, which define the results of all others.
var Generic = Kernels{
	Path:   "generic",
	Vector: vectorGeneric,
	Lazy:   lazyGeneric,
	Wide:   wideGeneric,
	Full:   fullGeneric,
	Dot:    dotRows,
	Dot2: func(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64) {
		dotRows(out1, m, list, first, w1)
		dotRows(out2, m, list, first, w2)
	},
	Add:        addRows,
	DotMix:     dotMix,
	Descents32: descents[uint32],
	Descents16: descents[uint16],
}

// path is the index in Paths of the kernels that the entry points call. The assembly reads it.
var path atomic.Uint32

// Use makes the entry points call the kernels of Paths[i], from their next call on.
func Use(i int) { path.Store(uint32(i)) }

type index interface{ uint16 | uint32 }
type value interface{ float32 | float64 }

func rowOf(list []uint32, first, k int) int {
	if list == nil {
		return first + k
	}
	return int(list[k])
}

func dotRows(out []float64, m *Matrix, list []uint32, first int, w []float64) {
	if m.Layout.Narrow() {
		dotRowsOf(out, m, m.Idx16, list, first, w)
	} else {
		dotRowsOf(out, m, m.Idx32, list, first, w)
	}
}

func dotRowsOf[I index](out []float64, m *Matrix, idx []I, list []uint32, first int, w []float64) {
	switch m.Layout {
	case I32Decimals, I16Decimals, I32Codes, I16Codes:
		dotPacked(out, m, idx, list, first, w)
		return
	}
	for k := range out {
		i := rowOf(list, first, k)
		begin, end := m.Begin[i], m.End[i]
		switch row := idx[begin:end]; m.Layout {
		case I32F64, I16F64:
			out[k] = dotRow(row, m.Val64[begin:end], w)
		case I32F32, I16F32:
			out[k] = dotRow(row, m.Val32[begin:end], w)
		default:
			out[k] = float64(scaleOf(m, i) * sumRow(row, w))
		}
	}
}

func dotRow[I index, V value](idx []I, val []V, w []float64) float64 {
	var l [8]float64
	for len(idx) >= 8 && len(val) >= 8 {
		l[0] = math.FMA(float64(val[0]), w[idx[0]], l[0])
		l[1] = math.FMA(float64(val[1]), w[idx[1]], l[1])
		l[2] = math.FMA(float64(val[2]), w[idx[2]], l[2])
		l[3] = math.FMA(float64(val[3]), w[idx[3]], l[3])
		l[4] = math.FMA(float64(val[4]), w[idx[4]], l[4])
		l[5] = math.FMA(float64(val[5]), w[idx[5]], l[5])
		l[6] = math.FMA(float64(val[6]), w[idx[6]], l[6])
		l[7] = math.FMA(float64(val[7]), w[idx[7]], l[7])
		idx, val = idx[8:], val[8:]
	}
	for e, j := range idx {
		l[e&7] = math.FMA(float64(val[e]), w[j], l[e&7])
	}
	return lanes.Sum8(&l)
}

func sumRow[I index](idx []I, w []float64) float64 {
	var l [8]float64
	for len(idx) >= 8 {
		l[0] += w[idx[0]]
		l[1] += w[idx[1]]
		l[2] += w[idx[2]]
		l[3] += w[idx[3]]
		l[4] += w[idx[4]]
		l[5] += w[idx[5]]
		l[6] += w[idx[6]]
		l[7] += w[idx[7]]
		idx = idx[8:]
	}
	for e, j := range idx {
		l[e&7] += w[j]
	}
	return lanes.Sum8(&l)
}

func addRows(w []float64, m *Matrix, list []uint32, first int, c []float64) {
	if m.Layout.Narrow() {
		addRowsOf(w, m, m.Idx16, list, first, c)
	} else {
		addRowsOf(w, m, m.Idx32, list, first, c)
	}
}

func addRowsOf[I index](w []float64, m *Matrix, idx []I, list []uint32, first int, c []float64) {
	switch m.Layout {
	case I32Decimals, I16Decimals, I32Codes, I16Codes:
		addPacked(w, m, idx, list, first, c)
		return
	}
	for k, ck := range c {
		i := rowOf(list, first, k)
		begin, end := m.Begin[i], m.End[i]
		switch row := idx[begin:end]; m.Layout {
		case I32F64, I16F64:
			addRow(w, ck, row, m.Val64[begin:end])
		case I32F32, I16F32:
			addRow(w, ck, row, m.Val32[begin:end])
		default:
			ck = float64(ck * scaleOf(m, i))
			for _, j := range row {
				w[j] += ck
			}
		}
	}
}

func addRow[I index, V value](w []float64, c float64, idx []I, val []V) {
	for e, j := range idx {
		w[j] = math.FMA(c, float64(val[e]), w[j])
	}
}

// Column returns the column of entry e.
func (m *Matrix) Column(e int64) int {
	if m.Full > 0 {
		return int(e % int64(m.Full))
	}
	if m.Idx16 != nil {
		return int(m.Idx16[e])
	}
	return int(m.Idx32[e])
}

// Value returns the value of entry e, which belongs to row i.
func (m *Matrix) Value(i int, e int64) float64 {
	switch {
	case m.Val64 != nil:
		return m.Val64[e]
	case m.Val32 != nil:
		return float64(m.Val32[e])
	case m.Decimals != nil:
		return m.Unit.Of(m.Decimals[e])
	case m.Codes != nil:
		return m.Table[m.Codes[e]]
	case m.Scale != nil:
		return m.Scale[i]
	case m.Mix != nil:
		return m.Mix.Value(i, uint32(m.Column(e)))
	}
	return 1
}
