package matrix

import "github.com/lanes-go/lanes/asm/rows"

// AppendScaled appends the entries of row i of r with the values (x-shift)/width of their
// columns. A width of 0 drops a column, and zeros are dropped. filled lists the columns whose
// absent entries become entries (Filled). Columns from len(width) on are left out.
func AppendScaled(columns []uint32, values []float64, r *rows.Matrix, i int, shift, width []float64, filled []uint32) ([]uint32, []float64) {
	put := func(j uint32, x float64) {
		if width[j] == 0 {
			return
		}
		if x = (x - shift[j]) / width[j]; x != 0 {
			columns, values = append(columns, j), append(values, x)
		}
	}
	for e := r.Begin[i]; e < r.End[i]; e++ {
		j := uint32(r.Column(e))
		if int(j) >= len(width) {
			break
		}
		for len(filled) > 0 && filled[0] < j {
			put(filled[0], 0)
			filled = filled[1:]
		}
		if len(filled) > 0 && filled[0] == j {
			filled = filled[1:]
		}
		put(j, r.Value(i, e))
	}
	for _, j := range filled {
		put(j, 0)
	}
	return columns, values
}

// Filled lists the columns that a scaling shifts: their zeros become entries.
func Filled(shift, width []float64) []uint32 {
	var list []uint32
	for j := range width {
		if shift[j] != 0 && width[j] != 0 {
			list = append(list, uint32(j))
		}
	}
	return list
}
