package sparse

import (
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// AddMulMatrix computes dst += X_rows W for a list of rows, on the calling goroutine.
// W has Cols() rows and width columns, dst a row for each member of rows; both are
// stored row after row and do not overlap. Element (k, j) adds its terms one after the other, by fused
// multiply-add, in the order of the entries of the row, the bias last. It costs the
// non-zeros of the rows times width and allocates nothing.
func (m *Matrix) AddMulMatrix(dst []float64, rows []uint32, w []float64, width int) error {
	if err := m.checkWide("AddMulMatrix", rows, len(dst), len(w), width); err != nil {
		return err
	}
	b := wideBuffers.Get().(*wideBuffer)
	for k, i := range rows {
		m.addMulRow(b, dst[k*width:(k+1)*width], int(i), w)
	}
	wideBuffers.Put(b)
	return nil
}

// AddMulMatrixFrom is AddMulMatrix for the rows from first on, as many as dst has.
func (m *Matrix) AddMulMatrixFrom(dst []float64, first int, w []float64, width int) error {
	if width < 1 || len(dst)%width != 0 || first < 0 || first > m.n-len(dst)/width || !fits(len(w), m.Cols(), width) {
		return fmt.Errorf("sparse: AddMulMatrixFrom: %d and %d elements of width %d for the rows from %d on of a matrix of %d rows and %d columns",
			len(dst), len(w), width, first, m.n, m.Cols())
	}
	b := wideBuffers.Get().(*wideBuffer)
	for k := range len(dst) / width {
		m.addMulRow(b, dst[k*width:(k+1)*width], first+k, w)
	}
	wideBuffers.Put(b)
	return nil
}

// AddOuter computes W += X_rows' C for a list of rows, on the calling goroutine: the
// sum over k of the outer products of x_rows[k] and row k of C. W has Cols() rows and
// width columns, C a row for each member of rows; both are stored row after row and do
// not overlap. The rows count one after the other, by fused multiply-add; the bias
// comes with its row. It costs the non-zeros of the rows times width and allocates
// nothing.
func (m *Matrix) AddOuter(w []float64, rows []uint32, c []float64, width int) error {
	if err := m.checkWide("AddOuter", rows, len(c), len(w), width); err != nil {
		return err
	}
	add, b := asm.Active().Rows.Wide.Add, wideBuffers.Get().(*wideBuffer)
	for k, i := range rows {
		row := c[k*width : (k+1)*width]
		for e, end := m.rows.Begin[i], m.rows.End[i]; e < end; {
			idx, val := m.entries(b, int(i), e)
			add(w, idx, val, row)
			e += int64(len(idx))
		}
		if m.bias != 0 {
			asm.Active().Dense.Axpy(m.bias, row, w[m.d*width:])
		}
	}
	wideBuffers.Put(b)
	return nil
}

func (m *Matrix) addMulRow(b *wideBuffer, dst []float64, i int, w []float64) {
	mul := asm.Active().Rows.Wide.Mul
	for e, end := m.rows.Begin[i], m.rows.End[i]; e < end; {
		idx, val := m.entries(b, i, e)
		mul(dst, idx, val, w)
		e += int64(len(idx))
	}
	if m.bias != 0 {
		asm.Active().Dense.Axpy(m.bias, w[m.d*len(dst):], dst)
	}
}

// wideBuffer holds some entries of a row in one layout for all: to decode them costs
// little beside the products with a row of a matrix.
type wideBuffer struct {
	idx [64]uint32
	val [64]float64
}

var wideBuffers = sync.Pool{New: func() any { return new(wideBuffer) }}

// entries returns entries of row i from e on: as many as there are, or as fit.
func (m *Matrix) entries(b *wideBuffer, i int, e int64) ([]uint32, []float64) {
	r := &m.rows
	n := r.End[i] - e
	if r.Layout == rows.I32F64 {
		return r.Idx32[e : e+n], r.Val64[e : e+n]
	}
	n = min(n, int64(len(b.idx)))
	idx, val := b.idx[:n], b.val[:n]
	if r.Idx16 != nil {
		for k, j := range r.Idx16[e : e+n] {
			idx[k] = uint32(j)
		}
	} else {
		idx = r.Idx32[e : e+n]
	}
	switch {
	case r.Val64 != nil:
		val = r.Val64[e : e+n]
	case r.Val32 != nil:
		for k, v := range r.Val32[e : e+n] {
			val[k] = float64(v)
		}
	default:
		scale := 1.0
		if r.Scale != nil {
			scale = r.Scale[i]
		}
		for k := range val {
			val[k] = scale
		}
	}
	return idx, val
}

// fits tells whether n is rows times columns, of 1 or more; the product may overflow.
func fits(n, rows, columns int) bool { return n%columns == 0 && n/columns == rows }

func (m *Matrix) checkWide(op string, rows []uint32, n, w, width int) error {
	if width < 1 || !fits(n, len(rows), width) || !fits(w, m.Cols(), width) {
		return fmt.Errorf("sparse: %s: %d rows listed, %d and %d elements of width %d, matrix of %d columns", op, len(rows), n, w, width, m.Cols())
	}
	return m.checkRows(op, rows, len(rows), m.Cols())
}
