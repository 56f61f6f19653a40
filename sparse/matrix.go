// Package sparse holds matrices of training rows: compressed sparse rows in the
// smallest layout that is exact, their products with vectors, and their readers
// and writers.
//
//   - ReadFile and Read read a file of rows with labels as Data. WriteLIBSVMFile writes it as
//     text, WriteCacheFile as a cache, which is read at the speed of memory.
//   - Builder makes a Matrix row by row, NewCSR of compressed rows; Matrix.CSR goes the other way.
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

import (
	"iter"

	"github.com/lanes-go/lanes/internal/matrix"
)

// MaxColumns is the largest number of columns of a matrix, 2^31 - 2, without the bias column.
const MaxColumns = matrix.MaxColumns

// Matrix is an immutable n-by-d matrix of sparse rows, with an optional constant
// last column (the bias) that is not stored.
//
// The zero Matrix has no rows and no columns. Functions that take a *Matrix treat nil
// as an error or like the zero Matrix, as they can. A Matrix is safe for concurrent use.
type Matrix matrix.Matrix

func (m *Matrix) inner() *matrix.Matrix { return (*matrix.Matrix)(m) }

// Pool is a fixed set of goroutines that share the blocks of parallel
// operations. The results of every operation in this package are the same bits
// for any number of workers. A nil *Pool runs everything in the caller.
//
// A Pool is safe for concurrent use. Its goroutines serve one operation at a time: an operation
// that begins meanwhile runs in its caller alone.
type Pool matrix.Pool

// NewPool starts a pool of the given number of workers, the caller included;
// zero or less means one for every core, more than 1024 means 1024. Close it
// when done.
func NewPool(workers int) *Pool { return (*Pool)(matrix.NewPool(workers)) }

func (p *Pool) inner() *matrix.Pool { return (*matrix.Pool)(p) }

// Workers returns the number of workers, 1 for a nil pool and after Close.
func (p *Pool) Workers() int { return p.inner().Workers() }

// Close ends the pool's goroutines, after the operation that they serve.
func (p *Pool) Close() { p.inner().Close() }

// Values says how much is kept of a matrix's values, from nothing to everything. It is safe for
// concurrent use.
type Values uint8

// What a matrix keeps of its values: nothing because all are 1; one value for
// each row because the entries of a row are equal; a float32 or a float64 for
// each entry.
const (
	ValuesNone    = Values(matrix.ValuesNone)
	ValuesPerRow  = Values(matrix.ValuesPerRow)
	ValuesFloat32 = Values(matrix.ValuesFloat32)
	ValuesFloat64 = Values(matrix.ValuesFloat64)
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
	return matrix.Storage{Float32: s.Float32, Values: matrix.Values(s.Values), Packing: s.packing, Indices32: s.indices32}
}

// NewCSR builds a matrix of d columns from compressed rows: row i has the
// entries ptr[i] to ptr[i+1]-1 of columns and values, columns strictly ascending
// within a row. A nil values means that every entry is 1. The slices are copied
// into the smallest layout that is exact; stored zeros are kept.
//
// Errors name the row and the column: pointers that descend or leave the
// slices, columns that are out of range or not ascending, NaN and Inf.
func NewCSR(d int, ptr []int64, columns []uint32, values []float64) (*Matrix, error) {
	m, err := matrix.NewCSR(matrix.Storage{}, d, ptr, columns, values)
	return (*Matrix)(m), err
}

// CSR returns a copy of the entries as NewCSR takes them, without the bias column. values is nil
// where every entry is 1. It costs one sweep over the matrix.
func (m *Matrix) CSR() (ptr []int64, columns []uint32, values []float64) {
	x := m.inner().WithBias(0)
	r := x.Stored()
	ptr = append(make([]int64, 1, x.Rows()+1), r.End...)
	columns = make([]uint32, 0, x.NNZ())
	if x.Values() != matrix.ValuesNone {
		values = make([]float64, x.NNZ())
	}
	for i := range x.Rows() {
		columns = x.AppendColumns(columns, i)
		if values != nil {
			matrix.RowValues(values[r.Begin[i]:r.End[i]], r, i, r.Begin[i])
		}
	}
	return ptr, columns, values
}

