package element

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
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
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
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
	}{{asmtest.Guarded[float64], asmtest.Guarded[int]}, {asmtest.GuardedFront[float64], asmtest.GuardedFront[int]}}
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
						asmtest.Fill(x, random, value)
					}
					scale := value(random)
					want := blockResults(&Generic.PairBlock, func(n int) []float64 { return dirty(make([]float64, n)) },
						func(n int) []int { return dirtyCounts(make([]int, n)) }, s, start, positive, least, a, scale)
					for _, table := range tables {
						got := blockResults(&table.PairBlock, func(n int) []float64 { return dirty(place.floats(t, n)) },
							func(n int) []int { return dirtyCounts(place.counts(t, n)) }, s, start, positive, least, a, scale)
						for i := range want {
							if !asmtest.Same(got[i], want[i]) {
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

// TestPairBlocksHaveTheBitsOfElements: values and counts equal the results for single elements in
// the order of the definition.
func TestPairBlocksHaveTheBitsOfElements(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	const p, n = 16, 21
	s, positive, least := make([]float64, n), make([]float64, p), make([]float64, p)
	for _, x := range [][]float64{s, positive, least} {
		asmtest.Fill(x, random, (*rand.Rand).NormFloat64)
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

func TestExponentsMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 14))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for _, table := range runnable(t) {
		for n := range 36 {
			for kind, value := range values {
				x, dst, want := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), make([]float64, n)
				asmtest.Fill(x, random, value)
				middle, scale := value(random), value(random)
				for i, v := range x {
					want[i] = exp(float64(scale * (v - middle)))
				}
				table.PairBlock.Exponents(dst, x, middle, scale)
				compare(t, dst, want, x)
				table.PairBlock.Exponents(x, x, middle, scale)
				if compare(t, x, want, dst); t.Failed() {
					t.Fatalf("%s, %d elements, kind %d", table.Path, n, kind)
				}
			}
		}
	}
}

func TestOddsMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	values := []func(*rand.Rand) float64{(*rand.Rand).ExpFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for _, table := range runnable(t) {
		for p := 0; p <= 40; p += 8 {
			for n := range 7 {
				for kind, value := range values {
					e, o := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, p)
					asmtest.Fill(e, random, value)
					asmtest.Fill(o, random, value)
					run := func(k *PairBlockKernels) []float64 {
						part, sum, slope := asmtest.Guarded[float64](t, n*p), asmtest.Guarded[float64](t, p), asmtest.Guarded[float64](t, p)
						asmtest.Fill(sum, random, value)
						asmtest.Fill(slope, random, value)
						k.Odds(part, sum, slope, e, o)
						return append(append(part, sum...), slope...)
					}
					want, got := run(&Generic.PairBlock), run(&table.PairBlock)
					for i := range want {
						if !asmtest.Same(got[i], want[i]) {
							t.Fatalf("%s, %d positives, %d samples, kind %d, result %d: %v, the twin has %v", table.Path, p, n, kind, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

func TestPairSlopesMatchTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 11))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	tables := runnable(t)
	places := []struct {
		floats func(testing.TB, int) []float64
		counts func(testing.TB, int) []int
	}{{asmtest.Guarded[float64], asmtest.Guarded[int]}, {asmtest.GuardedFront[float64], asmtest.GuardedFront[int]}}
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
						asmtest.Fill(x, random, value)
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
							if !asmtest.Same(v, want[i]) {
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

// TestPairSlopesAgainstDerivative: the slope is sigmoid(x) sigmoid(-x) to a few ulp in both
// tails, from exponentials and from odds. The sums run in the order of the definition.
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
