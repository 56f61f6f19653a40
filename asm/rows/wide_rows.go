package rows

import "math"

// mulWide has a row of w for each column, and adds to a row of dst those of the
// row's columns.
func mulWide[I index](dst []float64, m *Matrix, idx []I, list []uint32, first, width int, w []float64) {
	for k := range len(dst) / width {
		i := rowOf(list, first, k)
		out := dst[k*width : (k+1)*width]
		for e := m.Begin[i]; e < m.End[i]; e++ {
			x, at := m.Value(i, e), int(idx[e])*width
			for j, v := range w[at : at+width] {
				out[j] = math.FMA(x, v, out[j])
			}
		}
	}
}

func addWide[I index](w []float64, m *Matrix, idx []I, list []uint32, first, width int, c []float64) {
	for k := range len(c) / width {
		i := rowOf(list, first, k)
		in := c[k*width : (k+1)*width]
		for e := m.Begin[i]; e < m.End[i]; e++ {
			x, at := m.Value(i, e), int(idx[e])*width
			row := w[at : at+width]
			for j, v := range in {
				row[j] = math.FMA(x, v, row[j])
			}
		}
	}
}

func mulWide32(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
	mulWide(dst, m, m.Idx32, list, first, width, w)
}

func mulWide16(dst []float64, m *Matrix, list []uint32, first, width int, w []float64) {
	mulWide(dst, m, m.Idx16, list, first, width, w)
}

func addWide32(w []float64, m *Matrix, list []uint32, first, width int, c []float64) {
	addWide(w, m, m.Idx32, list, first, width, c)
}

func addWide16(w []float64, m *Matrix, list []uint32, first, width int, c []float64) {
	addWide(w, m, m.Idx16, list, first, width, c)
}
