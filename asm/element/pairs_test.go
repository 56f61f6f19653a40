package element

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func TestOnePositiveMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 10))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	places := []func(testing.TB, int) []float64{asmtest.Guarded[float64], asmtest.GuardedFront[float64]}
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
					asmtest.Fill(s, random, value)
					asmtest.Fill(start, random, value)
					center, least := value(random), value(random)
					copy(want, start)
					sum, count := Generic.PairBlock.SigmoidOne(want, s, center, least)
					logs, number := Generic.PairBlock.SoftplusOne(s, center, least)
					for _, table := range tables {
						copy(c, start)
						gotSum, gotCount := table.PairBlock.SigmoidOne(c, s, center, least)
						gotLogs, gotNumber := table.PairBlock.SoftplusOne(s, center, least)
						if !asmtest.Same(gotSum, sum) || gotCount != count || !asmtest.Same(gotLogs, logs) || gotNumber != number {
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
