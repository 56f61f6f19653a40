package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// SparseAxpy adds a multiple of a sparse vector to y: y[idx[e]] = fma(a, val[e], y[idx[e]]), one
// entry after the other. So it adds a repeated index as often as it stands there. It is Go on every
// CPU, as no instruction adds to elements of which two may be one.
//
// Error: idx and val differ in length, an index is not below len(y) (*IndexError), or y overlaps
// idx or val; y is as before then. Cost: 2n flops for n entries, at most 12n bytes of the sparse
// vector read, and n elements of y read and written.
func SparseAxpy[I Index, V Value](a float64, idx []I, val []V, y []float64) error {
	if len(idx) != len(val) {
		return lengths("SparseAxpy", "idx", len(idx), "val", len(val))
	}
	if arguments.Overlap(y, val) {
		return fmt.Errorf("kernels.SparseAxpy: y and val overlap")
	}
	if err := indices("SparseAxpy", idx, y); err != nil {
		return err
	}
	for e, j := range idx {
		y[j] = math.FMA(a, float64(val[e]), y[j])
	}
	return nil
}

// SparseAxpyOnes is SparseAxpy of a vector whose values are all 1: y[idx[e]] += a.
//
// Error: an index is not below len(y) (*IndexError), or y overlaps idx; y is as before then. Cost: n
// flops for n entries, at most 4n bytes of indices read, and n elements of y read and written.
func SparseAxpyOnes[I Index](a float64, idx []I, y []float64) error {
	if err := indices("SparseAxpyOnes", idx, y); err != nil {
		return err
	}
	for _, j := range idx {
		y[j] += a
	}
	return nil
}

// indices checks that all indices point into y, and that y lies elsewhere.
func indices[I Index](kernel string, idx []I, y []float64) error {
	if arguments.Overlap(y, idx) {
		return fmt.Errorf("kernels.%s: y and idx overlap", kernel)
	}
	var most [4]I // independent of one another
	whole := len(idx) &^ 3
	for e := 0; e < whole; e += 4 {
		four := idx[e : e+4 : e+4]
		most[0], most[1] = max(most[0], four[0]), max(most[1], four[1])
		most[2], most[3] = max(most[2], four[2]), max(most[3], four[3])
	}
	largest := max(most[0], most[1], most[2], most[3])
	for _, j := range idx[whole:] {
		largest = max(largest, j)
	}
	if len(idx) == 0 || uint64(largest) < uint64(len(y)) {
		return nil
	}
	at := slices.IndexFunc(idx, func(j I) bool { return uint64(j) >= uint64(len(y)) })
	return &IndexError{Kernel: kernel, Position: at, Index: int(idx[at]), Len: len(y)}
}
