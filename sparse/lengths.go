package sparse

import "slices"

// RowsByLength returns the numbers of all rows in the order of their stored entries, those
// with fewest first, and rows of as many as they stand; nil where more than half of the rows
// have as many as one another, which gives products nothing to gain. It costs O(rows), and 8
// bytes for each entry of the longest row.
func (m *Matrix) RowsByLength() []uint32 {
	r := &m.rows
	counts := make([]int, 64) // of the rows of so many entries; then where the next one goes
	for i := range m.n {
		length := int(r.End[i] - r.Begin[i])
		if length >= len(counts) {
			counts = append(counts, make([]int, length+1-len(counts))...)
		}
		counts[length]++
	}
	if 2*slices.Max(counts) > m.n {
		return nil
	}
	place := 0
	for length, count := range counts {
		counts[length] = place
		place += count
	}
	list := make([]uint32, m.n)
	for i := range m.n {
		length := r.End[i] - r.Begin[i]
		list[counts[length]] = uint32(i)
		counts[length]++
	}
	return list
}
