package matrix

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"weak"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// AddTrans computes dst += X'c. c has n elements, dst has Cols(). The result does
// not depend on the number of workers.
//
// Where the columns have many entries each, the rows are cut into 2 to 64 parts of
// about equal entries; each part is summed in row order, and the parts are added
// to dst in their order. Which parts there are depends on the matrix alone; their
// vectors take at most 0.8 bytes a non-zero. Otherwise the work is cut by column
// ranges, so that every column accumulates in row order without a vector for each
// worker. It costs one sweep over the matrix; finding the column ranges for a
// number of workers, once, costs another and keeps 8 bytes a row for each.
//
// If many c are 0, their rows are left out. So a -0 in dst may stay -0, although adding +0 would
// make it +0.
func (m *Matrix) AddTrans(p *Pool, dst, c []float64) error {
	if len(c) != m.n || len(dst) != m.Cols() {
		return m.shapeError("AddTrans", len(c), len(dst))
	}
	t := addTasks.Get().(*addTask)
	*t = addTask{m: m, dst: dst, c: c, sparse: manyZeros(c)}
	t.run(p)
	addTasks.Put(t)
	return nil
}

// AddHessian computes z = X w, c[i] = h[i] z[i] and dst += X'c: the product of a vector with the
// Hessian of a loss of curvatures h. dst and w have Cols() elements and do not overlap, z, c and h
// have n each. The bits equal the bits of MulVec, an elementwise product and AddTrans, except for
// the sign of zeros in dst if AddTrans skips rows. Every row is read twice while it is in the
// cache, unless the workers divide the columns among them.
func AddHessian(m *Matrix, p *Pool, dst, z, c, w, h []float64) error {
	if len(z) != m.n || len(c) != m.n || len(h) != m.n || len(dst) != m.Cols() || len(w) != m.Cols() {
		return fmt.Errorf("sparse: AddHessian: vectors of %d, %d and %d elements for %d rows, of %d and %d for %d columns",
			len(z), len(c), len(h), m.n, len(dst), len(w), m.Cols())
	}
	t := addTasks.Get().(*addTask)
	*t = addTask{m: m, dst: dst, c: c, z: z, w: w, h: h}
	t.run(p)
	addTasks.Put(t)
	return nil
}

// AddSlopes computes z = X w without the bias column, has slopes turn z into c for the rows from
// first to end-1, and adds X'c to dst. The bits equal the bits of MulVec, all slopes and AddTrans,
// except for the sign of zeros in dst if AddTrans skips rows. The workers of p call slopes at the
// same time, for other rows each. Every row is read twice while it is in the cache, as AddHessian
// does. dst and w have Cols() elements and do not overlap, z and c have n each.
func AddSlopes(m *Matrix, p *Pool, dst, z, c, w []float64, slopes func(first, end int)) error {
	if len(z) != m.n || len(c) != m.n || len(dst) != m.Cols() || len(w) != m.Cols() {
		return fmt.Errorf("sparse: AddSlopes: vectors of %d and %d elements for %d rows, of %d and %d for %d columns", len(z), len(c), m.n, len(dst), len(w), m.Cols())
	}
	t := addTasks.Get().(*addTask)
	*t = addTask{m: m, dst: dst, c: c, z: z, w: w, slopes: slopes}
	t.run(p)
	addTasks.Put(t)
	return nil
}

var addTasks = sync.Pool{New: func() any { return new(addTask) }}

// addTask adds X'c to dst. If it has a z, it computes z and c first: by slopes, if it has them.
type addTask struct {
	m       *Matrix
	ranges  []rows.Matrix
	dst, c  []float64
	z, w, h []float64
	slopes  func(first, end int)
	rows    int // that stay in the cache
	partSum
	sparse bool // c is 0 for many rows
	path   *rows.Kernels
}

