package matrix

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// NewDense makes the matrix of the elements of x that are not 0. It has the layout that NewCSR
// chooses for these entries. If borrow is true, the matrix may keep the values of x without a copy:
// then x must not change while the matrix is in use.
//
// Errors name the row and the column of a NaN or an Inf, and say what is wrong with the sizes. It
// costs one look at every element, and a second one if the layout is not what the first rows
// suggest; the workers of p share it.
func NewDense(p *Pool, x *Dense, borrow bool) (*Matrix, error) {
	if err := x.Check(); err != nil {
		return nil, fmt.Errorf("sparse: NewDense: %w", err)
	}
	n, d := x.Rows, x.Columns
	if d > 0 && n > math.MaxInt/d {
		return nil, fmt.Errorf("sparse: NewDense: %d rows of %d columns", n, d)
	}
	if err := memory.Check(what, int64(n), 16); err != nil {
		return nil, err
	}
	t := &denseBuild{x: x, ptr: make([]int64, n+1), part: min(PartRows(x), max(n, 1))}
	t.parts = max(1, blockEntries/max(t.part*d, 1))
	t.found = make([]denseFound, (n+t.part*t.parts-1)/(t.part*t.parts))
	if err := t.guess(borrow); err != nil {
		return nil, err
	}
	Run(p, len(t.found), t)
	seen := NoRows
	for _, found := range t.found {
		if found.bad {
			return nil, fmt.Errorf("sparse: NewDense: row %d: column %d holds %v", found.row, found.column, found.value)
		}
		seen = seen.With(found.sum)
	}
	for i := range n {
		t.ptr[i+1] += t.ptr[i]
	}
	s := NewStore(Storage{})
	s.seen, s.ptr = seen, t.ptr
	if t.full && (s.Entries() != int64(n)*int64(d) || seen.Values() != t.values) {
		t.full, t.val32, t.val64 = false, nil, nil
	}
	if !t.full {
		t.values = seen.Values()
		if err := t.take(int(s.Entries())); err != nil {
			return nil, err
		}
		if err := t.index(int(s.Entries()), int(seen.Column)+1); err != nil {
			return nil, err
		}
		Run(p, len(t.found), (*denseFill)(t))
	} else if d <= NarrowColumns {
		t.idx16 = []uint16{} // indices are narrow, and there are none
	}
	s.idx16, s.idx32, s.val32, s.val64, s.scale = t.idx16, t.idx32, t.val32, t.val64, t.scale
	if s.wants() && s.mayPack() {
		if err := s.packAll(); err != nil {
			return nil, err
		}
		if t.full && s.pack != nil {
			if err := t.index(n*d, d); err != nil {
				return nil, err
			}
			fillColumns(t.idx16, d)
			fillColumns(t.idx32, d)
			s.idx16, s.idx32 = t.idx16, t.idx32
		}
	}
	return s.Matrix(d), nil
}

// denseBuild looks at the rows of an array, block after block. If full is true it also keeps their
// values, as said: none is 0, and rows without zeros have no indices.
type denseBuild struct {
	x           *Dense
	part, parts int // rows of a part, parts of a block
	found       []denseFound
	full        bool
	borrowed    bool // the matrix keeps the values of x without a copy
	values      Values

	ptr   []int64 // the lengths of rows, and then their ends
	idx16 []uint16
	idx32 []uint32
	val32 []float32
	val64 []float64
	scale []float64
}

// denseFound is what a block found.
type denseFound struct {
	sum         Summary
	bad         bool // value is NaN or Inf
	row, column int
	value       float64
}

// guess takes the arrays of rows without zeros if the first part has none, and values that differ
// within a row.
func (t *denseBuild) guess(borrow bool) error {
	n, d := t.x.Rows, t.x.Columns
	if n == 0 || d == 0 {
		return nil
	}
	count := min(t.part, n)
	values := DenseRows(t.x, make([]float64, count*d), 0, count)
	sum := NoRows
	for i := range count {
		sum.observe(values[i*d:][:d])
	}
	t.values = sum.Values()
	if t.values < ValuesFloat32 || MayLack(values, make([]float64, lookNumbers)) {
		return nil
	}
	t.full = true
	t.borrowed = borrow && t.x.ColumnStride == 1 && (t.x.RowStride == d || n == 1) && (t.values == ValuesFloat32) == (t.x.Float32 != nil)
	switch {
	case !t.borrowed:
		return t.take(n * d)
	case t.x.Float32 != nil:
		t.val32 = t.x.Float32[:n*d]
	default:
		t.val64 = t.x.Float64[:n*d]
	}
	return nil
}

// index takes memory for the indices of entries in the given number of columns.
func (t *denseBuild) index(entries, columns int) (err error) {
	if columns <= NarrowColumns {
		t.idx16, err = memory.Make[uint16](what, entries, entries)
	} else {
		t.idx32, err = memory.Make[uint32](what, entries, entries)
	}
	if t.idx16 == nil && t.idx32 == nil {
		t.idx16 = []uint16{} // as NewStore has it
	}
	return err
}

