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
	Dot func(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
	// DotMap is Dot for updates that are linear maps: with {a, b, c, d} =
	// table[k] and k = step-r.Last, cut to the table's range (NaN to 0),
	//	r.W, r.U = fma(a, r.W, b*r.U), fma(c, r.W, d*r.U); r.Last = step
	// table must not be empty.
	DotMap func(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
	// AddW: r.W = fma(c[k], x, r.W).
	AddW func(m *Matrix, list []uint32, rec []Record, c []float64)
	// AddU adds d = c[k]*x to r.U, sets r.S = 0 and sums the change of U'U in
	// the lanes of Kernels.Dot: acc = fma(d, u+(u+d), acc).
	// For Ones, d is c[k]*Scale[row], rounded once a row.
	AddU func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
	// MoveAddU first brings each touched record up to date, as Dot does, so that
	// W has moved along U as it was; then it is AddU.
	MoveAddU func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
	// AddS is AddU for r.S, and leaves everything else alone. It takes the rows from the last to
	// the first, because Dot left the last rows in the cache.
	AddS func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
	// Fetch asks the caches for the entries of the listed rows; it computes nothing.
	Fetch func(m *Matrix, list []uint32)
}

var lazyGeneric = LazyKernels{
	Dot: func(outW, outU []float64, m *Matrix, list, _ []uint32, rec []Record, now float64) {
		lazyDot(outW, outU, m, list, rec, now)
	},
	DotMap:   lazyDotMap,
	AddW:     lazyAddW,
	AddU:     lazyAddU,
	MoveAddU: lazyMoveAddU,
	AddS:     lazyAddS,
	Fetch:    func(*Matrix, []uint32) {},
}

// stored returns the value of entry e, 1 where the layout stores none.
func (m *Matrix) stored(e int64) float64 {
	switch m.Layout {
	case I32F64, I16F64:
		return m.Val64[e]
	case I32F32, I16F32:
		return float64(m.Val32[e])
	case I32Decimals, I16Decimals:
		return m.Unit.Of(m.Decimals[e])
	case I32Codes, I16Codes:
		return m.Table[m.Codes[e]]
	}
	return 1
}

// scaleOf gives the value that all entries of row i share where the layout
// stores none, else 1.
func scaleOf[R int | uint32](m *Matrix, i R) float64 {
	if m.Scale == nil || (m.Layout != I32Ones && m.Layout != I16Ones) {
		return 1
	}
	return m.Scale[i]
}

func lazyDot(outW, outU []float64, m *Matrix, list []uint32, rec []Record, now float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		var lw, lu [8]float64
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			r.Catch(now)
			x := m.stored(begin + e)
			lw[e&7] = math.FMA(x, r.W, lw[e&7])
			lu[e&7] = math.FMA(x, r.U, lu[e&7])
		}
		s := scaleOf(m, i)
		outW[k] = float64(s * lanes.Sum8(&lw))
		outU[k] = float64(s * lanes.Sum8(&lu))
	}
}

func lazyDotMap(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		var lw [8]float64
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			r.Advance(step, table)
			lw[e&7] = math.FMA(m.stored(begin+e), r.W, lw[e&7])
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

func lazyAddW(m *Matrix, list []uint32, rec []Record, c []float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		ck := float64(c[k] * scaleOf(m, i))
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			r.W = math.FMA(ck, m.stored(begin+e), r.W)
		}
	}
}

func lazyAddU(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			d := float64(ck * m.stored(begin+e))
			u := r.U
			r.U = u + d
			r.S = 0
			l[e&7] = math.FMA(d, u+r.U, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

func lazyMoveAddU(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64) {
	for k, i := range list {
		begin, end := m.Begin[i], m.End[i]
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			r.Catch(now)
			d := float64(ck * m.stored(begin+e))
			u := r.U
			r.U = u + d
			r.S = 0
			l[e&7] = math.FMA(d, u+r.U, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

func lazyAddS(change []float64, m *Matrix, list []uint32, rec []Record, c []float64) {
	for k := len(list) - 1; k >= 0; k-- {
		i := list[k]
		begin, end := m.Begin[i], m.End[i]
		ck := float64(c[k] * scaleOf(m, i))
		var l [8]float64
		for e := range end - begin {
			r := &rec[m.Column(begin+e)]
			d := float64(ck * m.stored(begin+e))
			s := r.S
			r.S = s + d
			l[e&7] = math.FMA(d, s+r.S, l[e&7])
		}
		change[k] = lanes.Sum8(&l)
	}
}

// Catch brings one record up to date at clock now, as Dot does.
func (r *Record) Catch(now float64) {
	r.W = math.FMA(-r.U, now-r.Last, r.W)
	r.Last = now
}