func (t *addTask) run(p *Pool) {
	m := t.m
	t.path, t.rows = &asm.Active().Rows, BlockRows(m)
	if t.parts = m.rowParts(); t.parts > 1 {
		t.sum(p, t.dst[:m.d], (*addPartTask)(t))
	} else if t.ranges = m.columnRanges(p); len(t.ranges) == 1 && (t.z == nil || p.Workers() == 1) {
		t.sweep(t.dst, 0, m.n)
	} else {
		if t.z != nil {
			Run(p, (m.n+t.rows-1)/t.rows, (*coefficientTask)(t))
		}
		Run(p, len(t.ranges), t) // by one worker where there is little to add
	}
	m.addBiasSum(t.dst, t.c)
	*t = addTask{}
}

// Block adds one column range.
func (t *addTask) Block(i int) {
	addEntries(t.path, t.dst, &t.ranges[i], nil, 0, t.c)
}

// coefficientTask computes z and c for a block of rows.
type coefficientTask addTask

func (t *coefficientTask) Block(i int) {
	(*addTask)(t).coefficients(i*t.rows, min((i+1)*t.rows, t.m.n))
}

func (t *addTask) coefficients(first, end int) {
	z := t.z[first:end]
	t.m.dotRows(t.path, z, first, t.w)
	if t.slopes != nil {
		t.slopes(first, end)
		return
	}
	t.m.addBias(z, t.w)
	asm.Active().Dense.Mul(t.c[first:end], t.h[first:end], z)
}

// addPartTask sums one part of the rows a block.
type addPartTask addTask

func (t *addPartTask) Block(k int) {
	(*addTask)(t).sweep(t.vector(k, t.m.d), PartBegin(t.m, t.at+k, t.parts), PartBegin(t.m, t.at+k+1, t.parts))
}

// partSum is a sum over parts of the rows, in their order.
type partSum struct {
	parts int
	at    int       // the first part in hand
	own   []float64 // a vector for each part in hand
}

// elementsInHand is the number of elements, in vectors of parts, that are not worth saving.
const elementsInHand = 1 << 16

// sum adds to dst the vectors that part makes of the parts. Where vectors are long, each worker has
// two parts in hand.
func (s *partSum) sum(p *Pool, dst []float64, part BlockTask) {
	inHand := min(max(2*p.Workers(), elementsInHand/partStride(len(dst))), s.parts)
	arena := p.takeArena()
	s.own = arena.Sized(inHand * partStride(len(dst)))
	for s.at = 0; s.at < s.parts; s.at += inHand {
		count := min(inHand, s.parts-s.at)
		Run(p, count, part)
		sumParts(p, dst, s.own, count)
	}
	p.leaveArena(arena)
}

// vector returns the vector of d zeros of the k-th part in hand.
func (s *partSum) vector(k, d int) []float64 {
	own := s.own[k*partStride(d):][:d]
	clear(own)
	return own
}

// partArena holds the vectors of parts, which sums use one after the other.
type partArena struct{ vectors []float64 }

var partArenas = sync.Pool{New: func() any { return new(partArena) }}

// Sized returns at least elements numbers of the arena, which are not cleared.
func (r *partArena) Sized(elements int) []float64 {
	if len(r.vectors) < elements {
		r.vectors = make([]float64, elements)
	}
	return r.vectors
}

// partStride is how far apart the vectors of parts begin: they have no cache lines in
// common, for which workers would fight at every row.
func partStride(size int) int { return (size/cacheLine + 2) * cacheLine }

// sumParts adds to dst the vectors of the parts in their order.
func sumParts(p *Pool, dst, own []float64, parts int) {
	t := sumTasks.Get().(*sumTask)
	*t = sumTask{dst, own, parts}
	Run(p, (len(dst)+sumBlock-1)/sumBlock, t)
	*t = sumTask{}
	sumTasks.Put(t)
}

var sumTasks = sync.Pool{New: func() any { return new(sumTask) }}

