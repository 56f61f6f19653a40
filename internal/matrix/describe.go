package matrix

// Layout names how the matrix is stored: the bits of a column index, then what
// is kept of the values. "i16+none" keeps nothing, as all are 1, "i32+row" one
// value a row, "i16+f32" and "i32+f64" a float32 or float64 an entry; "i16+decimal" a
// 32-bit whole number of a power of ten, "i16+code" a 16-bit place in a table of values.
func (m *Matrix) Layout() string {
	name := "i32+"
	if m.rows.Layout.Narrow() {
		name = "i16+"
	}
	switch {
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
	return 4*int64(len(r.Decimals)) + 2*int64(len(r.Codes)) + 8*int64(len(r.Table)) + 8*int64(m.n+1) + 2*int64(len(r.Idx16)) + 4*int64(len(r.Idx32)) +
		8*int64(len(r.Val64)) + 4*int64(len(r.Val32)) + 8*int64(len(r.Scale))
}
