package elasticnet

import "slices"

// form computes the matrix at the curvatures h of the rows, unless it has them.
func (s *part) form(h []float64, lambda float64) {
	size := len(s.slope)
	s.byRows()
	if s.gram == nil {
		s.gram = make([]float64, size*size)
	} else if slices.Equal(s.held, h) {
		return
	}
	s.held = append(s.held[:0], h...)
	s.rows.Gram(s.gram, h)
	for a := range s.k {
		s.gram[a*size+a] += lambda
	}
	mirror(s.gram, size, 0)
	for a := range size {
		s.diagonal[a] = s.gram[a*size+a]
	}
}

// mirror copies rows of the lower triangle, from one on, to the columns above the diagonal.
func mirror(gram []float64, size, from int) {
	const tile = 8 // rows whose elements share the cache lines that they go to
	for first := from; first < size; first += tile {
		end := min(first+tile, size)
		for b := range end {
			to := gram[b*size:][:end]
			for a := max(first, b+1); a < end; a++ {
				to[a] = gram[a*size+b]
			}
		}
	}
}
