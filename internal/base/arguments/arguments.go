// Package arguments checks the slices that a public kernel is given: their lengths, and
// that a result overlaps nothing by accident. Its errors begin with the kernel's name.
package arguments

import (
	"fmt"
	"math"
	"unsafe"
)

// Lengths returns the error for two slices of unequal lengths.
func Lengths(kernel, nameA string, a int, nameB string, b int) error {
	return fmt.Errorf("kernels.%s: %s has %d elements and %s has %d; lengths must be equal", kernel, nameA, a, nameB, b)
}

// Pair checks that two slices have equal lengths, and are the same slice or do not overlap. With a
// shifted overlap the results would depend on the CPU path.
func Pair(kernel, nameDst string, dst []float64, nameX string, x []float64) error {
	if len(dst) != len(x) {
		return Lengths(kernel, nameDst, len(dst), nameX, len(x))
	}
	if unsafe.SliceData(dst) != unsafe.SliceData(x) && Overlap(dst, x) {
		return fmt.Errorf("kernels.%s: %s and %s overlap without being the same slice", kernel, nameDst, nameX)
	}
	return nil
}

// Apart checks that slices have the length of the first and share no element.
func Apart(kernel string, names []string, slices ...[]float64) error {
	for i, a := range slices {
		if len(a) != len(slices[0]) {
			return Lengths(kernel, names[0], len(slices[0]), names[i], len(a))
		}
		for j, b := range slices[:i] {
			if Overlap(a, b) {
				return fmt.Errorf("kernels.%s: %s and %s overlap", kernel, names[j], names[i])
			}
		}
	}
	return nil
}

// Disjoint tells that two slices of equal length share no memory; for empty slices the result is
// arbitrary. It is Overlap for the fast path of calls, short enough to be inlined.
func Disjoint(a, b []float64) bool {
	gap, bytes := address(a)-address(b), uintptr(len(a))*8
	return gap+bytes-1 >= 2*bytes-1
}

// SameOrDisjoint tells that two slices of equal length are the same or share no memory; for empty
// slices the result is arbitrary.
func SameOrDisjoint(a, b []float64) bool {
	gap, bytes := address(a)-address(b), uintptr(len(a))*8
	return gap == 0 || gap+bytes-1 >= 2*bytes-1
}

func address(a []float64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(a))) }

// Overlap tells whether two slices share memory.
func Overlap[A, B any](a []A, b []B) bool {
	return len(a) > 0 && len(b) > 0 && Meet(unsafe.SliceData(a), len(a), unsafe.SliceData(b), len(b))
}

// Meet tells whether m and n elements, neither of them 0, share memory.
func Meet[A, B any](a *A, m int, b *B, n int) bool {
	p, q := uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))
	return p < q+uintptr(n)*unsafe.Sizeof(*b) && q < p+uintptr(m)*unsafe.Sizeof(*a)
}

// NoEscape returns p and hides it from escape analysis: arguments of an entry point can stay on the
// caller's stack although kernels are called through a table. Kernels keep no pointer. NoEscape is
// not inlined, because an inlined address would be a plain number, which is not updated when the
// stack grows.
//
//go:noinline
//go:nosplit
func NoEscape[T any](p *T) *T {
	address := uintptr(unsafe.Pointer(p))
	return *(**T)(unsafe.Pointer(&address))
}

// Positive says what is wrong with a number, called what, that must be above 0 and finite.
func Positive(what string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v; it must be positive", what, v)
	}
	return nil
}
