package sparse

import (
	"fmt"
	"iter"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// ByColumns is a copy of a matrix that is stored by columns: compressed sparse
// columns. It serves methods that walk columns, and gives another way to X'c.
type ByColumns struct {
	rows *Matrix // the transpose, without the bias
	bias float64
}

// ByColumns copies m by columns: O(non-zeros + columns), shared by the workers of
// p, and the memory of a second matrix. Values take the layout of m, except that
// one value a row becomes one an entry, or one a column where that is exact.
func (m *Matrix) ByColumns(p *Pool) *ByColumns {
	t := &transposeTask{m: m, ranges: m.columnRanges(p), ptr: make([]int64, m.d+1)}
	p.Run(len(t.ranges), (*countTask)(t))
	for j := range m.d {
		t.ptr[j+1] += t.ptr[j]
	}
	t.next = append([]int64(nil), t.ptr[:m.d]...)
	t.out.Begin, t.out.End = t.ptr[:m.d:m.d], t.ptr[1:]
	size, values := m.NNZ(), rows.I32Ones
	if m.n <= narrowColumns {
		t.out.Idx16 = make([]uint16, size)
	} else {
		t.out.Idx32 = make([]uint32, size)
	}
	switch {
	case m.rows.Val32 != nil:
		values, t.out.Val32 = rows.I32F32, make([]float32, size)
	case m.rows.Val64 != nil || m.rows.Scale != nil:
		values, t.out.Val64 = rows.I32F64, make([]float64, size)
	}
	t.out.Layout = values
	if t.out.Idx16 != nil {
		t.out.Layout += rows.I16F64
	}
	p.Run(len(t.ranges), t)
	out := &Matrix{rows: t.out, n: m.d, d: m.n, cuts: new(cutCache)}
	if m.rows.Scale != nil {
		out.shareValues()
	}
	return &ByColumns{out, m.bias}
}

// shareValues keeps one value a row where the values of every row are equal.
func (m *Matrix) shareValues() {
	scale := m.equalRows()
	if scale == nil {
		return
	}
	m.rows.Val64, m.rows.Val32, m.rows.Scale = nil, nil, scale
	m.rows.Layout = m.layoutFor(rows.I32Ones)
}

type transposeTask struct {
	m      *Matrix
	ranges []rows.Matrix
	ptr    []int64
	next   []int64 // where the next entry of each column goes
	out    rows.Matrix
}

type countTask transposeTask

func (t *countTask) Block(b int) {
	r := &t.ranges[b]
	for i := range t.m.n {
		for e := r.Begin[i]; e < r.End[i]; e++ {
			t.ptr[r.Column(e)+1]++
		}
	}
}

func (t *transposeTask) Block(b int) {
	r := &t.ranges[b]
	for i := range t.m.n {
		for e := r.Begin[i]; e < r.End[i]; e++ {
			j := r.Column(e)
			at := t.next[j]
			t.next[j]++
			if t.out.Idx16 != nil {
				t.out.Idx16[at] = uint16(i)
			} else {
				t.out.Idx32[at] = uint32(i)
			}
			switch {
			case r.Val32 != nil:
				t.out.Val32[at] = r.Val32[e]
			case t.out.Val64 != nil:
				t.out.Val64[at] = r.Value(i, e)
			}
		}
	}
}

// Rows returns the number of rows n of the matrix that was copied.
func (c *ByColumns) Rows() int { return c.rows.d }

// Cols returns its number of columns, the bias column included.
func (c *ByColumns) Cols() int {
	if c.bias != 0 {
		return c.rows.n + 1
	}
	return c.rows.n
}

// Bytes returns the memory that the copy takes.
func (c *ByColumns) Bytes() int64 { return c.rows.Bytes() }

// Column yields the row and the value of every stored entry of column j, rows
// ascending; nothing where there is no column j.
func (c *ByColumns) Column(j int) iter.Seq2[int, float64] {
	if c.bias != 0 && j == c.rows.n {
		return func(yield func(int, float64) bool) {
			for i := range c.rows.d {
				if !yield(i, c.bias) {
					return
				}
			}
		}
	}
	return c.rows.Row(j)
}

// MulTrans computes dst = X'v. v has n elements, dst has Cols(). Each element of
// dst is a dot product, summed in the lanes of MulVec: the same bits for any
// number of workers and on every CPU path, but another rounding than that of
// Matrix.AddTrans, which adds in row order. Use one of the two within a run.
func (c *ByColumns) MulTrans(p *Pool, dst, v []float64) error {
	if len(v) != c.rows.d || len(dst) != c.Cols() {
		return fmt.Errorf("sparse: MulTrans: vectors of %d and %d elements do not fit a matrix of %d rows and %d columns", len(v), len(dst), c.Rows(), c.Cols())
	}
	if err := c.rows.MulVec(p, dst[:c.rows.n], v); err != nil {
		return err
	}
	if c.bias != 0 {
		dst[c.rows.n] = float64(c.bias * asm.Active().Dense.Sum(v))
	}
	return nil
}

// AddColumns computes dst += sum over k of c[k] times column columns[k], one after
// the other, on the calling goroutine. dst has n elements, c one for each member
// of columns; the bias column may not be listed.
func (c *ByColumns) AddColumns(dst []float64, columns []uint32, coef []float64) error {
	return c.rows.AddRows(dst, columns, coef)
}

// Steps returns steps over the stored columns and v, which has Rows() elements: Dot(j) is
// the product of column j with v, and Add(j, c) adds c times the column to v.
func (c *ByColumns) Steps(v []float64) (*Steps, error) { return c.rows.Steps(v) }

// AppendRows appends the rows that have an entry in the listed columns to rows,
// each once for every such column; columns that are not stored, as the bias column,
// add nothing.
func (c *ByColumns) AppendRows(rows []uint32, columns []uint32) []uint32 {
	m := c.rows
	for _, j := range columns {
		if int64(j) >= int64(m.n) {
			continue
		}
		begin, end := m.rows.Begin[j], m.rows.End[j]
		if m.rows.Idx32 != nil {
			rows = append(rows, m.rows.Idx32[begin:end]...)
			continue
		}
		for _, i := range m.rows.Idx16[begin:end] {
			rows = append(rows, uint32(i))
		}
	}
	return rows
}

// Lengths returns the number of stored entries of every column, the bias column
// not included.
func (c *ByColumns) Lengths() []int64 {
	lengths := make([]int64, c.rows.n)
	for j := range lengths {
		lengths[j] = c.rows.rows.End[j] - c.rows.rows.Begin[j]
	}
	return lengths
}
