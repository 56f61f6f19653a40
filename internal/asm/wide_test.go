package asm

import (
	"math/rand/v2"
	"testing"
)

func TestWideMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, hostileValue, someHostile}
	for _, table := range runnable(t) {
		for width := range 71 {
			for entries := range 4 {
				const rows = 5
				value := values[(width+entries)%len(values)]
				idx, val := guarded[uint32](t, entries), guarded[float64](t, entries)
				fill(val, random, value)
				for e := range idx {
					idx[e] = random.Uint32N(rows)
				}
				if entries > 0 {
					idx[0] = rows - 1
				}
				w, c := guarded[float64](t, rows*width), guarded[float64](t, width)
				fill(w, random, value)
				fill(c, random, value)
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
					if !same(got[i], want[i]) {
						t.Fatalf("%s, width %d, %d entries, result %d: %v, the twin has %v", table.Path, width, entries, i, got[i], want[i])
					}
				}
			}
		}
	}
}
