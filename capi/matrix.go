package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/sparse"
)

var matrices = handles[*sparse.Data]{what: "matrix"}

// number is a type of elements of arrays.
type number interface {
	~int32 | ~int64 | ~float32 | ~float64
}

// numbers returns an array of the caller as T: a copy where its type is another one.
func numbers[T number](name string, data unsafe.Pointer, kind C.lanes_type, length int64, kinds ...C.lanes_type) ([]T, error) {
	if !slices.Contains(kinds, kind) {
		return nil, wrong("the type of %s is %d, which it cannot have", name, kind)
	}
	switch kind {
	case C.LANES_INT32:
		return converted[T, int32](name, data, length)
	case C.LANES_INT64:
		return converted[T, int64](name, data, length)
	case C.LANES_FLOAT32:
		return converted[T, float32](name, data, length)
	}
	return converted[T, float64](name, data, length)
}

func converted[T, F number](name string, data unsafe.Pointer, length int64) ([]T, error) {
	from, err := array[F](name, data, length)
	if err != nil {
		return nil, err
	}
	if same, ok := any(from).([]T); ok {
		return same, nil
	}
	if err := memory.Check("a copy of "+name, length, int64(unsafe.Sizeof(T(0)))); err != nil {
		return nil, err
	}
	to := make([]T, len(from))
	for i, v := range from {
		to[i] = T(v)
	}
	return to, nil
}

// Bytes that a matrix takes while it is made: of a row, of an entry, and of an entry of the caller
// that is sorted or moved before.
const (
	rowBytes   = 24
	entryBytes = 24
	movedBytes = 4 + 8
)

// enough refuses entries that the free memory does not hold, before they are looked at.
func enough(entries, bytes int64) error {
	return memory.Check("the entries of the matrix", entries, bytes)
}

// compressed are rows, or columns, with their entries.
type compressed struct {
	begin   []int64
	indices []uint32
	values  []float64 // nil if all are 1
}

// checkSizes refuses shapes that no matrix has.
func checkSizes(rows, columns int64) error {
	switch {
	case rows < 0 || rows > math.MaxInt32*64:
		return wrong("rows is %d", rows)
	case columns < 0 || columns > sparse.MaxColumns:
		return wrong("columns is %d; there may be 0 to %d", columns, sparse.MaxColumns)
	}
	return nil
}

// checkShape is checkSizes for a matrix that is to be made: its rows need memory.
func checkShape(rows, columns int64) error {
	if err := checkSizes(rows, columns); err != nil {
		return err
	}
	return memory.Check("the rows of the matrix", rows+1, rowBytes)
}

// newCompressed takes arrays of the caller: of lists, whose indices are below limit.
func newCompressed(lists, limit int64, begin unsafe.Pointer, beginType C.lanes_type, indices unsafe.Pointer, indexType C.lanes_type, values unsafe.Pointer, valueType C.lanes_type) (c compressed, err error) {
	if c.begin, err = numbers[int64]("begin", begin, beginType, lists+1, C.LANES_INT32, C.LANES_INT64); err != nil {
		return c, err
	}
	if c.begin[0] != 0 {
		return c, wrong("begin[0] is %d; it must be 0", c.begin[0])
	}
	for i, end := range c.begin[1:] {
		if end < c.begin[i] {
			return c, wrong("begin[%d] = %d is less than begin[%d] = %d", i+1, end, i, c.begin[i])
		}
	}
	entries := c.begin[lists]
	if entries > 0 && limit == 0 {
		return c, wrong("there are %d entries in a matrix without rows or columns", entries)
	}
	if err := enough(entries, entryBytes); err != nil {
		return c, err
	}
	if c.indices, err = places(indices, indexType, entries, limit); err != nil {
		return c, err
	}
	if valueType == C.LANES_NONE {
		return c, nil
	}
	c.values, err = numbers[float64]("values", values, valueType, entries, C.LANES_FLOAT32, C.LANES_FLOAT64)
	return c, err
}

// places returns indices of the caller, all below limit: the array itself if they have 32 bits.
func places(indices unsafe.Pointer, kind C.lanes_type, entries, limit int64) (list []uint32, err error) {
	bad := func(k int, j int64) error { return wrong("indices[%d] is %d; it may be 0 to %d", k, j, limit-1) }
	switch kind {
	case C.LANES_INT32:
		if list, err = array[uint32]("indices", indices, entries); err != nil {
			return nil, err
		}
		most := uint32(min(limit, math.MaxInt32+1))
		for k, j := range list {
			if j >= most {
				return nil, bad(k, int64(int32(j)))
			}
		}
	case C.LANES_INT64:
		long, err := array[int64]("indices", indices, entries)
		if err != nil {
			return nil, err
		}
		if err := memory.Check("a copy of indices", entries, 4); err != nil {
			return nil, err
		}
		list = make([]uint32, len(long))
		for k, j := range long {
			if j < 0 || j >= limit || j > math.MaxUint32 {
				return nil, bad(k, j)
			}
			list[k] = uint32(j)
		}
	default:
		return nil, wrong("the type of indices is %d, which it cannot have", kind)
	}
	return list, nil
}

