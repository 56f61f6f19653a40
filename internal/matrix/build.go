package matrix

import (
	"fmt"
	"slices"
)

// BuildChunk is the number of entries that are checked and copied at a time.
const BuildChunk = 1 << 16

// NewCSR builds a matrix of d columns from compressed rows: row i has the
// entries ptr[i] to ptr[i+1]-1 of columns and values, columns strictly ascending
// within a row. A nil values means that every entry is 1. The slices are copied
// into the smallest exact layout that storage allows; stored zeros are kept.
//
// Errors name the row and the column: pointers that descend or leave the
// slices, columns that are out of range or not ascending, NaN and Inf.
func NewCSR(storage Storage, d int, ptr []int64, columns []uint32, values []float64) (*Matrix, error) {
	if d < 0 || d > MaxColumns {
		return nil, fmt.Errorf("sparse: NewCSR: %d columns; there may be 0 to %d", d, MaxColumns)
	}
	if values != nil && len(values) != len(columns) {
		return nil, fmt.Errorf("sparse: NewCSR: %d columns and %d values", len(columns), len(values))
	}
	if len(ptr) == 0 || ptr[0] != 0 || ptr[len(ptr)-1] != int64(len(columns)) {
		return nil, fmt.Errorf("sparse: NewCSR: %d pointers do not describe %d entries: the first must be 0, the last the number of entries", len(ptr), len(columns))
	}
	s := NewStore(storage)
	s.Expect(len(ptr)-1, len(columns))
	var lengths []int
	n := len(ptr) - 1
	for first := 0; first < n; {
		lengths = lengths[:0]
		last := first
		for last < n && len(lengths) < BuildChunk && ptr[last]-ptr[first] < BuildChunk {
			begin, end := ptr[last], ptr[last+1]
			if begin > end || end > int64(len(columns)) {
				return nil, fmt.Errorf("sparse: NewCSR: row %d: pointers %d to %d leave the %d entries or descend", last, begin, end, len(columns))
			}
			lengths = append(lengths, int(end-begin))
			last++
		}
		begin, end := ptr[first], ptr[last]
		var chunk []float64
		if values != nil && !allOnes(values[begin:end]) {
			chunk = values[begin:end]
		}
		if err := s.Add(lengths, columns[begin:end], chunk, d); err != nil {
			return nil, fmt.Errorf("sparse: NewCSR: %w", err)
		}
		first = last
	}
	return s.Matrix(d), nil
}

// allOnes tells whether values are 1, as if there were none.
func allOnes(values []float64) bool {
	for ; len(values) >= 4; values = values[4:] {
		if v := (*[4]float64)(values); v[0] != 1 || v[1] != 1 || v[2] != 1 || v[3] != 1 {
			return false
		}
	}
	return !slices.ContainsFunc(values, func(v float64) bool { return v != 1 })
}

// Restored copies the first d columns of m, without its bias, into the layout
// that storage asks for.
func Restored(m *Matrix, storage Storage, d int) (*Matrix, error) {
	s := NewStore(storage)
	s.Expect(m.n, int(m.NNZ()))
	var lengths []int
	var columns []uint32
	var values []float64
	for i := range m.n {
		before := len(columns)
		for e := m.rows.Begin[i]; e < m.rows.End[i] && m.rows.Column(e) < d; e++ {
			columns, values = append(columns, uint32(m.rows.Column(e))), append(values, m.rows.Value(i, e))
		}
		lengths = append(lengths, len(columns)-before)
		if len(columns) >= BuildChunk || len(lengths) >= BuildChunk || i == m.n-1 {
			if err := s.Add(lengths, columns, values, d); err != nil {
				return nil, err
			}
			lengths, columns, values = lengths[:0], columns[:0], values[:0]
		}
	}
	return s.Matrix(d), nil
}

// CSR returns a copy of the entries as NewCSR takes them, without the bias column. values is nil
// where every entry is 1. It costs one sweep over the matrix.
func (m *Matrix) CSR() (ptr []int64, columns []uint32, values []float64) {
	x := m.WithBias(0)
	ptr = append(make([]int64, 1, x.n+1), x.rows.End...)
	columns = make([]uint32, 0, x.NNZ())
	if x.Values() != ValuesNone {
		values = make([]float64, x.NNZ())
	}
	for i := range x.n {
		columns = AppendColumns(x, columns, i)
		if values != nil {
			begin, end := x.rows.Begin[i], x.rows.End[i]
			RowValues(values[begin:end], &x.rows, i, begin)
		}
	}
	return ptr, columns, values
}
