package matrix

import "github.com/lanes-go/lanes/asm/rows"

// AppendScaled appends the entries of row i of r with the values (x-shift)/width of their
// columns. A width of 0 drops a column, and zeros are dropped. filled lists the columns whose
// absent entries become entries (Filled). Columns from len(width) on are left out.
func AppendScaled(columns []uint32, values []float64, r *rows.Matrix, i int, shift, width []float64, filled []uint32) ([]uint32, []float64) {
	for e := r.Begin[i]; e < r.End[i]; e++ {
		j, x := r.Column(e), r.Value(i, e)
		if j >= len(width) {
			break
		}
		for len(filled) > 0 && int(filled[0]) < j {
			columns, values = appendScaled(columns, values, int(filled[0]), 0, shift, width)
			filled = filled[1:]
		}
		if len(filled) > 0 && int(filled[0]) == j {
			filled = filled[1:]
		}
		columns, values = appendScaled(columns, values, j, x, shift, width)
	}
	for _, j := range filled {
		columns, values = appendScaled(columns, values, int(j), 0, shift, width)
	}
	return columns, values
}

func appendScaled(columns []uint32, values []float64, j int, x float64, shift, width []float64) ([]uint32, []float64) {
	if width[j] == 0 {
		return columns, values
	}
	if x = (x - shift[j]) / width[j]; x != 0 {
		columns, values = append(columns, uint32(j)), append(values, x)
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