// take takes memory for the values of entries.
func (t *denseBuild) take(entries int) (err error) {
	switch t.values {
	case ValuesPerRow:
		t.scale, err = memory.Make[float64](what, t.x.Rows, t.x.Rows)
	case ValuesFloat32:
		t.val32, err = memory.Make[float32](what, entries, entries)
	case ValuesFloat64:
		t.val64, err = memory.Make[float64](what, entries, entries)
	}
	return err
}

// eachPart calls f with the parts of a block: the elements of count rows from first on. Those are
// in to(first, count), which has room for them, or in x.
func (t *denseBuild) eachPart(k int, to func(first, count int) []float64, f func(values []float64, first, count int) bool) {
	end := min((k+1)*t.part*t.parts, t.x.Rows)
	for i := k * t.part * t.parts; i < end; i += t.part {
		count := min(t.part, end-i)
		if !f(DenseRows(t.x, to(i, count), i, count), i, count) {
			return
		}
	}
}

// Block looks at a block of rows.
func (t *denseBuild) Block(k int) {
	d := t.x.Columns
	found := &t.found[k]
	found.sum = NoRows
	some := make([]float64, lookNumbers)
	var room []float64
	kept := rows.Matrix{Layout: rows.I32F64}
	to := func(first, count int) []float64 {
		switch {
		case t.borrowed && t.x.Float64 != nil:
			return nil // x has them
		case t.full && !t.borrowed && t.val64 != nil:
			return t.val64[first*d:][:count*d]
		case room == nil:
			room = make([]float64, t.part*d)
		}
		return room
	}
	t.eachPart(k, to, func(values []float64, first, count int) bool {
		if e := NotFinite(values); e >= 0 {
			found.bad, found.row, found.column, found.value = true, first+e/d, e%d, values[e]
			return false
		}
		if d == 0 {
			return true
		}
		lacks := MayLack(values, some)
		if lacks {
			WriteRows(&kept, values, d, d)
			for i, end := range kept.End {
				t.ptr[first+i+1] = end - kept.Begin[i]
				if end > kept.Begin[i] {
					found.sum.Column = max(found.sum.Column, kept.Idx32[end-1])
				}
			}
		} else {
			for i := range count {
				t.ptr[first+i+1] = int64(d)
			}
			found.sum.Column = uint32(d - 1)
		}
		for i := 0; i < count && (found.sum.PerRow || found.sum.Single && t.x.Float32 == nil); i++ {
			if !lacks {
				found.sum.observe(values[i*d:][:d])
			} else if kept.End[i] > kept.Begin[i] {
				found.sum.observe(kept.Val64[kept.Begin[i]:kept.End[i]])
			}
		}
		if t.full && !lacks {
			t.write(values, first*d)
		}
		return true
	})
}

// write writes the values of rows without zeros: entries from number at on.
func (t *denseBuild) write(values []float64, at int) {
	switch {
	case t.borrowed:
	case t.val32 != nil:
		narrow(t.val32[at:][:len(values)], values)
	default:
		copy(t.val64[at:], values) // nothing to do where they are there
	}
}

// denseFill writes the rows of an array whose layout and lengths are known.
type denseFill denseBuild

// Block writes a block of rows.
func (f *denseFill) Block(k int) {
	t := (*denseBuild)(f)
	d := t.x.Columns
	room := make([]float64, t.part*d)
	kept := rows.Matrix{Layout: rows.I32F64}
	t.eachPart(k, func(int, int) []float64 { return room }, func(values []float64, first, count int) bool {
		WriteRows(&kept, values, d, d)
		at, n := t.ptr[first], len(kept.Idx32)
		if t.idx16 != nil {
			to := t.idx16[at:][:n]
			for e, j := range kept.Idx32 {
				to[e] = uint16(j)
			}
		} else {
			copy(t.idx32[at:], kept.Idx32)
		}
		switch t.values {
		case ValuesPerRow:
			for i := range count {
				t.scale[first+i] = 1
				if d > 0 && kept.End[i] > kept.Begin[i] {
					t.scale[first+i] = kept.Val64[kept.Begin[i]]
				}
			}
		case ValuesFloat32:
			narrow(t.val32[at:][:n], kept.Val64)
		case ValuesFloat64:
			copy(t.val64[at:], kept.Val64)
		}
		return true
	})
}

// mayPack tells whether the first values can be packed: of full-precision numbers these show that
// they cannot.
func (s *Store) mayPack() bool {
	first := s.val64[:min(len(s.val64), 4*quickCodes)]
	for _, p := range []*packer{newDecimals(), newCodes(quickCodes)} {
		if exact, err := p.add(first, len(first)); err == nil && exact {
			return true
		}
	}
	return false
}
