package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes/asm/rows"
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
type IndexError = rows.IndexError

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
