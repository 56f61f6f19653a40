package matrix

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// Steps does the two operations of coordinate methods, one row at a time: the
// product of a row with a vector w, and the addition of a multiple of the row to
// w. Nothing but the row's number is checked per call.
type Steps struct {
	w    []float64
	rows *rows.Matrix
	bias float64
	last *float64 // the weight of the bias column, where there is one
	dot  func(out []float64, m *rows.Matrix, list []uint32, first int, w []float64)
	add  func(w []float64, m *rows.Matrix, list []uint32, first int, c []float64)
	one  [1]float64
	// fetch is nil where the matrix and w are in the caches anyway.
	fetch func(m *rows.Matrix, list []uint32)
}

// fetchMatrix is the size in bytes from which the entries of rows taken in
// random order are worth fetching ahead.
const fetchMatrix = 1 << 20

// NewSteps returns steps over m and w, which has Cols() elements and stays the
// caller's to read and write between steps. Steps serve one goroutine.
func NewSteps(m *Matrix, w []float64) (*Steps, error) {
	if len(w) != m.Cols() {
		return nil, fmt.Errorf("sparse: Steps: a vector of %d elements for a matrix of %d columns", len(w), m.Cols())
	}
	m = plain(m)
	k := asm.Active()
	s := &Steps{w: w, rows: &m.rows, bias: m.bias, dot: k.Rows.Dot, add: k.Rows.Add}
	if m.bias != 0 {
		s.last = &w[m.d]
	}
	if m.Bytes() > fetchMatrix {
		s.fetch = k.Rows.Lazy.Fetch
	}
	return s, nil
}

// Dot returns x_i·w, with the bits of MulVec, and NaN if row i does not exist.
func (s *Steps) Dot(i uint32) float64 {
	if int64(i) >= int64(len(s.rows.End)) {
		return math.NaN()
	}
	s.dot(s.one[:], s.rows, nil, int(i), s.w)
	z := s.one[0]
	if s.bias != 0 {
		z += float64(s.bias * *s.last)
	}
	return z
}

// DotEach computes out[k] = x_rows[k]·w for a list of rows, with the bits of one call of Dot a
// row. All are NaN if one of the rows does not exist or out has another length.
func (s *Steps) DotEach(out []float64, rows []uint32) {
	if len(out) != len(rows) || !s.inRange(rows) {
		for k := range out {
			out[k] = math.NaN()
		}
		return
	}
	s.dot(out, s.rows, rows, 0, s.w)
	if s.bias != 0 {
		z := float64(s.bias * *s.last)
		for k := range out {
			out[k] += z
		}
	}
}

// Add computes w += c x_i. It does nothing if row i does not exist.
func (s *Steps) Add(i uint32, c float64) {
	if int64(i) >= int64(len(s.rows.End)) {
		return
	}
	s.one[0] = c
	s.add(s.w, s.rows, nil, int(i), s.one[:])
	if s.bias != 0 {
		*s.last += float64(s.bias * c)
	}
}

// AddEach computes w += c[k] x_rows[k] for a list of rows, row after row, with the bits of one
// call of Add a row. It does nothing if a row does not exist or c has another length.
func (s *Steps) AddEach(rows []uint32, c []float64) {
	if len(c) != len(rows) || !s.inRange(rows) {
		return
	}
	s.add(s.w, s.rows, rows, 0, c)
	if s.bias != 0 {
		for _, v := range c {
			*s.last += float64(s.bias * v)
		}
	}
}

// Fetch asks the caches for the entries of rows that will soon be stepped on; it
// computes nothing, and does nothing where one of the rows does not exist.
func (s *Steps) Fetch(rows []uint32) {
	if s.fetch != nil && s.inRange(rows) {
		s.fetch(s.rows, rows)
	}
}

// inRange tells whether there are such rows.
func (s *Steps) inRange(rows []uint32) bool {
	for _, i := range rows {
		if int64(i) >= int64(len(s.rows.End)) {
			return false
		}
	}
	return true
}
