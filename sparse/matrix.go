// Package sparse holds matrices of training rows: compressed sparse rows in the
// smallest layout that is exact, their products with vectors, and their readers
// and writers.
//
//   - ReadFile and Read read a file of rows with labels as Data. WriteLIBSVMFile writes it as
//     text, WriteCacheFile as a cache, which is read at the speed of memory.
//   - Builder makes a Matrix row by row, NewCSR of compressed rows, NewDense of a dense array;
//     Matrix.CSR goes the other way.
//   - BinaryLabels makes labels of two classes -1 and +1.
//   - Matrix.NormalizeUnit scales rows; FitMinMax and FitStd fit a Scaler of columns.
//   - Matrix.MulVec and Matrix.AddTrans are the products, which the workers of a Pool share.
//   - Blocks, ConvertCacheFile and OpenStream serve data that are larger than memory.
//
// A Matrix is validated once, when it is built, and never changes afterwards:
// its products check no indices.
//
// Columns and rows are numbered from 0, by ints. NewCSR, Matrix.CSR and PickRows have lists as
// long as the data, whose numbers are uint32: they take half of the memory.
//
// What reads a file takes a context. Once it is done, reading ends with an error for which
// errors.Is tells context.Canceled or context.DeadlineExceeded. A nil context is never done.
package sparse

import "github.com/lanes-go/lanes/internal/matrix"

// MaxColumns is the largest number of columns of a matrix, 2^31 - 2, without the bias column.
const MaxColumns = matrix.MaxColumns

// Matrix is an immutable n-by-d matrix of sparse rows, with an optional constant
// last column (the bias) that is not stored.
//
// The zero Matrix has no rows and no columns. Functions that take a *Matrix treat nil
// as an error or like the zero Matrix, as they can. A Matrix is safe for concurrent use.
//
// "go doc" shows its methods, with shapes, costs and errors, in package internal/matrix only, as
// "go doc github.com/lanes-go/lanes/internal/matrix.Matrix.MulVec" does. They are:
//
//	Rows() int                                              // n
//	Cols() int                                              // d, with the bias column
//	NNZ() int64                                             // stored entries
//	Bias() float64                                          // the value of the bias column, 0 without one
//	WithBias(value float64) *Matrix                         // a view with another bias column
//	Row(i int) iter.Seq2[int, float64]                      // columns and values of row i
//	CSR() (ptr []int64, columns []uint32, values []float64) // a copy, as NewCSR takes it
//	MulVec(p *Pool, dst, w []float64) error                 // dst = X w
//	AddTrans(p *Pool, dst, c []float64) error               // dst += X'c
//	NormalizeUnit() *Matrix                                 // rows of length 1
//	PickRows(p *Pool, list []uint32) (*Matrix, error)       // the listed rows
//	Values() Values                                         // what is kept of the values
//	WithValues(least Values) *Matrix                        // with more kept
//	Layout() string                                         // how entries are stored
//	Bytes() int64                                           // the memory of the entries
//	Describe() Description                                  // counts and ranges
type Matrix = matrix.Matrix

// Pool is a fixed set of goroutines that share the blocks of parallel
// operations. The results of every operation in this package are the same bits
// for any number of workers. A nil *Pool runs everything in the caller.
//
// A Pool is safe for concurrent use. Its goroutines serve one operation at a time: an operation
// that begins meanwhile runs in its caller alone.
//
// Its methods are:
//
//	Workers() int // the number of workers, 1 for a nil pool and after Close
//	Close()       // ends the goroutines, after the operation that they serve
type Pool = matrix.Pool

// NewPool starts a pool of the given number of workers, the caller included;
// zero or less means one for every core, more than 1024 means 1024. Close it
// when done.
func NewPool(workers int) *Pool { return matrix.NewPool(workers) }

// Description is what a matrix looks like, without its bias column, as Matrix.Describe returns it.
// It is safe for concurrent reading. Its fields are:
//
//   - Rows, Columns, NonZeros: the numbers of rows, columns and stored entries, stored zeros included.
//   - EmptyRows, LongestRow: rows without entries, and the entries of the fullest row.
//   - UsedColumns, FirstColumn, LastColumn: columns with an entry, and the least and the greatest of
//     them, both -1 without entries.
//   - Least, Greatest: the range of the stored values, 0 without entries.
//   - Layout, Bytes, BytesPerNonZero: see Matrix.Layout and Matrix.Bytes; Bytes by NonZeros, 0 without
//     entries.
type Description = matrix.Description

// Values says how much is kept of a matrix's values, from nothing to everything. It is safe for
// concurrent use.
type Values = matrix.Values

// What a matrix keeps of its values: nothing because all are 1; one value for
// each row because the entries of a row are equal; a float32 or a float64 for
// each entry.
const (
	ValuesNone    = matrix.ValuesNone
	ValuesPerRow  = matrix.ValuesPerRow
	ValuesFloat32 = matrix.ValuesFloat32
	ValuesFloat64 = matrix.ValuesFloat64
)

// Storage sets limits to the choice of a matrix's layout. The zero Storage lets
// the smallest exact layout be chosen: values of 65,536 entries and more that need a float64
// each are packed into 16 or 32 bits where that is exact. It is safe for concurrent reading.
type Storage struct {
	// Float32 rounds every value to the nearest float32, so that at most four
	// bytes an entry are kept. It changes the data.
	Float32 bool
	// Values is the least that is kept of the values. The layout follows the data, and the last
	// bits of products follow the layout: ValuesFloat64 makes a row's products the same beside
	// all other rows. NormalizeUnit and Scaler.Apply keep as much. Values that are kept by this
	// are not packed. Numbers above ValuesFloat64 mean ValuesFloat64.
	Values Values

	packing   matrix.Packing // for tests
	indices32 bool
}

func (s Storage) inner() matrix.Storage {
	return matrix.Storage{Float32: s.Float32, Values: s.Values, Packing: s.packing, Indices32: s.indices32}
}

// NewCSR builds a matrix of d columns from compressed rows: row i has the
// entries ptr[i] to ptr[i+1]-1 of columns and values, columns strictly ascending
// within a row. A nil values means that every entry is 1. The slices are copied
// into the smallest layout that is exact; stored zeros are kept.
//
// Errors name the row and the column: pointers that descend or leave the
// slices, columns that are out of range or not ascending, NaN and Inf.
func NewCSR(d int, ptr []int64, columns []uint32, values []float64) (*Matrix, error) {
	return matrix.NewCSR(matrix.Storage{}, d, ptr, columns, values)
}
