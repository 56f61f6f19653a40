package matrix

import "fmt"

// WriteColumns writes the matrix column by column, zeros included: element (i, j) to
// dst[j*Rows()+i]. dst has Rows()*Cols() elements. It costs a sweep over the matrix, in
// portable code, and is for small ones that are nearly full.
func WriteColumns(m *Matrix, dst []float64) error {
	if len(dst) != m.n*m.Cols() {
		return fmt.Errorf("sparse: WriteColumns: %d elements for a matrix of %d rows and %d columns", len(dst), m.n, m.Cols())
	}
	clear(dst)
	m = plain(m)
	if m.rows.Idx16 != nil {
		writeColumns(dst, m, m.rows.Idx16)
	} else {
		writeColumns(dst, m, m.rows.Idx32)
	}
	if m.bias != 0 {
		last := dst[m.d*m.n:]
		for i := range last {
			last[i] = m.bias
		}
	}
	return nil
}

func writeColumns[I uint16 | uint32](dst []float64, m *Matrix, idx []I) {
	r, n := &m.rows, m.n
	buffer := unpackBuffers.Get().(*unpackBuffer)
	for i := range n {
		begin, end := r.Begin[i], r.End[i]
		columns := idx[begin:end]
		switch {
		case r.Val64 != nil:
			for e, v := range r.Val64[begin:end] {
				dst[int(columns[e])*n+i] = v
			}
		case r.Val32 != nil:
			for e, v := range r.Val32[begin:end] {
				dst[int(columns[e])*n+i] = float64(v)
			}
		case m.packed():
			for e, v := range buffer.unpack(m, begin, end) {
				dst[int(columns[e])*n+i] = v
			}
		default:
			v := 1.0
			if r.Scale != nil {
				v = r.Scale[i]
			}
			for _, j := range columns {
				dst[int(j)*n+i] = v
			}
		}
	}
	unpackBuffers.Put(buffer)
}
