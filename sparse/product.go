package sparse

import (
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/internal/asm"
)

// rowBlock is the number of rows that one parallel block holds. It is fixed, so
// that sums cut by it do not depend on the number of workers.
const rowBlock = 4096

func blocksOf(n int) int { return (n + rowBlock - 1) / rowBlock }

// MulVec computes dst = X w. dst has n elements, w has Cols().
// It costs one sweep over the matrix, shared by the workers of p.
func (m *Matrix) MulVec(p *Pool, dst, w []float64) error {
	if len(dst) != m.n || len(w) != m.Cols() {
		return m.shapeError("MulVec", len(dst), len(w))
	}
	t := mulTasks.Get().(*mulTask)
	*t = mulTask{m: m, dst: dst, w: w, kernels: asm.Active()}
	p.Run(blocksOf(m.n), t)
	*t = mulTask{}
	mulTasks.Put(t)
	return nil
}

func (m *Matrix) shapeError(op string, n, d int) error {
	return fmt.Errorf("sparse: %s: vectors of %d and %d elements do not fit a matrix of %d rows and %d columns", op, n, d, m.n, m.Cols())
}

var mulTasks = sync.Pool{New: func() any { return new(mulTask) }}

type mulTask struct {
	m       *Matrix
	dst, w  []float64
	kernels *asm.Table
}

func (t *mulTask) Block(i int) {
	first, end := i*rowBlock, min((i+1)*rowBlock, t.m.n)
	dst := t.dst[first:end]
	t.kernels.Rows.Dot[t.m.rows.Layout](dst, &t.m.rows, nil, first, t.w)
	t.m.addBias(dst, t.w)
}

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
func (m *Matrix) MulRows(dst []float64, rows []uint32, w []float64) error {
	if err := m.checkRows("MulRows", rows, len(dst), len(w)); err != nil {
		return err
	}
	asm.Active().Rows.Dot[m.rows.Layout](dst, &m.rows, rows, 0, w)
	m.addBias(dst, w)
	return nil
}

// AddRows computes dst += sum over k of c[k] x_rows[k], row after row, on the
// calling goroutine. c has one element for each member of rows, dst has Cols().
func (m *Matrix) AddRows(dst []float64, rows []uint32, c []float64) error {
	if err := m.checkRows("AddRows", rows, len(c), len(dst)); err != nil {
		return err
	}
	asm.Active().Rows.Add[m.rows.Layout](dst, &m.rows, rows, 0, c)
	m.addBiasSum(dst, c)
	return nil
}

func (m *Matrix) addBiasSum(dst, c []float64) {
	if m.bias == 0 {
		return
	}
	dst[m.d] += float64(m.bias * sum(c))
}

func (m *Matrix) checkRows(op string, rows []uint32, n, d int) error {
	if n != len(rows) || d != m.Cols() {
		return fmt.Errorf("sparse: %s: %d rows listed, vectors of %d and %d elements, matrix of %d columns", op, len(rows), n, d, m.Cols())
	}
	for k, i := range rows {
		if int64(i) >= int64(m.n) {
			return fmt.Errorf("sparse: %s: list position %d names row %d of a matrix of %d rows", op, k, i, m.n)
		}
	}
	return nil
}

// AddTrans computes dst += X'c. c has n elements, dst has Cols().
// Every column accumulates in row order: the work is cut by column ranges, so
// the result does not depend on the number of workers.
func (m *Matrix) AddTrans(p *Pool, dst, c []float64) error {
	if len(c) != m.n || len(dst) != m.Cols() {
		return m.shapeError("AddTrans", len(c), len(dst))
	}
	t := addTasks.Get().(*addTask)
	*t = addTask{ranges: m.columnRanges(min(p.Workers(), maxRanges)), dst: dst, c: c, kernels: asm.Active()}
	p.Run(len(t.ranges), t)
	*t = addTask{}
	addTasks.Put(t)
	m.addBiasSum(dst, c)
	return nil
}

// maxRanges bounds the memory of the cut positions: 8 bytes a row and cut.
const maxRanges = 8

var addTasks = sync.Pool{New: func() any { return new(addTask) }}

type addTask struct {
	ranges  []asm.Rows
	dst, c  []float64
	kernels *asm.Table
}

func (t *addTask) Block(i int) {
	r := &t.ranges[i]
	t.kernels.Rows.Add[r.Layout](t.dst, r, nil, 0, t.c)
}

// cutCache remembers the column ranges last asked for.
type cutCache struct {
	mu     sync.Mutex
	ranges []asm.Rows
}

func (m *Matrix) columnRanges(count int) []asm.Rows {
	m.cuts.mu.Lock()
	defer m.cuts.mu.Unlock()
	if len(m.cuts.ranges) != count {
		m.cuts.ranges = cutColumns(&m.rows, m.n, m.d, count)
	}
	return m.cuts.ranges
}

// cutColumns views rows as count column ranges of about equal entries.
func cutColumns(rows *asm.Rows, n, d, count int) []asm.Rows {
	ranges := make([]asm.Rows, count)
	for k := range ranges {
		ranges[k] = *rows
	}
	if count == 1 {
		return ranges
	}
	perColumn := make([]int64, d)
	total := int64(0)
	for i := range n {
		for e := rows.Begin[i]; e < rows.End[i]; e++ {
			perColumn[rows.Column(e)]++
		}
		total += rows.End[i] - rows.Begin[i]
	}
	column, seen := 0, int64(0)
	for k := range count - 1 {
		for column < d && seen < total*int64(k+1)/int64(count) {
			seen += perColumn[column]
			column++
		}
		cut := make([]int64, n)
		for i := range n {
			e := ranges[k].Begin[i]
			for e < rows.End[i] && rows.Column(e) < column {
				e++
			}
			cut[i] = e
		}
		ranges[k].End = cut
		ranges[k+1].Begin = cut
	}
	return ranges
}
