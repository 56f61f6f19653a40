package asm

import (
	"math/rand/v2"
	"testing"
)

func TestPairsMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, hostileValue, someHostile}
	for _, table := range runnable(t) {
		for n := range 45 {
			for kind, value := range values {
				s, share := guarded[float64](t, n), guarded[float64](t, n)
				fill(s, random, value)
				for i := range share {
					share[i] = random.Float64()
				}
				start := make([]float64, n)
				fill(start, random, value)
				a, b := value(random), value(random)
				run := func(k *PairKernels) []float64 {
					l, c, m, d := guarded[float64](t, n), guarded[float64](t, n), guarded[float64](t, n), guarded[float64](t, n)
					copy(c, start)
					copy(d, start)
					out := []float64{k.Hinge(l, s, a), k.Logistic(m, s, a, b)}
					out = append(out, k.HingeAdd(c, l, b), k.LogisticAdd(d, share, b))
					return append(append(append(append(out, l...), m...), c...), d...)
				}
				want, got := run(&Generic.Pairs), run(&table.Pairs)
				for i := range want {
					if !same(got[i], want[i]) {
						t.Fatalf("%s, %d elements, kind %d, result %d: %v, the twin has %v", table.Path, n, kind, i, got[i], want[i])
					}
				}
			}
		}
	}
}
