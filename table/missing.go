package table

// missing is the set of cells that stand for a missing value. It is safe for concurrent use.
type missing struct {
	empty   bool
	lengths uint64 // bit n: a cell of n bytes is in the set; bit 63: of 63 bytes or more
	first   [4]uint64
	cells   []string // without the empty cell
}

func newMissing(list []string) missing {
	var m missing
	for _, cell := range list {
		if cell == "" {
			m.empty = true
			continue
		}
		m.cells = append(m.cells, cell)
		m.lengths |= 1 << min(len(cell), 63)
		m.first[cell[0]>>6] |= 1 << (cell[0] & 63)
	}
	return m
}

// has tells whether a cell stands for a missing value.
func (m *missing) has(cell []byte) bool {
	if len(cell) == 0 {
		return m.empty
	}
	if m.lengths>>min(len(cell), 63)&1 == 0 || m.first[cell[0]>>6]>>(cell[0]&63)&1 == 0 {
		return false
	}
	for _, c := range m.cells {
		if c == string(cell) {
			return true
		}
	}
	return false
}