// sumTask adds the parts to some elements of dst a block.
type sumTask struct {
	dst, own []float64
	parts    int
}

// sumBlock is few enough elements for the first cache level, and enough for a worker.
const sumBlock = 1 << 12

func (t *sumTask) Block(b int) {
	first := b * sumBlock
	dst := t.dst[first:min(first+sumBlock, len(t.dst))]
	for k := range t.parts {
		asm.Active().Dense.Axpy(1, t.own[k*partStride(len(t.dst))+first:][:len(dst)], dst)
	}
}

// sweep adds rows to a vector, one after the other.
func (t *addTask) sweep(to []float64, first, end int) {
	if t.z == nil {
		t.addRows(to, first, end)
		return
	}
	for ; first < end; first += t.rows {
		last := min(first+t.rows, end)
		t.coefficients(first, last)
		t.m.addRows(t.path, to, first, t.c[first:last])
	}
}

// addRows adds rows to a vector, and does not touch those whose c is 0 where they are many:
// squared hinges leave a few rows of many to be added.
func (t *addTask) addRows(to []float64, first, end int) {
	if !t.sparse {
		t.m.addRows(t.path, to, first, t.c[first:end])
		return
	}
	counted := countedRows.Get().(*rowBlock)
	for ; first < end; first += zeroBlock {
		count := 0
		for k, v := range t.c[first:min(first+zeroBlock, end)] {
			counted.list[count], counted.c[count] = uint32(first+k), v
			if v != 0 {
				count++
			}
		}
		if count > 0 {
			addEntries(t.path, to, &t.m.rows, counted.list[:count], 0, counted.c[:count])
		}
	}
	countedRows.Put(counted)
}

// rowBlock lists the rows of a block whose c is not 0.
type rowBlock struct {
	list [zeroBlock]uint32
	c    [zeroBlock]float64
}

// countedRows are here as what a kernel's function value is given leaves the stack.
var countedRows = sync.Pool{New: func() any { return new(rowBlock) }}

const (
	// zeroBlock is the number of rows in a block of which the rows with c != 0 are listed.
	zeroBlock = 256
	// zeroStep is the distance of the elements of c that are looked at to see whether at
	// least one in zeroShare is 0.
	zeroStep, zeroShare = 61, 3
)

// manyZeros tells whether listing the rows whose c is not 0 pays. It looks at some of them.
func manyZeros(c []float64) bool {
	zeros := 0
	for i := 0; i < len(c); i += zeroStep {
		if c[i] == 0 {
			zeros++
		}
	}
	return zeros*zeroStep*zeroShare > len(c)
}

const (
	// entriesPerColumn is the number of entries for each column that a part of the rows should
	// have. It makes the cost of clearing and adding the part's vector small.
	entriesPerColumn = 32
	// leastParts and mostParts bound the parts of the rows. With fewer than four, three
	// workers would wait for two.
	leastParts, mostParts = 4, 64
	// fewEntries is the number for each column that leastParts or less do with: two sweeps
	// by columns, of the pieces of all rows, take two workers as long as one worker takes
	// for the rows at once.
	fewEntries = 10
)

// rowParts returns the number of parts that AddTrans cuts the rows into, a power
// of two, or 1 where it cuts by columns.
func (m *Matrix) rowParts() int {
	size, d := m.NNZ(), int64(max(m.d, 1))
	if size < leastParts*blockEntries {
		return 1
	}
	parts := min(mostParts, size/blockEntries, max(size/(entriesPerColumn*d), min(leastParts, size/(fewEntries*d))))
	return 1 << (max(1, bits.Len64(uint64(parts))) - 1)
}

// PartBegin returns the first row of part k.
func PartBegin(m *Matrix, k, parts int) int {
	if k == parts {
		return m.n
	}
	at := m.NNZ() * int64(k) / int64(parts)
	row, _ := slices.BinarySearch(m.rows.Begin, at)
	return row
}

