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
// A model scores it without a Matrix: see model.ScoresDense.
type Dense = matrix.Dense
