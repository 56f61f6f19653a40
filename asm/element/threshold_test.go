package element

import (
	"math/rand/v2"
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
	tables := append(runnable(t), &Generic)
	for _, n := range lengths {
		type operands struct {
			s, dst []float64
			places []uint32
		}
		back := operands{asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), asmtest.Guarded[uint32](t, n)}
		front := operands{asmtest.GuardedFront[float64](t, n), asmtest.GuardedFront[float64](t, n), asmtest.GuardedFront[uint32](t, n)}
		for kind := range 8 {
			x := make([]float64, n)
			asmtest.FillKind(random, kind%4, x)
			threshold := asmtest.Specials[random.IntN(len(asmtest.Specials))]
			if n > 0 && kind > 3 {
				threshold = x[random.IntN(n)]
			}
			var above, below []float64
			var positions []uint32
			lanes := make([]float64, 8)
			for i, v := range x {
				if v > threshold {
					above, positions = append(above, v), append(positions, uint32(i))
					lanes[i%8] += v
				}
				if v < threshold {
					below = append(below, v)
				}
			}
			for half := 4; half > 0; half /= 2 {
				for l := range half {
					lanes[l] += lanes[l+half]
				}
			}
			for _, table := range tables {
				k := &table.Threshold
				for _, o := range []operands{back, front} {
					copy(o.s, x)
					if got := k.Count(o.s, threshold); got != len(above) {
						t.Fatalf("%s, %d elements of kind %d: %d are above %v, not %d", table.Path, n, kind, got, threshold, len(above))
					}
					if sum, got := k.Sum(o.s, threshold); got != len(above) || !asmtest.Same(sum, lanes[0]) {
						t.Fatalf("%s, %d elements of kind %d: %d above %v sum to %v, want %d and %v", table.Path, n, kind, got, threshold, sum, len(above), lanes[0])
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
					got := k.Positions(o.places, o.s, threshold)
					if got != len(positions) {
						t.Fatalf("%s, %d elements of kind %d: %d positions, want %d", table.Path, n, kind, got, len(positions))
					}
					for i, want := range positions {
						if o.places[i] != want {
							t.Fatalf("%s, %d elements of kind %d: position %d is %d, want %d", table.Path, n, kind, i, o.places[i], want)
						}
					}
					check("above, in place,", k.Above(o.s, o.s, threshold), o.s, above)
					copy(o.s, x)
					check("below, in place,", k.Below(o.s, o.s, threshold), o.s, below)
				}
			}
		}
	}
}