// entriesPerCut is the least mean number of entries that a row should have in a
// column range: with fewer, the cost of beginning a row outweighs the sharing,
// and the cut positions outweigh the matrix.
const entriesPerCut = 8

// cacheLine is in elements; processors fetch lines in pairs. Column ranges do not
// meet within one: they would take it from one another at every row.
const cacheLine = 16

// cutCache remembers the column ranges by their number, and GramCost. Views of one matrix
// that differ in their bias share it.
type cutCache struct {
	mu     sync.Mutex
	ranges map[int][]rows.Matrix
	gram   int64                     // GramCost, where it is known
	plain  weak.Pointer[rows.Matrix] // see plain
	full   *Matrix                   // see indexed
}

// columnRanges cuts the columns into at most one range for each worker of p.
func (m *Matrix) columnRanges(p *Pool) []rows.Matrix {
	return m.columnRangesOf(p, m.NNZ(), entriesPerCut)
}

// columnRangesOf cuts the columns into ranges with about entriesPerCut entries a row in the mean,
// or into one range if there is little work.
func (m *Matrix) columnRangesOf(p *Pool, work, entriesPerCut int64) []rows.Matrix {
	count := 1
	if work > leastParts*blockEntries {
		count = int(min(int64(p.Workers()), max(m.NNZ()/int64(m.n)/entriesPerCut, 1)))
	}
	if m.cuts == nil { // the zero Matrix
		return []rows.Matrix{m.rows}
	}
	return m.rangesOf(p, count)
}

// rangesOf cuts the columns into count ranges, and remembers them.
func (m *Matrix) rangesOf(p *Pool, count int) []rows.Matrix {
	if count > 1 {
		m = indexed(m)
	}
	m.cuts.mu.Lock()
	defer m.cuts.mu.Unlock()
	ranges := m.cuts.ranges[count]
	if ranges == nil {
		if m.cuts.ranges == nil {
			m.cuts.ranges = map[int][]rows.Matrix{}
		}
		ranges = m.cutColumns(p, count)
		m.cuts.ranges[count] = ranges
	}
	return ranges
}

// cutColumns views the rows as count column ranges of about equal entries.
func (m *Matrix) cutColumns(p *Pool, count int) []rows.Matrix {
	if count == 1 {
		return []rows.Matrix{m.rows}
	}
	t := &cutTask{m: m, ranges: make([]rows.Matrix, count), columns: m.balancedColumns(count), rows: BlockRows(m)}
	for k := range t.ranges {
		t.ranges[k] = m.rows
		if k > 0 {
			cut := make([]int64, m.n)
			t.ranges[k-1].End, t.ranges[k].Begin = cut, cut
		}
	}
	Run(p, (m.n+t.rows-1)/t.rows, t)
	if m.mix() != nil {
		for k := range t.ranges {
			cutMix(&t.ranges[k], k, t.columns)
		}
	}
	return t.ranges
}

// balancedColumns returns the first columns of all ranges but the first, such
// that the ranges hold about equal numbers of entries. It looks at some 131,072
// entries, taken from all over the matrix.
func (m *Matrix) balancedColumns(count int) []int {
	perColumn := make([]uint32, m.d)
	total := int64(0)
	step := int(max(m.NNZ()>>17, 1))
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
		for ; column < m.d && column%cacheLine != 0; column++ {
			seen += int64(perColumn[column])
		}
		columns = append(columns, column)
	}
	return columns
}

// cutTask finds where in each row the column ranges begin.
type cutTask struct {
	m       *Matrix
	ranges  []rows.Matrix
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
		if column >= NarrowColumns {
			return end
		}
		at, _ := slices.BinarySearch(m.rows.Idx16[begin:end], uint16(column))
		return begin + int64(at)
	}
	at, _ := slices.BinarySearch(m.rows.Idx32[begin:end], uint32(column))
	return begin + int64(at)
}
