package matrix

import (
	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// Rows are full if each has an entry in every column, and no value is packed. The columns of a row
// ascend, so entry e of a row is in column e. A matrix of such rows is built without indices. For
// operations that read these, indexed writes them once.

// isFull tells whether all rows are full.
func (m *Matrix) isFull() bool {
	return m.n > 0 && m.d > 0 && (m.rows.Val64 != nil || m.rows.Val32 != nil) && m.NNZ() == int64(m.n)*int64(m.d)
}

// indexed returns m with an index an entry.
func indexed(m *Matrix) *Matrix {
	d := m.rows.Full
	if d == 0 {
		return m
	}
	m.cuts.mu.Lock()
	defer m.cuts.mu.Unlock()
	if m.cuts.full == nil {
		full := *m
		full.cuts, full.rows.Full = new(cutCache), 0
		if size := m.NNZ(); m.rows.Layout.Narrow() {
			full.rows.Idx16 = make([]uint16, size)
		} else {
			full.rows.Idx32 = make([]uint32, size)
		}
		fillColumns(full.rows.Idx16, d)
		fillColumns(full.rows.Idx32, d)
		m.cuts.full = &full
	}
	out := *m
	out.rows, out.cuts = m.cuts.full.rows, m.cuts.full.cuts
	return &out
}

// dotRows computes dst[k] = x_(first+k)·w, by the kernel of full rows if it can.
func (m *Matrix) dotRows(path *rows.Kernels, dst []float64, first int, w []float64) {
	if m.isFull() {
		dotFull(path, dst, &m.rows, m.d, first, w)
	} else {
		dotEntries(path, dst, &m.rows, nil, first, w)
	}
}

func dotFull(path *rows.Kernels, dst []float64, r *rows.Matrix, d, first int, w []float64) {
	begin, size := first*d, len(dst)*d
	if r.Val64 != nil {
		path.Full.Dot(dst, r.Val64[begin:][:size], w[:d])
	} else {
		path.Full.Dot32(dst, r.Val32[begin:][:size], w[:d])
	}
}

// dotEntries is Kernels.Dot, and addEntries Kernels.Add, of full and of mixed rows too.
func dotEntries(path *rows.Kernels, dst []float64, r *rows.Matrix, list []uint32, first int, w []float64) {
	switch {
	case r.Full > 0 && list == nil:
		dotFull(path, dst, r, r.Full, first, w)
	case r.Full > 0:
		for k, i := range list[:len(dst)] {
			dotFull(path, dst[k:k+1], r, r.Full, int(i), w)
		}
	case r.Mix != nil:
		dotMixed(path, dst, r, list, first, w)
	default:
		path.Dot(dst, r, list, first, w)
	}
}

func addEntries(path *rows.Kernels, w []float64, r *rows.Matrix, list []uint32, first int, c []float64) {
	switch {
	case r.Full > 0 && list == nil:
		addFull(path, w, r, r.Full, first, c)
	case r.Full > 0:
		for k, i := range list[:len(c)] {
			addFull(path, w, r, r.Full, int(i), c[k:k+1])
		}
	case r.Mix != nil:
		addMixed(path, w, r, list, first, c)
	default:
		path.Add(w, r, list, first, c)
	}
}

// addRows adds c[k] x_(first+k) for all k to w, by the kernel of full rows if it can.
func (m *Matrix) addRows(path *rows.Kernels, w []float64, first int, c []float64) {
	if m.isFull() {
		addFull(path, w, &m.rows, m.d, first, c)
	} else {
		addEntries(path, w, &m.rows, nil, first, c)
	}
}

func addFull(path *rows.Kernels, w []float64, r *rows.Matrix, d, first int, c []float64) {
	begin, size := first*d, len(c)*d
	if r.Val64 != nil {
		path.Full.Add(w[:d], r.Val64[begin:][:size], c)
	} else {
		path.Full.Add32(w[:d], r.Val32[begin:][:size], c)
	}
}

// squaresFull adds c[k] times the squares of the entries of row first+k for all k to w.
func squaresFull(w []float64, r *rows.Matrix, d, first int, c []float64) {
	begin, size := first*d, len(c)*d
	if r.Val64 != nil {
		asm.Active().Rows.Full.Squares(w[:d], r.Val64[begin:][:size], c)
	} else {
		asm.Active().Rows.Full.Squares32(w[:d], r.Val32[begin:][:size], c)
	}
}

// mulRowsFull is mulRows, and addOuterFull addOuter, of full rows without indices.
func mulRowsFull(path *rows.WideKernels, dst []float64, r *rows.Matrix, list []uint32, first, width int, v []float64) {
	d, w := r.Full, writtenRows.Get().(*written)
	for at, count := 0, len(dst)/width; at < count; {
		x, n := w.takeFull(r, list, first+at, count-at)
		path.MatMul(dst[at*width:][:n*width], x, v[:d*width], n, d, width, d, 1)
		at += n
	}
	w.done()
}

func addOuterFull(path *rows.WideKernels, v []float64, r *rows.Matrix, list []uint32, first, width int, c []float64) {
	d, w := r.Full, writtenRows.Get().(*written)
	for at, count := 0, len(c)/width; at < count; {
		x, n := w.takeFull(r, list, first+at, count-at)
		path.MatMul(v[:d*width], x, c[at*width:][:n*width], d, n, width, 1, d)
		at += n
	}
	w.done()
}

// takeFull returns the values of the next of count rows, as take chooses these, and how many rows
// they are.
func (w *written) takeFull(r *rows.Matrix, list []uint32, first, count int) (x []float64, n int) {
	d := r.Full
	if list == nil && r.Val64 != nil {
		return r.Val64[first*d:][:count*d], count
	}
	n = min(count, max(1, writtenEntries/d))
	w.values = Sized(w.values, n*d)
	for k := range n {
		i := first + k
		if list != nil {
			i = int(list[i])
		}
		RowValues(w.values[k*d:][:d], r, i, r.Begin[i])
	}
	return w.values, n
}
