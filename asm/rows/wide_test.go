package rows

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func TestWideMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for _, table := range runnable(t) {
		for width := range 71 {
			for entries := range 4 {
				const rows = 5
				value := values[(width+entries)%len(values)]
				idx, val := asmtest.Guarded[uint32](t, entries), asmtest.Guarded[float64](t, entries)
				asmtest.Fill(val, random, value)
				for e := range idx {
					idx[e] = random.Uint32N(rows)
				}
				if entries > 0 {
					idx[0] = rows - 1
				}
				w, c := asmtest.Guarded[float64](t, rows*width), asmtest.Guarded[float64](t, width)
				asmtest.Fill(w, random, value)
				asmtest.Fill(c, random, value)
				startW, startC := append([]float64{}, w...), append([]float64{}, c...)
				run := func(k *WideKernels) []float64 {
					copy(w, startW)
					copy(c, startC)
					k.Mul(c, idx, val, w)
					out := append([]float64{}, c...)
					copy(c, startC)
					k.Add(w, idx, val, c)
					return append(out, w...)
				}
				want, got := run(&Generic.Wide), run(&table.Wide)
				for i := range want {
					if !asmtest.Same(got[i], want[i]) {
						t.Fatalf("%s, width %d, %d entries, result %d: %v, the twin has %v", table.Path, width, entries, i, got[i], want[i])
					}
				}
			}
		}
	}
}
