// Package sparse holds matrices of training rows: compressed sparse rows in the
// smallest layout that is exact, their products with vectors, and their readers
// and writers.
//
// A Matrix is validated once, when it is built, and never changes afterwards;
// that is what lets its products skip index checks.
package sparse

import (
	"iter"

	_ "github.com/lanes-go/lanes/dispatch" // chooses the kernels
	"github.com/lanes-go/lanes/internal/asm"
)

// Matrix is an immutable n-by-d matrix of sparse rows, with an optional constant
// last column (the bias) that is not stored.
type Matrix struct {
	rows asm.Rows
	n, d int     // d counts stored columns only
	bias float64 // value of the constant last column, 0 for none
	cuts *cutCache
}

// Rows returns the number of rows n.
func (m *Matrix) Rows() int { return m.n }

// Cols returns the number of columns d, the bias column included. Weight
// vectors have this length.
func (m *Matrix) Cols() int {
	if m.bias != 0 {
		return m.d + 1
	}
	return m.d
}

// NNZ returns the number of stored entries.
func (m *Matrix) NNZ() int64 {
	if m.n == 0 {
		return 0
	}
	return m.rows.End[m.n-1] - m.rows.Begin[0]
}

// Bias returns the value of the constant last column, 0 where there is none.
func (m *Matrix) Bias() float64 { return m.bias }

// WithBias returns a view of m with a constant last column of the given finite
// value (0 removes it). No entry is copied.
func (m *Matrix) WithBias(value float64) *Matrix {
	view := *m
	view.bias = value
	return &view
}

// Row yields the column and value of every stored entry of row i, in ascending
// columns, the bias column last. i must be at least 0 and less than Rows().
func (m *Matrix) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
			if !yield(m.rows.Column(e), m.rows.Value(i, e)) {
				return
			}
		}
		if m.bias != 0 {
			yield(m.d, m.bias)
		}
	}
}
