package matrix

import "github.com/lanes-go/lanes/asm/rows"

// Peaks finds for every stored column j the row i with the largest c[i] x_ij^2, the first of equals.
// It writes that product to top[j], the row to row[j], and x_ij to value[j]. A column without a
// product above 0 gets zeros. c has n elements; top, value and row have one for each stored column.
// It costs one pass over the matrix, in portable code, on the calling goroutine.
func Peaks(m *Matrix, c, top, value []float64, row []uint32) error {
	if len(c) != m.n || len(top) != m.d {
		return m.shapeError("Peaks", len(c), len(top))
	}
	if len(value) != m.d || len(row) != m.d {
		return m.shapeError("Peaks", len(value), len(row))
	}
	clear(top)
	clear(value)
	clear(row)
	m = indexed(m)
	if m.rows.Idx16 != nil {
		peaks(&m.rows, m.rows.Idx16, c, top, value, row)
	} else {
		peaks(&m.rows, m.rows.Idx32, c, top, value, row)
	}
	return nil
}

func peaks[I uint16 | uint32](r *rows.Matrix, idx []I, c, top, value []float64, row []uint32) {
	if HasOnes(r.Layout) && r.Scale == nil && r.Mix == nil {
		for i, v := range c {
			for _, j := range idx[r.Begin[i]:r.End[i]] {
				if v > top[j] {
					top[j], value[j], row[j] = v, 1, uint32(i)
				}
			}
		}
		return
	}
	var values []float64
	for i, ci := range c {
		begin, end := r.Begin[i], r.End[i]
		values = Sized(values, int(end-begin))
		RowValues(values, r, i, begin)
		for e, j := range idx[begin:end] {
			if v := float64(float64(ci*values[e]) * values[e]); v > top[j] {
				top[j], value[j], row[j] = v, values[e], uint32(i)
			}
		}
	}
}
