package rows

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// Record holds what a lazily updated solver needs of one feature, in half a
// cache line, so that touching a feature misses the cache once. The two halves
// are what bringing a record up to date writes, and what ends an iteration on it.
type Record struct {
	W    float64 // weight, up to date as of Last
	Last float64 // clock reading (or step number) at which W was brought up to date
	U    float64 // direction: W moves by -U for every unit of the clock
	S    float64 // scratch sum of the current batch; zero between iterations
}

// LazyRowGap is how many rows before a row's records Dot fetches its entries.
const LazyRowGap = 16

// LazyKernels work on the records of the features that a list of rows touches.
// Rows are taken in the order of the list (AddS: backwards); a feature that they
// share is seen by the later row as the earlier one left it. Inside a row the indices
// increase strictly, so its records may be read and written in any order.
type LazyKernels struct {
	// Dot brings each touched record up to date,
	//	r.W = fma(-r.U, now-r.Last, r.W); r.Last = now
	// and sums, in the lanes of Kernels.Dot,
	//	outW[k] = x_row·W, outU[k] = x_row·U.
	// ahead are the rows whose records it may fetch into the caches meanwhile,
	// about one for one; the entries of its first LazyRowGap rows should be there.
	Dot [Layouts]func(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
	// DotMap is Dot for updates that are linear maps: with {a, b, c, d} =
	// table[k] and k = step-r.Last, cut to the table's range (NaN to 0),
	//	r.W, r.U = fma(a, r.W, b*r.U), fma(c, r.W, d*r.U); r.Last = step
	// table must not be empty.
	DotMap [Layouts]func(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
	// AddW: r.W = fma(c[k], x, r.W).
	AddW [Layouts]func(m *Matrix, list []uint32, rec []Record, c []float64)
	// AddU adds d = c[k]*x to r.U, sets r.S = 0 and sums the change of U'U in
	// the lanes of Kernels.Dot: acc = fma(d, u+(u+d), acc).
	// For Ones, d is c[k]*Scale[row], rounded once a row.
	AddU [Layouts]func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
	// MoveAddU first brings each touched record up to date, as Dot does, so that
	// W has moved along U as it was; then it is AddU.
	MoveAddU [Layouts]func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
	// AddS is AddU for r.S, and leaves everything else alone. It takes the rows
	// from the last to the first: those that Dot left in the cache come first.
	AddS [Layouts]func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
	// Fetch asks the caches for the entries of the listed rows; it computes nothing.
	Fetch [Layouts]func(m *Matrix, list []uint32)
}

var lazyGeneric = LazyKernels{
	Dot: [Layouts]func([]float64, []float64, *Matrix, []uint32, []uint32, []Record, float64){
		I32F64: lazyDot32, I32F32: lazyDot32, I32Ones: lazyDot32,
		I32Decimals: lazyDot32, I32Codes: lazyDot32,
		I16F64: lazyDot16, I16F32: lazyDot16, I16Ones: lazyDot16,
		I16Decimals: lazyDot16, I16Codes: lazyDot16,
	},
	DotMap: [Layouts]func([]float64, *Matrix, []uint32, []Record, float64, [][4]float64){
		I32F64: lazyDotMap32, I32F32: lazyDotMap32, I32Ones: lazyDotMap32,
		I32Decimals: lazyDotMap32, I32Codes: lazyDotMap32,
		I16F64: lazyDotMap16, I16F32: lazyDotMap16, I16Ones: lazyDotMap16,
		I16Decimals: lazyDotMap16, I16Codes: lazyDotMap16,
	},
	AddW: [Layouts]func(*Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddW32, I32F32: lazyAddW32, I32Ones: lazyAddW32,
		I32Decimals: lazyAddW32, I32Codes: lazyAddW32,
		I16F64: lazyAddW16, I16F32: lazyAddW16, I16Ones: lazyAddW16,
		I16Decimals: lazyAddW16, I16Codes: lazyAddW16,
	},
	AddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddU32, I32F32: lazyAddU32, I32Ones: lazyAddU32,
		I32Decimals: lazyAddU32, I32Codes: lazyAddU32,
		I16F64: lazyAddU16, I16F32: lazyAddU16, I16Ones: lazyAddU16,
		I16Decimals: lazyAddU16, I16Codes: lazyAddU16,
	},
	MoveAddU: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64, float64){
		I32F64: lazyMoveAddU32, I32F32: lazyMoveAddU32, I32Ones: lazyMoveAddU32,
		I32Decimals: lazyMoveAddU32, I32Codes: lazyMoveAddU32,
		I16F64: lazyMoveAddU16, I16F32: lazyMoveAddU16, I16Ones: lazyMoveAddU16,
		I16Decimals: lazyMoveAddU16, I16Codes: lazyMoveAddU16,
	},
	AddS: [Layouts]func([]float64, *Matrix, []uint32, []Record, []float64){
		I32F64: lazyAddS32, I32F32: lazyAddS32, I32Ones: lazyAddS32,
		I32Decimals: lazyAddS32, I32Codes: lazyAddS32,
		I16F64: lazyAddS16, I16F32: lazyAddS16, I16Ones: lazyAddS16,
		I16Decimals: lazyAddS16, I16Codes: lazyAddS16,
	},
	Fetch: [Layouts]func(*Matrix, []uint32){
		I32F64: lazyFetch, I32F32: lazyFetch, I32Ones: lazyFetch,
		I32Decimals: lazyFetch, I32Codes: lazyFetch,
		I16F64: lazyFetch, I16F32: lazyFetch, I16Ones: lazyFetch,
		I16Decimals: lazyFetch, I16Codes: lazyFetch,
	},
}