// Rows returns the number of rows n.
func (m *Matrix) Rows() int { return m.inner().Rows() }

// Cols returns the number of columns d, the bias column included. Weight
// vectors have this length.
func (m *Matrix) Cols() int { return m.inner().Cols() }

// NNZ returns the number of stored entries.
func (m *Matrix) NNZ() int64 { return m.inner().NNZ() }

// Bias returns the value of the constant last column, 0 without such a column.
func (m *Matrix) Bias() float64 { return m.inner().Bias() }

// WithBias returns a view of m with a constant last column of the given finite
// value (0 removes it). No entry is copied.
func (m *Matrix) WithBias(value float64) *Matrix { return (*Matrix)(m.inner().WithBias(value)) }

// Row yields the column and value of every stored entry of row i, in ascending columns, the bias
// column last. It yields nothing if row i does not exist.
func (m *Matrix) Row(i int) iter.Seq2[int, float64] { return m.inner().Row(i) }

// MulVec computes dst = X w. dst has n elements, w has Cols().
// It costs one sweep over the matrix, shared by the workers of p.
func (m *Matrix) MulVec(p *Pool, dst, w []float64) error { return m.inner().MulVec(p.inner(), dst, w) }

// AddTrans computes dst += X'c. c has n elements, dst has Cols(). The result does not
// depend on the number of workers.
//
// Where the columns have many entries each, the rows are cut into 2 to 64 parts of
// about equal entries; each part is summed in row order, and the parts are added to
// dst in their order. Which parts there are depends on the matrix alone; their
// vectors take at most 0.8 bytes a non-zero. Otherwise the work is cut by column
// ranges, so that every column accumulates in row order without a vector for each
// worker. It costs one sweep over the matrix; finding the column ranges for a number
// of workers, once, costs another and keeps 8 bytes a row for each.
//
// If many c are 0, their rows are left out. So a -0 in dst may stay -0, although adding +0 would
// make it +0.
func (m *Matrix) AddTrans(p *Pool, dst, c []float64) error {
	return m.inner().AddTrans(p.inner(), dst, c)
}

// NormalizeUnit returns m with every row's stored entries divided by their
// Euclidean length. Rows without entries, or with zeros only, stay as they are.
// The bias column is not part of the length and stays too: normalise first, add
// the bias after, in either order of calls.
//
// The result shares the columns with m. It stores one value a row if the values of each row are
// equal and neither Storage nor WithValues asked for more. Otherwise it takes 8 bytes a non-zero.
func (m *Matrix) NormalizeUnit() *Matrix { return (*Matrix)(m.inner().NormalizeUnit()) }

// PickRows returns a matrix of the listed rows of m, in the order of the list. It has the storage
// layout of m and its bias column. The workers of p copy the entries. Error: a row that m does
// not have.
func (m *Matrix) PickRows(p *Pool, list []uint32) (*Matrix, error) {
	picked, err := m.inner().PickRows(p.inner(), list)
	return (*Matrix)(picked), err
}

// Values returns what m keeps of its values.
func (m *Matrix) Values() Values { return Values(m.inner().Values()) }

// WithValues returns m with at least this much kept of its values, as Storage.Values does for a new
// matrix. Products with its rows then have the bits of products with the same rows in a larger
// matrix that keeps as much. ValuesFloat32 keeps values that are no float32 as float64. The
// values are copied where they change; the result shares all else with m.
func (m *Matrix) WithValues(least Values) *Matrix {
	return (*Matrix)(m.inner().WithValues(matrix.Values(least)))
}

// Layout names how the matrix is stored: the bits of a column index, then what
// is kept of the values. "i16+none" keeps nothing, as all are 1, "i32+row" one
// value a row, "i16+f32" and "i32+f64" a float32 or float64 an entry; "i16+decimal" a
// 32-bit whole number of a power of ten, "i16+code" a 16-bit place in a table of values.
func (m *Matrix) Layout() string { return m.inner().Layout() }

// Bytes returns the memory that the entries and the row pointers take. Column
// cuts, which a first parallel AddTrans makes, take 8 bytes a row and cut more.
func (m *Matrix) Bytes() int64 { return m.inner().Bytes() }
