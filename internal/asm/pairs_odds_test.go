package asm

import (
	"math/rand/v2"
	"testing"
)

func TestOddsMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	values := []func(*rand.Rand) float64{(*rand.Rand).ExpFloat64, hostileValue, someHostile}
	for _, table := range runnable(t) {
		for p := 0; p <= 40; p += 8 {
			for n := range 7 {
				for kind, value := range values {
					e, o := guarded[float64](t, n), guarded[float64](t, p)
					fill(e, random, value)
					fill(o, random, value)
					run := func(k *PairBlockKernels) []float64 {
						part, sum, slope := guarded[float64](t, n*p), guarded[float64](t, p), guarded[float64](t, p)
						fill(sum, random, value)
						fill(slope, random, value)
						k.Odds(part, sum, slope, e, o)
						return append(append(part, sum...), slope...)
					}
					want, got := run(&Generic.PairBlock), run(&table.PairBlock)
					for i := range want {
						if !same(got[i], want[i]) {
							t.Fatalf("%s, %d positives, %d samples, kind %d, result %d: %v, the twin has %v", table.Path, p, n, kind, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}
