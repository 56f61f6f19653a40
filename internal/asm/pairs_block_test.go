package asm

import (
	"math/rand/v2"
	"testing"
)

// blockResults runs every kernel on slices from make and returns all that they wrote.
func blockResults(k *PairBlockKernels, make func(n int) []float64, counts func(n int) []int, s, start, positive, least, a []float64, scale float64) []float64 {
	n, p := len(s), len(positive)
	var out []float64
	for _, losses := range []func(part, value, slope []float64){
		func(part, value, slope []float64) { k.Hinge(part, value, slope, s, positive) },
		func(part, value, slope []float64) { k.Logistic(part, value, slope, s, positive, scale) },
	} {
		part, value, slope, c := make(n*p), make(p), make(p), make(n)
		copy(c, start)
		losses(part, value, slope)
		k.Add(c, part, a)
		out = append(append(append(append(out, part...), value...), slope...), c...)
	}
	c, sum, count := make(n), make(p), counts(p)
	copy(c, start)
	k.SigmoidAbove(count, sum, c, s, positive, least)
	out = append(append(out, c...), sum...)
	for _, v := range count {
		out = append(out, float64(v))
	}
	sum, count = make(p), counts(p)
	k.SoftplusAbove(count, sum, s, positive, least)
	out = append(out, sum...)
	for _, v := range count {
		out = append(out, float64(v))
	}
	return out
}

func TestPairBlocksMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, hostileValue, someHostile}
	tables := runnable(t)
	dirty := func(values []float64) []float64 {
		for i := range values {
			values[i] = 7
		}
		return values
	}
	dirtyCounts := func(values []int) []int {
		for i := range values {
			values[i] = 7
		}
		return values
	}
	places := []struct {
		floats func(testing.TB, int) []float64
		counts func(testing.TB, int) []int
	}{{guarded[float64], guarded[int]}, {guardedFront[float64], guardedFront[int]}}
	positives := []int{8, 16, 24, 40}
	if testing.Short() {
		positives = []int{8, 24}
	}
	for _, p := range positives {
		for n := 0; n < 71; n += 1 + n/9 {
			for kind, value := range values {
				for at, place := range places {
					s, positive, least, a := place.floats(t, n), place.floats(t, p), place.floats(t, p), place.floats(t, p)
					start := make([]float64, n)
					for _, x := range [][]float64{s, positive, least, a, start} {
						fill(x, random, value)
					}
					scale := value(random)
					want := blockResults(&Generic.PairBlock, func(n int) []float64 { return dirty(make([]float64, n)) },
						func(n int) []int { return dirtyCounts(make([]int, n)) }, s, start, positive, least, a, scale)
					for _, table := range tables {
						got := blockResults(&table.PairBlock, func(n int) []float64 { return dirty(place.floats(t, n)) },
							func(n int) []int { return dirtyCounts(place.counts(t, n)) }, s, start, positive, least, a, scale)
						for i := range want {
							if !same(got[i], want[i]) {
								t.Fatalf("%s, %d positives and %d elements of kind %d at place %d, result %d: %v, the twin has %v",
									table.Path, p, n, kind, at, i, got[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

// TestPairBlocksHaveTheBitsOfElements: values and counts are those of the single
// elements in the order of the definition.
func TestPairBlocksHaveTheBitsOfElements(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	const p, n = 16, 21
	s, positive, least := make([]float64, n), make([]float64, p), make([]float64, p)
	for _, x := range [][]float64{s, positive, least} {
		fill(x, random, (*rand.Rand).NormFloat64)
	}
	for _, table := range append(runnable(t), &Generic) {
		count, c, sigmoids, softpluses := make([]int, p), make([]float64, n), make([]float64, p), make([]float64, p)
		table.PairBlock.SigmoidAbove(count, sigmoids, c, s, positive, least)
		table.PairBlock.SoftplusAbove(count, softpluses, s, positive, least)
		for i := range positive {
			number, sum, logs := 0, 0.0, 0.0
			for _, v := range s {
				if d := v - positive[i]; d > least[i] {
					number, sum, logs = number+1, sum+sigmoid(d), logs+softplus(d)
				}
			}
			if count[i] != number || sigmoids[i] != sum || softpluses[i] != logs {
				t.Errorf("%s: %d above sum to %v and %v, want %d, %v and %v", table.Path, count[i], sigmoids[i], softpluses[i], number, sum, logs)
			}
		}
	}
}
