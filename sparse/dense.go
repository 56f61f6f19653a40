package sparse

import "github.com/lanes-go/lanes/internal/matrix"

// Dense is a dense array of rows, in memory that its maker owns. It is read and never written; no
// goroutine may write to it meanwhile. Element (i, j) is number i*RowStride + j*ColumnStride of
// Float64, or of Float32: one of the two is nil.
//
// An n-by-d array in C's order has the strides d and 1, one in Fortran's order 1 and n. Strides count
// elements and are 0 or more. Its method is:
//
//	Check() error // what is wrong with the sizes, if anything; it does not look at the numbers
//
// NewDense makes a Matrix of it. A model scores it without one: see model.ScoresDense.
type Dense = matrix.Dense

// NewDense makes the matrix of the elements of x that are not 0, in the smallest layout that is
// exact: the one that NewCSR makes of these entries, to the bit. x is copied.
//
// Errors name the row and the column, both from 0 on, of a NaN or an Inf, or say what is wrong with
// the sizes. It costs one look at every element, and a second one if the layout is not what the
// first rows suggest. The workers of p share it.
func NewDense(p *Pool, x *Dense) (*Matrix, error) { return matrix.NewDense(p, x, false) }

// BorrowDense is NewDense for an array that nobody changes while the matrix is in use. It copies no
// values if rows are contiguous and have no zeros, and if the layout keeps values in the type of x.
func BorrowDense(p *Pool, x *Dense) (*Matrix, error) { return matrix.NewDense(p, x, true) }
