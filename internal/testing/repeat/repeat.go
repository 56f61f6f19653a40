// Package repeat shortens runs of tests that repeat make test: on other CPU paths, on emulated
// Arm and under the race detector.
package repeat

import (
	"os"
	"testing"
)

// Skip skips a test in repeated runs, which set LANES_REPEAT. It is for tests whose result
// depends neither on the CPU path nor on goroutines.
func Skip(t testing.TB) {
	t.Helper()
	if os.Getenv("LANES_REPEAT") != "" {
		t.Skip("make test runs it, and another run would show nothing else")
	}
}

// Once skips a test in repeated runs but under the race detector. It is for tests with goroutines
// whose result does not depend on the CPU path: the kernels, the golden list and the tests of
// bits hold that paths agree.
func Once(t testing.TB) {
	t.Helper()
	if !raced {
		Skip(t)
	}
}

// Size returns the size of a test: short under -short, whole otherwise.
func Size[T any](whole, short T) T {
	if testing.Short() {
		return short
	}
	return whole
}
