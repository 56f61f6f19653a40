package element

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func TestPairsMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for _, table := range runnable(t) {
		for n := range 45 {
			for kind, value := range values {
				s, share := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
				asmtest.Fill(s, random, value)
				for i := range share {
					share[i] = random.Float64()
				}
				start := make([]float64, n)
				asmtest.Fill(start, random, value)
				a, b := value(random), value(random)
				run := func(k *PairKernels) []float64 {
					l, c, m, d := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
					copy(c, start)
					copy(d, start)
					out := []float64{k.Hinge(l, s, a), k.Logistic(m, s, a, b)}
					out = append(out, k.HingeAdd(c, l, b), k.LogisticAdd(d, share, b))
					return append(append(append(append(out, l...), m...), c...), d...)
				}
				want, got := run(&Generic.Pairs), run(&table.Pairs)
				for i := range want {
					if !asmtest.Same(got[i], want[i]) {
						t.Fatalf("%s, %d elements, kind %d, result %d: %v, the twin has %v", table.Path, n, kind, i, got[i], want[i])
					}
				}
			}
		}
	}
}

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
