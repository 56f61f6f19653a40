// Package vector computes with vectors of float32: one with another, or one query
// with many rows of a flat array.
//
// Every function returns the same bits on every CPU and operating system. A sum of float32 has 64
// lanes with fused multiply-add, which a fixed tree adds; asm/vector.Kernels says it in full. So
// its error is that of float32 arithmetic in sums of a 64th of the elements. Dot32 of package
// kernels sums in float64.
//
// A function that takes vectors of equal lengths returns an error for others. Empty vectors give 0.
// No function allocates, unless it returns an error, and none panics. They may be called
// concurrently, as long as no call writes what another reads or writes.
//
// This is one package and not one for each kind of element: quantising, rows and the largest scores
// go across kinds, and a name such as bits would hide that of math/bits.
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
	ofDot             struct{}
	ofSquaredDistance struct{}
	ofDistance        struct{}
	ofCosine          struct{}
)

func (ofDot) name() string             { return "Dot" }
func (ofSquaredDistance) name() string { return "SquaredDistance" }
func (ofDistance) name() string        { return "Distance" }
func (ofCosine) name() string          { return "Cosine" }

// checkRows checks the arguments of a function on rows. Row i begins at rows[i*stride].
func checkRows[D, T any](function string, dst []D, query, rows []T, stride int, list []uint32) error {
	n, count := len(query), len(dst)
	switch {
	case stride < 1:
		return fmt.Errorf("vector.%s: the stride is %d; it must be at least 1", function, stride)
	case list != nil && len(list) != count:
		return fmt.Errorf("vector.%s: dst has %d elements and list has %d; lengths must be equal", function, count, len(list))
	case arguments.Overlap(dst, query) || arguments.Overlap(dst, rows) || arguments.Overlap(dst, list):
		return fmt.Errorf("vector.%s: dst overlaps what the function reads", function)
	case count == 0 || n == 0:
		return nil
	}
	whole := 0
	if len(rows) >= n {
		whole = (len(rows)-n)/stride + 1
	}
	if list == nil && count > whole {
		return fmt.Errorf("vector.%s: rows has %d elements, which are %d rows of %d at stride %d; dst asks for %d", function, len(rows), whole, n, stride, count)
	}
	for k, i := range list {
		if uint64(i) >= uint64(whole) {
			return fmt.Errorf("vector.%s: list[%d] is row %d; there are %d rows of %d elements at stride %d", function, k, i, whole, n, stride)
		}
	}
	return nil
}
