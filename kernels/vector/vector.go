// Package vector computes with vectors of float32, int8 and bits: one with another, or one query with
// many rows of a flat array.
//
// Every function returns the same bits on every CPU and operating system. A sum of float32 has 64
// lanes with fused multiply-add, which a fixed tree adds; asm/vector.Kernels says it in full. So
// its error is the error of float32 arithmetic in sums of a 64th of the elements. Dot32 of package
// kernels sums in float64. Results of integers are exact.
//
// A function that takes vectors of equal lengths returns an error for others. Empty vectors give 0.
// No function allocates, unless it returns an error, and none panics. They may be called
// concurrently, as long as no call writes what another reads or writes.
//
// This is one package and not one for each kind of element: quantising, rows and the largest scores
// go across kinds, and a name such as bits would hide math/bits.
package vector

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/base/arguments"

	_ "github.com/lanes-go/lanes/dispatch" // chooses the kernels of this CPU
)

// An unequal are the lengths of two vectors that differ, for the function F. It is a type and not a
// call, because a function with two calls is not inlined.
type unequal[F interface{ name() string }] [2]int

func (u unequal[F]) Error() string {
	return fmt.Sprintf("vector.%s: x has %d elements and y has %d; lengths must be equal", (*new(F)).name(), u[0], u[1])
}

type (
	ofDot                 struct{}
	ofSquaredDistance     struct{}
	ofDistance            struct{}
	ofCosine              struct{}
	ofDotInt8             struct{}
	ofSquaredDistanceInt8 struct{}
	ofCosineInt8          struct{}
	ofHamming             struct{}
	ofJaccard             struct{}
)

func (ofDot) name() string                 { return "Dot" }
func (ofSquaredDistance) name() string     { return "SquaredDistance" }
func (ofDistance) name() string            { return "Distance" }
func (ofCosine) name() string              { return "Cosine" }
func (ofDotInt8) name() string             { return "DotInt8" }
func (ofSquaredDistanceInt8) name() string { return "SquaredDistanceInt8" }
func (ofCosineInt8) name() string          { return "CosineInt8" }
func (ofHamming) name() string             { return "Hamming" }
func (ofJaccard) name() string             { return "Jaccard" }

// tooLong is the error for vectors whose sum may not fit in 32 bits.
func tooLong(function string, n, most int) error {
	return fmt.Errorf("vector.%s: %d elements; there may be %d, so that the sum fits in 32 bits", function, n, most)
}

// checkRows checks the arguments of a function on rows of at most some elements. Row i begins at
// rows[i*stride]. Where nothing is left to compute, done is true, and dst is 0.
func checkRows[D, T any](function string, most int, dst []D, query, rows []T, stride int, list []uint32) (done bool, err error) {
	n, count := len(query), len(dst)
	switch {
	case stride < 1:
		return true, fmt.Errorf("vector.%s: the stride is %d; it must be at least 1", function, stride)
	case list != nil && len(list) != count:
		return true, fmt.Errorf("vector.%s: dst has %d elements and list has %d; lengths must be equal", function, count, len(list))
	case arguments.Overlap(dst, query) || arguments.Overlap(dst, rows) || arguments.Overlap(dst, list):
		return true, fmt.Errorf("vector.%s: dst overlaps what the function reads", function)
	case n > most:
		return true, tooLong(function, n, most)
	case count == 0 || n == 0:
		clear(dst)
		return true, nil
	}
	whole := 0
	if len(rows) >= n {
		whole = (len(rows)-n)/stride + 1
	}
	if list == nil && count > whole {
		return true, fmt.Errorf("vector.%s: rows has %d elements, which are %d rows of %d at stride %d; dst asks for %d", function, len(rows), whole, n, stride, count)
	}
	for k, i := range list {
		if uint64(i) >= uint64(whole) {
			return true, fmt.Errorf("vector.%s: list[%d] is row %d; there are %d rows of %d elements at stride %d", function, k, i, whole, n, stride)
		}
	}
	return false, nil
}
