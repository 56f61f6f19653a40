package matrix

import (
	"math"
	"slices"
	"sync"
	"weak"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// A mixed matrix has entries of 1 but in a few columns, as tables with categories and numbers do.
// It keeps the indices of all entries, and values of these columns alone. All results have the bits
// of a matrix with a value an entry: a term of 1 is added by the same operation without a value.
//
// Sums over rows work on two blocks. One adds all entries as ones, the other adds the values of the
// few columns. Products with rows add along a row: the kernel knows by a plan where in a row the
// values are. For other kernels the values of some rows are written out first.

// mix returns the values of a mixed matrix, nil for another one.
func (m *Matrix) mix() *rows.Mix { return m.rows.Mix }

// setMix gives m, whose rows have indices alone, the values of some columns.
func (m *Matrix) setMix(x *rows.Mix) {
	m.rows.Layout = LayoutFor(m, rows.I32Mixed)
	m.rows.Mix = mixOf(&m.rows, x)
}

// mixOf returns x for the entries of r.
func mixOf(r *rows.Matrix, x *rows.Mix) *rows.Mix {
	of := *x
	of.Ones = rows.Matrix{Begin: r.Begin, End: r.End, Idx16: r.Idx16, Idx32: r.Idx32, Layout: rows.I32Ones}
	if r.Layout.Narrow() {
		of.Ones.Layout = rows.I16Ones
	}
	return &of
}

// plain returns m with an index and a value an entry, in the layout without packing. Operations that
// are seldom, or take rows in random order, use it. Values are kept as long as somebody has them.
func plain(m *Matrix) *Matrix {
	if m.mix() == nil {
		return indexed(m)
	}
	m.cuts.mu.Lock()
	r := m.cuts.plain.Value()
	if r == nil {
		r = plainRows(&m.rows)
		m.cuts.plain = weak.Make(r)
	}
	m.cuts.mu.Unlock()
	out := *m
	out.rows, out.kept, out.cuts = *r, r, new(cutCache)
	return &out
}

// plainRows returns the rows of a mixed matrix with a value an entry.
func plainRows(r *rows.Matrix) *rows.Matrix {
	out := *r
	out.Mix = nil
	wide := rows.I32F32
	if r.Mix.Val64 != nil {
		wide = rows.I32F64
		out.Val64 = make([]float64, max(len(r.Idx16), len(r.Idx32)))
	} else {
		out.Val32 = make([]float32, max(len(r.Idx16), len(r.Idx32)))
	}
	if out.Layout = wide; r.Layout.Narrow() {
		out.Layout = wide.Narrowed()
	}
	Fill(out.Val64, 1)
	Fill(out.Val32, 1)
	writeMixed(&out, r.Mix, nil, 0)
	return &out
}

// writtenEntries is about the number of entries whose values are written out at a time: they stay
// in the first cache level beside their indices.
const writtenEntries = 1 << 11

// written has some rows of a mixed matrix with a value an entry.
type written struct {
	part       rows.Matrix
	begin, end []int64
	val32      []float32
	val64      []float64
	ones32     []float32 // ones to copy
	ones64     []float64
	idx16      []uint16
	idx32      []uint32
	values     []float64
}

var writtenRows = sync.Pool{New: func() any { return new(written) }}

// take writes out the next of count rows, the first of them number first of the list or, without
// one, of r, and returns how many.
func (w *written) take(r *rows.Matrix, list []uint32, first, count int) int {
	length := 0
	w.part = rows.Matrix{Layout: rows.I32F32}
	if list == nil {
		base := r.Begin[first]
		count, length = w.shift(r.Begin[first:][:count], r.End[first:][:count])
		// Kernels are quicker where they may read beyond a row.
		length = min(length+8, max(len(r.Idx16), len(r.Idx32))-int(base))
		if r.Idx16 != nil {
			w.part.Idx16 = r.Idx16[base:][:length]
		} else {
			w.part.Idx32 = r.Idx32[base:][:length]
		}
	} else {
		count, length = w.gather(r, list[first:][:count])
		if w.part.Idx16 = w.idx16; r.Idx16 == nil {
			w.part.Idx16, w.part.Idx32 = nil, w.idx32
		}
	}
	w.part.Begin, w.part.End = w.begin, w.end
	if r.Mix.Val64 != nil {
		w.part.Layout = rows.I32F64
		w.val64, w.ones64 = filled(w.val64, w.ones64, length)
		w.part.Val64 = w.val64
	} else {
		w.val32, w.ones32 = filled(w.val32, w.ones32, length)
		w.part.Val32 = w.val32
	}
	if r.Idx16 != nil {
		w.part.Layout = w.part.Layout.Narrowed()
	}
	if list != nil {
		list = list[first:][:count]
	}
	writeMixed(&w.part, r.Mix, list, first)
	return count
}

// shift places the first rows at entry 0, as many as are to be written at a time. It returns
// their number, and the number of entries up to their end.
func (w *written) shift(from, to []int64) (count, length int) {
	base := from[0]
	count, _ = slices.BinarySearch(to[:min(len(to), writtenEntries)], base+writtenEntries)
	to = to[:max(1, count)]
	w.begin, w.end = Sized(w.begin, len(to)), Sized(w.end, len(to))
	begin, end := w.begin[:len(to)], w.end[:len(to)]
	from = from[:len(to)]
	for k := range to {
		begin[k], end[k] = from[k]-base, to[k]-base
	}
	return len(to), int(end[len(to)-1])
}

// gather copies the indices of the first listed rows, as many as are to be written at a time.
func (w *written) gather(r *rows.Matrix, list []uint32) (count, length int) {
	w.begin, w.end, w.idx16, w.idx32 = w.begin[:0], w.end[:0], w.idx16[:0], w.idx32[:0]
	for _, i := range list {
		begin, end := r.Begin[i], r.End[i]
		if count > 0 && length+int(end-begin) > writtenEntries {
			break
		}
		w.begin = append(w.begin, int64(length))
		if r.Idx16 != nil {
			w.idx16 = append(w.idx16, r.Idx16[begin:end]...)
		} else {
			w.idx32 = append(w.idx32, r.Idx32[begin:end]...)
		}
		length += int(end - begin)
		w.end = append(w.end, int64(length))
		count++
	}
	return count, length
}

// done gives w back.
func (w *written) done() {
	w.part = rows.Matrix{}
	writtenRows.Put(w)
}

// filled returns n ones, in the memory of v where that is enough.
func filled[V float32 | float64](v, ones []V, n int) (filled, some []V) {
	if len(ones) < n {
		ones = make([]V, n)
		Fill(ones, 1)
	}
	v = Sized(v, n)
	copy(v, ones)
	return v, ones
}

// writeMixed writes the values of the few columns to rows of ones: row k of to is row list[k], or
// first+k without a list.
func writeMixed(to *rows.Matrix, x *rows.Mix, list []uint32, first int) {
	for s := 0; s < len(x.Columns); {
		count := 1
		for s+count < len(x.Columns) && x.Columns[s+count] == x.Columns[s]+uint32(count) {
			count++
		}
		run := mixRun{list: list, first: first, stride: x.Stride, slot: s, count: count, column: x.Columns[s]}
		switch {
		case x.Val64 != nil && to.Idx16 != nil:
			writeRun(&run, to, to.Idx16, to.Val64, x.Val64)
		case x.Val64 != nil:
			writeRun(&run, to, to.Idx32, to.Val64, x.Val64)
		case to.Idx16 != nil:
			writeRun(&run, to, to.Idx16, to.Val32, x.Val32)
		default:
			writeRun(&run, to, to.Idx32, to.Val32, x.Val32)
		}
		s += count
	}
}

// mixRun are neighbouring ones of the few columns, in some rows.
type mixRun struct {
	list                       []uint32
	first, stride, slot, count int
	column                     uint32
}

// writeRun finds the entries of a run mostly where the row before has them.
func writeRun[I uint16 | uint32, V float32 | float64](run *mixRun, to *rows.Matrix, idx []I, out, values []V) {
	low, high := I(run.column), I(run.column)+I(run.count-1)
	last, guess := run.count-1, 0
	ends := to.End[:len(to.Begin)]
	out = out[:len(idx)]
	at := run.first*run.stride + run.slot
	for k, begin := range to.Begin {
		if run.list != nil {
			at = int(run.list[k])*run.stride + run.slot
		}
		from, end := int(begin)+guess, int(ends[k])
		if to := from + last; to >= end || uint(from) >= uint(len(idx)) || uint(to) >= uint(len(idx)) || idx[from] != low || idx[to] != high {
			guess = searchRun(run, idx[begin:end], out[begin:end], values[at:])
		} else if last == 0 {
			out[from] = values[at]
		} else {
			own := out[from : to+1]
			for s, x := range values[at:][:len(own)] {
				own[s] = x
			}
		}
		at += run.stride
	}
}

// searchRun writes the values of a run whose place in the row is unknown, and returns its place.
func searchRun[I uint16 | uint32, V float32 | float64](run *mixRun, row []I, out, values []V) int {
	place, _ := slices.BinarySearch(row, I(run.column))
	for e := place; e < len(row); e++ {
		s := int(row[e]) - int(run.column)
		if s >= run.count {
			break
		}
		out[e] = values[s]
	}
	return place
}

// dotMixed is Kernels.Dot. Rows that the kernel does not take are written out.
func dotMixed(path *rows.Kernels, out []float64, r *rows.Matrix, list []uint32, first int, v []float64) {
	for at := 0; at < len(out); {
		if list == nil {
			at += path.DotMix(out[at:], r, nil, first+at, v)
		} else {
			at += path.DotMix(out[at:], r, list[at:], 0, v)
		}
		count := 0
		for ; at+count < len(out); count++ {
			i := first + at + count
			if list != nil {
				i = int(list[at+count])
			}
			if count > 0 && (r.Mix.Of == nil || r.Mix.Of[i] != rows.NoPlan) {
				break
			}
		}
		w := writtenRows.Get().(*written)
		for end := at + count; at < end; {
			n := 0
			if list == nil {
				n = w.take(r, nil, first+at, end-at)
			} else {
				n = w.take(r, list, at, end-at)
			}
			path.Dot(out[at:at+n], &w.part, nil, 0, v)
			at += n
		}
		w.done()
	}
}

// dot2Mixed is Kernels.Dot2 for the rows from first on.
func dot2Mixed(path *rows.Kernels, out1, out2 []float64, r *rows.Matrix, first int, v1, v2 []float64) {
	for len(out1) > 0 {
		n := min(len(out1), mixedRows)
		dotMixed(path, out1[:n], r, nil, first, v1)
		dotMixed(path, out2[:n], r, nil, first, v2)
		out1, out2, first = out1[n:], out2[n:], first+n
	}
}

// mixedRows is the number of rows that two products read one after the other.
const mixedRows = 1 << 8

// mulRowsMixed is WideKernels.MulRows, addOuterMixed WideKernels.AddRows.
func mulRowsMixed(path *rows.WideKernels, dst []float64, r *rows.Matrix, list []uint32, first, width int, v []float64) {
	w := writtenRows.Get().(*written)
	for at, count := 0, len(dst)/width; at < count; {
		n := w.take(r, list, first+at, count-at)
		path.MulRows(dst[at*width:(at+n)*width], &w.part, nil, 0, width, v)
		at += n
	}
	w.done()
}

func addOuterMixed(path *rows.WideKernels, v []float64, r *rows.Matrix, list []uint32, first, width int, c []float64) {
	w := writtenRows.Get().(*written)
	for at, count := 0, len(c)/width; at < count; {
		n := w.take(r, list, first+at, count-at)
		path.AddRows(v, &w.part, nil, 0, width, c[at*width:(at+n)*width])
		at += n
	}
	w.done()
}

// load keeps the elements of the few columns while sums add ones there, and store puts them back.
func (w *written) load(x *rows.Mix, v []float64) []float64 {
	w.values = Sized(w.values, len(x.Columns))
	for s, j := range x.Columns {
		w.values[s] = v[j]
	}
	return w.values
}

func (w *written) store(x *rows.Mix, v []float64) {
	for s, j := range x.Columns {
		v[j] = w.values[s]
	}
}

// addMixed is Kernels.Add. Every element adds its terms in the order of the rows.
func addMixed(path *rows.Kernels, v []float64, r *rows.Matrix, list []uint32, first int, c []float64) {
	x := r.Mix
	w := writtenRows.Get().(*written)
	own := w.load(x, v)
	path.Add(v, &x.Ones, list, first, c)
	switch {
	case list != nil && x.Val64 != nil:
		addListed(own, x.Val64, x.Stride, list, c)
	case list != nil:
		addListed(own, x.Val32, x.Stride, list, c)
	case (x.Stride > len(own) || x.Stride == 1) && x.Val64 != nil:
		addStrided(own, x.Val64[first*x.Stride:], x.Stride, c)
	case x.Stride > len(own) || x.Stride == 1:
		addStrided(own, x.Val32[first*x.Stride:], x.Stride, c)
	case len(own) == 0:
	case x.Val64 != nil:
		path.Full.Add(own, x.Val64[first*x.Stride:][:len(c)*x.Stride], c)
	default:
		path.Full.Add32(own, x.Val32[first*x.Stride:][:len(c)*x.Stride], c)
	}
	w.store(x, v)
	w.done()
}

func addListed[V float32 | float64](to []float64, values []V, stride int, list []uint32, c []float64) {
	for k, i := range list {
		addStrided(to, values[int(i)*stride:], stride, c[k:k+1])
	}
}

// addStrided has the sums of four columns in hand.
func addStrided[V float32 | float64](to []float64, values []V, stride int, c []float64) {
	if len(c) == 0 {
		return
	}
	for ; len(to) >= 4; to, values = to[4:], values[4:] {
		a0, a1, a2, a3 := to[0], to[1], to[2], to[3]
		for k, at := 0, 0; k < len(c); k, at = k+1, at+stride {
			f, x := c[k], values[at:][:4]
			a0, a1 = math.FMA(f, float64(x[0]), a0), math.FMA(f, float64(x[1]), a1)
			a2, a3 = math.FMA(f, float64(x[2]), a2), math.FMA(f, float64(x[3]), a3)
		}
		to[0], to[1], to[2], to[3] = a0, a1, a2, a3
	}
	for s, sum := range to {
		for k, at := 0, s; k < len(c); k, at = k+1, at+stride {
			sum = math.FMA(c[k], float64(values[at]), sum)
		}
		to[s] = sum
	}
}

// addSquaresMixed is addSquares.
func addSquaresMixed(v []float64, r *rows.Matrix, first int, c []float64) {
	x := r.Mix
	w := writtenRows.Get().(*written)
	own := w.load(x, v)
	asm.Active().Rows.Add(v, &x.Ones, nil, first, c)
	if x.Val64 != nil {
		addSquaresStrided(own, x.Val64[first*x.Stride:], x.Stride, c)
	} else {
		addSquaresStrided(own, x.Val32[first*x.Stride:], x.Stride, c)
	}
	w.store(x, v)
	w.done()
}

func addSquaresStrided[V float32 | float64](to []float64, values []V, stride int, c []float64) {
	for k, f := range c {
		for s, x := range values[k*stride:][:len(to)] {
			x := float64(x)
			to[s] = math.FMA(float64(f*x), x, to[s])
		}
	}
}

// squareMixed writes the squared norms of rows, summed as of rows with a value an entry.
func squareMixed(dst []float64, r *rows.Matrix, first int) {
	w := writtenRows.Get().(*written)
	for at := 0; at < len(dst); {
		n := w.take(r, nil, first+at, len(dst)-at)
		for k := range n {
			if begin, end := w.begin[k], w.end[k]; w.part.Val32 != nil {
				dst[at+k] = singleSquare(w.part.Val32[begin:end])
			} else {
				dst[at+k] = asm.Active().Dense.SquaredNorm(w.part.Val64[begin:end])
			}
		}
		at += n
	}
	w.done()
}

// mixedRow writes the values of row i of a mixed matrix, whose entries begin at begin.
func mixedRow(to []float64, r *rows.Matrix, i int, begin int64) {
	Fill(to, 1)
	x, end := r.Mix, begin+int64(len(to))
	for s, j := range x.Columns {
		at, found := 0, false
		if r.Idx16 != nil {
			at, found = slices.BinarySearch(r.Idx16[begin:end], uint16(j))
		} else {
			at, found = slices.BinarySearch(r.Idx32[begin:end], j)
		}
		switch {
		case !found:
		case x.Val64 != nil:
			to[at] = x.Val64[i*x.Stride+s]
		default:
			to[at] = float64(x.Val32[i*x.Stride+s])
		}
	}
}

// cutMix leaves range k of the columns its own ones of the few columns. columns are the first ones
// of all ranges but the first.
func cutMix(r *rows.Matrix, k int, columns []int) {
	x := *r.Mix
	first, end := 0, len(x.Columns)
	if k > 0 {
		first, _ = slices.BinarySearch(x.Columns, uint32(columns[k-1]))
	}
	if k < len(columns) {
		end, _ = slices.BinarySearch(x.Columns, uint32(columns[k]))
	}
	x.Columns = x.Columns[first:end]
	if x.Val64 != nil {
		x.Val64 = x.Val64[min(first, len(x.Val64)):]
	} else {
		x.Val32 = x.Val32[min(first, len(x.Val32)):]
	}
	r.Mix = mixOf(r, &x)
}
