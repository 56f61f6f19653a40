package sparse

import (
	"errors"
	"fmt"
	"sort"

	"gonum.org/v1/gonum/mat"
)

var _ mat.Matrix = (*Matrix)(nil)

// Dims returns the numbers of rows and columns, the bias column included.
func (m *Matrix) Dims() (rows, columns int) { return m.Rows(), m.Cols() }

// At returns the element in row i and column j, 0 where none is stored. It costs a
// binary search in the row; Row yields all entries at the cost of one.
//
// Unlike everything else here, At panics on a bad argument: with mat.ErrRowAccess or
// mat.ErrColAccess where there is no such row or column, as gonum asks of its matrices.
func (m *Matrix) At(i, j int) float64 {
	if uint(i) >= uint(m.Rows()) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(m.Cols()) {
		panic(mat.ErrColAccess)
	}
	if j == m.inner().Width() {
		return m.Bias()
	}
	r := m.inner().Stored()
	begin := r.Begin[i]
	length := int(r.End[i] - begin)
	k := sort.Search(length, func(k int) bool { return r.Column(begin+int64(k)) >= j })
	if k == length || r.Column(begin+int64(k)) != j {
		return 0
	}
	return r.Value(i, begin+int64(k))
}

// T returns a view of the transpose of m, whose elements cost what those of m cost.
func (m *Matrix) T() mat.Matrix { return mat.Transpose{Matrix: m} }

// FromMatrix makes a Matrix of the elements of x that are not 0, in the smallest layout
// that is exact. A *Matrix is returned as it is. It costs a look at every element, or at
// the stored ones of a row where x has gonum's DoRowNonZero.
//
// Errors name the row and the column: NaN and Inf, more columns than MaxColumns.
func FromMatrix(x mat.Matrix) (*Matrix, error) {
	m, already := x.(*Matrix)
	if x == nil || already && m == nil {
		return nil, errors.New("sparse: FromMatrix: no matrix")
	}
	if already {
		return m, nil
	}
	n, d := x.Dims()
	if d > MaxColumns {
		return nil, fmt.Errorf("sparse: FromMatrix: %d columns; there may be 0 to %d", d, MaxColumns)
	}
	b := NewBuilder(BuilderOptions{Columns: d})
	var columns []int
	var values []float64
	keep := func(_, j int, v float64) {
		if v != 0 {
			columns, values = append(columns, j), append(values, v)
		}
	}
	stored, known := x.(mat.RowNonZeroDoer)
	for i := range n {
		columns, values = columns[:0], values[:0]
		if known {
			stored.DoRowNonZero(i, keep)
		} else {
			for j := range d {
				keep(i, j, x.At(i, j))
			}
		}
		if err := b.AddRow(columns, values); err != nil {
			return nil, fmt.Errorf("sparse: FromMatrix: %w", err)
		}
	}
	return b.Build()
}
