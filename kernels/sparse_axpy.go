package kernels

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// SparseAxpy adds a multiple of a sparse vector to y: y[idx[e]] = fma(a, val[e], y[idx[e]]), one
// entry after the other. So it adds a repeated index as often as it stands there.
//
// Error: idx and val differ in length, an index is not below len(y) (*IndexError), or y overlaps
// idx or val; y is as before then. Cost: 2n flops for n entries, at most 12n bytes of the sparse
// vector read, and n elements of y read and written.
func SparseAxpy[I Index, V Value](a float64, idx []I, val []V, y []float64) error {
	if len(idx) == len(val) && !arguments.Overlap(y, val) && !arguments.Overlap(y, idx) {
		var done bool
		switch narrow, single := unsafe.Sizeof(*new(I)) == 2, unsafe.Sizeof(*new(V)) == 4; {
		case narrow && single:
			done = vector.SparseAxpyU16F32(a, as[uint16](&idx), as[float32](&val), y)
		case narrow:
			done = vector.SparseAxpyU16F64(a, as[uint16](&idx), as[float64](&val), y)
		case single:
			done = vector.SparseAxpyU32F32(a, as[uint32](&idx), as[float32](&val), y)
		default:
			done = vector.SparseAxpyU32F64(a, as[uint32](&idx), as[float64](&val), y)
		}
		if done {
			return nil
		}
	}
	return axpyError("SparseAxpy", idx, val, y)
}

// SparseAxpyOnes is SparseAxpy of a vector whose values are all 1: y[idx[e]] += a.
//
// Error: an index is not below len(y) (*IndexError), or y overlaps idx; y is as before then. Cost: n
// flops for n entries, at most 4n bytes of indices read, and n elements of y read and written.
func SparseAxpyOnes[I Index](a float64, idx []I, y []float64) error {
	if !arguments.Overlap(y, idx) {
		var done bool
		if unsafe.Sizeof(*new(I)) == 2 {
			done = vector.SparseAxpyOnesU16(a, as[uint16](&idx), y)
		} else {
			done = vector.SparseAxpyOnesU32(a, as[uint32](&idx), y)
		}
		if done {
			return nil
		}
	}
	return axpyError("SparseAxpyOnes", idx, idx, y)
}

// SparseAxpy32 is SparseAxpy in float32 arithmetic.
//
// Error: as in SparseAxpy. Cost: 2n flops for n entries, at most 8n bytes of the sparse vector read,
// and n elements of y read and written.
func SparseAxpy32[I Index](a float32, idx []I, val, y []float32) error {
	if len(idx) == len(val) && !arguments.Overlap(y, val) && !arguments.Overlap(y, idx) {
		var done bool
		if unsafe.Sizeof(*new(I)) == 2 {
			done = vector.SparseAxpy32U16(a, as[uint16](&idx), val, y)
		} else {
			done = vector.SparseAxpy32U32(a, as[uint32](&idx), val, y)
		}
		if done {
			return nil
		}
	}
	return axpyError("SparseAxpy32", idx, val, y)
}

// SparseAxpyOnes32 is SparseAxpyOnes in float32 arithmetic.
//
// Error and cost: as in SparseAxpyOnes.
func SparseAxpyOnes32[I Index](a float32, idx []I, y []float32) error {
	if !arguments.Overlap(y, idx) {
		var done bool
		if unsafe.Sizeof(*new(I)) == 2 {
			done = vector.SparseAxpyOnes32U16(a, as[uint16](&idx), y)
		} else {
			done = vector.SparseAxpyOnes32U32(a, as[uint32](&idx), y)
		}
		if done {
			return nil
		}
	}
	return axpyError("SparseAxpyOnes32", idx, idx, y)
}

// as returns a slice of a type of the same size.
func as[T, S any](s *[]S) []T { return *(*[]T)(unsafe.Pointer(s)) }

// axpyError says why a call was refused.
func axpyError[I Index, V, Y any](kernel string, idx []I, val []V, y []Y) error {
	switch {
	case len(idx) != len(val):
		return lengths(kernel, "idx", len(idx), "val", len(val))
	case arguments.Overlap(y, idx):
		return fmt.Errorf("kernels.%s: y and idx overlap", kernel)
	case arguments.Overlap(y, val):
		return fmt.Errorf("kernels.%s: y and val overlap", kernel)
	}
	return rows.RefusedIndex(kernel, idx, len(y))
}
