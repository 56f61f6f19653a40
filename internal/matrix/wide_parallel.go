package matrix

import (
	"fmt"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// MulDense computes dst = X W for a dense matrix W, stored row after row: Cols() rows of width
// elements, such as the weights of width classes. dst has Rows() rows of width elements and does
// not overlap W. Element (i, k) adds its terms one after the other from +0, by fused
// multiply-add. Their order is the order of the entries of row i, the bias last. So the bits
// depend neither on the layout of X nor on the number of workers.
//
// Error: the lengths do not fit, or width is below 1. Cost: width multiply-adds a
// non-zero, shared by the workers of p; the index and the value of an entry are read
// once for about 32 to 64 columns. What binds it is reading a row of W, 8 width bytes,
// for every non-zero: from the first cache level up to about 16 columns it is the
// instructions instead, 0.5 ns a non-zero. W in a cache, by less columns at a time if
// need be, is what a caller can do for it.
func MulDense(m *Matrix, p *Pool, dst, w []float64, width int) error {
	if err := m.checkDense("MulDense", len(dst), len(w), width); err != nil {
		return err
	}
	t := wideTasks.Get().(*wideTask)
	t.m, t.wide, t.c, t.w, t.width = m, &asm.Active().Rows.Wide, dst, w, width
	t.rows = max(1, BlockRows(m)*8/(width+7))
	Run(p, (m.n+t.rows-1)/t.rows, (*wideMulTask)(t))
	t.put()
	return nil
}

// AddTransDense computes W += X'C for dense matrices, stored row after row: W has
// Cols() rows and C Rows() rows of width elements; they do not overlap. With the
// residues of width classes in C, that is the gradient of their weights. The result
// does not depend on the number of workers.
//
// If columns have many entries, it cuts the rows into 4 to 64 parts, as AddTrans does. The parts'
// copies of W must take at most 32 MiB together. Parts are summed in row order by fused
// multiply-add, and added to W in their order. Otherwise it cuts the work by column ranges, and
// every element of W adds its terms in row order. The choice and the parts depend on X and width
// alone.
//
// Error: the lengths do not fit, or width is below 1. Cost: width multiply-adds a
// non-zero. What binds it is reading and writing a row of W, 16 width bytes, for
// every non-zero.
func AddTransDense(m *Matrix, p *Pool, w, c []float64, width int) error {
	if err := m.checkDense("AddTransDense", len(c), len(w), width); err != nil {
		return err
	}
	t := wideTasks.Get().(*wideTask)
	t.m, t.wide, t.c, t.w, t.width = m, &asm.Active().Rows.Wide, c, w, width
	if t.parts = WideParts(m, width); t.parts > 1 {
		if n := t.parts * partStride(len(w)); len(t.own) < n {
			t.own = make([]float64, n)
		}
		Run(p, t.parts, (*widePartTask)(t))
		Run(p, (len(w)+wideSumBlock-1)/wideSumBlock, (*wideSumTask)(t))
	} else {
		t.ranges = m.columnRangesOf(p, m.NNZ()*int64(width), entriesPerWideCut)
		Run(p, len(t.ranges), (*wideRangeTask)(t))
		m.addWideBiasSum(w, c, width)
	}
	t.put()
	return nil
}

func (m *Matrix) checkDense(op string, n, w, width int) error {
	if width < 1 || !fits(n, m.n, width) || !fits(w, m.Cols(), width) {
		return fmt.Errorf("sparse: %s: matrices of %d and %d elements with rows of %d do not fit one of %d rows and %d columns",
			op, n, w, width, m.n, m.Cols())
	}
	return nil
}

// wideTask is a product with a matrix of some width, cut into blocks.
type wideTask struct {
	m      *Matrix
	wide   *rows.WideKernels
	c, w   []float64 // of n and of Cols() rows
	width  int
	rows   int // in a block
	ranges []rows.Matrix
	parts  int
	own    []float64 // a matrix like w for each part
}

var wideTasks = sync.Pool{New: func() any { return new(wideTask) }}

func (t *wideTask) put() {
	*t = wideTask{own: t.own}
	wideTasks.Put(t)
}

// wideCache is how many elements of dst are cleared, summed and given their bias
// before the next ones: few enough for the first cache level.
const wideCache = 2048

type wideMulTask wideTask

func (t *wideMulTask) Block(b int) {
	m, few := t.m, max(1, wideCache/t.width)
	for first, end := b*t.rows, min((b+1)*t.rows, m.n); first < end; {
		last := min(first+few, end)
		dst := t.c[first*t.width : last*t.width]
		clear(dst)
		mulRows(t.wide, dst, &m.rows, nil, first, t.width, t.w)
		m.addWideBias(dst, t.w, t.width)
		first = last
	}
}

// wideRangeTask adds a range of columns a block.
type wideRangeTask wideTask

func (t *wideRangeTask) Block(k int) {
	addOuter(t.wide, t.w, &t.ranges[k], nil, 0, t.width, t.c)
}

// widePartTask sums a part of the rows a block.
type widePartTask wideTask

func (t *widePartTask) Block(k int) {
	m, own := t.m, t.own[k*partStride(len(t.w)):][:len(t.w)]
	clear(own)
	first, end := PartBegin(m, k, t.parts), PartBegin(m, k+1, t.parts)
	c := t.c[first*t.width : end*t.width]
	addOuter(t.wide, own, &m.rows, nil, first, t.width, c)
	m.addWideBiasSum(own, c, t.width)
}

// wideSumTask adds the parts to some elements of w a block.
type wideSumTask wideTask

const wideSumBlock = 1 << 10

func (t *wideSumTask) Block(b int) {
	first := b * wideSumBlock
	w := t.w[first:min(first+wideSumBlock, len(t.w))]
	for k := range t.parts {
		at := k*partStride(len(t.w)) + first
		asm.Active().Dense.Axpy(1, t.own[at:at+len(w)], w)
	}
}

// widePartElements is the most that all parts of AddTransDense have together: 32 MiB.
const widePartElements = 1 << 22

// WideParts returns the number of parts that AddTransDense cuts the rows into, or 1
// where it cuts by columns.
func WideParts(m *Matrix, width int) int {
	parts := m.rowParts()
	for parts > 1 && parts > widePartElements/width/max(m.Cols(), 1) {
		parts /= 2
	}
	if parts < leastParts {
		return 1
	}
	return parts
}

// entriesPerWideCut is entriesPerCut for products with matrices, where an entry costs
// more beside the beginning of a row.
const entriesPerWideCut = 2
