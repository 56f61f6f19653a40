// Package matrix holds rows in their layouts, and what solvers do with them: it is the inside
// of package sparse, whose Matrix, Pool and Values are the types here under the same names.
//
// The exported methods of Matrix and Pool are therefore public: programs outside of the module
// call them, so they check what they are given. What only solvers may call is a function of this
// package, with the matrix or the pool first.
//
// A Matrix is validated once, when it is built, and never changes afterwards;
// that is what lets its products skip index checks.
package matrix

import (
	"iter"

	"github.com/lanes-go/lanes/asm/rows"
	_ "github.com/lanes-go/lanes/dispatch" // chooses the kernels
)

// Matrix is an immutable n-by-d matrix of sparse rows, with an optional constant
// last column (the bias) that is not stored.
//
// The zero Matrix has no rows and no columns. A Matrix is safe for concurrent use.
type Matrix struct {
	rows rows.Matrix // one after the other, the first at entry 0
	n, d int         // d counts stored columns only
	bias float64     // value of the constant last column, 0 for none
	cuts *cutCache

	// single says that packed values are float32s, whose squares are summed in their order.
	single bool
	least  Values // that NormalizeUnit and Scaler.Apply keep
	// numbered says that Renumber gave the columns their numbers.
	numbered bool
	kept     *rows.Matrix // what plain made of a mixed matrix
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
	return m.rows.End[m.n-1]
}

// Bias returns the value of the constant last column, 0 without such a column.
func (m *Matrix) Bias() float64 { return m.bias }

// WithBias returns a view of m with a constant last column of the given finite
// value (0 removes it). No entry is copied.
func (m *Matrix) WithBias(value float64) *Matrix {
	view := *m
	view.bias = value
	return &view
}

// Row yields the column and value of every stored entry of row i, in ascending columns, the bias
// column last. It yields nothing if row i does not exist.
func (m *Matrix) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if i < 0 || i >= m.n {
			return
		}
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

// Of returns the matrix of d columns that has the given rows, the first at entry 0. least is
// what NormalizeUnit and a Scaler keep of its values.
func Of(r rows.Matrix, d int, least Values) Matrix {
	return Matrix{rows: r, n: len(r.End), d: d, cuts: new(cutCache), least: least}
}

// OfRows is Of for products with rows alone, without allocation.
func OfRows(r rows.Matrix, d int) Matrix { return Matrix{rows: r, n: len(r.End), d: d} }

// Stored returns the rows as kernels take them. Those of a mixed matrix go to no kernel but DotMix:
// they are to be read by their methods. Full rows may lack indices.
func Stored(m *Matrix) *rows.Matrix { return &m.rows }

// Indexed is Stored, with an index an entry.
func Indexed(m *Matrix) *rows.Matrix { return &indexed(m).rows }

// Width returns the number of stored columns, without the bias.
func Width(m *Matrix) int { return m.d }

// Least returns what NormalizeUnit and a Scaler keep of the values.
func Least(m *Matrix) Values { return m.least }

// Widened returns m with at least d columns.
func Widened(m *Matrix, d int) *Matrix {
	if d <= m.d {
		return m
	}
	wide := *indexed(m)
	wide.d = d
	return &wide
}

// SetBias changes the value of the constant last column of a matrix that is its caller's alone.
func SetBias(m *Matrix, value float64) { m.bias = value }
