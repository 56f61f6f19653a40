package kernels

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/arguments"
)

// A sparse vector is given by two slices of one length: its indices, from 0 on,
// in any order and repeated or not, and its values. The functions whose names
// end in Ones take a vector whose values are all 1, by its indices alone.
//
// Every function checks the indices before it touches anything else, at a cost
// of about a tenth of the work on vectors of 76 entries. Whole matrices are
// better served by package sparse, which checks indices once and takes many
// rows in a call.
type (
	// Index are the types of an index. 16 bits serve vectors of up to 65,536
	// elements at half the memory traffic.
	Index interface{ uint16 | uint32 }
	// Value are the types of a stored value. A float32 stands for the float64
	// it converts to; all arithmetic is in float64.
	Value interface{ float32 | float64 }
)

// IndexError reports an index beyond the vector that it points into.
type IndexError struct {
	Kernel   string // the function that found it
	Position int    // where in the indices the first such index stands
	Index    int    // the index
	Len      int    // the length of the vector, which the index must be below
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("kernels.%s: index %d at position %d is beyond the vector, which has %d elements",
		e.Kernel, e.Index, e.Position, e.Len)
}

// SparseDot returns the inner product sum_e val[e] w[idx[e]]. Entry e is added
// to lane e mod 8 with fused multiply-add; lanes l and l+4 are added first, then
// l and l+2, then the last two.
//
// Error: idx and val differ in length, or an index is not below len(w)
// (*IndexError). Cost: 2n flops for n entries, at most 12n bytes of the sparse
// vector and n elements of w read.
func SparseDot[I Index, V Value](idx []I, val []V, w []float64) (float64, error) {
	if len(idx) != len(val) {
		return 0, lengths("SparseDot", "idx", len(idx), "val", len(val))
	}
	sum, ok := vectorKernels[I, V]().Dot(idx, val, w)
	if !ok {
		return 0, indexError("SparseDot", idx, len(w))
	}
	return sum, nil
}

// SparseDotOnes returns sum_e w[idx[e]], added as SparseDot adds.
//
// Error: an index is not below len(w) (*IndexError). Cost: n flops for n
// entries, at most 4n bytes of indices and n elements of w read.
func SparseDotOnes[I Index](idx []I, w []float64) (float64, error) {
	sum, ok := vectorKernels[I, struct{}]().Dot(idx, nil, w)
	if !ok {
		return 0, indexError("SparseDotOnes", idx, len(w))
	}
	return sum, nil
}

// SparseDot2 returns the inner products with w1 and with w2, each of them with
// the bits of SparseDot, and reads the sparse vector once.
//
// Error: idx and val, or w1 and w2, differ in length, or an index is not below
// len(w1) (*IndexError). Cost: 4n flops for n entries, at most 12n bytes of the
// sparse vector and n elements of w1 and of w2 read.
func SparseDot2[I Index, V Value](idx []I, val []V, w1, w2 []float64) (x1, x2 float64, err error) {
	if len(idx) != len(val) {
		return 0, 0, lengths("SparseDot2", "idx", len(idx), "val", len(val))
	}
	if len(w1) != len(w2) {
		return 0, 0, lengths("SparseDot2", "w1", len(w1), "w2", len(w2))
	}
	x1, x2, ok := vectorKernels[I, V]().Dot2(idx, val, w1, w2)
	if !ok {
		return 0, 0, indexError("SparseDot2", idx, len(w1))
	}
	return x1, x2, nil
}

// SparseDot2Ones is SparseDot2 for a vector whose values are all 1.
//
// Error: w1 and w2 differ in length, or an index is not below len(w1)
// (*IndexError). Cost: 2n flops for n entries, at most 4n bytes of indices and n
// elements of w1 and of w2 read.
func SparseDot2Ones[I Index](idx []I, w1, w2 []float64) (x1, x2 float64, err error) {
	if len(w1) != len(w2) {
		return 0, 0, lengths("SparseDot2Ones", "w1", len(w1), "w2", len(w2))
	}
	x1, x2, ok := vectorKernels[I, struct{}]().Dot2(idx, nil, w1, w2)
	if !ok {
		return 0, 0, indexError("SparseDot2Ones", idx, len(w1))
	}
	return x1, x2, nil
}

// SparseAdd adds a multiple of a sparse vector to w: w[idx[e]] += c val[e],
// rounded once, one entry after the other, so that a repeated index counts as
// often as it stands there.
//
// Error: idx and val differ in length, w and val overlap, or an index is not
// below len(w) (*IndexError); w is as it was then. Cost: 2n flops for n entries,
// at most 12n bytes of the sparse vector and n elements of w read, n written.
func SparseAdd[I Index, V Value](w []float64, c float64, idx []I, val []V) error {
	if len(idx) != len(val) {
		return lengths("SparseAdd", "idx", len(idx), "val", len(val))
	}
	if arguments.Overlap(w, val) || arguments.Overlap(w, idx) {
		return fmt.Errorf("kernels.SparseAdd: w overlaps the sparse vector")
	}
	if !vectorKernels[I, V]().Add(w, c, idx, val) {
		return indexError("SparseAdd", idx, len(w))
	}
	return nil
}

// SparseAddOnes is SparseAdd for a vector whose values are all 1:
// w[idx[e]] += c.
//
// Error: w and idx overlap, or an index is not below len(w) (*IndexError); w is
// as it was then. Cost: n flops for n entries, at most 4n bytes of indices and n
// elements of w read, n written.
func SparseAddOnes[I Index](w []float64, c float64, idx []I) error {
	if arguments.Overlap(w, idx) {
		return fmt.Errorf("kernels.SparseAddOnes: w overlaps the sparse vector")
	}
	if !vectorKernels[I, struct{}]().Add(w, c, idx, nil) {
		return indexError("SparseAddOnes", idx, len(w))
	}
	return nil
}

// MaxIndex returns the greatest index, 0 where there is none. Cost: 2n or 4n
// bytes read for n indices.
func MaxIndex[I Index](idx []I) I {
	if wide, ok := any(idx).([]uint32); ok {
		return I(asm.Active().Rows.Vector.MaxU32(wide))
	}
	return I(asm.Active().Rows.Vector.MaxU16(any(idx).([]uint16)))
}

// vectorKernels returns the kernels for indices I and values V, which their
// sizes tell: the compiler decides, not the running program.
func vectorKernels[I Index, V Value | struct{}]() *rows.VectorOf[I, V] {
	k := &asm.Active().Rows.Vector
	var kernels unsafe.Pointer
	switch narrow, value := unsafe.Sizeof(*new(I)) == 2, unsafe.Sizeof(*new(V)); {
	case !narrow && value == 8:
		kernels = unsafe.Pointer(&k.I32F64)
	case !narrow && value == 4:
		kernels = unsafe.Pointer(&k.I32F32)
	case !narrow:
		kernels = unsafe.Pointer(&k.I32Ones)
	case value == 8:
		kernels = unsafe.Pointer(&k.I16F64)
	case value == 4:
		kernels = unsafe.Pointer(&k.I16F32)
	default:
		kernels = unsafe.Pointer(&k.I16Ones)
	}
	return (*rows.VectorOf[I, V])(kernels)
}

// indexError finds the index that a kernel refused. It runs on the way to an
// error only.
func indexError[I Index](kernel string, idx []I, n int) error {
	at := slices.IndexFunc(idx, func(j I) bool { return uint64(j) >= uint64(n) })
	if at < 0 {
		return fmt.Errorf("kernels.%s: the indices changed during the call", kernel)
	}
	return &IndexError{Kernel: kernel, Position: at, Index: int(idx[at]), Len: n}
}
