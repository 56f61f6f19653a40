package asm

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPairSlopesMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 11))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, hostileValue, someHostile}
	tables := runnable(t)
	places := []struct {
		floats func(testing.TB, int) []float64
		counts func(testing.TB, int) []int
	}{{guarded[float64], guarded[int]}, {guardedFront[float64], guardedFront[int]}}
	positives := []int{8, 16, 24, 40}
	if testing.Short() {
		positives = []int{8, 24}
	}
	for _, p := range positives {
		for n := 0; n < 40; n += 1 + n/9 {
			for kind, value := range values {
				for at, place := range places {
					s, center, least := place.floats(t, n), place.floats(t, p), place.floats(t, p)
					e, o, start := place.floats(t, n), place.floats(t, p), make([]float64, n)
					for _, x := range [][]float64{s, center, least, e, o, start} {
						fill(x, random, value)
					}
					scale := value(random)
					run := func(k *PairBlockKernels) []float64 {
						var out []float64
						for _, odds := range []bool{false, true} {
							count, sum, c := place.counts(t, p), place.floats(t, p), place.floats(t, n)
							copy(c, start)
							for i := range sum {
								count[i], sum[i] = 7, 7
							}
							if odds {
								k.SlopeOdds(count, sum, c, s, center, least, e, o)
							} else {
								k.SlopeAbove(count, sum, c, s, center, least, scale)
							}
							out = append(append(out, c...), sum...)
							for _, v := range count {
								out = append(out, float64(v))
							}
						}
						return out
					}
					want := run(&Generic.PairBlock)
					for _, table := range tables {
						for i, v := range run(&table.PairBlock) {
							if !same(v, want[i]) {
								t.Fatalf("%s, %d positives and %d elements of kind %d at place %d, result %d: %v, the twin has %v",
									table.Path, p, n, kind, at, i, v, want[i])
							}
						}
					}
				}
			}
		}
	}
}

// TestPairSlopesAgainstDerivative: the slope is sigmoid(x) sigmoid(-x) to a few ulp in
// both tails, from exponentials and from odds, and the sums run in the order of the
// definition.
func TestPairSlopesAgainstDerivative(t *testing.T) {
	const p = 8
	s := []float64{-300, -40, -1, -1e-9, 0, 0.5, 3, 40, 200, 349}
	center, least, o, e := make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, len(s))
	for i := range center {
		center[i], least[i] = float64(i)/8, float64(i*i)-20
		o[i] = math.Exp(-center[i])
	}
	least[0] = math.Inf(-1)
	for j, v := range s {
		e[j] = math.Exp(v)
	}
	for _, table := range append(runnable(t), &Generic) {
		for _, odds := range []bool{false, true} {
			count, sum, c := make([]int, p), make([]float64, p), make([]float64, len(s))
			if odds {
				table.PairBlock.SlopeOdds(count, sum, c, s, center, least, e, o)
			} else {
				table.PairBlock.SlopeAbove(count, sum, c, s, center, least, 1)
			}
			wantC := make([]float64, len(s))
			for i := range center {
				number, want := 0, 0.0
				for j, v := range s {
					if d := v - center[i]; d > least[i] {
						g := 1 / (2 + math.Exp(d) + math.Exp(-d))
						number, want, wantC[j] = number+1, want+g, wantC[j]+g
					}
				}
				if count[i] != number || math.Abs(sum[i]-want) > 1e-13*want {
					t.Errorf("%s, odds %v: %d pairs of positive %d sum to %v, want %d and %v", table.Path, odds, count[i], i, sum[i], number, want)
				}
			}
			for j, want := range wantC {
				if math.Abs(c[j]-want) > 1e-13*want {
					t.Errorf("%s, odds %v: c[%d] = %v, want %v", table.Path, odds, j, c[j], want)
				}
			}
		}
	}
}
