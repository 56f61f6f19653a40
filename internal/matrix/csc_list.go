package matrix

// MulTransOf computes the products of the listed columns, stored ones, with v: dst has an
// element for each, with the bits of MulTrans. Shared by the workers of p.
func (c *ByColumns) MulTransOf(p *Pool, dst []float64, list []uint32, v []float64) error {
	if err := c.rows.checkRows("MulTransOf", list, len(dst), len(v)); err != nil {
		return err
	}
	c.rows.mul(p, mulTask{m: c.rows, dst: dst, list: list, w: v})
	return nil
}

// GramCostOf returns the GramCost of a matrix of the listed columns by rows, without their bias
// column. It reads their row numbers and takes 4 bytes a row.
func (c *ByColumns) GramCostOf(list []uint32) int64 {
	m := &c.rows.rows
	lengths := make([]uint32, c.rows.d)
	for _, j := range list {
		if int64(j) >= int64(c.rows.n) {
			continue
		}
		if begin, end := m.Begin[j], m.End[j]; m.Idx16 != nil {
			countRows(lengths, m.Idx16[begin:end])
		} else {
			countRows(lengths, m.Idx32[begin:end])
		}
	}
	cost := int64(0)
	for _, length := range lengths {
		cost += int64(length) * (int64(length) + 1) / 2
	}
	return cost
}

func countRows[I uint16 | uint32](lengths []uint32, idx []I) {
	for _, i := range idx {
		lengths[i]++
	}
}

// Entries returns the number of stored entries of the listed columns. It skips columns that do not
// exist.
func (c *ByColumns) Entries(list []uint32) int64 {
	count := int64(0)
	for _, j := range list {
		if int64(j) < int64(c.rows.n) {
			count += c.rows.rows.End[j] - c.rows.rows.Begin[j]
		}
	}
	return count
}