// sorted returns the columns and values of rows, each row in ascending columns: the arrays of c
// themselves if its rows ascend already.
func (c *compressed) sorted() (columns []uint32, values []float64, err error) {
	columns, values = c.indices, c.values
	copied := false
	for i := range len(c.begin) - 1 {
		first, end := c.begin[i], c.begin[i+1]
		before := c.indices[first:end]
		if slices.IsSorted(before) {
			continue
		}
		if !copied {
			if err := enough(int64(len(columns)), movedBytes); err != nil {
				return nil, nil, err
			}
			columns, values, copied = slices.Clone(columns), slices.Clone(values), true
		}
		order := make([]int, len(before))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(before[a], before[b]) })
		for k, from := range order {
			columns[first+int64(k)] = before[from]
			if values != nil {
				values[first+int64(k)] = c.values[first+int64(from)]
			}
		}
	}
	return columns, values, nil
}

// transposed turns compressed columns into compressed rows.
func (c *compressed) transposed(rows int64) (compressed, error) {
	if err := enough(int64(len(c.indices)), movedBytes); err != nil {
		return compressed{}, err
	}
	t := compressed{begin: make([]int64, rows+1), indices: make([]uint32, len(c.indices))}
	if c.values != nil {
		t.values = make([]float64, len(c.values))
	}
	for _, i := range c.indices {
		t.begin[i+1]++
	}
	for i := range rows {
		t.begin[i+1] += t.begin[i]
	}
	next := slices.Clone(t.begin)
	for j := range len(c.begin) - 1 {
		for k := c.begin[j]; k < c.begin[j+1]; k++ {
			at := next[c.indices[k]]
			next[c.indices[k]]++
			if t.indices[at] = uint32(j); t.values != nil {
				t.values[at] = c.values[k]
			}
		}
	}
	return t, nil
}

// data makes a matrix of compressed rows.
func (c *compressed) data(columns int64) (*sparse.Data, error) {
	sorted, values, err := c.sorted()
	if err != nil {
		return nil, err
	}
	x, err := sparse.NewCSR(int(columns), c.begin, sorted, values)
	if err != nil {
		return nil, &lanes.DataError{Err: err}
	}
	return &sparse.Data{X: x}, nil
}

// newMatrix makes a matrix of the given size of the rows that f returns.
func newMatrix(rows, columns C.int64_t, out *C.lanes_matrix, message *C.lanes_text, f func(rows, columns int64) (compressed, error)) C.lanes_status {
	return matrices.make(unsafe.Pointer(out), message, func() (*sparse.Data, error) {
		rows, columns := int64(rows), int64(columns)
		if err := checkShape(rows, columns); err != nil {
			return nil, err
		}
		c, err := f(rows, columns)
		if err != nil {
			return nil, err
		}
		return c.data(columns)
	})
}

//export lanes_matrix_from_csr
func lanes_matrix_from_csr(rows, columns C.int64_t, begin unsafe.Pointer, beginType C.lanes_type, indices unsafe.Pointer, indexType C.lanes_type, values unsafe.Pointer, valueType C.lanes_type, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return newMatrix(rows, columns, matrix, message, func(rows, columns int64) (compressed, error) {
		return newCompressed(rows, columns, begin, beginType, indices, indexType, values, valueType)
	})
}

//export lanes_matrix_from_csc
func lanes_matrix_from_csc(rows, columns C.int64_t, begin unsafe.Pointer, beginType C.lanes_type, indices unsafe.Pointer, indexType C.lanes_type, values unsafe.Pointer, valueType C.lanes_type, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return newMatrix(rows, columns, matrix, message, func(rows, columns int64) (compressed, error) {
		c, err := newCompressed(columns, rows, begin, beginType, indices, indexType, values, valueType)
		if err != nil {
			return c, err
		}
		return c.transposed(rows)
	})
}

