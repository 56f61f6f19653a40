package asm

import (
	"math/rand/v2"
	"testing"
)

func TestOnePositiveMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 10))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, hostileValue, someHostile}
	places := []func(testing.TB, int) []float64{guarded[float64], guardedFront[float64]}
	tables := runnable(t)
	step := 1
	if testing.Short() {
		step = 5
	}
	for n := 0; n < 71; n += step {
		for at, place := range places {
			s, c, want, start := place(t, n), place(t, n), make([]float64, n), make([]float64, n)
			for kind, value := range values {
				for range 4 {
					fill(s, random, value)
					fill(start, random, value)
					center, least := value(random), value(random)
					copy(want, start)
					sum, count := Generic.PairBlock.SigmoidOne(want, s, center, least)
					logs, number := Generic.PairBlock.SoftplusOne(s, center, least)
					for _, table := range tables {
						copy(c, start)
						gotSum, gotCount := table.PairBlock.SigmoidOne(c, s, center, least)
						gotLogs, gotNumber := table.PairBlock.SoftplusOne(s, center, least)
						if !same(gotSum, sum) || gotCount != count || !same(gotLogs, logs) || gotNumber != number {
							t.Fatalf("%s, %d elements of kind %d at place %d: %d above sum to %v, %d to %v, the twin has %d, %v, %d and %v",
								table.Path, n, kind, at, gotCount, gotSum, gotNumber, gotLogs, count, sum, number, logs)
						}
						compare(t, c, want, s)
					}
				}
			}
		}
	}
}