// rowValues gives the values of one row whatever the layout stores.
type rowValues struct {
	f64      []float64
	f32      []float32
	decimals []int32
	unit     *Unit
	codes    []uint16
	table    []float64
}

func valuesOf(m *Matrix, begin, end int64) rowValues {
	switch m.Layout {
	case I32F64, I16F64:
		return rowValues{f64: m.Val64[begin:end]}
	case I32F32, I16F32:
		return rowValues{f32: m.Val32[begin:end]}
	case I32Decimals, I16Decimals:
		return rowValues{decimals: m.Decimals[begin:end], unit: m.Unit}
	case I32Codes, I16Codes:
		return rowValues{codes: m.Codes[begin:end], table: m.Table}
	}
	return rowValues{}
}

func (v rowValues) at(e int) float64 {
	switch {
	case v.f64 != nil:
		return v.f64[e]
	case v.f32 != nil:
		return float64(v.f32[e])
	case v.decimals != nil:
		return v.unit.Of(v.decimals[e])
	case v.codes != nil:
		return v.table[v.codes[e]]
	}
	return 1
}

// scaleOf gives the value that all entries of row i share where the layout
// stores none, else 1.
func scaleOf(m *Matrix, i uint32) float64 {
	if m.Scale == nil || (m.Layout != I32Ones && m.Layout != I16Ones) {
		return 1
	}
	return m.Scale[i]
}

func lazyDot32(outW, outU []float64, m *Matrix, list, _ []uint32, rec []Record, now float64) {
	lazyDot(outW, outU, m, m.Idx32, list, rec, now)
}

func lazyDot16(outW, outU []float64, m *Matrix, list, _ []uint32, rec []Record, now float64) {
	lazyDot(outW, outU, m, m.Idx16, list, rec, now)
}

func lazyDot[I index](outW, outU []float64, m *Matrix, idx []I, list []uint32, rec []Record, now float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		var lw, lu [8]float64
		for e, j := range idx[begin:end] {
			r := &rec[j]
			r.Catch(now)
			x := val.at(e)
			lw[e&7] = math.FMA(x, r.W, lw[e&7])
			lu[e&7] = math.FMA(x, r.U, lu[e&7])
		}
		s := scaleOf(m, i)
		outW[k] = float64(s * lanes.Sum8(&lw))
		outU[k] = float64(s * lanes.Sum8(&lu))
	}
}

