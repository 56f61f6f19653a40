package kernels

import (
	"fmt"
	"math"
	"unsafe"

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
func SparseDot[I Index, V Value](idx []I, val []V, w []float64) (sum float64, err error) {
	sum, err = rows.SparseDot(unsafe.SliceData(idx), unsafe.SliceData(val), unsafe.SliceData(w), len(idx), len(val), len(w), 0)
	return
}

// SparseDotOnes returns sum_e w[idx[e]], added as SparseDot adds.
//
// Error: an index is not below len(w) (*IndexError). Cost: n flops for n
// entries, at most 4n bytes of indices and n elements of w read.
func SparseDotOnes[I Index](idx []I, w []float64) (sum float64, err error) {
	sum, err = rows.SparseDot[I, uint8](unsafe.SliceData(idx), nil, unsafe.SliceData(w), len(idx), len(idx), len(w), 0)
	return
}

// SparseAdd adds a multiple of a sparse vector to w: w[idx[e]] += c val[e],
// rounded once, one entry after the other, so that a repeated index counts as
// often as it stands there.
//
// Error: idx and val differ in length, w and val overlap, or an index is not
// below len(w) (*IndexError); w is as it was then. Cost: 2n flops for n entries,
// at most 12n bytes of the sparse vector and n elements of w read, n written.
func SparseAdd[I Index, V Value](w []float64, c float64, idx []I, val []V) (err error) {
	err = func() error {
		if n := len(idx); uint(n-1) < 2 && len(val) == n && arguments.Outside(val, w) && arguments.Outside(idx, w) {
			if j, k := idx[0], idx[n-1]; uint(j) < uint(len(w)) && uint(k) < uint(len(w)) {
				if n == 2 {
					w[j] = math.FMA(c, float64(val[0]), w[j])
				}
				w[k] = math.FMA(c, float64(val[n-1]), w[k])
				return nil
			}
		}
		if len(idx) != len(val) {
			return lengths("SparseAdd", "idx", len(idx), "val", len(val))
		}
		i, x := unsafe.Pointer(unsafe.SliceData(idx)), unsafe.Pointer(unsafe.SliceData(val))
		switch unsafe.Sizeof(rows.LayoutOf[I, V]{}) { // which the compiler knows
		case rows.SizeI32F64:
			return rows.AddI32F64(unsafe.SliceData(w), c, i, x, len(idx), len(w))
		case rows.SizeI16F64:
			return rows.AddI16F64(unsafe.SliceData(w), c, i, x, len(idx), len(w))
		case rows.SizeI32F32:
			return rows.AddI32F32(unsafe.SliceData(w), c, i, x, len(idx), len(w))
		}
		return rows.AddI16F32(unsafe.SliceData(w), c, i, x, len(idx), len(w))
	}()
	return
}

// SparseAddOnes is SparseAdd for a vector whose values are all 1:
// w[idx[e]] += c.
//
// Error: w and idx overlap, or an index is not below len(w) (*IndexError); w is
// as it was then. Cost: n flops for n entries, at most 4n bytes of indices and n
// elements of w read, n written.
func SparseAddOnes[I Index](w []float64, c float64, idx []I) error {
	return rows.SparseAddOnes(unsafe.Sizeof(*new(I)), unsafe.SliceData(w), c, unsafe.Pointer(unsafe.SliceData(idx)), len(idx), len(w))
}

// MaxIndex returns the greatest index, 0 where there is none. Cost: 2n or 4n
// bytes read for n indices.
func MaxIndex[I Index](idx []I) I {
	return shortMaxIndex(idx, func() I {
		return I(rows.MaxIndex(unsafe.Sizeof(*new(I)), unsafe.Pointer(unsafe.SliceData(idx)), len(idx)))
	})
}

func init() {
	rows.IndexError = func(kernel string, position, index, n int) error {
		return &IndexError{Kernel: kernel, Position: position, Index: index, Len: n}
	}
}
