package matrix

import (
	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// isFull tells whether every row has an entry in every column, and no value is packed. The columns of a
// row ascend, so entry e of a row is then in column e.
func (m *Matrix) isFull() bool {
	return m.n > 0 && m.d > 0 && (m.rows.Val64 != nil || m.rows.Val32 != nil) && m.NNZ() == int64(m.n)*int64(m.d)
}

// dotRows computes dst[k] = x_(first+k)·w, by the kernel of full rows if it can.
func (m *Matrix) dotRows(path *rows.Kernels, dst []float64, first int, w []float64) {
	if !m.isFull() {
		dotEntries(path, dst, &m.rows, nil, first, w)
		return
	}
	begin, size := first*m.d, len(dst)*m.d
	if m.rows.Val64 != nil {
		path.Full.Dot(dst, m.rows.Val64[begin:][:size], w[:m.d])
		return
	}
	path.Full.Dot32(dst, m.rows.Val32[begin:][:size], w[:m.d])
}

// dotEntries is Kernels.Dot, and addEntries Kernels.Add, of mixed rows too.
func dotEntries(path *rows.Kernels, dst []float64, r *rows.Matrix, list []uint32, first int, w []float64) {
	if r.Mix != nil {
		dotMixed(path, dst, r, list, first, w)
		return
	}
	path.Dot(dst, r, list, first, w)
}

func addEntries(path *rows.Kernels, w []float64, r *rows.Matrix, list []uint32, first int, c []float64) {
	if r.Mix != nil {
		addMixed(path, w, r, list, first, c)
		return
	}
	path.Add(w, r, list, first, c)
}

// addRows adds c[k] x_(first+k) for all k to w, by the kernel of full rows if it can.
func (m *Matrix) addRows(path *rows.Kernels, w []float64, first int, c []float64) {
	if !m.isFull() {
		addEntries(path, w, &m.rows, nil, first, c)
		return
	}
	begin, size := first*m.d, len(c)*m.d
	if m.rows.Val64 != nil {
		path.Full.Add(w[:m.d], m.rows.Val64[begin:][:size], c)
		return
	}
	path.Full.Add32(w[:m.d], m.rows.Val32[begin:][:size], c)
}

// addFullSquares adds c[k] times the squares of the entries of row first+k for all k to w, by the
// kernel of full rows. It tells whether the rows are full.
func (m *Matrix) addFullSquares(w []float64, first int, c []float64) bool {
	if !m.isFull() {
		return false
	}
	begin, size := first*m.d, len(c)*m.d
	if m.rows.Val64 != nil {
		asm.Active().Rows.Full.Squares(w[:m.d], m.rows.Val64[begin:][:size], c)
	} else {
		asm.Active().Rows.Full.Squares32(w[:m.d], m.rows.Val32[begin:][:size], c)
	}
	return true
}
