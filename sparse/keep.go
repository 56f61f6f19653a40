package sparse

import "github.com/lanes-go/lanes/asm/rows"

// Values returns what m keeps of its values.
func (m *Matrix) Values() Values {
	switch {
	case m == nil:
	case m.rows.Val64 != nil:
		return ValuesFloat64
	case m.rows.Val32 != nil:
		return ValuesFloat32
	case m.rows.Scale != nil:
		return ValuesPerRow
	}
	return ValuesNone
}

// Keep returns m with at least so much kept of its values, as does what NormalizeUnit and
// Scaler.Apply make of it, so that products with its rows have the bits that they have in
// a larger matrix that keeps as much. ValuesFloat32 keeps values that are no float32 as
// float64. It copies the values where they change, and shares all else with m.
func (m *Matrix) Keep(least Values) *Matrix {
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
		fill(out.rows.Scale, 1)
		return &out
	}
	values := make([]float64, m.rows.End[m.n-1])
	single := true
	for i := range m.n {
		for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
			values[e] = m.rows.Value(i, e)
			single = single && float64(float32(values[e])) == values[e]
		}
	}
	out.rows.Scale, out.rows.Val32, out.rows.Val64 = nil, nil, nil
	if least == ValuesFloat32 && single {
		out.rows.Val32, out.rows.Layout = make([]float32, len(values)), m.layoutFor(rows.I32F32)
		narrow(out.rows.Val32, values)
		return &out
	}
	out.rows.Val64, out.rows.Layout = values, m.layoutFor(rows.I32F64)
	return &out
}
