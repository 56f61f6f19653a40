// Package gonum lets a sparse.Matrix and the matrices of gonum.org/v1/gonum/mat stand for one
// another.
//
// Vectors need no adapter. Matrix.MulVec and Matrix.AddTrans of package sparse take the slice of
// a mat.VecDense, RawVector().Data, as it is. The slice of a vector whose increment is not 1,
// such as a column of a dense matrix, has another length and is refused: mat.VecDenseCopyOf makes
// a vector of increment 1 of it.
package gonum

import (
	"errors"
	"fmt"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// FromMatrix makes a sparse.Matrix of the elements of x that are not 0, in the smallest layout
// that is exact. The matrix of a View is returned as it is. It costs a look at every element, or
// at the stored elements of a row where x has DoRowNonZero.
//
// Errors name the row and the column: NaN and Inf, more columns than sparse.MaxColumns.
func FromMatrix(x mat.Matrix) (*sparse.Matrix, error) {
	if x == nil {
		return nil, errors.New("gonum: FromMatrix: no matrix")
	}
	if v, is := x.(view); is {
		return v.x, nil
	}
	n, d := x.Dims()
	if d > sparse.MaxColumns {
		return nil, fmt.Errorf("gonum: FromMatrix: %d columns; there may be 0 to %d", d, sparse.MaxColumns)
	}
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: d})
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
			return nil, fmt.Errorf("gonum: FromMatrix: %w", err)
		}
	}
	return b.Build()
}

// View returns x as a matrix of gonum, whose functions look at elements one by one. Nothing is
// copied, and the view is safe for concurrent use. A nil x has no rows and no columns.
//
// An element costs a binary search in its row. At panics with mat.ErrRowAccess or
// mat.ErrColAccess where the row or the column does not exist, as gonum asks of its matrices.
func View(x *sparse.Matrix) mat.Matrix {
	if x == nil {
		x = new(sparse.Matrix)
	}
	return view{x}
}

type view struct{ x *sparse.Matrix }

// Dims returns the numbers of rows and columns, the bias column included.
func (v view) Dims() (rows, columns int) { return v.x.Rows(), v.x.Cols() }

// At returns the element in row i and column j, 0 where none is stored.
func (v view) At(i, j int) float64 {
	if uint(i) >= uint(v.x.Rows()) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(v.x.Cols()) {
		panic(mat.ErrColAccess)
	}
	m := v.x
	if j == matrix.Width(m) {
		return m.Bias()
	}
	r := matrix.Stored(m)
	begin := r.Begin[i]
	length := int(r.End[i] - begin)
	k := sort.Search(length, func(k int) bool { return r.Column(begin+int64(k)) >= j })
	if k == length || r.Column(begin+int64(k)) != j {
		return 0
	}
	return r.Value(i, begin+int64(k))
}

// T returns the transpose.
func (v view) T() mat.Matrix { return mat.Transpose{Matrix: v} }