//export lanes_matrix_read
func lanes_matrix_read(path *C.char, m C.lanes_model, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return matrices.make(unsafe.Pointer(matrix), message, func() (*sparse.Data, error) {
		name, err := word("path", path)
		if err != nil {
			return nil, err
		}
		if m.id == 0 {
			return lanes.Read(context.Background(), name)
		}
		fitted, err := models.get(m.id)
		if err != nil {
			return nil, err
		}
		return lanes.ReadFor(context.Background(), name, fitted)
	})
}

//export lanes_matrix_shape
func lanes_matrix_shape(matrix C.lanes_matrix, rows, columns, entries *C.int64_t, message *C.lanes_text) C.lanes_status {
	return matrices.with(matrix.id, message, func(data *sparse.Data) error {
		put := func(to *C.int64_t, v int64) {
			if to != nil {
				*to = C.int64_t(v)
			}
		}
		put(rows, int64(data.X.Rows()))
		put(columns, int64(data.X.Cols()))
		put(entries, data.X.NNZ())
		return nil
	})
}

//export lanes_matrix_labels
func lanes_matrix_labels(matrix C.lanes_matrix, labels *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return matrices.with(matrix.id, message, func(data *sparse.Data) error {
		if data.Y == nil {
			return wrong("the matrix has no labels: it was not read from a file")
		}
		return fill("labels", labels, length, data.Y)
	})
}

//export lanes_matrix_weights
func lanes_matrix_weights(matrix C.lanes_matrix, weights *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return matrices.with(matrix.id, message, func(data *sparse.Data) error {
		if data.Weight == nil {
			if err := memory.Check("the weights", int64(data.X.Rows()), 8); err != nil {
				return err
			}
			return fill("weights", weights, length, slices.Repeat([]float64{1}, data.X.Rows()))
		}
		return fill("weights", weights, length, data.Weight)
	})
}

//export lanes_matrix_csr
func lanes_matrix_csr(matrix C.lanes_matrix, begin *C.int64_t, length C.int64_t, columns *C.int32_t, values *C.double, entries C.int64_t, message *C.lanes_text) C.lanes_status {
	return matrices.with(matrix.id, message, func(data *sparse.Data) error {
		if err := memory.Check("a copy of the matrix", int64(data.X.Rows())+data.X.NNZ(), rowBytes); err != nil {
			return err
		}
		from, place, value := data.X.CSR()
		if value == nil {
			value = slices.Repeat([]float64{1}, len(place))
		}
		return cmp.Or(fill("begin", begin, length, from), fill("columns", (*C.uint32_t)(unsafe.Pointer(columns)), entries, place), fill("values", values, entries, value))
	})
}

//export lanes_matrix_words
func lanes_matrix_words(matrix C.lanes_matrix, words, message *C.lanes_text) C.lanes_status {
	return matrices.with(matrix.id, message, func(data *sparse.Data) error {
		return writeJSON(words, data.LabelNames)
	})
}

//export lanes_matrix_free
func lanes_matrix_free(matrix C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return matrices.free(matrix.id, message)
}

// fill copies numbers to an array of the caller, whose length has to fit.
func fill[T, F any](name string, to *F, length C.int64_t, from []T) error {
	target, err := array[T](name, unsafe.Pointer(to), int64(length))
	if err != nil {
		return err
	}
	if len(target) != len(from) {
		return wrong("%s has %d elements; %d are needed", name, len(target), len(from))
	}
	copy(target, from)
	return nil
}

// rowsOf returns the rows of the caller as data of the library.
func rowsOf(what string, r *C.lanes_rows) (data *sparse.Data, err error) {
	if r == nil {
		return nil, wrong("%s is NULL", what)
	}
	file, err := matrices.get(r.matrix.id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	n := int64(file.X.Rows())
	if (r.labels != nil || r.weights != nil || r.offsets != nil) && int64(r.length) != n {
		return nil, wrong("%s: length is %d; the matrix has %d rows", what, r.length, n)
	}
	own := *file
	data = &own
	take := func(name string, from *C.double, to *[]float64) {
		if from != nil && err == nil {
			var list []float64
			if list, err = array[float64](what+"."+name, unsafe.Pointer(from), n); err == nil {
				err = memory.Check("a copy of "+what+"."+name, n, 8)
			}
			if err != nil {
				return
			}
			*to = slices.Clone(list)
		}
	}
	if r.labels != nil {
		data.LabelNames = nil
	}
	take("labels", r.labels, &data.Y)
	take("weights", r.weights, &data.Weight)
	take("offsets", r.offsets, &data.Offset)
	if data.Y == nil && err == nil && n > 0 {
		err = wrong("%s: labels is NULL, and the matrix has no labels of its own", what)
	}
	return data, err
}
