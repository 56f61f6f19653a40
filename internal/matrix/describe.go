package matrix

import (
	"math"
	"math/bits"
	"slices"
)

// Layout names how the matrix is stored: the bits of a column index, then what
// is kept of the values. "i16+none" keeps nothing, as all are 1, "i32+row" one
// value a row, "i16+f32" and "i32+f64" a float32 or float64 an entry; "i16+decimal" a
// 32-bit whole number of a power of ten, "i16+code" a 16-bit place in a table of values. "i16+mixed"
// keeps values of a few columns, as the entries of the others are 1.
func (m *Matrix) Layout() string {
	name := "i32+"
	if m.rows.Layout.Narrow() {
		name = "i16+"
	}
	switch {
	case m.mix() != nil:
		return name + "mixed"
	case m.rows.Val64 != nil:
		return name + "f64"
	case m.rows.Val32 != nil:
		return name + "f32"
	case m.rows.Decimals != nil:
		return name + "decimal"
	case m.rows.Codes != nil:
		return name + "code"
	case m.rows.Scale != nil:
		return name + "row"
	}
	return name + "none"
}

// Bytes returns the memory that the entries and the row pointers take. Column
// cuts, which a first parallel AddTrans makes, take 8 bytes a row and cut more.
func (m *Matrix) Bytes() int64 {
	r := &m.rows
	if x := r.Mix; x != nil {
		return 8*int64(len(x.Val64)) + 4*int64(len(x.Val32)) + 2*int64(len(x.Of)) + (&Matrix{rows: x.Ones, n: m.n}).Bytes()
	}
	return 4*int64(len(r.Decimals)) + 2*int64(len(r.Codes)) + 8*int64(len(r.Table)) + 8*int64(m.n+1) + 2*int64(len(r.Idx16)) + 4*int64(len(r.Idx32)) +
		8*int64(len(r.Val64)) + 4*int64(len(r.Val32)) + 8*int64(len(r.Scale))
}

// Description is what a matrix looks like, without its bias column. It is safe for concurrent
// reading.
type Description struct {
	Rows, Columns int
	NonZeros      int64 // stored entries, stored zeros included
	EmptyRows     int   // rows without entries
	LongestRow    int   // entries of the fullest row
	UsedColumns   int   // columns with an entry
	// FirstColumn and LastColumn are the least and greatest column with an entry,
	// both -1 without entries.
	FirstColumn, LastColumn int
	// Least and Greatest are the range of the stored values, 0 without entries.
	Least, Greatest float64
	Layout          string // see Matrix.Layout
	Bytes           int64  // memory of the entries and the row pointers
	// BytesPerNonZero is Bytes by NonZeros, 0 without entries.
	BytesPerNonZero float64
}

// Describe returns counts and ranges of m. It looks through the whole matrix once and takes a bit
// a column, or four bytes an entry where that is less.
func (m *Matrix) Describe() Description {
	r := &m.rows
	out := Description{
		Rows: m.Rows(), Columns: m.d, NonZeros: m.NNZ(), FirstColumn: -1, LastColumn: -1,
		Layout: m.Layout(), Bytes: m.Bytes(),
	}
	if out.NonZeros == 0 {
		out.EmptyRows = m.Rows()
		return out
	}
	out.BytesPerNonZero = float64(out.Bytes) / float64(out.NonZeros)
	out.Least, out.Greatest = math.Inf(1), math.Inf(-1)
	used := newColumnSet(m)
	for i := range m.Rows() {
		begin, end := r.Begin[i], r.End[i]
		if begin == end {
			out.EmptyRows++
		}
		out.LongestRow = max(out.LongestRow, int(end-begin))
		for e := begin; e < end; e++ {
			j, x := r.Column(e), r.Value(i, e)
			used.add(uint32(j))
			out.Least, out.Greatest = min(out.Least, x), max(out.Greatest, x)
		}
	}
	out.UsedColumns, out.FirstColumn, out.LastColumn = used.summary()
	return out
}

// columnSet collects column numbers: a bit for each column, or, where the entries are
// few against the columns, a list.
type columnSet struct {
	bits []uint64
	list []uint32
}

func newColumnSet(m *Matrix) *columnSet {
	if entries := m.NNZ(); entries < int64(m.d)/32 {
		return &columnSet{list: make([]uint32, 0, entries)}
	}
	return &columnSet{bits: make([]uint64, (m.d+63)/64)}
}

func (s *columnSet) add(column uint32) {
	if s.bits == nil {
		s.list = append(s.list, column)
		return
	}
	s.bits[column/64] |= 1 << (column % 64)
}

// summary returns the number of columns, and the least and greatest column, or -1 and -1 without
// columns.
func (s *columnSet) summary() (count, first, last int) {
	if s.bits == nil {
		slices.Sort(s.list)
		list := slices.Compact(s.list)
		if len(list) == 0 {
			return 0, -1, -1
		}
		return len(list), int(list[0]), int(list[len(list)-1])
	}
	first, last = -1, -1
	for k, word := range s.bits {
		if word == 0 {
			continue
		}
		count += bits.OnesCount64(word)
		if first < 0 {
			first = 64*k + bits.TrailingZeros64(word)
		}
		last = 64*k + bits.Len64(word) - 1
	}
	return count, first, last
}
