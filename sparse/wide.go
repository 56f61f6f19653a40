package sparse

import (
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/asm"
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
	asm.Active().Rows.Wide.MulRows[m.rows.Layout](dst, &m.rows, rows, 0, width, w)
	m.addWideBias(dst, w, width)
	return nil
}

// AddMulMatrixFrom is AddMulMatrix for the rows from first on, as many as dst has.
func (m *Matrix) AddMulMatrixFrom(dst []float64, first int, w []float64, width int) error {
	if width < 1 || len(dst)%width != 0 || first < 0 || first > m.n-len(dst)/width || !fits(len(w), m.Cols(), width) {
		return fmt.Errorf("sparse: AddMulMatrixFrom: %d and %d elements of width %d for the rows from %d on of a matrix of %d rows and %d columns",
			len(dst), len(w), width, first, m.n, m.Cols())
	}
	asm.Active().Rows.Wide.MulRows[m.rows.Layout](dst, &m.rows, nil, first, width, w)
	m.addWideBias(dst, w, width)
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
	asm.Active().Rows.Wide.AddRows[m.rows.Layout](w, &m.rows, rows, 0, width, c)
	m.addWideBiasSum(w, c, width)
	return nil
}

// biasEntries are entries of the bias column in consecutive rows: with them its share
// takes one call for many rows.
type biasEntries struct {
	idx [64]uint32
	val [64]float64
}

var biasBuffers = sync.Pool{New: func() any {
	b := new(biasEntries)
	for k := range b.idx {
		b.idx[k] = uint32(k)
	}
	return b
}}

// addWideBias adds the bias column's share of X W to rows of it.
func (m *Matrix) addWideBias(dst, w []float64, width int) {
	if m.bias != 0 && len(dst) == width {
		asm.Active().Dense.Axpy(m.bias, w[m.d*width:], dst)
		return
	}
	m.eachBias(dst, width, func(b *biasEntries, n int, part []float64) {
		asm.Active().Rows.Wide.Add(part, b.idx[:n], b.val[:n], w[m.d*width:])
	})
}

// addWideBiasSum adds the bias row of X'C, of which c is some rows.
func (m *Matrix) addWideBiasSum(w, c []float64, width int) {
	if m.bias != 0 && len(c) == width {
		asm.Active().Dense.Axpy(m.bias, c, w[m.d*width:])
		return
	}
	m.eachBias(c, width, func(b *biasEntries, n int, part []float64) {
		asm.Active().Rows.Wide.Mul(w[m.d*width:(m.d+1)*width], b.idx[:n], b.val[:n], part)
	})
}

// eachBias hands out the rows of a, a buffer full of rows at a time.
func (m *Matrix) eachBias(a []float64, width int, do func(b *biasEntries, n int, part []float64)) {
	if m.bias == 0 || len(a) == 0 {
		return
	}
	b := biasBuffers.Get().(*biasEntries)
	most := min(len(b.val), len(a)/width)
	for k := range most {
		b.val[k] = m.bias
	}
	for len(a) > 0 {
		n := min(most, len(a)/width)
		do(b, n, a[:n*width])
		a = a[n*width:]
	}
	biasBuffers.Put(b)
}

// fits tells whether n is rows times columns, of 1 or more; the product may overflow.
func fits(n, rows, columns int) bool { return n%columns == 0 && n/columns == rows }

func (m *Matrix) checkWide(op string, rows []uint32, n, w, width int) error {
	if width < 1 || !fits(n, len(rows), width) || !fits(w, m.Cols(), width) {
		return fmt.Errorf("sparse: %s: %d rows listed, %d and %d elements of width %d, matrix of %d columns", op, len(rows), n, w, width, m.Cols())
	}
	return m.checkRows(op, rows, len(rows), m.Cols())
}
