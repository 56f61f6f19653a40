package matrix

import (
	"fmt"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// blockEntries is about the number of entries of one parallel block: enough to
// make up for handing it out, few enough to share the work evenly.
const blockEntries = 1 << 15

// BlockRows returns how many rows hold about blockEntries entries. Rows do not
// depend on one another, so the number is free.
func BlockRows(m *Matrix) int {
	return int(max(1, blockEntries*int64(m.n)/max(m.NNZ()+int64(m.n), 1)))
}

// MulVec computes dst = X w. dst has n elements, w has Cols().
// It costs one sweep over the matrix, shared by the workers of p.
func (m *Matrix) MulVec(p *Pool, dst, w []float64) error {
	if len(dst) != m.n || len(w) != m.Cols() {
		return m.shapeError("MulVec", len(dst), len(w))
	}
	m.mul(p, mulTask{m: m, dst: dst, w: w})
	return nil
}

// MulClasses computes the products of rows with the weights of count classes, which follow one another in w:
// dst has the products of a row side by side. scratch has Rows() elements, or may be nil for one class.
// It costs a MulVec a class.
func MulClasses(m *Matrix, p *Pool, dst, w, scratch []float64, count int) error {
	if count == 1 {
		return m.MulVec(p, dst, w)
	}
	d := m.Cols()
	if len(dst) != m.n*count || len(w) != d*count {
		return m.shapeError("MulClasses", len(dst), len(w))
	}
	for k := range count {
		if err := m.MulVec(p, scratch, w[k*d:(k+1)*d]); err != nil {
			return err
		}
		for i, s := range scratch {
			dst[i*count+k] = s
		}
	}
	return nil
}

// shapeError says which lengths op needs: n rows and d columns were given.
func (m *Matrix) shapeError(op string, n, d int) error {
	return fmt.Errorf("sparse: %s: vectors of %d and %d elements do not fit a matrix of %d rows and %d columns", op, n, d, m.n, m.Cols())
}

var mulTasks = sync.Pool{New: func() any { return new(mulTask) }}

// mulTask is a product cut into blocks of rows, or of listed ones.
type mulTask struct {
	m    *Matrix
	dst  []float64
	list []uint32 // nil for all
	w    []float64
	rows int // in a block
	path *rows.Kernels
}

func (m *Matrix) mul(p *Pool, task mulTask) {
	task.rows, task.path = BlockRows(m), &asm.Active().Rows
	t := mulTasks.Get().(*mulTask)
	*t = task
	Run(p, (len(task.dst)+task.rows-1)/task.rows, t)
	*t = mulTask{}
	mulTasks.Put(t)
}

func (t *mulTask) Block(i int) {
	m := t.m
	first, end := i*t.rows, min((i+1)*t.rows, len(t.dst))
	dst := t.dst[first:end]
	if t.list == nil {
		m.dotRows(t.path, dst, first, t.w)
	} else {
		dotEntries(t.path, dst, &m.rows, t.list[first:end], 0, t.w)
	}
	m.addBias(dst, t.w)
}

// addBias adds the product of the bias column, if there is one, with w to dst.
func (m *Matrix) addBias(dst, w []float64) {
	if m.bias == 0 {
		return
	}
	b := float64(m.bias * w[m.d])
	for k := range dst {
		dst[k] += b
	}
}

// MulRows computes dst[k] = x_rows[k]·w for a list of rows, on the calling
// goroutine. dst has one element for each member of rows, w has Cols().
func MulRows(m *Matrix, dst []float64, rows []uint32, w []float64) error {
	if err := m.checkRows("MulRows", rows, len(dst), len(w)); err != nil {
		return err
	}
	dotEntries(&asm.Active().Rows, dst, &m.rows, rows, 0, w)
	m.addBias(dst, w)
	return nil
}

// AddRows computes dst += sum over k of c[k] x_rows[k], row after row, on the
// calling goroutine. c has one element for each member of rows, dst has Cols().
func AddRows(m *Matrix, dst []float64, rows []uint32, c []float64) error {
	if err := m.checkRows("AddRows", rows, len(c), len(dst)); err != nil {
		return err
	}
	addEntries(&asm.Active().Rows, dst, &m.rows, rows, 0, c)
	m.addBiasSum(dst, c)
	return nil
}

func (m *Matrix) addBiasSum(dst, c []float64) {
	if m.bias == 0 {
		return
	}
	dst[m.d] += float64(m.bias * asm.Active().Dense.Sum(c))
}

func (m *Matrix) checkRows(op string, rows []uint32, n, d int) error {
	if n != len(rows) || d != m.Cols() {
		return fmt.Errorf("sparse: %s: %d rows listed, vectors of %d and %d elements, matrix of %d columns", op, len(rows), n, d, m.Cols())
	}
	// The list is looked through again only to say what is wrong with it.
	largest := uint32(0)
	for _, i := range rows {
		largest = max(largest, i)
	}
	if len(rows) == 0 || int64(largest) < int64(m.n) {
		return nil
	}
	k := slices.IndexFunc(rows, func(i uint32) bool { return int64(i) >= int64(m.n) })
	return fmt.Errorf("sparse: %s: list position %d names row %d of a matrix of %d rows", op, k, rows[k], m.n)
}
