package matrix

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// AddMulMatrix computes dst += X_rows W for a list of rows, on the calling goroutine. W has
// Cols() rows and width columns, dst a row for each member of rows. Both are stored row after row
// and do not overlap. Element (k, j) adds its terms one after the other, by fused multiply-add,
// in the order of the entries of the row, the bias last. It costs the non-zeros of the rows times
// width and allocates nothing.
func AddMulMatrix(m *Matrix, dst []float64, rows []uint32, w []float64, width int) error {
	if err := m.checkWide("AddMulMatrix", rows, len(dst), len(w), width); err != nil {
		return err
	}
	mulRows(&asm.Active().Rows.Wide, dst, &m.rows, rows, 0, width, w)
	m.addWideBias(dst, w, width)
	return nil
}

// AddMulMatrixFrom is AddMulMatrix for the rows from first on, as many as dst has.
func AddMulMatrixFrom(m *Matrix, dst []float64, first int, w []float64, width int) error {
	if width < 1 || len(dst)%width != 0 || first < 0 || first > m.n-len(dst)/width || !fits(len(w), m.Cols(), width) {
		return fmt.Errorf("sparse: AddMulMatrixFrom: %d and %d elements of width %d for the rows from %d on of a matrix of %d rows and %d columns",
			len(dst), len(w), width, first, m.n, m.Cols())
	}
	mulRows(&asm.Active().Rows.Wide, dst, &m.rows, nil, first, width, w)
	m.addWideBias(dst, w, width)
	return nil
}

// AddOuter computes W += X_rows' C for a list of rows, on the calling goroutine: the
// sum over k of the outer products of x_rows[k] and row k of C. W has Cols() rows and
// width columns, C a row for each member of rows; both are stored row after row and do
// not overlap. The rows count one after the other, by fused multiply-add; the bias
// comes with its row. It costs the non-zeros of the rows times width and allocates
// nothing.
func AddOuter(m *Matrix, w []float64, rows []uint32, c []float64, width int) error {
	if err := m.checkWide("AddOuter", rows, len(c), len(w), width); err != nil {
		return err
	}
	addOuter(&asm.Active().Rows.Wide, w, &m.rows, rows, 0, width, c)
	m.addWideBiasSum(w, c, width)
	return nil
}

// mulRows is WideKernels.MulRows, and addOuter WideKernels.AddRows, of mixed rows too.
func mulRows(path *rows.WideKernels, dst []float64, r *rows.Matrix, list []uint32, first, width int, w []float64) {
	switch {
	case r.Full > 0:
		mulRowsFull(path, dst, r, list, first, width, w)
		return
	case r.Mix != nil:
		mulRowsMixed(path, dst, r, list, first, width, w)
		return
	}
	path.MulRows(dst, r, list, first, width, w)
}

func addOuter(path *rows.WideKernels, w []float64, r *rows.Matrix, list []uint32, first, width int, c []float64) {
	switch {
	case r.Full > 0:
		addOuterFull(path, w, r, list, first, width, c)
		return
	case r.Mix != nil:
		addOuterMixed(path, w, r, list, first, width, c)
		return
	}
	path.AddRows(w, r, list, first, width, c)
}

// addWideBias adds the bias column's share of X W to rows of it.
func (m *Matrix) addWideBias(dst, w []float64, width int) {
	if m.bias != 0 {
		asm.Active().Rows.Wide.MatMul(dst, m.biasEntry(), w[m.d*width:], len(dst)/width, 1, width, 0, 1)
	}
}

// addWideBiasSum adds the bias row of X'C; c has some rows of C.
func (m *Matrix) addWideBiasSum(w, c []float64, width int) {
	if m.bias != 0 {
		asm.Active().Rows.Wide.MatMul(w[m.d*width:], m.biasEntry(), c, 1, len(c)/width, width, 1, 0)
	}
}

// biasEntry is the bias column as a matrix of one element, which stands for all rows.
func (m *Matrix) biasEntry() []float64 { return unsafe.Slice(&m.bias, 1) }

// fits tells whether n is rows times columns, of 1 or more; the product may overflow.
func fits(n, rows, columns int) bool { return n%columns == 0 && n/columns == rows }

func (m *Matrix) checkWide(op string, rows []uint32, n, w, width int) error {
	if width < 1 || !fits(n, len(rows), width) || !fits(w, m.Cols(), width) {
		return fmt.Errorf("sparse: %s: %d rows listed, %d and %d elements of width %d, matrix of %d columns", op, len(rows), n, w, width, m.Cols())
	}
	return m.checkRows(op, rows, len(rows), m.Cols())
}
