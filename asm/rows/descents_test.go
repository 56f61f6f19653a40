package rows

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// TestDescents compares every path with pairs counted one by one, at lengths around all vectors, on
// indices beside pages that may not be touched: ascending, equal, descending, of both halves of the
// unsigned numbers.
func TestDescents(t *testing.T) {
	kernels := append(runnable(t), &Generic)
	testDescents(t, kernels, func(k *Kernels) func([]uint32) int { return k.Descents32 })
	testDescents(t, kernels, func(k *Kernels) func([]uint16) int { return k.Descents16 })
}

func testDescents[I index](t *testing.T, kernels []*Kernels, of func(*Kernels) func([]I) int) {
	random := rand.New(rand.NewPCG(8, 9))
	for length := range 131 {
		for range 8 {
			for k, idx := range [][]I{asmtest.Guarded[I](t, length), asmtest.GuardedFront[I](t, length)} {
				ascending := random.IntN(2) == 0
				for e := range idx {
					idx[e] = I(random.Uint64())
					if e > 0 && (ascending || random.IntN(3) == 0) {
						idx[e] = idx[e-1] + I(random.IntN(3))
					}
				}
				want := 0
				for e := 1; e < length; e++ {
					if idx[e] <= idx[e-1] {
						want++
					}
				}
				for _, kernel := range kernels {
					if got := of(kernel)(idx); got != want {
						t.Fatalf("%s: %d descents in %v, want %d (place %d)", kernel.Path, got, idx, want, k)
					}
				}
			}
		}
	}
}
