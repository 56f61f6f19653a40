package sparse

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/asm"
)

// Steps does the two operations of coordinate methods, one row at a time: the
// product of a row with a vector w, and the addition of a multiple of the row to
// w. Nothing but the row's number is checked per call.
type Steps struct {
	w    []float64
	m    *Matrix
	rows *asm.Rows
	dot  func(out []float64, m *asm.Rows, list []uint32, first int, w []float64)
	add  func(w []float64, m *asm.Rows, list []uint32, first int, c []float64)
	one  [1]float64
	// fetch is nil where the matrix and w are in the caches anyway.
	fetch func(m *asm.Rows, list []uint32)
}

// fetchMatrix is the size in bytes from which the entries of rows taken in
// random order are worth fetching ahead.
const fetchMatrix = 1 << 20

// Steps returns steps over m and w, which has Cols() elements and stays the
// caller's to read and write between steps. Steps serve one goroutine.
func (m *Matrix) Steps(w []float64) (*Steps, error) {
	if len(w) != m.Cols() {
		return nil, fmt.Errorf("sparse: Steps: a vector of %d elements for a matrix of %d columns", len(w), m.Cols())
	}
	k := asm.Active()
	s := &Steps{w: w, m: m, rows: &m.rows, dot: k.Rows.Dot[m.rows.Layout], add: k.Rows.Add[m.rows.Layout]}
	if m.Bytes() > fetchMatrix {
		s.fetch = k.Lazy.Fetch[m.rows.Layout]
	}
	return s, nil
}

// Dot returns x_i·w, with the bits of MulVec. i must be less than Rows().
func (s *Steps) Dot(i uint32) float64 {
	_ = s.rows.End[i]
	s.dot(s.one[:], s.rows, nil, int(i), s.w)
	z := s.one[0]
	if s.m.bias != 0 {
		z += float64(s.m.bias * s.w[s.m.d])
	}
	return z
}

// Add computes w += c x_i. i must be less than Rows().
func (s *Steps) Add(i uint32, c float64) {
	_ = s.rows.End[i]
	s.one[0] = c
	s.add(s.w, s.rows, nil, int(i), s.one[:])
	if s.m.bias != 0 {
		s.w[s.m.d] += float64(s.m.bias * c)
	}
}

// Fetch asks the caches for the entries of rows that will soon be stepped on; it
// computes nothing. Every row must be less than Rows().
func (s *Steps) Fetch(rows []uint32) {
	if s.fetch == nil {
		return
	}
	for _, i := range rows {
		_ = s.rows.End[i]
	}
	s.fetch(s.rows, rows)
}
