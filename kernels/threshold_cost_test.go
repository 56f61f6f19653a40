package kernels

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm"
)

// hostileOrder returns n different numbers in an order whose samples hold the least
// numbers left, whatever round they are taken in: every pivot that comes from a sample
// then leaves almost all elements above it.
func hostileOrder(n, k int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Inf(1) // not chosen yet, and so above all that are
	}
	left, next := make([]int, n), 1.0
	for i := range left {
		left[i] = i
	}
	for len(left) > sortBelow {
		size := 0
		for len(left) < sampleSizes[size].elements {
			size++
		}
		m := sampleSizes[size].sample
		stride := len(left) / m
		for i := range m {
			if at := left[i*stride+stride/2]; math.IsInf(x[at], 1) {
				x[at] = next
				next++
			}
		}
		now := make([]float64, len(left))
		for i, at := range left {
			now[i] = x[at]
		}
		pivot := samplePivot(now, k)
		var above []int
		for _, at := range left {
			if x[at] > pivot {
				above = append(above, at)
			}
		}
		if len(above) < k {
			break
		}
		left = above
	}
	for i := range x {
		if math.IsInf(x[i], 1) {
			x[i] = next
			next++
		}
	}
	return x
}

// TestSelectionIsLinear counts the elements that selection looks at in a hostile order.
func TestSelectionIsLinear(t *testing.T) {
	before := asm.Active()
	defer asm.Use(before)
	seen := 0
	counting := *before
	counting.Element.Threshold.Count = func(x []float64, threshold float64) int {
		seen += len(x)
		return before.Element.Threshold.Count(x, threshold)
	}
	asm.Use(&counting)
	const n = 5000
	for _, k := range []int{1, 3, 10} {
		x, scratch := hostileOrder(n, k), make([]float64, n)
		seen = 0
		if value, err := KthLargest(x, k, scratch); err != nil || value != float64(n+1-k) {
			t.Fatalf("the %d-th largest of 1 to %d is %v, %v", k, n, value, err)
		}
		t.Logf("k = %d: %.1f looks an element", k, float64(seen)/n)
		if seen < n || seen > 30*n {
			t.Errorf("k = %d: %d looks at %d elements", k, seen, n)
		}
	}
}
