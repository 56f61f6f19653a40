package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// denseOf returns a dense array of the caller, which is borrowed.
func denseOf(rows, columns int64, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t) (x *sparse.Dense, err error) {
	if err := checkSizes(rows, columns); err != nil {
		return nil, err
	}
	if rowStride < 0 || columnStride < 0 || rowStride > 1<<40 || columnStride > 1<<40 {
		return nil, wrong("strides are %d and %d; they may be 0 to 2^40", rowStride, columnStride)
	}
	length := int64(0)
	if rows > 0 && columns > 0 {
		if values == nil {
			return nil, wrong("values is NULL")
		}
		if last := float64(rows-1)*float64(rowStride) + float64(columns-1)*float64(columnStride); last >= addresses/8 {
			return nil, wrong("%d rows and %d columns with strides of %d and %d end beyond the addresses of a process", rows, columns, rowStride, columnStride)
		}
		length = (rows-1)*int64(rowStride) + (columns-1)*int64(columnStride) + 1
	}
	x = &sparse.Dense{Rows: int(rows), Columns: int(columns), RowStride: int(rowStride), ColumnStride: int(columnStride)}
	switch valueType {
	case C.LANES_FLOAT64:
		x.Float64, err = array[float64]("values", values, length)
	case C.LANES_FLOAT32:
		x.Float32, err = array[float32]("values", values, length)
	default:
		err = wrong("the type of values is %d, which it cannot have", valueType)
	}
	return x, err
}

// newDense makes a matrix of an array of the caller, which it copies or borrows.
func newDense(rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, out *C.lanes_matrix, message *C.lanes_text, make func(*sparse.Pool, *sparse.Dense) (*sparse.Matrix, error)) C.lanes_status {
	return matrices.make(unsafe.Pointer(out), message, func() (*sparse.Data, error) {
		if err := checkShape(int64(rows), int64(columns)); err != nil {
			return nil, err
		}
		x, err := denseOf(int64(rows), int64(columns), values, valueType, rowStride, columnStride)
		if err != nil {
			return nil, err
		}
		pool := poolFor(x, workers)
		defer pool.Close()
		m, err := make(pool, x)
		if err != nil {
			return nil, &lanes.DataError{Err: err}
		}
		return &sparse.Data{X: m}, nil
	})
}

//export lanes_matrix_from_dense
func lanes_matrix_from_dense(rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return newDense(rows, columns, values, valueType, rowStride, columnStride, 1, matrix, message, sparse.NewDense)
}

//export lanes_matrix_borrow_dense
func lanes_matrix_borrow_dense(rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return newDense(rows, columns, values, valueType, rowStride, columnStride, workers, matrix, message, sparse.BorrowDense)
}

// scoredDense is scored for the rows of an array.
func scoredDense(handle C.lanes_model, rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, out *C.double, length C.int64_t, message *C.lanes_text, labels bool, finish func(m model.Model, scores []float64) error) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		x, err := denseOf(int64(rows), int64(columns), values, valueType, rowStride, columnStride)
		if err != nil {
			return err
		}
		return output(m, x.Rows, out, length, labels, finish, func(scores []float64) ([]float64, error) {
			pool := poolFor(x, workers)
			defer pool.Close()
			return model.ScoresDense(m, scores, pool, x)
		})
	})
}

// fewNumbers is how many elements are looked at before a second thread has woken up.
const fewNumbers = 1 << 16

// poolFor returns the workers that share the rows of x, nil for the caller alone.
func poolFor(x *sparse.Dense, workers C.int32_t) *sparse.Pool {
	if workers == 1 || float64(x.Rows)*float64(x.Columns) <= fewNumbers {
		return nil
	}
	return sparse.NewPool(int(workers))
}

//export lanes_dense_scores
func lanes_dense_scores(handle C.lanes_model, rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, scores *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scoredDense(handle, rows, columns, values, valueType, rowStride, columnStride, workers, scores, length, message, false, nil)
}

//export lanes_dense_probabilities
func lanes_dense_probabilities(handle C.lanes_model, rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, probabilities *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scoredDense(handle, rows, columns, values, valueType, rowStride, columnStride, workers, probabilities, length, message, false, model.Model.Probabilities)
}

//export lanes_dense_predict
func lanes_dense_predict(handle C.lanes_model, rows, columns C.int64_t, values unsafe.Pointer, valueType C.lanes_type, rowStride, columnStride C.int64_t, workers C.int32_t, labels *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scoredDense(handle, rows, columns, values, valueType, rowStride, columnStride, workers, labels, length, message, true, nil)
}
