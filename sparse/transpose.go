package sparse

import (
	"slices"
	"sync"

	"github.com/lanes-go/lanes/internal/asm"
)

// AddTrans computes dst += X'c. c has n elements, dst has Cols().
// Every column accumulates in row order: the work is cut by column ranges, so
// the result does not depend on the number of workers. It costs one sweep over
// the matrix; the first call with a number of workers also finds the cuts, which
// costs another and keeps 8 bytes a row for each.
func (m *Matrix) AddTrans(p *Pool, dst, c []float64) error {
	if len(c) != m.n || len(dst) != m.Cols() {
		return m.shapeError("AddTrans", len(c), len(dst))
	}
	t := addTasks.Get().(*addTask)
	t.ranges, t.dst, t.c, t.kernels = m.columnRanges(p), dst, c, &asm.Active().Rows
	if t.narrow = m.d <= narrowVector; t.narrow && len(t.own) < (len(t.ranges)-1)*narrowVector {
		t.own = make([]float64, (len(t.ranges)-1)*narrowVector)
	}
	p.Run(len(t.ranges), t)
	*t = addTask{own: t.own}
	addTasks.Put(t)
	m.addBiasSum(dst, c)
	return nil
}

// narrowVector is the length of dst up to which every range but the first works
// on a copy of its own. Ranges that meet within a cache line would take the line
// from one another at every row; in longer vectors they are made not to meet.
const narrowVector = 1024

// cacheLine is in elements; processors fetch lines in pairs.
const cacheLine = 16

var addTasks = sync.Pool{New: func() any { return new(addTask) }}

type addTask struct {
	ranges  []columnRange
	dst, c  []float64
	narrow  bool
	own     []float64 // where narrow: narrowVector elements for each range but the first
	kernels *asm.RowsKernels
}

func (t *addTask) Block(i int) {
	r := &t.ranges[i]
	if i == 0 || !t.narrow {
		t.kernels.Add[r.Layout](t.dst, &r.Rows, nil, 0, t.c)
		return
	}
	own := t.own[(i-1)*narrowVector : i*narrowVector]
	copy(own[r.first:r.end], t.dst[r.first:r.end])
	t.kernels.Add[r.Layout](own, &r.Rows, nil, 0, t.c)
	copy(t.dst[r.first:r.end], own[r.first:r.end])
}

// entriesPerCut is the least mean number of entries that a row should have in a
// column range: with fewer, the cost of beginning a row outweighs the sharing,
// and the cut positions outweigh the matrix.
const entriesPerCut = 4

// cutCache remembers the whole matrix as one range, and the column ranges last
// asked for. Views of one matrix that differ in their bias share it.
type cutCache struct {
	mu            sync.Mutex
	whole, ranges []columnRange
}

// columnRange is the part of every row that lies in the columns first to end-1.
type columnRange struct {
	asm.Rows
	first, end int
}

// columnRanges cuts the columns into at most one range for each worker of p.
func (m *Matrix) columnRanges(p *Pool) []columnRange {
	count := 1
	if m.NNZ() > blockEntries {
		count = int(min(int64(p.Workers()), max(m.NNZ()/int64(m.n)/entriesPerCut, 1)))
	}
	m.cuts.mu.Lock()
	defer m.cuts.mu.Unlock()
	if count == 1 {
		if m.cuts.whole == nil {
			m.cuts.whole = []columnRange{{m.rows, 0, m.d}}
		}
		return m.cuts.whole
	}
	if len(m.cuts.ranges) != count {
		m.cuts.ranges = m.cutColumns(p, count)
	}
	return m.cuts.ranges
}

// cutColumns views the rows as count column ranges of about equal entries.
func (m *Matrix) cutColumns(p *Pool, count int) []columnRange {
	t := &cutTask{m: m, ranges: make([]columnRange, count), columns: m.balancedColumns(count), rows: m.blockRows()}
	for k := range t.ranges {
		t.ranges[k] = columnRange{m.rows, 0, m.d}
		if k > 0 {
			cut := make([]int64, m.n)
			t.ranges[k-1].end, t.ranges[k].first = t.columns[k-1], t.columns[k-1]
			t.ranges[k-1].End, t.ranges[k].Begin = cut, cut
		}
	}
	p.Run((m.n+t.rows-1)/t.rows, t)
	return t.ranges
}

// balancedColumns returns the first columns of all ranges but the first, such
// that the ranges hold about equal numbers of entries. It looks at about a
// million entries, taken from all over the matrix.
func (m *Matrix) balancedColumns(count int) []int {
	perColumn := make([]uint32, m.d)
	total := int64(0)
	step := int(max(m.NNZ()>>20, 1))
	for i := 0; i < m.n; i += step {
		for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
			perColumn[m.rows.Column(e)]++
		}
		total += m.rows.End[i] - m.rows.Begin[i]
	}
	columns := make([]int, 0, count-1)
	column, seen := 0, int64(0)
	for k := range count - 1 {
		// A column goes to the side that its inclusion leaves nearer to even.
		for want := total * int64(k+1) / int64(count); column < m.d && seen+int64(perColumn[column]/2) < want; column++ {
			seen += int64(perColumn[column])
		}
		if m.d > narrowVector {
			for ; column < m.d && column%cacheLine != 0; column++ {
				seen += int64(perColumn[column])
			}
		}
		columns = append(columns, column)
	}
	return columns
}

// cutTask finds where in each row the column ranges begin.
type cutTask struct {
	m       *Matrix
	ranges  []columnRange
	columns []int
	rows    int // in a block
}

func (t *cutTask) Block(b int) {
	for i := b * t.rows; i < min((b+1)*t.rows, t.m.n); i++ {
		begin, end := t.m.rows.Begin[i], t.m.rows.End[i]
		for k, column := range t.columns {
			begin = t.m.searchRow(begin, end, column)
			t.ranges[k].End[i] = begin
		}
	}
}

// searchRow returns the first entry from begin to end whose column is not below
// the given one.
func (m *Matrix) searchRow(begin, end int64, column int) int64 {
	if m.rows.Idx16 != nil {
		if column >= narrowColumns {
			return end
		}
		at, _ := slices.BinarySearch(m.rows.Idx16[begin:end], uint16(column))
		return begin + int64(at)
	}
	at, _ := slices.BinarySearch(m.rows.Idx32[begin:end], uint32(column))
	return begin + int64(at)
}
