package matrix

import (
	"fmt"
	"iter"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// ByColumns is a copy of a matrix that is stored by columns: compressed sparse
// columns. It serves methods that walk columns, and gives another way to X'c.
type ByColumns struct {
	rows *Matrix // the transpose, without the bias
	bias float64
	columnArena
}

// NewByColumns copies m by columns: O(non-zeros + columns), shared by the workers of
// p, and the memory of a second matrix. Values take the layout of m, except that
// one value a row becomes one an entry, or one a column where that is exact.
func NewByColumns(m *Matrix, p *Pool) *ByColumns {
	m = indexed(m)
	t := &transposeTask{m: m, ranges: m.columnRanges(p), ptr: make([]int64, m.d+1)}
	Run(p, len(t.ranges), (*countTask)(t))
	for j := range m.d {
		t.ptr[j+1] += t.ptr[j]
	}
	t.next = append([]int64(nil), t.ptr[:m.d]...)
	t.out.Begin, t.out.End = t.ptr[:m.d:m.d], t.ptr[1:]
	size, values := m.NNZ(), rows.I32Ones
	t.out.Unit, t.out.Table = m.rows.Unit, m.rows.Table
	if m.n <= NarrowColumns {
		t.out.Idx16 = make([]uint16, size)
	} else {
		t.out.Idx32 = make([]uint32, size)
	}
	x := m.mix()
	switch {
	case x != nil && x.Val32 != nil:
		values, t.out.Val32 = rows.I32F32, make([]float32, size)
		Fill(t.out.Val32, 1)
	case x != nil:
		values, t.out.Val64 = rows.I32F64, make([]float64, size)
		Fill(t.out.Val64, 1)
	case m.rows.Val32 != nil:
		values, t.out.Val32 = rows.I32F32, make([]float32, size)
	case m.rows.Val64 != nil || m.rows.Scale != nil:
		values, t.out.Val64 = rows.I32F64, make([]float64, size)
	case m.rows.Decimals != nil:
		values, t.out.Decimals = rows.I32Decimals, make([]int32, size)
	case m.rows.Codes != nil:
		values, t.out.Codes = rows.I32Codes, make([]uint16, size)
	}
	t.out.Layout = values
	if t.out.Idx16 != nil {
		t.out.Layout = values.Narrowed()
	}
	Run(p, len(t.ranges), t)
	if x != nil {
		writeColumnValues(&t.out, x)
	}
	out := &Matrix{rows: t.out, n: m.d, d: m.n, cuts: new(cutCache), single: m.single}
	if m.rows.Scale != nil {
		out.shareValues()
	}
	return &ByColumns{rows: out, bias: m.bias}
}

// shareValues keeps one value a row where the values of every row are equal.
func (m *Matrix) shareValues() {
	scale := m.equalRows()
	if scale == nil {
		return
	}
	m.clearValues()
	m.rows.Scale, m.rows.Layout = scale, LayoutFor(m, rows.I32Ones)
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
	if r.Idx16 != nil {
		countColumns(t.ptr[1:], r, r.Idx16)
	} else {
		countColumns(t.ptr[1:], r, r.Idx32)
	}
}

func countColumns[I uint16 | uint32](count []int64, r *rows.Matrix, idx []I) {
	for i, begin := range r.Begin {
		for _, j := range idx[begin:r.End[i]] {
			count[j]++
		}
	}
}

func (t *transposeTask) Block(b int) {
	r := &t.ranges[b]
	switch {
	case r.Idx16 != nil && t.out.Idx16 != nil:
		transpose(t, r, r.Idx16, t.out.Idx16)
	case r.Idx16 != nil:
		transpose(t, r, r.Idx16, t.out.Idx32)
	case t.out.Idx16 != nil:
		transpose(t, r, r.Idx32, t.out.Idx16)
	default:
		transpose(t, r, r.Idx32, t.out.Idx32)
	}
}

// transpose has a loop a kind of values: what is decided once an entry costs as much as
// what is copied.
func transpose[I, O uint16 | uint32](t *transposeTask, r *rows.Matrix, idx []I, out []O) {
	switch {
	case r.Val32 != nil:
		transposeValues(t.next, r, idx, out, r.Val32, t.out.Val32)
	case r.Val64 != nil:
		transposeValues(t.next, r, idx, out, r.Val64, t.out.Val64)
	case r.Decimals != nil:
		transposeValues(t.next, r, idx, out, r.Decimals, t.out.Decimals)
	case r.Codes != nil:
		transposeValues(t.next, r, idx, out, r.Codes, t.out.Codes)
	default:
		for i, begin := range r.Begin {
			for _, j := range idx[begin:r.End[i]] {
				at := t.next[j]
				t.next[j]++
				out[at] = O(i)
				if r.Scale != nil {
					t.out.Val64[at] = r.Scale[i]
				}
			}
		}
	}
}

func transposeValues[I, O uint16 | uint32, V float32 | float64 | int32 | uint16](next []int64, r *rows.Matrix, idx []I, out []O, from, to []V) {
	for i, begin := range r.Begin {
		columns := idx[begin:r.End[i]]
		values := from[begin:r.End[i]]
		for e, j := range columns {
			at := next[j]
			next[j]++
			out[at], to[at] = O(i), values[e]
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

// Column yields the row and the value of every stored entry of column j, rows ascending. It
// yields nothing if column j does not exist.
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

// MulTrans computes dst = X'v. v has n elements, dst has Cols(). Each element of dst is a dot
// product, summed in the lanes of MulVec: the same bits for any number of workers and on every CPU
// path, but rounded differently than by Matrix.AddTrans, which adds in row order. Use one of the
// two within a run.
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
	return AddRows(c.rows, dst, columns, coef)
}

// AddMulMatrix computes dst += X_columns' W for stored columns, as the function AddMulMatrix does for rows. W
// has Rows() rows.
func (c *ByColumns) AddMulMatrix(dst []float64, columns []uint32, w []float64, width int) error {
	return AddMulMatrix(c.rows, dst, columns, w, width)
}

// Steps returns steps over the stored columns and v, which has Rows() elements: Dot(j) is
// the product of column j with v, and Add(j, c) adds c times the column to v.
func (c *ByColumns) Steps(v []float64) (*Steps, error) { return NewSteps(c.rows, v) }

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

// PickColumns returns a copy of the listed columns alone, which are stored ones, in the
// order of the list. It costs the entries of these columns.
func (c *ByColumns) PickColumns(list []uint32) (*ByColumns, error) {
	for k, j := range list {
		if int64(j) >= int64(c.rows.n) {
			return nil, fmt.Errorf("sparse: PickColumns: list position %d names column %d of a matrix of %d stored columns", k, j, c.rows.n)
		}
	}
	picked, err := c.rows.PickRows(nil, list)
	if err != nil {
		return nil, err
	}
	return &ByColumns{rows: picked}, nil
}

// ScaleRows returns a copy of the listed stored columns of c with every entry of row i multiplied
// by f[i]. Rows with f[i] = 0 have no entries in the copy. f has one factor a row. reuse is nil
// or the result of an earlier call: the copy takes its memory if there is enough, and reuse is
// invalid afterwards.
func (c *ByColumns) ScaleRows(list []uint32, f []float64, reuse *ByColumns) (*ByColumns, error) {
	if len(f) != c.Rows() {
		return nil, fmt.Errorf("sparse: ScaleRows: %d factors for %d rows", len(f), c.Rows())
	}
	out, from := *c.rows, &c.rows.rows
	size := 0
	for k, j := range list {
		if int64(j) >= int64(c.rows.n) {
			return nil, fmt.Errorf("sparse: ScaleRows: list position %d names column %d of a matrix of %d stored columns", k, j, c.rows.n)
		}
		size += int(from.End[j] - from.Begin[j])
	}
	if reuse == nil {
		reuse = new(ByColumns)
	}
	out.n = len(list)
	reuse.begin, reuse.end = Sized(reuse.begin, out.n), Sized(reuse.end, out.n)
	out.rows.Begin, out.rows.End = reuse.begin, reuse.end
	reuse.values = Sized(reuse.values, size)
	if from.Idx16 != nil {
		reuse.idx16 = Sized(reuse.idx16, size)
		size = scaleKept(reuse.values, &out.rows, reuse.idx16, from, from.Idx16, list, f)
		out.rows.Idx16 = reuse.idx16[:size:size]
	} else {
		reuse.idx32 = Sized(reuse.idx32, size)
		size = scaleKept(reuse.values, &out.rows, reuse.idx32, from, from.Idx32, list, f)
		out.rows.Idx32 = reuse.idx32[:size:size]
	}
	out.clearValues()
	out.rows.Val64, out.rows.Scale, out.cuts = reuse.values[:size:size], nil, new(cutCache)
	out.rows.Layout = LayoutFor(&out, rows.I32F64)
	copied := &ByColumns{rows: &out}
	copied.columnArena = reuse.columnArena
	return copied, nil
}

// columnArena is memory that ScaleRows takes.
type columnArena struct {
	begin, end []int64
	idx16      []uint16
	idx32      []uint32
	values     []float64
}

// scaleKept writes the entries of listed columns in rows whose factor is not 0, scaled, and
// their places, and returns how many there are.
func scaleKept[I uint16 | uint32](to []float64, out *rows.Matrix, places []I, r *rows.Matrix, idx []I, list []uint32, f []float64) int {
	at := int64(0)
	for k, j := range list {
		begin, end := r.Begin[j], r.End[j]
		out.Begin[k] = at
		column, kept := to[at:at+end-begin], places[at:at+end-begin]
		switch {
		case r.Val64 != nil:
			at += scaleColumn(column, r.Val64[begin:end], kept, idx[begin:end], f)
		case r.Val32 != nil:
			at += scaleColumn(column, r.Val32[begin:end], kept, idx[begin:end], f)
		case r.Decimals != nil:
			at += scaleDecimals(column, r.Decimals[begin:end], r.Unit, kept, idx[begin:end], f)
		default:
			RowValues(column, r, int(j), begin)
			at += scaleColumn(column, column, kept, idx[begin:end], f)
		}
		out.End[k] = at
	}
	return int(at)
}

// scaleColumn is scaleKept for a column, whose values may be where the scaled ones go.
func scaleColumn[I uint16 | uint32, V float32 | float64](to []float64, values []V, places, idx []I, f []float64) int64 {
	count := 0
	values, to, places = values[:len(idx)], to[:len(idx)], places[:len(idx)]
	for e, i := range idx {
		scale := f[i]
		places[count], to[count] = i, float64(values[e])*scale
		if scale != 0 {
			count++
		}
	}
	return int64(count)
}

// scaleDecimals is scaleColumn for a column of packed decimals.
func scaleDecimals[I uint16 | uint32](to []float64, decimals []int32, unit *rows.Unit, places, idx []I, f []float64) int64 {
	count := 0
	decimals, to, places = decimals[:len(idx)], to[:len(idx)], places[:len(idx)]
	high, low := unit.High[0], unit.Low[0]
	for e, i := range idx {
		scale, n := f[i], float64(decimals[e])
		places[count], to[count] = i, math.FMA(n, high, float64(n*low))*scale // as Unit.Of
		if scale != 0 {
			count++
		}
	}
	return int64(count)
}

// SquaredNorms returns the squared norm of every stored column.
func (c *ByColumns) SquaredNorms() []float64 { return SquaredNorms(c.rows) }

// ByRows copies c by rows, without its bias column.
func (c *ByColumns) ByRows(p *Pool) *Matrix { return NewByColumns(c.rows, p).rows }

// Lengths returns the number of stored entries of every column, the bias column
// not included.
func (c *ByColumns) Lengths() []int64 {
	lengths := make([]int64, c.rows.n)
	for j := range lengths {
		lengths[j] = c.rows.rows.End[j] - c.rows.rows.Begin[j]
	}
	return lengths
}
