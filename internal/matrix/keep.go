package matrix

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
)

// Values returns what m keeps of its values.
func (m *Matrix) Values() Values {
	switch {
	case m == nil:
	case m.mix() != nil && m.mix().Val32 != nil:
		return ValuesFloat32
	case m.mix() != nil:
		return ValuesFloat64
	case m.rows.Val64 != nil, m.packed() && !m.single:
		return ValuesFloat64
	case m.rows.Val32 != nil, m.packed():
		return ValuesFloat32
	case m.rows.Scale != nil:
		return ValuesPerRow
	}
	return ValuesNone
}

// WithValues returns m with at least this much kept of its values, as Storage.Values does for a new
// matrix. Products with its rows then have the bits of products with the same rows in a larger
// matrix that keeps as much. ValuesFloat32 keeps values that are no float32 as float64. The
// values are copied where they change; the result shares all else with m.
func (m *Matrix) WithValues(least Values) *Matrix {
	if m == nil {
		return nil
	}
	out := *m
	least = min(least, ValuesFloat64)
	out.least = max(m.least, least)
	if m.Values() >= least || m.n == 0 {
		return &out
	}
	out.cuts = new(cutCache)
	if least == ValuesPerRow {
		out.rows.Scale = make([]float64, m.n)
		Fill(out.rows.Scale, 1)
		return &out
	}
	values := make([]float64, m.rows.End[m.n-1])
	single := true
	for i := range m.n {
		row := values[m.rows.Begin[i]:m.rows.End[i]]
		RowValues(row, &m.rows, i, m.rows.Begin[i])
		for _, v := range row {
			single = single && float64(float32(v)) == v
		}
	}
	out.rows.Scale = nil
	out.clearValues()
	if least == ValuesFloat32 && single {
		out.rows.Val32, out.rows.Layout = make([]float32, len(values)), LayoutFor(m, rows.I32F32)
		narrow(out.rows.Val32, values)
		return &out
	}
	out.rows.Val64, out.rows.Layout = values, LayoutFor(m, rows.I32F64)
	return &out
}

// packed tells whether values are codes or decimals.
func (m *Matrix) packed() bool { return m.rows.Codes != nil || m.rows.Decimals != nil }

// clearValues takes the values of single entries away.
func (m *Matrix) clearValues() {
	r := &m.rows
	r.Val32, r.Val64, r.Decimals, r.Codes, r.Unit, r.Table, r.Mix, m.single = nil, nil, nil, nil, nil, nil, nil, false
}

// Unpacked returns the values of rows first to end-1, which are packed or mixed.
func Unpacked(m *Matrix, first, end int) []float64 {
	r := &m.rows
	begin := r.Begin[first]
	values := make([]float64, r.End[end-1]-begin)
	if r.Mix == nil {
		r.Unpack(values, begin)
		return values
	}
	for i := first; i < end; i++ {
		mixedRow(values[r.Begin[i]-begin:r.End[i]-begin], r, i, r.Begin[i])
	}
	return values
}

// RowValues writes the values of row i, whose entries begin at begin.
func RowValues(to []float64, r *rows.Matrix, i int, begin int64) {
	switch {
	case r.Mix != nil:
		mixedRow(to, r, i, begin)
	case r.Val64 != nil:
		copy(to, r.Val64[begin:])
	case r.Val32 != nil:
		for e, v := range r.Val32[begin : begin+int64(len(to))] {
			to[e] = float64(v)
		}
	case !HasOnes(r.Layout):
		r.Unpack(to, begin)
	case r.Scale != nil:
		Fill(to, r.Scale[i])
	default:
		Fill(to, 1)
	}
}

// CachedLayout is the layout that a cache has the values in: none of them is packed.
func CachedLayout(m *Matrix) rows.Layout {
	switch {
	case m.packed() && m.single:
		return LayoutFor(m, rows.I32F32)
	case m.packed(), m.mix() != nil && m.mix().Val64 != nil:
		return LayoutFor(m, rows.I32F64)
	case m.mix() != nil:
		return LayoutFor(m, rows.I32F32)
	}
	return m.rows.Layout
}

// SummaryOf looks through rows first to end-1 for the layout that they need.
func SummaryOf(m *Matrix, first, end int) Summary {
	r := &m.rows
	s := NoRows
	begin, stop := r.Begin[first], r.End[end-1]
	if r.Full > 0 {
		s.Column = uint32(r.Full - 1)
	} else if r.Idx16 != nil {
		for _, j := range r.Idx16[begin:stop] {
			s.Column = max(s.Column, uint32(j))
		}
	} else {
		for _, j := range r.Idx32[begin:stop] {
			s.Column = max(s.Column, j)
		}
	}
	for i := first; i < end && (s.PerRow || s.Single); i++ {
		begin, end := r.Begin[i], r.End[i]
		switch {
		case begin == end:
		case r.Val64 != nil:
			s.observe(r.Val64[begin:end])
		case r.Val32 != nil:
			s.PerRow = s.PerRow && !slices.ContainsFunc(r.Val32[begin:end], func(v float32) bool { return math.Float32bits(v) != math.Float32bits(r.Val32[begin]) })
			s.Ones = s.Ones && s.PerRow && r.Val32[begin] == 1
		case m.packed(), r.Mix != nil:
			s.observe(Unpacked(m, i, i+1))
		default:
			v := r.Value(i, begin)
			s.Ones = s.Ones && v == 1
			s.Single = s.Single && float64(float32(v)) == v
		}
	}
	return s
}
