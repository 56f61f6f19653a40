package element

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// TestThresholdMatchesTheTwin places every operand before and behind unreadable pages.
func TestThresholdMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 2))
	lengths := []int{100, 127, 128, 129, 511, 512, 513, 1000}
	for n := range 71 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		type operands struct {
			s, dst []float64
		}
		back := operands{asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)}
		front := operands{asmtest.GuardedFront[float64](t, n), asmtest.GuardedFront[float64](t, n)}
		for kind := range 8 {
			x := make([]float64, n)
			asmtest.FillKind(random, kind%4, x)
			threshold := asmtest.Specials[random.IntN(len(asmtest.Specials))]
			if n > 0 && kind > 3 {
				threshold = x[random.IntN(n)]
			}
			var above, below []float64
			for _, v := range x {
				if v > threshold {
					above = append(above, v)
				}
				if v < threshold {
					below = append(below, v)
				}
			}
			for _, table := range append(runnable(t), &Generic) {
				k := &table.Threshold
				for _, o := range []operands{back, front} {
					copy(o.s, x)
					if got := k.Count(o.s, threshold); got != len(above) {
						t.Fatalf("%s, %d elements of kind %d: %d are above %v, not %d", table.Path, n, kind, got, threshold, len(above))
					}
					check := func(what string, got int, dst, want []float64) {
						t.Helper()
						if got != len(want) {
							t.Fatalf("%s, %d elements of kind %d: %d are %s %v, not %d", table.Path, n, kind, got, what, threshold, len(want))
						}
						for i := range want {
							if !asmtest.Same(dst[i], want[i]) {
								t.Fatalf("%s, %d elements of kind %d: element %d %s %v is %v, want %v", table.Path, n, kind, i, what, threshold, dst[i], want[i])
							}
						}
					}
					check("above", k.Above(o.dst, o.s, threshold), o.dst, above)
					check("below", k.Below(o.dst, o.s, threshold), o.dst, below)
					check("above, in place,", k.Above(o.s, o.s, threshold), o.s, above)
					copy(o.s, x)
					check("below, in place,", k.Below(o.s, o.s, threshold), o.s, below)
				}
			}
		}
	}
}

// TestKth compares with sorting, on numbers that repeat and on ones that do not.
func TestKth(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 3))
	for n := 1; n <= 140; n++ {
		x := asmtest.Guarded[float64](t, n)
		for kind := range 4 {
			asmtest.FillKind(random, kind, x)
			for i := range x {
				if kind == 1 {
					x[i] = float64(random.IntN(6))
				}
				if x[i] != x[i] {
					x[i] = math.Inf(1 - 2*random.IntN(2))
				}
			}
			sorted := slices.Sorted(slices.Values(x))
			bad := random.IntN(n)
			for _, table := range append(runnable(t), &Generic) {
				for _, k := range []int{1, 1 + random.IntN(n), 1 + n/2, n} {
					if got := table.Threshold.Kth(x, k); got != sorted[n-k] {
						t.Fatalf("%s, kind %d: %v is the %d-th largest of %d, want %v", table.Path, kind, got, k, n, sorted[n-k])
					}
				}
				good := x[bad]
				x[bad] = math.NaN()
				if got := table.Threshold.Kth(x, 1+random.IntN(n)); got == got {
					t.Fatalf("%s, NaN at %d of %d: %v", table.Path, bad, n, got)
				}
				x[bad] = good
			}
		}
	}
}
