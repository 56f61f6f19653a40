package matrix

// AppendColumns appends the columns in which row i has an entry to columns, in ascending order,
// the bias column last. It appends nothing if row i does not exist.
func AppendColumns(m *Matrix, columns []uint32, i int) []uint32 {
	if i < 0 || i >= m.n {
		return columns
	}
	begin, end := m.rows.Begin[i], m.rows.End[i]
	if m.rows.Full > 0 {
		for j := range m.rows.Full {
			columns = append(columns, uint32(j))
		}
	} else if m.rows.Idx32 != nil {
		columns = append(columns, m.rows.Idx32[begin:end]...)
	} else {
		for _, j := range m.rows.Idx16[begin:end] {
			columns = append(columns, uint32(j))
		}
	}
	if m.bias != 0 {
		columns = append(columns, uint32(m.d))
	}
	return columns
}