func lazyDotMap32(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64) {
	lazyDotMap(outW, m, m.Idx32, list, rec, step, table)
}

func lazyDotMap16(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64) {
	lazyDotMap(outW, m, m.Idx16, list, rec, step, table)
}

func lazyDotMap[I index](outW []float64, m *Matrix, idx []I, list []uint32, rec []Record, step float64, table [][4]float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		var lw [8]float64
		for e, j := range idx[begin:end] {
			r := &rec[j]
			r.Advance(step, table)
			lw[e&7] = math.FMA(val.at(e), r.W, lw[e&7])
		}
		outW[k] = float64(scaleOf(m, i) * lanes.Sum8(&lw))
	}
}

// Advance brings one record to step by the map of DotMap.
func (r *Record) Advance(step float64, table [][4]float64) {
	k := step - r.Last
	if !(k > 0) {
		k = 0
	}
	if top := float64(len(table) - 1); k > top {
		k = top
	}
	t := &table[int(k)]
	w, u := r.W, r.U
	r.W = math.FMA(t[0], w, float64(t[1]*u))
	r.U = math.FMA(t[2], w, float64(t[3]*u))
	r.Last = step
}

func lazyAddW32(m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddW(m, m.Idx32, list, rec, c)
}

func lazyAddW16(m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddW(m, m.Idx16, list, rec, c)
}

func lazyAddW[I index](m *Matrix, idx []I, list []uint32, rec []Record, c []float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		ck := float64(c[k] * scaleOf(m, i))
		for e, j := range idx[begin:end] {
			rec[j].W = math.FMA(ck, val.at(e), rec[j].W)
		}
	}
}

func lazyAddU32(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddU(change, m, m.Idx32, list, rec, c)
}

func lazyAddU16(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddU(change, m, m.Idx16, list, rec, c)
}

func lazyAddU[I index](change []float64, m *Matrix, idx []I, list []uint32, rec []Record, c []float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e, j := range idx[begin:end] {
			r := &rec[j]
			d := float64(ck * val.at(e))
			u := r.U
			r.U = u + d
			r.S = 0
			l[e&7] = math.FMA(d, u+r.U, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

func lazyMoveAddU32(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64) {
	lazyMoveAddU(change, m, m.Idx32, list, rec, c, now)
}

func lazyMoveAddU16(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64) {
	lazyMoveAddU(change, m, m.Idx16, list, rec, c, now)
}

func lazyMoveAddU[I index](change []float64, m *Matrix, idx []I, list []uint32, rec []Record, c []float64, now float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e, j := range idx[begin:end] {
			r := &rec[j]
			r.Catch(now)
			d := float64(ck * val.at(e))
			u := r.U
			r.U = u + d
			r.S = 0
			l[e&7] = math.FMA(d, u+r.U, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

func lazyAddS32(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddS(change, m, m.Idx32, list, rec, c)
}

func lazyAddS16(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	lazyAddS(change, m, m.Idx16, list, rec, c)
}

func lazyAddS[I index](change []float64, m *Matrix, idx []I, list []uint32, rec []Record, c []float64) {
	for k := len(list) - 1; k >= 0; k-- {
		i := list[k]
		begin, end := m.Begin[i], m.End[i]
		val := valuesOf(m, begin, end)
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e, j := range idx[begin:end] {
			r := &rec[j]
			d := float64(ck * val.at(e))
			s := r.S
			r.S = s + d
			l[e&7] = math.FMA(d, s+r.S, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

func lazyFetch(*Matrix, []uint32) {}

// Catch brings one record up to date at clock now, as Dot does.
func (r *Record) Catch(now float64) {
	r.W = math.FMA(-r.U, now-r.Last, r.W)
	r.Last = now
}
