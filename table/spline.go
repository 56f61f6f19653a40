package table

import (
	"fmt"
	"strconv"
)

// usualPieces is the number of pieces of a spline, mostPieces the largest.
const usualPieces, mostPieces = 4, 1000

// piecesOf reads the number of pieces of Wanted.Splines, COLUMN=PIECES; text is "" for the usual one.
func piecesOf(column, text string) (int, error) {
	if text == "" {
		return usualPieces, nil
	}
	if text == autoWord {
		return Auto, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPieces {
		return 0, fmt.Errorf("table: Splines %q: %q is no number of pieces; there may be 1 to %d, or %s", column, text, mostPieces, autoWord)
	}
	return n, nil
}

// spline holds the knots of a cubic spline: the first four and the last four are equal.
type spline struct{ knots []float64 }

// newSpline returns a spline from least to greatest, with inner knots between them.
func newSpline(least, greatest float64, inner []float64) *spline {
	s := &spline{make([]float64, 0, len(inner)+8)}
	for range 4 {
		s.knots = append(s.knots, least)
	}
	s.knots = append(s.knots, inner...)
	for range 4 {
		s.knots = append(s.knots, greatest)
	}
	return s
}

// bends is the number of functions beside the constant and x itself, which span the same splines as all
// B-splines: these without the first one and the last one.
func (s *spline) bends() int { return len(s.knots) - 6 }

// at returns the values at x of the four B-splines that are not 0 there, and the number of the first one.
// Beyond the ends, x is at the end. Piegl and Tiller 1997, "The NURBS book", algorithm A2.2.
func (s *spline) at(x float64) (first int, values [4]float64) {
	t := s.knots
	last := len(t) - 4
	x = min(max(x, t[3]), t[last])
	k := 3
	for k+1 < last && t[k+1] <= x {
		k++
	}
	var left, right [4]float64
	values[0] = 1
	for j := 1; j < 4; j++ {
		left[j], right[j] = x-t[k+1-j], t[k+j]-x
		saved := 0.0
		for r := range j {
			part := values[r] / (right[r+1] + left[j-r])
			values[r] = saved + float64(right[r+1]*part)
			saved = float64(left[j-r] * part)
		}
		values[j] = saved
	}
	return k - 3, values
}

// bent appends the bends of a number of a column with a spline.
func (m *rowMaker) bent(c *column, v float64) {
	if c.spline == nil {
		return
	}
	first, values := c.spline.at(v)
	if c.stepwise() {
		m.rising(c, first, values)
		return
	}
	for k, value := range values {
		if j := first + k - 1; j >= 0 && j < c.spline.bends() {
			m.value(c.at+j, value)
		}
	}
}
