package main

import "testing"

// TestTrace: a trace keeps points at equal distances, and the last one.
func TestTrace(t *testing.T) {
	for _, n := range []int{0, 1, 7, mostPoints - 1, mostPoints, mostPoints + 1, mostPoints + 2, 3*mostPoints + 5} {
		var run trace
		for k := range n {
			run.add(point{Passes: float64(k)})
		}
		got := run.points()
		if len(got) > min(n, mostPoints+1) || n > 0 && (len(got) < min(n, mostPoints/2) || got[0].Passes != 0 || got[len(got)-1].Passes != float64(n-1)) {
			t.Fatalf("%d points of %d", len(got), n)
		}
		for k := 1; k < len(got)-1; k++ {
			if got[k].Passes != float64(k)*got[1].Passes {
				t.Fatalf("%d points: point %d is pass %v", n, k, got[k].Passes)
			}
		}
	}
}
